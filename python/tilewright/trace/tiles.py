"""Operations on whole tiles: copies, fills, products, reductions."""

import math

from .. import program as p
from ..errors import TileError, here
from ..expr import Load, number
from ..regions import describe, match


class Tiles:
    """Notes each operation, and that it writes its target."""

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
        check_product(a, b, c, transpose_a, transpose_b)
        if clear:
            self.fill(c, 0)
        self.holds_something(c.buffer, "T.gemm adds to")
        self.add(p.Gemm(here(), a, b, c, transpose_a, transpose_b))
        c.buffer.version += 1

    def reduce(self, src, dst, dim, kind, clear):
        self.outside_parallel(f"T.reduce_{kind}")
        rest = [e for d, e in enumerate(src.extents) if d != dim and number(e) != 1]
        there = [e for e in dst.extents if number(e) != 1]
        if all(isinstance(e, int) for e in rest + there) and rest != there:
            raise TileError(
                f"T.reduce_{kind} of {describe(src)} along dimension {dim} gives {sizes(rest)}, and {describe(dst)} has {sizes(there)}"
            )
        if clear:
            self.fill(dst, neutral(kind, dst.buffer.dtype))
        self.holds_something(dst.buffer, f"T.reduce_{kind} with clear=False adds to")
        self.add(p.Reduce(here(), src, dst, dim, kind, clear))
        dst.buffer.version += 1

    def cumsum(self, src, dst, dim, reverse):
        self.outside_parallel("T.cumsum")
        self.add(p.Cumsum(here(), src, dst, dim, reverse))
        dst.buffer.version += 1


    def holds_something(self, buffer, what):
        """An error for a buffer of a core that nothing has written, and that an op adds to."""
        if buffer.scope != "global" and buffer.version == 0 and not self.branched:
            raise TileError(f"{what} {buffer.name or 'a buffer'}, which holds nothing yet; call T.clear before, or T.fill")


def check_product(a, b, c, transpose_a, transpose_b):
    """An error where the sizes of a product do not match."""
    sides = [[e for e in r.extents if number(e) != 1] for r in (a, b, c)]
    if any(len(s) != 2 or not all(isinstance(e, int) for e in s) for s in sides):
        return
    (m, k), (l, n), result = sides[0][:: -1 if transpose_a else 1], sides[1][:: -1 if transpose_b else 1], sides[2]
    if k != l or result != [m, n]:
        marks = (" transposed" if transpose_a else "", " transposed" if transpose_b else "")
        raise TileError(
            f"T.gemm of {describe(a)}{marks[0]} and {describe(b)}{marks[1]} into {describe(c)}: "
            + (f"{k} columns meet {l} rows" if k != l else f"the product is {m} x {n}")
        )


def sizes(extents):
    return " x ".join(map(str, extents)) or "one element"


def neutral(kind, dtype):
    """What a reduction begins with."""
    if kind not in ("max", "min"):
        return 0
    if dtype.is_float:
        return -math.inf if kind == "max" else math.inf
    bits = dtype.bits - (1 if dtype.is_signed else 0)
    low, top = (-(1 << bits) if dtype.is_signed else 0), (1 << bits) - 1
    return low if kind == "max" else top
