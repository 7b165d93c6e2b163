"""A value with a number for each thread, which the judge has where a kernel asks for its thread (judge/lanes.py)."""

import functools


class Lanes:
    """A number for each thread, in the judge (judge/lanes.py); operators work on each."""

    def __init__(self, values):
        self.values = values

    def astype(self, dtype):
        from .expr import cast

        return cast(dtype, self)

    __hash__ = object.__hash__


def lanewise(function):
    """The function, for which arguments may be Lanes."""

    @functools.wraps(function)
    def wide(*values):
        if any(isinstance(v, Lanes) for v in values):
            from .judge.lanes import each

            return each(function, *values)
        return function(*values)

    return wide
