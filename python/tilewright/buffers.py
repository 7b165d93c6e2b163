"""Buffers: tensors of the kernel's arguments, shared buffers, fragments, scalars; and regions of them."""

from . import machine
from .dtypes import HALVES, DType
from .errors import TileError
from .expr import Expr, settle
from .standins import Anything


class Buffer:
    """A tensor of `scope` "global", or a buffer of a core: "shared", "fragment", "local", "var"."""

    def __init__(self, shape, dtype, scope, name=None):
        if isinstance(shape, (int, Expr)):
            shape = (shape,)
        self.shape = tuple(whole(settle(s)) for s in shape)
        self.dtype, self.scope, self.name = DType(dtype), scope, name
        self.version = 0
        self.data = None
        self.range = None  # (lowest, highest) of what a tensor of integers holds, where that is known
        self.boolean = False  # whether it holds truth values: as bytes in tensors, as floats in buffers of a core
        self.narrow = None  # a type of 4 bits that is kept in bytes
        self.table = None  # [(indices, elements of tensors)…] of a buffer that is filled from tables

    ndim = property(lambda self: len(self.shape))

    def widen(self):
        """Integers of 4 bits take a byte each."""
        if self.dtype in HALVES:
            self.narrow = self.dtype
            dtype, _ = HALVES[self.dtype]
            self.dtype = DType(dtype)

    def __getitem__(self, key):
        starts, extents = self._indices(key)
        if any(e is not None for e in extents) or len(starts) < len(self.shape):
            return Region(self, starts, extents)
        return machine.current().load(self, starts)

    def __setitem__(self, key, value):
        starts, extents = self._indices(key)
        value = settle(value)
        if any(e is not None for e in extents) or len(starts) < len(self.shape):
            region = Region(self, starts, extents)
            if isinstance(value, (Buffer, Region)):
                return machine.current().copy(as_region(value), region)
            return machine.current().fill(region.filled(), value)
        machine.current().store(self, starts, value)

    def _indices(self, key):
        """([start…], [extent or None…]) of what stands in brackets."""
        key = key if isinstance(key, tuple) else (key,)
        if Ellipsis in [k if k is Ellipsis else None for k in key]:
            at = [k is Ellipsis for k in key].index(True)
            key = key[:at] + (slice(None),) * (len(self.shape) - len(key) + 1) + key[at + 1 :]
        if len(key) > len(self.shape):
            raise TileError(f"{self.name} has {len(self.shape)} dimensions, and {len(key)} indices are given")
        starts, extents = [], []
        for k, size in zip(key, self.shape):
            if isinstance(k, slice):
                if k.step not in (None, 1):
                    raise TileError(f"a slice of {self.name} with step {k.step}; steps other than 1 are not supported")
                start = 0 if k.start is None else settle(k.start)
                stop = size if k.stop is None else settle(k.stop)
                starts.append(start)
                extents.append(simple(stop - start))
            else:
                starts.append(settle(k))
                extents.append(None)
        return starts, extents

    def tile_value(self):
        """A variable stands for its value in expressions."""
        if self.scope == "var":
            return machine.current().load(self, [0])
        raise TileError(f"{self.name} is a buffer of {len(self.shape)} dimensions; name its elements, {self.name}[…]")

    def __bool__(self):
        return True

    __hash__ = object.__hash__

    def _compare(op):
        def method(self, other):
            import tilewright.expr as e

            return e.compare(op, self, other)

        return method

    __lt__, __le__, __gt__, __ge__ = _compare("lt"), _compare("le"), _compare("gt"), _compare("ge")

    def _arith(op, swap=False):
        def method(self, other):
            import tilewright.expr as e

            a, b = (other, self) if swap else (self, other)
            return e.binary(op, a, b)

        return method

    __add__, __radd__ = _arith("add"), _arith("add", True)
    __sub__, __rsub__ = _arith("sub"), _arith("sub", True)
    __mul__, __rmul__ = _arith("mul"), _arith("mul", True)
    __truediv__, __rtruediv__ = _arith("div"), _arith("div", True)
    __floordiv__, __mod__ = _arith("floordiv"), _arith("mod")

    def _in_place(op):
        def method(self, other):
            import tilewright.expr as e

            self[0] = e.binary(op, self, other)
            return self

        return method

    __iadd__, __isub__, __imul__, __itruediv__ = (
        _in_place("add"),
        _in_place("sub"),
        _in_place("mul"),
        _in_place("div"),
    )


def whole(size):
    """A size of a buffer, which is a number that counts something, or known when the kernel runs."""
    if isinstance(size, Expr) or isinstance(size, int) and size >= 0:
        return size
    if isinstance(size, Anything):
        # The type of a parameter of a kernel that may never be asked for; where it is, this is an error.
        return size
    raise TileError(f"a buffer or tensor with a size of {size!r}; sizes are whole numbers that are not below zero")


def simple(x):
    """An extent as a number where it is one."""
    from .affine import simplify

    x = settle(x)
    return x if isinstance(x, int) else simplify(x)


class Reshaped(Buffer):
    """A buffer over the memory of another one."""

    def __init__(self, base, shape):
        self.base = base
        Buffer.__init__(self, shape, base.dtype, base.scope)
        self.boolean, self.depth, self.at, self.stored = base.boolean, base.depth, base.at, False

    @property
    def version(self):
        return self.base.version

    @version.setter
    def version(self, value):
        self.base.version = max(self.base.version, value)


class Region:
    """A box of a buffer: where it starts, and how far it goes; extents are None until the other side says."""

    def __init__(self, buffer, starts, extents):
        missing = len(buffer.shape) - len(starts)
        self.buffer = buffer
        self.starts = list(starts) + [0] * missing
        self.extents = list(extents) + list(buffer.shape[len(starts) :])

    @property
    def dtype(self):
        return self.buffer.dtype

    @property
    def shape(self):
        return tuple(self.filled().extents)

    def filled(self):
        """The region with one element wherever no extent was given."""
        return Region(self.buffer, self.starts, [1 if e is None else e for e in self.extents])

    def __getitem__(self, key):
        """Indices into a region, which has the buffer's dimensions that were slices."""
        free = [i for i, e in enumerate(self.extents) if e is not None]
        key = key if isinstance(key, tuple) else (key,)
        starts = list(self.starts)
        for i, k in zip(free, key):
            starts[i] = starts[i] + k
        return self.buffer[tuple(starts)]


def as_region(x):
    """A buffer, a region, or an element as the start of a region."""
    from .expr import Load

    if isinstance(x, Region):
        return x
    if isinstance(x, Buffer):
        return Region(x, [0] * len(x.shape), list(x.shape))
    if isinstance(x, Expr) and x.op == "ne" and isinstance(x.args[0], Load) and x.args[0].buffer.boolean:
        x = x.args[0]  # a truth value, as it is read
    if isinstance(x, Load):
        return Region(x.buffer, x.indices, [None] * len(x.indices))
    if hasattr(x, "place"):
        buffer, indices = x.place
        return Region(buffer, indices, [None] * len(indices))
    raise TileError(f"'{x}' is neither a buffer nor a part of one")
