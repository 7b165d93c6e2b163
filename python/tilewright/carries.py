"""What a loop carries in 32 bits, and is read under an exponential behind the loop, is copied there.

    for k in T.serial(n):                           for k in T.serial(n):
        lse[i] = log2(exp2(lse[i]) + s[i])     ->       lse[i] = log2(exp2(lse[i]) + s[i])
    y[i, j] = exp2(x[i, j] - lse[i])                T.copy(lse, lse_then)
                                                    y[i, j] = exp2(x[i, j] - lse_then[i])

A row that is repeated goes through the source registers, which hold 19 bits of a number, and a circular buffer goes through them for
all that read it, or for none: without the copy each step of the loop would cut the number, and an exponential makes of 0.01 one
percent. The copy changes no number."""

from . import program as p
from .accesses import elements_of, replaced
from .affine import key_of
from .expr import Expr, Load, settle
from .reads import elements, uses
from .selection import temporary, whole


def rewrite(function):
    """Changes the statements of a traced function."""
    for kernel in function.kernels:
        block(kernel, kernel.body)


def block(kernel, statements):
    for place in range(len(statements) - 1, -1, -1):
        s = statements[place]
        for name in ("body", "other"):
            block(kernel, getattr(s, name, None) or [])
        if isinstance(s, p.For):
            for buffer in carried(s):
                behind = until_written(statements[place + 1 :], buffer)
                if any(under_exponential(x, buffer) for x in stores(behind)):
                    then = temporary(kernel, s.at, f"{buffer.name}_then", buffer.shape, buffer.dtype)
                    statements.insert(place + 1, p.Copy(s.at, whole(buffer), whole(then)))
                    for x in stores(behind):
                        read_instead(x, buffer, then)


def stores(statements):
    for s in statements:
        if isinstance(s, p.Store):
            yield s
        for name in ("body", "other"):
            yield from stores(getattr(s, name, None) or [])


def carried(loop):
    """Vectors of 32 bits of which a step of the loop makes the next ones."""
    found = {}
    for s in stores(loop.body):
        buffer = s.buffer
        own = buffer.scope in ("fragment", "local") and getattr(buffer, "base", None) is None and not getattr(buffer, "reducer", None)
        if own and len(buffer.shape) == 1 and isinstance(buffer.shape[0], int) and buffer.dtype.is_float and buffer.dtype.bits == 32:
            if any(x.buffer is buffer for x in elements(s.value)):
                found[id(buffer)] = buffer
    return found.values()


def until_written(statements, buffer):
    """The statements that read what a buffer holds now."""
    result = []
    for s in statements:
        if id(buffer) in uses([s])[1]:
            break
        result.append(s)
    return result


def under_exponential(s, buffer):
    """Whether a store repeats a vector's elements, under an exponential."""
    def search(x, inside):
        x = settle(x)
        if not isinstance(x, Expr):
            return False
        inside = inside or x.op in ("call:exp", "call:exp2")
        return inside and isinstance(x, Load) and x.buffer is buffer or any(search(a, inside) for a in x.args)

    return len(s.loops) > 1 and search(s.value, False)


def read_instead(s, buffer, then):
    new = {key_of(x): Load(then, x.indices) for x in elements_of(s) if x.buffer is buffer}
    s.value = replaced(s.value, new)
    s.condition = None if s.condition is None else replaced(s.condition, new)
