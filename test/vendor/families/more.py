"""More of what computes: functions of their own kernels, products, running sums, the place of the largest."""
import math
import struct

from device import bits, close, decode, elementwise, integers, randoms, same

UNARY = "eltwise/unary/device/kernels/compute"


def unary(kernel, f, run=(), defines=None, low=-2.0, high=2.0, extra=()):
    """A kernel for each function."""
    def check(p):
        a = randoms(32, 64, low, high)
        p.fill(0, "a", a)
        p.drain(2, "out", (32, 64))
        p.cbs(*extra)
        p.move()
        p.kernel("compute", f"{UNARY}/{kernel}.cpp", [2, 1], run, defines)
        p.run()
        close(p.result("out"), elementwise(f, a), 0.02)
    return check


def ternary(init, call, f):
    def check(p):
        tensors = [randoms(32, 64, 0.1, 1.0, seed) for seed in (1, 2, 3)]
        tensors[0] = [[float(x > 0.5) for x in row] for row in tensors[0]]
        for cb, t in enumerate(tensors):
            p.fill(cb, "abc"[cb], t)
        p.drain(3, "out", (32, 64))
        p.move()
        p.kernel("compute", "eltwise/ternary/device/kernels/compute/ternary_sfpu_no_bcast_ttt.cpp", [1], [2],
                 {"TERNARY_SFPU_OP_INIT": init, "TERNARY_SFPU_OP_FUNC": call})
        p.run()
        close(p.result("out"), elementwise(f, *tensors), 0.01)
    return check


def typecast(p):
    a = integers(32, 64, -500, 500)
    p.fill(0, "a", a, "int32")
    p.drain(1, "out", (32, 64))
    p.move()
    p.kernel("compute", "copy/typecast/device/kernels/compute/eltwise_typecast.cpp", [2, 1, 0, 1], [],
             {"TYPECAST_LLK_INIT": "typecast_tile_init<8u, 5u>", "TYPECAST_LLK": "typecast_tile<8u, 5u>"},
             options=["fp32", "fp32cb=0"])
    p.run()
    # The vector unit goes away from zero where two are as near.
    same(p.result("out"), [[decode(struct.pack("<H", bits(x) + 0x8000 >> 16), "bf16")[0] for x in row]
                            for row in a])


def products(p):
    """Of all tiles, place by place."""
    a = randoms(32, 96, 0.5, 1.5)
    p.fill(1, "ones", [[1.0] * 32] * 32)
    p.fill(0, "a", a)
    p.drain(3, "out", (32, 32))
    p.cbs((2, 1))
    p.move()
    p.kernel("compute", "reduction/prod/device/kernels/compute/prod_nc.cpp", [], [3, 1])
    p.run()
    close(p.result("out"), [[math.prod(row[c::32]) for c in range(32)] for row in a], 0.02)


def accumulate(op):
    """From tile to tile: sums or, with op 1, products so far."""
    def check(p):
        a = randoms(32, 128, 0.5, 1.5)
        p.fill(2, "start", [[1.0 if op else 0.0] * 32] * 32)
        p.fill(0, "a", a)
        p.drain(1, "out", (32, 128))
        p.cbs((3, 1))
        p.move()
        p.kernel("compute", "reduction/accumulation/device/kernels/compute/accumulation_compute.cpp", [], [1, 4, op])
        p.run()
        expected = [[math.prod(row[c % 32:c + 1:32]) if op else sum(row[c % 32:c + 1:32]) for c in range(128)] for row in a]
        close(p.result("out"), expected, 0.02)
    return check


def place_of_largest(p):
    a = randoms(8, 64)
    p.tensor("a", a, layout="rows")
    p.tensor("out", None, "uint32", "rows", (1, 8))
    p.cb(0, 1, page=128)
    p.cb(1, 1, "uint32", page=32)
    p.kernel("reader", "reduction/argmax/device/kernels/reader_argmax_interleaved.cpp",
             [0, 1, 128, 32, 1, 8, 64, 0, ":a", ":out"], ["@a", "@out"])
    p.run()
    same(p.result("out"), [[row.index(max(row)) for row in a]])


def full(p):
    p.tensor("out", None, layout="rows", shape=(16, 32))
    p.cb(0, 1, page=64)
    p.kernel("writer", "full/device/kernels/writer_full.cpp", [0, 32, 64, ":out"], ["@out", bits(1.5), 16, 0],
             {"OUTPUT_DTYPE_BFLOAT16": 1})
    p.run()
    same(p.result("out"), [[1.5] * 32] * 16)


def fill_rows(p):
    p.tensor("out", None, layout="rows", shape=(16, 64))
    p.cb(0, 16)
    p.cb(1, 16)
    p.kernel("writer", "data_movement/fill_rm/device/kernels/dataflow/fill_rm_interleaved.cpp", [":out"],
             ["@out", 2, 8, 64, 5, 40, bits(2.0) >> 16, bits(-1.0) >> 16])
    p.run()
    same(p.result("out"), [[2.0 if r % 8 < 5 and c < 40 else -1.0 for c in range(64)] for r in range(16)])


CASES = [
    ("eltwise", "mish", unary("mish_kernel", lambda x: x * math.tanh(math.log1p(math.exp(x))), [0], {"INP_FLOAT": 1})),
    ("eltwise", "mish, approximate exp", unary("mish_kernel", lambda x: x * math.tanh(math.log1p(math.exp(x))), [1], {"INP_FLOAT": 1})),
    ("eltwise", "hardswish", unary("hardswish_kernel", lambda x: x * min(max(x / 6 + 0.5, 0), 1))),
    ("eltwise", "logsigmoid", unary("logsigmoid_kernel", lambda x: -math.log1p(math.exp(-x)))),
    ("eltwise", "where", ternary("where_tile_init", "where_tile<DataFormat::Float16_b>", lambda a, b, c: b if a else c)),
    ("eltwise", "lerp", ternary("lerp_tile_init", "lerp_tile<DataFormat::Float16_b>", lambda a, b, c: a + c * (b - a))),
    ("eltwise", "int32 to bf16", typecast),
    ("reduce", "products of tiles", products),
    ("reduce", "sums so far", accumulate(0)),
    ("reduce", "products so far", accumulate(1)),
    ("reduce", "place of the largest", place_of_largest),
    ("readers and writers", "one value everywhere", full),
    ("readers and writers", "a part of rows filled", fill_rows),
]
