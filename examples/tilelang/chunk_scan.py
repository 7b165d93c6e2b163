"""Mamba's chunk scan: what the state before a chunk and the chunk itself add to each of its rows."""

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[6])
def chunk_scan(batch=1, length=128, heads=2, chunk=64, width=32, states=32):
    chunks = length // chunk
    p = 1.44269504  # in powers of 2

    @T.prim_func
    def chunk_scan(
        scores: T.Tensor((batch, chunks, chunk, chunk), "bfloat16"),  # C x B of each chunk
        x: T.Tensor((batch, length, heads, width), "bfloat16"),
        dt: T.Tensor((batch, heads, chunks, chunk), "bfloat16"),
        decay: T.Tensor((batch, heads, chunks, chunk), "bfloat16"),  # running sums of A * dt, below zero
        C: T.Tensor((batch, length, states), "bfloat16"),
        before: T.Tensor((batch, chunks, heads, width, states), "bfloat16"),  # the state at each chunk's beginning
        out: T.Tensor((batch, length, heads, width), "bfloat16"),
    ):
        with T.Kernel(heads, chunks, batch) as (h, c, b):
            rows = T.alloc_shared((chunk, states), "bfloat16")
            state = T.alloc_shared((width, states), "bfloat16")
            block = T.alloc_shared((chunk, width), "bfloat16")
            weights = T.alloc_fragment((chunk, chunk), "bfloat16")
            inside = T.alloc_shared((chunk, chunk), "bfloat16")
            falls = T.alloc_fragment((chunk,), "float32")
            steps = T.alloc_fragment((chunk,), "float32")
            acc = T.alloc_fragment((chunk, width), "float32")

            T.copy(C[b, c * chunk : (c + 1) * chunk, :], rows)
            T.copy(before[b, c, h, :, :], state)
            T.copy(decay[b, h, c, :], falls)
            T.copy(dt[b, h, c, :], steps)
            T.clear(acc)
            T.gemm(rows, state, acc, transpose_B=True)
            for i, j in T.Parallel(chunk, width):
                acc[i, j] *= T.exp2(T.min(falls[i], 0) * p)
            T.copy(scores[b, c, :, :], inside)
            for i, j in T.Parallel(chunk, chunk):
                weights[i, j] = T.if_then_else(
                    i >= j, inside[i, j] * T.exp2(T.min(falls[i] - falls[j], 0) * p) * steps[j], 0
                )
            T.copy(x[b, c * chunk : (c + 1) * chunk, h, :], block)
            T.gemm(weights, block, acc)
            T.copy(acc, out[b, c * chunk : (c + 1) * chunk, h, :])

    return chunk_scan
