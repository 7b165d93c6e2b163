"""A product of which a table says the blocks that count, and attention that leaves blocks of keys out."""

import tilelang.language as T
from online_softmax import online_softmax

M, N, K, rows, columns, depth = 128, 128, 256, 64, 64, 64
length, width, block = 256, 64, 64


@T.prim_func
def gemm(
    A: T.Tensor((M, K), "bfloat16"),
    B: T.Tensor((K, N), "bfloat16"),
    used: T.Tensor((M // rows, N // columns, K // depth), "bool"),
    C: T.Tensor((M, N), "bfloat16"),
):
    with T.Kernel(N // columns, M // rows) as (x, y):
        a = T.alloc_shared((rows, depth), "bfloat16")
        b = T.alloc_shared((depth, columns), "bfloat16")
        c = T.alloc_fragment((rows, columns), "float32")
        T.clear(c)
        for k in T.Pipelined(K // depth, num_stages=2):
            if used[y, x, k]:
                T.copy(A[y * rows, k * depth], a)
                T.copy(B[k * depth, x * columns], b)
                T.gemm(a, b, c)
        T.copy(c, C[y * rows, x * columns])


@T.prim_func
def attention(
    Q: T.Tensor((length, width), "bfloat16"),
    keys: T.Tensor((length, width), "bfloat16"),
    values: T.Tensor((length, width), "bfloat16"),
    used: T.Tensor((length // block, length // block), "bool"),
    O: T.Tensor((length, width), "bfloat16"),
):
    scale = 1.44269504 / width**0.5  # in powers of 2
    with T.Kernel(length // block) as x:
        q = T.alloc_shared((block, width), "bfloat16")
        k = T.alloc_shared((block, width), "bfloat16")
        v = T.alloc_shared((block, width), "bfloat16")
        scores = T.alloc_fragment((block, block), "float32")
        weights = T.alloc_fragment((block, block), "bfloat16")
        acc = T.alloc_fragment((block, width), "float32")
        best = T.alloc_fragment((block,), "float32")
        before = T.alloc_fragment((block,), "float32")
        factor = T.alloc_fragment((block,), "float32")
        total = T.alloc_fragment((block,), "float32")
        part = T.alloc_fragment((block,), "float32")
        T.copy(Q[x * block, 0], q)
        T.fill(best, -1e30)
        T.clear(total)
        T.clear(acc)
        for i_k in T.Pipelined(length // block, num_stages=2):
            if used[x, i_k]:
                T.copy(keys[i_k * block, 0], k)
                T.copy(values[i_k * block, 0], v)
                T.clear(scores)
                T.gemm(q, k, scores, transpose_B=True)
                online_softmax(scores, best, before, factor, part, total, acc, scale)
                T.copy(scores, weights)
                T.gemm(weights, v, acc)
        for i, j in T.Parallel(block, width):
            acc[i, j] = T.if_then_else(total[i] > 0, acc[i, j] / total[i], 0)
        T.copy(acc, O[x * block, 0])
