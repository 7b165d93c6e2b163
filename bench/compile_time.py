#!/usr/bin/env python3
"""Compile time, as ratios within one run.

For modules of 1, 10, 100 and 1000 copies of a GEMM: user time of
`tt-opt --tt-pipeline` against `mlir-opt` lowering the same kernels to the LLVM
dialect, and its growth from one size to the next.

usage: bench/compile_time.py [BUILD]
"""
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build")
TO_LLVM = ("builtin.module(func.func(scf-forall-to-for,convert-linalg-to-loops),expand-strided-metadata,"
           "lower-affine,convert-scf-to-cf,arith-expand{include-bf16=true},finalize-memref-to-llvm,"
           "convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
           "reconcile-unrealized-casts)")


def seconds(command):
    best = None
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = used if best is None else min(best, used)
    return best


def main():
    with open(os.path.join(ROOT, "test/Inputs/gemm.mlir"), encoding="utf-8") as file:
        kernel = file.read()
    # LLVM's lowering refuses gpu address spaces; its copy has none.
    plain = kernel.replace(", #gpu.address_space<workgroup>", "").replace(", #gpu.address_space<private>", "")
    plain = plain.replace(" {tt.name = \"A\"}", "").replace(" {tt.name = \"B\"}", "").replace(" {tt.name = \"C\"}", "")
    plain = plain.replace(" attributes {tt.kernel}", "").replace(" {tt.num_stages = 3 : i64}", "")
    print("kernels   tt-opt --tt-pipeline   mlir-opt to LLVM   ratio   growth")
    before = None
    with tempfile.TemporaryDirectory() as scratch:
        for n in (1, 10, 100, 1000):
            ours, theirs = os.path.join(scratch, "ours.mlir"), os.path.join(scratch, "theirs.mlir")
            for path, text in ((ours, kernel), (theirs, plain)):
                with open(path, "w", encoding="utf-8") as file:
                    for i in range(n):
                        file.write(text.replace("@gemm", f"@gemm{i}"))
            a = seconds([os.path.join(BUILD, "bin/tt-opt"), "--tt-pipeline", ours])
            b = seconds(["mlir-opt-22", f"--pass-pipeline={TO_LLVM}", "--mlir-disable-threading", theirs])
            growth = "" if before is None else f"{a / before:6.1f}x"
            print(f"{n:7d} {a:20.3f} s {b:16.3f} s {a / b:7.2f} {growth}")
            before = a


if __name__ == "__main__":
    main()
