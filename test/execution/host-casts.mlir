// A host function hands tensors of known sizes to a kernel of open sizes by memref.cast, which only says less of them: the same
// tensor, also one that only the device has.
// RUN: tt-run %s --check --strict --shape x=40x96 | FileCheck %s
// RUN: not tt-run %s --shape x=40x80 2>&1 | FileCheck %s --check-prefix=OTHER
// CHECK: y: {{.*}}: ok
// OTHER: scale: y_d1 is 96, but x_d1 is 80
func.func @scale(%x: memref<?x?xf32> {tt.name = "x"}, %y: memref<?x?xf32> {tt.name = "y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.mulf %a, %two : f32
    linalg.yield %b : f32
  }
  return
}
func.func @main(%x: memref<40x?xf32> {tt.name = "x"}, %y: memref<40x96xf32> {tt.name = "y"}) attributes {tt.host} {
  %a = memref.cast %x : memref<40x?xf32> to memref<?x?xf32>
  %t = memref.alloc() : memref<40x96xf32>
  %b = memref.cast %t : memref<40x96xf32> to memref<?x?xf32>
  %c = memref.cast %y : memref<40x96xf32> to memref<?x?xf32>
  call @scale(%a, %b) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  call @scale(%b, %c) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
