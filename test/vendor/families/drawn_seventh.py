"""Kernels of a seventh blind draw (seed 271428): ten of the first twenty-four, with the vendor's readers and writers where
they have some."""
import math

from device import bf16, bits, close, elementwise, integers, pair, randoms, same, transposed

MOREH = "moreh"
ELTWISE = "eltwise"


def where(true_is_tensor):
    """A choice between a tensor and a scalar; the condition is one tile for all, or of its own for each."""
    def check(p):
        condition, a = integers(64, 64, 0, 1), randoms(64, 64)
        condition = [[float(x) for x in row] for row in condition]
        scalar = 0.375
        p.fill(0, "condition", condition)
        p.fill(1, "a", a if true_is_tensor else [row[:32] for row in a[:32]])
        p.drain(2, "out", (64, 64))
        p.move()
        name = "eltwise_where_sfpu" if true_is_tensor else "eltwise_where_sfpu_scalar"
        runs = [4, 1, 0, bits(scalar)]
        p.kernel("compute", f"{ELTWISE}/binary_ng/device/kernels/compute/{name}.cpp", [1], runs,
                 {"WHERE_TTS": int(true_is_tensor), "WHERE_TST": int(not true_is_tensor), "BCAST_INPUT": 1,
                  "FILL_LLK": "fill_tile", "FILL_WITH_VALUE_FLOAT": 1, "BINARY_SFPU_INIT": "where_tile_init();",
                  "BINARY_SFPU_OP": "where_tile<DataFormat::Float16_b>"})
        p.run()
        if true_is_tensor:
            expected = elementwise(lambda c, x: x if c else scalar, condition, a)
        else:  # the tensor's only tile stands for all
            expected = [[scalar if condition[r][c] else a[r % 32][c % 32] for c in range(64)] for r in range(64)]
        same(p.result("out"), expected)
    return check


def outer(p):
    """A choice whose tensor has one batch for two of the condition's, with the vendor's reader and writer."""
    condition = [[float(x) for x in row] for row in integers(128, 64, 0, 1, 5)]
    a = randoms(64, 64, seed=6)
    p.tensor("condition", condition)
    p.tensor("a", a)
    p.tensor("out", None, shape=(128, 64))
    p.cbs((0, 2), (1, 2), (3, 2))
    folder = f"{ELTWISE}/ternary/device/kernels"
    p.kernel("reader", f"{folder}/dataflow/tst_tts_reader_outer_bcast.cpp", [0, 1, ":condition", ":a"],
             ["@condition", "@a", 0, 8, 0, 8, 8, 4, 4, 1, 2, 1, 2, 2, 1, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 8])
    p.kernel("writer", f"{folder}/dataflow/ternary_writer_nobcast.cpp", [3, ":out", 0], ["@out", 8, 0, 2, 1, 2, 1, 2, 2, 1])
    p.kernel("compute", f"{folder}/compute/ternary_sfpu_no_bcast_tts_tst.cpp", [1, 0], [8, 0, 0, bits(-0.5)],
             {"TERNARY_SFPU_OP_INIT": "where_tile_init", "TERNARY_SFPU_OP_FUNC": "where_tile<DataFormat::Float16_b>",
              "FILL_LLK": "fill_tile", "FILL_WITH_VALUE_FLOAT": 1, "WHERE_TTS": 1, "WHERE_TST": 0})
    p.run()
    same(p.result("out"), [[a[r % 64][c] if condition[r][c] else -0.5 for c in range(64)] for r in range(128)])


def of_groups(p):
    """Group norm of two groups of two channels, with the vendor's reader and writer."""
    n, groups, channels, h, w = 1, 2, 4, 32, 64
    a = randoms(n * channels * h, w, -2, 3, 7)
    gamma, beta = randoms(1, channels, 0.5, 1.5, 8), randoms(1, channels, seed=9)
    p.tensor("a", a)
    for name, t in (("gamma", gamma), ("beta", beta)):
        p.tensor(name, [[*t[0], *[0.0] * 28]] + [[0.0] * 32] * 31)
    p.tensor("out", None, shape=(n * channels * h, w))
    for name in ("mean", "rstd"):
        p.tensor(name, None, shape=(32, 32))
    inner = channels // groups * (h // 32) * (w // 32)
    p.cbs((0, inner), (1, 1), (2, 1), (3, 4), (4, 4), (16, 4), (17, 1), (18, 1), (24, 1), (25, inner), (26, 1), (27, 1),
          (28, 1), (29, 1), (30, 8), (31, 2))
    folder = f"{MOREH}/moreh_group_norm/device/kernels/dataflow"
    size = channels // groups * h * w
    p.kernel("reader", f"{folder}/reader_moreh_group_norm_small.cpp", [1, 1, ":a", ":gamma", ":beta"],
             ["@a", "@gamma", "@beta", bits(1 / math.sqrt(size)), bits(1e-5), 0, groups, inner, channels, h, w, 4])
    p.kernel("writer", f"{folder}/writer_moreh_group_norm.cpp", [1, 1, ":out", ":mean", ":rstd"],
             ["@out", "@mean", "@rstd", 0, groups, inner, groups, 4])
    p.kernel("compute", f"{MOREH}/moreh_layer_norm/device/kernels/moreh_layer_norm_small_kernel.cpp",
             [groups, h, w, inner, 4, 1, 1, 1, 1, 0, 1], [],
             {"REDUCE_OP": "PoolType::SUM", "REDUCE_DIM": "ReduceDim::REDUCE_SCALAR"})
    p.run()
    expected, means = [], []
    for g in range(groups):
        rows = a[g * 2 * h:(g + 1) * 2 * h]
        mean = sum(map(sum, rows)) / size
        scale = 1 / math.sqrt(sum((x - mean) ** 2 for row in rows for x in row) / size + 1e-5)
        means.append(mean)
        for r, row in enumerate(rows):
            c = g * 2 + r // h
            expected.append([(x - mean) * scale * gamma[0][c] + beta[0][c] for x in row])
    close(p.result("out"), expected, 0.03)
    close([p.result("mean")[0][:groups]], [means], 0.02)


