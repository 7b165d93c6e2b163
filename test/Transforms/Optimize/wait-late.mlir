// RUN: tt-opt --tt-pipeline=optimize=wait-late --canonicalize --cse %examples/flash_attention.mlir --remarks-filter=tt-wait-late 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: cb_intermed{{.*}}: waited for in the next round, after {{[0-9]+}} ops that do without it

// A round computes its scores before it waits for what the round before added up, and so does what is behind the loop.
// CHECK: tt.kernel @compute
// CHECK: metalium.cb_wait_front %[[ACC:[0-9]+]], %c4 : !tt.cb<2x2xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c3
// CHECK-NOT: metalium.cb_wait_front %[[ACC]]
// CHECK: metalium.matmul_tiles %{{.*}} transpose_b
// CHECK: metalium.cb_wait_front %[[ACC]], %c4
// CHECK: metalium.mul_tiles_bcast_cols %[[ACC]]
// CHECK: metalium.matmul_tiles
// CHECK: metalium.cb_pop_front %[[ACC]], %c4
// CHECK-NEXT: } {tt.var = "k"}
// CHECK-NOT: metalium.mul_tiles_bcast_cols
// CHECK: metalium.cb_wait_front %[[ACC]], %c4
// CHECK: metalium.mul_tiles_bcast_cols %[[ACC]]

// Rounds that take what the one before left first of all, that wait for it themselves, or that find less at first, stay.
// RUN: tt-opt --tt-wait-late %s --remarks-filter=tt-wait-late 2> %t.why | FileCheck %s --check-prefix=STAYS
// RUN: FileCheck %s --check-prefix=WHY < %t.why
// WHY: [Missed] {{.*}}waited for at the end of a round: the next round takes it first of all
// WHY: [Missed] {{.*}}waited for at the end of a round: the next round waits for it itself
// WHY: [Missed] {{.*}}waited for at the end of a round: the first round does not find as much
// WHY: [Passed] {{.*}}waited for after 1 ops that do without it

// STAYS: scf.for
// STAYS: metalium.cb_pop_front %[[X:[0-9]+]]
// STAYS-NEXT: metalium.cb_wait_front %[[X]]
// STAYS: scf.for
// STAYS: metalium.cb_pop_front %[[X]]
// STAYS-NEXT: metalium.cb_wait_front %[[X]]
// STAYS: scf.for
// STAYS: metalium.cb_pop_front %[[X]]
// STAYS-NEXT: metalium.cb_wait_front %[[X]]

// A wait goes behind what others do, not into a branch, nor into a loop that may have no rounds, or that frees pages.
// STAYS: metalium.copy_tile %[[Y:[0-9]+]]
// STAYS: metalium.cb_wait_front %[[X]]
// STAYS-NEXT: scf.if
// STAYS: scf.for
// STAYS: metalium.copy_tile %[[Y]]
// STAYS-NEXT: metalium.copy_tile %[[X]]
module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @rounds : (memref<32x32xf32>) -> () attributes {tt.args = ["A"]} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 0]>]
    tt.circular_buffer @cb_x on @all intermediate !tt.cb<1x2xf32> id = 24 pages = 4 page_bytes = 4096 format = float32
    tt.circular_buffer @cb_y on @all intermediate !tt.cb<1x1xf32> id = 25 pages = 1 page_bytes = 4096 format = float32
    tt.core_args (%x, %y) -> ["count"] { %c1 = arith.constant 1 : index tt.yield %c1 : index }
    tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = true, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %n = tt.runtime_arg "count" : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %x = tt.get_cb @cb_x : !tt.cb<1x2xf32>
      %y = tt.get_cb @cb_y : !tt.cb<1x1xf32>
      metalium.cb_wait_front %y, %c1 : !tt.cb<1x1xf32>
      metalium.cb_wait_front %x, %c2 : !tt.cb<1x2xf32>
      scf.for %i = %c0 to %n step %c1 {
        metalium.copy_tile %x, %c0, %c0 : !tt.cb<1x2xf32>
        metalium.copy_tile %y, %c0, %c1 : !tt.cb<1x1xf32>
        metalium.cb_pop_front %x, %c2 : !tt.cb<1x2xf32>
        metalium.cb_wait_front %x, %c2 : !tt.cb<1x2xf32>
      }
      scf.for %i = %c0 to %n step %c1 {
        metalium.copy_tile %y, %c0, %c1 : !tt.cb<1x1xf32>
        metalium.cb_wait_front %x, %c1 : !tt.cb<1x2xf32>
        metalium.copy_tile %x, %c0, %c0 : !tt.cb<1x2xf32>
        metalium.cb_pop_front %x, %c2 : !tt.cb<1x2xf32>
        metalium.cb_wait_front %x, %c2 : !tt.cb<1x2xf32>
      }
      metalium.cb_wait_front %x, %c1 : !tt.cb<1x2xf32>
      scf.for %i = %c0 to %n step %c1 {
        metalium.copy_tile %y, %c0, %c1 : !tt.cb<1x1xf32>
        metalium.copy_tile %x, %c0, %c0 : !tt.cb<1x2xf32>
        metalium.cb_pop_front %x, %c1 : !tt.cb<1x2xf32>
        metalium.cb_wait_front %x, %c2 : !tt.cb<1x2xf32>
      }
      metalium.cb_wait_front %x, %c2 : !tt.cb<1x2xf32>
      metalium.copy_tile %y, %c0, %c1 : !tt.cb<1x1xf32>
      %some = arith.cmpi ugt, %n, %c1 : index
      scf.if %some {
        metalium.copy_tile %y, %c0, %c1 : !tt.cb<1x1xf32>
        metalium.copy_tile %x, %c0, %c0 : !tt.cb<1x2xf32>
      }
      scf.for %i = %c0 to %n step %c1 {
        metalium.copy_tile %y, %c0, %c1 : !tt.cb<1x1xf32>
        metalium.copy_tile %x, %c0, %c0 : !tt.cb<1x2xf32>
      }
      tt.return
    }
  }
}
