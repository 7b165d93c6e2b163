"""T.atomic_add and its like: an update of a tensor, where no two cells of the grid meet."""

from .. import machine
from ..buffers import Buffer, Region, as_region
from ..errors import TileError
from ..expr import Load


def _atomic(name, op):
    def atomic(dst, value, *_, return_prev=False, **__):
        if return_prev:
            raise TileError(f"T.{name} with return_prev is for a GPU only; use the order of loops, and no old value")
        if isinstance(value, (Buffer, Region)) and getattr(value, "scope", "") != "var":
            return machine.current().update_region(op, as_region(dst), as_region(value), f"T.{name}")
        if isinstance(dst, Load) or hasattr(dst, "place"):
            buffer, indices = (dst.buffer, dst.indices) if isinstance(dst, Load) else dst.place
        elif isinstance(dst, Buffer) and dst.shape == (1,):
            buffer, indices = dst, (0,)
        else:
            raise TileError(f"T.{name} of '{dst}', which is no element of a tensor")
        machine.current().update(op, buffer, list(indices), value, f"T.{name}")

    atomic.__name__ = name
    return atomic


FUNCTIONS = {name: _atomic(name, op) for name, op in (("atomic_add", "add"), ("atomic_max", "max"), ("atomic_min", "min"))}
