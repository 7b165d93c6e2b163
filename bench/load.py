#!/usr/bin/env python3
"""Large inputs: user time and memory of the compiler, as they grow from one size to the next.

Modules of many kernels, kernels of many ops, all circular buffers of the chip, deep loops and long ones, large grids:
all the way from level 1 to the emitted files. Time and memory are linear if both grow as the size does, or less.

usage: bench/load.py [BUILD [CASE [SMALL LARGE MOST [SIZE MB]]]]      about two minutes
CASE is the name of a function below; with sizes, it fails where time grows by more than MOST from one to the other, or
where SIZE would take more than MB of memory, growing on as it does between the two.
"""
import os
import re
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build")
SHARED, PRIVATE, TENSOR = (f"memref<32x32xbf16{s}>" for s in (", #gpu.address_space<workgroup>",
                                                             ", #gpu.address_space<private>", ""))


def header(name): return f"func.func @{name}(%A: {TENSOR}, %B: {TENSOR}) attributes {{tt.kernel}} {{\n"


def kernels(n):
    with open(os.path.join(ROOT, "test/Inputs/gemm.mlir"), encoding="utf-8") as file: text = file.read()
    return "".join(text.replace("@gemm", f"@gemm{i}") for i in range(n))


def host(n):
    """A host function of n launches of one kernel."""
    with open(os.path.join(ROOT, "test/Inputs/gemm.mlir"), encoding="utf-8") as file: text = file.read()
    types = [p.split(":")[1].split("{")[0].strip() for p in text.split("@gemm(")[1].split(")")[0].split("%")[1:]]
    types = [t.rstrip(", ") for t in types]
    arguments = ", ".join(f"%{v}: {t}" for v, t in zip("ABC", types))
    call = f"  func.call @gemm(%A, %B, %C) : ({', '.join(types)}) -> ()\n"
    return text + f"func.func @all({arguments}) attributes {{tt.host}} {{\n" + call * n + "  return\n}\n"


def body(n):
    """One linalg.generic whose body has n ops."""
    ident = "affine_map<(i, j) -> (i, j)>"
    lines = "".join(f"    %v{i + 1} = arith.{'addf' if i % 2 else 'mulf'} %v{i}, %x : bf16\n" for i in range(n))
    return (header("k") + f'  linalg.generic {{indexing_maps = [{ident}, {ident}], iterator_types = ["parallel", "parallel"]}}\n'
            f"      ins(%A : {TENSOR}) outs(%B : {TENSOR}) {{\n  ^bb0(%x: bf16, %o: bf16):\n    %v0 = arith.addf %x, %x : bf16\n"
            f"{lines}    linalg.yield %v{n} : bf16\n  }}\n  return\n}}\n")


def updates(n):
    """A value that n ops of their own change in place."""
    ops = "".join(f"  linalg.{'mul' if i % 2 else 'add'} ins(%x, %a : {PRIVATE}, {SHARED}) outs(%x : {PRIVATE})\n" for i in range(n))
    return (header("k") + f"  %a = memref.alloc() : {SHARED}\n  %x = memref.alloc() : {PRIVATE}\n"
            f"  memref.copy %A, %a : {TENSOR} to {SHARED}\n  linalg.exp ins(%a : {SHARED}) outs(%x : {PRIVATE})\n{ops}"
            f"  memref.copy %x, %B : {PRIVATE} to {TENSOR}\n  return\n}}\n")


def loops(n):
    """The same, with a loop around each of n ops."""
    ops = "".join(f"  scf.for %i{i} = %c0 to %c2 step %c1 {{\n    linalg.{'mul' if i % 2 else 'add'} ins(%x, %a : {PRIVATE}, {SHARED}) outs(%x : {PRIVATE})\n  }}\n"
                  for i in range(n))
    return (header("k") + "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n"
            f"  %a = memref.alloc() : {SHARED}\n  %x = memref.alloc() : {PRIVATE}\n"
            f"  memref.copy %A, %a : {TENSOR} to {SHARED}\n  linalg.exp ins(%a : {SHARED}) outs(%x : {PRIVATE})\n{ops}"
            f"  memref.copy %x, %B : {PRIVATE} to {TENSOR}\n  return\n}}\n")


