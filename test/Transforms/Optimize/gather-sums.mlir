// RUN: split-file %s %t
// RUN: tt-opt --tt-gather-sums %t/loops.mlir --remarks-filter=tt-gather-sums 2> %t.remarks | FileCheck %t/loops.mlir
// RUN: FileCheck %t/loops.mlir --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=gather-sums %t/loops.mlir -o /dev/null

// In all eras the first tile of an odd number is copied, and two at a time are added to it.
// RUN: tt-opt --tt-pipeline %t/rows.mlir -o %t.rows
// RUN: tt-translate --emit-metalium --metalium-api=2025 %t.rows | FileCheck %t/rows.mlir --check-prefixes=FILES,OLD
// RUN: tt-translate --emit-metalium --metalium-api=2026-08 %t.rows | FileCheck %t/rows.mlir --check-prefixes=FILES,NEW
// RUN: tt-run %t/rows.mlir --check | FileCheck %s --check-prefix=RIGHT
// RUN: %if all %{ tt-run %t/rows.mlir --check --arch=blackhole --metalium-api=2025 | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t/rows.mlir --check --metalium-api=2026-08 | FileCheck %s --check-prefix=RIGHT %}
// RIGHT: O: {{.*}} ok
// RIGHT: P: {{.*}} ok

//--- loops.mlir
// The factor of what came so far is the same for all of a row; who takes the sum, sums its rows.
// WHY: the loop adds up its tiles, whose rows are summed once
// CHECK-LABEL: func.func @scaled
// CHECK: tt.sfpu.unary fill, dst = 0 scalar = 0.000000e+00 -> %[[S:.*]] : !tt.cb<2x1xf32>
// CHECK: scf.for
// CHECK: tt.fpu.add_sum sum_row, %{{.*}}, dst = 0 : !tt.cb<2x8xbf16>
// CHECK-NEXT: tt.fpu.mul_add %[[S]], %{{.*}} bcast cols, dst = 0 -> %[[S]]
// CHECK: tt.fpu.reduce sum_row, %[[S]], %{{.*}}, dst = 0 :
// CHECK-NEXT: tt.sfpu.unary recip_exact, dst = 0 -> %{{.*}}
// CHECK-NEXT: tt.cb_close %[[S]]
func.func @scaled(%X: memref<64x1024xbf16>, %F: memref<64x32xf32>, %O: memref<64x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<2x8xbf16>
  %f = tt.alloc_cb "f" : !tt.cb<2x1xf32>
  %s = tt.alloc_cb "s" depth = 2 : !tt.cb<2x1xf32>
  %o = tt.alloc_cb "o" : !tt.cb<2x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %s : !tt.cb<2x1xf32>
  tt.cb_open %s : !tt.cb<2x1xf32>
  scf.for %k = %c0 to %c1024 step %c256 {
    tt.read_to_cb %X[%c0, %k], %x : memref<64x1024xbf16>, !tt.cb<2x8xbf16>
    tt.read_to_cb %F[%c0, %c0], %f : memref<64x32xf32>, !tt.cb<2x1xf32>
    tt.fpu.reduce sum_row, %x, %ones, dst = 0 : !tt.cb<2x8xbf16>, !tt.cb<1x1xbf16>
    tt.fpu.mul_add %s, %f, dst = 0 -> %s : !tt.cb<2x1xf32>, !tt.cb<2x1xf32>, !tt.cb<2x1xf32>
    tt.cb_close %s : !tt.cb<2x1xf32>
    tt.cb_open %s : !tt.cb<2x1xf32>
  }
  tt.copy_to_dst %s, dst = 0 : !tt.cb<2x1xf32>
  tt.sfpu.unary recip_exact, dst = 0 -> %o : !tt.cb<2x1xf32>
  tt.cb_close %s : !tt.cb<2x1xf32>
  tt.write_from_cb %o, %O[%c0, %c0] : !tt.cb<2x1xf32>, memref<64x32xf32>
  return
}

