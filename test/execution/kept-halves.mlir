// f16 that a core copies, transposes and repeats, and stores as f32: all of its 11 bits arrive, and not the 8 that the
// packer makes of f16 from DST of 32 bits.
//
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s
// CHECK: C: max abs error 0, {{.*}}: ok
// CHECK: D: max abs error 0, {{.*}}: ok

#map0 = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
func.func @moved(%A: memref<64x64xf16> {tt.name = "A"},
    %B: memref<64xf16> {tt.name = "B"},
    %C: memref<64x64xf32> {tt.name = "C"},
    %D: memref<64x64xf32> {tt.name = "D"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  scf.forall (%n) in (2) {
    %b = memref.alloc() : memref<64xf16, #gpu.address_space<workgroup>>
    %a = memref.alloc() : memref<32x64xf16, #gpu.address_space<private>>
    %t = memref.alloc() : memref<64x32xf16, #gpu.address_space<private>>
    %mul = arith.muli %n, %c32 : index
    %A_view = memref.subview %A[%mul, 0] [32, 64] [1, 1] : memref<64x64xf16> to memref<32x64xf16, strided<[64, 1], offset: ?>>
    memref.copy %A_view, %a : memref<32x64xf16, strided<[64, 1], offset: ?>> to memref<32x64xf16, #gpu.address_space<private>>
    memref.copy %B, %b : memref<64xf16> to memref<64xf16, #gpu.address_space<workgroup>>
    linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<32x64xf16, #gpu.address_space<private>>)
        outs(%t : memref<64x32xf16, #gpu.address_space<private>>) {
    ^bb0(%a_e: f16, %old: f16):
      linalg.yield %a_e : f16
    }
    %C_view = memref.subview %C[0, %mul] [64, 32] [1, 1] : memref<64x64xf32> to memref<64x32xf32, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]}
        ins(%t : memref<64x32xf16, #gpu.address_space<private>>)
        outs(%C_view : memref<64x32xf32, strided<[64, 1], offset: ?>>) {
    ^bb0(%t_e: f16, %old_1: f32):
      %e = arith.extf %t_e : f16 to f32
      linalg.yield %e : f32
    }
    %D_view = memref.subview %D[%mul, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %b_view = memref.subview %b[%mul] [32] [1] : memref<64xf16, #gpu.address_space<workgroup>> to memref<32xf16, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]}
        ins(%b_view : memref<32xf16, strided<[1], offset: ?>, #gpu.address_space<workgroup>>)
        outs(%D_view : memref<32x64xf32, strided<[64, 1], offset: ?>>) {
    ^bb0(%b_e: f16, %old_2: f32):
      %e_1 = arith.extf %b_e : f16 to f32
      linalg.yield %e_1 : f32
    }
  }
  return
}
