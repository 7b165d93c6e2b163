"""Carries out a kernel's calls on numbers: each cell of the grid in turn, all floats in 64 bits, nothing rounded but to fp8."""

import itertools
import math

from ..buffers import Buffer
from ..dtypes import rounded
from ..errors import TileError
from ..expr import FOLD, Expr, Lanes, binary, cast, number, settle
from ..regions import match
from . import lanes
from .typed import Typed, wrapped


class Cell(float):
    """An element that was read; `place` is where, for T.copy(A[i, j], …)."""

    __slots__ = ("place",)

    def astype(self, dtype):
        return cast(dtype, self)


class IntCell(int):
    """The same for integers."""


class Numbers(Buffer):
    """A buffer with its elements, row-major."""

    def __init__(self, shape, dtype, scope, name=None, data=None):
        Buffer.__init__(self, shape, dtype, scope, name)
        self.size = math.prod(self.shape)
        self.data = data if data is not None else [math.nan if self.dtype.is_float else 0] * self.size
        self.steps = [math.prod(self.shape[i + 1 :]) for i in range(len(self.shape))]

    def at(self, indices):
        """The number of an element, or None outside of the tensor."""
        place = 0
        for i, n, step in zip(indices, self.shape, self.steps):
            if not 0 <= i < n:
                return None
            place += i * step
        return place

    def keep(self, value):
        """A value as the buffer holds it: integers wrap around, and fp8 has few numbers."""
        value = number(value)
        if self.dtype.is_float:
            return rounded(value, self.dtype)
        return wrapped(int(value), self.dtype)


