"""Where tensors and tiles end: what lies before a tensor, flags by the dozen, reductions of three dimensions, half bytes."""

import tilelang
import tilelang.language as T


@T.prim_func
def taps(X: T.Tensor((64, 64), "bfloat16"), W: T.Tensor((4, 64), "bfloat16"), Y: T.Tensor((64, 64), "bfloat16")):
    """What is read before a tensor is zero: in parallel loops, ..."""
    with T.Kernel(2) as b:
        acc = T.alloc_fragment((32, 64), "float32")
        T.clear(acc)
        for k in T.serial(4):
            for i, j in T.Parallel(32, 64):
                acc[i, j] += X[b * 32 + i + k - 3, j] * W[k, j]
        T.copy(acc, Y[b * 32, 0])


@T.prim_func
def halved(X: T.Tensor((128, 32), "float32"), W: T.Tensor((3, 32), "float32"), Y: T.Tensor((64, 32), "float32")):
    """Every second row, of which the first lies before the tensor."""
    with T.Kernel(2) as b:
        y = T.alloc_fragment((32, 32), "float32")
        T.clear(y)
        for k in T.serial(3):
            for i, j in T.Parallel(32, 32):
                y[i, j] += X[(b * 32 + i) * 2 + k - 1, j] * W[k, j]
        T.copy(y, Y[b * 32, 0])


@T.prim_func
def halo(X: T.Tensor((64, 64), "float32"), Y: T.Tensor((64, 64), "float32"), Z: T.Tensor((64, 64), "float32")):
    """... and in copies, of blocks and of rows."""
    with T.Kernel(2) as b:
        x = T.alloc_shared((32, 64), "float32")
        row = T.alloc_fragment((64,), "float32")
        T.copy(X[b * 32 - 8, 0], x)
        T.copy(X[b - 1, 0:64], row)
        for i, j in T.Parallel(32, 64):
            Y[b * 32 + i, j] = x[i, j] + row[j]
        for i, j in T.Parallel(32, 64):
            Z[b * 32 + i, j] = X[b * 32 + i, j] + X[b - 1, j]


@T.prim_func
def stencil(X: T.Tensor((64, 64), "float32"), Y: T.Tensor((64, 64), "float32")):
    """What is read ends elsewhere than what is written: all of that is written."""
    with T.Kernel(2) as b:
        for i, j in T.Parallel(32, 64):
            Y[b * 32 + i, j] = X[b * 32 + i, j] * 4.0 - X[b * 32 + i - 1, j] - X[b * 32 + i + 1, j]


@T.prim_func
def shifted(X: T.Tensor((64, 64), "float32"), Y: T.Tensor((64, 64), "float32")):
    """An `if` leaves out the cell that would write before its tensor; what no cell writes is left alone."""
    with T.Kernel(2) as b:
        if b > 0:
            for i, j in T.Parallel(32, 64):
                Y[b * 32 + i - 32, j] = X[b * 32 + i, j]


@T.prim_func
def before(X: T.Tensor((64, 64), "float32"), Y: T.Tensor((64, 64), "float32")):
    with T.Kernel(2) as b:
        for i, j in T.Parallel(32, 64):
            Y[b * 32 + i - 32, j] = X[b * 32 + i, j]


@T.prim_func
def flags(A: T.Tensor((64, 64), "float32"), used: T.Tensor((2, 32), "bool"), B: T.Tensor((64, 64), "float32")):
    with T.Kernel(2) as bx:
        a = T.alloc_shared((32, 64), "float32")
        mine = T.alloc_shared((32,), "bool")
        T.copy(used[bx, 0], mine)
        T.clear(a)
        if T.any_of(mine) and T.any_of(used[bx, 0:32]):
            T.copy(A[bx * 32, 0], a)
        T.copy(a, B[bx * 32, 0])


@T.prim_func
def groups(
    A: T.Tensor((4, 32, 64), "float32"),
    S: T.Tensor((32, 64), "float32"),
    M: T.Tensor((4, 32), "float32"),
    Q: T.Tensor((32, 4), "float32"),
):
    """Reductions of three dimensions, whose results are rows and columns inside of tiles."""
    with T.Kernel(1) as _:
        a = T.alloc_fragment((4, 32, 64), "float32")
        first = T.alloc_fragment((32, 64), "float32")
        s = T.alloc_fragment((32, 64), "float32")
        m = T.alloc_fragment((4, 32), "float32")
        q = T.alloc_fragment((32, 4), "float32")
        T.copy(A, a)
        T.copy(A[1, :, :], first)
        T.reduce_sum(a, s, dim=0)
        T.reduce_max(a, m, dim=2)
        T.reduce_absmax(T.reshape(first, (32, 4, 16)), q, dim=2)
        T.copy(s, S)
        T.copy(m, M)
        T.copy(q, Q)


@T.prim_func
def groups_on(A: T.Tensor((4, 32, 64), "float32"), M: T.Tensor((4, 32), "float32")):
    with T.Kernel(1) as _:
        a = T.alloc_fragment((4, 32, 64), "float32")
        m = T.alloc_fragment((4, 32), "float32")
        T.copy(A, a)
        T.clear(m)
        T.reduce_max(a, m, dim=2, clear=False)
        T.copy(m, M)


