"""Kernels of a sixth blind draw (seed 606141): nine of the first fifteen, in the order drawn, with the vendor's readers and
writers where they have some."""
from device import close, elementwise, integers, randoms, same

MOVE = "data_movement"
TRANSFORMER = "experimental/transformer"
TESTS = "tests/tt_metal/tt_metal/test_kernels"


def two_in_turn(p):
    """Two operands in one DST, the first through a function of its own before."""
    a, b = randoms(64, 64, 0.5, 2.0), randoms(64, 64, seed=2)
    p.fill(0, "a", a)
    p.fill(1, "b", b)
    p.drain(2, "out", (64, 64))
    p.cbs((3, 2))
    p.move()
    p.kernel("compute", "eltwise/binary/device/kernels/compute/eltwise_binary_sfpu_kernel.cpp", (), [2, 2],
             {"SFPU_OP_INIT_PRE_IN0_0": "recip_tile_init();", "SFPU_OP_FUNC_PRE_IN0_0": "recip_tile(i);",
              "SFPU_OP_RECIP_INCLUDE": 1, "BINOP_INIT": "sub_binary_tile_init();",
              "BINARY_SFPU_OP": "sub_binary_tile(i * 2, i * 2 + 1, i * 2);"})
    p.run()
    close(p.result("out"), elementwise(lambda x, y: 1 / x - y, a, b), 0.01)


def by_index(p):
    """Elements of rows by a tensor of indices, with the vendor's reader and writer, on two cores."""
    a, where = randoms(64, 128), integers(64, 64, 0, 127, 3)
    p.cores(0, 0, 1, 0)
    p.tensor("a", a)
    p.tensor("where", where, "uint16")
    p.tensor("out", None, shape=(64, 64))
    p.cb(0, 8)
    p.cb(1, 2, "uint16")
    p.cb(2, 1)  # the reader writes to where the writer reads
    folder = f"{MOVE}/gather/device/kernels/dataflow"
    p.kernel("reader", f"{folder}/gather_reader_single_row_single_core.cpp", [0, 1, 2, 1, 2, 4, 2, 2, 8, 8, ":where"],
             runs={(x, 0): ["@where", 1, 32, 32, x] for x in range(2)})
    p.kernel("writer", f"{folder}/gather_writer_single_row_single_core.cpp", [0, 2, 1, 1, 2, 4, 2, 2, 8, 8, ":a", ":out"],
             runs={(x, 0): ["@a", "@out", 1, x] for x in range(2)})
    p.run()
    same(p.result("out"), [[a[r][c] for c in row] for r, row in enumerate(where)])


def banks(p):
    a = randoms(64, 96)
    p.tensor("a", a)
    p.cb(16, 2)
    p.tensor("out", None, shape=(64, 96))
    p.kernel("reader", f"{TESTS}/dataflow/banked_reader.cpp", [16, 2048, ":a"], ["@a", 6])
    p.kernel("writer", f"{TESTS}/dataflow/banked_writer.cpp", [16, 2048, ":out"], ["@out", 6])
    p.run()
    same(p.result("out"), a)


def mean(p):
    """Over an outer dimension, with the vendor's reader and writer."""
    parts = [randoms(64, 64, seed=s) for s in range(1, 4)]
    p.tensor("a", [row for part in parts for row in part])
    p.tensor("out", None, shape=(64, 64))
    p.cbs((0, 2), (1, 1), (2, 1), (24, 1), (16, 2))
    folder = "moreh/moreh_mean/device/kernels"
    p.kernel("reader", f"{folder}/reader_moreh_mean_nc.cpp", [":a"], ["@a", 3, 4, 4, 0, 4, 1])
    p.kernel("writer", f"{folder}/writer_moreh_mean_nc.cpp", [":out"], ["@out", 4, 0])
    p.kernel("compute", f"{folder}/moreh_mean_nc.cpp", (), [3, 4])
    p.run()
    close(p.result("out"), elementwise(lambda *xs: sum(xs) / 3, *parts), 0.01)


def halves(p):
    """The second half of each row, times -1, before the first."""
    a = randoms(64, 128)
    p.tensor("a", a)
    p.tensor("out", None, shape=(64, 128))
    p.cbs((3, 2), (0, 2), (1, 1), (16, 2))
    folder = f"{TRANSFORMER}/rotate_half/device/kernels/dataflow"
    minus = 0xBF80
    p.kernel("reader", f"{folder}/reader_rotate_half_interleaved_start_id.cpp", [3, 0, 1, minus, ":a"], ["@a", 2, 2, 0])
    p.kernel("writer", f"{folder}/writer_rotate_half_interleaved_start_id.cpp", [3, 16, ":out"], ["@out", 2, 2, 0])
    p.kernel("compute", f"{MOVE}/bcast/device/kernels/compute/bcast_hw.cpp", [], [1, 2, 2],
             {"BCAST_OP": "mul_tiles_bcast", "BCAST_LLKOP": "EltwiseBinaryType::ELWMUL",
              "BCAST_DIM": "BroadcastType::SCALAR", "BCAST_SCALAR": "1"})
    p.run()
    same(p.result("out"), [[-x for x in row[64:]] + row[:64] for row in a])


