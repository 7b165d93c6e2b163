"""The tracer: runs a kernel's Python once, with names for cells and loops, and writes down what is called."""

import math

from . import program as p
from .affine import bounds, depends, key_of, linear, simplify
from .buffers import Buffer, Region, Reshaped
from .errors import TileError, here
from .dtypes import DType
from .expr import (
    INDEX, Const, Expr, Load, Var, as_index, binary, cast, compare, number, select, settle, substitute, text
)
from .regions import match

#: A loop in which a variable of integers changes is unrolled, up to this many steps.
LONGEST = 64
ONE_COUNTER = (
    "a `while` of a kernel counts one variable up to a bound, `while x < n: …; x = x + c`; write other loops with "
    "T.serial and an `if` inside"
)


#: A variable's value after a loop that was traced once.
UNKNOWN = object()


class Rolled:
    """A loop that is traced once: variables of integers that its step reads, and sets."""

    def __init__(self):
        self.read, self.written = set(), set()


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
        self.varies = False  # whether the variable that is about to be made is changed in loops or branches
        self.elementwise = set()  # variables that a T.Parallel sets
        self.counters = []  # variables of integers that it changes
        self.rolled = []  # the loops around, which are traced once
        self.branched = []  # of each `if` around: {variable: the value that it had before}

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
        statements = self.lists[-1] if self.lists else None
        self.add(statement)
        sides, touched = [], {}
        for outcome, body in ((True, statement.body), (False, statement.other)):
            self.lists.append(body)
            self.branched.append({})
            yield outcome
            before = self.branched.pop()
            self.lists.pop()
            sides.append({b: b.known for b in before})
            for buffer, value in before.items():
                touched[buffer], buffer.known = value, value
        for buffer, value in touched.items():
            self.note(buffer)
            buffer.known = merged(condition, sides[0].get(buffer, value), sides[1].get(buffer, value))
        if not statement.body and not statement.other:
            statements.remove(statement)

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
        counters, self.counters = self.counters, []
        if isinstance(low, int) and isinstance(end, int) and (end - low <= step or counters):
            if -(-(end - low) // step) > LONGEST:
                raise TileError(
                    f"{counters[0].name or 'a variable'} changes in a loop of more than {LONGEST} steps; a variable of "
                    "integers that goes on from step to step needs a shorter loop, or an expression of the loop's variable"
                )
            yield from range(low, end, step)
            return
        last = bounds(end)[1] if isinstance(end, Expr) else None
        if counters and isinstance(low, int) and last is not None and -(-(last - low) // step) <= LONGEST:
            for k in range(low, last, step):
                for inside in self.branches(compare("lt", k, end)):
                    if inside:
                        yield k
            return
        var = Var(name, low, high(end))
        statement = p.For(here(), var, low, end, step, stages)
        self.add(statement)
        self.enter(statement)
        yield var
        self.leave()

    def enter(self, statement):
        """Goes into a loop that is traced once."""
        self.lists.append(statement.body)
        self.rolled.append(Rolled())
        self.depth += 1

    def leave(self):
        self.depth -= 1
        self.lists.pop()
        for buffer in self.rolled.pop().written:
            # What the last step left is not known here.
            buffer.known = UNKNOWN

    def persistent(self, domain, wave_size, index):
        """T.Persistent: the blocks become the grid, because cores take cells in turn by themselves."""
        cells = [(v, e) for v, e in self.kernel.cells if number(e) != 1]
        alone = len(cells) == 1 and index is cells[0][0] and number(binary("sub", wave_size, cells[0][1])) == 0
        if not alone or self.depth or self.branched or getattr(self.kernel, "persistent", False):
            raise TileError(
                "T.Persistent takes the grid's only variable and its extent, once and outside of loops: "
                "with T.Kernel(n) as block: for i, j in T.Persistent([…], n, block)"
            )
        names = self.take_names(*"ijk")
        self.kernel.persistent = True
        variables = [(Var(n, 0, high(e), "cell"), e) for n, e in zip(names, domain)]
        self.kernel.cells[:] = variables[::-1]
        yield tuple(0 if number(e) == 1 else v for v, e in variables)

    def while_loop(self, condition, counters):
        """`while x < n: …; x = x + c`, as a counted loop."""
        if len(counters) != 1 or self.loops or counters[0].known is None or counters[0].known is UNKNOWN:
            raise TileError(ONE_COUNTER)
        counter, first = counters[0], counters[0].known
        var = Var(counter.name or "k", first, None)
        self.note(counter)
        counter.known = var
        test = settle(condition())
        if not isinstance(test, Expr):
            if test:
                raise TileError("this `while` never ends")
            counter.known = first
            return
        end = upper_bound(test, var)
        var.high = end - 1
        statement = p.For(here(), var, first, end, None, None)
        self.add(statement)
        self.enter(statement)
        counter.depth += 1
        yield
        counter.depth -= 1
        self.leave()
        terms, statement.step = linear(binary("sub", counter.known, var))
        if terms or statement.step < 1:
            raise TileError(f"{counter.name} becomes '{text(counter.known)}' in a `while`; it needs a constant step of at "
                            "least 1")
        # What it is afterwards depends on where it began; nobody has asked so far.
        counter.known = UNKNOWN

    def parallel(self, extents):
        extents = [settle(e) for e in extents]
        variables = [(Var(n, 0, high(e)), e) for n, e in zip(self.take_names(*"ijklmnpq"), extents)]
        before = len(self.loops)
        self.loops += variables
        yield variables[0][0] if len(variables) == 1 else tuple(v for v, _ in variables)
        del self.loops[before:]
        if not self.loops:
            for buffer in self.elementwise:
                buffer.known = UNKNOWN
            self.elementwise = set()

    # Buffers.

    def alloc(self, shape, dtype, scope):
        buffer = Buffer(shape, dtype, scope)
        buffer.at, buffer.depth = here(), self.depth
        if buffer.dtype == "bool" and scope not in ("var", "global") and buffer.shape != (1,):
            # The vector unit compares floats, and keeps no truth values.
            buffer.boolean, buffer.dtype = True, DType("float32")
        if scope == "global":
            self.function.globals.append(buffer)
            return buffer
        if not self.kernel:
            raise TileError("a buffer of a core belongs inside of `with T.Kernel(…)`")
        for size in buffer.shape:
            if not isinstance(size, int):
                raise TileError(f"a buffer of a core needs constant sizes, not {size}")
        if scope == "local" and buffer.shape == (1,) and not buffer.dtype.is_float:
            buffer.scope = "var"
        buffer.varies, self.varies = self.varies, False
        buffer.known, buffer.stored, buffer.branches = None, False, len(self.branched)
        self.kernel.buffers.append(buffer)
        return buffer

    def reshape(self, base, shape):
        if base.scope in ("global", "var"):
            raise TileError("T.reshape of a tensor or a variable; declare the tensor with that shape")
        buffer = Reshaped(base.base if isinstance(base, Reshaped) else base, shape)
        self.kernel.buffers.append(buffer)
        return buffer

    def load(self, buffer, indices):
        if buffer.scope == "var" and not buffer.stored:
            for frame in self.rolled[buffer.depth :]:
                frame.read.add(buffer)
            if buffer.known is None or buffer.known is UNKNOWN:
                raise TileError(f"{buffer.name or 'the variable'} has no value here; set it before, outside of the loop")
            return buffer.known
        if buffer.table and not self.loops:
            return self.table_element(buffer, indices)
        element = Load(buffer, indices)
        return compare("ne", element, 0) if buffer.boolean else element

    def store(self, buffer, indices, value):
        if buffer.scope == "var":
            if self.loops and not buffer.stored:
                return self.keep_element(buffer, value)
            if not self.loops and self.keep(buffer, value):
                return
        self.note_table(buffer, indices, value)
        if buffer.boolean and isinstance(settle(value), Expr):
            value = select(value, Const(1.0, "float32"), Const(0.0, "float32"))
        value = value if isinstance(value, Expr) else number_of(value, buffer.dtype)
        condition = None
        for c in self.conditions:
            condition = c if condition is None else binary("and", condition, c)
        self.check_fresh(value, buffer)
        store = p.Store(here(), buffer, list(indices), value, list(self.loops), list(self.sums), condition)
        store.conditions = list(self.conditions)
        if not (self.loops and store.conditions and self.other_side(store)):
            self.add(store)
        if not self.loops:
            buffer.version += 1
        else:
            buffer.version += 1
            buffer.parallel_write = (id(self.loops[0][0]), tuple(key_of(i) for i in indices))

    def other_side(self, store):
        """Joins `else: x = b` to the `if c: x = a` before it, as x = a if c else b, where nothing between needs x."""
        read = {id(x.buffer) for x in loads(store.value)}
        for s in reversed(self.lists[-1]):
            if not isinstance(s, p.Store) or [id(v) for v, _ in s.loops] != [id(v) for v, _ in store.loops] or s.sums:
                return False
            if s.buffer is store.buffer:
                same = [key_of(i) for i in s.indices] == [key_of(i) for i in store.indices]
                outer, condition = store.conditions[:-1], store.conditions[-1]
                mine = len(s.conditions) == len(store.conditions) and all(a is b for a, b in zip(s.conditions, outer))
                if not (same and mine and condition.op == "not" and condition.args[0] is s.conditions[-1]):
                    return False
                if id(store.buffer) in read | {id(x.buffer) for x in loads(s.value)}:
                    return False
                s.value = select(s.conditions[-1], cast(s.buffer.dtype, s.value), cast(s.buffer.dtype, store.value))
                s.conditions, s.condition = outer, None
                for c in outer:
                    s.condition = c if s.condition is None else binary("and", s.condition, c)
                return True
            if id(s.buffer) in read or store.buffer in [x.buffer for x in loads(s.value)]:
                return False
        return False

    def note_table(self, buffer, indices, value):
        """A buffer of integers that is filled with elements of a tensor stands for that tensor where it steers."""
        known, buffer.table = buffer.table or [], None
        found = list(elements(value)) if not self.loops and (buffer.boolean or not buffer.dtype.is_float) else []
        if found and all(x.buffer.scope == "global" and not x.dtype.is_float for x in found):
            if len(known) == buffer.version and all(isinstance(i, Var) and i.low == 0 or isinstance(i, int) for i in indices):
                buffer.table = known + [(list(indices), value)]

    def table_element(self, buffer, indices):
        """What an element of such a buffer stands for."""
        result = None
        for at, value in buffer.table:
            value = substitute(value, {id(v): i for v, i in zip(at, indices) if isinstance(v, Var)})
            same = True
            for v, i in zip(at, indices):
                if not isinstance(v, Var):
                    equal = compare("eq", i, v)
                    same = equal if same is True else binary("and", same, equal) if equal is not True else same
            result = value if result is None or same is True else result if same is False else merged(same, value, result)
        return result

    def table_of(self, src, dst):
        """Notes which element of a tensor each element of a row is a copy of."""
        var = Var("i", 0, None)
        along = next(d for d, e in enumerate(dst.extents) if number(e) != 1)
        start = list(src.starts)
        where = [d for d, e in enumerate(src.extents) if number(e) != 1]
        if len(where) == 1:
            start[where[0]] = start[where[0]] + var
            element = Load(src.buffer, start)
            element = compare("ne", element, 0) if dst.buffer.boolean else element
            dst.buffer.table = [([var if d == along else 0 for d in range(len(dst.extents))], element)]

    def keep_element(self, buffer, value):
        """A variable inside of T.Parallel is a name for each element's value, until the loop ends."""
        value = as_kind(value, buffer.dtype)
        self.note(buffer)
        self.elementwise.add(buffer)
        for condition in self.conditions:
            value = merged(condition, value, buffer.known)
        buffer.known = value

    def note(self, buffer):
        """Keeps what a variable was before the branches around, which are about to change it."""
        for before in self.branched[buffer.branches :]:
            before.setdefault(buffer, buffer.known)

    def keep(self, buffer, value):
        """A variable that is set where it was made is a name for its value; no memory is needed."""
        integer = not buffer.dtype.is_float
        if buffer.varies and not integer:
            buffer.stored = True
            return False
        if integer and self.depth > buffer.depth:
            for frame in self.rolled[buffer.depth :]:
                if buffer in frame.read and buffer not in frame.written:
                    raise TileError(
                        f"{buffer.name or 'the variable'} changes from one step of this loop to the next; a variable of "
                        "integers can do that in loops with constant bounds (T.serial, up to 64 steps, not in a macro); "
                        "else write its value as an expression of the loop's variable"
                    )
                frame.written.add(buffer)
            self.note(buffer)
            buffer.known = as_kind(value, buffer.dtype)
            return True
        if self.depth == buffer.depth and not buffer.stored and (integer or len(self.branched) == buffer.branches):
            self.note(buffer)
            buffer.known = as_kind(value, buffer.dtype)
            return True
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

    def update(self, op, buffer, indices, value, name):
        """buffer[indices] = op(what is there, value), of a tensor, where cells do not meet."""
        if buffer.scope == "global":
            loops = {id(v): e for v, e in self.loops}
            self.check_apart(buffer, indices, loops, name)
        self.store(buffer, indices, binary(op, self.load(buffer, indices), value))

    def update_region(self, op, dst, src, name):
        self.outside_parallel(name)
        src, dst = match(src, dst)
        sizes = [e for e in dst.extents if number(e) != 1] or [1]
        for variables in self.parallel(sizes):
            variables = variables if isinstance(variables, tuple) else (variables,)
            sides = []
            for region in (dst, src):
                free = iter(variables)
                sides.append([s + next(free) if number(e) != 1 else s for s, e in zip(region.starts, region.extents)])
            self.update(op, dst.buffer, sides[0], Load(src.buffer, sides[1]), name)

    def check_apart(self, buffer, indices, loops, name):
        """An error where two cells of the grid may update one element."""
        for var, extent in self.kernel.cells:
            if number(extent) != 1 and not any(apart(var, i, loops, self.kernel.cells) for i in indices):
                quotients = {x.op for i in indices for x in atoms(i) if x.op in ("floordiv", "mod") and x.args[0] is var}
                if quotients != {"floordiv", "mod"}:
                    place = f"{buffer.name}[{', '.join(text(i) for i in indices)}]"
                    raise TileError(
                        f"{name} is for a GPU only where cells meet: cells that differ in {var.name} update the same {place}; "
                        f"let one cell do the whole of it, with {var.name} as a loop inside"
                    )

    # Tile operations.

    def copy(self, src, dst):
        self.outside_parallel("T.copy")
        if "var" in (src.buffer.scope, dst.buffer.scope):
            return self.copy_variable(src, dst)
        src, dst = match(src, dst)
        self.add(p.Copy(here(), src, dst))
        alike = src.dtype == dst.dtype or dst.buffer.boolean
        if src.buffer.scope == "global" and dst.buffer.version == 0 and alike and not src.dtype.is_float:
            if len([e for e in dst.extents if number(e) != 1]) == 1 and all(number(s) == 0 for s in dst.starts):
                self.table_of(src, dst)
        else:
            dst.buffer.table = None
        dst.buffer.version += 1

    def copy_variable(self, src, dst):
        if src.buffer.scope != "var":
            value = Load(src.buffer, src.starts)
        else:
            value = self.load(src.buffer, [0])
        if dst.buffer.scope != "var" and math.prod(number(e) or 0 for e in dst.filled().extents) != 1:
            raise TileError(f"T.copy of the variable {src.buffer.name} to more than one element; use T.fill")
        self.store(dst.buffer, dst.starts, value)

    def fill(self, dst, value):
        if dst.buffer.scope == "var":
            return self.store(dst.buffer, [0], value)
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
            self.fill(dst, neutral(kind, dst.buffer.dtype))
        self.add(p.Reduce(here(), src, dst, dim, kind))
        dst.buffer.version += 1

    def cumsum(self, src, dst, dim, reverse):
        self.outside_parallel("T.cumsum")
        self.add(p.Cumsum(here(), src, dst, dim, reverse))
        dst.buffer.version += 1


def atoms(x):
    """What an index is a sum of."""
    return [atom for _, atom in linear(x)[0].values()]


def apart(var, index, loops, cells):
    """Whether cells that differ in `var` alone have different indices: its step is longer than all that is smaller."""
    terms, _ = linear(index)
    step = abs(terms.get(key_of(var), (0,))[0])
    reach, others = 0, {id(v): e for v, e in cells}
    for k, atom in terms.values():
        if atom is var:
            continue
        extent = loops.get(id(atom), others.get(id(atom)))
        size = number(extent) if extent is not None else None
        if size is None:
            # A serial loop's steps follow each other; they count where they are shorter.
            high = atom.high if isinstance(atom, Var) else None
            size = high + 1 if isinstance(high, int) else None
        if size is None:
            return False
        if abs(k) < step or id(atom) in loops:
            reach += abs(k) * (size - 1)
    return step > reach


def neutral(kind, dtype):
    """What a reduction begins with."""
    if kind not in ("max", "min"):
        return 0
    if dtype.is_float:
        return -math.inf if kind == "max" else math.inf
    bits = dtype.bits - (1 if dtype.is_signed else 0)
    low, top = (-(1 << bits) if dtype.is_signed else 0), (1 << bits) - 1
    return low if kind == "max" else top


def upper_bound(test, var):
    """The number that `var` stays below while `test` holds."""
    sides = [as_index(v) for v in test.args] if test.op in ("lt", "le", "gt", "ge") else [None]
    if None in sides:
        raise TileError(ONE_COUNTER)
    low, high_side = sides if test.op in ("lt", "le") else sides[::-1]
    room = binary("sub", high_side, low)
    terms, _ = linear(room)
    if terms.get(key_of(var), (0,))[0] != -1:
        raise TileError(ONE_COUNTER)
    end = simplify(binary("add", room, var))
    if isinstance(end, Expr) and depends(end, {id(var)}):
        raise TileError(ONE_COUNTER)
    return end if test.op in ("lt", "gt") else end + 1


def merged(condition, a, b):
    """A variable's value after an `if`; where only one side sets it, that one."""
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    if a is None or b is None or a is b:
        return b if a is None else a
    a, b = settle(a), settle(b)
    if all(isinstance(x, bool) or isinstance(x, Expr) and x.dtype == "bool" for x in (a, b)):
        if not isinstance(a, Expr) and not isinstance(b, Expr):
            return a if a == b else condition if a else Expr("not", (condition,), "bool")
        opposite = Expr("not", (condition,), "bool")
        one = condition if a is True else False if a is False else binary("and", condition, a)
        two = opposite if b is True else False if b is False else binary("and", opposite, b)
        return one if two is False else two if one is False else binary("or", one, two)
    return select(condition, a, b)


def as_kind(value, dtype):
    """What a variable of a type holds: a float is cut to an integer, and an integer becomes a float."""
    value = settle(value)
    if isinstance(value, (int, float)) and not isinstance(value, Expr):
        return float(value) if dtype.is_float else bool(value) if dtype == "bool" else int(value)
    kind = value.dtype if isinstance(value, Expr) else None
    if kind is not None and (kind != INDEX and kind.is_float) != dtype.is_float:
        return cast(dtype, value)
    return value


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


def elements(x):
    """The elements that an op reads for each of its own: not those that its indices are made of."""
    x = settle(x)
    if not isinstance(x, Expr) or x.op == "scalar":
        return
    if isinstance(x, Load):
        yield x
    for a in x.args:
        yield from elements(a)


def places(s):
    """All indices and bounds in a statement."""
    for name in ("src", "dst", "a", "b", "c"):
        region = getattr(s, name, None)
        if isinstance(region, Region):
            yield from region.starts
            yield from (e for e in region.extents if e is not None)
    if isinstance(s, p.For):
        yield from (s.low, s.high)
    if isinstance(s, p.If):
        yield s.condition
    if isinstance(s, p.Store):
        yield from s.indices
        for _, extent in s.loops:
            yield extent


def uses(statements):
    """(ids of the buffers that statements read, ids of those that they write)."""
    read, written = set(), set()
    for s in statements:
        read |= {id(load.buffer) for x in places(s) for load in loads(x)}
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
