"""Kernels of a third blind draw (seed 141600): a convolution by taps, a gradient, sorted rows, windows of
attention, rows of a cache."""
import math

from device import bits, close, elementwise, product, randoms, same, tiles_across, transposed

BACKWARD = "experimental/unary_backward/gelu_backward/device/kernels/compute"


def taps(p):
    """A row of two tiles: three blocks of rows, each times its weights, added up in the buffer that they go to."""
    a, w = randoms(96, 64), randoms(96, 64, seed=2)
    p.fill(0, "a", a, layout="rows", page=2048)
    p.fill(1, "w", w)
    p.tensor("out", None, shape=(32, 64), shards=(1, 2))
    p.cbs((2, 2), (3, 2), (4, 2), (5, 2), (6, 2))
    p.cb(7, 2, on="out")
    p.move()
    args = [2, 1, 2, 2, 1, 1, 2, 2, 1, 3, 1, 1, 2, 2, 1, 0, 0, 0, 0, 1, 2, 3, 4, 5, 7, 6]
    p.kernel("compute", "conv/conv2d/device/kernels/compute_depthwise_conv1d.cpp", args)
    p.run()
    products = elementwise(lambda x, y: x * y, a, w)
    close(p.result("out"), [[sum(products[b * 32 + r][c] for b in range(3)) for c in range(64)] for r in range(32)], 0.02)


def gradient(p):
    g, x = randoms(32, 64), randoms(32, 64, -3.0, 3.0, 2)
    p.fill(0, "g", g)
    p.fill(1, "x", x)
    p.drain(2, "out", (32, 64))
    p.move()
    p.kernel("compute", f"{BACKWARD}/eltwise_bw_gelu_approx_tanh.cpp", [], [2, 1], options=["full"])
    p.run()

    def f(dy, v):
        beta, kappa = math.sqrt(2 / math.pi), 0.044715
        t = math.tanh(beta * (v + kappa * v ** 3))
        return dy * (0.5 * (1 + t) + 0.5 * v * (1 - t * t) * beta * (1 + 3 * kappa * v * v))
    close(p.result("out"), elementwise(f, g, x), 0.03)


