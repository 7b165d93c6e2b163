"""Elements of a core's buffer at any indices, as products with matrices that select them.

    a[i, 63 - j]           ->      r = a x e,   e[k, j] = 1 where k == 63 - j, else 0;        r[i, j]
    a[i // 4 + 8, j]       ->      r = e x a,   e[i, k] = 1 where k == i // 4 + 8, else 0;    r[i, j]
    b[i * 4 + j]           ->      r = m x e,   m[i, k] = b[k] where k // 4 == i, else 0;
                                                e[k, j] = 1 where k % 4 == j, else 0;         r[i, j]
    a[i, i]                ->      r[i] = sum over k of (a[i, k] where k == i, else 0)

What is outside of the buffer is zero. The FPU holds 8 bits of a number exactly: wider floats are three such parts,

    x  =  hi + mid + lo,    hi = bf16(x),  mid = bf16(x - hi),  lo = x - hi - mid

whose products are summed without rounding."""

from . import program as p
from .affine import build, key_of
from .buffers import Buffer, Region
from .dtypes import DType
from .errors import TileError
from .expr import Const, Expr, Load, Var, binary, cast, compare, select, substitute, text
from .folding import moving

FLOAT32, BFLOAT16 = DType("float32"), DType("bfloat16")


def temporary(kernel, at, name, shape, dtype, scope="fragment"):
    """A buffer that the kernel does not name."""
    buffer = Buffer(tuple(shape), dtype, scope, name)
    buffer.at, buffer.depth, buffer.stored, buffer.known = at, 0, False, None
    kernel.buffers.append(buffer)
    return buffer


def whole(buffer):
    return Region(buffer, [0] * len(buffer.shape), list(buffer.shape))


def loops_over(shape):
    variables = [Var("rcxyz"[d], 0, n - 1) for d, n in enumerate(shape)]
    return variables, list(zip(variables, shape))


