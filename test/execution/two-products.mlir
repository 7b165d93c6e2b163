// Two products in a kernel, one with a transposed operand: each has its setting of the
// engine, and its sum in a circular buffer.
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --metalium-api=2026-03 | FileCheck %s %}
// CHECK: C: max abs error {{.*}}: ok
// RUN: tt-opt %s --tt-pipeline=optimize=none | FileCheck %s --check-prefix=IR
// IR: tt.fpu.matmul_init %[[A:[0-9a-z]*]], %[[B:[0-9a-z]*]] transpose_b, %{{.*}} :
// IR: metalium.matmul_tiles %[[A]], %[[B]] transpose_b,
// IR: tt.fpu.matmul_init %[[X:[0-9a-z]*]], %[[D:[0-9a-z]*]], %{{.*}} :
// IR: metalium.matmul_tiles %[[X]], %[[D]], %
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @two(%A: memref<64x64xbf16> {tt.name = "A"}, %B: memref<32x64xbf16> {tt.name = "B"},
               %D: memref<64x32xbf16> {tt.name = "D"}, %C: memref<64x32xbf16> {tt.name = "C"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%m) in (2) {
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %row = arith.muli %m, %c32 : index
    %x = memref.alloc() : memref<32x32xf32>
    %y = memref.alloc() : memref<32x32xf32>
    %sum = memref.alloc() : memref<32x32xf32>
    %a = memref.subview %A[%row, 0] [32, 64] [1, 1]
        : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%x : memref<32x32xf32>)
    linalg.matmul indexing_maps = [#a, #b, #c]
        ins(%a, %B : memref<32x64xbf16, strided<[64, 1], offset: ?>>, memref<32x64xbf16>)
        outs(%x : memref<32x32xf32>)
    linalg.fill ins(%zero : f32) outs(%y : memref<32x32xf32>)
    linalg.matmul ins(%a, %D : memref<32x64xbf16, strided<[64, 1], offset: ?>>, memref<64x32xbf16>)
        outs(%y : memref<32x32xf32>)
    linalg.sub ins(%x, %y : memref<32x32xf32>, memref<32x32xf32>) outs(%sum : memref<32x32xf32>)
    %c = memref.subview %C[%row, 0] [32, 32] [1, 1]
        : memref<64x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    linalg.copy ins(%sum : memref<32x32xf32>)
        outs(%c : memref<32x32xbf16, strided<[32, 1], offset: ?>>)
  }
  return
}
