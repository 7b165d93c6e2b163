#!/usr/bin/env python3
"""What optimizations make of a matrix product, on the emulated device's clock.

usage: bench/gemm.py [--write FILE] [--most N]

C = A x B of N x N x N in bf16, with f32 sums and the four phases of HiFi4, on 8x8 cores: a block
of N/8 x N/8 a core, 32 of K a step. Adds one optimization after the other, and compares with the
hand-written program bench/baseline/matmul_reuse with multicast. N goes from 512 to 2048, or to
4096 with --most 4096; --write puts the tables into a page, between the marks that it has for them.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TILE, PRODUCT_CLK, CORES = 32, 64, 64  # HiFi4: four phases of 16 clk
# In the order in which each gains something: the row before it, and this one as well.
STEPS = ["merge-steps", "share-operands", "block-products", "pack-last-step", "write-as-packed", "use-both-movers", "relay-operands", "sum-in-l1", "lengthen-last-step"]
KERNEL = """\
func.func @gemm(%A: memref<{n}x{n}xbf16> {{tt.name = "A"}}, %B: memref<{n}x{n}xbf16> {{tt.name = "B"}},
                %C: memref<{n}x{n}xbf16> {{tt.name = "C"}}) attributes {{tt.kernel}} {{
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %block = arith.constant {b} : index
  %size = arith.constant {n} : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in ({g}, {g}) {{
    %m = arith.muli %by, %block : index
    %n = arith.muli %bx, %block : index
    %sum = memref.alloc() : memref<{b}x{b}xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<{b}x{b}xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %size step %step {{
      %a = memref.subview %A[%m, %k] [{b}, 32] [1, 1] : memref<{n}x{n}xbf16> to memref<{b}x32xbf16, strided<[{n}, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, {b}] [1, 1] : memref<{n}x{n}xbf16> to memref<32x{b}xbf16, strided<[{n}, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<{b}x32xbf16, strided<[{n}, 1], offset: ?>>, memref<32x{b}xbf16, strided<[{n}, 1], offset: ?>>)
                    outs(%sum : memref<{b}x{b}xf32, #gpu.address_space<private>>)
    }}
    %c = memref.subview %C[%m, %n] [{b}, {b}] [1, 1] : memref<{n}x{n}xbf16> to memref<{b}x{b}xbf16, strided<[{n}, 1], offset: ?>>
    linalg.copy ins(%sum : memref<{b}x{b}xf32, #gpu.address_space<private>>) outs(%c : memref<{b}x{b}xbf16, strided<[{n}, 1], offset: ?>>)
  }}
  return
}}
"""


def clk(*command):
    run = subprocess.run(["tt-run", "--math=fast", "--no-races", *command], capture_output=True, text=True, check=True)
    return int(re.search(r"(\d+) clk on", run.stderr).group(1))


def measure(folder, n):
    path = os.path.join(folder, f"gemm{n}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(KERNEL.format(n=n, b=n // 8, g=8))
    lists = ["none"] + [",".join(STEPS[:i + 1]) for i in range(len(STEPS))]
    return ([clk("--optimize=" + names, path) for names in lists],
            clk("--optimize=all", "--arch=blackhole", "--grid=8x8", path),
            clk(os.path.join(ROOT, "bench/baseline/matmul_reuse/main.cpp"), str(n), str(n), str(n), "multicast", "HiFi4"))


def cell(n, clks):
    return f"{clks} ({100 * (n // TILE) ** 3 * PRODUCT_CLK / CORES / clks:.1f}%)"


def table(sizes, results):
    yield "| |" + "".join(f" {n}³ |" for n in sizes)
    yield "|---|" + "---|" * len(sizes)
    for i, name in enumerate(["none"] + STEPS):
        label = "`optimize=none`" if i == 0 else f"and `{name}`"
        yield f"| {label} |" + "".join(f" {cell(n, r[0][i])} |" for n, r in zip(sizes, results))
    yield "| Blackhole, all |" + "".join(f" {cell(n, r[1])} |" for n, r in zip(sizes, results))
    yield "| by hand: `matmul_reuse` |" + "".join(f" {cell(n, r[2])} |" for n, r in zip(sizes, results))
    yield "| all, to the one by hand |" + "".join(f" {r[2] / r[0][-1]:.2f}× |" for r in results)


def main():
    arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    sizes = [n for n in (512, 1024, 2048, 4096) if n <= int(arguments.get("--most", 2048))]
    with tempfile.TemporaryDirectory() as folder:
        text = "\n".join(table(sizes, [measure(folder, n) for n in sizes])) + "\n"
    if "--write" not in arguments:
        print(text)
        return
    with open(arguments["--write"], encoding="utf-8") as file:
        page = file.read()
    page = re.sub(r"(<!-- gemm -->\n).*?(<!-- end -->)", lambda m: m.group(1) + text + m.group(2), page, flags=re.S)
    with open(arguments["--write"], "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