// Sums of columns that are added to what came so far; two ops take the result, which has a block of its own.
// WHY: the loop adds up its tiles, whose rows are summed once
// CHECK-LABEL: func.func @added
// CHECK: scf.for
// CHECK-NOT: tt.fpu.reduce
// CHECK: tt.copy_to_dst %[[S:.*]], dst = 0 : !tt.cb<1x2xf32>
// CHECK-NEXT: tt.fpu.add_sum sum_col, %{{.*}}, dst = 1 : !tt.cb<9x2xbf16>
// CHECK-NEXT: tt.sfpu.combine add, [0, 1], dst = 0 -> %[[S]]
// CHECK: }
// CHECK-NEXT: tt.fpu.reduce sum_col, %[[S]], %{{.*}}, dst = 0 -> %[[T:.*]] :
// CHECK-NEXT: tt.cb_close %[[S]]
// CHECK-NEXT: tt.cb_open %[[T]]
// CHECK: tt.copy_to_dst %[[T]]
// CHECK: tt.fpu.mul %[[T]], %[[T]]
// CHECK: tt.cb_close %[[T]]
func.func @added(%X: memref<1152x64xbf16>, %O: memref<32x64xf32>, %P: memref<32x64xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %c288 = arith.constant 288 : index
  %c1152 = arith.constant 1152 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<9x2xbf16>
  %r = tt.alloc_cb "r" : !tt.cb<1x2xf32>
  %s = tt.alloc_cb "s" depth = 2 : !tt.cb<1x2xf32>
  %o = tt.alloc_cb "o" : !tt.cb<1x2xf32>
  %p = tt.alloc_cb "p" : !tt.cb<1x2xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %s : !tt.cb<1x2xf32>
  tt.cb_open %s : !tt.cb<1x2xf32>
  scf.for %k = %c0 to %c1152 step %c288 {
    tt.read_to_cb %X[%k, %c0], %x : memref<1152x64xbf16>, !tt.cb<9x2xbf16>
    tt.fpu.reduce sum_col, %x, %ones, dst = 0 -> %r : !tt.cb<9x2xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x2xf32>
    tt.copy_to_dst %s, dst = 0 : !tt.cb<1x2xf32>
    tt.copy_to_dst %r, dst = 1 : !tt.cb<1x2xf32>
    tt.sfpu.combine add, [0, 1], dst = 0 -> %s : !tt.cb<1x2xf32>
    tt.cb_close %s : !tt.cb<1x2xf32>
    tt.cb_open %s : !tt.cb<1x2xf32>
  }
  tt.copy_to_dst %s, dst = 0 -> %o : !tt.cb<1x2xf32>, !tt.cb<1x2xf32>
  tt.fpu.mul %s, %s, dst = 0 -> %p : !tt.cb<1x2xf32>, !tt.cb<1x2xf32>, !tt.cb<1x2xf32>
  tt.cb_close %s : !tt.cb<1x2xf32>
  tt.write_from_cb %o, %O[%c0, %c0] : !tt.cb<1x2xf32>, memref<32x64xf32>
  tt.write_from_cb %p, %P[%c0, %c0] : !tt.cb<1x2xf32>, memref<32x64xf32>
  return
}

