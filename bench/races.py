#!/usr/bin/env python3
"""What looking for races costs: time and memory with it, as ratios to the same run without.

A bf16 GEMM of n^3 on all cores of a Wormhole (examples/metalium/matmul_reuse), operands multicast
and each read by its core, and sums of n^2 tiles' elements a tile at a time (eltwise_binary), which
signal most for the work they do. Processor time of the whole process, the least of some runs in
turn, so that what else the machine does counts little.

usage: bench/races.py [--at-most RATIO] [N ...]

With --at-most, the multicast GEMM alone, and exit status 1 where it takes more time than that.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TT_RUN = os.path.join(os.environ.get("TW_BIN", os.path.join(ROOT, "build/bin")), "tt-run")
RUNS = 3


def measure(options, command):
    before = os.times()
    result = subprocess.run([TT_RUN, "--math=fast", "--threads=1", *options, *command], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)} ends with status {result.returncode}:\n{result.stderr}")
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, float(re.search(r"emulated in [\d.]+ s, (\d+) MB", result.stderr).group(1))


def row(name, command):
    best = {}
    measure([], command)  # kernels and host are kept from here on
    for _ in range(RUNS):
        for options in ([], ["--no-races"]):
            seconds, megabytes = measure(options, command)
            key = bool(options)
            best[key] = min(best.get(key, (1e9, 0)), (seconds, megabytes))
    ratio = best[False][0] / best[True][0]
    print(f"| {name} | {ratio:.2f} | {best[False][1] / best[True][1]:.2f} |", flush=True)
    return ratio


def main():
    words, most = sys.argv[1:], None
    if words[:1] == ["--at-most"]:
        most, words = float(words[1]), words[2:]
    print("| run | time | memory |\n|---|---|---|")
    for n in [int(n) for n in words] or [512, 1024, 2048]:
        gemm = [f"{ROOT}/examples/metalium/matmul_reuse/main.cpp", str(n), str(n), str(n)]
        ratio = row(f"{n}³ GEMM, multicast", [*gemm, "multicast"])
        if most:
            if ratio > most:
                sys.exit(f"{ratio:.2f} times as long, at most {most} expected")
        elif n < 2048:  # what signals more for its work is long enough then
            row(f"{n}³ GEMM, each core reads", gemm)
            row(f"sums of {n} tiles", [f"{ROOT}/examples/metalium/eltwise_binary/main.cpp", str(n)])


main()
