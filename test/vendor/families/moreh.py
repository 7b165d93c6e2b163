"""The moreh family."""
import math

from device import bf16, bits, close, pair, product, randoms

from norms import softmax_of

MOREH = "moreh"


def softmax(dim, log=False):
    def check(p):
        a = randoms(64, 96, -4, 4)
        folder = f"{MOREH}/moreh_softmax/device/kernels"
        p.tensor("a", a)
        p.tensor("out", None, shape=(64, 96))
        length = 3 if dim == "w" else 2  # in tiles
        p.cbs((0, 2 * length), (1, 1), (2, 1), (16, 2 * length), (24, length), (25, 1), (26, 1), (27, length), (28, 1))
        defines = {"SOFTMAX": 1, **({"LOG": 1} if log else {})}
        if dim == "w":
            p.kernel("reader", f"{folder}/reader_moreh_softmax_w.cpp", [0, ":a"], ["@a", 2, 0, 3, bits(1.0), 32])
            p.kernel("writer", f"{folder}/writer_moreh_softmax_w.cpp", [":out"], ["@out", 2, 0, 3])
            p.kernel("compute", f"{folder}/moreh_softmax_w.cpp", [2, 3], [], defines)
            expected = softmax_of(a)
        else:
            p.kernel("reader", f"{folder}/reader_moreh_softmax_h.cpp", [0, ":a"], ["@a", 3, 0, 2, 3, bits(1.0), 32])
            p.kernel("writer", f"{folder}/writer_moreh_softmax_h.cpp", [":out"], ["@out", 3, 0, 2, 3])
            p.kernel("compute", f"{folder}/moreh_softmax_h.cpp", [3, 2], [], defines)
            expected = [list(row) for row in zip(*softmax_of(list(zip(*a))))]
        if log:
            expected = [[math.log(x) for x in row] for row in expected]
        p.run()
        close(p.result("out"), expected, 0.02)
    return check


def sum_of_batches(p):
    """Four tensors of 2 tiles: of each place the sum."""
    a = randoms(128, 64)
    p.tensor("a", a)
    p.tensor("out", None, shape=(32, 64))
    p.cbs((0, 2), (1, 1), (16, 2))
    folder = f"{MOREH}/moreh_sum/device/moreh_sum_nc_impl_kernels"
    p.kernel("reader", f"{folder}/reader_moreh_sum_nc.cpp", [":a"], ["@a", 4, 2, 0, 0, 8, 2], {"USE_FPU": 1})
    p.kernel("writer", f"{folder}/writer_moreh_sum_nc.cpp", [":out"], ["@out", 2, 0])
    p.kernel("compute", f"{folder}/moreh_sum_nc.cpp", [2, 4])
    p.run()
    close(p.result("out"), [[sum(a[32 * i + r][c] for i in range(4)) for c in range(64)] for r in range(32)], 0.01)


def rows(what, scale):
    """Sums and means of rows of which the last tile has 20 columns."""
    def check(p):
        width = 84
        a = [row[:width] + [5.0] * (96 - width) for row in randoms(64, 96)]
        p.tensor("a", a)
        p.tensor("out", None, shape=(64, 32))
        p.cbs((0, 2), (2, 1), (3, 1), (16, 2), (24, 1), (25, 1))
        if what == "sum":
            folder = f"{MOREH}/moreh_sum/device/moreh_sum_w_impl_kernels"
            writer = "writer_moreh_sum_w"
        else:
            folder = f"{MOREH}/moreh_mean/device/kernels"
            writer = "writer_moreh_mean_unary_interleaved_start_id"
        p.kernel("reader", f"{folder}/reader_moreh_{what}_w.cpp", [":a", pair(scale)], ["@a", 6, 0, width % 32],
                 {"DO_MASK_W": 1})
        p.kernel("writer", f"{folder}/{writer}.cpp", [16, ":out"], ["@out", 2, 0])
        p.kernel("compute", f"{folder}/moreh_{what}_w.cpp", [2, 3, 1, width], [],
                 {"REDUCE_OP": "PoolType::SUM", "REDUCE_DIM": "ReduceDim::REDUCE_ROW"})
        p.run()
        close([row[:1] for row in p.result("out")], [[bf16(scale) * sum(row[:width])] for row in a], 0.02)
    return check


