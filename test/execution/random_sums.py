#!/usr/bin/env python3
"""Random products of few tiles and many steps, whose sums several cores have: blocks that end behind their tensors, transposed
operands, two sums, and what goes on with a sum. Each runs on a random chip in a random era, and matches its reference.

usage: random_sums.py SEED COUNT [--keep DIR]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all

ID = "affine_map<(i, j) -> (i, j)>"
COLUMNS = "affine_map<(i, j) -> (j)>"
TURNED = "affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>"


class Side:
    """A dimension in blocks: how long the one at %at is, as an operand and in types."""

    def __init__(self, lines, name, size, block, at):
        self.size, self.fixed = size, size % block == 0
        self.operand, self.type = (str(block), str(block)) if self.fixed else (f"%{name}", "?")
        if not self.fixed:
            lines.append(f"%{name} = affine.min affine_map<(d) -> ({size} - d, {block})>(%{at})")


def view(lines, name, tensor, element, sides, at):
    """A block of a tensor, which is called `name`; its type."""
    whole = "x".join(str(side.size) for side in sides)
    block = "x".join(side.type for side in sides)
    strides = f"[{sides[1].size}, 1]" if len(sides) == 2 else "[1]"
    type = f"memref<{block}x{element}, strided<{strides}, offset: ?>>"
    lines.append(f"%{name} = memref.subview %{tensor}[{', '.join(at)}] [{', '.join(s.operand for s in sides)}] "
                 f"[{', '.join('1' for _ in sides)}] : memref<{whole}x{element}> to {type}")
    return type


def product(lines, a, b, into, types, element, turned):
    if not turned:
        lines.append(f"linalg.matmul ins(%{a}, %{b} : {types[0]}, {types[1]}) outs(%{into} : {types[2]})")
        return
    lines.append(f'linalg.generic {{indexing_maps = [{TURNED}], iterator_types = ["parallel", "parallel", "reduction"]}} '
                 f"ins(%{a}, %{b} : {types[0]}, {types[1]}) outs(%{into} : {types[2]}) {{")
    lines.append(f"^bb0(%x: {element}, %y: {element}, %z: f32):")
    if element == "bf16":
        lines += ["%u = arith.extf %x : bf16 to f32", "%v = arith.extf %y : bf16 to f32"]
    x, y = ("%u", "%v") if element == "bf16" else ("%x", "%y")
    lines += [f"%p = arith.mulf {x}, {y} : f32", "%s = arith.addf %p, %z : f32", "linalg.yield %s : f32", "}"]


def epilogue(lines, kind, n, element, sums, to):
    """What goes on with the sums: %C gets it."""
    ins, maps, args, value = ["%sum0"], [ID], ["%x: f32"], "%x"
    types = [sums]
    if kind == "gated":
        ins, maps, args, types = ["%sum0", "%sum1"], [ID, ID], ["%x: f32", "%y: f32"], [sums, sums]
    if kind == "bias":
        types.append(view(lines, "bias", "V", element, [n], ["%n"]))
        ins.append("%bias"), maps.append(COLUMNS), args.append(f"%y: {element}")
    lines.append(f'linalg.generic {{indexing_maps = [{", ".join(maps + [ID])}], iterator_types = ["parallel", "parallel"]}} '
                 f"ins({', '.join(ins)} : {', '.join(types)}) outs(%c : {to}) {{")
    lines.append(f"^bb0({', '.join(args)}, %old: {element}):")
    other = "%y"
    if kind == "bias" and element == "bf16":
        lines.append("%w = arith.extf %y : bf16 to f32")
        other = "%w"
    ops = {"relu": "arith.maximumf %x, %zero", "tanh": "math.tanh %x", "gated": "arith.mulf %x, %y", "bias": f"arith.addf %x, {other}"}
    if kind in ops:
        lines.append(f"%r = {ops[kind]} : f32")
        value = "%r"
    if element == "bf16":
        lines.append(f"%t = arith.truncf {value} : f32 to bf16")
        value = "%t"
    lines += [f"linalg.yield {value} : {element}", "}"]


def sums(rng):
    """A product, perhaps two of the same rows."""
    rows, cols = rng.choice((1, 7, 32, 33, 64, 96, 100)), rng.choice((16, 32, 50, 64, 96, 128))
    depth, element = rng.choice((512, 1024, 1100, 2048, 3000, 4000, 4096)), rng.choice(("bf16", "bf16", "f32"))
    blocks = rng.choice((32, 64)), rng.choice((32, 64)), rng.choice((32, 64, 128))
    kind, turned = rng.choice(("plain", "bias", "relu", "tanh", "gated")), rng.random() < 0.3
    lines = [f"%m = arith.muli %bm, %c{blocks[0]} : index", f"%n = arith.muli %bn, %c{blocks[1]} : index"]
    m, n = Side(lines, "rows", rows, blocks[0], "m"), Side(lines, "cols", cols, blocks[1], "n")
    total = f"memref<{m.type}x{n.type}xf32>"
    sizes = ", ".join(side.operand for side in (m, n) if not side.fixed)
    count = 2 if kind == "gated" else 1
    for i in range(count):
        lines += [f"%sum{i} = memref.alloc({sizes}) : {total}", f"linalg.fill ins(%zero : f32) outs(%sum{i} : {total})"]
    lines.append(f"scf.for %k = %c0 to %depth step %c{blocks[2]} {{")
    k = Side(lines, "deep", depth, blocks[2], "k")
    a = view(lines, "a", "A", element, [m, k], ["%m", "%k"])
    for i in range(count):
        b = view(lines, f"b{i}", f"B{i}", element, [n, k] if turned else [k, n], ["%n", "%k"] if turned else ["%k", "%n"])
        product(lines, "a", f"b{i}", f"sum{i}", (a, b, total), element, turned)
    lines.append("}")
    to = view(lines, "c", "C", element, [m, n], ["%m", "%n"])
    epilogue(lines, kind, n, element, total, to)
    factor = f"{cols}x{depth}" if turned else f"{depth}x{cols}"
    tensors = [("A", f"{rows}x{depth}")] + [(f"B{i}", factor) for i in range(count)]
    tensors += [("V", str(cols))] if kind == "bias" else []
    args = ", ".join(f'%{name}: memref<{shape}x{element}> {{tt.name = "{name}"}}' for name, shape in tensors + [("C", f"{rows}x{cols}")])
    constants = "".join(f"%c{v} = arith.constant {v} : index\n" for v in (0, 32, 64, 128))
    grid = -(-rows // blocks[0]), -(-cols // blocks[1])
    text = (f"func.func @sums({args}) attributes {{tt.kernel}} {{\n{constants}%depth = arith.constant {depth} : index\n"
            f"%zero = arith.constant 0.0 : f32\nscf.forall (%bm, %bn) in ({grid[0]}, {grid[1]}) {{\n" + "\n".join(lines) + "\n}\nreturn\n}\n")
    return f"{rows}x{depth}x{cols} {element} in blocks of {blocks}, {kind}{', turned' if turned else ''}", text


def options(rng):
    return rng.choice(([], ["--math=fast"], ["--strict"]))


if __name__ == "__main__":
    sys.exit(run_all((sums,), options=options))
