"""Softmax of rows, with a macro for what two kernels might share."""

import tilelang
import tilelang.language as T


@T.macro
def exponentials(x, low, out, rows, columns):
    for i, j in T.Parallel(rows, columns):
        out[i, j] = T.exp(x[i, j] - low[i])


@tilelang.jit
def softmax(X, block=32):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), T.float32)
    Y = T.empty((M, N), T.float32)
    with T.Kernel(T.ceildiv(M, block), threads=64) as row:
        x = T.alloc_shared((block, N), T.float32)
        e = T.alloc_fragment((block, N), T.float32)
        best = T.alloc_fragment((block,), T.float32)
        total = T.alloc_fragment((block,), T.float32)
        T.copy(X[row * block : (row + 1) * block, :], x)
        T.reduce_max(x, best, dim=1)
        exponentials(x, best, e, block, N)
        T.reduce_sum(e, total, dim=1)
        for i, j in T.Parallel(block, N):
            e[i, j] = e[i, j] / total[i]
        T.copy(e, Y[row * block, 0])
    return Y


softmax.compile(M=64, N=96)
