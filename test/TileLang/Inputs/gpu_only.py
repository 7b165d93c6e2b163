"""What only a GPU has, each in a kernel of its own."""

import tilelang.language as T


@T.prim_func
def barrier(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        T.alloc_barrier(1)


@T.prim_func
def wait(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        T.mbarrier_wait_parity(0, 0)


@T.prim_func
def tensor_core(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((64, 64), "float32")
        T.tcgen05_gemm(a, a, a)


@T.prim_func
def assembly(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        T.ptx_wait_group(0)


@T.prim_func
def warps(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        with T.ws(0):
            T.clear(A)


@T.prim_func
def shuffle(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        T.shfl_xor(1.0, 2)


@T.prim_func
def foreign(A: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        T.call_extern("handle", "foo", A)


@T.prim_func
def outside(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as _:
        T.annotate_safe_value({A: 0.0})
        T.annotate_safe_value({A: 1.0})
