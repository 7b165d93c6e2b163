"""Matrix products in their forms, and attention."""
import math

from device import bits, close, product, randoms, tiles_across, transposed

from basic import write

MATMUL = "matmul/device/kernels"
NAMES = {"cb_in0": 0, "cb_in1": 1, "cb_out": 4, "cb_intermed0": 5, "cb_bias": 3, "cb_in0_transposed": 10}


def tile_by_tile(p):
    a, b = randoms(64, 96), randoms(96, 64, seed=2)
    p.tensor("a", a)
    p.tensor("b", b)
    p.cb(0, 2)
    p.cb(1, 2)
    p.kernel("reader", f"{MATMUL}/dataflow/reader_bmm_8bank_output_tiles_partitioned.cpp", [0, 0, ":a", ":b"],
             ["@a", "@b", 2, 3, 2, 6, 6, 1, 1, 0, 4, 4], named=NAMES)
    write(p, "out", 4, (64, 64))
    p.kernel("compute", f"{MATMUL}/compute/bmm.cpp", [1, 2, 3, 2], named=NAMES)
    p.run()
    close(p.result("out"), product(a, b), 0.02)


def blocks(p, a, b):
    """A of 4 x 4 tiles and B of 4 x 4, in two blocks of K, by the vendor's reader."""
    p.tensor("a", a)
    p.tensor("b", b)
    p.cb(0, 16)
    p.cb(1, 16)
    p.kernel("reader", f"{MATMUL}/dataflow/reader_bmm_tile_layout.cpp", [":a", ":b"],
             ["@a", 0, 1, 4, 2, 2, 4, 8, "@b", 0, 1, 4, 8, 4, 2, 8, 2, 16, 16, 1, 1], named=NAMES)


def store_blocks(p):
    """By the vendor's writer, in subblocks of 2 x 2."""
    p.tensor("out", None, shape=(128, 128))
    p.kernel("writer", f"{MATMUL}/dataflow/writer_bmm_tile_layout.cpp", [":out"],
             ["@out", 0, 1, 4, 2, 8, 2, 2, 4, 2, 2, 16, 1], named=NAMES)


def large_blocks(p):
    a, b = randoms(128, 128), randoms(128, 128, seed=2)
    blocks(p, a, b)
    p.cb(4, 16)
    p.cb(5, 16)
    store_blocks(p)
    p.kernel("compute", f"{MATMUL}/compute/bmm_large_block_zm.cpp", [2, 2, 8, 4, 2, 8, 4, 2, 2, 2, 4, 1], named=NAMES)
    p.run()
    close(p.result("out"), product(a, b), 0.02)


def fused(defines=None, options=(), untilize=False, intermediate="bf16"):
    def check(p):
        a, b = randoms(128, 128), randoms(128, 128, seed=2)
        blocks(p, a, b)
        p.cb(4, 16)
        p.cb(5, 16, intermediate)
        if untilize:
            p.tensor("out", None, layout="rows", shape=(128, 128), page=2048)
            p.kernel("writer", "drain.cpp", [":out"], [1, 4, "@out", 16, 2048])
        else:
            store_blocks(p)
        p.kernel("compute", f"{MATMUL}/compute/bmm_large_block_zm_fused_bias_activation.cpp",
                 [2, 2, 8, 4, 2, 8, 4, 2, 1, 1, 2, 2, 4, 1, 16, int(untilize), 0, 0], named=NAMES,
                 defines=defines or {}, options=options)
        p.run()
        close(p.result("out"), product(a, b), 0.02)
    return check


def with_bias(p):
    """All operands are loaded at once; results in subblocks, as the writer would get them."""
    a, b, row = randoms(64, 64), randoms(64, 64, seed=2), randoms(32, 64, seed=3)
    p.fill(0, "a", a)
    p.fill(1, "b", b)
    p.fill(3, "bias", row)
    p.drain(4, "out", (64, 64))
    p.cb(5, 4)
    p.move()
    p.kernel("compute", f"{MATMUL}/compute/bmm_large_block_zm_fused_bias_activation.cpp",
             [2, 1, 4, 4, 1, 4, 2, 1, 1, 1, 2, 2, 4, 1, 4, 0, 0, 0], named=NAMES,
             defines={"FUSE_BIAS": "1", "PACK_RELU": "1"})
    p.run()
    close(p.result("out"), [[max(x + row[0][c], 0) for c, x in enumerate(line)] for line in product(a, b)], 0.02)


def attention(chunks=2):
    """Queries of 64 x 64 on keys in chunks of two tiles, with a running maximum and sum."""
    def check(p):
        heads, keys = 64, 64 * chunks
        q, k, v = randoms(64, heads), randoms(keys, heads, seed=2), randoms(keys, heads, seed=3)
        chunk = 64
        p.fill(0, "q", q)
        # Chunks of K come with their tiles in order of columns; the product transposes each.
        p.fill(1, "k", sum((tiles_across(k[c:c + chunk]) for c in range(0, keys, chunk)), []))
        p.fill(2, "v", v)
        p.fill(5, "ones", [[1.0 if r % 16 == 0 else 0.0] * 32 for r in range(32)])
        p.fill(7, "column", [[1.0] + [0.0] * 31] * 32)
        p.drain(16, "out", (64, heads))
        p.cbs((24, 4), (25, 4), (26, 4), (27, 2), (28, 2), (29, 2), (30, 2), (31, 2), (3, 1), (4, 1), (6, 1), (8, 1))
        p.move()
        scale = 1 / math.sqrt(heads)
        args = [1, 1, 1, 2 * chunks, 2, 2, 2, 1, 2, chunks,  # batch, heads, tiles and chunks of queries and keys
                2, 2, 2, 1, 1, 1, 2, 2, 2, 1, 1, 1,  # subblocks of both products
                1, 0, 0, 0, 0, bits(scale), 0, 0, 0, 2 * chunks, 1]
        defines = {"STATS_GRANULARITY": 2, "SUB_EXP_GRANULARITY": 2, "MUL_BCAST_GRANULARITY": 4, "DHT_GRANULARITY": 2,
                   "REDUCE_GRANULARITY": 2, "EXP_APPROX_MODE": 0}
        p.kernel("compute", "transformer/sdpa/device/kernels/compute/sdpa.cpp", args, [0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0], defines)
        p.run()
        scores = [[scale * x for x in row] for row in product(q, transposed(k))]
        weights = [[math.exp(x - max(row)) for x in row] for row in scores]
        weights = [[x / sum(row) for x in row] for row in weights]
        close(p.result("out"), product(weights, v), 0.03)
    return check


CASES = [
    ("matmul", "tile by tile", tile_by_tile),
    ("matmul", "blocks, with partial sums", large_blocks),
    ("matmul", "blocks, fused form", fused()),
    ("matmul", "blocks, sums in L1 by the packer", fused({"PACKER_L1_ACC": "1"})),
    ("matmul", "blocks, 32-bit DST and sums", fused({"FP32_DEST_ACC_EN": "1"}, options=["fp32"], intermediate="fp32")),
    ("matmul", "blocks, untilized results", fused(untilize=True)),
    ("matmul", "with bias and relu", with_bias),
    ("SDPA", "two chunks of keys", attention()),
    ("SDPA", "one chunk of keys", attention(chunks=1)),
]
