"""Types, tensors and sizes: T.float16, T.Tensor, T.dynamic, T.const, T.empty."""

from .. import machine
from ..buffers import Buffer
from ..dtypes import MLIR, ALIASES, DType
from ..errors import TileError
from ..expr import Size, settle
from ..sizes import open_sizes

#: Every name of a type is a name of the language.
TYPES = {name: DType(name) for name in list(MLIR) + list(ALIASES) if name not in ("long", "double")}
TYPES["float4_e2m1fn"] = DType("float4_e2m1fn")

dtype = DType


class TensorType:
    """T.Tensor(shape, dtype), as an annotation; also T.Tensor[shape, dtype]."""

    def __call__(self, shape, dtype="float32", *_, strides=None, **__):
        shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        buffer = Buffer([size(s) for s in shape], dtype, "global")
        buffer.strides = strides
        return buffer

    def __getitem__(self, key):
        return self(*key) if isinstance(key, tuple) else self(key)


def size(x):
    """A size of a tensor; a string is the name of a dynamic one."""
    x = settle(x)
    if isinstance(x, str):
        return dynamic(x)
    return int(x) if isinstance(x, float) and x == int(x) else x


Tensor = TensorType()
Buffer_ = Tensor


def StridedTensor(shape, strides, dtype="float32", **_):
    return Tensor(shape, dtype, strides=strides)


SHARED = ("shared", "shared.dyn")


def SharedBuffer(shape, dtype="float32", **_):
    return Buffer(shape, dtype, "shared")


def FragmentBuffer(shape, dtype="float32", **_):
    return Buffer(shape, dtype, "fragment")


def dynamic(names, dtype="int32"):
    """Sizes that are known when the kernel runs: one Var, or one for each name."""
    found = [Size(n.strip()) for n in names.replace(",", " ").split()]
    open_sizes.update(v.name for v in found)
    return found[0] if len(found) == 1 else tuple(found)


symbolic = dynamic


def const(names):
    """Sizes that are given when the kernel is compiled, NAME=VALUE."""
    sizes = getattr(machine.current(), "sizes", None)
    if sizes is None:
        raise TileError("T.const belongs into the body of a function with @tilelang.jit")
    wanted = names.replace(",", " ").split()
    for n in wanted:
        if not sizes.find(n):
            sizes.lacks(n)
    sizes.check()
    found = [sizes.take(n) for n in wanted]
    return found[0] if len(found) == 1 else tuple(found)


def empty(*shape, dtype="float32"):
    """A result of the kernel."""
    if len(shape) == 2 and isinstance(shape[0], (tuple, list)):
        shape, dtype = shape
    elif len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = shape[0]
    elif shape and isinstance(shape[-1], str):
        shape, dtype = shape[:-1], shape[-1]
    return machine.current().result([size(s) for s in shape], DType(dtype))
