"""Elements at a quotient or remainder of a loop, B[i, j // 2]: as a product with a matrix that selects them.

    b[i, j // 2]          ->      s = b x e,  e[k, j] = 1 where k == j // 2, else 0;      s[i, j]

An element at a constant place, g[63], is a row's only one that counts. Blocks are read along their rows and columns. The product is exact for what the FPU holds: floats of 16 bits, and
integers of 8, which come out as floats."""

import math

from .. import program as p
from ..affine import depends, key_of, split
from ..dtypes import DType
from ..expr import Const, Expr, Load, Var, binary, compare, number, select, settle


def spread(generic, x):
    """x without such elements; what cannot be one stays, and is refused where it is written."""
    x = settle(x)
    if not isinstance(x, Expr) or x.op == "scalar":
        return x
    if isinstance(x, Load):
        if key_of(x) not in generic.parts_kept:
            found = selected(generic, x)
            generic.parts_kept[key_of(x)] = x if found is None else found
        return generic.parts_kept[key_of(x)]
    return Expr(x.op, [spread(generic, a) for a in x.args], x.dtype) if x.args else x


def single(generic, load):
    """An element by itself that does not begin a tile, as the largest of a row in which all others count as -inf."""
    buffer, place = load.buffer, number(load.indices[0])
    out, n = generic.out, buffer.shape[0]
    result = out.temporary("element", (1,), buffer.dtype)
    out.fill_view(out.buffers[id(result)], -math.inf)
    k = Var("k", 0, n - 1)
    chosen = select(compare("eq", k, place), Load(buffer, [k]), Const(-math.inf, buffer.dtype))
    value = binary("max", Load(result, [0]), chosen)
    type(generic)(out, p.Store(generic.store.at, result, [0], value, [], [(k, 0, n, 1)])).write()
    return Load(result, [0])


def selected(generic, load):
    place = number(load.indices[0]) if len(load.indices) == 1 else None
    if place and place % 32 and load.buffer.scope != "global" and load.dtype.is_float and not load.buffer.boolean:
        return single(generic, load)
    odd = [d for d, i in enumerate(load.indices) if split(i, generic.loops) is None]
    buffer = load.buffer
    exact = buffer.dtype.bits <= (16 if buffer.dtype.is_float else 8)
    if len(odd) != 1 or buffer.scope == "global" or len(buffer.shape) != 2 or not exact or buffer.boolean:
        return None
    d = odd[0]
    used = [v for v in generic.loops if depends(load.indices[d], {id(v)})]
    if len(used) != 1 or not isinstance(generic.extents[id(used[0])], int) or number(generic.lows.get(id(used[0]), 0)) != 0:
        return None
    out, var = generic.out, used[0]
    n, m = generic.extents[id(var)], buffer.shape[d]
    view = out.buffers[id(buffer)]
    dtype = buffer.dtype if buffer.dtype.is_float else DType("float32")
    if not buffer.dtype.is_float:
        view = generic.widened(load, view)
    matrix = out.temporary("selects", (m, n) if d == 1 else (n, m), dtype)
    k = Var("k", 0, m - 1)
    hit = compare("eq", k, load.indices[d])
    if not isinstance(hit, Expr):
        return None
    one = select(hit, Const(1.0, dtype), Const(0.0, dtype))
    loops = [(k, m), (var, n)] if d == 1 else [(var, n), (k, m)]
    type(generic)(out, p.Store(generic.store.at, matrix, [v for v, _ in loops], one, loops, [])).write()
    shape = (buffer.shape[0], n) if d == 1 else (n, buffer.shape[1])
    result = out.temporary("selected", shape, DType("float32"))
    to, e = out.buffers[id(result)], out.buffers[id(matrix)]
    out.fill_view(to, 0)
    a, b = (view, e) if d == 1 else (e, view)
    out.w.op(f"linalg.matmul ins({a.name}, {b.name} : {a.type}, {b.type}) outs({to.name} : {to.type})")
    indices = list(load.indices)
    indices[d] = var
    element = Load(result, indices)
    return Expr("cast" if buffer.dtype.is_float else "held", (element,), buffer.dtype)


