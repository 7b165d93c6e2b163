"""Reductions whose results are rows or columns inside of tiles, one after the other.

    T.reduce_max(a, c, dim=2)       a: 4 x 32 x 64, c: 4 x 32         for k in range(4): T.reduce_max(a[k, :, :], v, dim=1)
                                                                ->                       T.copy(v, c[k, :])
    T.reduce_max(v, c, dim=2)       v: 32 x 4 x 16, of a: 32 x 64     for k in range(4): T.reduce_max(a[:, k * 16 : k * 16 + 16], v, dim=1)
                                                                ->                       T.copy(v, c[:, k])"""

from . import program as p
from .buffers import Region, Reshaped
from .errors import TileError
from .selection import temporary, whole
from .trace.tiles import neutral

#: Lines that are written one after the other.
MOST = 64


def in_lines(kernel, s):
    """The statements of a reduction of three dimensions into lines of two; nothing where level 1 does it at once."""
    src, dst = s.src, s.dst
    fixed = all(isinstance(n, int) for n in src.extents + dst.extents)
    if len(src.extents) != 3 or len(dst.extents) != 2 or s.dim == 0 or not fixed or 1 in dst.extents or src.buffer.scope == "global":
        return []
    base = src.buffer.base if isinstance(src.buffer, Reshaped) else None
    rows, groups, width = src.extents
    if base is None:
        parts = [(Region(src.buffer, [src.starts[0] + k] + src.starts[1:], [1] + src.extents[1:]), s.dim, 0) for k in range(rows)]
    elif s.dim == 2 and base.shape == (rows, groups * width) and src.buffer.shape == (rows, groups, width):
        parts = [(Region(base, [0, k * width], [rows, width]), 1, 1) for k in range(groups)]
    else:
        return []
    if len(parts) > MOST or not s.fresh:
        why = "with clear=False" if not s.fresh else f"into {len(parts)} lines"
        raise TileError(
            f"T.reduce_{s.kind} of three dimensions {why}, which lie inside of tiles; reduce one part after the other into a vector, "
            f"up to {MOST}, and copy it to its place"
        )
    result = []
    for k, (part, dim, across) in enumerate(parts):
        line = temporary(kernel, s.at, "line", [dst.extents[1 - across]], dst.dtype)
        start = [dst.starts[0] + (0 if across else k), dst.starts[1] + (k if across else 0)]
        extents = [dst.extents[0], 1] if across else [1, dst.extents[1]]
        result += [
            p.Fill(s.at, whole(line), neutral(s.kind, dst.dtype)),
            p.Reduce(s.at, part, whole(line), dim, s.kind, True),
            p.Copy(s.at, whole(line), Region(dst.buffer, start, extents)),
        ]
    return result
