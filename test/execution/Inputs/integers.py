#!/usr/bin/env python3
"""Writes matrices of small integers, whose products are exact in any order.

usage: integers.py FILE.npy ROWSxCOLUMNS ...
"""
import random
import struct
import sys

random.seed(7)
for path, shape in zip(sys.argv[1::2], sys.argv[2::2]):
    rows, columns = map(int, shape.split("x"))
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        values = [float(random.randint(-2, 2)) for _ in range(rows * columns)]
        file.write(struct.pack(f"<{len(values)}f", *values))
