"""Writes index expressions: sums, products, quotients of cells, loops and sizes."""

from ..affine import bounds, key_of, linear
from ..errors import TileError
from ..expr import INDEX, Expr, Var, as_index, number, settle, text, wrap

OPS = {"add": "arith.addi", "sub": "arith.subi", "mul": "arith.muli", "min": "arith.minsi", "max": "arith.maxsi",
       "and": "arith.andi", "or": "arith.ori"}
COMPARE = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge", "eq": "eq", "ne": "ne"}


class IndexWriter:
    """`names` maps the id of a Var to its SSA name; `element(load)` writes an element of a tensor of integers."""

    def __init__(self, writer, names, element=None):
        self.w, self.names, self.element = writer, names, element

    def value(self, x):
        """The SSA name of an index."""
        x = settle(x)
        constant = number(x)
        if constant is not None:
            return self.w.index(int(constant))
        if x.dtype != INDEX:
            found = as_index(x)
            if found is None:
                raise TileError(
                    f"'{text(x)}' is an index that depends on data; an index is made of cells, loops, sizes and elements "
                    "of tensors of integers"
                )
            return self.value(found)
        key = ("index", key_of(x))
        known = self.w.known(key)
        if known:
            return known
        return self.w.remember(key, self.write(x))

    def write(self, x):
        if isinstance(x, Var):
            if id(x) not in self.names:
                raise TileError(f"'{x.name}' is used outside of the loop that it counts")
            return self.names[id(x)]
        if x.op == "cast":
            return self.value(x.args[0])
        if x.op in ("add", "sub", "mul"):
            return self.total(x)
        if x.op in ("floordiv", "mod"):
            return self.quotient(x)
        if x.op in OPS:
            return self.op(OPS[x.op], x.args)
        if x.op == "select":
            c, a, b = self.condition(x.args[0]), self.value(x.args[1]), self.value(x.args[2])
            return self.assign("select", f"arith.select {c}, {a}, {b} : index")
        if x.op == "scalar":
            return self.element(x.args[0])
        raise TileError(f"'{text(x)}' cannot be an index")

    def total(self, x):
        """A sum, from its linear form: what is equal looks equal."""
        terms, constant = linear(x)
        result = None
        for k, atom in terms.values():
            if k < 0:
                continue
            piece = self.product(k, atom)
            result = piece if result is None else self.binary("arith.addi", result, piece)
        if constant > 0 or result is None:
            piece = self.w.index(constant if constant > 0 else 0)
            result = piece if result is None else self.binary("arith.addi", result, piece)
        for k, atom in terms.values():
            if k < 0:
                result = self.binary("arith.subi", result, self.product(-k, atom))
        if constant < 0:
            result = self.binary("arith.subi", result, self.w.index(-constant))
        return result

    def product(self, k, atom):
        if isinstance(atom, Expr) and atom.op == "mul":
            name = self.binary("arith.muli", self.value(atom.args[0]), self.value(atom.args[1]))
        else:
            name = self.value(atom)
        return name if k == 1 else self.binary("arith.muli", name, self.w.index(k))

    def binary(self, op, a, b):
        key = ("op", op, a, b)
        known = self.w.known(key)
        return known or self.w.remember(key, self.assign(op.split(".")[1].rstrip("i"), f"{op} {a}, {b} : index"))

    def quotient(self, x):
        low, _ = bounds(x.args[0])
        divisor = bounds(x.args[1])[0]
        plain = low is not None and low >= 0 and divisor is not None and divisor > 0
        if x.op == "floordiv":
            return self.op("arith.divui" if plain else "arith.floordivsi", x.args)
        if not plain:
            raise TileError(f"'{text(x)}' may be of a negative number; write it so that it is none")
        return self.op("arith.remui", x.args)

    def op(self, op, args):
        a, b = (self.value(v) for v in args)
        return self.assign(op.split(".")[1].rstrip("iu"), f"{op} {a}, {b} : index")

    def assign(self, base, text_of_op):
        name = self.w.fresh(base)
        self.w.op(f"{name} = {text_of_op}")
        return name

    def condition(self, x):
        """The SSA name of a comparison of indices."""
        x = settle(x)
        if not isinstance(x, Expr):
            return self.w.constant("true" if x else "false", "true" if x else "false", "i1")
        if x.op in COMPARE:
            a, b = (as_index(v) for v in x.args)
            if a is None or b is None:
                raise TileError(f"'{text(x)}' is a branch that depends on data; use T.if_then_else on elements")
            return self.assign("cond", f"arith.cmpi {COMPARE[x.op]}, {self.value(a)}, {self.value(b)} : index")
        if x.op in ("and", "or"):
            a, b = (self.condition(v) for v in x.args)
            return self.assign(x.op, f"arith.{x.op}i {a}, {b} : i1")
        if x.op == "not":
            return self.condition(opposite(x.args[0]))
        if x.op == "load" and not x.dtype.is_float and x.buffer.scope == "global":
            return self.assign("cond", f"arith.cmpi ne, {self.element(x)}, {self.w.index(0)} : index")
        raise TileError(f"'{text(x)}' is a branch that depends on data; use T.if_then_else on elements")


#: The comparison that holds where another one does not.
OPPOSITE = {"lt": "ge", "ge": "lt", "le": "gt", "gt": "le", "eq": "ne", "ne": "eq"}


def opposite(x):
    """What holds where a condition does not; nothing is left of `not`, of which kernels have no form."""
    x = settle(x)
    if not isinstance(x, Expr):
        return not x
    if x.op in OPPOSITE:
        return Expr(OPPOSITE[x.op], x.args, x.dtype)
    if x.op in ("and", "or"):
        return Expr("or" if x.op == "and" else "and", [opposite(v) for v in x.args], x.dtype)
    return x.args[0] if x.op == "not" else Expr("eq", (x, wrap(0, x.dtype)), x.dtype)
