"""Which elements and buffers expressions and statements read, and which buffers they write."""

from . import program as p
from .buffers import Region
from .expr import Expr, Load, settle


def loads(x):
    """All elements that an expression reads."""
    x = settle(x)
    if not isinstance(x, Expr):
        return
    if isinstance(x, Load):
        yield x
        for i in x.indices:
            yield from loads(i)
    for a in x.args:
        yield from loads(a)


def elements(x):
    """The elements that an op reads for each of its own: not those that its indices are made of."""
    x = settle(x)
    if not isinstance(x, Expr) or x.op == "scalar":
        return
    if isinstance(x, Load):
        yield x
    for a in x.args:
        yield from elements(a)


def places(s):
    """All indices and bounds in a statement."""
    for name in ("src", "dst", "a", "b", "c"):
        region = getattr(s, name, None)
        if isinstance(region, Region):
            yield from region.starts
            yield from (e for e in region.extents if e is not None)
    if isinstance(s, p.For):
        yield from (s.low, s.high)
    if isinstance(s, p.If):
        yield s.condition
    if isinstance(s, p.Store):
        yield from s.indices
        for _, extent in s.loops:
            yield extent


def uses(statements):
    """(ids of the buffers that statements read, ids of those that they write)."""
    read, written = set(), set()
    for s in statements:
        read |= {id(load.buffer) for x in places(s) for load in loads(x)}
        if isinstance(s, (p.Copy, p.Reduce, p.Cumsum)):
            read.add(id(s.src.buffer))
        if isinstance(s, (p.Copy, p.Fill, p.Reduce, p.Cumsum)):
            written.add(id(s.dst.buffer))
        if isinstance(s, p.Gemm):
            read |= {id(s.a.buffer), id(s.b.buffer), id(s.c.buffer)}
            written.add(id(s.c.buffer))
        if isinstance(s, p.Store):
            written.add(id(s.buffer))
            read |= {id(load.buffer) for load in loads(s.value)}
            if s.condition is not None:
                read |= {id(load.buffer) for load in loads(s.condition)} | {id(s.buffer)}
        for body in (getattr(s, "body", []), getattr(s, "other", [])):
            inner_read, inner_written = uses(body)
            read |= inner_read
            written |= inner_written
    return read, written
