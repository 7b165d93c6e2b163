// RUN: tt-run %s --check --input p=2 --input n=3 --input last=1
// RUN: %if all %{ tt-run %s --check --input p=0 --input n=0 --input last=0 --arch=blackhole --optimize=none --metalium-api=2025 %}
// RUN: %if all %{ tt-run %s --check --seed 7 --metalium-api=2026-03 %}
// RUN: %if all %{ not tt-run %s --input n=6 --input p=0 --input last=0 2>&1 | \
// RUN:   FileCheck %s --check-prefix=OUTSIDE %}
// RUN: tt-opt --tt-pipeline %s | tt-translate --emit-metalium | FileCheck %s
// RUN: sed 's/tt.range = .0, 5./tt.range = [-1, 5]/' %s | not tt-opt --tt-pipeline 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: sed 's/tt.range = .0, 5./tt.range = [5, 0]/' %s | not tt-opt --tt-pipeline 2>&1 | FileCheck %s --check-prefix=EMPTY

// Bounds, offsets and conditions from scalar arguments, with the values that they may have.
// OUTSIDE: error: --input n: holds 6, but its tt.range is 0 to 5
// BELOW: error: a bound or a condition depends on scalar argument 'n', which may be -1, but indices are not below zero; say what it may be by tt.range = [lo, hi], such as [0, 4096]
// EMPTY: error: attribute 'tt.range' must be [lo, hi], two integers, the least and the greatest value

// CHECK: //--- steps/reader.cpp
// CHECK: for (uint32_t k = 0; k < n; ++k)
// CHECK: //--- steps/main.cpp
// CHECK: if (n < 0 || n > 5) {
// CHECK-NEXT: std::fprintf(stderr, "n is %d, and must be 0 to 5\n", n);
// CHECK: if (p < 0 || p > 3) {
func.func @steps(%A: memref<256x64xf32> {tt.name = "A"}, %n: i32 {tt.name = "n", tt.range = [0, 5]},
                 %p: index {tt.name = "p", tt.range = [0, 3]}, %last: index {tt.name = "last", tt.range = [0, 1]},
                 %C: memref<64x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %to = arith.index_cast %n : i32 to index
  scf.forall (%b) in (2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    %acc = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    scf.for %i = %c0 to %to step %c1 {
      %row = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) * 32)>(%i)[%p]
      %a = memref.subview %A[%row, 0] [32, 64] [1, 1] : memref<256x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      linalg.add ins(%a, %acc : memref<32x64xf32, strided<[64, 1], offset: ?>>, memref<32x64xf32, #gpu.address_space<private>>)
                 outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    }
    %more = arith.cmpi eq, %last, %c1 : index
    scf.if %more {
      %a = memref.subview %A[224, 0] [32, 64] [1, 1] : memref<256x64xf32> to memref<32x64xf32, strided<[64, 1], offset: 14336>>
      linalg.add ins(%a, %acc : memref<32x64xf32, strided<[64, 1], offset: 14336>>, memref<32x64xf32, #gpu.address_space<private>>)
                 outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %acc, %c : memref<32x64xf32, #gpu.address_space<private>> to memref<32x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}
