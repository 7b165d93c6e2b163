"""Kernels of a second blind draw: functions, minima, sums of all, random numbers, rows of tiles."""
import math

from device import Failed, bits, close, elementwise, randoms, same, tiles_across

UNARY = "eltwise/unary/device/kernels/compute"
TERNARY = "eltwise/ternary/device/kernels/compute"
REDUCE = "reduction/generic/device/kernels/compute"
UNTILIZE = "data_movement/untilize/device/kernels/compute"


def unary(kernel, f, tolerance):
    def check(p):
        a = randoms(64, 64, -5.0, 5.0)
        p.fill(0, "a", a)
        p.drain(2, "out", (64, 64))
        p.move()
        p.kernel("compute", f"{UNARY}/{kernel}.cpp", [2, 2])
        p.run()
        close(p.result("out"), elementwise(f, a), tolerance)
    return check


def sums_of_all(p):
    a = randoms(64, 96)
    p.fill(0, "a", a)
    p.fill(2, "scale", [[1.0] * 32] * 32)
    p.drain(3, "out", (32, 32))
    p.move()
    p.kernel("compute", f"{REDUCE}/reduce_hw.cpp", [2, 3, 1], [], {"REDUCE_OP": "PoolType::SUM", "REDUCE_DIM": "ReduceDim::REDUCE_SCALAR"},
             options=["fp32"])
    p.run()
    close([[p.result("out")[0][0]]], [[sum(map(sum, a))]], 0.02)


def minima(p):
    a = randoms(64, 96)
    p.fill(0, "a", a)
    p.fill(2, "scale", [[1.0] * 32] * 32)
    p.drain(3, "out", (64, 32))
    p.cbs((4, 1), (5, 1))
    p.move()
    p.kernel("compute", f"{REDUCE}/reduce_w_neg.cpp", [2, 3, 1], [], {"REDUCE_OP": "PoolType::MAX", "REDUCE_DIM": "ReduceDim::REDUCE_ROW"})
    p.run()
    same([[row[0]] for row in p.result("out")], [[min(row)] for row in a])


def uniform(p):
    p.drain(16, "out", (64, 64), "fp32")
    p.move()
    p.kernel("compute", "rand/device/kernels/compute_uniform.cpp", [16], [7, bits(-2.0), bits(6.0), 0, 4], options=["fp32"])
    p.run()
    numbers = [x for row in p.result("out") for x in row]
    mean = sum(numbers) / len(numbers)
    if not (min(numbers) >= -2.0 and max(numbers) <= 6.0 and abs(mean - 2.0) < 0.2 and len(set(numbers)) > 3000):
        raise Failed(f"{min(numbers)} to {max(numbers)}, {mean} on the average")


def rows_of_tiles(p):
    a = randoms(32, 96)
    p.fill(0, "a", a)
    p.drain(16, "out", (96, 32), layout="rows", page=2048)
    p.move()
    p.kernel("compute", f"{UNTILIZE}/untilize_w.cpp", [1, 3, 1])
    p.run()
    same(p.result("out"), tiles_across(a))


def rows_in_parts(p):
    a = randoms(64, 320)
    p.fill(0, "a", a)
    p.drain(16, "out", (64, 320), layout="rows", page=2048)
    p.move()
    p.kernel("compute", f"{UNTILIZE}/pack_untilize_variable_num_blocks.cpp", [10, 0, 16], [2])
    p.run()
    same(p.result("out"), a)


def between(p):
    """a + (b - a) c, a tile of a for two of the others."""
    a, b, c = randoms(64, 32), randoms(64, 64, seed=2), randoms(64, 64, 0.0, 1.0, 3)
    p.fill(0, "a", a)
    p.fill(1, "b", b)
    p.fill(2, "c", c)
    p.drain(3, "out", (64, 64))
    p.move()
    p.kernel("compute", f"{TERNARY}/ternary_sfpu_col_scalar_bcast_ttt.cpp", [1], [4, 2, 0],
             {"BCAST_A": 1, "BCAST_B": 0, "BCAST_C": 0, "TERNARY_SFPU_OP_INIT": "lerp_tile_init",
              "TERNARY_SFPU_OP_FUNC": "lerp_tile<DataFormat::Float16_b>"})
    p.run()
    close(p.result("out"), elementwise(lambda x, y, w: x + (y - x) * w, [row + row for row in a], b, c), 0.02)


def chosen(scalar_is_true):
    def check(p):
        a, b = elementwise(lambda x: float(x > 0), randoms(64, 64)), randoms(64, 64, seed=2)
        p.fill(0, "a", a)
        p.fill(1, "b", b)
        p.drain(3, "out", (64, 64))
        p.move()
        p.kernel("compute", f"{TERNARY}/ternary_sfpu_no_bcast_tts_tst.cpp", [1, int(scalar_is_true)], [4, 0, 0, bits(2.5)],
                 {"FILL_WITH_VALUE_FLOAT": 1, "FILL_LLK": "fill_tile", "TERNARY_SFPU_OP_INIT": "where_tile_init",
                  "TERNARY_SFPU_OP_FUNC": "where_tile<DataFormat::Float16_b>"})
        p.run()
        same(p.result("out"), elementwise(lambda x, y: (2.5 if x else y) if scalar_is_true else (y if x else 2.5), a, b))
    return check


def squares_of_sums(p):
    """A tile of the second operand for two of the first; the square after it."""
    a, b = randoms(64, 64), randoms(64, 32, seed=2)
    p.fill(0, "a", a)
    p.fill(1, "b", b)
    p.drain(2, "out", (64, 64))
    p.move()
    p.kernel("compute", "eltwise/binary_ng/device/kernels/compute/eltwise_binary.cpp", [1], [4, 2, 0],
             {"BCAST_INPUT": 1, "SFPU_OP_COMPUTE_KERNEL_API_INCLUDE": 1,
              "BINARY_OP": "add_tiles", "BINARY_OP_TYPE": "EltwiseBinaryType::ELWADD",
              "PROCESS_LHS_ACTIVATIONS(i)": "", "PROCESS_RHS_ACTIVATIONS(i)": "",
              "PROCESS_POST_ACTIVATIONS(i)": "square_tile_init();square_tile(i);"})
    p.run()
    close(p.result("out"), elementwise(lambda x, y: (x + y) ** 2, a, [row + row for row in b]), 0.02)


CASES = [
    ("eltwise", "logarithm of a sigmoid", unary("logsigmoid_kernel", lambda x: -math.log1p(math.exp(-x)), 0.05)),
    ("eltwise", "hard swish on the vector unit", unary("hardswish_kernel_sfpu", lambda x: x * min(max(x / 6 + 0.5, 0.0), 1.0), 0.02)),
    ("reduce", "sum of all tiles", sums_of_all),
    ("reduce", "least of a row", minima),
    ("eltwise", "uniform random numbers", uniform),
    ("tilize and untilize", "tile by tile", rows_of_tiles),
    ("tilize and untilize", "rows in parts, their number at run time", rows_in_parts),
    ("eltwise", "between two tensors", between),
    ("eltwise", "a scalar where true", chosen(True)),
    ("eltwise", "a scalar where false", chosen(False)),
    ("eltwise", "squares of sums", squares_of_sums),
]