def heads(p):
    """Queries, keys and values of a row side by side become tensors of heads."""
    rows, n, wide = 64, 2, 64
    a = randoms(rows, 3 * n * wide)
    p.tensor("a", a)
    for name in "qkv":
        p.tensor(name, None, shape=(n * rows, wide))
    p.cb(1, 4)
    folder = f"{TRANSFORMER}/nlp_create_qkv_heads_vit/device/kernels/dataflow"
    p.kernel("reader", f"{folder}/reader_tm_tile_layout_nlp_create_qkv_heads.cpp", [4, 4, ":a", ":a"], ["@a", 0, 2, 0, 0])
    p.kernel("writer", f"{folder}/writer_tm_tile_layout_nlp_create_qkv_heads.cpp", [2, 2, 4, 2, 2, ":q", ":k", ":v"],
             ["@q", "@k", "@v", 2, 0, 0, 0, 0])
    p.run()
    for i, name in enumerate("qkv"):
        same(p.result(name), [a[r][(i * n + h) * wide:(i * n + h + 1) * wide] for h in range(n) for r in range(rows)], name)


def with_scalar(p):
    """One tile of a scalar for all others."""
    a = randoms(64, 64)
    p.fill(0, "a", a)
    p.fill(1, "b", [[0.75] * 32] * 32)
    p.drain(2, "out", (64, 64))
    p.move()
    p.kernel("compute", "eltwise/binary_ng/device/kernels/compute/eltwise_binary_scalar.cpp", [1], [4],
             {"BINARY_OP": "mul_tiles", "BINARY_OP_TYPE": "EltwiseBinaryType::ELWMUL",
              "PROCESS_LHS_ACTIVATIONS(i)": "", "PROCESS_RHS_ACTIVATIONS(i)": "",
              "PROCESS_POST_ACTIVATIONS(i)": "relu_tile_init();relu_tile(i);", "SFPU_OP_RELU_FAMILY_INCLUDE": 1})
    p.run()
    close(p.result("out"), [[max(0.75 * x, 0.0) for x in row] for row in a], 0.01)


def sums_of_slices(p):
    """Sums over an outer dimension go to two tensors by columns, on two cores."""
    parts = [randoms(32, 128, seed=s) for s in range(1, 5)]
    p.cores(0, 0, 1, 0)
    p.tensor("a", [row for part in parts for row in part])
    p.tensor("left", None, shape=(32, 64))
    p.tensor("right", None, shape=(32, 64))
    p.cbs((0, 4), (1, 1), (2, 2))
    folder = "experimental/reduction/deepseek_moe_fast_reduce_nc/device/kernels"
    name = f"{folder}/deepseek_moe_fast_reduce_nc"
    p.kernel("reader", f"{name}_reader.cpp", [0, 1, 2048, 2, 2, 0, 4, 4, 16, ":a"], runs={(x, 0): ["@a", x, 4] for x in range(2)})
    p.kernel("writer", f"{name}_writer.cpp", [2, 2048, 2, 4, 2, 2, 2048, 2048, ":left", ":right"],
             runs={(x, 0): [x, 4, 0, x, "@left", "@right"] for x in range(2)})
    p.kernel("compute", f"{name}_reduce.cpp", [2, 4, 2, 0, 1, 2], options=["fp32"])
    p.run()
    sums = elementwise(lambda *xs: sum(xs), *parts)
    close(p.result("left"), [row[:64] for row in sums], 0.01)
    close(p.result("right"), [row[64:] for row in sums], 0.01)


def integer_sums(p):
    parts = [integers(32, 64, -1000000, 1000000, s) for s in range(1, 4)]
    order = [part[0:32] for part in parts]
    # Tiles in the order in which they are added: of each result all parts.
    p.fill(0, "a", [row for c in range(2) for part in order for row in [r[c * 32:(c + 1) * 32] for r in part]], "int32")
    p.cb(24, 1, "int32")
    p.drain(16, "out", (64, 32), "int32")
    p.move()
    p.kernel("compute", "moreh/moreh_sum/device/moreh_sum_nc_impl_kernels/moreh_int_sum_nc.cpp", [2, 3],
             options=["fp32", "fp32cb=0", "fp32cb=24"])
    p.run()
    sums = elementwise(lambda *xs: sum(xs), *parts)
    same(p.result("out"), [row[c * 32:(c + 1) * 32] for c in range(2) for row in sums])


CASES = [
    ("eltwise", "two operands in turn", two_in_turn),
    ("readers and writers", "elements by an index", by_index),
    ("readers and writers", "pages of banks", banks),
    ("moreh", "mean over an outer dimension", mean),
    ("readers and writers", "halves of rows exchanged", halves),
    ("readers and writers", "heads of a row", heads),
    ("eltwise", "one tile for all others", with_scalar),
    ("reduce", "sums to slices", sums_of_slices),
    ("moreh", "sums of integers", integer_sums),
]
