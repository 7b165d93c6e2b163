"""Operations on whole tiles: T.copy, T.fill, T.clear, T.gemm, T.reduce_…, T.cumsum, T.transpose."""

from .. import machine
from ..buffers import Buffer, Region, as_region
from ..errors import TileError


def copy(src, dst, *_, **__):
    machine.current().copy(as_region(src), as_region(dst))


async_copy = copy


def fill(buffer, value, **_):
    machine.current().fill(as_region(buffer).filled(), value)


def clear(buffer, **_):
    fill(buffer, 0)


def gemm(A, B, C, transpose_A=False, transpose_B=False, policy=None, clear_accum=False, **_):
    """C += A x B; the policy distributes work over a GPU's warps and does not matter here."""
    a, b, c = (as_region(x).filled() for x in (A, B, C))
    if machine.numbers() or isinstance(clear_accum, bool):
        return machine.current().gemm(a, b, c, transpose_A, transpose_B, bool(clear_accum))
    raise TileError("T.gemm with a clear_accum that depends on the loop: call T.clear before the loop instead")


def _reduce(kind):
    def reduce(buffer, out, dim=-1, clear=True, **_):
        src, dst = as_region(buffer).filled(), as_region(out).filled()
        rank = len(src.extents)
        if not -rank <= dim < rank:
            raise TileError(f"T.reduce_{kind} along dimension {dim} of {src.buffer.name}, which has {rank}")
        machine.current().reduce(src, dst, dim % rank, kind, clear)

    reduce.__name__ = f"reduce_{kind}"
    reduce.__doc__ = f"out = the {kind} of buffer along dim; with clear=False, together with what out held."
    return reduce


reduce_sum, reduce_max, reduce_min = _reduce("sum"), _reduce("max"), _reduce("min")
reduce_abssum, reduce_absmax = _reduce("abssum"), _reduce("absmax")


def reduce(buffer, out, reduce_type, dim, clear, **_):
    kinds = ("sum", "max", "min", "abssum", "absmax")
    if reduce_type not in kinds:
        raise TileError(f"T.reduce of type '{reduce_type}'; there are {', '.join(kinds)}")
    _reduce(reduce_type)(buffer, out, dim, clear)


def cumsum(src, dst=None, dim=0, reverse=False, **_):
    a = as_region(src).filled()
    b = a if dst is None else as_region(dst).filled()
    machine.current().cumsum(a, b, dim % len(a.extents), reverse)


def transpose(src, dst, **_):
    """dst[j, i] = src[i, j]."""
    a, b = as_region(src).filled(), as_region(dst).filled()
    for i, j in machine.current().parallel(a.extents):
        b[j, i] = a[i, j] if isinstance(a, Buffer) else Region.__getitem__(a, (i, j))