// A sum that begins at a number would count it 32 times, and one that each step takes is whole in each step.
// WHY: its rows are summed in each step: it does not begin at zero
// CHECK-LABEL: func.func @begins
// CHECK-NOT: add_sum
func.func @begins(%X: memref<32x1024xbf16>, %F: memref<32x32xf32>, %O: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x8xbf16>
  %f = tt.alloc_cb "f" : !tt.cb<1x1xf32>
  %s = tt.alloc_cb "s" depth = 2 : !tt.cb<1x1xf32>
  %o = tt.alloc_cb "o" : !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %s : !tt.cb<1x1xf32>
  tt.cb_open %s : !tt.cb<1x1xf32>
  scf.for %k = %c0 to %c1024 step %c256 {
    tt.read_to_cb %X[%c0, %k], %x : memref<32x1024xbf16>, !tt.cb<1x8xbf16>
    tt.read_to_cb %F[%c0, %c0], %f : memref<32x32xf32>, !tt.cb<1x1xf32>
    tt.fpu.reduce sum_row, %x, %ones, dst = 0 : !tt.cb<1x8xbf16>, !tt.cb<1x1xbf16>
    tt.fpu.mul_add %s, %f, dst = 0 -> %s : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
    tt.cb_close %s : !tt.cb<1x1xf32>
    tt.cb_open %s : !tt.cb<1x1xf32>
  }
  tt.copy_to_dst %s, dst = 0 -> %o : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.cb_close %s : !tt.cb<1x1xf32>
  tt.write_from_cb %o, %O[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}

// WHY: its rows are summed in each step: the loop takes it for more than the sum
// CHECK-LABEL: func.func @taken
// CHECK-NOT: add_sum
func.func @taken(%X: memref<32x1024xbf16>, %F: memref<32x32xf32>, %O: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x8xbf16>
  %f = tt.alloc_cb "f" : !tt.cb<1x1xf32>
  %s = tt.alloc_cb "s" depth = 2 : !tt.cb<1x1xf32>
  %o = tt.alloc_cb "o" : !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %s : !tt.cb<1x1xf32>
  tt.cb_open %s : !tt.cb<1x1xf32>
  scf.for %k = %c0 to %c1024 step %c256 {
    tt.read_to_cb %X[%c0, %k], %x : memref<32x1024xbf16>, !tt.cb<1x8xbf16>
    tt.read_to_cb %F[%c0, %c0], %f : memref<32x32xf32>, !tt.cb<1x1xf32>
    tt.fpu.reduce sum_row, %x, %ones, dst = 0 : !tt.cb<1x8xbf16>, !tt.cb<1x1xbf16>
    tt.fpu.mul_add %s, %f, dst = 0 -> %s : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
    tt.cb_close %s : !tt.cb<1x1xf32>
    tt.cb_open %s : !tt.cb<1x1xf32>
    tt.copy_to_dst %s, dst = 0 -> %o : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
    tt.write_from_cb %o, %O[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  }
  tt.cb_close %s : !tt.cb<1x1xf32>
  return
}

//--- rows.mlir
// Sums of rows and of columns of one tensor, 15 and 3 tiles a step.
// FILES: // cb_intermed{{.*}} = cb_intermed{{.*}} + sum_tiles(cb_in0)
// FILES: copy_tile(cb_in0, 0, 1);
// OLD: add_tiles_init(cb_in0, cb_in0, true);
// NEW: add_init(cb_in0, cb_in0, true);
// FILES: for (uint32_t l = 0; l < 7; ++l) {
// FILES-NEXT: const uint32_t index = l * 2 + 1;
// FILES-NEXT: add_tiles(cb_in0, cb_in0, index, index + 1, 1);
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
func.func @sums(%X: memref<32x1920xbf16> {tt.name = "X"}, %Y: memref<384x64xbf16> {tt.name = "Y"},
                %O: memref<32x32xf32> {tt.name = "O"}, %P: memref<32x64xf32> {tt.name = "P"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c96 = arith.constant 96 : index
  %c384 = arith.constant 384 : index
  %c480 = arith.constant 480 : index
  %c1920 = arith.constant 1920 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %sum = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %x = memref.alloc() : memref<32x480xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c1920 step %c480 {
      %v = memref.subview %X[0, %k] [32, 480] [1, 1] : memref<32x1920xbf16> to memref<32x480xbf16, strided<[1920, 1], offset: ?>>
      memref.copy %v, %x : memref<32x480xbf16, strided<[1920, 1], offset: ?>> to memref<32x480xbf16, #gpu.address_space<workgroup>>
      linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
          ins(%x : memref<32x480xbf16, #gpu.address_space<workgroup>>) outs(%sum : memref<32xf32, #gpu.address_space<private>>) {
        ^bb0(%w: bf16, %old: f32):
          %e = arith.extf %w : bf16 to f32
          %r = arith.addf %old, %e : f32
          linalg.yield %r : f32
      }
    }
    linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<32xf32, #gpu.address_space<private>>) outs(%O : memref<32x32xf32>) {
      ^bb0(%s: f32, %old: f32):
        linalg.yield %s : f32
    }
    %columns = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    %y = memref.alloc() : memref<96x64xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%zero : f32) outs(%columns : memref<64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c384 step %c96 {
      %v = memref.subview %Y[%k, 0] [96, 64] [1, 1] : memref<384x64xbf16> to memref<96x64xbf16, strided<[64, 1], offset: ?>>
      memref.copy %v, %y : memref<96x64xbf16, strided<[64, 1], offset: ?>> to memref<96x64xbf16, #gpu.address_space<workgroup>>
      linalg.generic {indexing_maps = [#ij, #j], iterator_types = ["reduction", "parallel"]}
          ins(%y : memref<96x64xbf16, #gpu.address_space<workgroup>>) outs(%columns : memref<64xf32, #gpu.address_space<private>>) {
        ^bb0(%w: bf16, %old: f32):
          %e = arith.extf %w : bf16 to f32
          %r = arith.addf %old, %e : f32
          linalg.yield %r : f32
      }
    }
    linalg.generic {indexing_maps = [#j, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%columns : memref<64xf32, #gpu.address_space<private>>) outs(%P : memref<32x64xf32>) {
      ^bb0(%s: f32, %old: f32):
        linalg.yield %s : f32
    }
  }
  return
}
