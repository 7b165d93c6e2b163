"""Stand-ins for what a kernel's file imports and a translation does not need: torch, tvm, test helpers.

A module that is not installed, or that would want a GPU, becomes one whose every name is an `Anything`: it can
be called, indexed, compared and iterated over, and does nothing."""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types

#: Modules that never load, installed or not: they are large, or look for a GPU.
ALWAYS = {"torch", "tvm", "triton", "einops", "numpy", "flash_attn", "fla", "pytest", "tqdm", "bitblas", "transformers"}


class Anything:
    """An object of which anything may be asked."""

    def __init__(self, name="anything"):
        self.__dict__["_name"] = name

    def __getattr__(self, name):
        if name == "place" or name.startswith("__") and name != "__version__":
            raise AttributeError(name)
        return Anything(name)

    def tile_value(self):
        """What a kernel's language asks for; a kernel that computes with a stand-in would be another one."""
        from . import machine
        from .errors import TileError

        if machine.active():
            raise TileError(
                f"'{self._name}' comes from a module that is not here but for its names (torch, tvm, what is not installed), and has "
                "no value; write a number, or make it an argument of the entry and give NAME=VALUE"
            )
        return self

    def __setattr__(self, name, value):
        self.__dict__[name] = value

    def __call__(self, *args, **_):
        # As a decorator it leaves the function as it is.
        if len(args) == 1 and isinstance(args[0], types.FunctionType) and args[0].__name__ != "<lambda>":
            return args[0]
        return Anything(self._name)

    def __str__(self):
        return self._name

    def __format__(self, _):
        return self._name

    def __iter__(self):
        return iter((Anything(self._name), Anything(self._name)))

    def __len__(self):
        return 2

    def __bool__(self):
        return True

    def __int__(self):
        self.tile_value()
        return 1

    __index__ = __int__

    def __float__(self):
        self.tile_value()
        return 1.0

    def __contains__(self, _):
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def __mro_entries__(self, _):
        return (Base,)

    def _self(self, *_):
        return Anything(self._name)

    for _n in ("add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow and rand or ror "
               "xor rxor lshift rshift matmul rmatmul neg pos invert abs getitem ceil floor trunc round divmod rdivmod").split():
        locals()[f"__{_n}__"] = _self
    del _n

    def __setitem__(self, *_):
        pass

    __lt__ = __le__ = __gt__ = __ge__ = _self


class AnyClass(type):
    """The class of a class that has every name."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name)


class Base(metaclass=AnyClass):
    """What a class has for a base that is a stand-in, such as torch.autograd.Function."""


class Module(types.ModuleType):
    """A module that has every name."""

    __path__ = []

    def __getattr__(self, name):
        if name in ("__version__", "__file__"):
            return "0.0.0"
        if name.startswith("__"):
            raise AttributeError(name)
        from .lang import gpu_only

        return gpu_only.emitter(name) or Anything(name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds stand-ins: for the names in ALWAYS before all others, for what is not found after them."""

    def __init__(self, last):
        self.last = last

    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top in ALWAYS or (self.last and (isinstance(sys.modules.get(top), Module) or top != "tilewright")):
            if self.last and top not in ALWAYS and not replaceable(name):
                return None
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        module.__dict__["__all__"] = []
        module.__dict__.update(real_names(module.__name__))


def real_names(name):
    """What a stand-in has that kernels compute with: tvm's types, and its spellings of the language's functions."""
    if name not in ("tvm", "tvm.tir", "tvm.tirx", "tvm.DataType"):
        return {}
    from . import expr
    from .dtypes import DType
    from .lang import math as functions

    names = {"DataType": DType}
    if name == "tvm":
        for part in ("tir", "tirx"):
            names[part] = sys.modules.setdefault(f"tvm.{part}", Module(f"tvm.{part}"))
            names[part].__dict__.update(real_names(f"tvm.{part}"))
        return names
    names.update(functions.FUNCTIONS)
    names.update(
        const=lambda value, dtype="int32": expr.cast(DType(dtype), value), Cast=functions.Cast, Min=functions.min,
        Max=functions.max, min=functions.min, max=functions.max, Select=functions.Select, PrimExpr=expr.Expr,
        if_then_else=functions.if_then_else, reinterpret=functions.reinterpret, floordiv=functions.floordiv,
        floormod=functions.floormod, truncdiv=functions.truncdiv, truncmod=functions.truncmod,
    )
    return names


#: Parts of Python that may be missing without harm to us.
OPTIONAL_PREFIXES = ("_", "org", "java", "nt", "winreg", "vms", "readline", "sitecustomize", "usercustomize")


def replaceable(name):
    """Whether a module that was not found may be replaced: one of the user's, not an optional part of Python."""
    frame = sys._getframe(2)
    from .errors import is_ours

    while frame:
        filename = frame.f_code.co_filename
        if not filename.startswith("<frozen") and not is_ours(filename):
            return not name.startswith(OPTIONAL_PREFIXES)
        if not filename.startswith("<frozen") and "standins.py" not in filename and is_ours(filename):
            return False
        frame = frame.f_back
    return False


def install():
    sys.meta_path.insert(0, Finder(last=False))
    sys.meta_path.append(Finder(last=True))
