// Sums of products in loops that compute something else: over as many rounds as an integer says, also none, straight onto a
// result; and with factors that the step overwrites, in a tensor and in a buffer of the core.
// RUN: tt-run %s --check --strict --input q=0 | FileCheck %s
// RUN: tt-run %s --check --strict --input q=3 | FileCheck %s
// RUN: %if all %{ tt-run %s --check --input q=4 --arch=blackhole --optimize=none --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --input q=1 --arch=blackhole --metalium-api=2026-03 | FileCheck %s %}
// CHECK: Y: {{.*}}: ok
// CHECK: Z: {{.*}}: ok
// CHECK: E: {{.*}}: ok
// CHECK: F: {{.*}}: ok
#rows = strided<[256, 1], offset: ?>
#cols = strided<[64, 1], offset: ?>
func.func @k(%A: memref<64x256xbf16> {tt.name = "A"}, %B: memref<256x64xbf16> {tt.name = "B"},
             %Y: memref<64x64xf32> {tt.name = "Y"}, %Z: memref<64x64xf32> {tt.name = "Z"},
             %E: memref<64x256xbf16> {tt.name = "E"}, %F: memref<64x256xbf16> {tt.name = "F"},
             %q: index {tt.name = "q", tt.range = [0, 4]}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : bf16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  linalg.fill ins(%zero : f32) outs(%Y : memref<64x64xf32>)
  scf.for %k = %c0 to %q step %c1 {
    %at = arith.muli %k, %c64 : index
    %a = memref.subview %A[0, %at] [64, 64] [1, 1] : memref<64x256xbf16> to memref<64x64xbf16, #rows>
    %b = memref.subview %B[%at, 0] [64, 64] [1, 1] : memref<256x64xbf16> to memref<64x64xbf16, #cols>
    %e = memref.subview %E[0, %at] [64, 64] [1, 1] : memref<64x256xbf16> to memref<64x64xbf16, #rows>
    linalg.matmul ins(%a, %b : memref<64x64xbf16, #rows>, memref<64x64xbf16, #cols>) outs(%Y : memref<64x64xf32>)
    linalg.exp ins(%a : memref<64x64xbf16, #rows>) outs(%e : memref<64x64xbf16, #rows>)
  }
  %p = memref.alloc() : memref<64x64xbf16>
  linalg.fill ins(%half : bf16) outs(%p : memref<64x64xbf16>)
  linalg.fill ins(%zero : f32) outs(%Z : memref<64x64xf32>)
  scf.for %k = %c0 to %c4 step %c1 {
    %at = arith.muli %k, %c64 : index
    %a = memref.subview %A[0, %at] [64, 64] [1, 1] : memref<64x256xbf16> to memref<64x64xbf16, #rows>
    %b = memref.subview %B[%at, 0] [64, 64] [1, 1] : memref<256x64xbf16> to memref<64x64xbf16, #cols>
    %f = memref.subview %F[0, %at] [64, 64] [1, 1] : memref<64x256xbf16> to memref<64x64xbf16, #rows>
    linalg.matmul ins(%p, %b : memref<64x64xbf16>, memref<64x64xbf16, #cols>) outs(%Z : memref<64x64xf32>)
    linalg.matmul ins(%f, %b : memref<64x64xbf16, #rows>, memref<64x64xbf16, #cols>) outs(%Z : memref<64x64xf32>)
    linalg.tanh ins(%a : memref<64x64xbf16, #rows>) outs(%p : memref<64x64xbf16>)
    linalg.abs ins(%a : memref<64x64xbf16, #rows>) outs(%f : memref<64x64xbf16, #rows>)
  }
  return
}