class Selection:
    """Writes selections of one store; statements go to `out`, matrices that are always the same to `first`."""

    def __init__(self, kernel, at, out, first, matrices):
        self.kernel, self.at, self.out, self.first, self.matrices = kernel, at, out, first, matrices

    def temporary(self, name, shape, dtype):
        return temporary(self.kernel, self.at, name, shape, dtype)

    def store(self, buffer, indices, value, loops, sums=(), out=None):
        (self.out if out is None else out).append(p.Store(self.at, buffer, list(indices), value, list(loops), list(sums)))

    def read(self, load, extents, odd):
        """What stands for an element; `extents` are loops' steps by id, `odd` the dimensions to select along."""
        buffer, indices = load.buffer, list(load.indices)
        rank = len(indices)
        parts = self.exact(Region(buffer, indices[: rank - 2] + [0] * min(rank, 2), [1] * (rank - 2) + list(buffer.shape[-2:])))
        indices = indices[-2:]
        odd = [d - max(rank - 2, 0) for d in odd]
        sides = [self.variables(i, extents) for i in indices]
        if len(indices) == 2 and {id(v) for v in sides[0]} & {id(v) for v in sides[1]}:
            return self.finish(load, self.diagonal(parts, indices, sides, extents, odd))
        for d in sorted(odd, reverse=True):
            if len(sides[d]) > 1:
                if len(indices) == 1 and len(sides[d]) == 2:
                    return self.finish(load, self.two(parts, indices[0], sides[d], extents))
                raise TileError(
                    f"the index '{text(indices[d])}' of {buffer.name} has two loops at once, of a buffer of two dimensions; make "
                    "one of them a T.serial around the T.Parallel"
                )
            parts = [whole(self.along(parts, d, indices[d], sides[d], extents))]
            indices[d] = sides[d][0] if sides[d] else 0
        return self.finish(load, Load(parts[0].buffer, parts[0].starts[:-2] + indices))

    def finish(self, load, element):
        if load.buffer.dtype.is_float:
            return element if load.dtype == FLOAT32 else Expr("cast", (element,), load.dtype)
        return Expr("held", (element,), load.dtype)

    def variables(self, index, extents):
        found = {}

        def look(x):
            if isinstance(x, Var) and id(x) in extents:
                found[id(x)] = x
            for a in getattr(x, "args", ()) or getattr(x, "indices", ()):
                look(a)

        for _, atom in moving(index, set(extents))[0].values():
            look(atom)
        return list(found.values())

    def exact(self, region):
        """Matrices that the FPU holds exactly, and whose sum is this one."""
        buffer = region.buffer
        bits = buffer.dtype.bits
        if bits <= 16 and buffer.dtype.is_float or buffer.boolean:
            return [region]
        shape = [e for e in region.extents[-2:]]
        variables, loops = loops_over(shape)
        element = Load(buffer, list(region.starts[:-2]) + variables)
        if not buffer.dtype.is_float:
            wide = self.temporary(f"{buffer.name}_wide", shape, FLOAT32)
            self.store(wide, variables, Expr("cast", (element,), FLOAT32), loops)
            if bits <= 8:
                return [whole(wide)]
            element = Load(wide, variables)
        parts, rest = [], element
        for name in ("hi", "mid", "lo"):
            part = self.temporary(f"{buffer.name}_{name}", shape, FLOAT32)
            # Each in one expression of the element: the FPU would cut the operands of a difference of two blocks.
            upper = Expr("cast", (Expr("cast", (rest,), BFLOAT16),), FLOAT32)
            self.store(part, variables, upper, loops)
            parts.append(whole(part))
            rest = Expr("sub", (rest, upper), FLOAT32)
        return parts

    def along(self, parts, d, index, side, extents):
        """parts with the elements at `index` along dimension d, for all steps of the loop in it."""
        shape = list(parts[0].extents[-2:])
        n = extents[id(side[0])] if side else 1
        matrix = self.matrix(shape[d], n, index, side, last=d == len(shape) - 1)
        shape[d] = n
        result = self.temporary("selected", shape, FLOAT32)
        self.out.append(p.Fill(self.at, whole(result), 0))
        for part in parts:
            a, b = (part, whole(matrix)) if d == len(shape) - 1 else (whole(matrix), part)
            self.out.append(p.Gemm(self.at, a, b, whole(result), False, False))
        return result

    def matrix(self, m, n, index, side, last):
        """1 where the index is k, else 0: m x n where it stands on the right of a product, n x m on the left."""
        var = Var("n", 0, n - 1)
        place = substitute(index, {id(v): var for v in side})
        key = (m, n, last, len(side), key_of(substitute(index, {id(v): Expr("step", (), "index") for v in side})))
        alone = not depends_on_more(place, var)
        if alone and key in self.matrices:
            return self.matrices[key]
        matrix = self.temporary("selects", (m, n) if last else (n, m), BFLOAT16)
        k = Var("k", 0, m - 1)
        hit = compare("eq", k, place)
        value = select(hit, Const(1.0, BFLOAT16), Const(0.0, BFLOAT16))
        loops = [(k, m), (var, n)] if last else [(var, n), (k, m)]
        self.store(matrix, [v for v, _ in loops], value, loops, out=self.first if alone else None)
        if alone:
            self.matrices[key] = matrix
        return matrix

    def two(self, parts, index, side, extents):
        """b[c * v + w + rest], where w counts through less than c."""
        terms, rest, constant = moving(index, set(extents))
        order = sorted(terms.values(), key=lambda t: -abs(t[0]))
        if len(order) != 2 or any(not isinstance(v, Var) for _, v in order):
            raise TileError(f"'{text(index)}' is no sum of loops times constants")
        (c, v), (d, w) = order
        n, m = extents[id(v)], extents[id(w)]
        start = binary("add", build(rest, 0), constant + min(0, c * (n - 1)) + min(0, d * (m - 1))) if rest else (
            constant + min(0, c * (n - 1)) + min(0, d * (m - 1)))
        if abs(d) * (m - 1) >= abs(c):
            raise TileError(
                f"the index '{text(index)}' reaches the same elements in several ways; make one of its loops a T.serial around the "
                "T.Parallel"
            )
        size = parts[0].extents[-1]
        k = Var("k", 0, size - 1)
        up = v if c > 0 else binary("sub", n - 1, v)
        away = binary("sub", k, start)
        inside = compare("eq", binary("floordiv", away, abs(c)), up)
        right = w if d > 0 else binary("sub", m - 1, w)
        digit = binary("mod", away, abs(c))
        hit = compare("eq", digit, binary("mul", right, abs(d)))
        columns = self.temporary("selects", (size, m), BFLOAT16)
        self.store(columns, [k, w], select(hit, Const(1.0, BFLOAT16), Const(0.0, BFLOAT16)), [(k, size), (w, m)])
        result = self.temporary("selected", (n, m), FLOAT32)
        self.out.append(p.Fill(self.at, whole(result), 0))
        for part in parts:
            rows = self.temporary("rows", (n, size), part.buffer.dtype)
            value = select(inside, Load(part.buffer, [k]), Const(0.0, part.buffer.dtype))
            self.store(rows, [v, k], value, [(v, n), (k, size)])
            self.out.append(p.Gemm(self.at, whole(rows), whole(columns), whole(result), False, False))
        return Load(result, [v, w])

    def diagonal(self, parts, indices, sides, extents, odd):
        """a[f(i), g(i)]: rows first, then what of each row counts."""
        if len(sides[0]) != 1 or len(sides[1]) != 1:
            raise TileError(f"'{', '.join(text(i) for i in indices)}': two loops that both dimensions have")
        var = sides[0][0]
        n, size = extents[id(var)], parts[0].extents[-1]
        if 0 in odd or n != parts[0].extents[-2]:
            parts = [whole(self.along(parts, 0, indices[0], sides[0], extents))]
        result = self.temporary("diagonal", (n,), FLOAT32)
        self.out.append(p.Fill(self.at, whole(result), 0))
        k = Var("k", 0, size - 1)
        for part in parts:
            element = cast(FLOAT32, Load(part.buffer, part.starts[:-2] + [var, k]))
            value = select(compare("eq", k, indices[1]), element, Const(0.0, FLOAT32))
            self.store(result, [var], binary("add", Load(result, [var]), value), [(var, n)], [(k, 0, size, 1)])
        return Load(result, [var])


def both(a, b):
    """a and b, either of which may be decided."""
    if not isinstance(a, Expr):
        return b if a else False
    if not isinstance(b, Expr):
        return a if b else False
    return binary("and", a, b)


def depends_on_more(x, var):
    """Whether an expression has another variable, or an element, in it."""
    if isinstance(x, Var):
        return x is not var
    if isinstance(x, Load):
        return True
    return any(depends_on_more(a, var) for a in getattr(x, "args", ()))
