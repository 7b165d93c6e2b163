#!/usr/bin/env python3
"""Writes a kernel with each comparison of floats to a folder, and inputs of all kinds of numbers."""
import random
import struct
import sys

NAMES = ("oeq", "ogt", "oge", "olt", "ole", "one", "ueq", "ugt", "uge", "ult", "ule", "une")
NUMBERS = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.0, -1.0, 2.5, 3e38, -3e38]


def save(name):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (64, 64), }"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(f"{sys.argv[1]}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<4096f", *[random.choice(NUMBERS) for _ in range(4096)]))


random.seed(3)
save("A")
save("B")
with open(f"{sys.argv[1]}/comparisons.mlir", "w", encoding="utf-8") as file:
    arguments = ", ".join(f"%{n}: memref<64x64xf32> {{tt.name = \"{n}\"}}" for n in ("A", "B") + NAMES)
    file.write("#id = affine_map<(i, j) -> (i, j)>\n"
               f"func.func @comparisons({arguments}) attributes {{tt.kernel}} {{\n"
               "  %yes = arith.constant 1.0 : f32\n  %no = arith.constant 0.0 : f32\n  %two = arith.constant 2.5 : f32\n")
    for name in NAMES:  # with each other, and with a constant
        file.write("  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\", \"parallel\"]}\n"
                   f"      ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%{name} : memref<64x64xf32>) {{\n"
                   "  ^bb0(%a: f32, %b: f32, %o: f32):\n"
                   f"    %c = arith.cmpf {name}, %a, %b : f32\n    %d = arith.cmpf {name}, %b, %two : f32\n"
                   "    %x = arith.select %c, %yes, %no : f32\n    %y = arith.select %d, %two, %x : f32\n"
                   "    %s = arith.addf %x, %y : f32\n    linalg.yield %s : f32\n  }\n")
    file.write("  return\n}\n")
