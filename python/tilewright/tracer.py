"""The tracer: runs a kernel's Python once, with names for cells and loops, and writes down what is called."""

from . import program as p
from .affine import key_of
from .buffers import Buffer, Region
from .errors import TileError, here
from .expr import Const, Expr, Load, Var, number, select, settle
from .expr import binary
from .regions import match


class Tracer:
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

    # Where we are.

    def add(self, statement):
        if not self.lists:
            raise TileError("this call belongs inside of `with T.Kernel(…)`")
        self.lists[-1].append(statement)

    def outside_parallel(self, what):
        if self.loops:
            raise TileError(f"{what} inside of T.Parallel; a parallel loop computes elements, so call it outside")

    def cells(self, extents):
        """`with T.Kernel(…)`: once, with a name for each dimension."""
        if self.kernel:
            raise TileError("a T.Kernel inside of another one")
        names = self.take_names("bx", "by", "bz")
        variables = [(Var(n, 0, high(e), "cell"), e) for n, e in zip(names, extents)]
        self.kernel = p.Kernel(here(), variables)
        self.function.kernels.append(self.kernel)
        self.lists.append(self.kernel.body)
        values = [0 if number(e) == 1 else v for v, e in variables]
        yield values[0] if len(values) == 1 else tuple(values)
        self.lists.pop()
        self.kernel = None

    def take_names(self, *defaults):
        """The names that the user's loop has, where it has any."""
        names, self.names = self.names, []
        names = [n if n != "_" else d for n, d in zip(names, defaults)]
        return names + list(defaults[len(names) :])

    def branches(self, condition):
        """`if`: True for its body and False for its else part, each once."""
        condition = settle(condition)
        if not isinstance(condition, Expr):
            yield bool(condition)
            return
        if self.loops:
            for outcome in (True, False):
                self.conditions.append(condition if outcome else Expr("not", (condition,), "bool"))
                yield outcome
                self.conditions.pop()
            return
        statement = p.If(here(), condition)
        self.add(statement)
        for outcome, body in ((True, statement.body), (False, statement.other)):
            self.lists.append(body)
            self.depth += 1
            yield outcome
            self.depth -= 1
            self.lists.pop()

    def serial(self, low, end, step, stages=None):
        low, end = settle(low), settle(end)
        name = self.take_names("k")[0]
        if self.loops:
            if not all(isinstance(x, int) for x in (low, end)):
                raise TileError("a serial loop inside of T.Parallel needs constant bounds")
            var = Var(name, low, end - 1)
            self.sums.append((var, low, end, step))
            yield var
            self.sums.pop()
            return
        if isinstance(low, int) and isinstance(end, int) and end - low <= step:
            if end > low:
                yield low
            return
        var = Var(name, low, high(end))
        statement = p.For(here(), var, low, end, step, stages)
        self.add(statement)
        self.lists.append(statement.body)
        self.depth += 1
        yield var
        self.depth -= 1
        self.lists.pop()

    def parallel(self, extents):
        extents = [settle(e) for e in extents]
        variables = [(Var(n, 0, high(e)), e) for n, e in zip(self.take_names(*"ijklmnpq"), extents)]
        before = len(self.loops)
        self.loops += variables
        yield variables[0][0] if len(variables) == 1 else tuple(v for v, _ in variables)
        del self.loops[before:]

    # Buffers.

    def alloc(self, shape, dtype, scope):
        buffer = Buffer(shape, dtype, scope)
        buffer.at, buffer.depth = here(), self.depth
        if scope == "global":
            self.function.globals.append(buffer)
            return buffer
        if not self.kernel:
            raise TileError("a buffer of a core belongs inside of `with T.Kernel(…)`")
        for size in buffer.shape:
            if not isinstance(size, int):
                raise TileError(f"a buffer of a core needs constant sizes, not {size}")
        buffer.conditions = len(self.conditions)
        self.kernel.buffers.append(buffer)
        return buffer

    def load(self, buffer, indices):
        known = getattr(buffer, "known", None)
        if buffer.scope == "var" and known is not None:
            return known
        return Load(buffer, indices)

    def store(self, buffer, indices, value):
        if buffer.scope == "var" and not self.loops:
            if self.keep(buffer, value):
                return
        value = value if isinstance(value, Expr) else number_of(value, buffer.dtype)
        condition = None
        for c in self.conditions:
            condition = c if condition is None else binary("and", condition, c)
        self.check_fresh(value, buffer)
        self.add(p.Store(here(), buffer, list(indices), value, list(self.loops), list(self.sums), condition))
        if not self.loops:
            buffer.version += 1
        else:
            buffer.version += 1
            buffer.parallel_write = (id(self.loops[0][0]), tuple(key_of(i) for i in indices))

    def keep(self, buffer, value):
        """A variable that is set where it was made is a name for its value; no memory is needed."""
        if self.depth == buffer.depth and not getattr(buffer, "stored", False):
            buffer.known = value
            return True
        if not buffer.dtype.is_float:
            raise TileError(
                f"{buffer.name or 'the variable'} changes inside of a loop or a branch; a variable of integers must be "
                "set where it is made (write the value as an expression of the loop's variable)"
            )
        if getattr(buffer, "known", None) is not None:
            raise TileError(
                f"{buffer.name or 'the variable'} is set outside of this loop and changed inside; "
                "use a fragment of one element, T.alloc_fragment((1,), dtype)"
            )
        buffer.stored = True
        return False

    def check_fresh(self, value, target):
        """An element that was read into a Python name before its buffer was written has its old value there."""
        for load in loads(value):
            if load.version != load.buffer.version:
                raise TileError(
                    f"'{load!r}' was read before {load.buffer.name} was written again, and is used after; "
                    "read it where it is used, or keep it in a fragment"
                )

    # Tile operations.

    def copy(self, src, dst):
        self.outside_parallel("T.copy")
        src, dst = match(src, dst)
        self.add(p.Copy(here(), src, dst))
        dst.buffer.version += 1

    def fill(self, dst, value):
        if self.loops:
            raise TileError("T.fill inside of T.Parallel; assign the element instead")
        self.add(p.Fill(here(), dst, value))
        dst.buffer.version += 1

    def gemm(self, a, b, c, transpose_a, transpose_b, clear):
        self.outside_parallel("T.gemm")
        if clear:
            self.fill(c, 0)
        self.add(p.Gemm(here(), a, b, c, transpose_a, transpose_b))
        c.buffer.version += 1

    def reduce(self, src, dst, dim, kind, clear):
        self.outside_parallel(f"T.reduce_{kind}")
        if clear:
            lowest = {"max": -float("inf"), "min": float("inf")}.get(kind, 0)
            self.fill(dst, lowest)
        self.add(p.Reduce(here(), src, dst, dim, kind))
        dst.buffer.version += 1

    def cumsum(self, src, dst, dim, reverse):
        self.outside_parallel("T.cumsum")
        self.add(p.Cumsum(here(), src, dst, dim, reverse))
        dst.buffer.version += 1


