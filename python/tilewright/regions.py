"""Regions that are copied to each other: the extents of one side fill in those of the other."""

from .buffers import Region
from .errors import TileError
from .expr import number


def match(src, dst):
    """Both regions with all of their extents.

    What was only a starting point takes the extents of the other side, the last dimensions first; two whole
    regions must agree up to units, and the smaller wins where one hangs over."""
    if open_ended(src) and open_ended(dst):
        return src.filled(), dst.filled()
    if open_ended(src):
        return fill_from(src, dst.filled()), dst.filled()
    if open_ended(dst):
        return src.filled(), fill_from(dst, src.filled())
    src, dst = src.filled(), dst.filled()
    a, b = large(src), large(dst)
    if len(a) != len(b):
        raise TileError(f"a copy from {describe(src)} to {describe(dst)}: their sizes differ")
    for i, j in zip(a, b):
        m, n = src.extents[i], dst.extents[j]
        if isinstance(m, int) and isinstance(n, int) and m != n and whole(src) and whole(dst):
            raise TileError(
                f"a copy from {describe(src)} to {describe(dst)}: their sizes differ; name the part, "
                f"{(src if m > n else dst).buffer.name}[{', '.join('0' for _ in (src if m > n else dst).starts)}]"
            )
        if isinstance(m, int) and isinstance(n, int) and m != n:
            src.extents[i] = dst.extents[j] = min(m, n)
    return src, dst


def whole(region):
    """Whether a region is all of its buffer."""
    return all(number(s) == 0 for s in region.starts) and list(region.extents) == list(region.buffer.shape)


def open_ended(region):
    """Whether only a starting point was given, A[i, j]."""
    return all(e is None for e in region.extents)


def large(region):
    return [i for i, e in enumerate(region.extents) if number(e) != 1]


def fill_from(region, other):
    """The region with the other's extents, last to last."""
    sizes = list(other.extents)
    while len(sizes) > len(region.starts):
        ones = [i for i, e in enumerate(sizes) if number(e) == 1]
        if not ones:
            raise TileError(f"a copy of {describe(other)}: {region.buffer.name} has fewer dimensions")
        del sizes[ones[0]]
    sizes = [1] * (len(region.starts) - len(sizes)) + sizes
    return Region(region.buffer, region.starts, sizes)


def describe(region):
    return f"{region.buffer.name} ({' x '.join(str(e) for e in region.extents)})"
