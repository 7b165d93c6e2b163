"""What only a GPU has: an error at its line that says what to use instead."""

from ..errors import TileError, meant

#: The start of a name, and what to write instead.
INSTEAD = {
    "tma_": "T.copy; data movement is asynchronous here without saying so",
    "mbarrier": "nothing: circular buffers synchronize by themselves",
    "barrier": "nothing: circular buffers synchronize by themselves",
    "alloc_barrier": "nothing: circular buffers synchronize by themselves",
    "alloc_cluster_barrier": "nothing: circular buffers synchronize by themselves",
    "alloc_tmem": "T.alloc_fragment",
    "tcgen05": "T.gemm",
    "wgmma": "T.gemm",
    "wait_wgmma": "T.gemm",
    "mma_": "T.gemm",
    "gemm_sp": "T.gemm on a dense operand",
    "ptx_": "T.copy or T.gemm",
    "cp_async": "T.copy",
    "ws": "T.Pipelined; reader, compute and writer are split by the compiler",
    "WS": "T.Pipelined; reader, compute and writer are split by the compiler",
    "get_lane": "T.Parallel; there are no threads on a core",
    "get_warp": "T.Parallel; there are no threads on a core",
    "tvm_": "T.reduce_sum or T.reduce_max",
    "attr": "T.reduce_sum or T.reduce_max",
    "comm_reducer": "T.reduce_sum or T.reduce_max",
    "shfl": "T.reduce_sum or T.reduce_max",
    "warp_reduce": "T.reduce_sum or T.reduce_max",
    "atomic": "a kernel in which each cell writes its own block; cells that add to one place are a race",
    "call_extern": "functions of the language; code in CUDA cannot run here",
    "import_source": "functions of the language; code in CUDA cannot run here",
    "dp4a": "T.gemm",
    "ClusterKernel": "T.Kernel",
    "CUDASourceCodeKernel": "T.Kernel",
    "fence": "nothing: circular buffers synchronize by themselves",
    "sync_grid": "two T.Kernel after each other",
    "access_ptr": "a region, A[i:j, k:l]",
    "rng_": "a tensor of random numbers as an argument",
    "PersistentTileScheduler": "T.Kernel over all blocks; cores take cells in turn by themselves",
    "clc_": "T.Kernel over all blocks; cores take cells in turn by themselves",
    "block_rank_in_cluster": "T.Kernel",
    "any_sync": "T.reduce_max",
    "im2col": "a loop of T.copy and T.gemm over the filter's taps",
    "c2d_im2col": "a loop of T.copy and T.gemm over the filter's taps",
}


def instead(name):
    """What to write instead of a name that only a GPU has; None for other names."""
    found = [start for start in INSTEAD if name.startswith(start)]
    return INSTEAD[max(found, key=len)] if found else None


def emitter(name):
    """A class of TileLang's that writes a warp's instructions, by its name; None for other names."""
    if not name.endswith("IntrinEmitter") and "IntrinEmitterWith" not in name:
        return None

    def call(*_, **__):
        raise TileError(f"{name} is for a GPU only; use T.gemm")

    return Refused(name, call)


def refuse(name):
    """A function that refuses to be called, for a name that the language does not have here."""
    best = instead(name)

    def call(*_, **__):
        if best:
            raise TileError(f"T.{name} is for a GPU only; use {best}")
        import tilelang.language as there

        close = meant(name, (n for n in vars(there) if not n.startswith("_")))
        raise TileError(f"T.{name} is not supported; docs/tilelang.md lists what is{close}")

    return Refused(name, call)


class Refused:
    """A name of TileLang that is not here: harmless until it is called or asked for something."""

    def __init__(self, name, call):
        self._name, self._call = name, call

    def __call__(self, *args, **options):
        return self._call()

    def __getitem__(self, _):
        return self._call()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Refused(f"{self._name}.{name}", self._call)
