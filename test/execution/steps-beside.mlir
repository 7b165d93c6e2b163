// Steps of a sum of products that compute something else behind the product: it is there before the product, which stays in DST
// from step to step, as far as it fits. A function of a factor, and sums of its rows.
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --optimize=none --metalium-api=2025 | FileCheck %s %}
// CHECK: Y: {{.*}}: ok
// CHECK: Z: {{.*}}: ok
// CHECK: S: {{.*}}: ok
func.func @beside(%A: memref<64x256xbf16> {tt.name = "A"}, %B: memref<256x96xbf16> {tt.name = "B"}, %Y: memref<64x96xf32> {tt.name = "Y"},
                  %Z: memref<64x256xbf16> {tt.name = "Z"}, %S: memref<4x64xf32> {tt.name = "S"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%Y : memref<64x96xf32>)
  scf.for %k = %c0 to %c4 step %c1 {
    %at = arith.muli %k, %c64 : index
    %a = memref.subview %A[0, %at] [64, 64] [1, 1] : memref<64x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
    %b = memref.subview %B[%at, 0] [64, 96] [1, 1] : memref<256x96xbf16> to memref<64x96xbf16, strided<[96, 1], offset: ?>>
    %z = memref.subview %Z[0, %at] [64, 64] [1, 1] : memref<64x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
    %s = memref.subview %S[%k, 0] [1, 64] [1, 1] : memref<4x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.matmul ins(%a, %b : memref<64x64xbf16, strided<[256, 1], offset: ?>>, memref<64x96xbf16, strided<[96, 1], offset: ?>>)
      outs(%Y : memref<64x96xf32>)
    linalg.exp ins(%a : memref<64x64xbf16, strided<[256, 1], offset: ?>>) outs(%z : memref<64x64xbf16, strided<[256, 1], offset: ?>>)
    linalg.fill ins(%zero : f32) outs(%s : memref<64xf32, strided<[1], offset: ?>>)
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<64x64xbf16, strided<[256, 1], offset: ?>>) outs(%s : memref<64xf32, strided<[1], offset: ?>>) {
    ^bb0(%x: bf16, %o: f32):
      %w = arith.extf %x : bf16 to f32
      %r = arith.addf %w, %o : f32
      linalg.yield %r : f32
    }
  }
  return
}