def products(n):
    """A sum of n products."""
    ops = f"  linalg.matmul ins(%a, %b : {SHARED}, {SHARED}) outs(%x : {PRIVATE})\n" * n
    return (header("k") + f"  %zero = arith.constant 0.0 : bf16\n  %a = memref.alloc() : {SHARED}\n  %b = memref.alloc() : {SHARED}\n"
            f"  %x = memref.alloc() : {PRIVATE}\n  memref.copy %A, %a : {TENSOR} to {SHARED}\n"
            f"  memref.copy %A, %b : {TENSOR} to {SHARED}\n  linalg.fill ins(%zero : bf16) outs(%x : {PRIVATE})\n{ops}"
            f"  memref.copy %x, %B : {PRIVATE} to {TENSOR}\n  return\n}}\n")


def scalars(n):
    """A kernel of n scalar arguments, each added once."""
    arguments = "".join(f", %s{i}: f32" for i in range(n))
    ident = "affine_map<(i, j) -> (i, j)>"
    lines = "".join(f"    %v{i + 1} = arith.addf %v{i}, %s{i} : f32\n" for i in range(n))
    tensor = TENSOR.replace("bf16", "f32")
    return (f"func.func @k(%A: {tensor}, %B: {tensor}{arguments}) attributes {{tt.kernel}} {{\n"
            f'  linalg.generic {{indexing_maps = [{ident}, {ident}], iterator_types = ["parallel", "parallel"]}}\n'
            f"      ins(%A : {tensor}) outs(%B : {tensor}) {{\n  ^bb0(%v0: f32, %o: f32):\n{lines}    linalg.yield %v{n} : f32\n  }}\n"
            "  return\n}\n")


def steps(n):
    """A level-3 program of n tiles without loops: some 20 n ops."""
    with open(os.path.join(ROOT, "test/Inputs/program.mlir"), encoding="utf-8") as file: text = file.read()

    def unrolled(match):
        lines = re.sub(r"//.*", "", match[1])
        return "".join(f"      %i{i} = arith.constant {i} : index\n" + re.sub(r"%(i|ptr)\b", rf"%\g<1>{i}", lines) for i in range(n))
    text = re.sub(r"      scf\.for[^\n]*\n(.*?)      \}\n", unrolled, text, flags=re.S)
    return text.replace("64x64", f"32x{32 * n}").replace("tt.grid_tiles = array<i64: 2, 2>", f"tt.grid_tiles = array<i64: 1, {n}>")


def buffers(n):
    """A chain through n circular buffers: Blackhole has 64."""
    done = subprocess.run([sys.executable, os.path.join(ROOT, "test/Inputs/many_cbs.py"), str(n)], check=True,
                          capture_output=True, text=True)
    return "module attributes {tt.target = #tt.target<arch = blackhole, grid = 8x8>} {\n" + done.stdout + "}\n"


def nest(n):
    """n loops around a copy."""
    text = header("k") + "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n"
    text += "".join(f"  scf.for %i{i} = %c0 to %c2 step %c1 {{\n" for i in range(n))
    return text + f"  memref.copy %A, %B : {TENSOR} to {TENSOR}\n" + "  }\n" * n + "  return\n}\n"


def trips(n):
    """A loop of n rounds."""
    return (header("k") + f"  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = arith.constant {n} : index\n"
            f"  scf.for %i = %c0 to %n step %c1 {{\n    memref.copy %A, %B : {TENSOR} to {TENSOR}\n  }}\n  return\n}}\n")


