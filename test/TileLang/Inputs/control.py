"""Loops and variables that tracing must see through; each kernel runs, and Python agrees."""

import tilelang
import tilelang.language as T


@T.prim_func
def counted(A: T.Tensor((256, 32), "float32"), B: T.Tensor((256, 32), "float32")):
    """A `while` that counts: each cell takes every second block, and what a branch sets is a choice."""
    with T.Kernel(2) as bx:
        a = T.alloc_shared((32, 32), "float32")
        block = T.alloc_var(T.int32)
        other = T.alloc_var(T.int32)
        block = bx
        while block < 8:
            other = 0
            if block >= 4:
                other = 1
            else:
                other = 2
            T.copy(A[min(block, 6) * 32 : min(block, 6) * 32 + 32, :], a)
            for i, j in T.Parallel(32, 32):
                a[i, j] = a[i, j] * T.cast(other, "float32") + T.truncdiv(i, 8)
            T.copy(a, B[block * 32, 0])
            block = block + 2


@T.prim_func
def carried(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32"), C: T.Tensor((64, 64), "float32")):
    """Variables that go from step to step: an integer, a float, and one inside of a parallel loop."""
    with T.Kernel(1) as bx:
        a = T.alloc_fragment((64, 64), "float32")
        row = T.alloc_var(T.int32, init=0)
        scale = T.alloc_var("float32", init=1.0)
        x = T.alloc_var("float32")
        for k in T.serial(2):
            row = row + 32
            scale = scale * 2.0
        T.copy(A, a)
        for i, j in T.Parallel(64, 64):
            x = a[i, j] * scale
            if i < j:
                x = x + 1.0
            C[i, j] = x
        for i, j in T.Parallel(64, 64):
            B[i, j] = a[i, j] + T.if_then_else(i + j < row, 1.0, -1.0)