def large_layer_norm(p):
    """Rows that are read three times, since a core does not hold them."""
    a, gamma, beta = randoms(64, 128, -2, 3), randoms(32, 128, 0.5, 1.5, 2), randoms(32, 128, seed=3)
    for name, t in (("a", a), ("gamma", gamma), ("beta", beta)):
        p.tensor(name, t)
    p.tensor("out", None, shape=(64, 128))
    p.cbs((0, 4), (1, 1), (2, 1), (3, 4), (4, 4), (16, 4), (17, 1), (18, 1), (24, 1), (25, 4), (26, 4), (27, 1), (28, 1),
          (29, 1), (30, 4), (31, 2))
    folder = f"{MOREH}/moreh_layer_norm/device/kernels"
    p.kernel("reader", f"{folder}/reader_moreh_layer_norm_large.cpp", [2, ":a", ":gamma", ":beta"],
             ["@a", "@gamma", "@beta", 2, 4, 0, bits(1 / 128), bits(1e-5), 0, 0],
             {"GAMMA_HAS_VALUE": 1, "BETA_HAS_VALUE": 1})
    p.kernel("writer", f"{folder}/writer_moreh_layer_norm.cpp", [0, 0, 2, ":out", ":out", ":out"],
             ["@out", 0, 0, 2, 4, 0, 64, 1, 1])
    p.kernel("compute", f"{folder}/moreh_layer_norm_large_kernel.cpp", [2, 64, 128, 4, 2, 1, 1, 0, 0, 1, 0], [],
             {"REDUCE_OP": "PoolType::SUM", "REDUCE_DIM": "ReduceDim::REDUCE_ROW"})
    p.run()
    expected = []
    for row in a:
        mean = sum(row) / 128
        scale = 1 / math.sqrt(sum((x - mean) ** 2 for x in row) / 128 + 1e-5)
        expected.append([(x - mean) * scale * g + b for x, g, b in zip(row, gamma[0], beta[0])])
    close(p.result("out"), expected, 0.03)


def adamw(p):
    """One step of an optimizer, with the vendor's reader and writer."""
    names = ("param", "grad", "mean", "square")
    data = [randoms(64, 64, seed=s) for s in (1, 2, 3)] + [randoms(64, 64, 0.1, 1.0, 4)]
    for name, m in zip(names, data):
        p.tensor(name, m)
    outs = ("param_out", "mean_out", "square_out")
    for name in outs:
        p.tensor(name, None, shape=(64, 64))
    p.cbs(*((i, 1) for i in (0, 1, 2, 3, 6, 16, 17, 18, *range(24, 32))), (5, 5))
    rate, one, two, eps, decay, step = 0.125, 0.875, 0.9375, 0.0078125, 0.0625, 3
    folder = f"{MOREH}/moreh_adamw/device/kernels"
    p.kernel("reader", f"{folder}/reader_moreh_adamw.cpp", [f":{name}" for name in names],
             [*(f"@{name}" for name in names), 0, *map(bits, (rate, one, two, eps, decay, one ** step, two ** step)), step, 0,
              4, 0])
    p.kernel("writer", f"{folder}/writer_moreh_adamw.cpp", [f":{name}" for name in outs], [*(f"@{n}" for n in outs), 0, 4, 0])
    p.kernel("compute", f"{folder}/moreh_adamw.cpp", [4], [step], {"FP32_DEST_ACC_EN": 1}, options=["fp32"])
    p.run()
    means = elementwise(lambda m, g: m * one + g * (1 - one), data[2], data[1])
    squares = elementwise(lambda v, g: v * two + g * g * (1 - two), data[3], data[1])
    expected = elementwise(
        lambda x, m, v: x - rate * decay * x
        - rate / (1 - one ** step) * m / (math.sqrt(v / (1 - two ** step)) + eps), data[0], means, squares)
    close(p.result("mean_out"), means, 0.01)
    close(p.result("square_out"), squares, 0.01)
    close(p.result("param_out"), expected, 0.03)


