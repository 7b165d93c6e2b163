// RUN: tt-opt --tt-pipeline=optimize=wait-as-needed --canonicalize --cse %examples/softmax.mlir --remarks-filter=tt-wait-as-needed 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: each of 8 tiles is waited for when it is taken

// The first op that takes the block waits for its tiles; the second finds them.
// CHECK: tt.kernel @compute
// CHECK: scf.for %[[L:.*]] = %c0 to %c8
// CHECK-NEXT: %[[N:.*]] = arith.addi %[[L]], %c1
// CHECK-NEXT: metalium.cb_wait_front %[[X:.*]], %[[N]]
// CHECK-NEXT: metalium.reduce_tile max_row, %[[X]], %{{.*}}, %[[L]]
// CHECK-NOT: metalium.cb_wait_front %[[X]],
// CHECK: metalium.cb_pop_front %[[X]], %c8

// Tiles of a product's operands are taken again.
// RUN: tt-opt --tt-pipeline=optimize=wait-as-needed %examples/gemm.mlir --remarks-filter=tt-wait-as-needed 2>&1 >/dev/null | FileCheck %s --check-prefix=WHOLE
// WHOLE: a block is waited for as a whole: its tiles are not taken once, in their order

// The kernel fills this block itself, a tile after the other: unpack takes the first while the others are packed.
// RUN: tt-opt --tt-pipeline=optimize=wait-as-needed --canonicalize --cse %examples/layer_norm.mlir | FileCheck %s --check-prefix=OWN
// OWN: metalium.sub_tiles_bcast_cols
// OWN: metalium.cb_push_back %[[D:.*]], %c1 : !tt.cb<1x8xf32>
// OWN: scf.for %[[L:.*]] = %c0 to %c8
// OWN-NEXT: %[[N:.*]] = arith.addi %[[L]], %c1
// OWN-NEXT: metalium.cb_wait_front %[[D]], %[[N]]
// OWN-NEXT: metalium.matmul_tiles %[[D]]

// This one is filled at once: a wait for each tile would only cost.
// RUN: tt-opt --tt-pipeline=optimize=wait-as-needed --canonicalize --cse %examples/gated_mlp.mlir | FileCheck %s --check-prefix=ONCE
// ONCE: metalium.cb_push_back %[[D:.*]], %c2 : !tt.cb<2x1xf32>
// ONCE: metalium.cb_push_back %[[D:.*]], %c2 : !tt.cb<2x1xf32>
// ONCE-NEXT: metalium.cb_wait_front %[[D]], %c2

// 17 tiles are taken four at a time, and then one: waits for some more each time would not be for as many. Where one op takes
// them, and nothing is packed, they are waited for as they come.
// RUN: sed 's/256/544/g' %examples/layer_norm.mlir > %t.544.mlir
// RUN: tt-opt --tt-pipeline=optimize=use-fpu,wait-as-needed,batch-tiles --canonicalize --cse %t.544.mlir --remarks-filter=tt-wait-as-needed 2>&1 | FileCheck %s --check-prefix=PRIME
// PRIME-COUNT-2: its 17 tiles are taken some at a time, which do not divide them
// PRIME: tt.kernel @compute
// PRIME: metalium.comment "cb_out0 =
// PRIME-DAG: metalium.cb_wait_front %[[W:.*]], %c17 : !tt.cb<1x17xbf16>
// PRIME-DAG: metalium.cb_wait_front %[[B:.*]], %c17 : !tt.cb<1x17xbf16>
// PRIME: scf.for %{{.*}} = %c0 to %c4 step %c1
// PRIME: metalium.cb_wait_front %{{.*}}, %c4 : !tt.cb<1x17xf32>

// A square takes one tile, twice.
// RUN: tt-opt --tt-pipeline=optimize=all %examples/rms_norm.mlir --remarks-filter=tt-wait-as-needed 2>&1 >/dev/null | FileCheck %s --check-prefix=SQUARE
// SQUARE: [Passed] {{.*}}each of {{[0-9]+}} tiles is waited for when it is taken

// Two tiles that one op takes are waited for together, where they lie one behind the other; and a batch takes such loops.
// RUN: tt-opt --tt-wait-as-needed --tt-batch-tiles --canonicalize --cse %s --remarks-filter=tt-wait-as-needed 2> %t.two | FileCheck %s --check-prefix=TWO
// RUN: FileCheck %s --check-prefix=TWO-WHY < %t.two
// TWO-WHY: [Passed] {{.*}}"cb_x: two of 8 tiles are waited for when they are taken"
// TWO-WHY: [Missed] {{.*}}"cb_x: a block is waited for as a whole: its tiles are not taken once, in their order"
// TWO: scf.for %[[T:.*]] = %c0 to %c2
// TWO-NEXT: scf.for %[[L:.*]] = %c0 to %c2
// TWO: %[[A:.*]] = arith.addi
// TWO: %[[N:.*]] = arith.addi %[[A]], %c2
// TWO-NEXT: metalium.cb_wait_front %[[X:[0-9]+]], %[[N]]
// TWO: metalium.add_tiles_onto %[[X]], %[[X]], %[[A]], %{{.*}}, %[[T]]
// TWO: metalium.copy_tile
// TWO: tt.pack_to_cb dst = 0 tiles = 2
// TWO: metalium.cb_wait_front %[[X]], %c8
// TWO-NEXT: scf.for
module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @sums : (memref<32x32xf32>) -> () attributes {tt.args = ["A"], tt.fp32_dest_acc = true} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 0]>]
    tt.circular_buffer @cb_x on @all intermediate !tt.cb<2x4xf32> id = 24 pages = 8 page_bytes = 4096 format = float32
    tt.circular_buffer @cb_y on @all intermediate !tt.cb<2x1xf32> id = 25 pages = 2 page_bytes = 4096 format = float32
    tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = true, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %x = tt.get_cb @cb_x : !tt.cb<2x4xf32>
      %y = tt.get_cb @cb_y : !tt.cb<2x1xf32>
      metalium.cb_wait_front %x, %c8 : !tt.cb<2x4xf32>
      scf.for %t = %c0 to %c2 step %c1 {
        scf.for %l = %c0 to %c2 step %c1 {
          %row = arith.muli %t, %c4 : index
          %pair = arith.muli %l, %c2 : index
          %a = arith.addi %row, %pair : index
          %b = arith.addi %a, %c1 : index
          metalium.add_tiles_onto %x, %x, %a, %b, %c0 : !tt.cb<2x4xf32>, !tt.cb<2x4xf32>
        }
        metalium.copy_tile %y, %t, %c1 : !tt.cb<2x1xf32>
        metalium.cb_reserve_back %y, %c1 : !tt.cb<2x1xf32>
        tt.pack_to_cb dst = 0 tiles = 1 -> %y : !tt.cb<2x1xf32>
        metalium.cb_push_back %y, %c1 : !tt.cb<2x1xf32>
      }
      metalium.cb_pop_front %x, %c8 : !tt.cb<2x4xf32>
      metalium.cb_wait_front %x, %c8 : !tt.cb<2x4xf32>
      scf.for %t = %c0 to %c2 step %c1 {
        scf.for %l = %c0 to %c2 step %c1 {
          %row = arith.muli %t, %c4 : index
          %a = arith.addi %row, %l : index
          %b = arith.addi %a, %c2 : index
          metalium.add_tiles_onto %x, %x, %a, %b, %t : !tt.cb<2x4xf32>, !tt.cb<2x4xf32>
        }
      }
      metalium.cb_pop_front %x, %c8 : !tt.cb<2x4xf32>
      tt.return
    }
  }
}
