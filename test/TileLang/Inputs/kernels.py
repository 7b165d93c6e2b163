"""Kernels as somebody writes them who knows TileLang: what its language has beside the rest of these inputs."""
import tilelang
import tilelang.language as T


# The largest and the sum of a row without signs, step by step.
@tilelang.jit(out_idx=[1, 2])
def amax(M=64, N=256, bN=64, dtype="bfloat16"):
    @T.prim_func
    def main(X: T.Tensor((M, N), dtype), A: T.Tensor((M,), "float32"), S: T.Tensor((M,), "float32")):
        with T.Kernel(T.ceildiv(M, 32), threads=128) as bx:
            x = T.alloc_shared((32, bN), dtype)
            xf = T.alloc_fragment((32, bN), "float32")
            a = T.alloc_fragment((32,), "float32")
            s = T.alloc_fragment((32,), "float32")
            T.clear(a)
            T.clear(s)
            for k in T.Pipelined(T.ceildiv(N, bN), num_stages=2):
                T.copy(X[bx * 32, k * bN], x)
                T.copy(x, xf)
                T.reduce_absmax(xf, a, dim=1, clear=False)
                T.reduce_abssum(xf, s, dim=1, clear=False)
            T.copy(a, A[bx * 32])
            T.copy(s, S[bx * 32])
    return main


# Sums of all before, and of all after.
@T.prim_func
def scans(X: T.Tensor((64, 64), "float32"), Y: T.Tensor((64, 64), "float32"), Z: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=128) as b:
        x = T.alloc_shared((64, 64), "float32")
        y = T.alloc_fragment((64, 64), "float32")
        z = T.alloc_fragment((64, 64), "float32")
        T.copy(X, x)
        T.cumsum(x, y, dim=1)
        T.cumsum(x, z, dim=0, reverse=True)
        T.copy(y, Y)
        T.copy(z, Z)


# Cells that take blocks in turn, and a macro for what follows a product.
@T.macro
def epilogue(C_local, bias, bM, bN):
    for i, j in T.Parallel(bM, bN):
        v = C_local[i, j] + bias[j]
        C_local[i, j] = v / (1.0 + T.exp(-v))


