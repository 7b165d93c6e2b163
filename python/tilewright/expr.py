"""Expressions: what arithmetic on indices and elements gives while a kernel is traced.

An expression is a small tree: `op`, `args`, `dtype`. Indices have the type "index" and fold where both sides
are known, so that what is affine stays so. `Var` is a name (a cell of the grid, a loop, a size), `Load` an
element of a buffer."""

import math

from .dtypes import DType, rounded, common
from .errors import TileError
from .lanes import Lanes, lanewise

INDEX = "index"


class Expr:
    """op(args) of a type; Python's operators build larger ones."""

    def __init__(self, op, args, dtype):
        self.op, self.args = op, tuple(args)
        self.dtype = dtype if dtype == INDEX else DType(dtype)

    def __repr__(self):
        return text(self)

    def __bool__(self):
        raise TileError(
            f"Python cannot decide '{self}' while the kernel is translated; "
            "write T.if_then_else(condition, a, b), or an `if` without return, break or continue inside"
        )

    def __index__(self):
        raise TileError(f"'{self}' is only known when the kernel runs; Python needs a number here")

    __int__ = __index__
    __hash__ = object.__hash__

    def astype(self, dtype):
        return cast(dtype, self)

    def __add__(self, o): return binary("add", self, o)
    def __radd__(self, o): return binary("add", o, self)
    def __sub__(self, o): return binary("sub", self, o)
    def __rsub__(self, o): return binary("sub", o, self)
    def __mul__(self, o): return binary("mul", self, o)
    def __rmul__(self, o): return binary("mul", o, self)
    def __truediv__(self, o): return binary("div", self, o)
    def __rtruediv__(self, o): return binary("div", o, self)
    def __floordiv__(self, o): return binary("floordiv", self, o)
    def __rfloordiv__(self, o): return binary("floordiv", o, self)
    def __mod__(self, o): return binary("mod", self, o)
    def __rmod__(self, o): return binary("mod", o, self)
    def __pow__(self, o): return binary("pow", self, o)
    def __rpow__(self, o): return binary("pow", o, self)
    def __and__(self, o): return binary("and", self, o)
    def __rand__(self, o): return binary("and", o, self)
    def __or__(self, o): return binary("or", self, o)
    def __ror__(self, o): return binary("or", o, self)
    def __xor__(self, o): return binary("xor", self, o)
    def __rxor__(self, o): return binary("xor", o, self)
    def __lshift__(self, o): return binary("shl", self, o)
    def __rlshift__(self, o): return binary("shl", o, self)
    def __rshift__(self, o): return binary("shr", self, o)
    def __rrshift__(self, o): return binary("shr", o, self)
    def __neg__(self): return binary("sub", 0, self)
    def __pos__(self): return self
    def __invert__(self): return logical_not(self)
    def __lt__(self, o): return compare("lt", self, o)
    def __le__(self, o): return compare("le", self, o)
    def __gt__(self, o): return compare("gt", self, o)
    def __ge__(self, o): return compare("ge", self, o)
    def __eq__(self, o): return compare("eq", self, o)
    def __ne__(self, o): return compare("ne", self, o)


for _name, _method in vars(Expr).items():
    if callable(_method) and _name.strip("_") in (
            "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow and rand or ror xor rxor lshift "
            "rlshift rshift rrshift neg pos invert lt le gt ge eq ne").split():
        setattr(Lanes, _name, _method)


class Const(Expr):
    """A number of a type."""

    def __init__(self, value, dtype):
        super().__init__("const", (), dtype)
        self.value = value


class Var(Expr):
    """An index with a name. `low` and `high` bound it, both inclusive; None where that is not known."""

    def __init__(self, name, low=0, high=None, kind="loop", dtype=INDEX):
        super().__init__("var", (), dtype)
        self.name, self.low, self.high, self.kind = name, low, high, kind


class Size(Var):
    """A size of tensors that is known when the kernel runs; the judge has a number for it."""

    def __init__(self, name):
        super().__init__(name, 1, None, "size")

    def tile_value(self):
        from . import machine

        return machine.current().dynamic(self.name) if machine.numbers() else self


class Load(Expr):
    """An element of a buffer; `version` tells how often the buffer had been written when it was read."""

    def __init__(self, buffer, indices):
        super().__init__("load", (), buffer.dtype)
        self.buffer, self.indices, self.version = buffer, tuple(indices), buffer.version


#: What folds, for numbers on both sides.
FOLD = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "pow": lambda a, b: a**b,
    "min": min,
    "max": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b,
    "shr": lambda a, b: a >> b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, Expr)


