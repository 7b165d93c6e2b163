"""The language by its half that few kernels use; each function checks several things, because each is a program."""

import tilelang.language as T

n = T.dynamic("n")


@T.prim_func
def elements(
    A: T.Tensor((64, 64), "float32"),
    flags: T.Tensor((64, 64), "bool"),
    bytes_: T.Tensor((64, 64), "uint8"),
    quotients: T.Tensor((64, 64), "float32"),
    chosen: T.Tensor((64, 64), "float32"),
    sums: T.Tensor((64,), "float32"),
    widened: T.Tensor((64, 64), "float32"),
):
    """Quotients and choices of loops, truth values, unsigned bytes, a reducer."""
    with T.Kernel(2) as bx:
        positive = T.alloc_fragment((32, 64), "bool")
        a = T.alloc_fragment((32, 64), "float32")
        total = T.alloc_reducer((32,), "float32", op="sum")
        T.copy(A[bx * 32, 0], a)
        for i, j in T.Parallel(32, 64):
            r = bx * 32 + i
            quotients[r, j] = T.if_then_else(r // 7 == j // 7, a[i, j], T.cast((r * 3 + j) % 11, "float32")) + (
                1.0 if (r if r < j else j) > T.min(20, j) else 2.0
            )
        for i, j in T.Parallel(32, 64):
            positive[i, j] = a[i, j] > 0.5
        for i, j in T.Parallel(32, 64):
            chosen[bx * 32 + i, j] = T.if_then_else(positive[i, j] and flags[bx * 32 + i, j], a[i, j], -1.0)
        for i, j in T.Parallel(32, 64):
            byte = bytes_[bx * 32 + i, j]
            widened[bx * 32 + i, j] = T.if_then_else(byte > 9, 0.0, T.cast(byte, "float32"))
        T.clear(total)
        for i, j in T.Parallel(32, 64):
            total[i] += a[i, j]
        T.finalize_reducer(total)
        T.copy(total, sums[bx * 32])


@T.prim_func
def grid(A: T.Tensor((n, 64), "float32"), B: T.Tensor((n, 64), "float32"), C: T.Tensor((n, 64), "float32")):
    """Blocks that cells take in turn, sums into a tensor where no cells meet, a size that is open."""
    with T.Kernel(3) as cell:
        a = T.alloc_fragment((32, 32), "float32")
        for i, j in T.Persistent([T.ceildiv(n, 32), 2], 3, cell):
            T.copy(A[i * 32, j * 32], a)
            for x, y in T.Parallel(32, 32):
                a[x, y] = a[x, y] + i * 10 + j
            T.copy(a, B[i * 32, j * 32])
            T.atomic_add(C[i * 32, j * 32], a)


@T.prim_func
def tables(
    A: T.Tensor((128, 64), "float16"),
    rows: T.Tensor((64,), "int32"),
    used: T.Tensor((2, 4), "bool"),
    B: T.Tensor((64, 64), "float16"),
):
    """Rows and branches that tables say, straight from a tensor and from a buffer that has a part of it."""
    with T.Kernel(2) as bx:
        a = T.alloc_shared((32, 64), "float16")
        mine = T.alloc_local([4], "bool")
        for k in T.serial(4):
            mine[k] = used[bx, k]
        for i, j in T.Parallel(32, 64):
            a[i, j] = A[rows[bx * 32 + i], j]
        for k in T.serial(4):
            if mine[k]:
                T.copy(a, B[bx * 32, 0])


