"""Writes the body of a linalg.generic: arithmetic on elements."""

from ..affine import build, key_of, linear, split
from ..dtypes import DType
from ..errors import TileError
from ..expr import INDEX, Const, Expr, Var, convert, number, settle, text
from ..lang.math import UNARY
from .index import COMPARE, IndexWriter
from .whole import Whole, needs

FLOAT = {"add": "addf", "sub": "subf", "mul": "mulf", "div": "divf", "max": "maximumf", "min": "minimumf"}
INT = {"add": "addi", "sub": "subi", "mul": "muli", "max": "maxsi", "min": "minsi", "and": "andi", "or": "ori",
       "xor": "xori", "shl": "shli", "floordiv": "floordivsi"}
UNSIGNED = INT | {"max": "maxui", "min": "minui", "floordiv": "divui", "mod": "remui"}
OPPOSITE = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}
FLOAT_COMPARE = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "ne": "une"}


FLOAT32 = DType("float32")
#: Sums of steps up to which tiles hold indices (lib/Transforms/Tile/index_expression.c): bf16 is exact up to 256.
LARGEST_STEP = 4


class Body:
    """`loads` maps the key of an element to the block argument that holds it; `dims` a loop's Var to its number."""

    def __init__(self, writer, index, loads, dims):
        self.w, self.loads, self.outside = writer, loads, index
        self.variables = list(dims)
        self.dims = {id(v): d for v, d in dims.items()}
        self.wanted, self.rests = {}, {}
        self.whole = Whole(self)
        self.floats = {}  # names of narrow integers that were made floats before
        self.index = IndexWriter(writer, dict(index.names))

    def value(self, x):
        x = settle(x)
        key = ("element", key_of(x))
        known = self.w.known(key)
        return known or self.w.remember(key, self.write(x))

    def write(self, x):
        if isinstance(x, Const):
            return self.w.index(x.value) if x.dtype == INDEX else self.w.number(x.value, x.dtype)
        if x.op == "load":
            if key_of(x) in self.floats:
                raise TileError(f"'{text(x)}' is broadcast, and narrow integers are only compared and made floats then")
            return self.loads[key_of(x)]
        if x.dtype == INDEX:
            return self.index_value(x)
        if isinstance(x, Var):
            return self.index.names[id(x)]
        if x.op == "from fields":
            return self.convert(self.whole.from_fields(x), FLOAT32, x.dtype)
        if needs(x, self.floats):
            return self.whole.stored(x)
        if x.op == "cast":
            return self.cast(x)
        if x.op in COMPARE:
            return self.compare(x)
        if x.op == "select":
            c, a, b = (self.value(v) for v in x.args)
            return self.assign(f"arith.select {c}, {a}, {b} : {x.dtype.mlir}")
        if x.op == "not":
            return self.negation(settle(x.args[0]))
        if x.op.startswith("call:"):
            op = UNARY[x.op[5:]][0]
            return self.assign(f"math.{op} {self.value(x.args[0])} : {x.dtype.mlir}")
        if x.op == "absi":
            return self.assign(f"math.absi {self.value(x.args[0])} : {x.dtype.mlir}")
        return self.binary(x)

    def prepare(self, x):
        """Writes what an index of the body needs from outside, before the body is opened."""
        x = settle(x)
        if isinstance(x, Const) or not isinstance(x, Expr) or x.op == "load":
            return
        if x.dtype == INDEX:
            parts = split(x, self.variables)
            if parts is None:
                plain, atoms = self.separated(x)
                self.prepare(plain)
                for atom in (a for _, atom in atoms for a in atom.args):
                    self.prepare(atom)
                return
            for _, var in parts[0]:
                self.wanted[id(var)] = var
            self.rests[key_of(x)] = (parts[0], None if number(parts[1]) == 0 else self.outside.value(parts[1]))
            if len(parts[0]) > 1 or parts[0] and parts[0][0][0] != 1:
                for part in [v for _, v in parts[0]] + ([parts[1]] if isinstance(parts[1], Expr) else []):
                    self.prepare(part)
            return
        for a in x.args:
            self.prepare(a)

    def separated(self, x):
        """An index as (the sum of what is one, [(factor, what is none of loops)…])."""
        terms, constant = linear(x)
        odd = {key: t for key, t in terms.items() if split(t[1], self.variables) is None}
        return build({key: t for key, t in terms.items() if key not in odd}, constant), list(odd.values())

    def write_indices(self):
        """linalg.index of each loop that the body computes with, at the body's top."""
        for var in self.wanted.values():
            name = self.w.fresh(var.name)
            self.w.op(f"{name} = linalg.index {self.dims[id(var)]} : index")
            self.index.names[id(var)] = name

    def index_value(self, x):
        if key_of(x) not in self.rests:
            return self.index.value(x)
        mine, total = self.rests[key_of(x)]
        for k, var in sorted(mine, key=lambda t: -t[0]):
            if k < 0:
                total = self.w.index(0) if total is None else total
                total = self.index.binary("arith.subi", total, self.index.product(-k, var))
                continue
            piece = self.index.product(k, var)
            total = piece if total is None else self.index.binary("arith.addi", total, piece)
        return total if total is not None else self.w.index(0)

    def binary(self, x):
        a, b = x.args
        kind = x.dtype.mlir
        if x.op == "sub" and isinstance(a, Const) and a.value == 0 and x.dtype.is_float:
            return self.assign(f"arith.negf {self.value(b)} : {kind}")
        if x.op == "pow":
            return self.assign(f"math.powf {self.value(a)}, {self.value(b)} : {kind}")
        if x.op == "shr":
            op = "shrsi" if x.dtype.is_signed else "shrui"
        else:
            op = (FLOAT if x.dtype.is_float else INT if x.dtype.is_signed else UNSIGNED).get(x.op)
        if not op:
            raise TileError(f"'{text(x)}': no such operation on {x.dtype}")
        return self.assign(f"arith.{op} {self.value(a)}, {self.value(b)} : {kind}")

    def float_index(self, x):
        """An index as an f32, exact up to 2^23: tiles have no quotients and choices of integers."""
        x = settle(x)
        if number(x) is not None:
            return self.w.number(float(number(x)), FLOAT32)
        key = ("index as a float", key_of(x))
        known = self.w.known(key)
        if known:
            return known
        parts = split(x, self.variables)
        if parts is not None and reach(parts) > LARGEST_STEP:
            total = self.float_index(parts[1]) if number(parts[1]) != 0 else None
            for k, var in parts[0]:
                piece = self.float_index(var)
                if k != 1:
                    piece = self.assign(f"arith.mulf {piece}, {self.w.number(float(k), FLOAT32)} : f32")
                total = piece if total is None else self.assign(f"arith.addf {total}, {piece} : f32")
            return self.w.remember(key, total)
        if parts is not None:
            whole = self.assign(f"arith.index_cast {self.index_value(x)} : index to i32")
            return self.w.remember(key, self.assign(f"arith.sitofp {whole} : i32 to f32"))
        plain, atoms = self.separated(x)
        total = None if number(plain) == 0 else self.float_index(plain)
        for k, atom in atoms:
            piece = self.float_atom(atom)
            if k != 1:
                piece = self.assign(f"arith.mulf {piece}, {self.w.number(float(k), FLOAT32)} : f32")
            total = piece if total is None else self.assign(f"arith.addf {total}, {piece} : f32")
        return self.w.remember(key, total)

    def float_atom(self, x):
        if x.op in ("floordiv", "mod") and number(x.args[1]) and number(x.args[1]) > 0:
            # Half a step more, so that rounding does not reach the next whole number.
            k, value = number(x.args[1]), self.float_index(x.args[0])
            middle = self.assign(f"arith.addf {value}, {self.w.number(0.5, FLOAT32)} : f32")
            ratio = self.assign(f"arith.mulf {middle}, {self.w.number(1 / k, FLOAT32)} : f32")
            whole = self.assign(f"math.floor {ratio} : f32")
            if x.op == "floordiv":
                return whole
            below = self.assign(f"arith.mulf {whole}, {self.w.number(float(k), FLOAT32)} : f32")
            return self.assign(f"arith.subf {value}, {below} : f32")
        if x.op in ("min", "max", "mul"):
            a, b = (self.float_index(v) for v in x.args)
            return self.assign(f"arith.{FLOAT[x.op]} {a}, {b} : f32")
        if x.op == "select":
            condition = self.value(x.args[0])
            a, b = (self.float_index(v) for v in x.args[1:])
            return self.assign(f"arith.select {condition}, {a}, {b} : f32")
        raise TileError(f"'{text(x)}' of a parallel loop: elements are computed with sums, quotients by constants, min, max "
                        "and choices of loops only")

    def compare(self, x):
        a, b = x.args
        if a.dtype == INDEX and self.as_floats(a, b):
            a, b = self.float_index(a), self.float_index(b)
            return self.assign(f"arith.cmpf {FLOAT_COMPARE[x.op]}, {a}, {b} : f32")
        if a.dtype != INDEX and not a.dtype.is_float and 1 < a.dtype.bits < 32:
            left, right = (self.as_float(v) for v in (a, b))
            return self.assign(f"arith.cmpf {FLOAT_COMPARE[x.op]}, {left}, {right} : f32")
        if needs(a, self.floats) or needs(b, self.floats):
            left, right = self.whole.value(a), self.whole.value(b)
            return self.assign(f"arith.cmpf {FLOAT_COMPARE[x.op]}, {left}, {right} : f32")
        left, right = self.value(a), self.value(b)
        kind = "index" if a.dtype == INDEX else a.dtype.mlir
        if a.dtype != INDEX and a.dtype.is_float:
            return self.assign(f"arith.cmpf {FLOAT_COMPARE[x.op]}, {left}, {right} : {kind}")
        sign = COMPARE[x.op]
        if a.dtype != INDEX and not a.dtype.is_signed:
            sign = sign.replace("s", "u", 1) if sign[0] == "s" else sign
        return self.assign(f"arith.cmpi {sign}, {left}, {right} : {kind}")

    def as_floats(self, a, b):
        """Whether indices are compared as floats: quotients, and steps that are too long for tiles of indices."""
        parts = [split(v, self.variables) for v in (a, b)]
        return None in parts or sum(reach(q) for q in parts) > LARGEST_STEP

    def as_float(self, x):
        """A narrow integer as a float."""
        x = settle(x)
        if x.op == "cast" and not x.dtype.is_float and x.args[0].dtype != INDEX and x.args[0].dtype.bits < 32:
            x = settle(x.args[0])
        return self.floats.get(key_of(x)) or self.value(convert(x, FLOAT32))

    def negation(self, x):
        """not x, with comparisons turned around: the chip has them, and no `not`."""
        if x.op == "not":
            return self.value(x.args[0])
        if x.op in ("and", "or"):
            parts = [Expr("not", (a,), "bool") for a in x.args]
            return self.value(Expr("or" if x.op == "and" else "and", parts, "bool"))
        if x.op in OPPOSITE:
            a, b = x.args
            if a.dtype == INDEX or not a.dtype.is_float:
                return self.value(Expr(OPPOSITE[x.op], x.args, "bool"))
            # Of a number that is none, the comparison is false, and its negation true.
            predicate = {"eq": "oeq", "ne": "une"}.get(OPPOSITE[x.op], "u" + OPPOSITE[x.op])
            return self.assign(f"arith.cmpf {predicate}, {self.value(a)}, {self.value(b)} : {a.dtype.mlir}")
        true = self.w.constant("true", "true", "i1")
        return self.assign(f"arith.xori {self.value(x)}, {true} : i1")

    def cast(self, x):
        (a,), to = x.args, x.dtype
        if to.is_float and key_of(a) in self.floats:
            return self.convert(self.floats[key_of(a)], FLOAT32, to)
        if a.dtype == INDEX and to.is_float and split(a, self.variables) is None:
            return self.convert(self.float_index(a), FLOAT32, to)
        if to.is_float and needs(a, self.floats):
            return self.convert(self.whole.value(a), FLOAT32, to)
        value = self.value(a)
        if a.dtype == INDEX:
            name = self.assign(f"arith.index_cast {value} : index to i32")
            return name if to.mlir == "i32" else self.convert(name, type(to)("int32"), to)
        return self.convert(value, a.dtype, to)

    def convert(self, value, source, to):
        """A value in another type."""
        a, b = source.mlir, to.mlir
        if a == b:
            return value
        if source.is_float and to.is_float:
            if source.bits == to.bits:
                wide = self.assign(f"arith.extf {value} : {a} to f32")
                return self.assign(f"arith.truncf {wide} : f32 to {b}")
            op = "extf" if source.bits < to.bits else "truncf"
        elif source.is_float:
            op = "fptosi" if to.is_signed else "fptoui"
        elif to.is_float:
            op = "sitofp" if source.is_signed else "uitofp"
        elif source.bits > to.bits:
            op = "trunci"
        else:
            op = "extsi" if source.is_signed else "extui"
        return self.assign(f"arith.{op} {value} : {a} to {b}")

    def assign(self, what):
        name = self.w.fresh("e")
        self.w.op(f"{name} = {what}")
        return name



def reach(parts):
    """How many steps an index goes on where each of its loops goes one."""
    return sum(abs(k) for k, _ in parts[0])
