"""Kernels that cannot be translated, each for one reason."""

import tilelang
import tilelang.language as T
import torch


def helper(tensor, shared):
    T.tma_copy(tensor[0, 0], shared)


@T.prim_func
def gpu_only(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((64, 64), "float32")
        helper(A, a)


@T.prim_func
def too_many_indices(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((64, 64), "float32")
        T.copy(A[0, 0, 0], a)


@T.prim_func
def by_data(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_fragment((64, 64), "float32")
        T.copy(A, a)
        if a[0, 0] > 1:
            T.clear(a)
        T.copy(a, A)


@T.prim_func
def quotient(A: T.Tensor((64, 32), "float32"), B: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        for i, j in T.Parallel(64, 64):
            B[i, j // 2] = A[i, j // 2]


@T.prim_func
def decided(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(3) as x:
        while x > 1:
            pass


@T.prim_func
def race(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64,), "float32")):
    with T.Kernel(1) as _:
        for i, j in T.Parallel(64, 64):
            B[i] = A[i, j]


@T.prim_func
def stale(A: T.Tensor((32, 32), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_fragment((32, 32), "float32")
        T.copy(A, a)
        for i, j in T.Parallel(32, 32):
            old = a[i, j]
            a[i, j] = 0.0
            A[i, j] = old


@tilelang.jit
def open_sizes(A, block):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), "float32")
    with T.Kernel(M // block) as _:
        pass


@T.prim_func
def mistake(A: T.Tensor((32, 32), "float32")):
    with T.Kernel(1) as _:
        undefined_name + 1


def not_a_kernel():
    return torch.randn(3)


@T.prim_func
def sizes_of_copy(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 64), "float32")
        T.copy(A, a)


@T.prim_func
def sizes_of_gemm(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 64), "float32")
        c = T.alloc_fragment((32, 64), "float32")
        T.gemm(a, a, c)


@T.prim_func
def sizes_of_sum(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 64), "float32")
        c = T.alloc_fragment((64,), "float32")
        T.reduce_sum(a, c, dim=1)


@T.prim_func
def holds_nothing(A: T.Tensor((32, 32), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 32), "float32")
        c = T.alloc_fragment((32, 32), "float32")
        T.copy(A, a)
        for k in T.Pipelined(2):
            T.gemm(a, a, c)
        T.copy(c, A)


@T.prim_func
def reads_nothing(A: T.Tensor((32, 32), "float32")):
    with T.Kernel(1) as _:
        c = T.alloc_fragment((32, 32), "float32")
        for i, j in T.Parallel(32, 32):
            c[i, j] += A[i, j]


CORES = torch.cuda.get_device_properties(0).multi_processor_count


@T.prim_func
def of_standin(A: T.Tensor((32, 32), "float32")):
    with T.Kernel(CORES) as _:
        pass


@T.prim_func
def misspelt(A: T.Tensor((32, 32), "float32")):
    with T.Kernel(1) as _:
        for i, j in T.Paralel(32, 32):
            pass


@T.prim_func
def type_of_nothing(A: T.Tensor((32, 32), "flaot32")):
    with T.Kernel(1) as _:
        T.clear(A)


ROWS = 32 * int(torch.cuda.get_device_properties(0).multi_processor_count)


@T.prim_func
def size_of_standin(A: T.Tensor((max(ROWS, 2), 64), "float32")):
    with T.Kernel(1) as b:
        T.copy(A[0:32, :], A[0:32, :])
