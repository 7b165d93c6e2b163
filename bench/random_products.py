#!/usr/bin/env python3
"""What products of random sizes, in random blocks, reach of what the chip allows.

usage: bench/random_products.py [--seed N] [--count N] [--write FILE]

Clk are those of the emulated device. Sizes are up to 128 tiles, blocks and steps of K divide them;
operands are stored as they are or turned, sums are f32 or bf16, half of the kernels add a bias and
take the positive part, grids are 8x8 and 8x7 of Wormhole and 13x10 of Blackhole. The bound is the
larger of each tensor moved once and whole tiles of products on the busiest core. --write puts the
table of shares into a page, between its marks.
"""
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

TILE = 32
SIZES = (1, 2, 3, 4, 5, 7, 8, 10, 12, 16, 20, 24, 28, 32, 36, 40, 48, 50, 60, 64, 86, 96, 128)
# The grid, and B/clk of DRAM.
CHIPS = (("wormhole_b0", 8, 8, 267), ("wormhole_b0", 8, 7, 267), ("blackhole", 13, 10, 320))
HIFI4 = 64  # clk a product of tiles
MOST = 1.2e9  # of M x N x K: some seconds of emulation
LEAST = 6.5e7  # smaller ones are launches and latencies


def divisor(rng, tiles, most):
    return rng.choice([d for d in range(1, min(tiles, most) + 1) if tiles % d == 0])


