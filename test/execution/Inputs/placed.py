#!/usr/bin/env python3
"""What the place of intermediate tensors does: a model's kernels as --tt-model leaves them, and with all of them in DRAM.

usage: placed.py MODEL.mlir ARCH: prints clk and DRAM MB of both, and whether results are equal bit for bit.
"""
import re
import subprocess
import sys


def run(text, arch, path, result):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(["tt-run", path, "--arch", arch, "--seed", "1", "--check", "--input", "w_*=~0.06", "--output", f"result={result}"],
                          capture_output=True, text=True, check=False)
    found = re.search(r"launch(?:es)?\s+(\d+)\s+\S+\s+\d+%\s+([\d.]+)", done.stdout)
    if done.returncode or not found:
        sys.exit(done.stdout + done.stderr)
    with open(result, "rb") as file:
        return int(found[1]), float(found[2]), file.read()


def main():
    model, arch = sys.argv[1:]
    placed = subprocess.run(["tt-opt", f"--tt-infer-layout=arch={arch}", "--tt-model", model], capture_output=True, text=True, check=True).stdout
    layout = r"\{tt\.layout = \{layout = \"sharded\", memory = \"L1\".*?\}\}\}|, tt\.layout = \{layout = \"sharded\", memory = \"L1\".*?\}\}(?=\})"
    plain, n = re.subn(layout, "", placed)
    plain = re.sub(r", tt\.l1_beside = \d+ : i64", "", re.sub(r"\n *memref\.dealloc .*", "", plain))
    clk, mb, bits = run(placed, arch, model + ".placed.mlir", model + ".placed.npy")
    other_clk, other_mb, other_bits = run(plain, arch, model + ".plain.mlir", model + ".plain.npy")
    print(f"{n} tensors in L1: {clk} clk, {mb:.2f} MB; in DRAM: {other_clk} clk, {other_mb:.2f} MB")
    print("fewer clk" if clk < other_clk else "more clk", "less traffic" if mb < 0.8 * other_mb else "as much traffic",
          "equal" if bits == other_bits else "other bits")


if __name__ == "__main__":
    main()
