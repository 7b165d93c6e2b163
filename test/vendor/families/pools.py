"""Pools: the rows of a window become an operand, and are reduced."""
from device import close, randoms, same

POOL = "pool/generic/device/kernels/compute"


def pool(op, window=9, tiles=2):
    def check(p):
        sticks, channels = 4, 32 * tiles
        a = randoms(sticks * window, channels)
        p.fill(0, "a", a, layout="rows", page=window * channels * 2)
        scale = 1.0 if op == "MAX" else 1 / window
        p.fill(2, "scale", [[scale] * 32] * 32)
        p.drain(4, "out", (sticks, channels), layout="rows", page=32)
        p.cbs((1, 1), (3, 1), (5, 1))
        p.move()
        # Tiles of channels, window, split reader, sticks, channels, blocks, rows at a time, circular buffers.
        p.kernel("compute", f"{POOL}/compute_pool_2d.cpp", [tiles, window, 0, sticks, channels, 1, 32 if window > 16 else 16,
                                                            0, 1, 2, 3, 4, 1, 5, 0, 0], [],
                 {"REDUCE_OP": f"PoolType::{op}", "REDUCE_DIM": "ReduceDim::REDUCE_COL"})
        p.run()
        windows = [a[i * window:(i + 1) * window] for i in range(sticks)]
        if op == "MAX":
            same(p.result("out"), [[max(column) for column in zip(*rows)] for rows in windows])
        else:
            close(p.result("out"), [[sum(column) / window for column in zip(*rows)] for rows in windows], 0.02)
    return check


CASES = [
    ("pools", "largest of 3 x 3", pool("MAX")),
    ("pools", "mean of 3 x 3", pool("SUM")),
    ("pools", "largest of 32", pool("MAX", 32)),
]
