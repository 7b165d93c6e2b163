"""Functions of elements: T.exp, T.max, T.if_then_else, T.cast, T.ceildiv, T.infinity, …"""

import itertools
import math
import struct

from .. import expr as e
from .. import machine
from ..buffers import as_region
from ..dtypes import DType
from ..errors import TileError
from ..expr import Expr, binary, select, settle


def _sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _round(x):
    """Halves go away from zero, as in CUDA's round."""
    whole = math.trunc(x)
    return whole + (1 if x - whole >= 0.5 else -1 if x - whole <= -0.5 else 0)


def _log(function):
    return lambda x: -math.inf if x == 0 else function(x)


#: Functions of one float: TileLang's name, the op of MLIR's dialect `math`, and Python's function.
UNARY = {
    "exp": ("exp", math.exp),
    "exp2": ("exp2", lambda x: 2.0**x),
    "exp10": (None, lambda x: 10.0**x),
    "log": ("log", _log(math.log)),
    "log2": ("log2", _log(math.log2)),
    "log10": ("log10", _log(math.log10)),
    "log1p": ("log1p", math.log1p),
    "sqrt": ("sqrt", math.sqrt),
    "rsqrt": ("rsqrt", lambda x: math.inf if x == 0 else 1 / math.sqrt(x)),
    "sin": ("sin", math.sin),
    "cos": ("cos", math.cos),
    "tan": ("tan", math.tan),
    "asin": ("asin", math.asin),
    "acos": ("acos", math.acos),
    "atan": ("atan", math.atan),
    "sinh": ("sinh", math.sinh),
    "cosh": ("cosh", math.cosh),
    "tanh": ("tanh", math.tanh),
    "erf": ("erf", math.erf),
    "floor": ("floor", math.floor),
    "ceil": ("ceil", math.ceil),
    "trunc": ("trunc", math.trunc),
    "round": ("round", _round),
    "nearbyint": ("roundeven", round),
    "sigmoid": (None, _sigmoid),
    "abs": ("absf", abs),
}


def _unary(name):
    function = UNARY[name][1]

    def one(x):
        x = settle(x)
        if name == "sigmoid" and isinstance(x, Expr):
            return binary("div", 1.0, binary("add", 1.0, FUNCTIONS["exp"](-x)))
        if name == "exp10" and isinstance(x, Expr):
            return FUNCTIONS["exp2"](x * math.log2(10.0))
        if name == "abs" and isinstance(x, Expr) and (x.dtype == e.INDEX or not x.dtype.is_float):
            return Expr("absi", (x,), x.dtype)
        return e.call(name, function, x)

    one.__name__ = name
    return one


FUNCTIONS = {name: _unary(name) for name in UNARY}
FUNCTIONS["fabs"] = FUNCTIONS["abs"]
FUNCTIONS["__exp"] = FUNCTIONS["exp"]
FUNCTIONS["__log"] = FUNCTIONS["log"]
FUNCTIONS["__log2"] = FUNCTIONS["log2"]
FUNCTIONS["__sin"], FUNCTIONS["__cos"], FUNCTIONS["__tan"] = (FUNCTIONS[n] for n in ("sin", "cos", "tan"))


def _fold(op):
    def many(*values, **_):
        if len(values) == 1 and isinstance(values[0], (list, tuple)):
            values = values[0]
        total = values[0]
        for v in values[1:]:
            total = binary(op, total, v)
        return total

    many.__name__ = op
    return many


max = _fold("max")
min = _fold("min")


def clamp(dst, min_val, max_val):
    return min(max(dst, min_val), max_val)


def if_then_else(condition, a, b, **_):
    return select(condition, a, b)


Select = if_then_else


def cast(x, dtype, **_):
    """T.cast(x, dtype)."""
    return Cast(dtype, x)


def Cast(dtype, x):
    """T.Cast(dtype, x); either order is understood."""
    if isinstance(x, str) and not isinstance(dtype, str):
        dtype, x = x, dtype
    return e.cast(dtype, x)


def _all_elements(op, name):
    def fold(buffer, *_, **__):
        """Whether any, or all, of a buffer's elements are true."""
        region = as_region(buffer).filled()
        sizes = [settle(n) for n in region.extents]
        if not all(isinstance(n, int) for n in sizes) or math.prod(sizes) > 64:
            raise TileError(f"T.{name} of {region.buffer.name}, which has more than 64 elements; use T.reduce_max or T.reduce_min")
        found = []
        for at in itertools.product(*map(range, sizes)):
            element = settle(region.buffer[tuple(s + k for s, k in zip(region.starts, at))])
            one = element if isinstance(element, Expr) and element.dtype == "bool" else e.compare("ne", element, 0)
            if isinstance(one, Expr):
                found.append(one)
            elif bool(one) == (op == "or"):
                return op == "or"
        # In pairs: of a long chain, level 1 does not look at the end.
        while len(found) > 1:
            found = [binary(op, *found[i : i + 2]) if i + 1 < len(found) else found[i] for i in range(0, len(found), 2)]
        return found[0] if found else op == "and"

    fold.__name__ = name
    return fold


