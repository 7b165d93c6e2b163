"""Readers and writers, sums, products and functions of tiles, broadcasts, reductions."""
import math

from device import close, elementwise, integers, pair, randoms, same

UNARY = "eltwise/unary/device/kernels"
READER = f"{UNARY}/dataflow/reader_unary_interleaved_start_id.cpp"
WRITER = f"{UNARY}/dataflow/writer_unary_interleaved_start_id.cpp"


def tiles(m):
    return len(m) * len(m[0]) // 1024


def read(p, name, start=0):
    """The vendor's reader of all tiles of a tensor, into circular buffer 0."""
    *_, pages = p.tensors[name]
    p.kernel("reader", READER, [f":{name}"], [f"@{name}", pages - start, start])


def write(p, name, cb, shape, fmt="bf16", layout="tiles", pages=2):
    """Its writer, and the circular buffer that it empties."""
    p.tensor(name, None, fmt, layout, shape)
    *_, page, n = p.tensors[name]
    p.cb(cb, pages, fmt, page)
    p.kernel("writer", WRITER, [cb, f":{name}"], [f"@{name}", n, 0])


def interleaved(p):
    a = randoms(64, 96)
    p.tensor("a", a, layout="rows")
    p.cb(0, 2, page=192)
    read(p, "a")
    p.tensor("out", None, layout="rows", shape=(64, 96))
    p.kernel("writer", WRITER, [0, ":out"], ["@out", 64, 0])
    p.run()
    same(p.result("out"), a)


def sharded(p):
    """Two cores, a shard each: announced, copied by the compute kernel, and waited for."""
    a = randoms(64, 64)
    p.cores(0, 0, 0, 1)
    p.tensor("a", a, shards=(1, 2))
    p.tensor("out", None, shape=(64, 64), shards=(1, 2))
    p.cb(0, 2, on="a")
    p.cb(16, 2, on="out")
    p.kernel("reader", f"{UNARY}/dataflow/reader_unary_sharded.cpp", [0], [2])
    p.kernel("compute", "data_movement/sharded/device/kernels/compute/eltwise_copy.cpp", [], [2])
    p.kernel("writer", "data_movement/sharded/device/kernels/dataflow/writer_unary_sharded.cpp", [16], [2])
    p.run()
    same(p.result("out"), a)


def to_shards(p):
    """Blocks of an interleaved tensor to shards, and back."""
    a = randoms(64, 128)
    p.tensor("a", a)
    p.tensor("out", None, shape=(64, 128))
    p.cores(0, 0, 1, 0)
    p.cb(0, 4)
    folder = "data_movement/sharded/device/kernels/dataflow"
    # Compile-time: the circular buffer, the accessor; then height, width, padding, strides, pages, start.
    p.kernel("reader", f"{folder}/reader_unary_sharded_blocks_interleaved_start_id.cpp", [0, 4, ":a"],
             runs={(x, 0): ["@a", 2, 2, 0, 4, 4, 2 * x, 0] for x in range(2)})
    p.kernel("writer", f"{folder}/writer_unary_sharded_blocks_interleaved_start_id.cpp", [0, ":out"],
             runs={(x, 0): ["@out", 2, 2, 2, 2, 4, 4, 2 * x, 0] for x in range(2)})
    p.run()
    same(p.result("out"), a)


def chain(init, call, f, low=-2.0, high=2.0, tolerance=0.01, define=None):
    def check(p):
        a = randoms(64, 64, low, high)
        p.tensor("a", a)
        p.cb(0, 2)
        read(p, "a")
        write(p, "out", 2, (64, 64))
        p.kernel("compute", f"{UNARY}/compute/eltwise_sfpu.cpp", [tiles(a), 1],
                 defines={"SFPU_OP_CHAIN_0": f"{init} {call}", define or "SFPU_OP_COMPUTE_KERNEL_API_INCLUDE": "1"})
        p.run()
        close(p.result("out"), elementwise(f, a), tolerance)
    return check


