"""Operations on whole tiles: copies, fills, products, reductions."""

import math

from .. import program as p
from ..errors import TileError, here
from ..expr import Load, number
from ..regions import match


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


def neutral(kind, dtype):
    """What a reduction begins with."""
    if kind not in ("max", "min"):
        return 0
    if dtype.is_float:
        return -math.inf if kind == "max" else math.inf
    bits = dtype.bits - (1 if dtype.is_signed else 0)
    low, top = (-(1 << bits) if dtype.is_signed else 0), (1 << bits) - 1
    return low if kind == "max" else top
