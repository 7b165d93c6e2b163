#!/usr/bin/env python3
"""Elements of each float type stored in each format: a function, a product, a copy and a sum of rows, of
ragged sizes, on both chips.

usage: formats.py [N]: every N-th pair
"""
import os
import subprocess
import sys
import tempfile

KERNEL = """func.func @k(%X: memref<50x70xOWN> {tt.name = "X", tt.layout = {dtype = "STORED"}},
    %W: memref<70x40xOWN> {tt.name = "W", tt.layout = {dtype = "FACTOR"}}, %Y: memref<50x70xOWN> {tt.name = "Y", tt.layout = {dtype = "STORED"}},
    %Z: memref<50x40xf32> {tt.name = "Z", tt.layout = {dtype = "STORED"}},
    %V: memref<50x70xOWN> {tt.name = "V", tt.layout = {dtype = "STORED"}},
    %S: memref<50xf32> {tt.name = "S"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.tanh ins(%X : memref<50x70xOWN>) outs(%Y : memref<50x70xOWN>)
  %acc = memref.alloc() : memref<50x40xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<50x40xf32>)
  linalg.matmul ins(%X, %W : memref<50x70xOWN>, memref<70x40xOWN>) outs(%acc : memref<50x40xf32>)
  memref.copy %acc, %Z : memref<50x40xf32> to memref<50x40xf32>
  memref.copy %X, %V : memref<50x70xOWN> to memref<50x70xOWN>
  %s = memref.alloc() : memref<50xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<50xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]} ins(%X : memref<50x70xOWN>) outs(%s : memref<50xf32>) {
    ^bb0(%a: OWN, %old: f32):
      %w = WIDEN
      %r = arith.addf %w, %old : f32
      linalg.yield %r : f32
  }
  memref.copy %s, %S : memref<50xf32> to memref<50xf32>
  return
}
"""
matching = count = seen = 0
step = int(sys.argv[1]) if len(sys.argv) > 1 else 1
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "kernel.mlir")
    for own in ("bf16", "f16", "f32"):
        for stored in ("bf16", "fp16", "fp32", "bfp8_b", "bfp4_b"):
            # Exponents are of one width in a kernel, or Float32's.
            name = {"bf16": "bf16", "f16": "fp16", "f32": "fp32"}[own]
            factor = "fp32" if "fp16" in (name, stored) and name != stored else name
            widen = "arith.mulf %a, %a : f32" if own == "f32" else f"arith.extf %a : {own} to f32"
            with open(path, "w", encoding="utf-8") as file:
                file.write(KERNEL.replace("OWN", own).replace("STORED", stored).replace("FACTOR", factor).replace("WIDEN", widen))
            for arch in ("wormhole_b0", "blackhole"):
                seen += 1
                if (seen - 1) % step:
                    continue
                done = subprocess.run(["tt-run", path, "--check", "--arch", arch], capture_output=True, text=True,
                                      check=False)
                count += 1
                matching += done.returncode == 0
                if done.returncode:
                    print(f"{own} stored as {stored} on {arch}:\n{done.stdout}{done.stderr[-2000:]}")
print(f"{matching} of {count} pairs of element and format match")
sys.exit(matching != count)
