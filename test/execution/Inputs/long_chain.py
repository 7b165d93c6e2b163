"""A kernel whose body chooses N times, each time between the sum so far and one term more: long_chain.py N."""
import sys

print("func.func @chain(%X: memref<64xf32>, %Y: memref<64x40xf32> {tt.name = \"Y\"}) attributes {tt.kernel} {")
print("  affine.parallel (%j, %i) = (0, 0) to (64, 40) {")
print("    %x = affine.load %X[%j] : memref<64xf32>\n    %s0 = arith.negf %x : f32")
n = int(sys.argv[1])
for k in range(n):
    print(f"    %k{k} = arith.constant {k / n} : f32\n    %c{k} = arith.cmpf ogt, %x, %k{k} : f32")
    print(f"    %t{k} = arith.addf %s{k}, %x : f32")
    print(f"    %s{k + 1} = arith.select %c{k}, %t{k}, %s{k} : f32")
print(f"    affine.store %s{n}, %Y[%j, %i] : memref<64x40xf32>\n  }}\n  return\n}}")
