#!/usr/bin/env python3
"""Kernels that compute each function of an element, six outputs a kernel.

usage: functions.py ELEMENT FOLDER

Writes kernel0.mlir, kernel1.mlir, … to the folder, and prints their names. Arguments are
brought to where a function is defined and smooth; %x is the input, %y another one."""
import sys

POSITIVE = ["%a = math.absf %x", "%h = arith.constant 0.5", "%p = arith.addf %a, %h"]
SMALL = ["%t = math.tanh %x", "%h = arith.constant 0.75", "%p = arith.mulf %t, %h"]
ABOVE_ONE = ["%a = math.absf %x", "%h = arith.constant 1.25", "%p = arith.addf %a, %h"]
PLAIN = []
FUNCTIONS = [
    (PLAIN, "math.exp %x"), (PLAIN, "math.exp2 %x"), (PLAIN, "math.expm1 %x"), (PLAIN, "math.tanh %x"),
    (PLAIN, "math.absf %x"), (PLAIN, "arith.negf %x"), (PLAIN, "math.sin %x"), (PLAIN, "math.cos %x"),
    (PLAIN, "math.erf %x"), (PLAIN, "math.floor %x"), (PLAIN, "math.ceil %x"), (PLAIN, "math.trunc %x"),
    (PLAIN, "math.atan %x"), (PLAIN, "math.sinh %x"), (PLAIN, "math.cosh %x"), (PLAIN, "math.asinh %x"),
    (POSITIVE, "math.log %p"), (POSITIVE, "math.log2 %p"), (POSITIVE, "math.log10 %p"), (POSITIVE, "math.log1p %p"),
    (POSITIVE, "math.sqrt %p"), (POSITIVE, "math.rsqrt %p"), (POSITIVE, "math.powf %p, %y"),
    (SMALL, "math.asin %p"), (SMALL, "math.acos %p"), (SMALL, "math.atanh %p"), (SMALL, "math.tan %p"),
    (ABOVE_ONE, "math.acosh %p"), (ABOVE_ONE, "arith.divf %y, %p"), (PLAIN, "math.fma %x, %y, %x"),
    (PLAIN, "arith.maximumf %x, %y"), (PLAIN, "arith.minnumf %x, %y"),
    (["%c = arith.constant 0.25"], "arith.subf %c, %x"), (["%c = arith.constant 4.0"], "arith.divf %x, %c"),
    (["%c = arith.constant 2.0"], "math.powf %x, %c"), (["%c = arith.constant 0.1"], "arith.minimumf %x, %c"),
    # gelu and silu, as frameworks write them
    (["%r = arith.constant 0.70710678", "%s = arith.mulf %x, %r", "%e = math.erf %s", "%one = arith.constant 1.0",
      "%f = arith.addf %e, %one", "%half = arith.constant 0.5", "%g = arith.mulf %x, %half"], "arith.mulf %g, %f"),
    (["%n = arith.negf %x", "%e = math.exp %n", "%one = arith.constant 1.0", "%f = arith.addf %e, %one"],
     "arith.divf %x, %f"),
    (["%half = arith.constant 0.5", "%k = arith.constant 0.044715", "%c0 = arith.constant 0.79788456", "%x2 = arith.mulf %x, %x",
      "%x3 = arith.mulf %x2, %x", "%u = arith.mulf %x3, %k", "%v = arith.addf %x, %u", "%w = arith.mulf %v, %c0",
      "%t = math.tanh %w", "%one = arith.constant 1.0", "%f = arith.addf %t, %one", "%g = arith.mulf %x, %half"],
     "arith.mulf %g, %f"),
    (["%n = arith.negf %x", "%e = math.exp %n", "%one = arith.constant 1.0", "%f = arith.addf %e, %one"],
     "arith.divf %one, %f"),
    (["%low = arith.constant -0.5", "%high = arith.constant 0.75", "%m = arith.maximumf %x, %low"],
     "arith.minimumf %m, %high"),
    (["%q = arith.cmpf ult, %x, %y", "%w = arith.cmpf one, %x, %x", "%u = arith.ori %q, %w : i1"],
     "arith.select %u, %y, %x"),
    # what becomes several of the above
    (["%c = arith.constant 3.0", "%p = arith.mulf %x, %c"], "math.round %p"),
    (["%c = arith.constant 2.0", "%p = arith.mulf %x, %c"], "math.roundeven %p"),
    (PLAIN, "math.copysign %x, %y"), (PLAIN, "math.atan2 %x, %y"), (PLAIN, "math.cbrt %x"),
    (["%c = arith.constant 0.25"], "arith.remf %x, %c"),
]
OUTPUTS = 6


def typed(line, element):
    return line if line.endswith(": i1") else f"{line} : {element}"


def kernel(functions, element):
    memref = f"memref<64x96x{element}>"
    names = [f"O{i}" for i in range(len(functions))]
    text = "#id = affine_map<(i, j) -> (i, j)>\n" + f"func.func @k(%X: {memref}, %Y: {memref}, "
    text += ", ".join(f"%{n}: {memref}" for n in names) + ") attributes {tt.kernel} {\n"
    for name, (before, last) in zip(names, functions):
        text += ("  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\", \"parallel\"]}\n"
                 f"      ins(%X, %Y : {memref}, {memref}) outs(%{name} : {memref}) {{\n"
                 f"    ^bb0(%x: {element}, %y: {element}, %old: {element}):\n")
        text += "".join(f"      {typed(line, element)}\n" for line in before)
        text += f"      %result = {typed(last, element)}\n      linalg.yield %result : {element}\n  }}\n"
    return text + "  return\n}\n"


def main():
    element, folder = sys.argv[1:]
    for i in range(0, len(FUNCTIONS), OUTPUTS):
        path = f"{folder}/kernel{i // OUTPUTS}.mlir"
        with open(path, "w", encoding="utf-8") as file:
            file.write(kernel(FUNCTIONS[i:i + OUTPUTS], element))
        print(path)


if __name__ == "__main__":
    main()
