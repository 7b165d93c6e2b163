"""How the loops of a store lead along the indices of an element: steps, diagonals, parts that are whole tiles, what meets."""

from . import program as p
from .affine import build, depends, key_of, span, split
from .expr import Expr, Load, Var, number, settle
from .folding import moving
from .reads import elements


def root(buffer):
    return getattr(buffer, "base", buffer)


def elements_of(s):
    yield from elements(s.value)
    if s.condition is not None:
        yield from elements(s.condition)


def widest(s):
    """Of the loops that an index of the target has together, the one with the longest step."""
    for index in s.indices:
        mine = split(index, [v for v, _ in s.loops])
        if mine is not None and len(mine[0]) > 1:
            return max(mine[0], key=lambda t: abs(t[0]))[1]
    return None


def covers(s, buffer):
    """Whether a statement writes all of a buffer."""
    if isinstance(s, p.Store):
        ids = {id(v): e for v, e in s.loops}
        steps = [step_of(i, set(ids)) for i in s.indices]
        return all(q is not None and (n == 1 or ids.get(id(q[1])) == n) for q, n in zip(steps, buffer.shape))
    region = getattr(s, "dst", None) or s.c
    return list(region.extents) == list(region.buffer.shape)


def plain(index, ids):
    found = step_of(index, ids)
    return found is not None and found[0] in (0, 1)


def step_of(index, ids):
    """(step, loop, rest) of an index that one loop leads along, (0, None, rest) where none does; else None."""
    mine, rest, constant = moving(index, ids)
    if not mine:
        return 0, None, build(rest, constant)
    (k, var), *more = mine.values()
    if more or not isinstance(var, Var):
        return None
    return k, var, build(rest, constant)


def diagonal(load, extents):
    """Whether two dimensions have the same loop in their indices."""
    return any(sum(depends(i, {key}) for i in load.indices) > 1 for key in extents)


def in_tiles(start, extent, size):
    """Whether a part of a dimension is whole tiles, or all of it."""
    if size == 1 or number(start) == 0 and extent == size:
        return True
    if number(start) is not None and not 0 <= number(start) <= size - extent:
        return False
    mine, rest, constant = moving(start, set())
    whole_start = constant % 32 == 0 and all(k % 32 == 0 for k, _ in rest.values())
    return whole_start and (extent % 32 == 0 or number(start) is not None and number(start) + extent == size)


def line_inside(src, dst):
    """Whether mlir/statements.py writes a copy as one row or column inside of tiles."""
    if src.buffer.scope == "global" or src.buffer is dst.buffer or len(dst.extents) != 2:
        return False
    part = [d for d in range(2) if number(dst.extents[d]) != dst.buffer.shape[d]]
    if len(part) != 1 or number(dst.extents[part[0]]) != 1 or number(dst.starts[part[0]]) == 0:
        return False
    return number(dst.starts[1 - part[0]]) == 0


def same_place(x, old):
    return x.buffer is old.buffer and [key_of(i) for i in x.indices] == [key_of(i) for i in old.indices]


def apart(one, other, extents):
    """Whether indices surely never meet: their boxes lie apart, or they go in the same steps from different places."""
    for a, b in zip(one, other):
        (m, rest, c), (n, rest2, d) = moving(a, set(extents)), moving(b, set(extents))
        if {k: v[0] for k, v in rest.items()} != {k: v[0] for k, v in rest2.items()}:
            continue
        (low, top), (low2, top2) = span(m, c), span(n, d)
        if None not in (low, top, low2, top2) and (top < low2 or top2 < low):
            return True
        steps = {abs(k) for k, _ in list(m.values()) + list(n.values())}
        if len(steps) == 1 and (c - d) % steps.pop():
            return True
    return False


def replaced(x, new):
    """An expression with other elements, {key: expression}."""
    x = settle(x)
    if not isinstance(x, Expr) or x.op == "scalar":
        return x
    if isinstance(x, Load):
        return new.get(key_of(x), x)
    return Expr(x.op, [replaced(a, new) for a in x.args], x.dtype) if x.args else x
