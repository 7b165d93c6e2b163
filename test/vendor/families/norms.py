"""Softmax and norms."""
import math

from device import bits, close, pair, randoms

from basic import READER, read

NORM = "normalization"


def softmax_of(rows):
    weights = [[math.exp(x - max(row)) for x in row] for row in rows]
    return [[x / sum(row) for x in row] for row in weights]


def ones_of_rows():
    """What the vendor's readers make for a reduction: ones in the first row of each face."""
    return [[1.0 if r % 16 == 0 else 0.0] * 32 for r in range(32)]


def softmax(stable, sharded=False):
    def check(p):
        a = randoms(64, 128, -4, 4)
        if sharded:  # it is there, and announced by nobody
            p.tensor("a", a, shards=(2, 4))
            p.cb(0, 8, on="a")
        else:
            p.fill(0, "a", a)
        p.fill(1 if sharded else 2, "ones", ones_of_rows())
        p.drain(11, "out", (64, 128))
        p.cbs((6, 4), (7, 1), (8, 4), (9, 4), (10, 4), (3, 1), (4, 4), (5, 1), (2 if sharded else 1, 1))
        p.move()
        defines = {"EXP_APPROX": 0, "ENABLE_FP32_DEST_ACC": 0}
        if stable:
            defines["NUMERIC_STABLE"] = 1
        folder = f"{NORM}/softmax/device/kernels/attention/compute"
        if sharded:
            p.kernel("compute", f"{folder}/softmax_sharded.cpp", [2, 4, 4, 1], [], defines)
        else:
            p.kernel("compute", f"{folder}/softmax.cpp", [], [2, 2, 4, 4, 0, 0], defines)
        p.run()
        close(p.result("out"), softmax_of(a), 0.02)
    return check


def normalized(rows, gamma, beta, center, eps=1e-5):
    out = []
    for row in rows:
        mean = sum(row) / len(row) if center else 0
        scale = 1 / math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + eps)
        out.append([(x - mean) * scale * g + b for x, g, b in zip(row, gamma, beta)])
    return out


def layer_norm(center=True, compute="layernorm"):
    """With the vendor's reader and writer, gamma and beta."""
    def check(p):
        a, gamma, beta = randoms(64, 128, -2, 3), randoms(32, 128, 0.5, 1.5, 2), randoms(32, 128, seed=3)
        p.tensor("a", a)
        p.tensor("gamma", gamma)
        p.tensor("beta", beta)
        p.tensor("out", None, shape=(64, 128))
        p.cbs((0, 4), (1, 4), (2, 2), (3, 1), (5, 4), (6, 4), (16, 4), (18, 2), (19, 2), (20, 4), (21, 8), (22, 8),
              (23, 4), (24, 4))
        defines = {"FUSE_GAMMA": 1, "FUSE_BETA": 1, **({} if center else {"RMSNORM": 1})}
        folder = f"{NORM}/layernorm/device/kernels"
        welford = compute.endswith("welford")
        if welford:
            p.tensor("reciprocals", [[1 / (i + 1) for i in range(128)]], "fp32", "rows", shards=(1, 1))
            p.cb(25, 1, "fp32", 512, "reciprocals")
        p.kernel("reader", f"{folder}/dataflow/reader_unary_interleaved_ln.cpp",
                 [4, int(welford), ":a", ":a", ":gamma", ":beta"],
                 ["@a", 2, 4, 0, pair(1.0), pair(1e-5), "@gamma", "@beta", 0, 128, 32, 32], defines)
        p.kernel("writer", f"{folder}/dataflow/writer_unary_interleaved_start_id_blocked.cpp", [4, ":out"], ["@out", 4, 2, 0])
        args = [4, 4, 1, 1, 0, 128, 32, 0, 0] if welford else [4, 4, 1, 1, 0, 0, 0, 128, 32]
        p.kernel("compute", f"{folder}/compute/{compute}.cpp", args, [2], defines)
        p.run()
        close(p.result("out"), normalized(a, gamma[0], beta[0], center), 0.02)
    return check


