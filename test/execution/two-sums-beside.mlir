// Two sums of a loop that computes something else as well: the last step of one is not packed while the other waits for its pack.
// RUN: tt-run %s --check --strict | FileCheck %s
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole --optimize=pack-last-step --metalium-api=2025 | FileCheck %s %}
// CHECK: Y: {{.*}}: ok
// CHECK: Z: {{.*}}: ok
// CHECK: E: {{.*}}: ok
func.func @two(%A: memref<64x256xbf16> {tt.name = "A"}, %B: memref<256x64xbf16> {tt.name = "B"},
               %Y: memref<64x64xf32> {tt.name = "Y"}, %Z: memref<64x64xf32> {tt.name = "Z"}, %E: memref<64x256xbf16> {tt.name = "E"})
    attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  linalg.fill ins(%z : f32) outs(%Y : memref<64x64xf32>)
  linalg.fill ins(%z : f32) outs(%Z : memref<64x64xf32>)
  scf.for %k = %c0 to %c4 step %c1 {
    %at = arith.muli %k, %c64 : index
    %a = memref.subview %A[0, %at] [64, 64] [1, 1] : memref<64x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
    %b = memref.subview %B[%at, 0] [64, 64] [1, 1] : memref<256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %e = memref.subview %E[0, %at] [64, 64] [1, 1] : memref<64x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
    linalg.matmul ins(%a, %b : memref<64x64xbf16, strided<[256, 1], offset: ?>>, memref<64x64xbf16, strided<[64, 1], offset: ?>>) outs(%Y : memref<64x64xf32>)
    linalg.exp ins(%a : memref<64x64xbf16, strided<[256, 1], offset: ?>>) outs(%e : memref<64x64xbf16, strided<[256, 1], offset: ?>>)
    linalg.matmul ins(%a, %b : memref<64x64xbf16, strided<[256, 1], offset: ?>>, memref<64x64xbf16, strided<[64, 1], offset: ?>>) outs(%Z : memref<64x64xf32>)
  }
  return
}
