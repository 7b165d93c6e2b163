"""Kernels of a fourth blind draw (seed 271427): choices with scalars, the largest of a row, norms in parts, rows for all
rows, minima, sharded rows side by side."""
import random

from device import bits, close, elementwise, pair, randoms, same

from norms import NORM, normalized, ones_of_rows

TERNARY = "eltwise/ternary/device/kernels/compute"


def chosen(p):
    """A tile of conditions for two tiles of numbers each; a scalar where they do not hold."""
    where = [[float((r + c) % 3 == 0) for c in range(64)] for r in range(32)]
    a = randoms(32, 128)
    p.fill(0, "where", where)
    p.fill(1, "a", a)
    p.drain(3, "out", (32, 128))
    p.move()
    p.kernel("compute", f"{TERNARY}/ternary_sfpu_col_scalar_bcast_tts_tst.cpp", [1, 0], [4, 2, 0, bits(2.5)],
             {"BCAST_A": 1, "BCAST_B": 0, "BCAST_C": 0, "FILL_LLK": "fill_tile", "FILL_WITH_VALUE_FLOAT": 1,
              "TERNARY_SFPU_OP_INIT": "where_tile_init", "TERNARY_SFPU_OP_FUNC": "where_tile<DataFormat::Float16_b>"})
    p.run()
    same(p.result("out"), [[a[r][c] if where[r][c // 64 * 32 + c % 32] else 2.5 for c in range(128)] for r in range(32)])


def largest(p):
    """The 32 largest of each row of four tiles, as columns, and where they are."""
    generator = random.Random(7)
    a = [generator.sample([float(x) for x in range(128)], 128) for _ in range(32)]
    p.fill(0, "a", a)
    p.fill(1, "index", [[c for c in range(128)]] * 32, "uint16")
    p.cb(2, 4)
    p.cb(3, 4, "uint16")
    p.drain(4, "values", (32, 32))
    p.drain(5, "places", (32, 32), "uint16")
    p.move()
    p.kernel("compute", "reduction/topk/device/kernels/compute/topk_local.cpp",
             [0, 1, 2, 3, 4, 5, 1, 4, 32, 1, 5, 2, 1, 1], [0])
    p.run()
    values, places = p.result("values"), p.result("places")
    same([sorted(row) for row in zip(*values)], [sorted(row)[-32:] for row in a])
    same([[a[r][places[k][r]] for k in range(32)] for r in range(32)], [list(row) for row in zip(*values)],
         "what the indices name")


def large_norm(p):
    """A row that is read three times, in blocks, with the vendor's reader and writer."""
    a, gamma, beta = randoms(64, 128, -2, 3), randoms(32, 128, 0.5, 1.5, 2), randoms(32, 128, seed=3)
    for name, m in (("a", a), ("gamma", gamma), ("beta", beta)):
        p.tensor(name, m)
    p.tensor("out", None, shape=(64, 128))
    p.cbs((0, 4), (1, 4), (2, 2), (3, 1), (5, 4), (6, 4), (16, 4), (18, 2), (19, 2), (20, 4), (21, 8), (22, 8), (23, 4),
          (24, 4), (26, 1))
    defines = {"FUSE_GAMMA": 1, "FUSE_BETA": 1}
    folder = f"{NORM}/layernorm/device/kernels"
    p.kernel("reader", f"{folder}/dataflow/reader_unary_interleaved_ln_large_tensor.cpp",
             [2, ":a", ":a", ":gamma", ":beta"],
             ["@a", 2, 4, 0, pair(1.0), pair(1e-5), "@gamma", "@beta", 0, 128, 32, 32], defines)
    p.kernel("writer", f"{folder}/dataflow/writer_unary_interleaved_start_id_blocked.cpp", [2, ":out"], ["@out", 4, 2, 0])
    p.kernel("compute", f"{folder}/compute/layernorm_large_tensor.cpp", [4, 2, 1, 1, 0, 0, 0, 128, 32], [2], defines)
    p.run()
    close(p.result("out"), normalized(a, gamma[0], beta[0], True), 0.02)


def parts_of_norm(p):
    """What one core of several gives to the sums of a sharded norm: means of the elements, then of their squares."""
    a = randoms(64, 128)
    p.tensor("a", a, shards=(2, 4))
    p.cb(0, 8, on="a")
    p.fill(2, "scale", [[x / 128 for x in row] for row in ones_of_rows()])
    p.cbs((24, 8))
    p.drain(11, "out", (128, 32))
    p.move()
    p.kernel("compute", f"{NORM}/layernorm/device/kernels/compute/layernorm_sharded_pre_allgather.cpp",
             [0, 0, 0, 1, 2, 4, 2, 2, 0, 8, 0, 0, 0, 1], [4])
    p.run()
    out = [row[0] for row in p.result("out")]
    close([out[:64]], [[sum(row) / 128 for row in a]], 0.05, "the mean")
    close([out[64:]], [[sum(x * x for x in row) / 128 for row in a]], 0.02, "the mean of squares")


def rows(p):
    a = randoms(32, 96)
    p.fill(0, "a", a)
    p.drain(1, "out", (32, 96))
    p.move()
    p.kernel("compute", "experimental/bcast_to/device/kernels/compute/compute_interleaved_row_bcast_to.cpp", [0, 1],
             [0, 0, 0, 0, 0, 3, 0, 0, 1, 3, 1, 1])
    p.run()
    same(p.result("out"), [a[0]] * 32)


def added(p):
    """a + s b c, where b has one row."""
    a, b, c = (randoms(32, 96, seed=s) for s in (1, 2, 3))
    for index, m in enumerate((a, b, c)):
        p.fill(index, "abc"[index], m)
    p.drain(3, "out", (32, 96))
    p.cbs((4, 1), (5, 1), (6, 1))
    p.move()
    p.kernel("compute", f"{TERNARY}/ternary_addc_ops_fpu_rowbcast.cpp", [1], [3, 0, 0, bits(0.5)],
             {"BCAST_A": 0, "BCAST_B": 1, "BCAST_C": 0, "TERNARY_SFPU_OP_INIT": "addcmul_tile_init",
              "TERNARY_SFPU_OP_FUNC": "addcmul_tile<DataFormat::Float16_b>"})
    p.run()
    close(p.result("out"), elementwise(lambda x, y, z: x + 0.5 * y * z, a, [b[0]] * 32, c), 0.01)


def untilized(p):
    a = randoms(64, 96)
    p.fill(0, "a", a)
    p.drain(16, "out", (64, 96), layout="rows", page=2048)
    p.move()
    p.kernel("compute", "data_movement/untilize/device/kernels/compute/pack_untilize_wh.cpp", [2, 3, 1])
    p.run()
    same(p.result("out"), a)


def least(p):
    """Minima of columns, two tiles side by side at a time."""
    a = randoms(64, 128, -3.0, 3.0)
    p.fill(0, "a", [row[c:c + 64] for c in (0, 64) for row in a])
    p.fill(2, "ones", ones_of_rows())
    p.drain(3, "out", (32, 128))
    p.cbs((4, 2), (5, 2))
    p.move()
    p.kernel("compute", "reduction/generic/device/kernels/compute/reduce_h_neg.cpp", [2, 4, 1, 2], [],
             {"REDUCE_OP": "PoolType::MAX", "REDUCE_DIM": "ReduceDim::REDUCE_COL"})
    p.run()
    same(p.result("out")[:1], [[min(column) for column in zip(*a)]])


def merged(p):
    """Sums of squares of a part of each row, and of the parts of two cores."""
    a, parts = randoms(32, 128), randoms(32, 64, 0.0, 4.0, 2)
    p.fill(0, "a", a)
    p.fill(1, "ones", ones_of_rows())
    p.fill(15, "parts", parts)
    p.fill(13, "zero", [[0.0] * 32] * 32)
    p.drain(16, "own", (32, 32))
    p.drain(14, "out", (32, 32))
    p.cbs((6, 4))
    p.move()
    p.kernel("compute", f"{NORM}/layernorm_distributed/device/kernels/compute/layernorm_pre_allgather_2d.cpp",
             [1, 4, 4, 2, 0], [1])
    p.run()
    close([[row[0]] for row in p.result("own")], [[sum(x * x for x in row)] for row in a], 0.02, "the part")
    close(p.result("out"), [[x + y for x, y in zip(row[:32], row[32:])] for row in parts], 0.01, "the sum of parts")


def beside(p):
    """Shards of one and of two tiles in a row, in two groups of columns: by columns, which are rows then."""
    a, b = randoms(64, 32), randoms(64, 64, seed=2)
    p.tensor("a", a, shards=(2, 1))
    p.tensor("b", b, shards=(2, 2))
    p.tensor("out", None, shape=(64, 96), shards=(2, 3))
    p.cb(0, 2, on="a")
    p.cb(1, 4, on="b")
    p.cbs((2, 1), (3, 2), (4, 3), (5, 3))
    p.cb(6, 6, on="out")
    folder = "data_movement/concat/device/kernels"
    args = [0, 1, 2, 3, 4, 5, 6, 2, 1, 2, 2, 2048, 2]
    name = "height_sharded_width_concat_two_tensors"
    p.kernel("reader", f"{folder}/dataflow/reader_{name}_tiled.cpp", args)
    p.kernel("writer", f"{folder}/dataflow/writer_{name}_tiled.cpp", args)
    p.kernel("compute", f"{folder}/compute/{name}.cpp", [*args, 8])
    p.run()
    same(p.result("out"), [x[:16] + y[:32] + x[16:] + y[32:] for x, y in zip(a, b)])


CASES = [
    ("eltwise", "a choice with a scalar", chosen),
    ("sort", "the largest of a part of a row", largest),
    ("norms", "layer norm in blocks", large_norm),
    ("norms", "parts of a sharded layer norm", parts_of_norm),
    ("bcast", "rows for all rows", rows),
    ("eltwise", "a product with one row, added", added),
    ("tilize and untilize", "untilize by pack, several columns", untilized),
    ("reduce", "minima of columns in chunks", least),
    ("norms", "sums of parts", merged),
    ("concat", "sharded rows side by side", beside),
]
