"""What is known of integers of elements: how large they are, which bits they have, and parts of them.

Tiles compute with floats, which hold integers exactly up to 2^24; so shifts and masks become products and floors
(mlir/whole.py), where these bounds say that nothing is lost."""

from .affine import bounds
from .expr import INDEX, Const, Expr, binary, convert, number, settle


def type_limits(dtype):
    if dtype == "bool":
        return 0, 1
    high = (1 << (dtype.bits - (1 if dtype.is_signed else 0))) - 1
    return (-high - 1 if dtype.is_signed else 0), high


def limits(x):
    """(lowest, highest) of an integer, after its type has cut it."""
    x = settle(x)
    value = number(x)
    if value is not None:
        return int(value), int(value)
    if x.dtype == INDEX and x.op == "select":
        return raw_limits(x)
    if x.dtype == INDEX:
        low, high = bounds(x)
        return (-(1 << 62) if low is None else low), ((1 << 62) if high is None else high)
    low, high = raw_limits(same_bits(x))
    least, most = type_limits(x.dtype)
    return (low, high) if least <= low and high <= most else (least, most)


def raw_limits(x):
    """(lowest, highest) of what an op gives before its type cuts it."""
    whole = type_limits(x.dtype) if x.dtype != INDEX else (-(1 << 62), 1 << 62)
    if x.op == "cast":
        a = settle(x.args[0])
        return whole if a.dtype != INDEX and a.dtype.is_float else limits(a)
    if x.op == "select":
        (a, b), (c, d) = limits(x.args[1]), limits(x.args[2])
        return min(a, c), max(b, d)
    if x.op == "held" and len(x.args) == 3:
        return tuple(int(number(a)) for a in x.args[1:])
    if x.op == "field":
        return 0, (1 << int(number(x.args[2]))) - 1
    if len(x.args) != 2:
        return whole
    (a, b), (c, d) = limits(x.args[0]), limits(x.args[1])
    if x.op in ("add", "sub"):
        return (a + c, b + d) if x.op == "add" else (a - d, b - c)
    if x.op in ("min", "max"):
        pick = min if x.op == "min" else max
        return pick(a, c), pick(b, d)
    if x.op in ("mul", "shl") and (x.op == "mul" or 0 <= c and d < 64):
        c, d = (1 << c, 1 << d) if x.op == "shl" else (c, d)
        ends = [i * j for i in (a, b) for j in (c, d)]
        return min(ends), max(ends)
    if x.op in ("shr", "floordiv") and c >= (0 if x.op == "shr" else 1) and d < 64:
        ends = [i >> j if x.op == "shr" else i // j for i in (a, b) for j in (c, d)]
        return min(ends), max(ends)
    if x.op == "mod" and c > 0:
        return 0, d - 1
    if x.op == "and" and (c >= 0 or a >= 0):
        return 0, min(v for low, v in ((a, b), (c, d)) if low >= 0)
    if x.op in ("or", "xor") and a >= 0 and c >= 0:
        return 0, (1 << max(b, d).bit_length()) - 1
    return whole


def mask(x):
    """The bits that an integer may have; None where it may be negative."""
    x = settle(x)
    value = number(x)
    if value is not None:
        return int(value) if value >= 0 else None
    low, high = limits(x)
    if low < 0:
        return None
    every = (1 << high.bit_length()) - 1
    if x.dtype == INDEX:
        return every
    if x.op == "cast" and settle(x.args[0]).dtype != INDEX and settle(x.args[0]).dtype.is_float:
        return every
    inner = [mask(a) for a in x.args] if x.op in ("and", "or", "xor", "cast") else []
    if x.op == "and":
        for m in inner:
            every &= every if m is None else m
    elif inner and None not in inner:
        every &= inner[0] | inner[-1]
    elif x.op in ("shl", "shr") and number(x.args[1]) is not None and mask(x.args[0]) is not None:
        moved, k = mask(x.args[0]), int(number(x.args[1]))
        every &= moved << k if x.op == "shl" else moved >> k
    return every


def field(x, low, count):
    """`count` bits of an integer, from bit `low` on, as an integer."""
    x = settle(x)
    ones = (1 << max(count, 0)) - 1
    value = number(x)
    if value is not None or count <= 0:
        return int(value or 0) >> low & ones
    known = mask(x)
    if known is not None and not known >> low & ones:
        return 0
    if x.dtype != INDEX:
        k = number(x.args[1]) if len(x.args) == 2 else None
        if x.op == "bits":
            return Expr("field", (x.args[0], Const(low, INDEX), Const(count, INDEX)), x.dtype)
        if x.op == "shl" and k is not None:
            return field(x.args[0], low - k, count) if low >= k else binary("shl", field(x.args[0], 0, count - (k - low)), k - low)
        if x.op == "shr" and k is not None:
            return field(x.args[0], low + k, count)
        if x.op in ("or", "xor"):
            a, b = (field(v, low, count) for v in x.args)
            return b if number(a) == 0 else a if number(b) == 0 else binary(x.op, a, b)
        if x.op == "and" and k is not None and k >> low & ones == ones:
            return field(x.args[0], low, count)
        if x.op == "cast" and inside(x):
            part = field(x.args[0], low, count)
            return part if number(part) is not None else convert(part, x.dtype)
    if low == 0 and known is not None and known <= ones:
        return x
    return binary("and", binary("shr", x, low) if low else x, ones)


def inside(x):
    """Whether a cast between integers changes no value."""
    a = settle(x.args[0])
    if a.dtype != INDEX and a.dtype.is_float:
        return False
    (low, high), (least, most) = limits(a), type_limits(x.dtype)
    return least <= low and high <= most


def same_bits(x):
    """int32(a - b) of what has no sign as int32(a) - int32(b): the same, and small where the difference is below zero."""
    a = settle(x.args[0]) if x.op == "cast" else None
    if a is None or x.dtype != "int32" or a.dtype != "uint32" or a.op not in ("add", "sub", "mul"):
        return x
    return Expr(a.op, [same_bits(Expr("cast", (v,), x.dtype)) for v in a.args], x.dtype)
