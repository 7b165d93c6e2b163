// D = (A x Bᵀ) x C, as in attention without its softmax: the first product is the
// second one's operand, and never leaves the core.
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s
// CHECK: D: max abs error {{.*}}: ok
// RUN: tt-opt %s --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --canonicalize | FileCheck %s --check-prefix=IR

// The outer sum fits DST, but the inner product needs DST before it is complete: it waits
// in a circular buffer. The inner one stays in DST.
// IR: tt.kernel @compute
// IR: tt.mm.mma %{{.*}}, %{{.*}} transpose_b, dst = 0, accumulate = %false : {{.*}}
// IR: tt.mm.mma {{.*}} spill @cb_intermed1 :
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @chained(%A: memref<128x64xbf16> {tt.name = "A"}, %B: memref<96x64xbf16> {tt.name = "B"},
                   %C: memref<96x64xbf16> {tt.name = "C"}, %D: memref<128x64xf32> {tt.name = "D"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (2) {
    %m = arith.muli %i, %c64 : index
    %out = memref.alloc() : memref<64x64xf32>
    linalg.fill ins(%zero : f32) outs(%out : memref<64x64xf32>)
    %a = memref.subview %A[%m, 0] [64, 64] [1, 1]
        : memref<128x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    scf.for %n = %c0 to %c96 step %c32 {
      %scores = memref.alloc() : memref<64x32xf32>
      %weights = memref.alloc() : memref<64x32xbf16>
      linalg.fill ins(%zero : f32) outs(%scores : memref<64x32xf32>)
      %b = memref.subview %B[%n, 0] [32, 64] [1, 1]
          : memref<96x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      linalg.matmul indexing_maps = [#a, #b, #c]
          ins(%a, %b : memref<64x64xbf16, strided<[64, 1], offset: ?>>,
                       memref<32x64xbf16, strided<[64, 1], offset: ?>>)
          outs(%scores : memref<64x32xf32>)
      linalg.copy ins(%scores : memref<64x32xf32>) outs(%weights : memref<64x32xbf16>)
      %c = memref.subview %C[%n, 0] [32, 64] [1, 1]
          : memref<96x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      linalg.matmul ins(%weights, %c : memref<64x32xbf16>,
                                       memref<32x64xbf16, strided<[64, 1], offset: ?>>)
          outs(%out : memref<64x64xf32>)
    }
    %d = memref.subview %D[%m, 0] [64, 64] [1, 1]
        : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %out, %d : memref<64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}
