#!/usr/bin/env python3
"""Writes numbers of f32 that differ in their last bits, infinities, ties and the ends of the range."""
import random
import struct
import sys

LARGEST = 3.4028234663852886e38
ROWS, COLS = 64, 96


def row(i):
    near = [1 + random.randrange(200) * 2.0**-23 for _ in range(COLS)]
    if 8 <= i < 16:
        return [-3.7e5 * x for x in near]
    if 16 <= i < 24:
        return [random.gauss(0, 1e30) for _ in range(COLS)]
    special = {24: [float("-inf")] * COLS, 25: near[:5] + [float("-inf")] * (COLS - 5),
               26: near[:40] + [float("inf")] + near[41:], 27: [LARGEST] * COLS, 28: [-LARGEST] * COLS,
               29: [0.0] * COLS}
    return special.get(i, near)


random.seed(7)
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({ROWS}, {COLS}), }}"
header += " " * (63 - (10 + len(header)) % 64) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    for i in range(ROWS):
        file.write(struct.pack(f"<{COLS}f", *row(i)))
