#!/usr/bin/env python3
"""What works with which layouts, storage formats and shapes of tensors, by running it.

usage: support_tensors.py --check FILE [--part I/N]

support.py --write adds the tables to its page; --check compares with the page what every N-th cell gives,
beginning with the I-th.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

import random_shapes

COLUMNS = ["a function", "sums of rows", "a product"]
CHIPS = ["wormhole_b0", "blackhole"]
SIZE = 128


def shards(memory, grid, order="row_major"):
    return (f'{{memory = "{memory}", layout = "sharded", nd_shard = {{axes = ["M", "N"], grid = [{grid[0]}, {grid[1]}], '
            f'shard_shape_elems = [{SIZE // grid[0]}, {SIZE // grid[1]}], order = "{order}"}}}}')


LAYOUTS = {
    "DRAM, interleaved": ['{memory = "DRAM"}'],
    "DRAM, shards": [shards("DRAM", (2, 2))],
    "DRAM, shards, match_shard": [shards("DRAM", (2, 2), "match_shard")],
    "DRAM, shards, block_linear": [shards("DRAM", (2, 2), "block_linear")],
    "L1, interleaved": ['{memory = "L1"}'],
    "L1, height": [shards("L1", (4, 1))],
    "L1, width": [shards("L1", (1, 4))],
    "L1, block": [shards("L1", (2, 2))],
    "L1, block, match_shard": [shards("L1", (2, 2), "match_shard")],
    "L1, block, block_linear": [shards("L1", (2, 2), "block_linear")],
    "mixed: DRAM shards in, L1 shards out": [shards("DRAM", (4, 1)), shards("L1", (2, 2))],
    "L1, height, local_shard": [shards("L1", (4, 1)), "local"],
    "L1, width, local_shard": [shards("L1", (1, 4)), "local"],
    "L1, block, local_shard": [shards("L1", (2, 2)), "local"],
}


def tensor(name, shape, layout, element="bf16"):
    return f'%{name}: memref<{shape}x{element}> {{tt.name = "{name}", tt.layout = {layout}}}'


def blocked(column, layouts):
    """A kernel of 128x128 elements in blocks of one tile, or of a row of them."""
    local = layouts[-1] == "local"
    layouts = [l for l in layouts if l != "local"]
    source, result = layouts[0], layouts[-1]
    mode = ', tt.partition_mode = "local_shard"' if local else ""
    square, strided = f"{SIZE}x{SIZE}", f"strided<[{SIZE}, 1], offset: ?>"

    def view(name, at, rows, cols):
        return (f"    %v{name} = memref.subview %{name}[{at}] [{rows}, {cols}] [1, 1] : memref<{square}xbf16> to "
                f"memref<{rows}x{cols}xbf16, {strided}>\n")
    tile, row = f"memref<32x32xbf16, {strided}>", f"memref<32x{SIZE}xbf16, {strided}>"
    if column == "a function":
        return (f"func.func @k({tensor('X', square, source)}, {tensor('Y', square, result)}) attributes {{tt.kernel{mode}}} {{\n"
                f"  scf.forall (%m, %n) = (0, 0) to ({SIZE}, {SIZE}) step (32, 32) {{\n" + view("X", "%m, %n", 32, 32) +
                view("Y", "%m, %n", 32, 32) + f"    linalg.exp ins(%vX : {tile}) outs(%vY : {tile})\n  }}\n  return\n}}\n")
    if column == "sums of rows":
        return (f"func.func @k({tensor('X', square, source)}, {tensor('Y', square, result)}) attributes {{tt.kernel{mode}}} {{\n"
                f"  %zero = arith.constant 0.0 : f32\n  scf.forall (%m) = (0) to ({SIZE}) step (32) {{\n" +
                view("X", "%m, 0", 32, SIZE) + view("Y", "%m, 0", 32, SIZE) +
                "    %s = memref.alloc() : memref<32xf32>\n    linalg.fill ins(%zero : f32) outs(%s : memref<32xf32>)\n"
                "    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = "
                f"[\"parallel\", \"reduction\"]}} ins(%vX : {row}) outs(%s : memref<32xf32>) {{\n    ^bb0(%a: bf16, %o: f32):\n"
                "      %w = arith.extf %a : bf16 to f32\n      %r = arith.addf %w, %o : f32\n      linalg.yield %r : f32\n    }\n"
                "    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], "
                f"iterator_types = [\"parallel\", \"parallel\"]}} ins(%vX, %s : {row}, memref<32xf32>) outs(%vY : {row}) {{\n"
                "    ^bb0(%a: bf16, %t: f32, %o: bf16):\n      %w = arith.extf %a : bf16 to f32\n      %r = arith.addf %w, %t : f32\n"
                "      %b = arith.truncf %r : f32 to bf16\n      linalg.yield %b : bf16\n    }\n  }\n  return\n}\n")
    return (f"func.func @k({tensor('A', square, source)}, {tensor('B', square, '{}')}, {tensor('C', square, result)}) "
            f"attributes {{tt.kernel{mode}}} {{\n  %c0 = arith.constant 0 : index\n  %c32 = arith.constant 32 : index\n"
            f"  %end = arith.constant {SIZE} : index\n  %zero = arith.constant 0.0 : bf16\n"
            f"  scf.forall (%m, %n) = (0, 0) to ({SIZE}, {SIZE}) step (32, 32) {{\n"
            "    %acc = memref.alloc() : memref<32x32xbf16, #gpu.address_space<private>>\n"
            "    linalg.fill ins(%zero : bf16) outs(%acc : memref<32x32xbf16, #gpu.address_space<private>>)\n"
            "    scf.for %k = %c0 to %end step %c32 {\n" + view("A", "%m, %k", 32, 32) + view("B", "%k, %n", 32, 32) +
            f"    linalg.matmul ins(%vA, %vB : {tile}, {tile}) outs(%acc : memref<32x32xbf16, #gpu.address_space<private>>)\n    }}\n" +
            view("C", "%m, %n", 32, 32) +
            f"    memref.copy %acc, %vC : memref<32x32xbf16, #gpu.address_space<private>> to {tile}\n  }}\n  return\n}}\n")


def whole(column, sizes, element, stored):
    """A kernel of one unit, on whole tensors."""
    m, n, k = sizes
    layout = f'{{dtype = "{stored}"}}'
    head = "attributes {tt.kernel} {\n  %zero = arith.constant 0.0 : f32\n"
    if column == "a function":
        return (f"func.func @k({tensor('X', f'{m}x{n}', layout, element)}, {tensor('Y', f'{m}x{n}', layout, element)}) {head}"
                f"  linalg.tanh ins(%X : memref<{m}x{n}x{element}>) outs(%Y : memref<{m}x{n}x{element}>)\n  return\n}}\n")
    if column == "sums of rows":
        wide = "arith.mulf %a, %a : f32" if element == "f32" else f"arith.extf %a : {element} to f32"
        return (f"func.func @k({tensor('X', f'{m}x{n}', layout, element)}, {tensor('S', m, '{}', 'f32')}) {head}"
                f"  %s = memref.alloc() : memref<{m}xf32>\n  linalg.fill ins(%zero : f32) outs(%s : memref<{m}xf32>)\n"
                "  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = "
                f"[\"parallel\", \"reduction\"]}} ins(%X : memref<{m}x{n}x{element}>) outs(%s : memref<{m}xf32>) {{\n"
                f"  ^bb0(%a: {element}, %o: f32):\n    %w = {wide}\n    %r = arith.addf %w, %o : f32\n    linalg.yield %r : f32\n  }}\n"
                f"  memref.copy %s, %S : memref<{m}xf32> to memref<{m}xf32>\n  return\n}}\n")
    return (f"func.func @k({tensor('A', f'{m}x{n}', layout, element)}, {tensor('B', f'{n}x{k}', layout, element)}, "
            f"{tensor('C', f'{m}x{k}', layout, 'f32')}) {head}  %acc = memref.alloc() : memref<{m}x{k}xf32>\n"
            f"  linalg.fill ins(%zero : f32) outs(%acc : memref<{m}x{k}xf32>)\n"
            f"  linalg.matmul ins(%A, %B : memref<{m}x{n}x{element}>, memref<{n}x{k}x{element}>) outs(%acc : memref<{m}x{k}xf32>)\n"
            f"  memref.copy %acc, %C : memref<{m}x{k}xf32> to memref<{m}x{k}xf32>\n  return\n}}\n")


def outer(column):
    """Tensors of four dimensions, a matrix of 50x40 for each unit."""
    shape, strided = "2x3x50x40", "strided<[40, 1], offset: ?>"

    def view(name):
        return (f"    %v{name} = memref.subview %{name}[%b, %h, 0, 0] [1, 1, 50, 40] [1, 1, 1, 1] : memref<{shape}xbf16> to "
                f"memref<50x40xbf16, {strided}>\n")
    matrix = f"memref<50x40xbf16, {strided}>"
    text = (f"func.func @k({tensor('X', shape, '{}')}, {tensor('Y', shape, '{}')}) attributes {{tt.kernel}} {{\n"
            "  %zero = arith.constant 0.0 : f32\n  scf.forall (%b, %h) in (2, 3) {\n" + view("X") + view("Y"))
    if column == "a function":
        return text + f"    linalg.exp ins(%vX : {matrix}) outs(%vY : {matrix})\n  }}\n  return\n}}\n"
    if column == "sums of rows":
        return text + (
            "    %s = memref.alloc() : memref<50xf32>\n    linalg.fill ins(%zero : f32) outs(%s : memref<50xf32>)\n"
            "    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = "
            f"[\"parallel\", \"reduction\"]}} ins(%vX : {matrix}) outs(%s : memref<50xf32>) {{\n    ^bb0(%a: bf16, %o: f32):\n"
            "      %w = arith.extf %a : bf16 to f32\n      %r = arith.addf %w, %o : f32\n      linalg.yield %r : f32\n    }\n"
            "    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = "
            f"[\"parallel\", \"parallel\"]}} ins(%s : memref<50xf32>) outs(%vY : {matrix}) {{\n    ^bb0(%t: f32, %o: bf16):\n"
            "      %b16 = arith.truncf %t : f32 to bf16\n      linalg.yield %b16 : bf16\n    }\n  }\n  return\n}\n")
    return text + (
        "    %acc = memref.alloc() : memref<50x50xf32>\n    linalg.fill ins(%zero : f32) outs(%acc : memref<50x50xf32>)\n"
        "    linalg.matmul indexing_maps = [affine_map<(i, j, l) -> (i, l)>, affine_map<(i, j, l) -> (j, l)>, affine_map<(i, j, l) -> (i, j)>] "
        f"ins(%vX, %vX : {matrix}, {matrix}) outs(%acc : memref<50x50xf32>)\n"
        "    %out = memref.alloc() : memref<50x40xf32>\n    linalg.fill ins(%zero : f32) outs(%out : memref<50x40xf32>)\n"
        "    %left = memref.alloc() : memref<50x50xbf16>\n    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
        "affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%acc : memref<50x50xf32>) outs(%left : memref<50x50xbf16>) {\n"
        "    ^bb0(%a: f32, %o: bf16):\n      %t = arith.truncf %a : f32 to bf16\n      linalg.yield %t : bf16\n    }\n"
        f"    linalg.matmul ins(%left, %vX : memref<50x50xbf16>, {matrix}) outs(%out : memref<50x40xf32>)\n"
        "    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", "
        f"\"parallel\"]}} ins(%out : memref<50x40xf32>) outs(%vY : {matrix}) {{\n    ^bb0(%a: f32, %o: bf16):\n"
        "      %t = arith.truncf %a : f32 to bf16\n      linalg.yield %t : bf16\n    }\n  }\n  return\n}\n")


def tiled(column, dynamic):
    """A kernel with partial blocks; its text and the sizes of this run."""
    make = {"a function": random_shapes.elementwise, "sums of rows": random_shapes.softmax, "a product": random_shapes.gemm}[column]
    for seed in range(1000):
        _, k, grid = make(random.Random(seed))
        if all(v == dynamic for v in k.dynamic.values()) and all(s % 32 and s > 64 for s in k.sizes.values()):
            shapes = [f"--shape={name}={'x'.join(str(k.sizes[d]) for d in dims)}" for name, (dims, _, _) in k.tensors.items()]
            return k.text(grid), shapes if dynamic else []
    raise AssertionError("no such kernel")


SHAPES = {"multiples of 32": (64, 96, 64), "not multiples of 32": (50, 70, 40), "smaller than a tile": (5, 7, 3), "of one element": (1, 1, 1),
          "one row": (1, 100, 33), "one column": (100, 1, 33)}
FORMATS = [(own, stored) for own in ("bf16", "f16", "f32") for stored in ("bf16", "fp16", "fp32", "bfp8_b", "bfp4_b")]


def cells():
    """(table, row, column) -> what makes the kernel's text and options."""
    table = {}
    for column in COLUMNS:
        for row, layouts in LAYOUTS.items():
            table["layout", row, column] = lambda c=column, l=layouts: (blocked(c, l), [])
        for own, stored in FORMATS:
            table["format", f"{own} stored as {stored}", column] = lambda c=column, o=own, s=stored: (whole(c, (50, 70, 40), o, s), [])
        for row, sizes in SHAPES.items():
            table["shape", row, column] = lambda c=column, s=sizes: (whole(c, s, "bf16", "bf16"), [])
        table["shape", "four dimensions", column] = lambda c=column: (outer(c), [])
        table["shape", "blocks that do not divide it", column] = lambda c=column: tiled(c, False)
        table["shape", "dynamic", column] = lambda c=column: tiled(c, True)
    return table


