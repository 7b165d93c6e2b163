"""Kernels that a blind draw gave: broadcasts of the vector unit and with activations, running statistics, group norm."""
import math

from device import bits, close, elementwise, integers, randoms, same, transposed

TERNARY = "eltwise/ternary/device/kernels/compute"
BINARY = "eltwise/binary_ng/device/kernels/compute"


def ternary(kernel, init, call, f, run=()):
    """The first operand is one tile, for two of each of the others, twice."""
    def check(p):
        a, b, c = randoms(64, 32), randoms(64, 64, 0.5, 1.5, 2), randoms(64, 64, seed=3)
        if "where" in init:
            a = [[float(x > 0) for x in row] for row in a]
        p.fill(0, "a", a)
        p.fill(1, "b", b)
        p.fill(2, "c", c)
        p.drain(3, "out", (64, 64))
        p.move()
        p.kernel("compute", f"{TERNARY}/{kernel}.cpp", [1], [4, 2, 0, *run],
                 {"BCAST_A": 1, "BCAST_B": 0, "BCAST_C": 0, "TERNARY_SFPU_OP_INIT": init, "TERNARY_SFPU_OP_FUNC": call})
        p.run()
        close(p.result("out"), elementwise(f, [row + row for row in a], b, c), 0.01)
    return check


def with_activations(kernel, f, defines, fmt="bf16", options=()):
    """A tile of the second operand for two of the first, with functions before and after the sum."""
    def check(p):
        if fmt == "bf16":
            a, b = randoms(64, 64), randoms(64, 32, seed=2)
        else:
            a, b = integers(64, 64, -9999, 9999), integers(64, 32, -99, 99, 2)
        p.fill(0, "a", a, fmt)
        p.fill(1, "b", b, fmt)
        p.drain(2, "out", (64, 64), fmt)
        p.cb(3, 1, fmt)
        p.cb(4, 1, fmt)
        p.move()
        none = {f"PROCESS_{which}_ACTIVATIONS(i)": "" for which in ("LHS", "RHS", "POST")}
        p.kernel("compute", f"{BINARY}/{kernel}.cpp", [1], [4, 2, 0], {"BCAST_INPUT": 1, **none, **defines}, options=options)
        p.run()
        expected = elementwise(f, a, [row + row for row in b])
        if fmt == "bf16":
            close(p.result("out"), expected, 0.02)
        else:
            same(p.result("out"), expected)
    return check


