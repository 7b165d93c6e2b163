#!/usr/bin/env python3
"""What the emulated device promises of its speed, measured: ratios and seconds of processor time, the
least of some runs, so that what else the machine does counts little.

- An exact bf16 GEMM of n^3 (examples/metalium/matmul_reuse) against a blocked loop in C, compiled with
  -O3 -march=native, one thread each: 8 times its time at most, at any fidelity.
- tt-run on a program that it has seen, until its kernels run: 0.3 s of wall-clock time at most, also when
  several start at once.
- Ten million transfers over the NoC by 64 cores (bench/transfers): a minute at most, and two while it
  looks for races. A tenth of them is run, or all with --all.

usage: bench/device_limits.py [--all] [--check] [N]

With --check, exit status 1 where a limit is passed."""
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TT_RUN = os.path.join(os.environ.get("TW_BIN", os.path.join(ROOT, "build/bin")), "tt-run")
RUNS = 3
# Blocks of operands that stay in the nearest cache, rows in the inner loop for vector instructions.
BLOCKED = """
#include <stdio.h>
#include <time.h>
enum { B = 64 };
static float a[N][N], b[N][N], c[N][N];
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}
int main(void) {
  for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j) a[i][j] = (i * 7 + j) % 13, b[i][j] = (i + 3 * j) % 11;
  double start = now();
  for (int i0 = 0; i0 < N; i0 += B) for (int k0 = 0; k0 < N; k0 += B) for (int j0 = 0; j0 < N; j0 += B)
    for (int i = i0; i < i0 + B; ++i) for (int k = k0; k < k0 + B; ++k)
      for (int j = j0; j < j0 + B; ++j) c[i][j] += a[i][k] * b[k][j];
  printf("%f %f\\n", now() - start, c[1][2]);
}
"""


def processor_time(command):
    before = os.times()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(command)} ends with status {result.returncode}:\n{result.stderr}")
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def least(command):
    processor_time(command)  # what is compiled is kept from here on
    return min(processor_time(command) for _ in range(RUNS))


def blocked_loop(n):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "loop")
        subprocess.run(["cc", "-O3", "-march=native", f"-DN={n}", "-x", "c", "-", "-o", program], input=BLOCKED, text=True,
                       check=True)
        return min(float(subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()[0])
                   for _ in range(RUNS))


def gemm(n):
    """Without what any program costs: that of the smallest one."""
    example = f"{ROOT}/examples/metalium/matmul_reuse/main.cpp"
    run = lambda size: least([TT_RUN, "--math=exact", "--threads=1", example, str(size), str(size), str(size)])
    return run(n) - run(256)


def second_start(at_once):
    """From tt-run to the end of a program of some hundred cycles."""
    command = [TT_RUN, f"{ROOT}/examples/metalium/add_integers/main.cpp"]
    processor_time(command)
    seconds = []
    for _ in range(RUNS):
        start = time.monotonic()
        runs = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(at_once)]
        if any([run.wait() for run in runs]):
            sys.exit("a run fails while others start")
        seconds.append((time.monotonic() - start) / max(1, at_once / os.cpu_count()))
    return min(seconds)


def transfers(n, options):
    return least([TT_RUN, "--metalium-api=2026-03", "--threads=1", *options, f"{ROOT}/bench/transfers/main.cpp", str(n)])


def main():
    words = sys.argv[1:]
    everything, check = "--all" in words, "--check" in words
    n = int(([w for w in words if w.isdigit()] or ["1024"])[0])
    count = 10000000 if everything else 1000000
    rows = [(f"{n}³ GEMM, exact, to a blocked loop", gemm(n) / blocked_loop(n), 8, ""),
            ("second start of a program", second_start(1), 0.3, " s"),
            ("eight second starts at once, a start for each processor", second_start(8), 0.3, " s"),
            ("10^7 transfers, no races looked for", transfers(count, ["--no-races"]) * 1e7 / count, 60, " s"),
            ("10^7 transfers", transfers(count, []) * 1e7 / count, 120, " s")]
    print("| | measured | at most |\n|---|---|---|")
    for name, value, limit, unit in rows:
        print(f"| {name} | {value:.2f}{unit} | {limit}{unit} |")
    sys.exit(check and any(value > limit for _, value, limit, _ in rows))


main()
