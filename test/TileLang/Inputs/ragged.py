"""Sequences of several lengths, one behind the other: where each begins is in a table."""

import tilelang.language as T


@T.prim_func
def scaled(
    X: T.Tensor((128, 64), T.float16),
    starts: T.Tensor((3,), T.int32),
    scale: T.Tensor((64,), T.float16),
    Y: T.Tensor((128, 64), T.float16),
    lengths: T.Tensor((2, 32), T.float32),
):
    # Each cell has up to 64 rows of a sequence; those of the next one are another cell's to write.
    with T.Kernel(2, 2) as (b, s):
        x = T.alloc_shared((64, 64), T.float16)
        y = T.alloc_fragment((64, 64), T.float16)
        sums = T.alloc_fragment((32,), T.float32)
        first = starts[s]
        rows = starts[s + 1] - first
        T.copy(X[first + b * 64 : first + (b + 1) * 64, :], x)
        for i, j in T.Parallel(64, 64):
            y[i, j] = T.if_then_else(b * 64 + i < rows - 1, x[i, j] * scale[j], 0)
        for i, j in T.Parallel(64, 64):
            if b * 64 + i < rows:
                Y[first + b * 64 + i, j] = y[i, j]
        T.clear(sums)
        for k in T.serial(T.ceildiv(rows - 32, 32)):
            for i in T.Parallel(32):
                sums[i] += 1.0
        if b == 0:
            T.copy(sums, lengths[s, :])


@T.prim_func
def flagged(A: T.Tensor((64, 64), T.float32), used: T.Tensor((4, 2), T.bool), B: T.Tensor((4, 64, 64), T.float32)):
    # Blocks of which any, or all, flags of a table are set.
    with T.Kernel(4) as bx:
        a = T.alloc_shared((64, 64), T.float32)
        flags = T.alloc_local((2,), T.bool)
        T.copy(A, a)
        for k in T.serial(2):
            flags[k] = used[bx, k]
        if T.all_of(flags):
            for i, j in T.Parallel(64, 64):
                a[i, j] = a[i, j] * 2.0
        if not T.any_of(flags):
            for i, j in T.Parallel(64, 64):
                a[i, j] = -1.0
        T.copy(a, B[bx, 0, 0])
