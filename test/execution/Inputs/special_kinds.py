#!/usr/bin/env python3
"""Writes kernels on elements of a type, and inputs of all kinds of numbers: infinities, zeros, NaN where the chip has it.

Usage: special_kinds.py FOLDER TYPE DST: 16 or 32 bits of it
"""
import random
import struct
import sys

PREDICATES = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")
INFINITIES = {"f32": ("0xFF800000", "0x7F800000"), "bf16": ("0xFF80", "0x7F80"), "f16": ("0xFC00", "0x7C00")}
MASKED = "%c = arith.cmpf ogt, %b, %zero : T\n"
# What people write for a mask, with what follows it.
VALUES = {
    "SELECTED": MASKED + "%r = arith.select %c, %a, %low : T",
    "ADDED": MASKED + "%m = arith.select %c, %zero, %low : T\n%s = arith.addf %a, %m : T\n%r = math.exp %s : T",
    "SHIFTED": "%m = arith.maximumf %a, %b : T\n%g = arith.cmpf oeq, %m, %low : T\n%s = arith.select %g, %zero, %m : T\n"
               "%d = arith.subf %a, %s : T\n%r = math.exp %d : T",
    "GUARDED": "%e = math.exp %a : T\n%c = arith.cmpf oeq, %a, %low : T\n%r = arith.select %c, %zero, %e : T",
    "CLEANED": "%c = arith.cmpf une, %a, %a : T\n%r = arith.select %c, %zero, %a : T",
    "TURNED": "%t = arith.constant true\n%c = arith.cmpf ogt, %a, %b : T\n%n = arith.xori %c, %t : i1\n"
              "%r = arith.select %n, %low, %b : T",
    "SQRT": "%r = math.sqrt %a : T", "LOG": "%r = math.log %a : T", "ASIN": "%r = math.asin %a : T",
    "ACOS": "%r = math.acos %a : T", "LOG1P": "%r = math.log1p %a : T", "MAXIMUM": "%r = arith.maximumf %a, %b : T",
}


def flags(names, other):
    """A sum of powers of two, one for each predicate that holds: eight bits, which bf16 holds."""
    text = "%s0 = arith.constant 0.0 : T\n"
    for i, name in enumerate(names):
        text += (f"%c{i} = arith.cmpf {name}, %a, {other} : T\n%w{i} = arith.constant {2**i}.0 : T\n%f{i} = arith.select %c{i}, %w{i}, %zero : T\n"
                 f"%s{i + 1} = arith.addf %s{i}, %f{i} : T\n")
    return text + f"%r = arith.addf %s{len(names)}, %zero : T"


def bodies():
    for tag, other in (("BOTH", "%b"), ("LOW", "%low"), ("HIGH", "%high")):
        yield f"{tag}_ORDERED", flags(PREDICATES[:7], other)
        yield f"{tag}_UNORDERED", flags(PREDICATES[7:], other)
    yield from VALUES.items()


def save(folder, name, numbers):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (32, 32), }"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(f"{folder}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<1024f", *[random.choice(numbers) for _ in range(1024)]))


def kernel(element, dst, outputs):
    block = f"memref<32x32x{element}>"
    low, high = INFINITIES[element]
    arguments = ", ".join(f"%{n}: {block} {{tt.name = \"{n}\"}}" for n in ["A", "B"] + [n for n, _ in outputs])
    text = ("#id = affine_map<(i, j) -> (i, j)>\n"
            f"func.func @kinds({arguments}) attributes {{tt.kernel, tt.fp32_dest_acc = {'true' if dst == '32' else 'false'}}} {{\n"
            f"  %zero = arith.constant 0.0 : {element}\n  %low = arith.constant {low} : {element}\n"
            f"  %high = arith.constant {high} : {element}\n")
    for name, body in outputs:
        body = body.replace(": T", f": {element}").replace("\n", "\n    ")
        text += ("  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\", \"parallel\"]}\n"
                 f"      ins(%A, %B : {block}, {block}) outs(%{name} : {block}) {{\n"
                 f"  ^bb0(%a: {element}, %b: {element}, %o: {element}):\n    {body}\n    linalg.yield %r : {element}\n  }}\n")
    return text + "  return\n}\n"


def main(folder, element, dst):
    numbers = [float("inf"), float("-inf"), 0.0, -0.0, 1.0, -1.0, 2.5, -0.5]
    numbers += [3e4, -6e4] if element == "f16" else [float("nan"), 1e30, -1e30]
    random.seed(11)
    save(folder, "A", numbers)
    save(folder, "B", numbers)
    outputs = list(bodies())
    if element == "f16":  # an infinity is a number there, of which functions are numbers
        outputs = [(n, body) for n, body in outputs if n not in ("SQRT", "LOG", "LOG1P")]
    for part, chosen in enumerate((outputs[:6:2], outputs[1:6:2], outputs[6:])):
        with open(f"{folder}/kinds{part}.mlir", "w", encoding="utf-8") as file:
            file.write(kernel(element, dst, chosen))


main(*sys.argv[1:])
