// What a comparison reads keeps all bits of f32 on its way there, also where arithmetic in an op of
// its own comes before it: the sign of a difference of rows and columns is that of the numbers.
// REQUIRES: all
// RUN: tt-run %s --check --seed=3 | FileCheck %s
// RUN: tt-run %s --check --seed=4 --optimize=none | FileCheck %s
// RUN: tt-run %s --check --seed=5 --arch=blackhole --metalium-api=2026-03 | FileCheck %s
// CHECK: SIGN: max abs error 0, {{.*}}: ok
// CHECK: MORE: max abs error 0, {{.*}}: ok
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#r = affine_map<(i) -> (i)>
func.func @exact_differences(%X: memref<192xf32> {tt.name = "X"}, %Y: memref<224xf32> {tt.name = "Y"},
                             %S: memref<192x224xf32> {tt.name = "SIGN"},
                             %M: memref<192x224xf32> {tt.name = "MORE"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %d = memref.alloc() : memref<192x224xf32, #gpu.address_space<private>>
  %h = memref.alloc() : memref<192xf32, #gpu.address_space<private>>
  linalg.generic {indexing_maps = [#i, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%X, %Y : memref<192xf32>, memref<224xf32>) outs(%d : memref<192x224xf32, #gpu.address_space<private>>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %e = arith.subf %x, %y : f32
      linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%d : memref<192x224xf32, #gpu.address_space<private>>) outs(%S : memref<192x224xf32>) {
    ^bb0(%e: f32, %o: f32):
      %is = arith.cmpf ole, %e, %zero : f32
      %s = arith.select %is, %one, %zero : f32
      linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#r, #r], iterator_types = ["parallel"]}
      ins(%X : memref<192xf32>) outs(%h : memref<192xf32, #gpu.address_space<private>>) {
    ^bb0(%x: f32, %o: f32):
      %p = arith.mulf %x, %half : f32
      linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#i, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%h, %Y : memref<192xf32, #gpu.address_space<private>>, memref<224xf32>) outs(%M : memref<192x224xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %is = arith.cmpf ogt, %x, %y : f32
      %s = arith.select %is, %one, %zero : f32
      linalg.yield %s : f32
  }
  return
}
