"""One entry of each fate, for scripts/tilelang-examples: right, wrong, refused, a GPU's own."""

import tilelang
import tilelang.language as T

steps = []


@tilelang.jit
def doubled(A, block_M=32):
    M, N = T.const("M N")
    A: T.Tensor((M, N), T.float32)
    B = T.empty((M, N), T.float32)
    with T.Kernel(T.ceildiv(M, block_M)) as bm:
        for i, j in T.Parallel(block_M, N):
            B[bm * block_M + i, j] = A[bm * block_M + i, j] * 2
    return B


@tilelang.jit
def counted(A):
    """State in a list: what a trace of the loop cannot see."""
    N = T.const("N")
    A: T.Tensor((32, N), T.float32)
    B = T.empty((32, N), T.float32)
    with T.Kernel(1) as _:
        a = T.alloc_fragment((32, N), T.float32)
        T.clear(a)
        for k in T.serial(3):
            steps.append(k)
            for i, j in T.Parallel(32, N):
                a[i, j] = a[i, j] + A[i, j] * len(steps)
        T.copy(a, B)
        steps.clear()
    return B


@tilelang.jit
def branching(A):
    N = T.const("N")
    A: T.Tensor((32, N), T.float32)
    B = T.empty((32, N), T.float32)
    with T.Kernel(1) as _:
        a = T.alloc_fragment((32, N), T.float32)
        T.copy(A, a)
        if a[0, 0] > 0:
            T.copy(a, B)
    return B


@tilelang.jit
def shuffled(A):
    N = T.const("N")
    A: T.Tensor((32, N), T.float32)
    B = T.empty((32, N), T.float32)
    with T.Kernel(1) as _:
        a = T.alloc_fragment((32, N), T.float32)
        a[0, 0] = T.tvm_warp_shuffle(0, A[0, 0], 1, 32, 32)
        T.copy(a, B)
    return B
