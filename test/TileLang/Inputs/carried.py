"""State of Python that changes from one step of a kernel's loop to the next."""

import tilelang.language as T


@T.prim_func
def hidden(A: T.Tensor((64, 32), "float32"), B: T.Tensor((64, 32), "float32")):
    """Tracing does not see into a list."""
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 32), "float32")
        row = [0]
        for k in T.serial(2):
            T.copy(A[row[0], 0], a)
            T.copy(a, B[k * 32, 0])
            row[0] = row[0] + 32


@T.prim_func
def named(A: T.Tensor((64, 32), "float32"), B: T.Tensor((64, 32), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 32), "float32")
        row = 0
        for k in T.serial(2):
            T.copy(A[row, 0], a)
            T.copy(a, B[k * 32, 0])
            row = row + 32


@T.prim_func
def in_data(A: T.Tensor((64, 32), "float32"), B: T.Tensor((64, 32), "float32"), steps: T.int32):
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 32), "float32")
        row = T.alloc_var(T.int32, init=0)
        for k in T.serial(steps):
            T.copy(A[row, 0], a)
            row = row + 32


@T.prim_func
def no_counter(A: T.Tensor((64, 32), "float32"), B: T.Tensor((64, 32), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 32), "float32")
        row = T.alloc_var(T.int32, init=1)
        while row < 64:
            T.copy(A[row, 0], a)
            row = row * 2


@T.prim_func
def truncated(A: T.Tensor((64, 32), "float32"), B: T.Tensor((64, 32), "float32")):
    with T.Kernel(1) as _:
        for i, j in T.Parallel(64, 32):
            B[i, j] = A[i, j] + T.truncdiv(i - j, 4)


@T.prim_func
def after_loop(A: T.Tensor((64, 32), "float32"), B: T.Tensor((64, 32), "float32")):
    with T.Kernel(1) as bx:
        a = T.alloc_shared((32, 32), "float32")
        row = T.alloc_var(T.int32, init=0)
        for k in T.serial(32):
            row = k * 2
            T.copy(A[row, 0], a)
        T.copy(a, B[row, 0])


@T.prim_func
def hidden_element(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32")):
    """The same for one element of 4096, which no mean shows."""
    with T.Kernel(1) as _:
        a = T.alloc_shared((64, 64), "float32")
        T.copy(A, a)
        steps = []
        for k in T.serial(2):
            steps.append(k)
            for i, j in T.Parallel(64, 64):
                a[i, j] = T.if_then_else(i * 64 + j == 777, a[i, j] + 3.0 * len(steps), a[i, j])
        T.copy(a, B)
