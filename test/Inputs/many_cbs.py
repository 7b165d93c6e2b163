"""A kernel of N additions and products in a chain, with a buffer after each: N + 1 circular buffers."""
import sys

n = int(sys.argv[1])
shared = "memref<32x32xf32, #gpu.address_space<workgroup>>"
private = "memref<32x32xf32, #gpu.address_space<private>>"
print("func.func @chain(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel} {")
print(f"  %v0 = memref.alloc() : {shared}")
print(f"  memref.copy %A, %v0 : memref<32x32xf32> to {shared}")
for i in range(1, n + 1):
    before = shared if i == 1 else private
    out = "%B : memref<32x32xf32>" if i == n else f"%v{i} : {private}"
    if i < n:
        print(f"  %v{i} = memref.alloc() : {private}")
    op = "add" if i % 2 else "mul"
    print(f"  linalg.{op} ins(%v{i - 1}, %v0 : {before}, {shared}) outs({out})")
print("  return\n}")