any_of = _all_elements("or", "any_of")
all_of = _all_elements("and", "all_of")


def ceildiv(a, b):
    a, b = settle(a), settle(b)
    return binary("floordiv", a + b - 1, b)


def align_up(value, alignment):
    """The next multiple, or the value itself."""
    return binary("mul", ceildiv(value, alignment), alignment)


def floordiv(a, b):
    return binary("floordiv", a, b)


def floormod(a, b):
    return binary("mod", a, b)


def truncdiv(a, b):
    """a / b rounded to zero."""
    a, b = settle(a), settle(b)
    if e.is_number(a) and e.is_number(b):
        return int(math.trunc(a / b)) if abs(a) < 2**52 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    _same_rounding("T.truncdiv", a, b)
    return binary("floordiv", a, b)


def truncmod(a, b):
    """What is left of a / b rounded to zero; it has the sign of a."""
    a, b = settle(a), settle(b)
    if e.is_number(a) and e.is_number(b):
        return a - b * truncdiv(a, b)
    _same_rounding("T.truncmod", a, b)
    return binary("mod", a, b)


def _same_rounding(name, *sides):
    """Of numbers that are none below zero, rounding to zero and rounding down are the same; others are refused."""
    from ..affine import bounds

    for x in sides:
        number = e.number(x)
        low = number if number is not None else bounds(x)[0] if x.dtype == e.INDEX else 0 if not x.dtype.is_signed else None
        if low is None or low < 0:
            raise TileError(
                f"{name} of '{x}', which may be negative; write T.floordiv and T.floormod (// and %), or an index that "
                "is never negative"
            )


def div(a, b):
    return binary("div", a, b)


def pow(a, b):
    return binary("pow", a, b)


power = pow


def shift_left(a, b):
    return binary("shl", a, b)


def shift_right(a, b):
    return binary("shr", a, b)


def bitwise_and(a, b):
    return binary("and", a, b)


def bitwise_or(a, b):
    return binary("or", a, b)


def bitwise_xor(a, b):
    return binary("xor", a, b)


def And(*parts):
    total = parts[0]
    for p in parts[1:]:
        total = binary("and", total, p)
    return total


def Or(*parts):
    total = parts[0]
    for p in parts[1:]:
        total = binary("or", total, p)
    return total


Not = e.logical_not


def infinity(dtype="float32"):
    return math.inf if machine.numbers() else e.Const(math.inf, DType(dtype))


def max_value(dtype):
    return _limit(DType(dtype), 1)


def min_value(dtype):
    return _limit(DType(dtype), -1)


#: The largest finite number of each float type.
LARGEST = {
    "float64": 1.7976931348623157e308,
    "float32": 3.4028234663852886e38,
    "bfloat16": 3.3895313892515355e38,
    "float16": 65504.0,
    "float8_e4m3fn": 448.0,
    "float8_e5m2": 57344.0,
}


def _limit(dtype, sign):
    if dtype.is_float:
        return sign * LARGEST[dtype]
    bits = dtype.bits - (1 if dtype.is_signed else 0)
    return (1 << bits) - 1 if sign > 0 else -(1 << bits) if dtype.is_signed else 0


def fma(a, b, c):
    return a * b + c


def reinterpret(value, dtype, **_):
    """T.reinterpret(value, dtype): the same bits as another type of that size; either order is understood."""
    if isinstance(value, str) and not isinstance(dtype, str):
        value, dtype = dtype, value
    value, dtype = settle(value), DType(dtype)
    if e.is_number(value):
        return _bits_of_number(value, dtype)
    source = value.dtype
    if source == e.INDEX or source.bits != dtype.bits or source.is_float and dtype.is_float:
        raise TileError(f"T.reinterpret of {source} as {dtype}; both have as many bits, and one of them is an integer")
    if source.is_float and source != "float32" or dtype.is_float and dtype not in ("float32", "float16", "bfloat16"):
        raise TileError(f"T.reinterpret of {source} as {dtype}; floats are of 32 bits, or made of 16, and those of 8 are not")
    if not source.is_float and not dtype.is_float:
        return e.convert(value, dtype)
    return Expr("from bits" if dtype.is_float else "bits", (value,), dtype)


#: How Python's `struct` packs a float and integers of a size.
PACKED = {"float16": "e", "float32": "f", "float64": "d"}


def _bits_of_number(value, dtype):
    """For the judge, whose numbers have no types: a float is one of 32 bits."""
    if isinstance(value, float):
        whole = struct.unpack("I", struct.pack("f", value))[0]
    else:
        whole = int(value) & ((1 << dtype.bits) - 1)
    if not dtype.is_float:
        sign = dtype.is_signed and whole >> (dtype.bits - 1)
        return whole - (1 << dtype.bits) if sign else whole
    if dtype == "bfloat16":
        return struct.unpack("f", struct.pack("I", whole << 16))[0]
    if dtype not in PACKED:
        raise TileError(f"T.reinterpret as {dtype}")
    return struct.unpack(PACKED[dtype], whole.to_bytes(dtype.bits // 8, "little"))[0]
