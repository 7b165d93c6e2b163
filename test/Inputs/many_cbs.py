"""A kernel of N - 1 additions in a chain, which needs N + 1 circular buffers."""
import sys

n = int(sys.argv[1])
print("#id = affine_map<(i, j) -> (i, j)>")
print("func.func @chain(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel} {")
print('  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}')
print("      ins(%A : memref<32x32xf32>) outs(%B : memref<32x32xf32>) {")
print("    ^bb0(%v0: f32, %old: f32):")
for i in range(1, n + 1):
    print(f"      %v{i} = arith.{'addf' if i % 2 else 'mulf'} %v{i - 1}, %v0 : f32")
print(f"      linalg.yield %v{n} : f32")
print("  }\n  return\n}")
