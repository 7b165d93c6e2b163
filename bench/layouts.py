#!/usr/bin/env python3
"""What each layout costs: bytes over the NoC and to DRAM, and cycles, by the emulated device's clock, for the
same elementwise kernel and the same GEMM; and how long kernels of dynamic sizes take to compile.

usage: bench/layouts.py [--write FILE | --check FILE]

Prints the tables, or writes them to docs/layouts.md. The bytes of a layout are those that leave a core; what a
core reads from its own L1 over its port stands beside. Compile times are ratios of one run. --check measures some rows
again and says whether they are as in FILE.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

SIZE = 256


def shards(memory, grid, order="row_major"):
    each = f"[{SIZE // grid[0]}, {SIZE // grid[1]}]"
    return (f'{{memory = "{memory}", layout = "sharded", nd_shard = {{axes = ["M", "N"], grid = {list(grid)}, '
            f'shard_shape_elems = {each}, order = "{order}"}}}}')


# Name, layout of all tensors (of a GEMM: of A and C), mode.
LAYOUTS = [
    ("DRAM, interleaved", '{memory = "DRAM"}', "global"),
    ("DRAM, 4 x 2 shards", shards("DRAM", (4, 2)), "global"),
    ("DRAM, 4 x 2 shards, match_shard", shards("DRAM", (4, 2), "match_shard"), "global"),
    ("DRAM, 4 x 2 shards, block_linear", shards("DRAM", (4, 2), "block_linear"), "global"),
    ("L1, interleaved", '{memory = "L1"}', "global"),
    ("L1, height, 8 shards", shards("L1", (8, 1)), "global"),
    ("L1, width, 8 shards", shards("L1", (1, 8)), "global"),
    ("L1, block, 4 x 2 shards", shards("L1", (4, 2)), "global"),
    ("L1, block, 4 x 2 shards, match_shard", shards("L1", (4, 2), "match_shard"), "global"),
    ("L1, height, 8 shards", shards("L1", (8, 1)), "local_shard"),
    ("L1, width, 8 shards", shards("L1", (1, 8)), "local_shard"),
    ("L1, block, 4 x 2 shards", shards("L1", (4, 2)), "local_shard"),
]


def tensor(name, layout):
    return f'%{name}: memref<{SIZE}x{SIZE}xbf16> {{tt.name = "{name}", tt.layout = {layout}}}'


def view(name, offsets, sizes):
    shape = "x".join(map(str, sizes))
    result = f"memref<{shape}xbf16, strided<[{SIZE}, 1], offset: ?>>"
    text = (f"%v{name} = memref.subview %{name}[{', '.join(offsets)}] [{sizes[0]}, {sizes[1]}] [1, 1] : "
            f"memref<{SIZE}x{SIZE}xbf16> to {result}\n")
    return text, f"%v{name}", result


def elementwise(layout, mode):
    text = (f"func.func @k({tensor('X', layout)}, {tensor('Y', layout)}, {tensor('Z', layout)}) "
            f'attributes {{tt.kernel, tt.partition_mode = "{mode}"}} {{\n'
            f"  scf.forall (%m, %n) = (0, 0) to ({SIZE}, {SIZE}) step (32, 32) {{\n")
    views = [view(name, ["%m", "%n"], (32, 32)) for name in "XYZ"]
    text += "".join("    " + v[0] for v in views)
    types = [v[2] for v in views]
    return text + (f"    linalg.add ins(%vX, %vY : {types[0]}, {types[1]}) outs(%vZ : {types[2]})\n  }}\n  return\n}}\n")


def gemm(layout, mode):
    text = (f"func.func @k({tensor('A', layout)}, {tensor('B', '{}')}, {tensor('C', layout)}) "
            f'attributes {{tt.kernel, tt.partition_mode = "{mode}"}} {{\n'
            f"  %c0 = arith.constant 0 : index\n  %c32 = arith.constant 32 : index\n  %end = arith.constant {SIZE} : index\n"
            f"  %zero = arith.constant 0.0 : bf16\n"
            f"  scf.forall (%m, %n) = (0, 0) to ({SIZE}, {SIZE}) step (32, 32) {{\n"
            f"    %acc = memref.alloc() : memref<32x32xbf16, #gpu.address_space<private>>\n"
            f"    linalg.fill ins(%zero : bf16) outs(%acc : memref<32x32xbf16, #gpu.address_space<private>>)\n"
            f"    scf.for %k = %c0 to %end step %c32 {{\n")
    a, b, c = view("A", ["%m", "%k"], (32, 32)), view("B", ["%k", "%n"], (32, 32)), view("C", ["%m", "%n"], (32, 32))
    text += f"      {a[0]}      {b[0]}"
    text += (f"      linalg.matmul ins(%vA, %vB : {a[2]}, {b[2]}) outs(%acc : memref<32x32xbf16, "
             f"#gpu.address_space<private>>)\n    }}\n    {c[0]}")
    return text + (f"    memref.copy %acc, %vC : memref<32x32xbf16, #gpu.address_space<private>> to {c[2]}\n"
                   "  }\n  return\n}\n")


def figures(text):
    """Cycles, cores, KB over the NoC, KB to DRAM and KB within cores."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(["tt-run", file.name, "--check"], capture_output=True, text=True, check=True).stderr
    clk, cores = map(int, re.search(r"(\d+) clk on (\d+) core", done).groups())
    read, written, dram = map(float, re.search(r"NoC ([\d.]+) MB read, ([\d.]+) MB written; of these DRAM ([\d.]+) MB",
                                               done).groups())
    own = re.search(r"within a core ([\d.]+) MB", done)
    own = float(own.group(1)) if own else 0.0
    return clk, cores, read + written - own, dram, own


