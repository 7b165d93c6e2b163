"""Parts of long expressions as blocks of their own: DST has room for few tiles, and each part is used several times.

    x = reinterpret(bits)        ->       s = sign of bits;  e = exponent;  m = mantissa;  x = f(s, e, m)"""

from .. import program as p
from ..affine import key_of
from ..bits import field, limits
from ..dtypes import DType
from ..expr import INDEX, Const, Expr, Load, number, settle
from .whole import SHAPE, has_bits


def staged(generic, x):
    """x, with parts that have been stored before."""
    x = settle(x)
    if not isinstance(x, Expr) or isinstance(x, Load) or not x.args or x.op == "scalar" or x.dtype == INDEX:
        return x
    x = Expr(x.op, [staged(generic, a) for a in x.args], x.dtype)
    if x.op == "and" and settle(x.args[0]).op == "shr" and number(settle(x.args[0]).args[1]) is None:
        return kept(generic, x)
    if x.op != "from bits":
        return x
    width, exponents = SHAPE[x.dtype]
    parts = [field(x.args[0], low, n) for low, n in ((width + exponents, 1), (width, exponents), (0, width))]
    parts = [Const(v, x.args[0].dtype) if number(v) is not None else kept(generic, v) for v in parts]
    return Expr("from fields", parts, x.dtype)


def kept(generic, x):
    """An integer as a block of floats."""
    sizes = [generic.extents[id(v)] for v in generic.loops]
    if generic.store.sums or not all(isinstance(n, int) for n in sizes) or x.op == "held" or has_bits(x):
        return x
    known = generic.parts_kept.get(key_of(x))
    if known is not None:
        return known
    low, high = limits(x)
    buffer = generic.out.temporary("part", sizes, DType("float32"))
    loops = list(zip(generic.loops, sizes))
    value = Expr("cast", (x,), DType("float32"))
    inner = type(generic)(generic.out, p.Store(generic.store.at, buffer, list(generic.loops), value, loops, []))
    inner.emit(list(generic.loops), value, None)
    result = Expr("held", (Load(buffer, generic.loops), Const(low, INDEX), Const(high, INDEX)), x.dtype)
    generic.parts_kept[key_of(x)] = result
    return result
