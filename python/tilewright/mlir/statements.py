"""Writes statements: copies, fills, products, reductions, loops and branches."""

import math

from .. import program as p
from ..affine import bounds
from ..bits import type_limits
from ..buffers import Region
from ..dtypes import DType
from ..errors import TileError
from ..expr import INDEX, Const, Expr, Load, Var, binary, call, compare, number, select, settle
from ..reads import loads
from ..trace.control import high
from . import views
from .generic import Generic
from .index import IndexWriter


class Statements:
    """Writes the statements of a kernel. `names` maps buffers to their views and Vars to their names."""

    def __init__(self, writer):
        self.w = writer
        self.names, self.buffers = {}, {}
        self.index = IndexWriter(writer, self.names, self.element)

    def body(self, statements):
        for s in statements:
            self.w.at = s.at
            try:
                getattr(self, "write_" + type(s).__name__.lower())(s)
            except TileError as error:
                error.at = getattr(error, "at", None) or s.at
                raise

    def region(self, buffer, starts, extents, keep=None, limited=(), steps=()):
        """The view of a box; where a tensor ends before the box does, it ends there, but for dimensions that are."""
        keep = list(range(len(starts))) if keep is None else keep
        sizes = enumerate(zip(starts, extents, buffer.shape))
        # One element of a dimension that the view has not is there, or not, as a whole.
        extents = [
            e if d in limited or d not in keep and number(e) == 1 else self.clip(buffer, s, e, n) for d, (s, e, n) in sizes
        ]
        if buffer.scope != "global":
            # The only index that a dimension of one element has.
            starts = [0 if number(n) == 1 else s for s, n in zip(starts, buffer.shape)]
        view = self.buffers[id(buffer)]
        return views.subview(self.w, self.index, view, starts, extents, keep, dict(steps))

    def element(self, load):
        """An element of a tensor of integers, by itself, as an index: it steers loops, branches and blocks."""
        view = self.buffers[id(load.buffer)]
        places = [self.index.value(i) for i in load.indices]
        key = ("element of a tensor", view.name, tuple(places))
        known = self.w.known(key)
        if known:
            return known
        kind = load.buffer.dtype.mlir
        name = self.index.assign(load.buffer.name or "element", f"memref.load {view.name}[{', '.join(places)}] : {view.type}")
        if kind != "index":
            cast = "index_cast" if load.buffer.dtype.is_signed else "index_castui"
            name = self.index.assign(f"{load.buffer.name or 'element'}_i", f"arith.{cast} {name} : {kind} to index")
        return self.w.remember(key, name)

    def clip(self, buffer, start, extent, size):
        if buffer.scope != "global" or views.fits(start, extent, size):
            return extent
        if number(extent) == 1 and any(True for _ in loads(start)):
            # One row that a table names is there, or the table is wrong; tt-run sees that when it runs.
            return extent
        return binary("min", extent, size - settle(start))

    def box(self, region, keep=None, limited=()):
        return self.region(region.buffer, region.starts, region.extents, keep, limited)

    # Moves.

    def write_copy(self, s):
        src, dst = s.src, s.dst
        a, b = kept(src, dst)
        across = self.line_inside(src, dst)
        if across is not None:
            return self.write_line(src, dst, across)
        limits = [self.limit(src, i, dst, j) for i, j in zip(a, b)]
        cut = False
        for i, j, limit in zip(a, b, limits):
            if number(limit) is None or number(limit) != number(src.extents[i]):
                src.extents[i] = dst.extents[j] = limit
                cut = True
        if cut:
            # Outside of a tensor is zero.
            if dst.buffer.scope != "global":
                self.fill_view(self.region(dst.buffer, [0] * dst.buffer.ndim, list(dst.buffer.shape)), 0)
        from_view, to_view = self.box(src, a, a), self.box(dst, b, b)
        if is_row(src) != is_row(dst) and len(a) == 1:
            self.convert(src, dst, a, b)
        elif src.dtype == dst.dtype:
            self.w.op(f"memref.copy {from_view.name}, {to_view.name} : {from_view.type} to {to_view.type}")
        elif src.dtype.is_float and dst.dtype.is_float and src.dtype.bits != dst.dtype.bits:
            self.w.op(
                f"linalg.copy ins({from_view.name} : {from_view.type}) outs({to_view.name} : {to_view.type})"
            )
        else:
            self.convert(src, dst, a, b)

    def line_inside(self, src, dst):
        """The dimension in which a copy writes one row or column inside of the tiles of a core's matrix, or None."""
        core = dst.buffer.scope != "global" and src.buffer.scope != "global" and src.buffer is not dst.buffer
        if not core or len(dst.extents) != 2 or not all(isinstance(n, int) for n in dst.buffer.shape):
            return None
        part = [d for d in range(2) if number(dst.extents[d]) != dst.buffer.shape[d]]
        if len(part) != 1 or number(dst.extents[part[0]]) != 1 or number(dst.starts[part[0]]) == 0:
            return None
        return part[0] if number(dst.starts[1 - part[0]]) == 0 else None

    def write_line(self, src, dst, across):
        """Such a copy, as a choice between what is copied and what was there."""
        sizes = dst.buffer.shape
        variables = [Var("rc"[d], 0, sizes[d] - 1) for d in range(2)]
        from_at = list(src.starts)
        for d in [d for d, e in enumerate(src.extents) if number(e) != 1][:1]:
            from_at[d] = from_at[d] + variables[1 - across]
        hit = compare("eq", variables[across], dst.starts[across])
        value = select(hit, Load(src.buffer, from_at), Load(dst.buffer, variables))
        Generic(self, p.Store(self.w.at, dst.buffer, variables, value, list(zip(variables, sizes)), [])).write()

    def limit(self, src, i, dst, j):
        """The extent that both sides have before a tensor ends."""
        extent = src.extents[i]
        for region, d in ((src, i), (dst, j)):
            if region.buffer.scope == "global":
                extent = self.clip(region.buffer, region.starts[d], extent, region.buffer.shape[d])
        return extent

    def convert(self, src, dst, a, b):
        """A copy that changes the type, as an elementwise op."""
        loops = [(Var("ijklmnpq"[n], 0, high(src.extents[i])), src.extents[i]) for n, i in enumerate(a)]
        from_at, to_at = list(src.starts), list(dst.starts)
        for (var, _), i, j in zip(loops, a, b):
            from_at[i] = from_at[i] + var
            to_at[j] = to_at[j] + var
        value = Load(src.buffer, from_at)
        if src.dtype != dst.dtype:
            value = Expr("cast", (value,), dst.dtype)
        Generic(self, p.Store(self.w.at, dst.buffer, to_at, value, loops, [])).write()

    def write_fill(self, s):
        self.fill_view(self.box(s.dst), s.value)

    def fill_view(self, view, value):
        value = settle(value)
        constant = number(value)
        if constant is None:
            raise TileError("T.fill with a value that depends on the kernel; use T.Parallel and an assignment")
        name = self.w.number(constant, view.dtype)
        self.w.op(f"linalg.fill ins({name} : {view.dtype.mlir}) outs({view.name} : {view.type})")

    # Products and reductions.

    def write_gemm(self, s):
        if not s.c.dtype.is_float:
            return self.write_integer_gemm(s)
        if len(s.a.extents) == 1:
            a, b, c = (self.box(r) for r in (s.a, s.b, s.c))
            self.w.op(f"linalg.vecmat ins({a.name}, {b.name} : {a.type}, {b.type}) outs({c.name} : {c.type})")
            return
        a, b, c = (self.box(r, matrix(r)) for r in (s.a, s.b, s.c))
        maps = ""
        if s.transpose_a or s.transpose_b:
            names = [self.w.map(3, r) for r in (
                ["d2", "d0"] if s.transpose_a else ["d0", "d2"], ["d1", "d2"] if s.transpose_b else ["d2", "d1"],
                ["d0", "d1"])]
            maps = f" indexing_maps = [{', '.join(names)}]"
        self.w.op(
            f"linalg.matmul{maps} ins({a.name}, {b.name} : {a.type}, {b.type}) outs({c.name} : {c.type})"
        )

    def write_integer_gemm(self, s):
        """A product of integers, as one of floats, which is exact up to 2^24; the sum is one of integers."""
        depth = number(s.a.extents[matrix(s.a)[0 if s.transpose_a else 1]])
        largest = math.prod(max(map(abs, type_limits(r.dtype))) for r in (s.a, s.b)) * (depth or 1)
        if s.a.dtype.is_float or s.b.dtype.is_float or largest > 1 << 24:
            raise TileError(
                f"T.gemm of {s.a.dtype} and {s.b.dtype} into {s.c.dtype}: integers are multiplied as floats, which are exact "
                "up to 2^24; use operands of 8 bits, and steps of at most 1024"
            )
        wide = [self.as_float(r) for r in (s.a, s.b)]
        c = Region(s.c.buffer, s.c.starts, s.c.extents)
        product = self.temporary("product", [c.extents[d] for d in matrix(c)], DType("float32"))
        whole = Region(product, [0, 0], list(product.shape))
        self.fill_view(self.box(whole), 0)
        self.write_gemm(p.Gemm(s.at, *wide, whole, s.transpose_a, s.transpose_b))
        loops = [(Var("ij"[n], 0, high(e)), e) for n, e in enumerate(product.shape)]
        to_at = list(c.starts)
        for d, (var, _) in zip(matrix(c), loops):
            to_at[d] = to_at[d] + var
        total = binary("add", Load(c.buffer, to_at), Expr("cast", (Load(product, [v for v, _ in loops]),), c.dtype))
        Generic(self, p.Store(s.at, c.buffer, to_at, total, loops, [])).write()

    def as_float(self, region):
        """A matrix of integers as one of floats, of its own."""
        dims = matrix(region)
        buffer = self.temporary(f"{region.buffer.name}_wide", [region.extents[d] for d in dims], DType("float32"))
        loops = [(Var("ij"[n], 0, high(e)), e) for n, e in enumerate(buffer.shape)]
        at = list(region.starts)
        for d, (var, _) in zip(dims, loops):
            at[d] = at[d] + var
        value = Expr("cast", (Load(region.buffer, at),), buffer.dtype)
        Generic(self, p.Store(self.w.at, buffer, [v for v, _ in loops], value, loops, [])).write()
        return Region(buffer, [0, 0], list(buffer.shape))

    def write_reduce(self, s):
        """dst = dst op src, as a store with a serial loop along dim."""
        src, dst = s.src, s.dst
        loops, sums, from_at = [], [], []
        alone = len(src.extents) - 1 - len(dst.extents)  # dimensions of one that the result has not
        for d, (start, extent) in enumerate(zip(src.starts, src.extents)):
            if alone > 0 and d != s.dim and number(extent) == 1:
                alone -= 1
                from_at.append(start)
                continue
            var = Var("ijklmnpq"[d], 0, high(extent))
            from_at.append(start + var if number(start) != 0 else var)
            if d == s.dim:
                sums.append((var, 0, extent, 1))
            else:
                loops.append((var, extent))
        to_at, free = [], [v for v, _ in loops]
        rest = len(dst.extents) - len(free)
        for d, start in enumerate(dst.starts):
            if rest and (d == s.dim or len(dst.extents) - d <= rest - 1 + 0):
                to_at.append(start)
                rest -= 1
            else:
                var = free.pop(0)
                to_at.append(start + var if number(start) != 0 else var)
        value, old = Load(src.buffer, from_at), Load(dst.buffer, to_at)
        if s.kind in ("abssum", "absmax"):
            value = call("abs", abs, value)
        op = {"sum": "add", "abssum": "add", "max": "max", "absmax": "max", "min": "min"}[s.kind]
        if value.dtype != dst.dtype:
            value = Expr("cast", (value,), dst.dtype)
        Generic(self, p.Store(s.at, dst.buffer, to_at, binary(op, old, value), loops, sums)).write()

    def write_cumsum(self, s):
        """Running sums along dim, as a product with a triangle of ones."""
        src, dst = s.src, s.dst
        n = src.extents[s.dim]
        rank = [d for d, e in enumerate(src.extents) if number(e) != 1] or [0]
        if len(rank) > 2 or s.dim not in rank:
            raise TileError("T.cumsum of more than two dimensions")
        triangle = self.temporary("triangle", (n, n), src.dtype)
        i, j = Var("i", 0, n - 1), Var("j", 0, n - 1)
        last = s.dim == rank[-1]
        # Along columns y[i] = sum over k <= i of x[k]; along rows the triangle stands on the right.
        keep = compare("le", i, j) if last != s.reverse else compare("ge", i, j)
        one = select(keep, Const(1.0, src.dtype), Const(0.0, src.dtype))
        Generic(self, p.Store(s.at, triangle, [i, j], one, [(i, n), (j, n)], [])).write()
        x, t = self.box(src, rank), self.buffers[id(triangle)]
        result = self.temporary("sums", [src.extents[d] for d in rank], DType("float32"))
        y = self.buffers[id(result)]
        self.fill_view(y, 0)
        if len(rank) == 1:
            op, ins = "linalg.vecmat", (x, t)
        else:
            op, ins = "linalg.matmul", (x, t) if last else (t, x)
        self.w.op(
            f"{op} ins({ins[0].name}, {ins[1].name} : {ins[0].type}, {ins[1].type}) outs({y.name} : {y.type})"
        )
        to = self.box(dst, rank)
        op = "memref.copy" if to.dtype == y.dtype else "linalg.copy"
        if op == "memref.copy":
            self.w.op(f"memref.copy {y.name}, {to.name} : {y.type} to {to.type}")
        else:
            self.w.op(f"linalg.copy ins({y.name} : {y.type}) outs({to.name} : {to.type})")

    def temporary(self, name, shape, dtype):
        """A fragment that the kernel does not name."""
        from ..buffers import Buffer

        buffer = Buffer(shape, dtype, "fragment", name)
        self.alloc(buffer)
        return buffer

    def alloc(self, buffer):
        base = getattr(buffer, "base", None)
        if base is not None:
            self.buffers[id(buffer)] = views.reshape(self.w, self.buffers[id(base)], buffer)
            return
        view = views.base(self.w.fresh(buffer.name or "buffer"), buffer, views.SPACE[buffer.scope])
        self.buffers[id(buffer)] = view
        self.w.op(f"{view.name} = memref.alloc() : {view.type}")

    def write_store(self, s):
        Generic(self, s).write()

    # Loops and branches.

    def write_for(self, s):
        low, end, step = self.index.value(s.low), self.index.value(s.high), self.w.index(s.step)
        name = self.w.fresh(s.var.name)
        self.names[id(s.var)] = name
        self.w.open(f"scf.for {name} = {low} to {end} step {step} {{")
        self.body(s.body)
        self.w.at = s.at
        self.w.close(f"}} {{tt.num_stages = {s.stages} : i64}}" if s.stages else "}")

    def write_if(self, s):
        condition = self.index.condition(s.condition)
        self.w.open(f"scf.if {condition} {{")
        self.body(s.body)
        self.w.at = s.at
        if s.other:
            self.w.scopes.pop()
            self.w.indent -= 2
            self.w.open("} else {")
            self.body(s.other)
        self.w.at = s.at
        self.w.close()