@tilelang.jit
def persistent(M=128, N=128, K=128, bM=32, bN=64, bK=32):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), bias: T.Tensor((N,), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(8, threads=128) as block:
            a = T.alloc_shared((bM, bK), "float16")
            b = T.alloc_shared((bN, bK), "float16")
            v = T.alloc_shared((bN,), "float16")
            c = T.alloc_fragment((bM, bN), "float32")
            for by, bx in T.Persistent([T.ceildiv(M, bM), T.ceildiv(N, bN)], 8, block):
                T.clear(c)
                T.copy(bias[bx * bN], v)
                for k in T.Pipelined(T.ceildiv(K, bK), num_stages=2):
                    T.copy(A[by * bM, k * bK], a)
                    T.copy(B[bx * bN, k * bK], b)
                    T.gemm(a, b, c, transpose_B=True)
                epilogue(c, v, bM, bN)
                T.copy(c, C[by * bM, bx * bN])
    return main


# The eager style, with an open size and a constant.
m = T.dynamic("m")


@tilelang.jit
def addmul(A, B, s: float = 2.0):
    N = T.const("N")
    A: T.Tensor((m, N), "float32")
    B: T.Tensor((m, N), "float32")
    C = T.empty((m, N), "float32")
    with T.Kernel(T.ceildiv(m, 32), T.ceildiv(N, 64), threads=128) as (bx, by):
        for i, j in T.Parallel(32, 64):
            C[bx * 32 + i, by * 64 + j] = A[bx * 32 + i, by * 64 + j] * s + B[bx * 32 + i, by * 64 + j]
    return C


# Two kernels, and a tensor between them.
@T.prim_func
def splitk(A: T.Tensor((64, 256), "bfloat16"), B: T.Tensor((256, 64), "bfloat16"), P: T.Tensor((4, 64, 64), "float32"), C: T.Tensor((64, 64), "bfloat16")):
    with T.Kernel(4, threads=128) as bz:
        a = T.alloc_shared((64, 64), "bfloat16")
        b = T.alloc_shared((64, 64), "bfloat16")
        c = T.alloc_fragment((64, 64), "float32")
        T.copy(A[0, bz * 64], a)
        T.copy(B[bz * 64, 0], b)
        T.gemm(a, b, c, clear_accum=True)
        T.copy(c, P[bz, 0:64, 0:64])
    with T.Kernel(2, threads=128) as bx:
        acc = T.alloc_fragment((32, 64), "float32")
        T.clear(acc)
        for k in T.serial(4):
            for i, j in T.Parallel(32, 64):
                acc[i, j] += P[k, bx * 32 + i, j]
        T.copy(acc, C[bx * 32, 0])


# A tensor with room between its rows, and sums in place.
@T.prim_func
def strided(X: T.StridedTensor((64, 64), (128, 1), "float32"), Y: T.Tensor((64,), "float32")):
    with T.Kernel(2, threads=64) as b:
        x = T.alloc_fragment((32, 64), "float32")
        s = T.alloc_fragment((32,), "float32")
        T.copy(X[b * 32, 0], x)
        T.reduce_sum(x, s, dim=1)
        for i in T.Parallel(32):
            T.atomic_add(Y[b * 32 + i], s[i])


# Elements dealt to threads.
@T.prim_func
def threads(A: T.Tensor((1024,), "float32"), B: T.Tensor((1024,), "float32")):
    with T.Kernel(4, threads=64) as bx:
        tx = T.get_thread_binding(0)
        for v in T.vectorized(4):
            B[bx * 256 + tx * 4 + v] = A[bx * 256 + tx * 4 + v] * 3.0


# Pairs of elements side by side.
@tilelang.jit(out_idx=-1)
def rope(S=64, D=64):
    @T.prim_func
    def main(X: T.Tensor((S, 2, D), "bfloat16"), C: T.Tensor((S, D // 2), "float32"), Sn: T.Tensor((S, D // 2), "float32"), Y: T.Tensor((S, 2, D), "bfloat16")):
        with T.Kernel(T.ceildiv(S, 32), 2, threads=128) as (bs, bh):
            x = T.alloc_shared((32, D), "bfloat16")
            c = T.alloc_shared((32, D // 2), "float32")
            s = T.alloc_shared((32, D // 2), "float32")
            o = T.alloc_fragment((32, D), "float32")
            T.copy(X[bs * 32:(bs + 1) * 32, bh, :], x)
            T.copy(C[bs * 32, 0], c)
            T.copy(Sn[bs * 32, 0], s)
            for i, j in T.Parallel(32, D // 2):
                o[i, j * 2] = x[i, j * 2] * c[i, j] - x[i, j * 2 + 1] * s[i, j]
                o[i, j * 2 + 1] = x[i, j * 2] * s[i, j] + x[i, j * 2 + 1] * c[i, j]
            T.copy(o, Y[bs * 32:(bs + 1) * 32, bh, :])
    return main


# Integers with a scale for each group.
@T.prim_func
def group(Q: T.Tensor((64, 64), "int8"), Sc: T.Tensor((64, 2), "float16"), Y: T.Tensor((64, 64), "float16")):
    with T.Kernel(2, threads=128) as b:
        q = T.alloc_shared((32, 64), "int8")
        s = T.alloc_shared((32, 2), "float16")
        T.copy(Q[b * 32, 0], q)
        T.copy(Sc[b * 32, 0], s)
        for i, g, k in T.Parallel(32, 2, 32):
            Y[b * 32 + i, g * 32 + k] = T.cast(q[i, g * 32 + k], "float16") * s[i, g]

# Registers of threads, and falling indices.
@T.prim_func
def locals_(A: T.Tensor((256, 8), "float32"), B: T.Tensor((256,), "float32")):
    with T.Kernel(4, threads=64) as bx:
        tx = T.get_thread_binding()
        r = T.alloc_local((8,), "float32")
        acc = T.alloc_local((1,), "float32")
        T.clear(acc)
        for k in T.vectorized(8):
            r[k] = A[bx * 64 + tx, k]
        for k in T.serial(8):
            acc[0] += r[7 - k] * r[k]
        B[bx * 64 + tx] = acc[0]