def sgd(p):
    """Momentum that has a past, and weights that decay."""
    w, g, m = randoms(32, 64), randoms(32, 64, seed=2), randoms(32, 64, seed=3)
    rate, momentum, damping, decay = 0.125, 0.75, 0.25, 0.0625
    for name, t in (("w", w), ("g", g), ("m", m)):
        p.tensor(name, t)
    p.tensor("out", None, shape=(32, 64))
    p.tensor("m_out", None, shape=(32, 64))
    p.cbs((0, 2), (1, 2), (2, 2), (16, 2), (17, 2), (24, 5), (25, 1), (26, 1), (27, 1), (28, 1))
    folder = f"{MOREH}/moreh_sgd/device/kernels"
    defines = {"MOMENTUM": 1, "MOMENTUM_INITIALIZED": 1, "WEIGHT_DECAY": 1}
    p.kernel("reader", f"{folder}/reader_moreh_sgd.cpp", [":w", ":g", ":m"],
             ["@w", "@g", "@m", 2, 0, *(bits(x) for x in (rate, momentum, damping, decay, 1.0))], defines)
    p.kernel("writer", f"{folder}/writer_moreh_sgd.cpp", [":out", ":m_out"], ["@out", "@m_out", 2, 0], defines)
    p.kernel("compute", f"{folder}/moreh_sgd.cpp", [2], [], defines)
    p.run()
    grads = [[y + decay * x for x, y in zip(*rows_)] for rows_ in zip(w, g)]
    moments = [[momentum * z + (1 - damping) * y for y, z in zip(*rows_)] for rows_ in zip(grads, m)]
    close(p.result("m_out"), moments, 0.01, "the momentum")
    close(p.result("out"), [[x - rate * z for x, z in zip(*rows_)] for rows_ in zip(w, moments)], 0.01)


def dot(p):
    a, b = randoms(32, 96, 0, 1), randoms(32, 96, 0, 1, 2)
    p.fill(2, "ones", [[1.0] * 32] * 32)  # first: the kernel does not wait for it
    p.fill(0, "a", a)
    p.fill(1, "b", b)
    p.drain(16, "out", (32, 32))
    p.cbs((24, 1), (25, 1))
    p.move()
    p.kernel("compute", f"{MOREH}/moreh_dot/device/kernels/moreh_dot.cpp", [], [3],
             {"REDUCE_OP": "PoolType::SUM", "REDUCE_DIM": "ReduceDim::REDUCE_SCALAR"})
    p.run()
    total = sum(x * y for r, s in zip(a, b) for x, y in zip(r, s))
    close([[p.result("out")[0][0]]], [[total]], 0.02)


def layer_norm(p):
    """Mean and deviation as well."""
    a, gamma, beta = randoms(64, 96, -2, 3), randoms(32, 96, 0.5, 1.5, 2), randoms(32, 96, seed=3)
    for name, t in (("a", a), ("gamma", gamma), ("beta", beta)):
        p.tensor(name, t)
    p.tensor("out", None, shape=(64, 96))
    p.cbs((0, 3), (1, 1), (2, 1), (3, 6), (4, 6), (5, 1), (6, 1), (16, 6), (17, 1), (18, 1), (24, 1), (25, 3), (26, 2),
          (27, 1), (28, 1), (29, 1), (30, 6), (31, 2))
    folder = f"{MOREH}/moreh_layer_norm/device/kernels"
    p.kernel("reader", f"{folder}/reader_moreh_layer_norm_small.cpp", [3, ":a", ":gamma", ":beta"],
             ["@a", "@gamma", "@beta", 2, 3, 0, bits(1 / 96), bits(1e-5), 0, 0],
             {"GAMMA_HAS_VALUE": 1, "BETA_HAS_VALUE": 1})
    p.kernel("writer", f"{folder}/writer_moreh_layer_norm.cpp", [0, 0, 3, ":out", ":out", ":out"],
             ["@out", 0, 0, 2, 3, 0, 64, 1, 1])
    p.kernel("compute", f"{folder}/moreh_layer_norm_small_kernel.cpp", [2, 64, 96, 3, 3, 1, 1, 0, 0, 1, 0], [],
             {"REDUCE_OP": "PoolType::SUM", "REDUCE_DIM": "ReduceDim::REDUCE_ROW"})
    p.run()
    expected = []
    for row in a:
        mean = sum(row) / 96
        scale = 1 / math.sqrt(sum((x - mean) ** 2 for x in row) / 96 + 1e-5)
        expected.append([(x - mean) * scale * g + b for x, g, b in zip(row, gamma[0], beta[0])])
    close(p.result("out"), expected, 0.03)


CASES = [
    ("moreh", "softmax of rows", softmax("w")),
    ("moreh", "softmax of columns", softmax("h")),
    ("moreh", "its logarithm", softmax("w", True)),
    ("moreh", "sum of batches", sum_of_batches),
    ("moreh", "sum of rows, masked", rows("sum", 1.0)),
    ("moreh", "mean of rows, masked", rows("mean", 1 / 84)),
    ("moreh", "SGD", sgd),
    ("moreh", "dot product", dot),
    ("moreh", "layer norm", layer_norm),
]
