// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s
// RUN: sed 's/f32/i32/g' %s | not tt-opt --tt-pipeline 2>&1 | FileCheck %s --check-prefix=INTEGERS

// Tensors whose elements share exponents in memory, read, computed on and written; copies
// among them are exact.
// CHECK: Y: max abs error 0, {{.*}}: ok
// CHECK: Z: max abs error {{.*}}: ok
// INTEGERS: error: tensor 'X' is stored as bfp4_b, but its elements are int32; floats are stored as bf16, fp16, fp32, bfp8_b or bfp4_b, i32 and i8 as int32 or uint8
#id = affine_map<(i, j) -> (i, j)>
func.func @block_floats(%X: memref<64x96xf32> {tt.name = "X", tt.layout = {dtype = "bfp4_b"}},
                        %Y: memref<64x96xf32> {tt.name = "Y", tt.layout = {dtype = "bfp8_b"}},
                        %B: memref<64x96xbf16> {tt.name = "B", tt.layout = {dtype = "bfp8_b"}},
                        %Z: memref<64x96xbf16> {tt.name = "Z", tt.layout = {dtype = "bfp8_b"}}) attributes {tt.kernel} {
  memref.copy %X, %Y : memref<64x96xf32> to memref<64x96xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%B : memref<64x96xbf16>) outs(%Z : memref<64x96xbf16>) {
    ^bb0(%b: bf16, %old: bf16):
      %r = math.tanh %b : bf16
      linalg.yield %r : bf16
  }
  return
}