def high(extent):
    """The last value of a loop with this extent; None where it depends on sizes."""
    extent = settle(extent)
    if isinstance(extent, int):
        return extent - 1
    return extent - 1


def number_of(value, dtype):
    if not isinstance(value, (int, float)):
        raise TileError(f"'{value}' of Python type {type(value).__name__} is no element of a buffer")
    return Const(float(value) if dtype.is_float else int(value), dtype)


def loads(x):
    """All elements that an expression reads."""
    x = settle(x)
    if not isinstance(x, Expr):
        return
    if isinstance(x, Load):
        yield x
        for i in x.indices:
            yield from loads(i)
    for a in x.args:
        yield from loads(a)


def uses(statements):
    """(ids of the buffers that statements read, ids of those that they write)."""
    read, written = set(), set()
    for s in statements:
        if isinstance(s, (p.Copy, p.Reduce, p.Cumsum)):
            read.add(id(s.src.buffer))
        if isinstance(s, (p.Copy, p.Fill, p.Reduce, p.Cumsum)):
            written.add(id(s.dst.buffer))
        if isinstance(s, p.Gemm):
            read |= {id(s.a.buffer), id(s.b.buffer), id(s.c.buffer)}
            written.add(id(s.c.buffer))
        if isinstance(s, p.Store):
            written.add(id(s.buffer))
            read |= {id(load.buffer) for load in loads(s.value)}
            if s.condition is not None:
                read |= {id(load.buffer) for load in loads(s.condition)} | {id(s.buffer)}
        for body in (getattr(s, "body", []), getattr(s, "other", [])):
            inner_read, inner_written = uses(body)
            read |= inner_read
            written |= inner_written
    return read, written
