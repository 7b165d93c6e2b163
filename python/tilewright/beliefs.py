"""Blocks whose place a table says, where nothing says what the table holds, or several tables say it together: a warning.

    T.copy(A[table[b] * 32, 0], a)
    warning: 'A[(table[b] * 32), 0]' is believed to lie inside of A, for nothing says what table holds; …

The emulated device looks at each such access as it runs. A chip does not: there, what lies outside is another tensor's."""

import os
import sys

from . import program as p
from .affine import bounds, key_of
from .expr import Load, settle, text
from .reads import elements, loads


def warn(function, to=None):
    """A warning for each block of a tensor that is believed to lie in it, once for each line and tensor."""
    told = set()
    for kernel in function.kernels:
        for at, buffer, indices in accesses(kernel.body):
            if buffer.scope == "global" and (at, buffer.name) not in told and (why := belief(indices)):
                told.add((at, buffer.name))
                print(f"{os.path.basename(at[0])}:{at[1]}: warning: '{text(Load(buffer, indices))}' is believed to lie inside of "
                      f"{buffer.name}, {why}; the emulated device checks it as it runs, and a chip does not", file=to or sys.stderr)


def belief(indices):
    """Why it is not known where a block begins, or None."""
    for index in indices:
        tables = {key_of(x): x.buffer for x in loads(index) if x.buffer.scope == "global" and not x.dtype.is_float}
        for buffer in tables.values():
            if buffer.range is None:
                return (f"for nothing says what {buffer.name} holds: {buffer.name}[]=LOW..HIGH does on the command line, and is proven "
                        "to fit")
        low = bounds(index)[0]
        if len(tables) > 1 and (low is None or low < 0):
            names = " and ".join(sorted({b.name for b in tables.values()}))
            return f"for several elements of {names} make its index, and no range says how they hang together"
    return None


def accesses(statements):
    """(place in the file, buffer, indices) of all that statements read and write."""
    for s in statements:
        for name in ("src", "dst", "a", "b", "c"):
            region = getattr(s, name, None)
            if hasattr(region, "starts"):
                yield s.at, region.buffer, [settle(i) for i in region.starts]
        if isinstance(s, p.Store):
            yield s.at, s.buffer, s.indices
            for value in (s.value, s.condition):
                yield from ((s.at, x.buffer, x.indices) for x in elements(value))
        yield from accesses(getattr(s, "body", []))
        yield from accesses(getattr(s, "other", []))