def statistics(center):
    """Sums of squares, and of the elements, that cores send to each other before a distributed norm."""
    def check(p):
        a = randoms(64, 128)
        p.fill(0, "a", a)
        p.fill(1, "ones", ones_of_rows())
        p.drain(14, "out", (64, 64 if center else 32))
        p.cbs((6, 4))
        p.move()
        kernel = "layernorm_distributed/device/kernels/compute/layernorm_pre_allgather" if center else \
            "rmsnorm_distributed/device/kernels/compute/rmsnorm_pre_allgather"
        p.kernel("compute", f"{NORM}/{kernel}.cpp", [4, 4, 0], [2])
        p.run()
        out = p.result("out")
        close([[row[0]] for row in out], [[sum(x * x for x in row)] for row in a], 0.02, "the sum of squares")
        if center:
            close([[row[32]] for row in out], [[sum(row)] for row in a], 0.03, "the sum")
    return check


def from_statistics(p):
    """The rest of a layer norm, of sums that two chips have sent; its calls on tiles are pointers."""
    a, gamma, beta = randoms(64, 128), randoms(32, 128, 0.5, 1.5, 2), randoms(32, 128, seed=3)
    stats = [[0.0] * 128 for _ in a]
    for row, sums in zip(a, stats):
        for chip in (0, 1):
            half = row[64 * chip:64 * chip + 64]
            sums[64 * chip], sums[64 * chip + 32] = sum(x * x for x in half), sum(half)
    eps = 2.0 ** -10
    for cb, name, m in ((0, "a", a), (1, "stats", stats), (2, "gamma", gamma), (3, "beta", beta), (4, "eps", [[eps] * 32] * 32),
                        (5, "parts", [[x / 128 for x in row] for row in ones_of_rows()])):
        p.fill(cb, name, m)
    p.drain(14, "out", (64, 128))
    p.cbs((6, 2), (7, 1), (8, 1), (10, 1), (11, 4), (12, 4), (13, 4))
    p.move()
    p.kernel("compute", f"{NORM}/layernorm_distributed/device/kernels/compute/layernorm_post_allgather.cpp",
             [4, 4, 4, 1, 1, 0, 0, 0, 4], [2])
    p.run()
    close(p.result("out"), normalized(a, gamma[0], beta[0], True, eps), 0.02)


def batch_norm(kernel):
    def check(p):
        a = randoms(64, 64)
        scalars = {"mean": 0.25, "variance": 0.5, "eps": 2.0 ** -10, "weight": 1.5, "bias": -0.5}
        p.fill(0, "a", a)
        for cb, name in ((1, "mean"), (3, "variance"), (4, "eps"), (16, "weight"), (18, "bias")):
            p.fill(cb, name, [[scalars[name]] * 32] * 32)
        p.drain(2, "out", (64, 64))
        p.cbs((5, 2), (17, 2))
        p.move()
        p.kernel("compute", f"{NORM}/batch_norm/device/kernels/compute/{kernel}.cpp",
                 [1, 1, 0, 1, 2, 3, 4, 5, 16, 17, 18], [4, 4, 0])
        p.run()
        scale = scalars["weight"] / math.sqrt(scalars["variance"] + scalars["eps"])
        close(p.result("out"), [[(x - scalars["mean"]) * scale + scalars["bias"] for x in row] for row in a], 0.02)
    return check


CASES = [
    ("softmax", "rows", softmax(False)),
    ("softmax", "rows, without overflow", softmax(True)),
    ("softmax", "sharded form", softmax(False, True)),
    ("softmax", "sharded form, without overflow", softmax(True, True)),
    ("norms", "layer norm", layer_norm()),
    ("norms", "RMS norm", layer_norm(False)),
    ("norms", "layer norm by Welford's sums", layer_norm(True, "layernorm_welford")),
    ("norms", "sums for a layer norm of several cores", statistics(True)),
    ("norms", "sums for an RMS norm of several cores", statistics(False)),
    ("norms", "a layer norm from the sums of two chips", from_statistics),
    ("norms", "batch norm", batch_norm("batch_norm_kernel")),
]