def kept(src, dst):
    """The dimensions of both regions that a copy keeps: all of them if they agree, else those that are not 1."""
    a, b = list(range(len(src.extents))), list(range(len(dst.extents)))

    def sizes(region, dims):
        return [number(region.extents[d]) for d in dims]

    while len(a) > len(b) and number(src.extents[a[0]]) == 1:
        a.pop(0)
    while len(b) > len(a) and number(dst.extents[b[0]]) == 1:
        b.pop(0)
    if len(a) == len(b) and sizes(src, a) == sizes(dst, b) and len(a) <= 2:
        return a, b
    a = [d for d in range(len(src.extents)) if number(src.extents[d]) != 1]
    b = [d for d in range(len(dst.extents)) if number(dst.extents[d]) != 1]
    return a or [len(src.extents) - 1], b or [len(dst.extents) - 1]


def is_row(region):
    """Whether a region is a row of matrices; a vector is none."""
    return len(region.extents) > 1


def matrix(region):
    """The two dimensions of a product's operand: the last two, the others being 1."""
    rank = len(region.extents)
    if rank < 2 or any(number(e) != 1 for e in region.extents[:-2]):
        raise TileError(f"T.gemm of {region.buffer.name}, which is no matrix")
    return [rank - 2, rank - 1]


__all__ = ["Statements", "bounds", "INDEX"]
