#!/usr/bin/env python3
"""Large inputs: user time and memory of the compiler, as they grow from one size to the next.

Modules of many kernels, kernels of many ops, all circular buffers of the chip, deep loops and long ones, large grids:
all the way from level 1 to the emitted files. Time and memory are linear if both grow as the size does, or less.

usage: bench/load.py [BUILD]            about two minutes
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
         ("ops in a body", body, (100, 1000, 10000)), ("tiles of a program without loops", steps, (100, 1000, 10000)),
         ("circular buffers", buffers, (15, 30, 61)), ("nested loops", nest, (2, 8, 16)),
         ("rounds of a loop", trips, (1000, 1000000, 1000000000)), ("cells of a grid, squared", grid, (10, 100, 1000))]


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    print("| | size | time | growth | memory | growth |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for what, make, sizes in CASES:
            before = None
            for n in sizes:
                path = os.path.join(scratch, f"{make.__name__}{n}.mlir")
                with open(path, "w", encoding="utf-8") as file: file.write(make(n))
                if only and only != make.__name__: continue
                time, memory = measure(path, ["--tt-stage-e", "--tt-verify-ir"] if make is steps else ["--tt-pipeline"])
                growth = ("", "") if before is None else tuple(f"{a / b:.1f}" for a, b in zip((time, memory), before))
                print(f"| {what} | {n} | {time:.2f} s | {growth[0]} | {memory:.0f} MB | {growth[1]} |", flush=True)
                before = (time, memory)


if __name__ == "__main__": main()
