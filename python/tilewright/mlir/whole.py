"""Integers of elements that are shifted and masked, as floats: exact up to 2^24.

    x >> k     =  floor(x / 2^k)                x & (2^k - 1)  =  x - floor(x / 2^k) * 2^k
    x << k     =  x * 2^k                       x | y          =  x + y, where no bit is in both

Numbers whose bits are looked at become sign, exponent and mantissa, by comparisons with powers of two."""

from ..affine import key_of
from ..bits import field, limits, mask, raw_limits, same_bits, type_limits
from ..dtypes import DType
from ..errors import TileError
from ..expr import INDEX, Const, Expr, Load, number, settle, text

#: What only this file can compute.
OPS = {"and", "or", "xor", "shl", "shr", "floordiv", "mod", "bits", "field", "held"}
EXACT = 1 << 24
#: Bits of mantissa and exponent of each type of floats.
SHAPE = {"float32": (23, 8), "float16": (10, 5), "bfloat16": (7, 8)}


def is_integer(x):
    return isinstance(x, Expr) and x.dtype != INDEX and not x.dtype.is_float and x.dtype != "bool"


def needs(x, floats):
    """Whether an integer is made by what tiles have for floats only."""
    x = settle(x)
    if not is_integer(x):
        return False
    if isinstance(x, Load):
        return key_of(x) in floats
    return x.op in OPS or x.op != "select" and any(needs(a, floats) for a in x.args) or (
        x.op == "select" and any(needs(a, floats) for a in x.args[1:]))


