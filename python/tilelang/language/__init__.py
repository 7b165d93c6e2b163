"""The module `tilelang.language`: every function of the language, from tilewright.lang."""

from tilewright import expr
from tilewright.entry import PrimFunc
from tilewright.lang import alloc, atomics, frame, gpu_only, hints, math, shapes, tile_ops, types

_names = dict(types.TYPES)
for _module in (types, frame, alloc, shapes, tile_ops, math):
    for _name, _value in vars(_module).items():
        if not _name.startswith("_") and getattr(_value, "__module__", _module.__name__) == _module.__name__:
            if not isinstance(_value, type(types)):
                _names[_name] = _value
_names.update(math.FUNCTIONS)
_names.update(hints.FUNCTIONS)
_names.update(atomics.FUNCTIONS)
_names["GemmWarpPolicy"] = hints.GemmWarpPolicy
_names["Not"] = expr.logical_not
_names["Buffer"] = types.Tensor
_names["dtype"] = types.dtype
_names["reads"] = _names["writes"] = hints.nothing
globals().update(_names)


def prim_func(fn=None, **_):
    """@T.prim_func: the function is a kernel."""
    return prim_func if fn is None else PrimFunc(fn)


def macro(fn=None, **_):
    """@T.macro: a function of the kernel's language; its body was rewritten when the file was loaded."""
    return macro if fn is None else fn


inline = macro


def __getattr__(name):
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(name)
    return gpu_only.refuse(name)
