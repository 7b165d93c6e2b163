"""The grid and the loops: T.Kernel, T.Parallel, T.serial, T.Pipelined, T.Persistent, T.unroll."""

from .. import machine
from ..errors import TileError
from ..expr import settle


class KernelFrame:
    """T.Kernel(…): what `with` opens; rewriting makes a loop over cells of it."""

    def __init__(self, extents, threads):
        self.extents = [settle(e) for e in extents]
        self.threads = threads

    def __enter__(self):
        raise TileError("`with T.Kernel(…)` outside of a function that is compiled; decorate it with @T.prim_func")

    def __exit__(self, *_):
        return False


def Kernel(*blocks, threads=None, is_cpu=False, prelude=None, cluster_dims=None, **_):
    if not 1 <= len(blocks) <= 3:
        raise TileError(f"T.Kernel has one to three dimensions, not {len(blocks)}")
    if cluster_dims not in (None, 1, (1,), (1, 1), (1, 1, 1), [1, 1, 1]):
        raise TileError("T.Kernel with cluster_dims: a GPU's clusters; leave them out, cores share no memory here")
    threads = 128 if threads is None else threads
    return KernelFrame(blocks, tuple(threads) if isinstance(threads, (list, tuple)) else (threads,))


def get_thread_binding(dim=0):
    """The thread's index along a dimension of T.Kernel's `threads`; each statement is then one of all threads."""
    return machine.current().thread(dim)


def get_thread_bindings():
    return [machine.current().thread(dim) for dim in range(3)]


def thread_binding(start, stop=None, thread=None, **_):
    """The same, with its extent: T.thread_binding(0, n, thread="threadIdx.x")."""
    names = ("threadIdx.x", "threadIdx.y", "threadIdx.z")
    low, end, _ = bounds((start, stop))
    if thread not in names or low != 0 or not isinstance(end, int):
        raise TileError(f"T.thread_binding({low}, {end}, thread={thread!r}); it begins at 0, and the thread is one of {', '.join(names)}")
    return machine.current().thread(names.index(thread), end)


def get_block_binding(dim=0):
    """The cell's index along a dimension of the grid."""
    return machine.current().block(dim)


def get_block_bindings():
    return [machine.current().block(dim) for dim in range(3)]


def Parallel(*extents, **_):
    return machine.current().parallel(extents)


def bounds(args):
    """(low, end, step) of the arguments of a loop."""
    args = [settle(a) for a in args if a is not None]
    if len(args) == 1:
        return 0, args[0], 1
    return args[0], args[1], args[2] if len(args) > 2 else 1


def serial(start, stop=None, step=None, annotations=None, **_):
    low, end, step = bounds((start, stop, step))
    return machine.current().serial(low, end, step)


def Pipelined(start, stop=None, num_stages=0, order=None, stage=None, sync=None, group=None, **_):
    low, end, step = bounds((start, stop))
    return machine.current().serial(low, end, step, num_stages or None)


def unroll(start, stop=None, step=None, **_):
    low, end, step = bounds((start, stop, step))
    if all(isinstance(b, int) for b in (low, end, step)) and len(range(low, end, step)) <= 64:
        return iter(range(low, end, step))
    return machine.current().serial(low, end, step)


def vectorized(start, stop=None, **_):
    """A loop whose steps a GPU's thread does at once: a parallel loop of one dimension."""
    low, end, _ = bounds((start, stop))
    if low != 0:
        return machine.current().serial(low, end, 1)
    return machine.current().parallel([end])


def Persistent(domain, wave_size, index, group_size=8, **_):
    """The blocks of a domain, of which each cell of the grid takes every wave_size-th."""
    return machine.current().persistent([settle(d) for d in domain], settle(wave_size), settle(index))


Serial, Unroll, Vectorized = serial, unroll, vectorized
parallel = Parallel
grid = Parallel