class Whole:
    """Writes integers as floats; `body` is the element's Body."""

    def __init__(self, body):
        self.body, self.w = body, body.w

    def number(self, value):
        return self.w.number(float(value), DType("float32"))

    def op(self, name, a, b):
        return self.body.assign(f"arith.{name}f {a}, {b} : f32")

    def floor(self, a, shift):
        scaled = self.op("mul", a, self.number(2.0**-shift)) if shift else a
        return self.body.assign(f"math.floor {scaled} : f32")

    def choose(self, a, predicate, b, one, other):
        test = self.body.assign(f"arith.cmpf {predicate}, {a}, {b} : f32")
        return self.body.assign(f"arith.select {test}, {one}, {other} : f32")

    def value(self, x):
        """The SSA name of an integer as an f32."""
        x = settle(x)
        if number(x) is not None:
            return self.number(number(x))
        key = ("whole", key_of(x))
        known = self.w.known(key)
        return known or self.w.remember(key, self.write(x))

    def stored(self, x):
        """An integer in its own type; one of 8 bits is stored without a sign."""
        value = self.value(x)
        if x.dtype == "int8":
            value = self.below(value, 8) if limits(x)[0] < 0 else value
            return self.body.assign(f"arith.fptoui {value} : f32 to i8")
        return self.body.convert(value, DType("float32"), x.dtype)

    def write(self, x):
        if x.dtype == INDEX:
            return self.body.float_index(x)
        if not isinstance(x, Load):
            low, high = limits(x)
            if -low > EXACT or high > EXACT:
                raise TileError(f"'{text(x)}' may be larger than 2^24, up to which tiles shift and mask integers exactly")
        elif x.dtype.bits > 16:
            raise TileError(f"'{text(x)}' may be larger than 2^24, up to which tiles shift and mask integers exactly")
        if isinstance(x, Load) or not is_integer(x):
            return self.body.as_float(x)
        x = same_bits(x)
        if x.op == "held":
            return self.body.value(x.args[0])
        if x.op == "cast":
            a = settle(x.args[0])
            if a.dtype == "bool":
                return self.body.assign(f"arith.select {self.body.value(a)}, {self.number(1)}, {self.number(0)} : f32")
            if a.dtype != INDEX and a.dtype.is_float:
                cut = self.body.convert(self.body.value(a), a.dtype, DType("int32"))
                return self.body.assign(f"arith.sitofp {cut} : i32 to f32")
            return self.wrapped(x, self.value(a))
        if x.op == "select":
            c = self.body.value(x.args[0])
            a, b = self.value(x.args[1]), self.value(x.args[2])
            return self.body.assign(f"arith.select {c}, {a}, {b} : f32")
        if x.op == "field":
            return self.field(x)
        return self.wrapped(x, self.arithmetic(x))

    def arithmetic(self, x):
        a, b = x.args
        k = number(b)
        plain = {"add": "add", "sub": "sub", "mul": "mul", "min": "minimum", "max": "maximum"}.get(x.op)
        if plain:
            return self.op(plain, self.value(a), self.value(b))
        if x.op in ("shl", "shr"):
            sign = 1 if x.op == "shl" else -1
            if k is not None:
                return self.op("mul", self.value(a), self.number(2.0**k)) if sign > 0 else self.floor(self.value(a), k)
            moved = self.op("mul", self.value(a), self.power(b, sign))
            return moved if sign > 0 else self.floor(moved, 0)
        if x.op == "and":
            if k is None:
                a, b, k = b, a, number(a)
            return self.masked(x, a, k)
        if x.op in ("or", "xor"):
            one, two = mask(a), mask(b)
            if one is not None and two is not None and not one & two:
                return self.op("add", self.value(a), self.value(b))
        if x.op in ("floordiv", "mod") and k is not None and k > 0 and k & (k - 1) == 0:
            shift = int(k).bit_length() - 1
            return self.floor(self.value(a), shift) if x.op == "floordiv" else self.below(self.value(a), shift)
        raise TileError(
            f"'{text(x)}': of integers of elements there are sums, products, shifts, masks of neighbouring bits, `|` of numbers "
            "that have no bit in common, and quotients by powers of two"
        )

    def below(self, a, count):
        """The lowest bits."""
        whole = self.op("mul", self.floor(a, count), self.number(2.0**count))
        return self.op("sub", a, whole)

    def masked(self, x, a, k):
        low = (int(k) & -int(k)).bit_length() - 1 if k else 0
        count = int(k or 0).bit_length() - low
        if k is None or k <= 0 or int(k) >> low != (1 << count) - 1:
            raise TileError(f"'{text(x)}' masks bits that are no neighbours")
        if has_bits(a):
            part = self.value(field(a, low, count))
            return self.op("mul", part, self.number(2.0**low)) if low else part
        known = mask(a)
        value = self.floor(self.value(a), low) if low else self.value(a)
        if known is None or known >> low > (1 << count) - 1:
            value = self.below(value, count)
        return self.op("mul", value, self.number(2.0**low)) if low else value

    def wrapped(self, x, value):
        """What the type of x keeps of a value."""
        low, high = limits(x.args[0]) if x.op == "cast" else raw_limits(x)
        least, most = type_limits(x.dtype)
        if least <= low and high <= most:
            return value
        cut = self.below(value, x.dtype.bits)
        if not x.dtype.is_signed:
            return cut
        less = self.op("sub", cut, self.number(2.0**x.dtype.bits))
        return self.choose(cut, "oge", self.number(2.0 ** (x.dtype.bits - 1)), less, cut)

    def power(self, x, sign=1, bias=0):
        """2^(sign * x + bias), of an integer of known bounds."""
        low, high = limits(x)
        if high - low > 255 or abs(sign * low + bias) > 126:
            raise TileError(f"2 to the power of '{text(x)}', which may be {low} to {high}")
        result = self.number(2.0 ** (sign * low + bias))
        rest = self.value(x)
        if low:
            rest = self.op("sub", rest, self.number(low))
        for k in reversed(range((high - low).bit_length())):
            bit = self.floor(rest, k)
            # 2^128 is no number; what is that large is made in two steps.
            more = 2.0 ** (sign * (1 << min(k, 6))) - 1
            factor = self.op("add", self.op("mul", bit, self.number(more)), self.number(1))
            result = self.op("mul", result, factor)
            if k == 7:
                result = self.op("mul", result, factor)
            if k:
                rest = self.op("sub", rest, self.op("mul", bit, self.number(1 << k)))
        return result

    # Floats and their bits.

    def from_fields(self, x):
        """A float (as an f32) that has a sign, an exponent and a mantissa."""
        width, exponents = SHAPE[x.dtype]
        sign, e, m = x.args
        bias = (1 << (exponents - 1)) - 1
        low, high = limits(e)
        mantissa = self.number(1)
        if number(m) != 0:
            mantissa = self.op("add", mantissa, self.op("mul", self.value(m), self.number(2.0**-width)))
        # The exponent is kept inside of what numbers have, and what lies outside is chosen afterwards.
        first, last = max(low, 1), min(high, 2 * bias)
        inside = e if (first, last) == (low, high) else Expr("min", (Expr("max", (e, like(e, 1)), e.dtype), like(e, 2 * bias)), e.dtype)
        value = self.op("mul", mantissa, self.power(inside, 1, -bias))
        if low == 0:
            tiny = self.number(0)
            if number(m) != 0 and x.dtype == "float16":
                tiny = self.op("mul", self.value(m), self.number(2.0 ** (1 - bias - width)))
            value = self.choose(self.value(e), "olt", self.number(1), tiny, value)
        if high > 2 * bias:
            special = self.number(float("inf"))
            if number(m) != 0:
                special = self.choose(self.value(m), "ogt", self.number(0), self.number(float("nan")), special)
            value = self.choose(self.value(e), "ogt", self.number(2 * bias), special, value)
        if number(sign) == 0:
            return value
        factor = self.op("sub", self.number(1), self.op("mul", self.value(sign), self.number(2)))
        return self.op("mul", value, factor)

    def field(self, x):
        """Sign, exponent or mantissa of an f32."""
        source, low, count = x.args[0], int(number(x.args[1])), int(number(x.args[2]))
        if source.dtype != "float32" or (low, count) not in ((31, 1), (23, 8), (0, 23)):
            raise TileError("of a float's bits there are sign, exponent and mantissa of a float32, each as a whole")
        value = self.body.value(source)
        if low == 31:
            return self.choose(value, "olt", self.number(0), self.number(1), self.number(0))
        value = self.body.assign(f"math.absf {value} : f32")
        one, small = self.number(1), self.number(2.0**-126)
        # Numbers below 1 are moved by 2^127 first; those below all exponents count as zero.
        large = self.op("mul", value, self.number(2.0**127))
        rest = self.choose(value, "olt", one, large, value)
        e = self.choose(value, "olt", one, self.number(0), self.number(127))
        for k in reversed(range(7)):
            step = self.number(2.0 ** (1 << k))
            e = self.op("add", e, self.choose(rest, "oge", step, self.number(1 << k), self.number(0)))
            rest = self.op("mul", rest, self.choose(rest, "oge", step, self.number(2.0 ** -(1 << k)), one))
        result = e
        if low == 0:
            result = self.op("mul", self.op("sub", rest, one), self.number(2.0**23))
        return self.choose(value, "olt", small, self.number(0), result)


def has_bits(x):
    """Whether an integer is a part of a float's bits."""
    x = settle(x)
    if not isinstance(x, Expr) or isinstance(x, Load):
        return False
    return x.op == "bits" or x.op in ("shl", "shr", "and", "or", "xor", "cast") and any(has_bits(a) for a in x.args)


def like(x, value):
    """A number of the type of x."""
    return Const(value, x.dtype)