def binary(op, f, options=()):
    def check(p):
        a, b = randoms(64, 64), randoms(64, 64, seed=2)
        p.tensor("a", a)
        p.tensor("b", b)
        p.cb(0, 4)
        p.cb(1, 4)
        p.kernel("reader", "eltwise/binary/device/kernels/dataflow/reader_binary_interleaved_start_id.cpp",
                 [0, ":a", ":b"], ["@a", "@b", 4, 0, 0, 0, 0])
        write(p, "out", 2, (64, 64), pages=4)
        p.kernel("compute", "eltwise/binary/device/kernels/compute/eltwise_binary_kernel.cpp", [], [2, 2],
                 {"ELTWISE_OP": f"{op}_tiles", "ELTWISE_OP_TYPE": f"EltwiseBinaryType::ELW{op.upper()}"}, options=options)
        p.run()
        close(p.result("out"), elementwise(f, a, b), 0.005)
    return check


def binary_sfpu(init, call, f, fmt="bf16"):
    def check(p):
        a = randoms(64, 64) if fmt == "bf16" else integers(64, 64, -1000000, 1000000)
        b = randoms(64, 64, seed=2) if fmt == "bf16" else integers(64, 64, -1000000, 1000000, 2)
        p.fill(0, "a", a, fmt)
        p.fill(1, "b", b, fmt)
        p.drain(2, "out", (64, 64), fmt)
        p.move()
        p.kernel("compute", "eltwise/binary_ng/device/kernels/compute/eltwise_binary_sfpu_no_bcast.cpp", [1], [4],
                 {"BINARY_SFPU_INIT": init, "BINARY_SFPU_OP": call, "PROCESS_LHS_ACTIVATIONS(i)": "",
                  "PROCESS_RHS_ACTIVATIONS(i)": "", "PROCESS_POST_ACTIVATIONS(i)": ""},
                 options=["fp32", "fp32cb=0", "fp32cb=1"] if fmt != "bf16" else [])
        p.run()
        if fmt == "bf16":
            close(p.result("out"), elementwise(f, a, b), 0.01)
        else:
            same(p.result("out"), elementwise(f, a, b))
    return check


def broadcast(kernel, dim, op="add"):
    def check(p):
        a, b = randoms(64, 64), randoms(64, 64, seed=2)
        f = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y}[op]
        if dim == "ROW":
            expected = [[f(x, b[0 if c < 0 else 0][c]) for c, x in enumerate(row)] for row in a]
            seconds = [b[:32], b[:32]]  # the reader of bcast_h repeats its row of tiles
            b = seconds[0] + seconds[1]
        elif dim == "COL":
            expected = [[f(x, b[r][0]) for x in row] for r, row in enumerate(a)]
            b = [row[:32] for row in b]
        else:
            expected = [[f(x, b[0][0]) for x in row] for row in a]
            b = [row[:32] for row in b[:32]]
        p.fill(0, "a", a)
        p.fill(1, "b", b)
        p.drain(16, "out", (64, 64))
        p.move()
        p.kernel("compute", f"data_movement/bcast/device/kernels/compute/{kernel}.cpp", [], [1, 2, 2],
                 {"BCAST_OP": f"{op}_tiles_bcast", "BCAST_LLKOP": f"EltwiseBinaryType::ELW{op.upper()}",
                  "BCAST_DIM": f"BroadcastType::{dim}", **({"BCAST_SCALAR": "1"} if dim == "SCALAR" else {})})
        p.run()
        close(p.result("out"), expected, 0.005)
    return check


def broadcast_rows(p):
    """With the vendor's reader, which repeats the row."""
    a, b = randoms(96, 64), randoms(32, 64, seed=2)
    p.tensor("a", a)
    p.tensor("b", b)
    p.cb(0, 2)
    p.cb(1, 2)
    p.kernel("reader", "data_movement/bcast/device/kernels/dataflow/reader_bcast_h_interleaved.cpp", [":a", ":b"],
             ["@a", 0, 0, 6, "@b", 0, 0, 2, 6, 1, 3, 2, 1])
    write(p, "out", 16, (96, 64))
    p.kernel("compute", "data_movement/bcast/device/kernels/compute/bcast_h.cpp", [], [1, 3, 2],
             {"BCAST_OP": "mul_tiles_bcast", "BCAST_LLKOP": "EltwiseBinaryType::ELWMUL", "BCAST_DIM": "BroadcastType::ROW"})
    p.run()
    close(p.result("out"), [[x * b[0][c] for c, x in enumerate(row)] for row in a], 0.005)


