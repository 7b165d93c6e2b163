"""The tracer: runs a kernel's Python once, with names for cells and loops, and writes down what is called.

What it knows of each kind of call stands in trace/."""

from . import program as p
from .errors import TileError
from .trace.control import Control
from .trace.stores import Stores
from .trace.tables import Tables
from .trace.tiles import Tiles
from .trace.updates import Updates
from .trace.variables import Variables


class Tracer(Control, Stores, Variables, Tables, Updates, Tiles):
    is_numbers = False

    def __init__(self, name, at):
        self.function = p.Function(name, at, [])
        self.kernel = None
        self.lists = []  # where statements go; the innermost last
        self.loops = []  # (Var, extent) of the T.Parallel loops that are open
        self.sums = []  # (Var, extent) of serial loops inside of them
        self.conditions = []  # of `if`s inside of T.Parallel
        self.depth = 0
        self.names = []  # of the loop that is about to begin
        self.updating = False  # whether a store is an atomic update
        self.threads = ()  # of T.Kernel
        self.varies = False  # whether the variable that is about to be made is changed in loops or branches
        self.elementwise = set()  # variables that a T.Parallel sets
        self.counters = []  # variables of integers that it changes
        self.rolled = []  # the loops around, which are traced once
        self.branched = []  # of each `if` around: {variable: the value that it had before}

    def add(self, statement):
        if not self.lists:
            raise TileError("this call belongs inside of `with T.Kernel(…)`")
        self.lists[-1].append(statement)

    def outside_parallel(self, what):
        if self.loops:
            raise TileError(f"{what} inside of T.Parallel; a parallel loop computes elements, so call it outside")
