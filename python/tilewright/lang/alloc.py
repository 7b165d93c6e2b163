"""Buffers of a core: T.alloc_shared, T.alloc_fragment, T.alloc_local, T.alloc_var, T.alloc_global."""

from .. import machine


def alloc_shared(shape, dtype, scope="shared.dyn", **_):
    return machine.current().alloc(shape, dtype, "shared")


def alloc_fragment(shape, dtype, scope="local.fragment", **_):
    return machine.current().alloc(shape, dtype, "fragment")


def alloc_local(shape, dtype, scope="local", **_):
    return machine.current().alloc(shape, dtype, "local")


def alloc_var(dtype, *args, scope="local.var", init=None):
    """A scalar that may be assigned to."""
    for a in args:
        if not isinstance(a, str) or not a.startswith("local"):
            init = a
    buffer = machine.current().alloc((1,), dtype, "var")
    if init is not None:
        buffer[0] = init
    return buffer


def alloc_global(shape, dtype, scope="global", **_):
    return machine.current().alloc(shape, dtype, "global")


def alloc_reducer(shape, dtype, op="sum", replication=None, **_):
    buffer = machine.current().alloc(shape, dtype, "fragment")
    buffer.reducer = op
    return buffer


def finalize_reducer(buffer, **_):
    """Threads are not seen here; a reducer holds its sum at all times."""
