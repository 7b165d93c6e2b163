"""Kernels behind @autotune: their blocks come from a configuration, from the command line, or from a call."""

import itertools

import tilelang
import tilelang.language as T
from tilelang.autotuner import autotune


def configs():
    return [dict(zip(("block", "stages"), c)) for c in itertools.product([64, 32], [2, 3])]


def configs_for(M, N):
    return [{"block": min(M, 64), "stages": 1}, {"block": 32, "stages": 3}]


def scaled(M, N, block, stages, scale):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
            a = T.alloc_shared((block, 32), "float32")
            b = T.alloc_fragment((block, 32), "float32")
            for k in T.Pipelined(T.ceildiv(N, 32), num_stages=stages):
                T.copy(A[bx * block, k * 32], a)
                for i, j in T.Parallel(block, 32):
                    b[i, j] = a[i, j] * scale
                T.copy(b, B[bx * block, k * 32])

    return main


# As TileLang's examples have it: tuned above compiled, and values that have a default.
@autotune(configs=configs(), warmup=3, rep=20)
@tilelang.jit(out_idx=[-1])
def above(M=128, N=64, block=None, stages=None):
    return scaled(M, N, block, stages, 2.0)


# The other way around, and with a list in place of the function's value.
@tilelang.jit(out_idx=-1)
@tilelang.autotune(configs=[{"block": 64, "stages": 2}, {"block": 32, "stages": 3}])
def below(block, stages, M=128, N=64):
    return scaled(M, N, block, stages, 3.0)


# Configurations that depend on sizes.
@autotune(configs=configs_for)
@tilelang.jit
def by_size(M, N, block, stages):
    return scaled(M, N, block, stages, 4.0)


# A call that passes what is tuned is what the program wants.
@autotune(configs=configs)
@tilelang.jit
def passed(M, N, block, stages):
    return scaled(M, N, block, stages, 5.0)


# What has a default is not tuned.
@tilelang.jit
@autotune(configs=configs())
def default(block, stages: int = 1, M=128, N=64):
    return scaled(M, N, block, stages, 5.0)


# No tilelang.jit, and the eager style.
@autotune(configs=configs)
def plain(block, stages, M=128, N=64):
    return scaled(M, N, block, stages, 6.0)


@autotune(configs=[{"block": 32}])
@tilelang.jit
def eager(A, block):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), "float32")
    B = T.empty((M, N), "float32")
    with T.Kernel(T.ceildiv(M, block)) as bx:
        a = T.alloc_fragment((block, N), "float32")
        T.copy(A[bx * block, 0], a)
        for i, j in T.Parallel(block, N):
            B[bx * block + i, j] = a[i, j] * 7.0
    return B


if __name__ == "__main__":
    above(128, 64)
kernel = passed(128, 64, block=32, stages=1)
