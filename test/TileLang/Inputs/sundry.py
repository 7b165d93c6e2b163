"""What other files leave out: stand-ins at the top, three dimensions, both operands transposed, hints, chained comparisons, globals."""

import torch
import torch.nn.functional as F
import tilelang
import tilelang.language as T
from tilelang.profiler import do_bench
from tvm import DataType

assert F is not None and do_bench is not None and DataType is not None

rows = T.symbolic("rows")


@T.prim_func
def transposed(A: T.Tensor((2, 64, 32), "bfloat16"), B: T.Tensor((2, 96, 64), "bfloat16"), C: T.Tensor((2, 32, 96), "float32")):
    """A^T B^T, in three dimensions of the grid, with hints around."""
    with T.Kernel(3, 1, 2, threads=128) as (bx, by, bz):
        a = T.alloc_shared((64, 32), "bfloat16")
        b = T.alloc_shared((32, 64), "bfloat16")
        c = T.alloc_fragment((32, 32), "float32")
        T.use_swizzle(panel_size=4, enable=True)
        T.annotate_layout({a: tilelang.layout.make_swizzled_layout(a)})
        T.copy(A[bz, 0, by * 32], a)
        T.copy(B[bz, bx * 32, 0], b)
        T.gemm(a, b, c, transpose_A=True, transpose_B=True, clear_accum=True, policy=T.GemmWarpPolicy.FullCol)
        T.copy(c, C[bz, by * 32, bx * 32])


@T.prim_func
def chosen(A: T.Tensor((rows, 64), "float32"), B: T.Tensor((rows, 64), "float32"), low: T.Tensor((rows,), "float32")):
    """A size that T.symbolic leaves open; local annotations, chained comparisons, `and`, `or`, `not`, unrolled steps."""
    with T.Kernel(T.ceildiv(rows, 32), threads=64) as b:
        a: T.Buffer = T.alloc_fragment((32, 64), "float32")
        least = T.alloc_fragment((32,), "float32")
        T.copy(A[b * 32, 0], a)
        T.reduce_min(a, least, dim=1)
        for step in T.unroll(3):
            for i, j in T.Parallel(32, 64):
                inside = 16 * step <= j < 16 * step + 16
                if inside and not i == 5 or j == 63 and step == 0:
                    a[i, j] = a[i, j] * 2.0 if -0.5 < a[i, j] < 0.5 else T.float32(step + 1)
        for i in T.vectorized(32):
            low[b * 32 + i] = least[i]
        T.copy(a, B[b * 32, 0])


@T.prim_func
def between(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32")):
    """Two kernels, and a tensor between them that nobody sees."""
    half = T.alloc_global((64, 64), "float32")
    with T.Kernel(2) as b:
        for i, j in T.Parallel(32, 64):
            half[b * 32 + i, j] = A[b * 32 + i, j] * 0.5
    with T.Kernel(2) as b:
        for i, j in T.Parallel(32, 64):
            B[b * 32 + i, j] = half[63 - b * 32 - i, j] + 1.0


@T.prim_func
def carried(X: T.Tensor((32, 2048), "float16"), Y: T.Tensor((32, 2048), "float16")):
    """A logarithm that 16 steps add to, and exponentials of it: it keeps its 32 bits."""
    with T.Kernel(1, threads=128):
        x = T.alloc_fragment((32, 128), "float16")
        e = T.alloc_fragment((32, 128), "float32")
        s = T.alloc_fragment((32,), "float32")
        lse = T.alloc_fragment((32,), "float32")
        T.fill(lse, -T.infinity("float32"))
        for n in T.Pipelined(16):
            T.copy(X[0, n * 128], x)
            for i, j in T.Parallel(32, 128):
                e[i, j] = T.exp2(x[i, j])
            T.reduce_sum(e, s, dim=1, clear=True)
            for i in T.Parallel(32):
                lse[i] = T.log2(T.exp2(lse[i]) + s[i])
        for n in T.Pipelined(16):
            T.copy(X[0, n * 128], x)
            for i, j in T.Parallel(32, 128):
                x[i, j] = T.exp2(x[i, j] - lse[i])
            T.copy(x, Y[0, n * 128])


@T.prim_func
def limits(A: T.Tensor((32, 64), "float16"), B: T.Tensor((32, 64), "float16"), C: T.Tensor((32, 64), "float16")):
    """Infinities of float16, which the chip has not, numbers between bounds, multiples."""
    with T.Kernel(1) as _:
        c = T.alloc_fragment((32, 64), "float16")
        T.fill(B, -T.infinity("float16"))
        for i, j in T.Parallel(32, 64):
            c[i, j] = T.clamp(A[i, j], min_val=-0.5, max_val=T.align_up(3, 2) * 0.25)
        T.copy(c, C)