@T.prim_func
def nibbles(A: T.Tensor((64, 64), T.int4), B: T.Tensor((64, 64), "int4"), C: T.Tensor((64, 64), "int32"), D: T.Tensor((64, 64), "float32")):
    """Integers of 4 bits, a byte each."""
    with T.Kernel(2) as bx:
        a = T.alloc_shared((32, 64), T.int4)
        b = T.alloc_shared((64, 64), "int4")
        c = T.alloc_fragment((32, 64), "int32")
        T.clear(c)
        T.copy(A[bx * 32, 0], a)
        T.copy(B, b)
        T.gemm(a, b, c, transpose_B=True)
        T.copy(c, C[bx * 32, 0])
        for i, j in T.Parallel(32, 64):
            D[bx * 32 + i, j] = T.cast(A[bx * 32 + i, j], "float32") * 0.5


@T.prim_func
def nibbles_out(A: T.Tensor((32, 64), "int4"), B: T.Tensor((32, 64), "int4")):
    with T.Kernel(1) as _:
        for i, j in T.Parallel(32, 64):
            B[i, j] = A[i, j] + 1


@tilelang.jit
def talkative(M=32):
    """What a program prints, while it is loaded and while its kernel is made, is no MLIR."""
    print("a factory")

    @T.prim_func
    def main(A: T.Tensor((M, 32), "float32"), B: T.Tensor((M, 32), "float32")):
        with T.Kernel(1) as _:
            print("a kernel")
            a = T.alloc_shared((M, 32), "float32")
            T.copy(A, a)
            T.copy(a, B)

    print(main)
    return main


@T.prim_func
def flagged(A: T.Tensor((64, 64), "float32"), used: T.Tensor((3,), "int32"), B: T.Tensor((64, 64), "float32")):
    """A flag says nothing of where a block lies: half before its tensor, or wholly behind it, it is zero."""
    with T.Kernel(2) as b:
        a = T.alloc_shared((32, 64), "float32")
        T.clear(a)
        if used[b] != 0:
            T.copy(A[b * 32 - 16, 0], a)
        if used[b + 1] == 0:
            T.copy(A[b * 32 + 32, 0], a)
        T.copy(a, B[b * 32, 0])


@T.prim_func
def flagged_before(A: T.Tensor((64, 64), "float32"), used: T.Tensor((2,), "int32"), B: T.Tensor((64, 64), "float32")):
    with T.Kernel(2) as b:
        if used[b] != 0:
            for i, j in T.Parallel(32, 64):
                B[b * 32 - 32 + i, j] = A[b * 32 + i, j]


@T.prim_func
def placed(A: T.Tensor((64, 64), "float32"), at: T.Tensor((2,), "int32"), B: T.Tensor((64, 64), "float32")):
    """A table of which it is known what it holds, and a branch that is enough."""
    with T.Kernel(3) as b:
        a = T.alloc_shared((32, 64), "float32")
        if b >= 1:
            T.copy(A[at[b - 1] * 32 - 16, 0], a)
            T.copy(a, B[b * 32 - 32, 0])


@T.prim_func
def longer(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32"), C: T.Tensor((64, 64), "float32")):
    """A grid longer than the tensors, and a part that is nowhere."""
    with T.Kernel(3) as b:
        a = T.alloc_shared((32, 64), "float32")
        T.copy(A[b * 32, 0], a)
        T.copy(a, B[b * 32, 0])
        T.copy(A[96:128, :], a)
        for i, j in T.Parallel(32, 64):
            C[b * 32 + i, j] = A[b * 32 + i, j] + a[i, j]


@T.prim_func
def believed(A: T.Tensor((64, 64), "float32"), at: T.Tensor((2,), "int32"), B: T.Tensor((64, 64), "float32")):
    """A table of which nobody says what it holds."""
    with T.Kernel(2) as b:
        a = T.alloc_shared((32, 64), "float32")
        T.copy(A[at[b] * 32, 0], a)
        T.copy(a, B[b * 32, 0])


@T.prim_func
def between(A: T.Tensor((64, 64), "float32"), at: T.Tensor((2,), "int32"), less: T.Tensor((2,), "int32"), B: T.Tensor((64, 64), "float32")):
    """A place that two tables say together."""
    with T.Kernel(2) as b:
        a = T.alloc_shared((32, 64), "float32")
        T.copy(A[b * 32, 0], a)
        T.copy(a, B[at[b] - less[b], 0])


@T.prim_func
def spans(A: T.Tensor((64, 64), "float32"), at: T.Tensor((3,), "int32"), B: T.Tensor((64, 64), "float32")):
    """Two elements of one table in a step of a loop."""
    with T.Kernel(1) as _:
        a = T.alloc_shared((32, 64), "float32")
        for k in T.serial(2):
            T.copy(A[at[k + 1] - at[k], 0], a)
            T.copy(a, B[k * 32, 0])


@T.prim_func
def left(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32")):
    """What no cell writes stays as it was, and is compared, too."""
    with T.Kernel(2, 2) as (bx, by):
        a = T.alloc_shared((32, 32), "float32")
        if bx > by:
            T.copy(A[bx * 32, by * 32], a)
            T.copy(a, B[bx * 32, by * 32])


@T.prim_func
def untouched(A: T.Tensor((64, 64), "float32"), scales: T.Tensor((64,), "float32"), B: T.Tensor((64, 64), "float32")):
    """A tensor that this form of the kernel does not use, and results below the least number of the chip."""
    with T.Kernel(2) as b:
        a = T.alloc_fragment((32, 64), "float32")
        T.copy(A[b * 32, 0], a)
        for i, j in T.Parallel(32, 64):
            a[i, j] = a[i, j] * 1e-30 * 1e-30
        T.copy(a, B[b * 32, 0])
