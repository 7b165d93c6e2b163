"""Kernels that ask for their thread: each statement becomes one of all threads, a parallel loop over them.

    tx = T.get_thread_binding()              for tx in T.Parallel(n):
    a[0] = A[bx * n + tx]            ->          a[tx] = A[bx * n + tx]       what a thread has of its own gets a dimension
    if tx < 3:                               for tx in T.Parallel(n):
        B[tx] = a[0] * 2                         if tx < 3: B[tx] = a[tx] * 2

Threads go in lockstep, as they do between barriers. What threads do together (T.copy, T.gemm, T.Parallel) is done once.
Threads that write the same element without T.atomic_add are a race, and an error; sums of atomic updates are reductions."""

from . import program as p
from .affine import depends, key_of
from .buffers import Region
from .errors import TileError
from .expr import Expr, Load, binary, settle, substitute, text
from .mlir.guards import conjuncts
from .reads import loads
from .unroll import distributed


def distribute(kernel):
    """Changes the statements of a kernel that asks for its thread, and the buffers that its threads have."""
    if not kernel.threads:
        return
    work = Threads(kernel)
    while work.grow(kernel.body, []):
        pass
    kernel.body = work.statements(kernel.body, [])
    for buffer in kernel.buffers:
        if buffer in work.dims:
            buffer.shape = work.shape(buffer)


