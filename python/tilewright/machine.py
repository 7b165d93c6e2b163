"""Who carries out the calls of the language: the tracer, or the judge that computes with numbers."""

_stack = []


def current():
    from .errors import TileError

    if not _stack:
        raise TileError("this call belongs into a kernel: a function with @T.prim_func, @T.macro or @tilelang.jit")
    return _stack[-1]


def active():
    return bool(_stack)


def numbers():
    """Whether the judge runs, for which values are plain numbers."""
    return bool(_stack) and _stack[-1].is_numbers


class Using:
    """`with Using(machine):` calls of the language go to this one."""

    def __init__(self, machine):
        self.machine = machine

    def __enter__(self):
        _stack.append(self.machine)
        return self.machine

    def __exit__(self, *_):
        _stack.pop()
