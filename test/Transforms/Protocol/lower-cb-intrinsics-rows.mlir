// RUN: tt-opt %s --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --cse --canonicalize | FileCheck %s
// RUN: tt-opt %s --tt-stage-a --tt-stage-d --tt-stage-e --tt-verify-ir --cse --canonicalize | FileCheck %s --check-prefix=INIT
// RUN: %if all %{ tt-run %s --input s=0.5 %}
// RUN: tt-opt %s --tt-stage-a --tt-stage-d | sed "/reduce_uninit/d" | not tt-opt --tt-stage-e --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=RULE14

// Broadcasts, reductions, indices and scalars, a tile at a time: what is taken in order is
// waited for a tile at a time, anything else as a whole.

// CHECK: tt.kernel @reader
// CHECK: metalium.cb_reserve_back %[[I:.*]], %c1
// CHECK-NEXT: %[[P:.*]] = metalium.get_write_ptr %[[I]]
// CHECK-NEXT: metalium.fill_index_tile %[[P]], rows = 1 cols = 0
// CHECK-NEXT: metalium.cb_push_back %[[I]], %c1

// CHECK: tt.kernel @compute
// CHECK: metalium.cb_wait_front %[[R:[0-9]+]], %c3 : !tt.cb<1x3xbf16>
// CHECK: scf.for %[[I:.*]] = %c0 to %c2
// CHECK-NEXT: scf.for %[[J:.*]] = %c0 to %c3
// CHECK: metalium.cb_wait_front %[[X:.*]], %c1
// CHECK: metalium.add_tiles_bcast_rows %[[X]], %[[R]], %c0, %[[J]], %c0
// CHECK: metalium.cb_pop_front %[[X]], %c1
// CHECK: tt.pack_to_cb dst = 0 tiles = 1 -> %[[S:[0-9]+]]
// CHECK: metalium.cb_pop_front %[[R]], %c3

// The largest of each row: the packer keeps the first column until the end of the reduction.
// CHECK: scf.for %[[I:.*]] = %c0 to %c2
// CHECK: scf.for %[[L:.*]] = %c0 to %c3
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %c3
// CHECK: %[[T:.*]] = arith.addi %[[ROW]], %[[L]]
// CHECK: metalium.reduce_tile max_row, %[[S]], %[[ONES:.*]], %[[T]], %c0, %c0
// CHECK: tt.pack_to_cb dst = 0 tiles = 1 -> %[[M:[0-9]+]]
// CHECK: metalium.reduce_uninit

// The sum of each column is a product with ones.
// CHECK: scf.for %[[J:.*]] = %c0 to %c3
// CHECK: scf.for %[[L:.*]] = %c0 to %c2
// CHECK: metalium.matmul_tiles %[[ONES]], %[[S]], %c0, %{{.*}}, %c0
// CHECK: tt.pack_to_cb dst = 0 tiles = 1 -> %[[C:[0-9]+]]

// A turned block is waited for as a whole, like all that is not taken in order; what is
// broadcast to DST is added to zeros.
// CHECK: scf.for %[[I:.*]] = %c0 to %c3
// CHECK: scf.for %[[J:.*]] = %c0 to %c2
// CHECK: metalium.transpose_wh_tile %[[S]], %{{.*}}, %c0
// CHECK: metalium.add_tiles_bcast_rows %[[ZEROS:.*]], %{{.*}}, %c0, %[[J]], %c1
// CHECK: metalium.sfpu_tiles sub, %c0, %c1, %c0
// CHECK: metalium.copy_tile %{{.*}}, %c0, %c1
// CHECK: %[[AT:.*]] = arith.muli %[[I]], %c32
// CHECK: metalium.sfpu_scalar_tile add_scalar, %c1, %[[AT]] limit 40 : index
// CHECK: metalium.sfpu_scalar_tile mul_scalar, %c1, %{{.*}} : f32

// Each reduction ends before anything else is initialized.
// INIT: tt.kernel @compute
// INIT: tt.fpu.binary_init add_bcast_rows
// INIT: tt.fpu.reduce_init max_row
// INIT-NEXT: scf.for
// INIT-NOT: _init
// INIT: metalium.reduce_uninit
// INIT: tt.fpu.matmul_init
// INIT: metalium.transpose_wh_init_short
// INIT: tt.sfpu.init mul_scalar
func.func @k(%X: memref<64x96xbf16> {tt.name = "X"}, %R: memref<96xbf16> {tt.name = "R"}, %s: f32 {tt.name = "s"},
             %Y: memref<96x64xbf16> {tt.name = "Y"}, %C: memref<96xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %x = tt.alloc_cb "x" : !tt.cb<2x3xbf16>
  %r = tt.alloc_cb "r" : !tt.cb<1x3xbf16>
  %i = tt.alloc_cb "i" depth = 1 : !tt.cb<1x1xbf16>
  %ones = tt.alloc_cb "ones" depth = 1 : !tt.cb<1x1xbf16>
  %zeros = tt.alloc_cb "zeros" depth = 1 : !tt.cb<1x1xbf16>
  %sum = tt.alloc_cb "sum" depth = 1 : !tt.cb<2x3xbf16>
  %max = tt.alloc_cb "max" depth = 1 : !tt.cb<2x1xbf16>
  %maxt = tt.alloc_cb "maxt" depth = 1 : !tt.cb<1x2xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x3xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<3x2xbf16>
  tt.index_to_cb rows = 1 cols = 0 -> %i : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %zeros : !tt.cb<1x1xbf16>
  tt.read_to_cb %X[%c0, %c0], %x : memref<64x96xbf16>, !tt.cb<2x3xbf16>
  tt.read_to_cb %R[%c0], %r : memref<96xbf16>, !tt.cb<1x3xbf16>
  tt.fpu.add %x, %r bcast rows, dst = 0 -> %sum : !tt.cb<2x3xbf16>, !tt.cb<1x3xbf16>, !tt.cb<2x3xbf16>
  tt.fpu.reduce max_row, %sum, %ones, dst = 0 -> %max : !tt.cb<2x3xbf16>, !tt.cb<1x1xbf16>, !tt.cb<2x1xbf16>
  tt.fpu.reduce sum_col, %sum, %ones, dst = 0 -> %c : !tt.cb<2x3xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x3xbf16>
  tt.write_from_cb %c, %C[%c0] : !tt.cb<1x3xbf16>, memref<96xbf16>
  tt.copy_to_dst %max transpose, dst = 0 -> %maxt : !tt.cb<2x1xbf16>, !tt.cb<1x2xbf16>
  tt.copy_to_dst %sum transpose, dst = 0 : !tt.cb<2x3xbf16>
  tt.bcast_to_dst %maxt bcast rows onto %zeros, dst = 1 : !tt.cb<1x2xbf16> onto !tt.cb<1x1xbf16>
  tt.sfpu.combine sub, [0, 1], dst = 0
  tt.copy_to_dst %i repeat, dst = 1 : !tt.cb<1x1xbf16>
  tt.sfpu.scalar add_scalar, %c0 steps [32, 0] limit 40, dst = 1 : index
  tt.sfpu.scalar mul_scalar, %s, dst = 1 : f32
  tt.sfpu.combine add, [0, 1], dst = 0 -> %y : !tt.cb<3x2xbf16>
  tt.write_from_cb %y, %Y[%c0, %c0] : !tt.cb<3x2xbf16>, memref<96x64xbf16>
  return
}
// RULE14: error: [rule 14] another op is initialized after a reduction; put its uninit before it