class Threads:
    def __init__(self, kernel):
        self.all = [kernel.threads[d] for d in sorted(kernel.threads)]
        self.others = 1  # threads along dimensions that the kernel does not ask for
        for d, n in enumerate(kernel.block):
            self.others *= 1 if d in kernel.threads else n
        self.dims = {}  # {buffer that each thread has: the dimensions of threads that differ in it}

    # What depends on which threads.

    def of(self, *values):
        """The thread variables that values depend on, in order."""
        return [(v, e) for v, e in self.all if any(self.differs(x, v) for x in values)]

    def differs(self, x, var):
        x = settle(x)
        if not isinstance(x, Expr):
            return False
        return depends(x, {id(var)}) or any(var is v for load in loads(x) for v, _ in self.dims.get(load.buffer, ()))

    def grow(self, statements, conditions):
        """Notes which local buffers differ between threads; whether that was news."""
        news = False
        for s in statements:
            inner = conditions + ([s.condition] if isinstance(s, p.If) else [])
            for body in (getattr(s, "body", []), getattr(s, "other", [])):
                news |= self.grow(body, inner)
            if isinstance(s, p.Store) and s.buffer.scope in ("local", "var"):
                found = self.of(s.value, *s.indices, *conditions, *([s.condition] if s.condition is not None else []))
                old = self.dims.get(s.buffer, [])
                both = [t for t in self.all if has(found, t) or has(old, t)]
                if len(both) > len(old):
                    self.dims[s.buffer], news = both, True
        return news

    def shape(self, buffer):
        return tuple(e for _, e in self.dims[buffer]) + (() if buffer.shape == (1,) else buffer.shape)

    def place(self, buffer, indices):
        """The indices of an element of what each thread has."""
        if buffer not in self.dims:
            return list(indices)
        return [v for v, _ in self.dims[buffer]] + ([] if buffer.shape == (1,) else list(indices))

    def moved(self, x):
        """An expression in which elements of such buffers have the thread's index."""
        x = settle(x)
        if isinstance(x, Load):
            new = Load(x.buffer, self.place(x.buffer, [self.moved(i) for i in x.indices]))
            new.version = x.version
            return new
        return Expr(x.op, [self.moved(a) for a in x.args], x.dtype) if isinstance(x, Expr) and x.args else x

    # Statements.

    def statements(self, statements, conditions):
        result = []
        for s in statements:
            try:
                result += self.statement(s, conditions)
            except TileError as error:
                error.at = getattr(error, "at", None) or s.at
                raise
        return result

    def statement(self, s, conditions):
        if isinstance(s, p.Store):
            return self.store(s, conditions)
        if isinstance(s, p.If) and self.of(s.condition):
            opposite = Expr("not", (s.condition,), "bool")
            return self.statements(s.body, conditions + [s.condition]) + self.statements(s.other, conditions + [opposite])
        if isinstance(s, p.For):
            if self.of(s.low, s.high):
                raise TileError("a loop whose bounds differ between threads; put an `if` on the thread inside of it")
            s.body = self.statements(s.body, conditions)
            return distributed(s)
        if isinstance(s, p.If):
            s.body, s.other = self.statements(s.body, conditions), self.statements(s.other, conditions)
            return [s]
        return self.together(s, conditions)

    def together(self, s, conditions):
        """What all threads, or some of them, do together; it happens once."""
        for name in ("src", "dst", "a", "b", "c"):
            region = getattr(s, name, None)
            if not isinstance(region, Region):
                continue
            if self.of(*region.starts):
                raise TileError(f"a part of {region.buffer.name} that differs between threads, in what they do together; "
                                "write elements, or a region of all threads")
            if region.buffer in self.dims:
                if not isinstance(s, p.Fill) or list(region.extents) != list(region.buffer.shape):
                    raise TileError(f"{region.buffer.name} is another one for each thread; write its elements, or use T.alloc_shared")
                shape = self.shape(region.buffer)
                setattr(s, name, Region(region.buffer, [0] * len(shape), list(shape)))
        rest, times = self.left(conditions, [])
        return [] if times == 0 else [s] if rest is None else [p.If(s.at, rest, [s])]

    def left(self, conditions, mine):
        """(what is left of conditions for threads that differ in `mine` alone, how many others there are of each)."""
        rest, others = None, []
        for part in (c for condition in conditions for c in conjuncts(condition)):
            mixed = self.of(part)
            if mixed and not any(has(mine, t) for t in mixed):
                others.append(part)
            elif not all(has(mine, t) for t in mixed):
                raise TileError(f"'{text(part)}' chooses among threads that do the same thing here; write conditions on each "
                                "dimension of threads by itself")
            else:
                rest = part if rest is None else binary("and", rest, part)
        total = self.count(others, [t for t in self.all if not has(mine, t)])
        if total is None:
            raise TileError(f"'{' and '.join(map(text, others))}' says which threads do what others do as well; compare the thread "
                            "with a constant")
        return rest, total

    def count(self, conditions, variables):
        """How many threads along some dimensions fulfil conditions on them; None where that is not known."""
        if not variables:
            return None if conditions else 1
        total, (var, extent) = 0, variables[0]
        for k in range(extent):
            values = [substitute_all(c, {id(var): k}) for c in conditions]
            if any(not isinstance(v, Expr) and not v for v in values):
                continue
            more = self.count([v for v in values if isinstance(v, Expr)], variables[1:])
            if more is None:
                return None
            total += more
        return total

    def store(self, s, conditions):
        conditions = conditions + ([s.condition] if s.condition is not None else [])
        mine = [t for t in self.all if has(self.of(*s.indices), t) or has(self.dims.get(s.buffer, ()), t)]
        value, sums = s.value, list(s.sums)
        apart = [t for t in self.of(value) if not has(mine, t)]
        if s.meets:
            # Each thread adds: a sum over those that differ, and a product for those that do not.
            sums += [(v, 0, e, 1) for v, e in apart]
            rest, times = self.left(conditions, mine + apart)
            value = repeated(value, times * self.others)
        else:
            if apart:
                raise TileError(f"threads that differ in {apart[0][0].name} write the same {self.name(s)}; use T.atomic_add, or a "
                                "T.reduce_sum of a buffer with an element for each")
            rest, times = self.left(conditions, mine)
            read = any(key_of(load) == key_of(Load(s.buffer, s.indices)) or load.buffer is s.buffer for load in loads(value))
            if read and times * self.others > 1 and not s.loops and s.buffer.scope in ("shared", "global"):
                raise TileError(f"{times * self.others} threads change the same {self.name(s)} at once; use T.atomic_add, or an `if` "
                                "that one thread takes")
        if times == 0:
            return []
        new = p.Store(s.at, s.buffer, [self.moved(i) for i in self.place(s.buffer, s.indices)], self.moved(value), mine + s.loops,
                      sums, self.moved(rest) if rest is not None else None)
        new.conditions = []
        return [new]

    @staticmethod
    def name(s):
        return f"{s.buffer.name}[{', '.join(text(i) for i in s.indices)}]"


def has(threads, thread):
    return any(v is thread[0] for v, _ in threads)


def substitute_all(x, values):
    """`substitute`, which decides comparisons and their connections, too."""
    from .expr import FOLD, compare, logical_not

    x = settle(x)
    if not isinstance(x, Expr) or not x.args or x.dtype != "bool":
        return substitute(x, values)
    args = [substitute_all(a, values) for a in x.args]
    if x.op == "not":
        return logical_not(args[0])
    if x.op in ("and", "or"):
        for one, other in (args, args[::-1]):
            if not isinstance(one, Expr):
                return other if bool(one) == (x.op == "and") else bool(one)
    return compare(x.op, *args) if x.op in FOLD and x.op not in ("and", "or", "xor") else Expr(x.op, args, x.dtype)


def repeated(value, times):
    """old + x, by several threads that add the same."""
    if times == 1 or value.op in ("max", "min"):
        return value
    old, added = value.args
    return binary("add", old, binary("mul", added, float(times) if added.dtype != "index" and added.dtype.is_float else times))
