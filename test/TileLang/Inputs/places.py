"""Elements at any affine index, and parts of a core's buffer that are no whole tiles; each function checks several things."""

import tilelang
import tilelang.language as T


@T.prim_func
def falling(A: T.Tensor((128, 64), "float32"), V: T.Tensor((128,), "float32"), B: T.Tensor((64, 64), "float32"),
            C: T.Tensor((64, 64), "bfloat16")):
    """Falling indices and steps of a tensor's dimensions, of float32 exactly; of what a core computes; what is written."""
    with T.Kernel(2) as b:
        x = T.alloc_fragment((32, 64), "float32")
        for i, j in T.Parallel(32, 64):
            B[b * 32 + i, j] = A[127 - 2 * (b * 32 + i), 63 - j] + V[127 - j]
        for i, j in T.Parallel(32, 64):
            x[i, j] = A[b * 32 + i, j] * 2.0
        for i, j in T.Parallel(32, 64):
            C[63 - b * 32 - i, 63 - j] = x[31 - i, j]


@T.prim_func
def together(A: T.Tensor((64, 64), "bfloat16"), S: T.Tensor((64, 8), "bfloat16"), V: T.Tensor((64,), "float32"),
             B: T.Tensor((64, 64), "bfloat16"), C: T.Tensor((16, 4), "float32"), H: T.Tensor((4, 64, 16), "bfloat16")):
    """Two loops in one index: of what is written, of a vector that becomes a matrix, and of heads."""
    with T.Kernel(1) as b:
        a = T.alloc_shared((64, 64), "bfloat16")
        s = T.alloc_shared((64, 8), "bfloat16")
        v = T.alloc_shared((64,), "float32")
        c = T.alloc_fragment((64, 64), "float32")
        T.copy(A, a)
        T.copy(S, s)
        T.copy(V, v)
        for i, j, k in T.Parallel(64, 8, 8):
            c[i, j * 8 + k] = a[i, j * 8 + k] * s[i, j]
        T.copy(c, B)
        for i, j in T.Parallel(16, 4):
            C[i, j] = v[i * 4 + 3 - j]
        for h, i, d in T.Parallel(4, 64, 16):
            H[h, i, d] = a[i, h * 16 + d]


@T.prim_func
def rotary(X: T.Tensor((64, 64), "bfloat16"), C: T.Tensor((64, 32), "bfloat16"), Y: T.Tensor((64, 64), "bfloat16"),
           Z: T.Tensor((64, 64), "bfloat16"), D: T.Tensor((64,), "float32")):
    """Every other element of a buffer, written too; halves that are exchanged; a diagonal."""
    with T.Kernel(1) as b:
        x = T.alloc_shared((64, 64), "bfloat16")
        y = T.alloc_shared((64, 64), "bfloat16")
        c = T.alloc_shared((64, 32), "bfloat16")
        T.copy(X, x)
        T.copy(C, c)
        for i, j in T.Parallel(64, 32):
            y[i, 2 * j] = x[i, 2 * j] * c[i, j] - x[i, 2 * j + 1]
            y[i, 2 * j + 1] = x[i, 2 * j] + x[i, 2 * j + 1] * c[i, j]
        T.copy(y, Y)
        for i, j in T.Parallel(64, 64):
            Z[i, j] = T.if_then_else(j < 32, -x[i, j + 32], x[i, j - 32])
        for i in T.Parallel(64):
            D[i] = x[i, i]


@T.prim_func
def parts(A: T.Tensor((64, 64), "bfloat16"), Y: T.Tensor((64, 64), "bfloat16")):
    """Parts of what a core computes, that are no whole tiles: copied, filled, a row in each step."""
    with T.Kernel(1) as b:
        x = T.alloc_fragment((64, 64), "bfloat16")
        y = T.alloc_fragment((64, 64), "float32")
        T.copy(A, x)
        for i, j in T.Parallel(64, 64):
            x[i, j] = T.max(x[i, j], 0.25)
        T.clear(y)
        T.copy(x[8:24, :], y[0:16, :])
        T.copy(x[0:16, 0:32], y[20:36, 10:42])
        T.fill(y[40:43, 5:9], 3.0)
        for k in T.serial(4):
            for j in T.Parallel(64):
                y[60 + k, j] = x[k, j] - x[5, j]
        T.copy(y, Y)