def row(kernel, name, layout, mode):
    clk, cores, noc, dram, own = figures(kernel(layout, mode))
    return f"| {name} | {mode} | {cores} | {noc:.2f} | {dram:.2f} | {own:.2f} | {clk} |"


def check(path):
    """Every fourth layout, of both kernels."""
    with open(path, encoding="utf-8") as file:
        known = set(file.read().splitlines())
    wrong = [line for kernel in (elementwise, gemm) for line in (row(kernel, *l) for l in LAYOUTS[3::4]) if line not in known]
    print("\n".join(wrong + ["the page differs: bench/layouts.py --write docs/layouts.md"]) if wrong else "the page is up to date")
    return bool(wrong)


def table(kernel):
    lines = ["| layout | mode | cores | NoC, MB | of these DRAM, MB | within a core, MB | clk |", "|---|---|---|---|---|---|---|"]
    lines += [row(kernel, *layout) for layout in LAYOUTS]
    return "\n".join(lines)


def seconds(path, times=5):
    start = time.monotonic()
    for _ in range(times):
        lowered = subprocess.run(["tt-opt", "--tt-pipeline", path], capture_output=True, check=True).stdout
        subprocess.run(["tt-translate", "--emit-metalium"], input=lowered, capture_output=True, check=True)
    return (time.monotonic() - start) / times


def compile_times():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    dynamic = os.path.join(root, "examples", "dynamic_gemm.mlir")
    with open(dynamic, encoding="utf-8") as file:
        text = file.read()
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(re.sub(r"memref<\?x\?xbf16> \{", "memref<160x160xbf16> {",
                          re.sub(r"(%[ABC](?:\[[^]]*\] \[[^]]*\] \[1, 1\]|, %c\d) : )memref<\?x\?xbf16>", r"\1memref<160x160xbf16>", text)
                          .replace("strided<[?, 1]", "strided<[160, 1]")))
        file.flush()
        return seconds(dynamic) / seconds(file.name)


def main():
    if "--check" in sys.argv:
        return check(sys.argv[sys.argv.index("--check") + 1])
    text = ("# What layouts cost\n\nMade by `bench/layouts.py --write docs/layouts.md`, from the emulated device's clock, on Wormhole. "
            f"Tensors are {SIZE} x {SIZE}\nelements of bf16, blocks one tile. NoC bytes are those that leave a core: in mode local_shard, what "
            "is in place does not move.\n\n```sh\nbuild/bin/tt-run examples/block_shards.mlir --check\n```\n\n"
            "## Elementwise: Z = X + Y, all three in the layout\n\n" + table(elementwise) +
            "\n\n## GEMM: C = A * B, A and C in the layout, B interleaved over DRAM\n\n" + table(gemm) + "\n")
    if "--write" in sys.argv:
        with open(sys.argv[sys.argv.index("--write") + 1], "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text)
    print(f"compiling a kernel of dynamic sizes takes {compile_times():.2f} times as long as one of constant sizes")


if __name__ == "__main__":
    sys.exit(main())
