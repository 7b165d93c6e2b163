"""Shifts, masks and bits of numbers; elements at a quotient of a loop; products of integers."""

import tilelang.language as T


def signed_half(byte, place):
    """Four bits of a byte as a number with a sign."""
    half = (byte >> (place.astype(T.uint8) * T.uint8(4))) & T.uint8(15)
    return T.reinterpret(half << T.uint8(4), T.int8) >> T.int8(4)


@T.prim_func
def unpack(Q: T.Tensor((32, 32), "uint8"), A: T.Tensor((32, 64), "int8"), B: T.Tensor((32, 32), "int32")):
    """B = A x (the halves of Q)^T"""
    with T.Kernel(1) as _:
        q = T.alloc_fragment((32, 32), "uint8")
        a = T.alloc_shared((32, 64), "int8")
        w = T.alloc_fragment((32, 64), "int8")
        c = T.alloc_fragment((32, 32), "int32")
        T.copy(Q, q)
        T.copy(A, a)
        for i, j in T.Parallel(32, 64):
            w[i, j] = signed_half(q[i, j // 2], j % 2)
        T.clear(c)
        T.gemm(a, w, c, transpose_B=True)
        T.copy(c, B)


@T.prim_func
def halves(Q: T.Tensor((32, 32), "uint8"), F: T.Tensor((32, 32), "float16"), P: T.Tensor((32, 32), "float32")):
    """Numbers of their fields: float16 of all signs and ordinary exponents; powers of two."""
    with T.Kernel(1) as _:
        q = T.alloc_fragment((32, 32), "uint8")
        T.copy(Q, q)
        for i, j in T.Parallel(32, 32):
            most = T.max(T.min(q[i, j] & T.uint8(127), T.uint8(123)), T.uint8(4))
            F[i, j] = T.reinterpret(T.cast(most | (q[i, j] & T.uint8(128)), "uint16") << T.uint16(8), T.float16)
        for i, j in T.Parallel(32, 32):
            P[i, j] = T.reinterpret((T.cast(q[i, j] & T.uint8(7), "int32") + 120) << 23, T.float32)


@T.prim_func
def apart(Q: T.Tensor((32, 32), "uint8"), F: T.Tensor((32, 32), "float32")):
    with T.Kernel(1) as _:
        for i, j in T.Parallel(32, 32):
            F[i, j] = T.cast(Q[i, j] & T.uint8(5), "float32")


@T.prim_func
def narrow(A: T.Tensor((32, 32), "float16"), F: T.Tensor((32, 32), "uint16")):
    with T.Kernel(1) as _:
        for i, j in T.Parallel(32, 32):
            F[i, j] = T.reinterpret(A[i, j], T.uint16)


@T.prim_func
def deep(A: T.Tensor((32, 2048), "int8"), B: T.Tensor((32, 32), "int32")):
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 2048), "int8")
        c = T.alloc_fragment((32, 32), "int32")
        T.clear(c)
        T.gemm(a, a, c, transpose_B=True)
        T.copy(c, B)
