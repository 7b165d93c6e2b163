"""T.reshape: a buffer of a core with other dimensions, over the same memory."""

import math

from .. import machine
from ..buffers import Buffer
from ..dtypes import DType
from ..errors import TileError
from ..expr import settle


def reshape(src, shape, *_, **__):
    """The elements of a buffer, in their order, as another shape."""
    if not isinstance(src, Buffer):
        raise TileError(f"T.reshape of '{src}', which is no whole buffer")
    shape = tuple(settle(s) for s in (shape if isinstance(shape, (tuple, list)) else (shape,)))
    if math.prod(shape) != math.prod(src.shape):
        raise TileError(f"T.reshape of {src.name} with {math.prod(src.shape)} elements to {math.prod(shape)}")
    return machine.current().reshape(src, shape)


def view(src, shape=None, dtype=None, **__):
    """T.view: T.reshape, where the type stays."""
    if dtype is not None and DType(dtype) != src.dtype:
        raise TileError(f"T.view of {src.name} as {dtype}: the bits of {src.dtype} are no numbers of another type; use T.copy")
    return src if shape is None else reshape(src, shape)
