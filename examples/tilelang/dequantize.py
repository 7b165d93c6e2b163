"""A product with weights that are stored as bytes, with a zero at 128 and a scale a column."""

import tilelang.language as T


def dequantize(M=64, N=64, K=128, depth=64):
    @T.prim_func
    def dequantizing_gemm(
        X: T.Tensor((M, K), "bfloat16"),
        W: T.Tensor((K, N), "uint8"),
        scales: T.Tensor((N,), "bfloat16"),
        Y: T.Tensor((M, N), "bfloat16"),
    ):
        with T.Kernel(1, threads=128) as _:
            x = T.alloc_shared((M, depth), "bfloat16")
            w = T.alloc_shared((depth, N), "uint8")
            scale = T.alloc_shared((N,), "bfloat16")
            weights = T.alloc_fragment((depth, N), "bfloat16")
            y = T.alloc_fragment((M, N), "float32")
            T.copy(scales, scale)
            T.clear(y)
            for k in T.Pipelined(K // depth, num_stages=2):
                T.copy(X[0, k * depth], x)
                T.copy(W[k * depth, 0], w)
                for i, j in T.Parallel(depth, N):
                    weights[i, j] = (T.cast(w[i, j], "float32") - 128.0) * scale[j]
                T.gemm(x, weights, y)
            T.copy(y, Y)

    return dequantizing_gemm
