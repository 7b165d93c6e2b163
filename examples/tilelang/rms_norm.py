"""RMS norm of rows, each scaled by a weight a column."""

import tilelang.language as T

ROWS, COLUMNS, BLOCK = 64, 128, 32


@T.prim_func
def rms_norm(
    X: T.Tensor((ROWS, COLUMNS), T.float32),
    weight: T.Tensor((COLUMNS,), T.float32),
    Y: T.Tensor((ROWS, COLUMNS), T.float32),
):
    with T.Kernel(ROWS // BLOCK, threads=64) as block:
        x = T.alloc_fragment((BLOCK, COLUMNS), T.float32)
        square = T.alloc_fragment((BLOCK, COLUMNS), T.float32)
        mean = T.alloc_fragment((BLOCK,), T.float32)
        w = T.alloc_fragment((COLUMNS,), T.float32)
        T.copy(X[block * BLOCK, 0], x)
        T.copy(weight, w)
        for i, j in T.Parallel(BLOCK, COLUMNS):
            square[i, j] = x[i, j] * x[i, j]
        T.reduce_sum(square, mean, dim=1)
        for i in T.Parallel(BLOCK):
            mean[i] = T.rsqrt(mean[i] / COLUMNS + 1e-6)
        for i, j in T.Parallel(BLOCK, COLUMNS):
            x[i, j] *= mean[i] * w[j]
        T.copy(x, Y[block * BLOCK, 0])