@T.prim_func
def race(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32")):
    with T.Kernel(2, 2) as (bx, by):
        a = T.alloc_fragment((32, 32), "float32")
        T.copy(A[by * 32, bx * 32], a)
        T.atomic_add(B[by * 32, 0], a)


@T.prim_func
def ends(
    A: T.Tensor((50, 64), "float32"),
    guarded: T.Tensor((50, 64), "float32"),
    padded: T.Tensor((64, 64), "float32"),
    cut: T.Tensor((50, 64), "float32"),
):
    """What is behind a tensor's end is zero where it is read, and lost where it is written."""
    with T.Kernel(2) as bx:
        a = T.alloc_fragment((32, 64), "float32")
        b = T.alloc_fragment((32, 64), "float32")
        for i, j in T.Parallel(32, 64):
            a[i, j] = T.exp(A[bx * 32 + i, j])
        T.fill(b, 3.0)
        for i, j in T.Parallel(32, 64):
            b[i, j] += A[bx * 32 + i, j]
        for i, j in T.Parallel(32, 64):
            if bx * 32 + i < 50:
                guarded[bx * 32 + i, j] = a[i, j]
        for i, j in T.Parallel(32, 64):
            padded[bx * 32 + i, j] = a[i, j] + b[i, j]
        for i, j in T.Parallel(32, 64):
            cut[bx * 32 + i, j] = a[i, j] * 2


@T.prim_func
def multiplied(A: T.Tensor((50, 64), "float32"), B: T.Tensor((64, 64), "float32")):
    with T.Kernel(2) as bx:
        a = T.alloc_fragment((32, 64), "float32")
        T.fill(a, 3.0)
        for i, j in T.Parallel(32, 64):
            a[i, j] *= A[bx * 32 + i, j]
        T.copy(a, B[bx * 32, 0])


@T.prim_func
def shapes(A: T.Tensor((64, 64), "float32"), bits: T.Tensor((1, 64), "uint8"), B: T.Tensor((64, 64), "float32")):
    """Bytes of a row for all rows; a buffer that is reshaped, twice."""
    with T.Kernel(2) as bx:
        a = T.alloc_fragment((32, 64), "float32")
        row = T.alloc_fragment((64,), "uint8")
        T.copy(bits[0, :], row)
        T.copy(A[bx * 32, 0], a)
        same = T.reshape(T.reshape(a, (32, 2, 32)), (32, 64))
        for i, j in T.Parallel(32, 64):
            B[bx * 32 + i, j] = T.if_then_else(row[j] != 0, same[i, j], -1.0) + T.cast(row[j], "float32")


@T.prim_func
def sides(A: T.Tensor((50, 64), "float32"), B: T.Tensor((64, 64), "float32"), limit: T.int32):
    """Both sides of an `if` set one element; a scalar that the command line gives is a constant."""
    with T.Kernel(2) as bx:
        a = T.alloc_fragment((32, 64), "float32")
        for i, j in T.Parallel(32, 64):
            if bx * 32 + i < limit:
                a[i, j] = A[bx * 32 + i, j] * 2.0
            else:
                a[i, j] = -1.0
        T.copy(a, B[bx * 32, 0])


@T.prim_func
def lines(A: T.Tensor((32, 64), "float32"), B: T.Tensor((32, 8), "float32")):
    """A column of a core's buffer that is written by itself, and an element of a row."""
    with T.Kernel(1) as _:
        a = T.alloc_fragment((32, 64), "float32")
        s = T.alloc_fragment((32,), "float32")
        row = T.alloc_fragment((64,), "float32")
        b = T.alloc_fragment((32, 8), "float32")
        T.copy(A, a)
        T.copy(A[3, :], row)
        T.clear(b)
        for k in T.serial(6):
            for i, j in T.Parallel(32, 64):
                a[i, j] = a[i, j] * row[63] + 1.0
            T.reduce_sum(a, s, dim=1)
            T.copy(s, b[:, k + 1])
        T.copy(b, B)


@T.prim_func
def strided(A: T.StridedTensor((64, 48), (80, 1), "float32"), B: T.Tensor((64, 48), "float32")):
    """Rows that begin further apart than they are long."""
    with T.Kernel(2) as bx:
        a = T.alloc_fragment((32, 48), "float32")
        T.copy(A[bx * 32, 0], a)
        for i, j in T.Parallel(32, 48):
            a[i, j] = a[i, j] + 1.0
        T.copy(a, B[bx * 32, 0])


@T.prim_func
def largest(A: T.Tensor((64, 96), "float32"), V: T.Tensor((64,), "float32"), I: T.Tensor((64,), "int32")):
    """A number of a loop that data chooses is an element, and no index."""
    with T.Kernel(2) as b:
        a = T.alloc_fragment((32, 96), "float32")
        m = T.alloc_fragment((32,), "float32")
        x = T.alloc_fragment((32, 96), "int32")
        ix = T.alloc_fragment((32,), "int32")
        T.copy(A[b * 32, 0], a)
        T.reduce_max(a, m, dim=1)
        for i, j in T.Parallel(32, 96):
            x[i, j] = T.if_then_else(a[i, j] == m[i], j, -1)
        T.reduce_max(x, ix, dim=1)
        T.copy(m, V[b * 32])
        T.copy(ix, I[b * 32])


@T.prim_func
def halves(Q: T.Tensor((32, 32), "int8"), R: T.Tensor((32, 32), "float32"), E: T.Tensor((32, 32), "float32")):
    """T.round takes halves away from zero, T.nearbyint to the even number."""
    with T.Kernel(1) as _:
        for i, j in T.Parallel(32, 32):
            R[i, j] = T.round(T.cast(Q[i, j], "float32") * 0.5)
        for i, j in T.Parallel(32, 32):
            E[i, j] = T.nearbyint(T.cast(Q[i, j], "float32") * 0.5)
