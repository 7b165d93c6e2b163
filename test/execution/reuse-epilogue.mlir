// REQUIRES: all
// RUN: tt-opt %s --tt-stage-a --tt-stage-b --tt-stage-c | FileCheck %s
// RUN: tt-run %s --check --grid=1x1 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: tt-run %s --check --grid=1x1 --arch=blackhole --metalium-api=2026-03 2>&1 | FileCheck %s --check-prefix=ONCE

// The product fills the eight tiles of DST. What is added to it goes from its circular buffer
// to the FPU, so the sum needs no tile more, and the product is never packed by itself. On one core,
// as more of them would have a part each.

// CHECK: tt.mm.mma %{{.*}}, %{{.*}}, dst = 0
// CHECK-NOT: tt.pack_to_cb
// CHECK: tt.sfpu.unary mul_scalar, dst = 0
// CHECK-NEXT: tt.fpu.reuse add, %{{.*}}, dst = 0 : !tt.cb<2x4xbf16>
// CHECK-NEXT: tt.pack_to_cb dst = 0
// ONCE-DAG: DST: 1 sections, 8 tiles packed, 0 copied in
// ONCE-DAG: C: max abs error {{.*}}: ok
#id = affine_map<(i, j) -> (i, j)>
func.func @scaled(%A: memref<64x64xbf16> {tt.name = "A"}, %B: memref<64x128xbf16> {tt.name = "B"},
                  %R: memref<64x128xbf16> {tt.name = "R"}, %C: memref<64x128xbf16> {tt.name = "C"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  %half = arith.constant 0.5 : bf16
  %sum = memref.alloc() : memref<64x128xbf16, #gpu.address_space<private>>
  linalg.fill ins(%zero : bf16) outs(%sum : memref<64x128xbf16, #gpu.address_space<private>>)
  linalg.matmul ins(%A, %B : memref<64x64xbf16>, memref<64x128xbf16>)
      outs(%sum : memref<64x128xbf16, #gpu.address_space<private>>)
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %R : memref<64x128xbf16, #gpu.address_space<private>>, memref<64x128xbf16>) outs(%C : memref<64x128xbf16>) {
    ^bb0(%s: bf16, %r: bf16, %old: bf16):
      %h = arith.mulf %s, %half : bf16
      %v = arith.addf %h, %r : bf16
      linalg.yield %v : bf16
  }
  return
}
