#!/usr/bin/env python3
"""What each example costs on the emulated device, by its clock.

usage: bench/examples.py [--write FILE] [EXAMPLE...]

Prints a table, or writes it to docs/examples.md. Cycles and utilization are the emulator's;
sections of DST, tiles packed and tiles copied to DST are counted for each tile of the outputs.
The last column counts the copies of tiles that an earlier section packed: what a fused form
would keep in DST.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What an example needs to run: scalars, and sizes that its types leave open.
OPTIONS = {"rms_norm": ["--input=epsilon=1e-5"], "dynamic_gemm": ["--shape=A=512x512", "--shape=B=512x512"]}


def tiles_of(text):
    """Tiles of all tensors that the plan says are written; a dynamic size is that of OPTIONS."""
    import json
    plan, tiles = json.loads(text), 0
    for tensor in sum((p["tensors"] for p in plan.get("plans", [plan])), []):
        if tensor["written"]:
            shape = [1, 1] + [512 if isinstance(size, str) else size for size in tensor["shape"]]
            outer = 1
            for size in shape[:-2]:
                outer *= size
            tiles += outer * -(-shape[-2] // 32) * -(-shape[-1] // 32)
    return tiles


def measure(path):
    name = os.path.splitext(os.path.basename(path))[0]
    lowered = subprocess.run(["tt-opt", "--tt-pipeline", path], capture_output=True, text=True, check=True).stdout
    emitted = subprocess.run(["tt-translate", "--emit-metalium"], input=lowered, capture_output=True, text=True,
                             check=True).stdout
    tiles = tiles_of(re.search(r"tt\.plan\.json\n(\{.*?\n\})", emitted, re.S).group(1))
    run = subprocess.run(["tt-run", path] + OPTIONS.get(name, []), capture_output=True, text=True, check=True).stderr
    launches = [(int(c), int(n), float(m)) for c, n, m in
                re.findall(r"(\d+) clk on (\d+) core.*math busy ([0-9.]+)%", run)]
    clk, cores = sum(c for c, _, _ in launches), max(n for _, n, _ in launches)
    busy = f"{sum(c * m for c, _, m in launches) / clk:.1f}"
    sections, packs, copies, back = [sum(map(int, column)) for column in zip(*re.findall(
        r"DST: (\d+) sections, (\d+) tiles packed, (\d+) copied in, (\d+) of them", run))]
    per = lambda n: f"{n / tiles:.3g}"
    return f"| {name} | {tiles} | {cores} | {clk} | {busy}% | {per(sections)} | {per(packs)} | {per(copies)} | {per(back)} |"


def main():
    arguments = sys.argv[1:]
    target = arguments.pop(arguments.index("--write") + 1) if "--write" in arguments else None
    names = [a for a in arguments if a != "--write"]
    paths = [p for p in sorted(glob.glob(os.path.join(ROOT, "examples", "*.mlir")))
             if not names or os.path.splitext(os.path.basename(p))[0] in names]
    text = ("# What the examples cost\n\nMade by `bench/examples.py --write docs/examples.md`, from the emulated device's clock, on Wormhole.\n\n"
            "```sh\nbuild/bin/tt-run examples/flash_attention.mlir\n```\n\nprints the same figures for one of them. Sections, packs and "
            "copies are those of DST, a tile of the outputs; the last\ncolumn counts copies of tiles that an earlier section packed, "
            "which a fused form would save.\n\n"
            "| example | output tiles | cores | clk | math busy | sections | packs | copies | of tiles packed before |\n"
            "|---|---|---|---|---|---|---|---|---|\n")
    text += "\n".join(measure(p) for p in paths) + "\n"
    if target:
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