def run(make):
    """'' where both chips match, else what is wrong."""
    text, options = make()
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "k.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        for chip in CHIPS:
            done = subprocess.run(["tt-run", path, "--check", f"--arch={chip}"] + options, capture_output=True, text=True, check=False)
            error = re.search(r"error: (.*)", done.stderr)
            if done.returncode:
                return error.group(1) if error else "out of tolerance"
    return ""


def page(pool):
    table = cells()
    results = dict(zip(table, pool.map(run, table.values())))
    text = "\n## Layouts, formats and shapes\n\nThe same kernels, on both chips: a function of each element, sums of rows, a product. "
    text += "In a row of layouts all tensors have it\n(of a product, its left operand and its result).\n"
    notes = []
    for kind in ("layout", "format", "shape"):
        text += f"\n| {kind} | " + " | ".join(COLUMNS) + " |\n|" + "---|" * (len(COLUMNS) + 1) + "\n"
        for row in dict.fromkeys(r for k, r, _ in table if k == kind):
            errors = [results[kind, row, column] for column in COLUMNS]
            for error in errors:
                if error and error not in notes:
                    notes.append(error)
            marks = ["yes" if not e else f"no ({chr(ord('a') + notes.index(e))})" for e in errors]
            text += f"| {row} | " + " | ".join(marks) + " |\n"
    for i, note in enumerate(notes):
        text += f"\n{chr(ord('a') + i)}. {note}"
    return text + ("\n" if notes else "")


def main():
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    said = {}
    with open(options["--check"], encoding="utf-8") as file:
        for line in file:
            parts = [p.strip() for p in line.strip().strip("|").split(" | ")]
            if len(parts) == len(COLUMNS) + 1:
                said.update({(parts[0], c): p == "yes" for c, p in zip(COLUMNS, parts[1:])})
    first, step = map(int, options.get("--part", "0/1").split("/"))
    chosen = list(cells().items())[first::step]
    wrong = 0
    for (_, row, column), make in chosen:
        error = run(make)
        if said.get((row, column)) != (not error):
            wrong += 1
            print(f"{row}, {column}: {error or 'works'}, but the page says otherwise")
    print(f"{len(chosen) - wrong} of {len(chosen)} cells of tensors are as the page says")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
