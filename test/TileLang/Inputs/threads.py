"""Kernels that ask for their thread."""

import tilelang.language as T


@T.prim_func
def apart(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32"), C: T.Tensor((64, 64), "float32")):
    """What each thread has of its own, branches that some take, elements in turn, the same update by several."""
    with T.Kernel(2, threads=(32, 3)) as _:
        block = T.get_block_binding(0)
        t = T.get_thread_binding(0)
        a = T.alloc_local((64,), "float32")
        s = T.alloc_local((1,), "float32")
        total = T.alloc_shared((32,), "float32")
        s[0] = 0.0
        for k in T.serial(64):
            a[k] = A[block * 32 + t, k]
            s[0] += a[k]
        T.clear(total)
        T.atomic_add(total[t], 1.0)
        if t < 20 and t != 3:
            s[0] = s[0] * 2.0
        else:
            s[0] = -s[0]
        for k in T.vectorized(64):
            B[block * 32 + t, k] = a[k] - s[0]
        for k in T.serial(64):
            C[block * 32 + t, k] = total[t]


@T.prim_func
def summed(A: T.Tensor((128,), "float16"), B: T.Tensor((64, 128), "float16"), C: T.Tensor((64,), "float16")):
    """Threads that add parts of one sum, of which one begins it."""
    with T.Kernel(2, threads=(32, 32)) as bn:
        tn = T.get_thread_binding(0)
        tk = T.thread_binding(0, 32, thread="threadIdx.y")
        a = T.alloc_local((1,), "float16")
        part = T.alloc_local((1,), "float32")
        total = T.alloc_shared((32,), "float32")
        if tk == 0:
            total[tn] = 0
        T.clear(part)
        for k in T.serial(4):
            a[0] = A[k * 32 + tk]
            part[0] += T.cast(a[0], "float32") * T.cast(B[bn * 32 + tn, k * 32 + tk], "float32")
        T.atomic_add(total[tn], part[0])
        C[bn * 32 + tn] = total[tn]


@T.prim_func
def roles(A: T.Tensor((32, 64), "float32"), B: T.Tensor((32, 64), "float32"), C: T.Tensor((32, 64), "float32")):
    """Threads of which some do one thing together, and the others another."""
    with T.Kernel(1, threads=128) as _:
        a = T.alloc_shared((32, 64), "float32")
        T.copy(A, a)
        if T.get_thread_binding() < 32:
            b = T.alloc_fragment((32, 64), "float32")
            for i, j in T.Parallel(32, 64):
                b[i, j] = a[i, j] + 1.0
            T.copy(b, B)
        else:
            c = T.alloc_fragment((32, 64), "float32")
            for i, j in T.Parallel(32, 64):
                c[i, j] = a[i, j] * 2.0
            T.copy(c, C)


@T.prim_func
def race(A: T.Tensor((32, 64), "float32"), B: T.Tensor((32, 64), "float32")):
    with T.Kernel(32, threads=64) as b:
        t = T.get_thread_binding()
        B[b, 0] = A[b, t]


@T.prim_func
def at_once(B: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=(32, 2)) as _:
        t = T.get_thread_binding()
        s = T.alloc_shared((32,), "float32")
        T.clear(s)
        s[t] = s[t] + 1.0
        B[t] = s[t]


@T.prim_func
def together(A: T.Tensor((32, 64), "float32")):
    with T.Kernel(1, threads=32) as _:
        t = T.get_thread_binding()
        s = T.alloc_shared((1, 64), "float32")
        T.copy(A[t, 0], s)


@T.prim_func
def own(A: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=32) as _:
        t = T.get_thread_binding()
        s = T.alloc_local((4,), "float32")
        for k in T.serial(4):
            s[k] = A[t]
        T.copy(s, A[0])


@T.prim_func
def bounds(A: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=32) as _:
        t = T.get_thread_binding()
        for k in T.serial(t):
            A[t] = 1.0


@T.prim_func
def which(A: T.Tensor((4,), "float32")):
    with T.Kernel(4, threads=32) as b:
        t = T.get_thread_binding()
        if t < b * 40:
            A[b] = 1.0


@T.prim_func
def bound(A: T.Tensor((4,), "float32")):
    with T.Kernel(4, threads=32) as b:
        t = T.thread_binding(1, 32, thread="threadIdx.x")
        A[t] = 1.0