def grid(n):
    """A grid of n x n cells, a block of the tensor each."""
    big = f"memref<{32 * n}x{32 * n}xbf16>"
    view = f"memref<32x32xbf16, strided<[{32 * n}, 1], offset: ?>>"
    return (f"func.func @k(%A: {big}, %B: {big}) attributes {{tt.kernel}} {{\n  %c32 = arith.constant 32 : index\n"
            f"  scf.forall (%y, %x) in ({n}, {n}) {{\n    %m = arith.muli %y, %c32 : index\n    %n = arith.muli %x, %c32 : index\n"
            f"    %a = memref.subview %A[%m, %n] [32, 32] [1, 1] : {big} to {view}\n"
            f"    %b = memref.subview %B[%m, %n] [32, 32] [1, 1] : {big} to {view}\n"
            f"    memref.copy %a, %b : {view} to {view}\n  }}\n  return\n}}\n")


def measure(path, passes):
    """User and system time, and the largest memory, of both tools."""
    out = path + ".out.mlir"
    seconds = kilobytes = 0
    for command in ([f"{BUILD}/bin/tt-opt", *passes, path, "-o", out],
                    [f"{BUILD}/bin/tt-translate", "--emit-metalium", out, "-o", "/dev/null"]):
        with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
            errors = process.stderr.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode: sys.exit(f"{' '.join(command)}: {errors.decode()[:500]}")
        seconds += used.ru_utime + used.ru_stime
        kilobytes = max(kilobytes, used.ru_maxrss)
    return seconds, kilobytes / 1024


CASES = [("kernels in a module", kernels, (100, 1000, 10000)), ("launches in a host function", host, (100, 1000, 10000)),
         ("ops in a body", body, (100, 1000, 10000)), ("updates in place", updates, (200, 400, 800, 1600)),
         ("loops of updates in place", loops, (200, 400, 800, 1600)), ("products of a sum", products, (200, 400, 800, 1600)),
         ("scalar arguments", scalars, (40, 80, 160, 320)), ("tiles of a program without loops", steps, (100, 1000, 10000)),
         ("circular buffers", buffers, (15, 30, 61)), ("nested loops", nest, (2, 8, 16)),
         ("rounds of a loop", trips, (1000, 1000000, 1000000000)), ("cells of a grid, squared", grid, (10, 100, 1000))]


def run(scratch, what, make, sizes):
    """A row a size; the growth from the first to the last."""
    rows = []
    for n in sizes:
        path = os.path.join(scratch, f"{make.__name__}{n}.mlir")
        with open(path, "w", encoding="utf-8") as file: file.write(make(n))
        rows.append(measure(path, ["--tt-stage-e", "--tt-verify-ir"] if make is steps else ["--tt-pipeline"]))
        growth = tuple(f"{a / b:.1f}" for a, b in zip(rows[-1], rows[-2])) if len(rows) > 1 else ("", "")
        print(f"| {what} | {n} | {rows[-1][0]:.2f} s | {growth[0]} | {rows[-1][1]:.0f} MB | {growth[1]} |", flush=True)
    return rows


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    only, limits = sys.argv[2] if len(sys.argv) > 2 else "", [int(x) for x in sys.argv[3:]]
    print("| | size | time | growth | memory | growth |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for what, make, sizes in CASES:
            if only and only != make.__name__: continue
            rows = run(scratch, what, make, limits[:2] or sizes)
            growth = rows[-1][0] / rows[0][0]
            if limits and growth > limits[2]:  # what else the machine does counts in one run, not in the less of two
                again = run(scratch, what, make, limits[:2])
                growth = min(rows[-1][0], again[-1][0]) / min(rows[0][0], again[0][0])
            if limits and growth > limits[2]: sys.exit(f"time grew {growth:.1f} times")
            if len(limits) > 3:
                small, large, _, size, most = limits
                memory = rows[-1][1] + (size - large) * (rows[-1][1] - rows[0][1]) / (large - small)
                print(f"{size} take {memory:.0f} MB")
                if memory > most: sys.exit(f"that is more than {most} MB")


if __name__ == "__main__": main()
