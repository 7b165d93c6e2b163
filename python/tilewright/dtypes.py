"""Element types: names as TileLang spells them, their kind and size, and the type in MLIR."""

import math
import re

#: Other spellings of a type.
ALIASES = {
    "float": "float32",
    "half": "float16",
    "double": "float64",
    "int": "int32",
    "uint": "uint32",
    "long": "int64",
    "boolean": "bool",
    "tfloat32": "float32",
    "float8_e4m3": "float8_e4m3fn",
    "e4m3_float8": "float8_e4m3fn",
    "e5m2_float8": "float8_e5m2",
}

#: Type in MLIR of each name that level 1 has.
MLIR = {
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "float64": "f64",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e5m2": "f8E5M2",
    "int8": "i8",
    "uint8": "i8",
    "int16": "i16",
    "uint16": "i16",
    "int32": "i32",
    "uint32": "i32",
    "int64": "i64",
    "uint64": "i64",
    "bool": "i1",
    "int4": "i4",
    "uint4": "i4",
}


#: Types of half a byte, which are kept in bytes: what holds them, and what they reach.
HALVES = {"int4": ("int8", (-8, 7)), "uint4": ("uint8", (0, 15))}


class DType(str):
    """A type; a string, so that `T.float16 == "float16"`; called, it casts."""

    def __new__(cls, value):
        if isinstance(value, DType):
            return value
        name = value if isinstance(value, str) else getattr(value, "__name__", None) or str(value)
        name = name.rsplit(".", 1)[-1]
        return str.__new__(cls, ALIASES.get(name, name))

    def __call__(self, value=None):
        from . import expr

        return expr.cast(self, value)

    @property
    def is_float(self):
        return "float" in self

    @property
    def is_signed(self):
        return not (self.startswith("uint") or self == "bool")

    @property
    def bits(self):
        if self == "bool":
            return 1
        found = re.match(r"[a-z]+(\d+)", str(self))
        return int(found.group(1)) if found else 32

    @property
    def bytes(self):
        return max(1, self.bits // 8)

    itemsize = bytes

    def as_torch(self):
        return self

    @property
    def mlir(self):
        """The type in MLIR; an error where there is none."""
        from .errors import TileError

        if self not in MLIR:
            raise TileError(f"no element type '{self}' here; there are {', '.join(MLIR)}")
        return MLIR[self]


def common(a, b):
    """The type that `a op b` has, for two types: floats win over integers, wide over narrow."""
    a, b = DType(a), DType(b)
    if a == b:
        return a
    if a.is_float != b.is_float:
        return a if a.is_float else b
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    if {a, b} == {"float16", "bfloat16"}:
        return DType("float32")
    return a


#: Of fp8: bits behind the point, exponent of the least normal number, the largest number, and what is larger.
FP8 = {"float8_e4m3fn": (3, -6, 448.0, math.nan), "float8_e5m2": (2, -14, 57344.0, math.inf)}


def rounded(value, dtype):
    """A float as fp8 keeps it; other floats are not rounded."""
    if dtype not in FP8 or not math.isfinite(value):
        return float(value)
    mantissa, least, largest, beyond = FP8[dtype]
    step = math.ldexp(1.0, max(math.frexp(value)[1] - 1, least) - mantissa)
    near = round(value / step) * step
    return near if abs(near) <= largest else math.copysign(beyond, value)