def statistics(p):
    """(1 - m) * running + m * batch, of means and variances, by the vector unit."""
    names = ("mean", "var", "old_mean", "old_var")
    tensors = {name: randoms(32, 64, 0.0, 1.0, seed) for seed, name in enumerate(names)}
    for cb, name in zip((0, 1, 3, 4), names):
        p.fill(cb, name, tensors[name])
    p.fill(7, "momentum", [[0.25] * 32] * 32)
    p.fill(8, "one", [[1.0] * 32] * 32)
    for cb, name in ((5, "new_mean"), (6, "new_var"), (2, "out")):
        p.drain(cb, name, (32, 64))
    p.cbs((9, 1), (10, 1), (11, 1))
    p.move()
    p.kernel("compute", "normalization/batch_norm/device/kernels/compute/running_statistics_sfpu_kernel.cpp",
             [1, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [2])
    p.run()
    for name in ("mean", "var"):
        close(p.result(f"new_{name}"), elementwise(lambda old, new: 0.75 * old + 0.25 * new, tensors[f"old_{name}"], tensors[name]), 0.01)
    same(p.result("out"), p.result("new_var"))


def identity(p):
    a = randoms(64, 64)
    p.fill(0, "a", a)
    p.drain(2, "out", (64, 64))
    p.move()
    p.kernel("compute", "eltwise/unary/device/kernels/compute/eltwise_identity_kernel.cpp", [2, 2])
    p.run()
    same(p.result("out"), a)


def transpose_rows(p):
    """Rows in, tilized, transposed, and rows out."""
    a = randoms(64, 32)
    p.fill(0, "a", a, layout="rows")
    p.drain(2, "out", (64, 32), layout="rows")
    p.cbs((1, 1))
    p.move()
    p.kernel("compute", "data_movement/permute/device/kernels/compute/transpose_xw_rm_single_tile_size.cpp", [], [2],
             named={"x_block_size": 32, "w_block_size": 32})
    p.run()
    same(p.result("out"), transposed(a[:32]) + transposed(a[32:]))


def broadcast_sharded(p):
    """A row of tiles for all rows of a shard, tile by tile, to places of the result out of order."""
    a, b = randoms(128, 64), randoms(32, 64, seed=2)
    p.fill(0, "a", a)
    p.fill(1, "b", b)
    p.drain(2, "out", (128, 64))
    p.move()
    p.kernel("compute", "eltwise/binary/device/kernels/compute/bcast_h_sharded_optimised.cpp", [], [1, 4, 2, 2, 1, 4],
             {"BCAST_OP": "add_tiles_bcast", "BCAST_LLKOP": "EltwiseBinaryType::ELWADD", "BCAST_DIM": "BroadcastType::ROW"})
    p.run()
    close(p.result("out"), [[x + b[0][c] for c, x in enumerate(row)] for row in a], 0.005)


def group_norm(p):
    """Two groups of 32 and of 32 channels of 96 rows, on one core, with the vendor's reader of a group's first core."""
    rows, channels, groups = 96, 64, 2
    each, tall, wide = channels // groups, rows // 32, channels // 32
    a = randoms(rows, channels, -2, 3)
    p.tensor("a", a)
    p.cb(0, 2)
    p.line("semaphore", 0)
    p.line("semaphore", 0)
    named = {"reduce_receiver_semaphore_id": 0, "reduce_sender_semaphore_id": 1, "num_cores_per_mcast_group": 1,
             "num_batch_group": groups, "num_batches": 1, "batch": 1, "group": groups, "per_core_N": wide,
             "per_core_N_bytes": 64 * wide, "per_core_N_bytes_with_stride": 64 * wide, "per_core_M": tall,
             "per_core_MN": tall * wide, "TILE_HEIGHT": 32, "TILE_WIDTH": 32, "block_h": tall, "block_w": 1,
             "num_tiles_per_batch": tall * wide, "num_out_blocks": 1, "num_channels_per_group": each,
             "num_rows_per_group": rows, "do_gamma": 1, "do_beta": 1, "single_tile_size_bytes": 2048,
             "num_tiles_input_mask": groups, "reciprocal_size": each * rows // 1}
    p.kernel("reader", "normalization/groupnorm/device/kernels/dataflow/welford_reader_mcast_sender_unary_gn.cpp", [":a"],
             ["@a", 0, 0, 0, wide, 0, 0, 0, 0, 0, 0, 0, 0, 0], named=named)
    p.tensor("out", None, shape=(rows, channels))
    gamma, beta = randoms(32, channels, 0.5, 1.5, 2), randoms(32, channels, seed=3)
    for cb, name, m in ((3, "eps", [[2.0 ** -10] * 32] * 32), (5, "gamma", gamma), (6, "beta", beta),
                        (28, "mask", [[1.0] * 32] * 32 * groups)):
        p.tensor(name, m)
        *_, page, pages = p.tensors[name]
        p.cb(cb, pages)
    p.tensor("reciprocals", [[1 / (i + 1) for i in range(each * rows)]], "fp32", "rows", shards=(1, 1))
    p.cb(18, 1, "fp32", 4 * each * rows, "reciprocals")
    p.cbs((8, 2), (15, 2 * groups), (16, 2), (24, 1), (25, 3), (27, groups))
    moves = [w for cb, name in ((3, "eps"), (5, "gamma"), (6, "beta"), (28, "mask")) for w in (cb, f"@{name}", p.tensors[name][5], 2048)]
    p.kernel("writer", "both.cpp", [":out"], [4, *moves, 1, 16, "@out", tall * wide, 2048])
    p.kernel("compute", "normalization/groupnorm/device/kernels/compute/welford_groupnorm.cpp", named=named)
    p.run()
    expected = [[0.0] * channels for _ in a]
    for g in range(groups):
        xs = [x for row in a for x in row[g * each:(g + 1) * each]]
        mean = sum(xs) / len(xs)
        scale = 1 / math.sqrt(sum((x - mean) ** 2 for x in xs) / len(xs) + 2.0 ** -10)
        for r, row in enumerate(a):
            for c in range(g * each, (g + 1) * each):
                expected[r][c] = (row[c] - mean) * scale * gamma[0][c] + beta[0][c]
    close(p.result("out"), expected, 0.03)


RELU, NEGATIVE = "relu_tile_init(); relu_tile(i);", "negative_tile_init(); negative_tile(i);"
CASES = [
    ("eltwise", "a + s * b * c, of a tile for several", ternary(
        "ternary_addc_ops_sfpu_bcast", "addcmul_tile_init", "addcmul_tile<DataFormat::Float16_b>",
        lambda a, b, c: a + 0.5 * b * c, [bits(0.5)])),
    ("eltwise", "a + s * b / c, of a tile for several", ternary(
        "ternary_addc_ops_sfpu_bcast", "addcdiv_tile_init", "addcdiv_tile<DataFormat::Float16_b>",
        lambda a, b, c: a + 0.5 * b / c, [bits(0.5)])),
    ("eltwise", "where, of a tile for several", ternary(
        "ternary_sfpu_col_scalar_bcast_ttt", "where_tile_init", "where_tile<DataFormat::Float16_b>",
        lambda a, b, c: b if a else c)),
    ("eltwise", "sums with functions before and after", with_activations(
        "eltwise_binary", lambda x, y: max(max(x, 0.0) - y, 0.0),
        {"BINARY_OP": "add_tiles", "BINARY_OP_TYPE": "EltwiseBinaryType::ELWADD", "PROCESS_LHS_ACTIVATIONS(i)": RELU,
         "PROCESS_RHS_ACTIVATIONS(i)": NEGATIVE, "PROCESS_POST_ACTIVATIONS(i)": RELU,
         "SFPU_OP_RELU_FAMILY_INCLUDE": 1, "SFPU_OP_NEG_INCLUDE": 1})),
    ("eltwise", "products, with negative ones dropped by the packer", with_activations(
        "eltwise_binary", lambda x, y: max(x * y, 0.0),
        {"BINARY_OP": "mul_tiles", "BINARY_OP_TYPE": "EltwiseBinaryType::ELWMUL", "PACK_RELU": 1})),
    ("eltwise", "powers by the vector unit, with functions before", with_activations(
        "eltwise_binary_sfpu", lambda x, y: max(x, 0.0) * -y,
        {"BINARY_SFPU_INIT": "mul_binary_tile_init();", "BINARY_SFPU_OP": "mul_binary_tile", "PROCESS_LHS_ACTIVATIONS(i)": RELU,
         "PROCESS_RHS_ACTIVATIONS(i)": NEGATIVE, "SFPU_OP_RELU_FAMILY_INCLUDE": 1, "SFPU_OP_NEG_INCLUDE": 1})),
    ("eltwise", "products of int32 with a tile for several", with_activations(
        "eltwise_binary_sfpu", lambda x, y: x * y,
        {"BINARY_SFPU_INIT": "mul_int_tile_init<DataFormat::Int32>();", "BINARY_SFPU_OP": "mul_int_tile<DataFormat::Int32>"}, "int32",
        ["fp32", "fp32cb=0", "fp32cb=1"])),
    ("norms", "running statistics", statistics),
    ("norms", "group norm by Welford's sums", group_norm),
    ("copy", "by DST", identity),
    ("transpose", "rows by way of tiles", transpose_rows),
    ("bcast", "a row for a shard", broadcast_sharded),
]