def settle(x):
    """What an operand stands for: a variable's value where that is known, a 1-element buffer's element."""
    value = getattr(x, "tile_value", None)
    return x if value is None else value()


def number(x):
    """The number that x is, or None."""
    x = settle(x)
    if is_number(x):
        return x
    return x.value if isinstance(x, Const) else None


def wrap(x, like):
    """x as an expression; a bare number takes the type of the other side, unless that would lose it."""
    if isinstance(x, Expr):
        return x
    if isinstance(x, bool):
        return Const(x, "bool")
    if is_number(x):
        if like is None or (isinstance(x, float) and (like == INDEX or not DType(like).is_float)):
            like = "float32" if isinstance(x, float) else INDEX
        return Const(x, like)
    raise TileError(f"'{x}' of Python type {type(x).__name__} is no value of a kernel")


@lanewise
def binary(op, a, b):
    a, b = settle(a), settle(b)
    if is_number(a) and is_number(b):
        return FOLD[op](a, b)
    if not isinstance(a, Expr) and not is_number(a) or not isinstance(b, Expr) and not is_number(b):
        return NotImplemented
    x = wrap(a, b.dtype if isinstance(b, Expr) else None)
    y = wrap(b, a.dtype if isinstance(a, Expr) else None)
    if isinstance(x, Const) and isinstance(y, Const) and x.dtype == y.dtype:
        return Const(FOLD[op](x.value, y.value), x.dtype)
    if x.dtype == INDEX and y.dtype == INDEX:
        if op == "div":
            return binary("div", cast("float32", x), cast("float32", y))
        return fold_index(op, x, y)
    dtype = common_type(x, y)
    if op in ("div", "pow") and (dtype == INDEX or not dtype.is_float):
        dtype = DType("float32")
    return Expr(op, (convert(x, dtype), convert(y, dtype)), dtype)


def common_type(x, y):
    """The type of both sides together; an index is an int32 beside integers."""
    if x.dtype == INDEX and y.dtype == INDEX:
        return INDEX
    if x.dtype == INDEX or y.dtype == INDEX:
        other = y.dtype if x.dtype == INDEX else x.dtype
        return common("int32", other)
    return common(x.dtype, y.dtype)


def as_index(x, fixed=lambda load: True):
    """An integer expression as an index, or None: elements of tensors are loaded one by one where they stand.

    `fixed(load)` says whether an element is the same for all elements that an op computes."""
    x = settle(x)
    if is_number(x):
        return None if isinstance(x, float) else Const(int(x), INDEX)
    if x.dtype == INDEX:
        return x
    if isinstance(x, Const):
        return None if DType(x.dtype).is_float else Const(int(x.value), INDEX)
    if isinstance(x, Var) or x.dtype.is_float or x.dtype == "bool":
        return None
    if isinstance(x, Load):
        return Expr("scalar", (x,), INDEX) if x.buffer.scope == "global" and fixed(x) else None
    if x.op == "cast" and x.dtype.bits >= 32:
        return as_index(x.args[0], fixed) if x.args[0].dtype == INDEX or not x.args[0].dtype.is_float else None
    if x.op == "select":
        a, b = (as_index(v, fixed) for v in x.args[1:])
        return None if a is None or b is None else Expr("select", (x.args[0], a, b), INDEX)
    if x.op in ("add", "sub", "mul", "min", "max", "floordiv", "mod") and x.dtype.bits >= 32:
        a, b = (as_index(v, fixed) for v in x.args)
        if a is None or b is None:
            return None
        value = binary(x.op, a, b)
        return Const(value, INDEX) if is_number(value) else value
    return None


def fold_index(op, x, y):
    """An index expression, without what adds nothing: x + 0, x * 1, x // 1, (x * c) // c where c divides."""
    a, b = number(x), number(y)
    if op == "add" and a == 0:
        return y
    if op in ("add", "sub") and b == 0:
        return x
    if op == "mul" and (a == 0 or b == 0):
        return 0
    if op in ("mul", "floordiv") and b == 1:
        return x
    if op == "mul" and a == 1:
        return y
    if op == "mod" and b == 1:
        return 0
    return Expr(op, (x, y), INDEX)


def substitute(x, values):
    """x with other expressions for variables, {id of the Var: expression}."""
    x = settle(x)
    if not isinstance(x, Expr):
        return x
    if isinstance(x, Var):
        return values.get(id(x), x)
    if isinstance(x, Load):
        new = Load(x.buffer, [substitute(i, values) for i in x.indices])
        new.version = x.version
        return new
    if not x.args:
        return x
    args = [substitute(a, values) for a in x.args]
    return binary(x.op, *args) if x.op in FOLD and x.dtype != "bool" else Expr(x.op, args, x.dtype)


