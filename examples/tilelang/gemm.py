"""A product with relu, in TileLang's eager style: sizes are named by T.const and given when it is compiled."""

import tilelang
import tilelang.language as T


@tilelang.jit
def gemm_relu(A, B, rows=64, columns=64, depth=32):
    M, N, K = T.const("M N K")
    A: T.Tensor((M, K), T.bfloat16)
    B: T.Tensor((K, N), T.bfloat16)
    C = T.empty((M, N), T.bfloat16)

    with T.Kernel(T.ceildiv(N, columns), T.ceildiv(M, rows), threads=128) as (x, y):
        a = T.alloc_shared((rows, depth), T.bfloat16)
        b = T.alloc_shared((depth, columns), T.bfloat16)
        c = T.alloc_fragment((rows, columns), T.float32)
        T.clear(c)
        for k in T.Pipelined(T.ceildiv(K, depth), num_stages=3):
            T.copy(A[y * rows, k * depth], a)
            T.copy(B[k * depth, x * columns], b)
            T.gemm(a, b, c)
        for i, j in T.Parallel(rows, columns):
            c[i, j] = T.max(c[i, j], 0)
        T.copy(c, C[y * rows, x * columns])
    return C


kernel = gemm_relu.compile(M=128, N=128, K=96)
