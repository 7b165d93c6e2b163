"""Loops of assignments to elements, as assignments with loops: what one thread does in turn, a tile does at once.

    for k in T.serial(n):                    for k in T.Parallel(n): a[k] = A[k]
        a[k] = A[k]                  ->      c[0] += a[k] * b[k], summed over k
        c[0] += a[k] * b[k]

Only where no step reads what another one has written."""

from . import program as p
from .affine import depends, key_of, split
from .expr import Load, number, settle
from .reads import loads


def distributed(loop):
    """The statements that a loop becomes: itself, where it must go in turn."""
    stores = loop.body
    plain = number(loop.low) == 0 and isinstance(number(loop.high), int) and loop.step == 1 and not loop.stages
    if not plain or not stores or not all(isinstance(s, p.Store) for s in stores) or not independent(stores):
        return [loop]
    kinds = [kind(s, loop.var) for s in stores]
    if None in kinds:
        return [loop]
    result = []
    for s, along in zip(stores, kinds):
        loops, sums = list(s.loops), list(s.sums)
        if along == "loop":
            loops.append((loop.var, number(loop.high)))
        else:
            sums.append((loop.var, 0, number(loop.high), 1))
        new = p.Store(s.at, s.buffer, s.indices, s.value, loops, sums, s.condition)
        new.conditions = []
        result.append(new)
    return result


def kind(s, var):
    """Whether a store writes another element in each step ("loop"), or adds to the same one ("sum"); else None."""
    places = [split(i, [var]) for i in s.indices]
    if None in places or crowded(s, var):
        return None
    moved = [mine for mine, _ in places if mine]
    target = key_of_place(s.buffer, s.indices)
    mine = [load for load in reads(s) if load.buffer is s.buffer]
    if moved:
        one = len(moved) == 1 and len(moved[0]) == 1 and moved[0][0][0] == 1
        return "loop" if one and all(key_of_place(load.buffer, load.indices) == target for load in mine) else None
    value = settle(s.value)
    if value.op not in ("add", "max", "min") or len(mine) != 1 or s.condition is not None:
        return None
    old = [a for a in value.args if isinstance(settle(a), Load)]
    return "sum" if any(key_of_place(a.buffer, a.indices) == target for a in old) else None


def crowded(s, var):
    """Whether an index would have two loops at once, of which no block has its rows or columns."""
    others = [v for v, _ in s.loops] + [v for v, *_ in s.sums]
    indices = list(s.indices) + [i for load in reads(s) for i in load.indices]
    return any(depends(i, {id(var)}) and depends(i, {id(v) for v in others}) for i in indices)


def independent(stores):
    """Whether each store may be done for all steps before the next one."""
    written = {}
    for n, s in enumerate(stores):
        if id(s.buffer) in written:
            return False
        written[id(s.buffer)] = n, key_of_place(s.buffer, s.indices)
    for n, s in enumerate(stores):
        for load in reads(s):
            at, target = written.get(id(load.buffer), (None, None))
            # What another store of the loop writes is read after it, and where this step has written it.
            if at is not None and at != n and (at > n or key_of_place(load.buffer, load.indices) != target):
                return False
    return True


def reads(s):
    yield from loads(s.value)
    if s.condition is not None:
        yield from loads(s.condition)


def key_of_place(buffer, indices):
    return id(buffer), tuple(key_of(i) for i in indices)
