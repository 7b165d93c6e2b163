"""What tracing a kernel gives: a program of few kinds of statements, which mlir/ writes out.

Each statement knows its place in the user's file, `at = (file, line)`."""

from dataclasses import dataclass, field


@dataclass
class Statement:
    at: tuple


@dataclass
class Copy(Statement):
    """dst = src; both regions have the same extents but for units."""

    src: object
    dst: object


@dataclass
class Fill(Statement):
    """dst = value, a number or an expression without elements."""

    dst: object
    value: object


@dataclass
class Gemm(Statement):
    """c += a x b, each perhaps transposed."""

    a: object
    b: object
    c: object
    transpose_a: bool
    transpose_b: bool


@dataclass
class Reduce(Statement):
    """dst = dst `kind` (all of src along dim); kind is sum, max, min, abssum or absmax."""

    src: object
    dst: object
    dim: int
    kind: str
    fresh: bool = False  # whether dst holds what a reduction begins with, and nothing else


@dataclass
class Cumsum(Statement):
    """dst = running sums of src along dim."""

    src: object
    dst: object
    dim: int
    reverse: bool


@dataclass
class Store(Statement):
    """buffer[indices] = value for all values of the loops around it; `loops` is [(variable, extent)…].

    `sums` are those of the loops that are serial: they add to one element in turn."""

    buffer: object
    indices: list
    value: object
    loops: list
    sums: list
    condition: object = None
    meets: bool = False  # whether it is an atomic update, which several threads may do


@dataclass
class For(Statement):
    """A loop from low to high, one at a time."""

    var: object
    low: object
    high: object
    step: int
    stages: int
    body: list = field(default_factory=list)


@dataclass
class If(Statement):
    condition: object
    body: list = field(default_factory=list)
    other: list = field(default_factory=list)


@dataclass
class Kernel(Statement):
    """One `with T.Kernel(…)`: the grid's variables with their extents, innermost first, and a cell's work."""

    cells: list
    block: list = None  # sizes of T.Kernel's `threads`, where a thread is asked for
    threads: dict = field(default_factory=dict)  # {dimension: (variable, extent)} of those that the kernel asks for
    buffers: list = field(default_factory=list)
    body: list = field(default_factory=list)


@dataclass
class Function:
    """A traced entry: its tensors and scalars in order, what it allocates in DRAM, and its kernels."""

    name: str
    at: tuple
    params: list
    globals: list = field(default_factory=list)
    kernels: list = field(default_factory=list)
