#!/usr/bin/env python3
"""Ratios of the emulated device's clock within a run, by the programs in bench/clock.

usage: clock.py ROOT tiles|dram|trees
"""
import os
import re
import subprocess
import sys

ROOT = sys.argv[1]


def clks(program, cases, *arguments):
    result = subprocess.run(["tt-run", "--math=fast", "--no-races", os.path.join(ROOT, program), *arguments],
                            input="\n".join(cases) + "\n", capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return [int(clk) for clk in re.findall(r"(\d+) clk on", result.stderr)]


def near(what, ratio, low, high):
    """Says whether a ratio is between two bounds."""
    print(f"{what}: {'as it should be' if low <= ratio <= high else f'{ratio:.2f}, not {low} to {high}'}")


UNARY, BINARY = "compute_kernel_hw_startup(0, 16); ", "compute_kernel_hw_startup(0, 1, 16); "
MATMUL = "compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16); "
COPY = "copy_tile(0, i, i)|pack_tile<true>(i, 16, i)"
TILES = {  # tiles of a section; then as bench/clock/tiles.cpp reads it
    "add": (8, f"HiFi4 bf16 bf16 0 8 8 0 {BINARY}add_init(0, 1)|add_tiles(0, 1, i, i, i)|pack_tile(i, 16)"),
    "copy": (8, f"HiFi4 bf16 bf16 0 8 0 0 {UNARY}copy_init(0)|copy_tile(0, i, i)|"),
    "exp": (1, f"HiFi4 bf16 bf16 0 1 0 0 {UNARY}exp_tile_init()|exp_tile(0)|"),
    "exp32": (1, f"HiFi4 bf16 bf16 1 1 0 0 {UNARY}exp_tile_init()|exp_tile(0)|"),
    "onto": (8, f"HiFi4 bf16 bf16 0 8 8 1 {UNARY}copy_init(0); pack_reconfig_l1_acc(1)|{COPY}"),
    "lofi": (8, f"LoFi bf16 bf16 0 8 0 0 {MATMUL}matmul_init(0, 1)|matmul_tiles(0, 1, i, i, i)|"),
    "hifi4": (8, f"HiFi4 bf16 bf16 0 8 0 0 {MATMUL}matmul_init(0, 1)|matmul_tiles(0, 1, i, i, i)|"),
    "block": (8, f"LoFi bf16 bf16 0 1 0 0 {MATMUL}matmul_block_init(0, 1, 0, 8, 1, 1)|matmul_block(0, 1, 0, 0, 0, 0, 8, 1, 1)|"),
    "inits": (8, f"HiFi4 bf16 bf16 0 8 0 0 {UNARY}copy_init(0)|copy_init(0); copy_tile(0, i, i)|"),
}


def tiles():
    took = clks("bench/clock/tiles.cpp", [case for _, case in TILES.values()])
    of = {name: (took[2 * i + 1] - took[2 * i]) / 64 / size for i, (name, (size, _)) in enumerate(TILES.items())}
    near("two operands to one", of["add"] / of["copy"], 1.4, 2.1)
    near("an accurate exponential to a sum", of["exp"] / of["add"], 14, 22)
    near("the same with DST of 32 bits", of["exp32"] / of["exp"], 1.5, 2)
    near("adding to L1 to a sum", of["onto"] / of["add"], 1.2, 1.6)
    near("HiFi4 to LoFi, which waits for its operands", of["hifi4"] / of["lofi"], 1.01, 1.3)
    near("tiles of a block to tiles", of["block"] / of["lofi"], 0.55, 0.8)
    near("an init before each copy", of["inits"] / of["copy"], 1.8, 3)


def dram():
    near12 = " ".join(f"{i % 8} {i // 8} {i}" for i in range(12))
    one = " ".join(f"{i % 8} {i // 8} 3" for i in range(12))
    cases = [f"read 0 static 12 {near12}", f"read 1 static 12 {near12}", f"write 0 static 12 {near12}",
             f"write 1 static 12 {near12}", f"write 1 static 12 {one}", f"write 1 dynamic 12 {one}"]
    took = clks("bench/clock/dram.cpp", cases)
    near("reads on NoC 1 to NoC 0", took[1] / took[0], 1.3, 5)
    near("writes on NoC 0 to NoC 1", took[2] / took[3], 1.3, 5)
    near("writes to reads where they meet", took[2] / took[1], 1.1, 2)
    copied, = clks("bench/clock/copy.cpp", [], "1024")
    rate, reads = 2 * 1024 * 1024 * 2 / copied, 12 * (1 << 20) / took[0]
    near("a copy by the reader's and writer's configurations, to reads", rate / reads, 0.8, 1.6)
    near("dynamic channels to static ones, to one bank", took[5] / took[4], 2.2, 3.2)


def trees():
    alone, rows, tree, far = clks("emulator/test/Inputs/trees/main.cpp", [
        "0 0 1 0 7 0", "0 0 1 0 7 0  0 1 1 1 7 1", "0 0 1 1 7 7  2 0 2 1 2 7", "0 0 7 1 7 7  2 0 2 1 2 7"])
    near("two rows beside each other", rows / alone, 0.99, 1.1)
    near("a tree and a column of it", tree / alone, 1.8, 2.2)
    near("one that ends beside it", far / alone, 0.99, 1.2)


{"tiles": tiles, "dram": dram, "trees": trees}[sys.argv[2]]()