def split_heads(p):
    """Queries, keys and values of rows become heads, keys transposed, with the vendor's three kernels on two cores."""
    rows, heads, wide = 64, 2, 64
    a = randoms(rows, 3 * heads * wide)
    p.cores(0, 0, 1, 0)
    p.tensor("a", a)
    p.tensor("q", None, shape=(heads * rows, wide))
    p.tensor("k", None, shape=(heads * wide, rows))
    p.tensor("v", None, shape=(heads * rows, wide))
    p.cbs((0, 8), (1, 16), (16, 4))
    folder = "experimental/transformer/split_query_key_value_and_split_heads/device/kernels/dataflow"
    name = "tm_tile_layout_create_qkv_heads.cpp"
    p.kernel("reader", f"{folder}/reader_{name}", [1, 4, ":a"], runs={(x, 0): ["@a", 12 * x] for x in range(2)})
    p.kernel("writer", f"{folder}/writer_{name}", [1, 1, heads, 1, 2, 2, 4, ":q", ":k", ":v"],
             runs={(x, 0): ["@q", "@k", "@v", 2 * x, x] for x in range(2)})
    p.kernel("compute", "ttnn/cpp/ttnn/kernel/compute/transpose_wh.cpp", [4])
    p.run()
    parts = [[[row[(t * heads + h) * wide:(t * heads + h + 1) * wide] for row in a] for h in range(heads)] for t in range(3)]
    same(p.result("q"), sum(parts[0], []), "q")
    same(p.result("k"), sum(map(transposed, parts[1]), []), "k")
    same(p.result("v"), sum(parts[2], []), "v")


def filled_rows(last):
    """Rows, or elements of each row, that a list names, with the vendor's reader and writer."""
    def check(p):
        a, named = randoms(16, 64), [3, 5, 11, 2]
        value = 0x40A0  # 5
        p.tensor("a", a, layout="rows")
        p.tensor("named", [named + [0] * 4], "uint32", "rows")
        p.tensor("out", None, layout="rows", shape=(16, 64))
        p.cb(0, 2, page=128)
        p.cb(1, 1, "uint32", page=32)
        p.cb(2, 1, page=128)
        folder = "index_fill/device/kernels"
        p.kernel("reader", f"{folder}/reader_index_fill.cpp", [128, 32, 4, int(last), ":a", ":named"], ["@a", "@named", 0, 16, 1, 16])
        p.kernel("writer", f"{folder}/writer_index_fill.cpp", [128, 4, 2, int(last), ":out"], ["@out", 0, 16, 1, 16, value])
        p.run()
        same(p.result("out"), [[5.0 if (c if last else r) in named else x for c, x in enumerate(row)] for r, row in enumerate(a)])
    return check


def padded_rows(p):
    """Rows of 32 elements, three of four, become four of 64, filled up with a number."""
    a = randoms(3, 32)
    p.tensor("a", a, layout="rows")
    p.tensor("out", None, layout="rows", shape=(4, 64))
    p.cb(0, 4, page=128)
    p.cb(1, 2, page=128)
    p.cb(2, 1, page=64)
    folder = "data_movement/pad/device/kernels/dataflow"
    fill = pair(0.25)
    p.kernel("reader", f"{folder}/reader_pad_dims_rm_interleaved_v2.cpp",
             [1, 3, 1, 64, 1, 4, 1, 128, 0, 64, 1, 128, 1, fill, 64, 0, 1, 2, 128, 0, ":a"],
             ["@a", 4, 4, 0, 0, 0, 0, 0, 0, 0, 0])
    p.kernel("writer", f"{folder}/writer_pad_dims_rm_interleaved_v2.cpp", [0, 128, 128, ":out"], ["@out", 4, 4, 0])
    p.run()
    same(p.result("out"), [row + [bf16(0.25)] * 32 for row in a] + [[bf16(0.25)] * 64])


def filled_shards(p):
    """A number in all tiles of a tensor whose columns are on two cores."""
    p.cores(0, 0, 1, 0)
    p.tensor("out", None, shape=(64, 64), shards=(2, 1))
    p.cb(0, 1)
    p.kernel("writer", "full/device/kernels/writer_full_sharded.cpp", [0, 1024, 2048, 2048, 2, ":out"],
             defines={"OUTPUT_DTYPE_BFLOAT16": 1}, runs={(x, 0): ["@out", bits(1.5), x, 1, 2] for x in range(2)})
    p.run()
    same(p.result("out"), [[1.5] * 64] * 64)


CASES = [
    ("eltwise", "choices between a scalar and a tile for all", where(False)),
    ("eltwise", "choices between tiles and a scalar", where(True)),
    ("eltwise", "choices of a batch for all", outer),
    ("norms", "group norm of channels", of_groups),
    ("moreh", "layer norm of long rows", large_layer_norm),
    ("moreh", "AdamW", adamw),
    ("slice", "heads, with keys transposed", split_heads),
    ("embedding", "rows filled by a list", filled_rows(False)),
    ("embedding", "elements filled by a list", filled_rows(True)),
    ("concat", "rows padded with a number", padded_rows),
    ("readers and writers", "shards filled with a number", filled_shards),
]
