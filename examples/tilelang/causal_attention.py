"""Causal flash attention: a factory that returns a function with @T.prim_func, as most kernels are written."""

import tilelang
import tilelang.language as T
from online_softmax import online_softmax


@tilelang.jit(out_idx=[3])
def attention(batch=1, heads=2, length=128, width=64, block=64):
    shape = (batch, heads, length, width)
    scale = 1.44269504 / width**0.5  # in powers of 2
    lowest = -T.infinity("float32")

    @T.prim_func
    def causal_attention(
        Q: T.Tensor(shape, "bfloat16"),
        K: T.Tensor(shape, "bfloat16"),
        V: T.Tensor(shape, "bfloat16"),
        O: T.Tensor(shape, "bfloat16"),
    ):
        with T.Kernel(T.ceildiv(length, block), heads, batch, threads=128) as (x, head, one):
            queries = T.alloc_shared((block, width), "bfloat16")
            keys = T.alloc_shared((block, width), "bfloat16")
            values = T.alloc_shared((block, width), "bfloat16")
            scores = T.alloc_fragment((block, block), "float32")
            weights = T.alloc_fragment((block, block), "bfloat16")
            acc = T.alloc_fragment((block, width), "float32")
            best = T.alloc_fragment((block,), "float32")
            before = T.alloc_fragment((block,), "float32")
            factor = T.alloc_fragment((block,), "float32")
            partial = T.alloc_fragment((block,), "float32")
            total = T.alloc_fragment((block,), "float32")

            T.copy(Q[one, head, x * block : (x + 1) * block, :], queries)
            T.fill(best, lowest)
            T.clear(total)
            T.clear(acc)
            for k in T.Pipelined(x + 1, num_stages=2):
                T.copy(K[one, head, k * block : (k + 1) * block, :], keys)
                T.copy(V[one, head, k * block : (k + 1) * block, :], values)
                for i, j in T.Parallel(block, block):
                    scores[i, j] = T.if_then_else(x * block + i >= k * block + j, 0, lowest)
                T.gemm(queries, keys, scores, transpose_B=True)
                online_softmax(scores, best, before, factor, partial, total, acc, scale)
                T.copy(scores, weights)
                T.gemm(weights, values, acc)
            for i, j in T.Parallel(block, width):
                acc[i, j] /= total[i]
            T.copy(acc, O[one, head, x * block : (x + 1) * block, :])

    return causal_attention
