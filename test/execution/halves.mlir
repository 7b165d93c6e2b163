// RUN: tt-opt %s --tt-pipeline | FileCheck %s --check-prefix=WIDE
// RUN: tt-run %s --check | FileCheck %s
// RUN: sed 's/tt.kernel}/tt.kernel, tt.fp32_dest_acc = false}/' %s | tt-run --check - | FileCheck %s --check-prefix=NARROW

// Kernels of f16 compute in DST of 32 bits: 16 bits hold either f16 or bf16, and masks, indices
// and B are bf16. Who asks for 16 bits gets them, and what the vector unit leaves there is
// rounded to f16.
// WIDE: tt.fp32_dest_acc = true
// CHECK: C: max abs error {{.*}} (at most 0.0051), {{.*}}: ok
// NARROW-NOT: max abs error 0,
// NARROW: C: max abs error {{.*}} (at most 0.012), {{.*}}: ok
#id = affine_map<(i, j) -> (i, j)>
func.func @halves(%A: memref<64x50xf16> {tt.name = "A"}, %B: memref<64x50xbf16> {tt.name = "B"},
                  %C: memref<64x50xf16> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A, %B : memref<64x50xf16>, memref<64x50xbf16>) outs(%C : memref<64x50xf16>) {
    ^bb0(%a: f16, %b: bf16, %old: f16):
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %b : bf16 to f32
      %t = math.tanh %x : f32
      %d = arith.subf %y, %t : f32
      %c = math.cos %d : f32
      %h = arith.truncf %c : f32 to f16
      linalg.yield %h : f16
  }
  return
}
