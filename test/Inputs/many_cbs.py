"""A kernel of N sums and differences in a chain, with a buffer after each: N + 1 circular buffers. With `together`, the
chain takes N others as well, all computed before it."""
import sys

n = int(sys.argv[1])
together = "together" in sys.argv
shared = "memref<32x32xf32, #gpu.address_space<workgroup>>"
private = "memref<32x32xf32, #gpu.address_space<private>>"
print("func.func @chain(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel} {")
print(f"  %v0 = memref.alloc() : {shared}")
print(f"  memref.copy %A, %v0 : memref<32x32xf32> to {shared}")
for i in range(1, n + 1 if together else 0):
    print(f"  %w{i} = memref.alloc() : {private}")
    print(f"  linalg.add ins(%v0, %v0 : {shared}, {shared}) outs(%w{i} : {private})")
for i in range(1, n + 1):
    before = shared if i == 1 else private
    out = "%B : memref<32x32xf32>" if i == n else f"%v{i} : {private}"
    if i < n:
        print(f"  %v{i} = memref.alloc() : {private}")
    op = "sub" if i % 2 else "add"
    other, type_ = (f"%w{i}", private) if together else ("%v0", shared)
    print(f"  linalg.{op} ins(%v{i - 1}, {other} : {before}, {type_}) outs({out})")
print("  return\n}")