class Machine:
    is_numbers = True

    def __init__(self, typed=False):
        self.names, self.limit, self.work = [], 40_000_000, 0
        self.typed = typed  # whether integers know their type
        self.threads, self.lanes, self.mask = (), 0, None  # of a block; how many compute; which of them run here

    def dynamic(self, name):
        """The number of a size that is known when the kernel runs."""
        if name not in self.sizes.known:
            raise TooLarge(name)
        return self.sizes.known[name]

    def spend(self, n):
        self.work += n
        if self.work > self.limit:
            raise TooLarge()

    def cells(self, extents):
        for cell in itertools.product(*(range(settle(e)) for e in reversed(extents))):
            cell = cell[::-1]
            self.lanes, self.mask, self.cell = 0, None, cell
            yield cell[0] if len(cell) == 1 else cell

    def thread(self, dim, extent=None):
        """From here on, numbers may be those of each thread of the block."""
        threads = [n if d != dim or extent is None else extent for d, n in enumerate((tuple(self.threads) + (1, 1, 1))[:3])]
        self.lanes = math.prod(threads)
        return lanes.coordinates(threads, dim)

    def block(self, dim):
        return self.cell[dim] if dim < len(self.cell) else 0

    def branches(self, condition):
        condition = settle(condition)
        if isinstance(condition, Lanes):
            yield from lanes.masked(self, condition)
        else:
            yield bool(condition)

    def serial(self, low, end, step, stages=None):
        return iter(range(settle(low), settle(end), step))

    def persistent(self, domain, wave_size, index):
        blocks = itertools.product(*map(range, domain))
        return itertools.islice(blocks, index, None, wave_size)

    def parallel(self, extents):
        extents = [settle(e) for e in extents]
        self.spend(10 * math.prod(extents))
        steps = [[Typed(i, "int32") for i in range(e)] if self.typed else range(e) for e in extents]
        return iter(steps[0]) if len(steps) == 1 else itertools.product(*steps)

    def alloc(self, shape, dtype, scope):
        return Numbers(shape, dtype, scope)

    def reshape(self, base, shape):
        return Numbers(shape, base.dtype, base.scope, base.name, base.data)

    def load(self, buffer, indices):
        indices = [settle(i) for i in indices]
        if lanes.any_of(indices):
            found = lanes.load(self, buffer, indices)
            found.place = buffer, indices
            return found
        place = buffer.at(indices)
        if place is not None and isinstance(buffer.data[place], Lanes):
            found = Lanes(buffer.data[place].values)
            found.place = buffer, indices
            return found
        if place is None and buffer.scope != "global":
            raise TileError(f"{buffer.name or 'a buffer'}[{', '.join(map(str, indices))}] is outside of it")
        value = 0 if place is None else buffer.data[place]
        if buffer.dtype == "bool":
            value = int(bool(value))
        if self.typed and not buffer.dtype.is_float:
            cell = Typed(value, buffer.dtype)
        else:
            cell = (Cell if buffer.dtype.is_float else IntCell)(value)
        cell.place = buffer, indices
        return cell

    def store(self, buffer, indices, value):
        indices, value = [settle(i) for i in indices], settle(value)
        own = self.lanes and self.mask is not None and buffer.scope in ("local", "var")
        if lanes.any_of(indices) or isinstance(value, Lanes) or own:
            return lanes.store(self, buffer, indices, value)
        place = buffer.at(indices)
        if place is not None:
            buffer.data[place] = buffer.keep(value)
        elif buffer.scope != "global":
            raise TileError(f"{buffer.name or 'a buffer'}[{', '.join(map(str, indices))}] is outside of it")

    def update(self, op, buffer, indices, value, name):
        if self.lanes:
            return lanes.update(self, op, buffer, [settle(i) for i in indices], settle(value))
        self.store(buffer, indices, binary(op, self.load(buffer, indices), value))

    def update_region(self, op, dst, src, name):
        src, dst = match(src, dst)
        self.put(dst, [FOLD[op](a, b) for a, b in zip(self.values(dst), self.values(src))])

    # Tile operations.

    def values(self, region):
        """The elements of a region, row-major; zeros outside of a tensor."""
        b, data = region.buffer, region.buffer.data
        self.spend(math.prod(region.extents))
        result = []
        for offsets in itertools.product(*map(range, region.extents)):
            place = b.at([s + o for s, o in zip(region.starts, offsets)])
            result.append(0 if place is None else data[place])
        return result

    def put(self, region, values):
        b = region.buffer
        for offsets, value in zip(itertools.product(*map(range, region.extents)), values):
            place = b.at([s + o for s, o in zip(region.starts, offsets)])
            if place is not None:
                b.data[place] = b.keep(value)

    def copy(self, src, dst):
        src, dst = match(src, dst)
        self.put(dst, self.values(src))

    def fill(self, dst, value):
        self.put(dst, itertools.repeat(settle(value)))

    def gemm(self, a, b, c, transpose_a, transpose_b, clear):
        rows = matrix(self.values(a), a, transpose_a)
        columns = matrix(self.values(b), b, not transpose_b)
        old = self.values(c)
        self.spend(len(rows) * len(columns) * len(rows[0]))
        width = len(columns)
        if len(rows[0]) != len(columns[0]) or len(old) != len(rows) * width:
            raise TileError("T.gemm of matrices whose sizes do not match")
        result = []
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                start = 0 if clear else old[i * width + j]
                result.append(start + math.sumprod(row, column) if hasattr(math, "sumprod")
                              else start + sum(map(float.__mul__, row, column)))
        self.put(c, result)

    def lines(self, region, dim):
        """The elements of a region as {other indices: [along dim…]}."""
        found = {}
        for offsets, value in zip(itertools.product(*map(range, region.extents)), self.values(region)):
            found.setdefault(offsets[:dim] + offsets[dim + 1 :], []).append(value)
        return found

    def reduce(self, src, dst, dim, kind, clear):
        old = self.values(dst)
        result = []
        for before, line in zip(old, self.lines(src, dim).values()):
            if kind.startswith("abs"):
                line = [abs(v) for v in line]
            fold = {"sum": math.fsum if all(map(math.isfinite, line)) else sum, "max": max, "min": min}[
                kind.removeprefix("abs")
            ]
            value = fold(line)
            if not clear:
                value = value + before if kind.endswith("sum") else fold((value, before))
            result.append(value)
        self.put(dst, result)

    def cumsum(self, src, dst, dim, reverse):
        for others, line in self.lines(src, dim).items():
            line = list(itertools.accumulate(line[::-1] if reverse else line))
            for k, value in enumerate(line[::-1] if reverse else line):
                offsets = others[:dim] + (k,) + others[dim:]
                self.store(dst.buffer, [s + o for s, o in zip(dst.starts, offsets)], value)


class TooLarge(Exception):
    """More work than a judge in Python should do, or a size that is not known."""


def evaluate(x):
    """The number of a size, under a machine that knows the sizes that are open."""
    x = settle(x)
    if not isinstance(x, Expr):
        return x
    if x.op in FOLD:
        return FOLD[x.op](*(evaluate(a) for a in x.args))
    raise TooLarge(str(x))


def matrix(values, region, turned):
    """Rows of a matrix, or its columns if turned."""
    n = region.extents[-1]
    rows = [[float(v) for v in values[i : i + n]] for i in range(0, len(values), n)]
    return [list(c) for c in zip(*rows)] if turned else rows
