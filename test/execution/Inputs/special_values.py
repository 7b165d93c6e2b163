#!/usr/bin/env python3
"""Writes the inputs of special-values.mlir to a folder: floats of all kinds, and 32-bit integers."""
import random
import struct
import sys


def save(name, code, descr, values):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': (64, 64), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(f"{sys.argv[1]}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{code}", *values))


random.seed(20)
INF = float("inf")
KINDS = [lambda: INF, lambda: -INF, lambda: float("nan"), lambda: float(random.randint(-3, 3))]
# What f16 rounds to its smallest steps, to its largest number, and to infinity.
EDGES = [lambda: random.gauss(0, 1), lambda: random.gauss(0, 1e-5), lambda: random.gauss(0, 3e-8),
         lambda: random.gauss(0, 6e4), lambda: 65519.9, lambda: -65520.0, lambda: 6.1e-5]
save("S", "f", "<f4", [random.choice(KINDS)() for _ in range(4096)])
save("F", "f", "<f4", [random.choice(EDGES)() for _ in range(4096)])
save("I", "i", "<i4", [random.randrange(-2**31, 2**31) for _ in range(4096)])
