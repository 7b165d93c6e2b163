"""The module `tilelang` that a kernel's file imports: decorators that collect entries, and stand-ins."""

import sys

from tilewright.dtypes import DType
from tilewright.entry import Jitted, PrimFunc, made
from tilewright.standins import Anything, Module

from . import language
from .language import prim_func


def jit(fn=None, **_):
    """@tilelang.jit, with or without options: the function becomes an entry."""
    if fn is None:
        return jit
    if isinstance(fn, (PrimFunc, Jitted)):
        return fn
    entry = Jitted(fn, bool(getattr(fn, "__tile_eager__", False)))
    entry.configs = getattr(fn, "configs", None)
    return entry


lazy_jit = jit


def autotune(fn=None, configs=None, **_):
    """@autotune(configs=…), above @tilelang.jit or below it: a configuration gives the values that nobody else does."""
    if fn is None:
        return lambda f: autotune(f, configs=configs)
    # Of a plain function it is kept there: jit finds it, and so does what makes an entry of a factory.
    if not isinstance(fn, Anything):
        fn.configs = configs
    return fn


def compile(func=None, *_, **__):
    return func if isinstance(func, PrimFunc) else Anything("kernel")


def cdiv(a, b):
    return -(-a // b)


next_power_of_2 = lambda n: 1 << (n - 1).bit_length()  # noqa: E731


DataType = DType


def __getattr__(name):
    if name == "tvm":
        import tvm

        return tvm
    if name.startswith("__") and name != "__version__":
        raise AttributeError(name)
    return Anything(name)


#: What the parts of the package have that programs compute sizes with.
_REAL = {
    "autotune": autotune,
    "jit": jit,
    "cdiv": cdiv,
    "next_power_of_2": next_power_of_2,
    "DataType": DType,
    "GemmWarpPolicy": language.GemmWarpPolicy,
}


class _Part(Module):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _REAL.get(name) or super().__getattr__(name)


for _name in ("autotuner", "jit", "profiler", "utils", "layout", "carver", "testing", "intrinsics", "env", "engine",
              "transform", "quantize", "contrib", "tools", "cache", "math", "_typing"):
    _part = _Part(f"tilelang.{_name}")
    _part.__all__ = ["autotune"] if _name == "autotuner" else []
    sys.modules[f"tilelang.{_name}"] = _part
    if _name != "jit":
        globals()[_name] = _part

_fp8 = _Part("tilelang.language.fp8")
_fp8.determine_fp8_type = lambda kind="e4m3": DType(f"float8_{'e5m2' if 'e5m2' in str(kind) else 'e4m3fn'}")
_fp8.determine_torch_fp8_type = _fp8.determine_fp8_type
sys.modules["tilelang.language.fp8"] = _fp8


class _Driver:
    """The chip as programs ask for it: a Wormhole's 8 x 8 cores."""

    def get_num_sms(self, *_):
        return 64

    def __getattr__(self, name):
        return Anything(name)


_arch = _Part("tilelang.carver.arch")
_arch.driver = _Driver()
sys.modules["tilelang.carver.arch"] = _arch