def convert(x, dtype):
    """x in another type."""
    if x.dtype == dtype:
        return x
    if isinstance(x, Const):
        if dtype == INDEX:
            return Const(int(x.value), dtype)
        return Const(float(x.value) if DType(dtype).is_float else int(x.value), dtype)
    return Expr("cast", (x,), dtype)


@lanewise
def cast(dtype, x):
    """T.cast: x in another type. A number stays one, of that type."""
    dtype = DType(dtype)
    x = settle(x)
    if x is None:
        return Var("scalar", None, None, "scalar", dtype)
    if is_number(x):
        from .machine import numbers

        if numbers():
            return rounded(x, dtype) if dtype.is_float else int(x)
        return Const(float(x) if dtype.is_float else int(x), dtype)
    return convert(x, dtype)


@lanewise
def compare(op, a, b):
    a, b = settle(a), settle(b)
    if is_number(a) and is_number(b):
        return FOLD[op](a, b)
    if not (isinstance(a, Expr) or is_number(a)) or not (isinstance(b, Expr) or is_number(b)):
        return NotImplemented
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Expr) and one.dtype == "bool" and op in ("eq", "ne") and number(other) in (0, 1):
            return one if (number(other) == 1) == (op == "eq") else logical_not(one)
    x = wrap(a, b.dtype if isinstance(b, Expr) else None)
    y = wrap(b, a.dtype if isinstance(a, Expr) else None)
    if isinstance(x, Const) and isinstance(y, Const):
        return FOLD[op](x.value, y.value)
    dtype = common_type(x, y)
    known = decide(op, x, y) if dtype == INDEX else None
    if known is not None:
        return known
    return Expr(op, (convert(x, dtype), convert(y, dtype)), "bool")


def decide(op, x, y):
    """True or False where the bounds of both indices decide a comparison, else None."""
    from .affine import never_negative

    less, more = fold_index("sub", y, x), fold_index("sub", x, y)
    if op in ("gt", "le"):
        less, more = more, less
    # Now x < y (or y < x) is asked for, or its opposite.
    strict = op in ("lt", "gt")
    if op not in ("lt", "gt", "le", "ge"):
        return None
    if never_negative(fold_index("sub", wrap(less, x), Const(1, INDEX))):
        return strict
    return (not strict) if never_negative(more) else None


@lanewise
def logical_not(x):
    x = settle(x)
    if not isinstance(x, Expr):
        return not x
    return Expr("not", (x,), "bool")


@lanewise
def select(condition, a, b):
    """T.if_then_else."""
    condition, a, b = settle(condition), settle(a), settle(b)
    if not isinstance(condition, Expr):
        return a if condition else b
    x = wrap(a, b.dtype if isinstance(b, Expr) else None)
    y = wrap(b, a.dtype if isinstance(a, Expr) else None)
    dtype = common_type(x, y)
    if dtype == INDEX and computed(condition):
        # A number that data chooses steers nothing: it is an element.
        dtype = DType("int32")
    return Expr("select", (condition, convert(x, dtype), convert(y, dtype)), dtype)


def computed(condition):
    """Whether a condition looks at what the kernel computes, or at floats; tables of integers may steer."""
    from .reads import elements

    return any(x.dtype.is_float or x.buffer.scope != "global" and not x.buffer.table for x in elements(condition))


@lanewise
def call(name, function, x):
    """A function of math, of a number or of an expression."""
    x = settle(x)
    if is_number(x) or isinstance(x, Const):
        try:
            value = function(number(x))
        except (ValueError, OverflowError):
            value = math.nan
        return value if is_number(x) else Const(value, x.dtype)
    if x.dtype == INDEX or not x.dtype.is_float:
        x = convert(x, DType("float32"))
    return Expr("call:" + name, (x,), x.dtype)


SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "lt": "<", "le": "<=",
         "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>",
         "pow": "**"}


def text(x):
    """An expression as the user might have written it, for messages."""
    x = settle(x)
    if not isinstance(x, Expr):
        return str(x)
    if isinstance(x, Const):
        return str(x.value)
    if isinstance(x, Var):
        return x.name
    if isinstance(x, Load):
        return f"{x.buffer.name}[{', '.join(text(i) for i in x.indices)}]"
    if x.op in SIGNS:
        return f"({text(x.args[0])} {SIGNS[x.op]} {text(x.args[1])})"
    return f"{x.op.removeprefix('call:')}({', '.join(text(a) for a in x.args)})"