class Product:
    def __init__(self, rng):
        self.m, self.n, self.k = 0, 0, 0
        while not LEAST <= self.m * self.n * self.k * TILE ** 3 <= MOST:
            self.m, self.n, self.k = (rng.choice(SIZES) for _ in range(3))
        self.bm, self.bn = divisor(rng, self.m, 12), divisor(rng, self.n, 12)
        self.bk = divisor(rng, self.k, 8)
        self.turned = (rng.random() < 0.2, rng.random() < 0.3)
        self.bias, self.sums = rng.random() < 0.5, rng.choice(("f32", "f32", "bf16"))
        self.across = rng.random() < 0.5  # cells go along rows of results first
        self.chip = rng.choice(CHIPS)

    def bound(self):
        _, x, y, rate = self.chip
        moved = (self.m * self.k + self.k * self.n + self.m * self.n) * 2 * TILE * TILE / rate
        return max(moved, -(-self.m * self.n // (x * y)) * self.k * HIFI4)

    def name(self):
        marks = "".join(mark for mark, on in zip("AB", self.turned) if on)
        arch, x, y, _ = self.chip
        how = (" turned " + marks if marks else "") + (" bias" if self.bias else "")
        return (f"{self.m}x{self.n}x{self.k} in {self.bm}x{self.bn}x{self.bk}{how} {self.sums} "
                f"{arch} {x}x{y}")

    def finish(self, n, sum_type, c_type, bn):
        """The end of a cell: results, with a bias, or as they are."""
        if not self.bias:
            return f"    linalg.copy ins(%sum : {sum_type}) outs(%c : {c_type})\n"
        bias = f"memref<{bn}xbf16, strided<[1], offset: ?>>"
        wide, ij = self.sums == "f32", "affine_map<(i, j) -> (i, j)>"
        return f"""\
    %w = memref.subview %bias[%n] [{bn}] [1] : memref<{n}xbf16> to {bias}
    linalg.generic {{indexing_maps = [{ij}, affine_map<(i, j) -> (j)>, {ij}],
                    iterator_types = ["parallel", "parallel"]}}
        ins(%sum, %w : {sum_type}, {bias}) outs(%c : {c_type}) {{
    ^bb0(%x: {self.sums}, %y: bf16, %o: bf16):
      {'%e = arith.extf %y : bf16 to f32' if wide else ''}
      %s = arith.addf %x, {'%e' if wide else '%y'} : {self.sums}
      %r = arith.maximumf %s, %zero : {self.sums}
      {'%t = arith.truncf %r : f32 to bf16' if wide else ''}
      linalg.yield {'%t' if wide else '%r'} : bf16
    }}
"""

    def text(self):
        m, n, k = TILE * self.m, TILE * self.n, TILE * self.k
        bm, bn, bk = TILE * self.bm, TILE * self.bn, TILE * self.bk

        def operand(turned, rows, cols, block_rows, block_cols, at):
            shape, block, at = [rows, cols], [block_rows, block_cols], list(at)
            if turned:
                shape, block, at = shape[::-1], block[::-1], at[::-1]
            view = f"memref<{block[0]}x{block[1]}xbf16, strided<[{shape[1]}, 1], offset: ?>>"
            place = f"[{at[0]}, {at[1]}] [{block[0]}, {block[1]}] [1, 1]"
            return f"memref<{shape[0]}x{shape[1]}xbf16>", view, place

        a, a_view, a_at = operand(self.turned[0], m, k, bm, bk, ("%m", "%k"))
        b, b_view, b_at = operand(self.turned[1], k, n, bk, bn, ("%k", "%n"))
        c, c_view, c_at = operand(False, m, n, bm, bn, ("%m", "%n"))
        takes = ("(k, i)" if self.turned[0] else "(i, k)",
                 "(j, k)" if self.turned[1] else "(k, j)", "(i, j)")
        maps = ", ".join(f"affine_map<(i, j, k) -> {places}>" for places in takes)
        cells = [("%i", m // bm), ("%j", n // bn)][:: 1 if self.across else -1]
        sum_type = f"memref<{bm}x{bn}x{self.sums}>"
        bias = f', %bias: memref<{n}xbf16> {{tt.name = "bias"}}' if self.bias else ""
        return f"""\
func.func @product(%A: {a} {{tt.name = "A"}}, %B: {b} {{tt.name = "B"}}{bias},
                   %C: {c} {{tt.name = "C"}}) attributes {{tt.kernel}} {{
  %c0 = arith.constant 0 : index
  %bm = arith.constant {bm} : index
  %bn = arith.constant {bn} : index
  %bk = arith.constant {bk} : index
  %all = arith.constant {k} : index
  %zero = arith.constant 0.0 : {self.sums}
  scf.forall ({', '.join(cell for cell, _ in cells)}) in ({', '.join(str(n) for _, n in cells)}) {{
    %m = arith.muli %i, %bm : index
    %n = arith.muli %j, %bn : index
    %sum = memref.alloc() : {sum_type}
    linalg.fill ins(%zero : {self.sums}) outs(%sum : {sum_type})
    scf.for %k = %c0 to %all step %bk {{
      %a = memref.subview %A{a_at} : {a} to {a_view}
      %b = memref.subview %B{b_at} : {b} to {b_view}
      linalg.matmul indexing_maps = [{maps}]
          ins(%a, %b : {a_view}, {b_view}) outs(%sum : {sum_type})
    }}
    %c = memref.subview %C{c_at} : {c} to {c_view}
{self.finish(n, sum_type, c_view, bn)}  }}
  return
}}
"""


def run(product, path):
    """Clk, or None where it is refused."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(product.text())
    arch, x, y, _ = product.chip
    command = ["tt-run", "--math=fast", "--no-races", f"--arch={arch}", f"--grid={x}x{y}", path]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"(\d+) clk on", done.stderr)
    if not found:
        print(f"refused: {product.name()}: {done.stderr.strip() or done.returncode}")
    return int(found.group(1)) if found else None


def main():
    arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    seed, count = int(arguments.get("--seed", 1)), int(arguments.get("--count", 50))
    rng, shares = random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(count):
            product = Product(rng)
            clk = run(product, os.path.join(folder, "product.mlir"))
            if clk:
                shares.append(product.bound() / clk)
                print(f"{100 * shares[-1]:5.1f}% {clk:8d} clk  {product.name()}", flush=True)
    if not shares:
        sys.exit("no product ran")
    shares.sort()
    told = (shares[0], shares[len(shares) // 4], statistics.median(shares), shares[-1])
    row = (f"| {count}, of seed {seed} | {count - len(shares)} | " +
           " | ".join(f"{100 * share:.0f}%" for share in told) + " |\n")
    print(row, end="")
    if "--write" in arguments:
        with open(arguments["--write"], encoding="utf-8") as file:
            page = file.read()
        head = ("| products | refused | least | a quarter below | half below | most |\n"
                "|---|---|---|---|---|---|\n")
        page = re.sub(r"(<!-- random -->\n).*?(<!-- end -->)",
                      lambda m: m.group(1) + head + row + m.group(2), page, count=1, flags=re.S)
        with open(arguments["--write"], "w", encoding="utf-8") as file:
            file.write(page)


if __name__ == "__main__":
    main()