def scalars(p):
    a = randoms(32, 96)
    p.fill(0, "a", a)
    p.drain(1, "out", (32, 96))
    p.move()
    p.kernel("compute", "experimental/bcast_to/device/kernels/compute/compute_interleaved_scalar_bcast_to.cpp", [0, 1],
             [0, 0, 0, 0, 0, 3, 0, 0, 1, 3, 1, 1])
    p.run()
    same(p.result("out"), [[a[0][c // 32 * 32] for c in range(96)] for _ in range(32)])


def one_of_all(p):
    a, b = randoms(64, 64), randoms(32, 32, seed=2)
    p.fill(0, "a", a)
    p.fill(1, "b", b)
    p.drain(2, "out", (64, 64))
    p.move()
    p.kernel("compute", "eltwise/binary/device/kernels/compute/bcast_hw.cpp", [], [1, 2, 2],
             {"BCAST_LLKOP": "EltwiseBinaryType::ELWMUL", "BCAST_DIM": "BroadcastType::SCALAR",
              "BCAST_OP": "mul_tiles_bcast", "BCAST_SCALAR": 1})
    p.run()
    close(p.result("out"), elementwise(lambda x: x * b[0][0], a), 0.01)


def cached(p):
    """Rows of a cache, taken apart and put together again for each of two heads; the writer changes nothing between."""
    a = randoms(64, 64)
    p.fill(0, "cache", a)
    p.cbs((1, 2), (5, 2))
    p.drain(3, "rows", (64, 64), layout="rows", page=2048)
    p.fill(4, "again", a, layout="rows", page=2048)
    p.drain(2, "out", (64, 64))
    p.move()
    p.kernel("compute", "experimental/paged_cache/device/kernels/compute/paged_row_major_fused_update_cache.cpp",
             [1, 5, 0, 3, 4, 2, 2, 2], [1, 1])
    p.run()
    same(p.result("out"), a)
    same(p.result("rows"), a)


def ordered(descending):
    def check(p):
        a = randoms(32, 128, -50.0, 50.0)
        p.fill(0, "a", a)
        p.fill(1, "index", [[c for c in range(128)]] * 32, "uint16")
        p.cb(2, 4)
        p.cb(3, 4, "uint16")
        p.drain(4, "values", (32, 128))
        p.drain(5, "places", (32, 128), "uint16")
        p.cb(6, 1)
        p.move()
        p.kernel("compute", "data_movement/sort/device/kernels/compute/sort_single_row_single_core.cpp",
                 [0, 1, 2, 3, 4, 5, 4, int(descending), 0, 6], [1])
        p.run()
        values, places = p.result("values"), p.result("places")
        same(values, [sorted(row, reverse=descending) for row in a])
        same([[a[r][c] for c in row] for r, row in enumerate(places)], values, "what the indices name")
    return check


def window(p):
    """Queries of two tiles of rows on four of keys, in chunks of two, of which a mask lets some through."""
    width, rows, keys = 64, 64, 128
    q, k, v = randoms(rows, width), randoms(keys, width, seed=2), randoms(keys, width, seed=3)
    mask = [[0.0 if abs(r // 32 - c // 64) == 0 or c < 32 else -1e9 for c in range(keys)] for r in range(rows)]
    scale = 1 / math.sqrt(width)
    p.fill(0, "q", q)
    p.fill(1, "k", sum((tiles_across(k[c:c + 64]) for c in range(0, keys, 64)), []))
    p.fill(2, "v", v)
    p.fill(4, "mask", [row[c:c + 64] for c in range(0, keys, 64) for row in mask])
    p.fill(5, "ones", [[1.0 if r % 16 == 0 else 0.0] * 32 for r in range(32)])
    p.fill(7, "column", [[1.0] + [0.0] * 31] * 32)
    p.drain(16, "out", (rows, width))
    p.cbs((24, 4), (25, 4), (26, 4), (27, 2), (28, 2), (29, 2), (30, 2), (31, 2))
    p.move()
    defines = {"STATS_GRANULARITY": 2, "SUB_EXP_GRANULARITY": 2, "MUL_BCAST_GRANULARITY": 4, "DHT_GRANULARITY": 2,
               "REDUCE_GRANULARITY": 1, "EXP_APPROX_MODE": 0}
    p.kernel("compute", "transformer/sdpa_windowed/device/kernels/compute/sdpa_windowed.cpp",
             [4, 2, 2, 2, 2, 2, 2, 1, 2, 1, 1, 2, 2, 1, 2, 1, 1, bits(scale)], [0, 0, 1, 0, 1, 0, 1], defines)
    p.run()
    scores = elementwise(lambda x, m: scale * x if m == 0.0 else -1e9, product(q, transposed(k)), mask)
    weights = [[math.exp(x - max(row)) for x in row] for row in scores]
    close(p.result("out"), product([[x / sum(row) for x in row] for row in weights], v), 0.03)


def heads(p):
    """Each row of the queries times its own keys; the rows come back through memory as one tile of each column."""
    q, k = randoms(32, 64), randoms(64, 32 * 64, seed=2)
    p.fill(0, "q", q)
    # 32 blocks of 2x2 tiles, one for each row.
    p.fill(1, "k", [row[b * 64:(b + 1) * 64] for b in range(32) for row in k])
    p.drain(3, "all", (32 * 32, 64), layout="rows", page=2048)
    expected = [[sum(q[r][i] * k[i][r * 64 + c] for i in range(64)) for c in range(64)] for r in range(32)]
    p.fill(4, "rows", expected, layout="rows", page=2048)
    p.drain(5, "out", (32, 64))
    p.move()
    p.kernel("compute", "experimental/matmul/group_attn_matmul/device/kernels/compute/transformer_group_attn_matmul.cpp",
             [0, 2, 2, 2], [1, 1, 1, 0, 4, 2, 1, 1, 1, 2, 4, 2, 2, 2])
    p.run()
    found = p.result("all")
    close([found[r * 32 + r] for r in range(32)], expected, 0.02, "the rows")
    close(p.result("out"), expected, 0.01)


CASES = [
    ("conv", "taps of a row, each tile by its weights", taps),
    ("eltwise", "gradient of GELU by tanh", gradient),
    ("bcast", "an element of each tile", scalars),
    ("bcast", "an element for all tiles", one_of_all),
    ("tilize and untilize", "rows of a cache, and tiles again", cached),
    ("sort", "a row of four tiles, upwards", ordered(False)),
    ("sort", "a row of four tiles, downwards", ordered(True)),
    ("SDPA", "a window", window),
    ("matmul", "a row of each of 32 products", heads),
]
