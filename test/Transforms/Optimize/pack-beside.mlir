// RUN: tt-opt --tt-pipeline=optimize=forward-copies,pack-beside %examples/flash_attention.mlir --remarks-filter=tt-pack-beside 2> %t.remarks \
// RUN:   | tt-translate --emit-metalium | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: what packs the block packs its copy as well

// The largest scores so far are packed to what compares them in this step, and to what the next one compares them with.
// CHECK-LABEL: //--- flash_attention/compute.cpp
// CHECK: // [[NEW:cb_intermed[0-9]+]], [[MAX:cb_intermed[0-9]+]] = max([[MAX]],
// CHECK: cb_reserve_back([[NEW]], 1);
// CHECK-NEXT: cb_reserve_back([[MAX]], 1);
// CHECK: tile_regs_wait();
// CHECK-NEXT: pack_tile(0, [[NEW]]);
// CHECK-NEXT: cb_push_back([[NEW]], 1);
// CHECK-NEXT: pack_tile(0, [[MAX]]);
// CHECK-NEXT: tile_regs_release();
// CHECK: sub_tiles([[MAX]], [[NEW]],
// CHECK-NOT: // [[MAX]] = [[NEW]]
// CHECK: cb_pop_front([[MAX]], 2);
// CHECK-NEXT: cb_wait_front([[MAX]], 2);

// What moves in the buffer of the copy meanwhile, a copy in another format, and a block that two ops pack stay.
// RUN: tt-opt --tt-pack-beside %s --remarks-filter=tt-pack-beside 2> %t.why | FileCheck %s --check-prefix=STAYS
// RUN: FileCheck %s --check-prefix=WHY --implicit-check-not=Passed < %t.why
// WHY: [Missed] {{.*}}a block is copied: pages move in the buffer of the copy meanwhile
// WHY: [Missed] {{.*}}a block is copied: the copy has another format, or less bits than DST
// WHY: [Missed] {{.*}}a block is copied: no single op packs it, as a whole
// STAYS-COUNT-3: scf.for
module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @copies : (memref<32x32xf32>) -> () attributes {tt.args = ["A"], tt.fp32_dest_acc = true} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 0]>]
    tt.circular_buffer @cb_x on @all intermediate !tt.cb<2x1xf32> id = 24 pages = 4 page_bytes = 4096 format = float32
    tt.circular_buffer @cb_y on @all intermediate !tt.cb<2x1xf32> id = 25 pages = 4 page_bytes = 4096 format = float32
    tt.circular_buffer @cb_z on @all intermediate !tt.cb<2x1xbf16> id = 26 pages = 4 page_bytes = 2048 format = bfloat16
    tt.circular_buffer @cb_u on @all intermediate !tt.cb<2x1xf32> id = 27 pages = 4 page_bytes = 4096 format = float32
    tt.circular_buffer @cb_v on @all intermediate !tt.cb<2x1xf32> id = 28 pages = 4 page_bytes = 4096 format = float32
    tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = true, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %x = tt.get_cb @cb_x : !tt.cb<2x1xf32>
      %y = tt.get_cb @cb_y : !tt.cb<2x1xf32>
      %z = tt.get_cb @cb_z : !tt.cb<2x1xbf16>
      %u = tt.get_cb @cb_u : !tt.cb<2x1xf32>
      %v = tt.get_cb @cb_v : !tt.cb<2x1xf32>
      metalium.cb_reserve_back %x, %c2 : !tt.cb<2x1xf32>
      tt.pack_to_cb dst = 0 tiles = 2 -> %x : !tt.cb<2x1xf32>
      metalium.cb_push_back %x, %c2 : !tt.cb<2x1xf32>
      metalium.cb_pop_front %y, %c2 : !tt.cb<2x1xf32>
      metalium.cb_wait_front %x, %c2 : !tt.cb<2x1xf32>
      scf.for %t = %c0 to %c2 step %c1 {
        metalium.copy_tile %x, %t, %c0 : !tt.cb<2x1xf32>
        metalium.cb_reserve_back %y, %c1 : !tt.cb<2x1xf32>
        tt.pack_to_cb dst = 0 tiles = 1 -> %y : !tt.cb<2x1xf32>
        metalium.cb_push_back %y, %c1 : !tt.cb<2x1xf32>
      }
      metalium.cb_pop_front %x, %c2 : !tt.cb<2x1xf32>
      metalium.cb_reserve_back %u, %c2 : !tt.cb<2x1xf32>
      tt.pack_to_cb dst = 0 tiles = 2 -> %u : !tt.cb<2x1xf32>
      metalium.cb_push_back %u, %c2 : !tt.cb<2x1xf32>
      metalium.cb_wait_front %u, %c2 : !tt.cb<2x1xf32>
      scf.for %t = %c0 to %c2 step %c1 {
        metalium.copy_tile %u, %t, %c0 : !tt.cb<2x1xf32>
        metalium.cb_reserve_back %z, %c1 : !tt.cb<2x1xbf16>
        tt.pack_to_cb dst = 0 tiles = 1 -> %z : !tt.cb<2x1xbf16>
        metalium.cb_push_back %z, %c1 : !tt.cb<2x1xbf16>
      }
      metalium.cb_pop_front %u, %c2 : !tt.cb<2x1xf32>
      metalium.cb_reserve_back %v, %c2 : !tt.cb<2x1xf32>
      tt.pack_to_cb dst = 0 tiles = 2 -> %v : !tt.cb<2x1xf32>
      metalium.cb_push_back %v, %c2 : !tt.cb<2x1xf32>
      metalium.cb_reserve_back %v, %c2 : !tt.cb<2x1xf32>
      tt.pack_to_cb dst = 0 tiles = 2 -> %v : !tt.cb<2x1xf32>
      metalium.cb_push_back %v, %c2 : !tt.cb<2x1xf32>
      metalium.cb_wait_front %v, %c2 : !tt.cb<2x1xf32>
      scf.for %t = %c0 to %c2 step %c1 {
        metalium.copy_tile %v, %t, %c0 : !tt.cb<2x1xf32>
        metalium.cb_reserve_back %y, %c1 : !tt.cb<2x1xf32>
        tt.pack_to_cb dst = 0 tiles = 1 -> %y : !tt.cb<2x1xf32>
        metalium.cb_push_back %y, %c1 : !tt.cb<2x1xf32>
      }
      metalium.cb_pop_front %v, %c2 : !tt.cb<2x1xf32>
      tt.return
    }
  }
}
