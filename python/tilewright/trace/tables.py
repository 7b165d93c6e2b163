"""Buffers of integers that are filled with elements of a tensor, and stand for it where they steer."""

from ..expr import Load, Var, binary, compare, number, substitute
from ..reads import elements
from .variables import merged


class Tables:
    """Which element of a tensor an element of such a buffer is."""

    def note_table(self, buffer, indices, value):
        """A buffer of integers that is filled with elements of a tensor stands for that tensor where it steers."""
        known, buffer.table = buffer.table or [], None
        found = list(elements(value)) if not self.loops and (buffer.boolean or not buffer.dtype.is_float) else []
        if found and all(x.buffer.scope == "global" and not x.dtype.is_float for x in found):
            if len(known) == buffer.version and all(isinstance(i, Var) and i.low == 0 or isinstance(i, int) for i in indices):
                buffer.table = known + [(list(indices), value)]

    def table_element(self, buffer, indices):
        """What an element of such a buffer stands for."""
        result = None
        for at, value in buffer.table:
            value = substitute(value, {id(v): i for v, i in zip(at, indices) if isinstance(v, Var)})
            same = True
            for v, i in zip(at, indices):
                if not isinstance(v, Var):
                    equal = compare("eq", i, v)
                    same = equal if same is True else binary("and", same, equal) if equal is not True else same
            result = value if result is None or same is True else result if same is False else merged(same, value, result)
        return result

    def table_of(self, src, dst):
        """Notes which element of a tensor each element of a row is a copy of."""
        var = Var("i", 0, None)
        along = next(d for d, e in enumerate(dst.extents) if number(e) != 1)
        start = list(src.starts)
        where = [d for d, e in enumerate(src.extents) if number(e) != 1]
        if len(where) == 1:
            start[where[0]] = start[where[0]] + var
            element = Load(src.buffer, start)
            element = compare("ne", element, 0) if dst.buffer.boolean else element
            dst.buffer.table = [([var if d == along else 0 for d in range(len(dst.extents))], element)]
