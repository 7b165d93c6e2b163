"""Stores whose elements come from places that a table says, and buffers that only hold tables.

    for i, j in T.Parallel(n, m):             for i in T.serial(n):
        a[i, j] = A[table[i], j]      ->          T.copy(A[table[i], 0:m], a[i, 0:m])

A block is read along rows and columns; where a row lies is one number, so that each row is a copy of its own."""

from . import program as p
from .affine import depends, split
from .buffers import Region
from .expr import Load, settle
from .reads import elements, loads, places


def rewrite(function):
    """Changes the statements of a traced function."""
    for kernel in function.kernels:
        kernel.body = [new for s in kernel.body for new in expanded(s)]
        drop_tables(kernel)


def expanded(s):
    for name in ("body", "other"):
        if getattr(s, name, None):
            setattr(s, name, [new for inner in getattr(s, name) for new in expanded(inner)])
    if not isinstance(s, p.Store):
        return [s]
    outer = [(v, e) for v, e in s.loops if steers(s, v)]
    if not outer:
        return [s]
    ids = {id(v) for v, _ in outer}
    inner = p.Store(s.at, s.buffer, s.indices, s.value, [(v, e) for v, e in s.loops if id(v) not in ids], s.sums, s.condition)
    for var, extent in reversed(outer):
        inner = p.For(s.at, var, 0, extent, 1, None, [row_copy(inner) if isinstance(inner, p.Store) else inner])
    return [inner]


def steers(s, var):
    """Whether an element of a table that a parallel loop runs over is part of an index."""
    indices = [i for load in elements(s.value) for i in load.indices] + list(s.indices)
    return any(depends(load, {id(var)}) for i in indices for load in loads(i))


def row_copy(s):
    """A store of what is read, as a copy of a region."""
    value = settle(s.value)
    if s.sums or s.condition is not None or not isinstance(value, Load) or value.dtype != s.buffer.dtype:
        return s
    sides = []
    for buffer, indices in ((value.buffer, value.indices), (s.buffer, s.indices)):
        starts, extents, order = [], [], []
        for index in indices:
            found = split(index, [v for v, _ in s.loops])
            if found is None or len(found[0]) > 1 or found[0] and found[0][0][0] != 1:
                return s
            var = found[0][0][1] if found[0] else None
            starts.append(found[1])
            extents.append(next(e for v, e in s.loops if v is var) if found[0] else 1)
            order += [id(var)] if found[0] else []
        sides.append((Region(buffer, starts, extents), order))
    return p.Copy(s.at, sides[0][0], sides[1][0]) if sides[0][1] == sides[1][1] else s


def drop_tables(kernel):
    """Removes buffers that only hold a part of a table: its elements are read where they steer."""
    read = set()

    def look(statements):
        for s in statements:
            if isinstance(s, p.Store):
                read.update(id(x.buffer) for x in loads(s.value))
                if s.condition is not None:
                    read.update(id(x.buffer) for x in loads(s.condition))
            for name in ("src", "a", "b", "c"):
                if isinstance(getattr(s, name, None), Region):
                    read.add(id(getattr(s, name).buffer))
            read.update(id(x.buffer) for place in places(s) for x in loads(place))
            look(getattr(s, "body", []))
            look(getattr(s, "other", []))

    look(kernel.body)
    dead = {id(b) for b in kernel.buffers if b.table is not None and id(b) not in read}
    if dead:
        kernel.buffers[:] = [b for b in kernel.buffers if id(b) not in dead]
        kernel.body = without(kernel.body, dead)


def without(statements, dead):
    kept = []
    for s in statements:
        target = s.buffer if isinstance(s, p.Store) else getattr(getattr(s, "dst", None), "buffer", None)
        if target is not None and id(target) in dead:
            continue
        had = bool(getattr(s, "body", None))
        for name in ("body", "other"):
            if hasattr(s, name):
                setattr(s, name, without(getattr(s, name), dead))
        if not (had and isinstance(s, p.For) and not s.body):
            kept.append(s)
    return kept
