#!/usr/bin/env python3
"""Speed and memory of the emulated device, as ratios within one run.

A bf16 GEMM of n^3 on all cores of a Wormhole (examples/metalium/matmul_reuse), against plain C
loops, compiled with -O3, that do the same multiplications and additions in f32: the textbook's
order (i, j, k), and that which the compiler turns into vector instructions (i, k, j). Only the
emulation is counted, not compilation. Memory is that of the process against the tensors and
the cores' L1.

usage: bench/emulator_speed.py [N ...]
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TT_RUN = os.path.join(ROOT, "build/bin/tt-run")
EXAMPLE = os.path.join(ROOT, "examples/metalium/matmul_reuse/main.cpp")
LOOPS = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static float a[N][N], b[N][N], c[N][N];
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
int main(void) {
  for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j) a[i][j] = (i * 7 + j) % 13, b[i][j] = (i + 3 * j) % 11;
  double start = now();
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) { float sum = 0; for (int k = 0; k < N; ++k) sum += a[i][k] * b[k][j]; c[i][j] = sum; }
  double middle = now();
  for (int i = 0; i < N; ++i) for (int k = 0; k < N; ++k) for (int j = 0; j < N; ++j) c[i][j] += a[i][k] * b[k][j];
  printf("%f %f %f\\n", middle - start, now() - middle, c[1][2]);
}
"""


def loops(n):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "loops")
        subprocess.run(["cc", "-O3", f"-DN={n}", "-x", "c", "-", "-o", program], input=LOOPS, text=True, check=True)
        ijk, ikj, _ = map(float, subprocess.run([program], capture_output=True, text=True, check=True).stdout.split())
        return ijk, ikj


def emulate(n, math):
    command = [TT_RUN, f"--math={math}", EXAMPLE, str(n), str(n), str(n)]
    subprocess.run(command, capture_output=True, check=False)  # kernels are kept from here on
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"emulated in ([\d.]+) s, (\d+) MB", result.stderr)
    return float(found.group(1)), float(found.group(2))


def main():
    sizes = [int(n) for n in sys.argv[1:]] or [512, 1024]
    before = {}
    print("| GEMM | math | to loops i, j, k | to loops i, k, j | growth for the work | memory to tensors and L1 |")
    print("|---|---|---|---|---|---|")
    for n in sizes:
        ijk, ikj = loops(n)
        for math in ("fast", "exact"):
            seconds, megabytes = emulate(n, math)
            data = (3 * n * n * 2 + 64 * 1395424) / 1e6
            growth = f"{seconds / before[math][1] / (n / before[math][0]) ** 3:.2f}" if math in before else ""
            before[math] = (n, seconds)
            print(f"| {n}³ | {math} | {seconds / ijk:.2f} | {seconds / ikj:.1f} | {growth} | {megabytes / data:.2f} |")


main()
