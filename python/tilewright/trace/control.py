"""The grid, loops and branches: each body is run once, with names for cells and loops."""

from .. import program as p
from ..affine import bounds, depends, key_of, linear, simplify
from ..errors import TileError, here
from ..expr import Expr, Var, as_index, binary, compare, number, settle, text
from .variables import UNKNOWN, merged

#: A loop in which a variable of integers changes is unrolled, up to this many steps.
LONGEST = 64
ONE_COUNTER = (
    "a `while` of a kernel counts one variable up to a bound, `while x < n: …; x = x + c`; write other loops with "
    "T.serial and an `if` inside"
)


class Rolled:
    """A loop that is traced once: variables of integers that its step reads, and sets."""

    def __init__(self):
        self.read, self.written = set(), set()


class Control:
    """Opens and closes what statements stand in; `for` loops of the user's program ask these generators for their steps."""

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

    def thread(self, dim, extent=None):
        """The name of a thread along a dimension; threads.py makes loops over threads of what depends on it."""
        if not self.kernel or self.loops:
            raise TileError("a thread's index belongs inside of `with T.Kernel(…)`, and outside of T.Parallel")
        if self.kernel.block is None:
            self.kernel.block = [settle(n) for n in (tuple(self.threads) + (1, 1, 1))[:3]]
        threads = self.kernel.threads
        if extent is not None:
            self.kernel.block[dim] = extent
        if dim not in threads:
            threads[dim] = Var("t" + "xyz"[dim], 0, self.kernel.block[dim] - 1, "thread"), self.kernel.block[dim]
        return threads[dim][0] if threads[dim][1] != 1 else 0

    def block(self, dim):
        """The name of a cell along a dimension of the grid."""
        if not self.kernel:
            raise TileError("a block's index belongs inside of `with T.Kernel(…)`")
        var, extent = self.kernel.cells[dim] if dim < len(self.kernel.cells) else (0, 1)
        return 0 if number(extent) == 1 else var

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


def high(extent):
    """The last value of a loop with this extent; None where it depends on sizes."""
    extent = settle(extent)
    if isinstance(extent, int):
        return extent - 1
    return extent - 1
