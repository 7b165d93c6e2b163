"""Loops that an index of what a store writes has together become one loop; loops that fall, rise.

    c[i, j * 8 + k] = s[i, j]        ->      c[i, jk] = s[i, jk // 8]         for 8 steps of k
    c[63 - i] = a[i]                 ->      c[i] = a[63 - i]

Loops that are no digits of one number, as in j * 8 + k for 4 steps of k, go one after the other."""

from . import program as p
from .affine import depends, linear, simplify, split
from .expr import Expr, Var, number, settle, substitute


def put(s, values, loops):
    """A store with other expressions for loops, {id of the Var: expression}."""
    def new(x):
        return substitute(x, values)

    condition = None if s.condition is None else new(s.condition)
    indices = [simplify(new(i)) if isinstance(settle(i), Expr) else i for i in s.indices]
    return p.Store(s.at, s.buffer, indices, new(s.value), loops, s.sums, condition, s.meets)


def from_zero(s):
    """s with sums that begin at zero."""
    for var, low, end, step in s.sums:
        if number(low) != 0 and isinstance(low, int) and isinstance(end, int) and step == 1:
            new = Var(var.name, 0, end - low - 1)
            s = put(s, {id(var): new + low}, s.loops)
            s.sums = [(new, 0, end - low, 1) if v is var else (v, a, b, c) for v, a, b, c in s.sums]
    return s


def folded(s):
    """(s with at most one loop in each index of its target, which rises; loops that do not fit, or None)."""
    for d in range(len(s.indices)):
        while True:
            parts = split(s.indices[d], [v for v, _ in s.loops])
            if parts is None:
                break
            falling = next((v for k, v in parts[0] if k < 0), None)
            if falling is not None:
                s = reversed_loop(s, falling)
                continue
            if len(parts[0]) < 2:
                break
            (c, inner), (d_step, outer) = sorted(parts[0], key=lambda t: t[0])[:2]
            n = next(e for v, e in s.loops if v is inner)
            if not isinstance(n, int) or d_step != c * n or shared(s, d, (inner, outer)):
                return s, outer
            s = joined(s, inner, outer, n)
    return s, None


def shared(s, d, variables):
    """Whether another index of the target has one of these loops, too."""
    ids = {id(v) for v in variables}
    return any(depends(i, ids) for n, i in enumerate(s.indices) if n != d)


def reversed_loop(s, var):
    extent = next(e for v, e in s.loops if v is var)
    new = Var(var.name, 0, extent - 1)
    return put(s, {id(var): extent - 1 - new}, [(new, e) if v is var else (v, e) for v, e in s.loops])


def joined(s, inner, outer, n):
    m = next(e for v, e in s.loops if v is outer)
    new = Var(outer.name + inner.name, 0, m * n - 1)
    loops = [(new, m * n) if v is outer else (v, e) for v, e in s.loops if v is not inner]
    return put(s, {id(inner): new % n, id(outer): new // n}, loops)


def peeled(s, var):
    """s with one of its loops around it, in turn."""
    for v, low, end, step in s.sums:
        if v is var:
            s.sums = [q for q in s.sums if q[0] is not var]
            return p.For(s.at, var, low, end, step, None, [s])
    extent = next(e for v, e in s.loops if v is var)
    s.loops = [(v, e) for v, e in s.loops if v is not var]
    return p.For(s.at, var, 0, extent, 1, None, [s])


def moving(index, ids):
    """An index as (terms that differ between loops, the rest's terms, the constant)."""
    terms, constant = linear(index)
    mine = {key: t for key, t in terms.items() if depends(t[1], ids)}
    return mine, {key: t for key, t in terms.items() if key not in mine}, constant