@T.prim_func
def operands(A: T.Tensor((64, 64), "bfloat16"), R: T.Tensor((64,), "float32"), G: T.Tensor((16, 64), "float32")):
    """The same, reduced and multiplied."""
    with T.Kernel(1) as b:
        x = T.alloc_fragment((64, 64), "bfloat16")
        r = T.alloc_fragment((64,), "float32")
        g = T.alloc_fragment((16, 64), "float32")
        T.copy(A, x)
        for i, j in T.Parallel(64, 64):
            x[i, j] = T.max(x[i, j], 0.25)
        T.clear(r)
        T.reduce_sum(x[8:24, :], r[10:26], dim=1)
        T.copy(r, R)
        T.clear(g)
        T.gemm(x[8:24, :], x, g)
        T.copy(g, G)


@T.prim_func
def quotients(A: T.Tensor((16, 64), "bfloat16"), Q: T.Tensor((64, 32), "uint8"), B: T.Tensor((64, 64), "bfloat16"),
              W: T.Tensor((64, 64), "bfloat16")):
    """Quotients of a tensor's indices; weights of 4 bits, two in a byte."""
    with T.Kernel(2) as b:
        q = T.alloc_shared((32, 32), "uint8")
        w = T.alloc_fragment((32, 64), "bfloat16")
        T.copy(Q[b * 32, 0], q)
        for i, j in T.Parallel(32, 64):
            B[b * 32 + i, j] = A[(b * 32 + i) // 4, j] + A[(b * 32 + i) % 16, j // 2]
        for i, j in T.Parallel(32, 32):
            w[i, j * 2] = T.cast(q[i, j] & 15, "bfloat16")
            w[i, j * 2 + 1] = T.cast(q[i, j] >> 4, "bfloat16")
        T.copy(w, W[b * 32, 0])


@T.prim_func
def race(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32")):
    with T.Kernel(1) as b:
        a = T.alloc_fragment((64,), "float32")
        T.copy(A, a)
        for i in T.Parallel(64):
            a[i] = a[63 - i]
        T.copy(a, B)


@T.prim_func
def turned(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as b:
        a = T.alloc_shared((64, 64), "float32")
        T.copy(A, a)
        for i, j in T.Parallel(64, 64):
            a[i, j] = a[j, i] + 1.0
        T.copy(a, B)


@T.prim_func
def wide(A: T.Tensor((64, 64), "int32"), B: T.Tensor((64, 64), "int32")):
    with T.Kernel(1) as b:
        for i, j in T.Parallel(64, 64):
            B[i, j] = A[i, 63 - j]


@T.prim_func
def everywhere(A: T.Tensor((64, 65536), "float32"), B: T.Tensor((64, 64), "float32")):
    with T.Kernel(1) as b:
        for i, j in T.Parallel(64, 64):
            B[i, j] = A[63 - i, j * 1000]


@tilelang.jit
def window(X, W, rows=32, columns=32):
    """A filter of 32 taps along rows: each block brings the one behind it, of which the last has none."""
    M, N = T.const("M N")
    X: T.Tensor((M, N), T.float16)
    W: T.Tensor((32,), T.float16)
    Y = T.empty((M, N), T.float32)
    with T.Kernel(N // columns, M // rows) as (n, m):
        x = T.alloc_shared((rows, columns + 32), T.float16)
        w = T.alloc_fragment((32,), T.float16)
        y = T.alloc_fragment((rows, columns), T.float32)
        T.copy(X[m * rows, n * columns], x)
        T.copy(W, w)
        T.clear(y)
        for i, j in T.Parallel(rows, columns):
            for k in T.serial(32):
                if n * columns + j + k < N:
                    y[i, j] += T.cast(x[i, j + k], T.float32) * T.cast(w[k], T.float32)
        T.copy(y, Y[m * rows, n * columns])
    return Y
