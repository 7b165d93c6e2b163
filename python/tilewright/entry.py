"""Entries: the functions of a file that a kernel can be made from, and how each is called.

Three forms: a function with @T.prim_func; a factory that returns one (with @tilelang.jit or without); and the
eager style, @tilelang.jit on a function whose own body opens the T.Kernel."""

import contextlib
import inspect
import io
import sys

from . import machine
from .buffers import Buffer
from .dtypes import DType
from .errors import TileError
from .expr import Expr, Var
from .sizes import Sizes
from .standins import Anything

#: Entries of the program that were made while it was loaded, in order.
made = []


class PrimFunc:
    """A kernel that is ready to be traced: all sizes are known."""

    def __init__(self, fn):
        self.fn, self.name = fn, fn.__name__
        self.at = (fn.__code__.co_filename, fn.__code__.co_firstlineno)
        self.attrs, self.signature, self.seen, self.configs = {}, None, None, None
        made.append(self)

    def with_attr(self, *_):
        return self

    def run(self, maker):
        """Runs the body under a machine; `maker` has a method for each kind of parameter.

        A scalar that NAME=VALUE gives is a constant of the kernel."""
        values = []
        sizes = getattr(maker.machine, "sizes", None)
        hints = annotations(self.fn)
        for name, parameter in inspect.signature(self.fn).parameters.items():
            kind = hints.get(name, parameter.annotation)
            if isinstance(kind, Buffer):
                values.append(maker.tensor(name, kind.shape, kind.dtype))
            elif sizes and isinstance(sizes.given.get(name), (int, float)):
                sizes.used.add(name)
                values.append(sizes.given[name])
            elif isinstance(kind, Var) and kind.kind == "scalar":
                values.append(maker.scalar(name, kind.dtype))
            elif isinstance(kind, (str, DType)) or kind in (int, float):
                values.append(maker.scalar(name, DType(kind)))
            elif isinstance(kind, Expr):
                values.append(maker.scalar(name, DType("int32")))
            else:
                raise TileError(f"parameter '{name}' of {self.name} needs a type, {name}: T.Tensor(shape, dtype)")
        self.fn(*values)

    def __call__(self, *_, **__):
        return Anything("result")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name)


class Jitted:
    """A function with @tilelang.jit: a factory or an eager kernel."""

    def __init__(self, fn, eager):
        self.fn, self.name, self.eager = fn, fn.__name__, eager
        self.at = (fn.__code__.co_filename, fn.__code__.co_firstlineno)
        self.signature = inspect.signature(fn)
        self.configs, self.seen = None, None
        self.__name__, self.__doc__ = fn.__name__, fn.__doc__
        made.append(self)

    def __call__(self, *args, **options):
        """A call of the user's program: its arguments are remembered; nothing runs yet."""
        try:
            bound = dict(self.signature.bind_partial(*args, **options).arguments)
        except TypeError:
            bound = {k: v for k, v in options.items()}
        self.remember(bound)
        if self.eager:
            return Anything("result")
        return Kernel(self, bound)

    def compile(self, *args, **options):
        names = list(self.signature.parameters)
        bound = dict(zip(names, args))
        bound.update(options)
        self.remember(bound)
        return Kernel(self, bound)

    def remember(self, bound):
        plain = {k: v for k, v in bound.items() if isinstance(v, (int, float, str, bool, tuple, list, type(None)))}
        if self.seen is None:
            self.seen = plain

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name)


class Kernel(Anything):
    """What compiling gives in the user's program; calling it does nothing."""

    def __init__(self, jitted, bound):
        Anything.__init__(self, jitted.name)


class Factory(Jitted):
    """A plain function that returns a kernel."""

    def __init__(self, fn):
        Jitted.__init__(self, fn, False)
        self.configs = getattr(fn, "configs", None)
        made.pop()


def annotations(fn):
    """A function's annotations, evaluated where they are text."""
    found = dict(getattr(fn, "__annotations__", {}))
    scope = dict(fn.__globals__)
    if fn.__closure__:
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__):
            try:
                scope[name] = cell.cell_contents
            except ValueError:
                pass
    for name, kind in found.items():
        if isinstance(kind, str) and not isinstance(kind, DType):
            try:
                found[name] = eval(kind, scope)
            except Exception:
                found[name] = DType(kind)
    return found


def run(entry, given, maker):
    """Runs an entry under the machine of `maker`: traced, or with numbers. `given` are NAME=VALUE.

    What the program prints is no part of what we write, and enough once."""
    sizes = Sizes(entry, given)
    words = io.StringIO() if maker.machine.is_numbers else sys.stderr
    with machine.Using(maker.machine), contextlib.redirect_stdout(words):
        maker.machine.sizes = sizes
        if isinstance(entry, PrimFunc):
            entry.run(maker)
            return sizes.finish()
        if entry.eager:
            return run_eager(entry, sizes, maker)
        values = sizes.arguments()
        depth = len(made)
        func = entry.fn(**values)
        del made[depth:]
        if isinstance(func, (tuple, list)):
            func = next((f for f in func if isinstance(f, PrimFunc)), None)
        if not isinstance(func, PrimFunc):
            raise TileError(f"{entry.name} returned {type(func).__name__}, and no function with @T.prim_func")
        func.run(maker)
        sizes.finish()


def run_eager(entry, sizes, maker):
    """The eager style: the body itself says which of its parameters are tensors."""
    maker.machine.declare = lambda name, kind: maker.tensor(name, kind.shape, kind.dtype)
    maker.machine.result = lambda shape, dtype: maker.result(shape, dtype)
    hints = annotations(entry.fn)
    values = {}
    for name, parameter in entry.signature.parameters.items():
        kind = hints.get(name)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if sizes.has(name):
            values[name] = sizes.take(name)
        elif isinstance(kind, Buffer):
            values[name] = maker.tensor(name, kind.shape, kind.dtype)
        elif isinstance(kind, Var) and kind.kind == "scalar":
            values[name] = maker.scalar(name, kind.dtype)
        elif parameter.default is not parameter.empty:
            values[name] = parameter.default
        elif name in declared(entry.fn):
            values[name] = None
        else:
            sizes.lacks(name)
    sizes.check()
    entry.fn(**values)
    sizes.finish()


def declared(fn):
    """Names that a body declares, `A: T.Tensor(…)`."""
    return getattr(fn, "__tile_declared__", ())
