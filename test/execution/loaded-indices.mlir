// RUN: split-file %s %t && cd %t
// RUN: tt-run table.mlir --check --arch=blackhole --metalium-api=2025
// RUN: %if all %{ tt-run ragged.mlir --check --seed=4 --optimize=none %}
// RUN: %if all %{ tt-run ragged.mlir --check --seed=5 --arch=blackhole --metalium-api=2025 %}
// RUN: %if all %{ tt-run alike.mlir --check %}
// RUN: %if all %{ tt-run experts.mlir --check --metalium-api=2026-03 %}
// RUN: tt-opt --tt-pipeline ragged.mlir | tt-translate --emit-metalium | FileCheck %s
// RUN: sed 's/N", tt.range = .0, 4./N"/' ragged.mlir | not tt-opt --tt-pipeline 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: sed 's/T", tt.range = .0, 7./T", tt.range = [0, 8]/' table.mlir | not tt-opt --tt-pipeline 2>&1 | FileCheck %s --check-prefix=OUTSIDE

// Offsets, bounds and conditions from integers that a kernel loads: the reader follows them, the other kernels
// learn them through a circular buffer.
// CHECK: //--- ragged/reader.cpp
// CHECK: const uint32_t N_value = load_integer<uint32_t>(
// CHECK: store_word(cb_to_compute_write_ptr, N_value);
// CHECK-NEXT: cb_push_back(cb_to_compute, 1);
// CHECK: for (uint32_t k = 0; k < N_value; ++k) {
// CHECK: //--- ragged/compute.cpp
// CHECK: cb_wait_front(cb_to_compute, 1);
// CHECK-NEXT: const uint32_t loaded = read_tile_value(cb_to_compute, 0, 0);
// CHECK-NEXT: cb_pop_front(cb_to_compute, 1);
// CHECK: for (uint32_t k = 0; k < loaded; ++k) {

// RANGE: error: a bound or a condition depends on this integer, which may be -2147483648, but indices are not below zero; say what its tensor holds by tt.range = [lo, hi], such as [0, 64]
// OUTSIDE: error: [rule 17] tile 16 of a tensor that has 16

//--- table.mlir
// C = the sum of the blocks of A that the table names.
func.func @gather(%A: memref<256x64xf32> {tt.name = "A"}, %T: memref<2x40xi32> {tt.name = "T", tt.range = [0, 7]}, %C: memref<64x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    %acc = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    scf.for %i = %c0 to %c3 step %c1 {
      %v = memref.load %T[%b, %i] : memref<2x40xi32>
      %r = arith.index_cast %v : i32 to index
      %row = affine.apply affine_map<(d0) -> (d0 * 32)>(%r)
      %a = memref.subview %A[%row, 0] [32, 64] [1, 1] : memref<256x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      linalg.add ins(%a, %acc : memref<32x64xf32, strided<[64, 1], offset: ?>>, memref<32x64xf32, #gpu.address_space<private>>)
                 outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %acc, %c : memref<32x64xf32, #gpu.address_space<private>> to memref<32x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}
//--- ragged.mlir
// From block first[b] on, n[b] blocks of A are added, those that the mask has.
func.func @ragged(%A: memref<256x64xf32> {tt.name = "A"}, %F: memref<4xi32> {tt.name = "F", tt.range = [0, 4]}, %N: memref<4xi32> {tt.name = "N", tt.range = [0, 4]},
                  %M: memref<4x8xi32> {tt.name = "M", tt.range = [0, 1]}, %C: memref<128x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (4) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    %acc = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    %f32 = memref.load %F[%b] : memref<4xi32>
    %n32 = memref.load %N[%b] : memref<4xi32>
    %f = arith.index_cast %f32 : i32 to index
    %n = arith.index_cast %n32 : i32 to index
    scf.for %i = %c0 to %n step %c1 {
      %w = memref.load %M[%b, %i] : memref<4x8xi32>
      %on = arith.cmpi ne, %w, %z : i32
      scf.if %on {
        %row = affine.apply affine_map<(d0, d1) -> ((d0 + d1) * 32)>(%f, %i)
        %a = memref.subview %A[%row, 0] [32, 64] [1, 1] : memref<256x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
        linalg.add ins(%a, %acc : memref<32x64xf32, strided<[64, 1], offset: ?>>, memref<32x64xf32, #gpu.address_space<private>>)
                   outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
      }
    }
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<128x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %acc, %c : memref<32x64xf32, #gpu.address_space<private>> to memref<32x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}
//--- experts.mlir
// Rows of X by the matrix of the expert that each block of rows has.
func.func @experts(%X: memref<128x64xbf16> {tt.name = "X"}, %W: memref<4x64x64xbf16> {tt.name = "W"}, %E: memref<4xi32> {tt.name = "E", tt.range = [0, 3]},
                   %Y: memref<128x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b, %j) in (4, 2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %e32 = memref.load %E[%b] : memref<4xi32>
    %e = arith.index_cast %e32 : i32 to index
    %acc = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c64 step %c32 {
      %x = memref.subview %X[%m, %k] [32, 32] [1, 1] : memref<128x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
      %w = memref.subview %W[%e, %k, %n] [1, 32, 32] [1, 1, 1] : memref<4x64x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
      linalg.matmul ins(%x, %w : memref<32x32xbf16, strided<[64, 1], offset: ?>>, memref<32x32xbf16, strided<[64, 1], offset: ?>>)
                    outs(%acc : memref<32x32xf32, #gpu.address_space<private>>)
    }
    %y = memref.subview %Y[%m, %n] [32, 32] [1, 1] : memref<128x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%acc : memref<32x32xf32, #gpu.address_space<private>>) outs(%y : memref<32x32xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%a: f32, %o: bf16):
        %t = arith.truncf %a : f32 to bf16
        linalg.yield %t : bf16
    }
  }
  return
}
//--- alike.mlir
// What each cell reads is the same, but whether it does is not: nothing is read once for all.
func.func @shared(%A: memref<256x64xf32> {tt.name = "A"}, %F: memref<4xi32> {tt.name = "F", tt.range = [0, 4]}, %N: memref<4xi32> {tt.name = "N", tt.range = [0, 4]},
                  %M: memref<4x8xi32> {tt.name = "M", tt.range = [0, 1]}, %C: memref<128x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (4) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    %acc = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    %f32 = memref.load %F[%b] : memref<4xi32>
    %n32 = memref.load %N[%b] : memref<4xi32>
    %f = arith.index_cast %f32 : i32 to index
    %n = arith.index_cast %n32 : i32 to index
    scf.for %i = %c0 to %n step %c1 {
      %w = memref.load %M[%b, %i] : memref<4x8xi32>
      %on = arith.cmpi ne, %w, %z : i32
      scf.if %on {
        %row = affine.apply affine_map<(d0, d1) -> (d1 * 32)>(%f, %i)
        %a = memref.subview %A[%row, 0] [32, 64] [1, 1] : memref<256x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
        linalg.add ins(%a, %acc : memref<32x64xf32, strided<[64, 1], offset: ?>>, memref<32x64xf32, #gpu.address_space<private>>)
                   outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
      }
    }
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<128x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %acc, %c : memref<32x64xf32, #gpu.address_space<private>> to memref<32x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}
