"""A Python variable that changes from one step of a kernel's loop to the next."""

import tilelang.language as T


@T.prim_func
def carried(A: T.Tensor((64, 32), "float32"), B: T.Tensor((64, 32), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 32), "float32")
        row = 0
        for k in T.serial(2):
            T.copy(A[row, 0], a)
            T.copy(a, B[k * 32, 0])
            row = row + 32
