"""Norms of groups by sums, on one core, and attention of one token on keys that came before."""
import math

from device import bits, close, pair, product, randoms, tiles_across, transposed

GROUP = "normalization/groupnorm/device/kernels"


def group_norm(p):
    """Two groups of 32 of 64 channels, of a shard of 128 rows that is tilized first, with gamma and beta."""
    rows, channels, groups = 128, 64, 2
    each, tall, wide = channels // groups, rows // 32, channels // 32
    a = randoms(rows, channels, -2, 3)
    gamma, beta = randoms(wide, 32, 0.5, 1.5, 2), randoms(wide, 32, seed=3)
    p.tensor("a", a, layout="rows", shards=(rows, 1))
    p.tensor("gamma", gamma, layout="rows")
    p.tensor("beta", beta, layout="rows")
    p.tensor("mask", [[1.0] * 32] * 32 * groups)
    p.tensor("out", None, shape=(rows, channels), shards=(tall, wide))
    p.cb(0, tall * wide, on="a")
    p.cb(16, tall * wide, on="out")
    p.cbs((1, tall * wide), (2, 1), (3, 1), (4, 1), (5, wide), (6, wide), (7, groups), (8, 1), (9, 1), (10, 1), (13, tall),
          (17, 1), (26, 1))
    p.line("semaphore", 0)
    p.line("semaphore", 0)
    p.kernel("reader", f"{GROUP}/dataflow/reader_mcast_sender_unary_sharded_gn_v2.cpp",
             [0, 1, 1, groups, wide, 64 * wide, 64 * wide, 2, tall, 32], [0] * 9, {"TILIZE_IN": 1})
    scale = 1 / math.sqrt(rows * each)  # for rows, and for columns
    p.kernel("writer", f"{GROUP}/dataflow/writer_unary_sharded_gn_rm_gb_v2.cpp",
             [1, 1, 1, wide, wide, 64 * wide, 64 * wide, groups, 1, 1, 64, ":gamma", ":beta", ":mask"],
             [pair(1.0), pair(scale), pair(2.0 ** -10), "@gamma", "@beta", "@mask", 0, 0, 0, 0])
    p.kernel("compute", f"{GROUP}/compute/groupnorm_sharded_v2.cpp",
             [1, 1, 1, 1, 1, groups, each, tall, 1, tall, 1, 1, tall, wide, tall * wide, 2048 * wide, 1, 2048, tall * wide,
              groups, 1, 1, 0, 0, 32], [], {"TILIZE_IN": 1, "FP32_DEST_ACC": "false"})
    p.run()
    expected = [[0.0] * channels for _ in a]
    for g in range(groups):
        xs = [x for row in a for x in row[g * each:(g + 1) * each]]
        mean = sum(xs) / len(xs)
        scale = 1 / math.sqrt(sum((x - mean) ** 2 for x in xs) / len(xs) + 2.0 ** -10)
        for r, row in enumerate(a):
            for c in range(each):
                expected[r][g * each + c] = (row[g * each + c] - mean) * scale * gamma[g][c] + beta[g][c]
    close(p.result("out"), expected, 0.03)


def attention(chunks):
    """32 heads of one token on keys that came before, in chunks of two tiles, on one core."""
    def check(p):
        width, chunk, none = 64, 64, 2 ** 32 - 1
        q, k, v = randoms(32, width), randoms(chunk * chunks, width, seed=2), randoms(chunk * chunks, width, seed=3)
        scale = 1 / math.sqrt(width)
        p.fill(0, "q", q)
        # Chunks of K come with their tiles in order of columns; the product transposes each.
        p.fill(1, "k", sum((tiles_across(k[c:c + chunk]) for c in range(0, len(k), chunk)), []))
        p.fill(2, "v", v)
        p.fill(5, "ones", [[1.0 if r % 16 == 0 else 0.0] * 32 for r in range(32)])
        p.fill(11, "column", [[1.0] + [0.0] * 31] * 32)
        p.drain(20, "out", (32, width))
        p.cbs((3, 2), (6, 1), (7, 1), (12, 1), (16, 2), (17, 1), (18, 1), (21, 1), (22, 1), (23, 2), (24, 2), (25, 2), (26, 2),
              (27, 1), (28, 1), (29, 1), (30, 1), (31, 1))
        p.move()
        args = [2 * chunks, 2, 2, 1, 2,  # tiles of keys, of a head, of queries and keys in a chunk
                2, 2, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1,  # subblocks of both products
                1, chunk, 1, 1, 0, 0, 0, 8, 0, 1, 0, bits(scale), 0, 0, 0]
        defines = {"STATS_GRANULARITY": 1, "SUB_EXP_GRANULARITY": 2, "MUL_BCAST_GRANULARITY": 2, "DHT_GRANULARITY": 2,
                   "REDUCE_GRANULARITY": 1, "EXP_APPROX_MODE": 0}
        p.kernel("compute", "transformer/sdpa_decode/device/kernels/compute/sdpa_flash_decode.cpp", args,
                 [1, 1, 0, 0, 0, 0, 0, 1, none, none, 0, 0, *[none] * 6], defines)
        p.run()
        weights = [[math.exp(scale * (x - max(row))) for x in row] for row in product(q, transposed(k))]
        close(p.result("out"), product([[x / sum(row) for x in row] for row in weights], v), 0.03)
    return check


CASES = [
    ("norms", "group norm by sums", group_norm),
    ("SDPA", "one token, one chunk of keys", attention(1)),
    ("SDPA", "one token, four chunks of keys", attention(4)),
]
