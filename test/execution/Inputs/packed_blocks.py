#!/usr/bin/env python3
"""Rows of two values whose blocks are known: as the vendor's simulator packs them.

usage: packed_blocks.py make X.npy            rows of 16 elements, all `first` but one, `second`
       packed_blocks.py check Y.npy Z.npy     Y: 8 bits an element, Z: 4
"""
import struct
import sys

#        first       second     first and second in 8 bits   in 4 bits
ROWS = [(0.99609375, 0.5078125, 1.0, 0.515625, 1.0, 0.5),
        (0.96875, 0.25, 0.96875, 0.25, 0.875, 0.25),
        (-0.96875, 0.1171875, -0.96875, 0.1171875, -0.875, 0.0),
        (1.9921875, -1.0078125, 2.0, -1.03125, 2.0, -1.0)]

if sys.argv[1] == "make":
    values = [ROWS[r % 4][c % 16 == 5] for r in range(32) for c in range(32)]
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (32, 32), }"
    header += " " * ((64 - (len(header) + 11) % 64) % 64) + "\n"
    with open(sys.argv[2], "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<1024f", *values))
else:
    wrong = 0
    for bits, path in enumerate(sys.argv[2:4]):
        with open(path, "rb") as file:
            found = struct.unpack("<1024f", file.read()[-4096:])
        for i, value in enumerate(found):
            expected = ROWS[i // 32 % 4][2 + 2 * bits + (i % 16 == 5)]
            if value != expected:
                wrong += 1
                print(f"{path}: element {i} is {value}, not {expected}")
    sys.exit(wrong > 0)
