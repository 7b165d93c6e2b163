"""Blocks that begin before their tensor or behind it, and what branches say of that: under `if b > 0:`, `b * 32 - 32` is not below zero.

A condition is taken apart into sums that are not below zero where it holds: `b > 0` into b - 1. An index is safe where it is such a
sum, so many times, and something that is never below zero: 32 * (b - 1)."""

from .accesses import step_of
from .affine import bounds, key_of, linear, never_negative, reaches
from .errors import TileError
from .expr import Expr, Load, as_index, binary, compare, settle, text
from .reads import loads
from .selection import both

#: For each comparison: (whether its first side is the larger one, what is taken off).
SIDES = {"ge": (True, 0), "gt": (True, 1), "le": (False, 0), "lt": (False, 1)}
OTHERWISE = {"ge": "lt", "gt": "le", "le": "gt", "lt": "ge", "eq": "ne", "ne": "eq"}


class Edges:
    """The part of Places that knows where tensors begin and end; `guards` are the branches around, [(condition, whether it holds)…]."""

    def before(self, start):
        """Whether a block begins before its tensor in a cell or step that nothing leaves out. Tables are believed: one of which
        nobody says what it holds, and several of which nobody says how they hang together."""
        low = bounds(start)[0] if len({key_of(x) for x in loads(start)}) < 2 else None
        return low is not None and low < 0 and not never_negative(start) and not left_out(start, self.guards)

    def check_begin(self, buffer, indices, ids):
        """An error where what is written may lie before its tensor; what is read there is zero."""
        for index in indices:
            step = step_of(index, ids)
            if buffer.scope == "global" and step is not None and step[0] in (0, 1) and self.before(step[2]):
                raise TileError(
                    f"'{text(Load(buffer, indices))}' begins before its tensor, at {bounds(step[2])[0]}, in some cells or steps; put "
                    f"`if {text(step[2])} >= 0:` around, which leaves them out"
                )

    def cells_inside(self, buffer, starts):
        """The condition under which a block is not wholly behind its tensor, True where it never is. What lies there is zero where
        it is read, and lost where it is written."""
        there = True
        for start, size in zip(starts, buffer.shape):
            if buffer.scope == "global" and isinstance(size, int) and reaches(start, size) and not left_out(
                    binary("sub", size - 1, start), self.guards):
                there = both(there, compare("lt", start, size))
        return there


def left_out(index, guards):
    """Whether branches leave out where an index is below zero."""
    terms, _ = linear(index)
    for condition, holds in guards:
        for known in differences(condition, holds):
            shared = [terms[key][0] / k for key, (k, _) in linear(known)[0].items() if key in terms]
            if any(n > 0 and n == int(n) and never_negative(binary("sub", index, binary("mul", known, int(n)))) for n in shared):
                return True
    return False


def differences(condition, holds):
    """Sums that are not below zero where a condition holds, or does not."""
    condition = settle(condition)
    if not isinstance(condition, Expr):
        return
    if condition.op == "not":
        yield from differences(condition.args[0], not holds)
    elif condition.op == ("and" if holds else "or"):
        for part in condition.args:
            yield from differences(part, holds)
    elif condition.op in OTHERWISE:
        a, b = (as_index(x) for x in condition.args)
        if a is None or b is None:
            return
        op = condition.op if holds else OTHERWISE[condition.op]
        if op == "eq":
            yield from (binary("sub", a, b), binary("sub", b, a))
        elif op == "ne":
            # What is not zero, nor below it, is at least one.
            for x in (binary("sub", a, b), binary("sub", b, a)):
                if never_negative(x):
                    yield binary("sub", x, 1)
        else:
            larger, less = SIDES[op]
            room = binary("sub", a, b) if larger else binary("sub", b, a)
            yield binary("sub", room, less) if less else room
