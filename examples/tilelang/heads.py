"""A block of rows and columns of a tensor [batch, rows, heads, width]: the rows are not beside the columns."""

import tilelang.language as T

BATCH, ROWS, HEADS, WIDTH, BLOCK = 1, 64, 2, 32, 32


@T.prim_func
def scale_heads(
    X: T.Tensor((BATCH, ROWS, HEADS, WIDTH), "bfloat16"),
    weight: T.Tensor((HEADS, WIDTH), "bfloat16"),
    Y: T.Tensor((BATCH, ROWS, HEADS, WIDTH), "bfloat16"),
):
    with T.Kernel(ROWS // BLOCK, HEADS, BATCH) as (row, head, one):
        x = T.alloc_shared((BLOCK, WIDTH), "bfloat16")
        w = T.alloc_shared((WIDTH,), "bfloat16")
        T.copy(X[one, row * BLOCK : (row + 1) * BLOCK, head, :], x)
        T.copy(weight[head, :], w)
        for i, j in T.Parallel(BLOCK, WIDTH):
            x[i, j] = x[i, j] * w[j]
        T.copy(x, Y[one, row * BLOCK : (row + 1) * BLOCK, head, :])
