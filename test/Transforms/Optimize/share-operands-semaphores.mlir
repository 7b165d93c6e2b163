// Each tensor that cores send each other takes two semaphores, of which a core has 16: the ninth and the tenth stay as they are.
// RUN: tt-opt --tt-pipeline=optimize=share-operands --remarks-filter=tt-share-operands %s -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-8: [Passed] tt-share-operands
// CHECK-COUNT-2: is not shared: no semaphores are left
// CHECK-NOT: error
#m = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (j)>
func.func @weights(%x: memref<2048x64xf32> {tt.name = "x"}, %w0: memref<64xf32> {tt.name = "w0"}, %w1: memref<64xf32> {tt.name = "w1"}, %w2: memref<64xf32> {tt.name = "w2"}, %w3: memref<64xf32> {tt.name = "w3"}, %w4: memref<64xf32> {tt.name = "w4"}, %w5: memref<64xf32> {tt.name = "w5"}, %w6: memref<64xf32> {tt.name = "w6"}, %w7: memref<64xf32> {tt.name = "w7"}, %w8: memref<64xf32> {tt.name = "w8"}, %w9: memref<64xf32> {tt.name = "w9"}, %y: memref<2048x64xf32> {tt.name = "y"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  scf.forall (%i) in (64) {
    %at = arith.muli %i, %c32 : index
    %a = memref.subview %x[%at, 0] [32, 64] [1, 1] : memref<2048x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %b = memref.subview %y[%at, 0] [32, 64] [1, 1] : memref<2048x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [#m, #r, #r, #r, #r, #r, #r, #r, #r, #r, #r, #m], iterator_types = ["parallel", "parallel"]}
        ins(%a, %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7, %w8, %w9 : memref<32x64xf32, strided<[64, 1], offset: ?>>, memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>)
        outs(%b : memref<32x64xf32, strided<[64, 1], offset: ?>>) {
    ^bb0(%v: f32, %u0: f32, %u1: f32, %u2: f32, %u3: f32, %u4: f32, %u5: f32, %u6: f32, %u7: f32, %u8: f32, %u9: f32, %o: f32):
      %s0 = arith.mulf %v, %u0 : f32
      %s1 = arith.addf %s0, %u1 : f32
      %s2 = arith.mulf %s1, %u2 : f32
      %s3 = arith.addf %s2, %u3 : f32
      %s4 = arith.mulf %s3, %u4 : f32
      %s5 = arith.addf %s4, %u5 : f32
      %s6 = arith.mulf %s5, %u6 : f32
      %s7 = arith.addf %s6, %u7 : f32
      %s8 = arith.mulf %s7, %u8 : f32
      %s9 = arith.addf %s8, %u9 : f32
      linalg.yield %s9 : f32
    }
  }
  return
}
