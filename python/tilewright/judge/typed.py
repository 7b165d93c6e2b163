"""Integers with a type, for kernels that ask numbers for theirs (`x.dtype`, `x.astype(…)`); they wrap around as it does."""

import operator

from ..dtypes import DType, common


def wrapped(value, dtype):
    """A whole number as a type keeps it."""
    bits = dtype.bits
    value &= (1 << bits) - 1
    return value - (1 << bits) if dtype.is_signed and value >> (bits - 1) else value


class Typed(int):
    def __new__(cls, value, dtype):
        dtype = DType(dtype)
        made = int.__new__(cls, wrapped(int(value), dtype))
        made.dtype = dtype
        return made

    def astype(self, dtype):
        return float(self) if DType(dtype).is_float else Typed(self, dtype)

    def _op(function, swap=False):
        def method(self, other):
            if not isinstance(other, int):
                return NotImplemented
            a, b = (other, self) if swap else (self, other)
            return Typed(function(int(a), int(b)), common(self.dtype, getattr(other, "dtype", self.dtype)))

        return method

    for _name in ("add", "sub", "mul", "floordiv", "mod", "lshift", "rshift", "and", "or", "xor"):
        _function = getattr(operator, f"__{_name}__")
        locals()[f"__{_name}__"], locals()[f"__r{_name}__"] = _op(_function), _op(_function, True)
    del _name, _function