def reduction(dim, op, scale=1.0):
    def check(p):
        a = randoms(64, 96, 0.0 if dim == "hw" else -1.0)
        p.tensor("a", a)
        p.cb(0, 2)
        p.cb(2, 1)
        wide, high = 3, 2
        defines = {"REDUCE_OP": f"PoolType::{op}", "REDUCE_DIM": f"ReduceDim::REDUCE_{ {'w': 'ROW', 'h': 'COL', 'hw': 'SCALAR'}[dim]}"}
        if dim == "h":
            p.kernel("reader", "reduction/generic/device/kernels/dataflow/reader_unary_transpose_wh_universal_input_cols_partitioned.cpp",
                     [high, wide, high * wide, 3, pair(scale), ":a"], ["@a", 0, 0, 3], {"REDUCE_SCALER": "1"})
        else:
            p.kernel("reader", "reduction/generic/device/kernels/dataflow/reader_unary_reduce_universal_start_id.cpp",
                     [pair(scale), ":a"], ["@a", wide * high, 0], {"REDUCE_SCALER": "1"})
        pick = sum if op == "SUM" else max
        if dim == "w":
            shape, expected = (64, 32), [[scale * pick(row)] for row in a]
        elif dim == "h":
            shape, expected = (32, 96), [[scale * pick(column) for column in zip(*a)]]
        else:
            # its scale counts along rows and along columns
            shape, expected = (32, 32), [[scale * scale * pick(x for row in a for x in row)]]
        write(p, "out", 3, shape)
        p.kernel("compute", f"reduction/generic/device/kernels/compute/reduce_{dim}.cpp", [high, wide, 1, 3], [], defines)
        p.run()
        out = p.result("out")
        close([row[:len(expected[0])] for row in out[:len(expected)]], expected, 0.02)
    return check


CASES = [
    ("readers and writers", "interleaved rows", interleaved),
    ("readers and writers", "shards in place", sharded),
    ("readers and writers", "blocks to shards", to_shards),
    ("eltwise", "exp", chain("exp_tile_init();", "exp_tile(0);", math.exp, define="SFPU_OP_EXP_INCLUDE")),
    ("eltwise", "gelu", chain("gelu_tile_init();", "gelu_tile(0);", lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2))), tolerance=0.02, define="SFPU_OP_GELU_INCLUDE")),
    ("eltwise", "sqrt", chain("sqrt_tile_init();", "sqrt_tile(0);", math.sqrt, 0.1, 4.0, define="SFPU_OP_SQRT_INCLUDE")),
    ("eltwise", "add", binary("add", lambda x, y: x + y)),
    ("eltwise", "mul", binary("mul", lambda x, y: x * y)),
    ("eltwise", "sub, 32-bit DST", binary("sub", lambda x, y: x - y, ["fp32"])),
    ("eltwise", "power of the vector unit", binary_sfpu("mul_binary_tile_init();", "mul_binary_tile", lambda x, y: x * y)),
    ("eltwise", "sums of int32", binary_sfpu("add_int_tile_init();", "add_int_tile<DataFormat::Int32>", lambda x, y: x + y, "int32")),
    ("bcast", "row", broadcast("bcast_h", "ROW")),
    ("bcast", "column", broadcast("bcast_w", "COL", "sub")),
    ("bcast", "scalar", broadcast("bcast_hw", "SCALAR", "mul")),
    ("bcast", "row, with its reader", broadcast_rows),
    ("reduce", "rows", reduction("w", "SUM", 0.5)),
    ("reduce", "columns", reduction("h", "SUM")),
    ("reduce", "all", reduction("hw", "SUM", 0.125)),
    ("reduce", "largest of rows", reduction("w", "MAX")),
    ("reduce", "largest of columns", reduction("h", "MAX")),
]
