"""Conditions around a store that say where a loop ends: `if start + i < table[b + 1]: …` writes that many rows, and no others.

What a tensor holds besides is then left to whoever writes it, which may be another cell."""

from ..affine import split
from ..expr import INDEX, Expr, as_index, binary, number, settle
from ..reads import loads

#: For each comparison: whether the loop's side is the first one, and what is added to the other.
BELOW = {"lt": (0, 0), "le": (0, 1), "gt": (1, 0), "ge": (1, 1)}


def trim(store, loops, fixed):
    """({id of a loop: how many steps of it there are at most}, the condition that is left or None).

    Only bounds that tables give count; `fixed(load)` says whether an element is the same for all steps."""
    limits, rest = {}, None
    for condition in conjuncts(store.condition):
        found = end_of(condition, loops, fixed)
        if found is None:
            rest = condition if rest is None else binary("and", rest, condition)
            continue
        var, end = found
        old = limits.get(id(var))
        limits[id(var)] = end if old is None else binary("min", old, end)
    return limits, rest


def conjuncts(condition):
    condition = settle(condition)
    if isinstance(condition, Expr) and condition.op == "and":
        for part in condition.args:
            yield from conjuncts(part)
    elif condition is not None:
        yield condition


def end_of(condition, loops, fixed):
    """(loop, its number of steps) where a condition holds for the first steps of a loop; None where it says another thing."""
    if not isinstance(condition, Expr) or condition.op not in BELOW or not any(True for _ in scalars(condition)):
        return None
    first, more = BELOW[condition.op]
    sides = [as_index(x, fixed) for x in condition.args]
    if None in sides:
        return None
    room = binary("sub", sides[1 - first], sides[first])
    parts = split(room, loops) if isinstance(room, Expr) and room.dtype == INDEX else None
    if parts is None or len(parts[0]) != 1 or parts[0][0][0] != -1:
        return None
    end = binary("add", parts[1], more) if more else parts[1]
    return (parts[0][0][1], end) if number(end) is None else None


def scalars(x):
    """Elements of tables in an expression."""
    return (load for load in loads(x) if load.buffer.scope == "global" and not load.dtype.is_float)
