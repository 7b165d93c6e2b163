// RUN: tt-opt --tt-pipeline=optimize=share-operands --canonicalize --cse %examples/gemm.mlir --remarks-filter=tt-share-operands 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks

// The blocks of A do not depend on bx, those of B not on by. Of each line of cores one reads.
// DONE: remark: [Passed] {{.*}}A is read by one of 8 x 1 cores, and multicast to the others
// DONE: remark: [Passed] {{.*}}B is read by one of 1 x 8 cores, and multicast to the others

// CHECK: tt.semaphore @in0_ready on @all init 0
// CHECK-NEXT: tt.semaphore @in0_there on @all init 0
// The sender of row y is core (y, y).
// CHECK: tt.core_args (%[[X:.*]], %[[Y:.*]]) -> ["start_id", "count", "in0_sends", "in0_sender_x", "in0_sender_y", "in0_x0", "in0_y0", "in0_x1", "in0_y1", "in1_sends",
// CHECK: %[[TURN:.*]] = arith.remui %[[Y]], %c8
// CHECK-NEXT: tt.worker_core %[[TURN]], %[[Y]]
// CHECK-NEXT: tt.worker_core %c0, %[[Y]]
// CHECK-NEXT: tt.worker_core %c7, %[[Y]]
// CHECK-NEXT: arith.cmpi eq, %[[X]], %[[TURN]]
// That of column x, whose operand is the second one, is core (x, x + 4): a core brings only so much.
// CHECK: %[[AT:.*]] = arith.addi %[[X]], %c4
// CHECK-NEXT: %[[NEXT:.*]] = arith.remui %[[AT]], %c8
// CHECK-NEXT: tt.worker_core %[[X]], %[[NEXT]]

// CHECK: tt.kernel @reader
// CHECK: metalium.cb_reserve_back %[[A:.*]], %c4
// CHECK-NEXT: metalium.cb_reserve_back %[[B:.*]], %c4
// CHECK-NEXT: %[[L1:.*]] = metalium.get_write_ptr %[[A]]
// CHECK: scf.if %[[SENDS:.*]] {
// CHECK: metalium.noc_async_read_tile
// CHECK: } else {
// CHECK-NEXT: metalium.noc_semaphore_set %[[THERE:.*]], %c0
// CHECK-NEXT: %[[SENDER:.*]] = metalium.get_noc_addr %{{.*}}, %{{.*}}, %[[READY:.*]]
// CHECK-NEXT: metalium.noc_semaphore_inc %[[SENDER]], %c1
// CHECK: metalium.noc_async_read_barrier
// CHECK-NEXT: scf.if %[[SENDS]] {
// CHECK-NEXT: metalium.noc_semaphore_wait %[[READY]], %c7
// CHECK-NEXT: metalium.noc_semaphore_set %[[READY]], %c0
// CHECK: metalium.noc_async_write_multicast %[[L1]], %{{.*}}, %{{.*}}, %c7
// CHECK-NEXT: metalium.noc_semaphore_set %[[THERE]], %c1
// CHECK: metalium.noc_semaphore_set_multicast %[[THERE]], %{{.*}}, %c7
// CHECK-NEXT: } else {
// CHECK-NEXT: metalium.noc_semaphore_wait %[[THERE]], %c1
// A block is there for the engine before the next one is sent.
// CHECK: metalium.cb_push_back %[[A]], %c4
// CHECK: metalium.noc_async_write_multicast
// CHECK: metalium.cb_push_back %[[B]], %c4
// CHECK: metalium.noc_async_write_barrier

// Where words may overtake data, the flag waits until the block has left.
// RUN: tt-opt --tt-pipeline="optimize=merge-steps,share-operands arch=blackhole grid=8x8" --canonicalize --cse %examples/gemm.mlir | FileCheck %s --check-prefix=APART
// APART: metalium.noc_async_write_multicast
// APART-NEXT: metalium.noc_async_writes_flushed
// APART-NEXT: metalium.noc_semaphore_set

// Where it is not legal, or does not pay, the plain form stays, and a remark says why.
// RUN: tt-opt --tt-pipeline=optimize=share-operands --remarks-filter=tt-share-operands %s 2> %t.remarks | FileCheck %s --check-prefix=PLAIN
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// PLAIN-NOT: multicast

// WHY: {{share-operands.mlir}}:[[#@LINE+9]]:5: remark: {{.*}}A is not shared along x: its offset depends on %bx
// WHY: A is not shared along y: its offset depends on %by
func.func @each(%A: memref<1024x1024xbf16> {tt.name = "A"}, %C: memref<1024x1024xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c128 = arith.constant 128 : index
  scf.forall (%by, %bx) in (8, 8) {
    %m = arith.muli %by, %c128 : index
    %n = arith.muli %bx, %c128 : index
    %a = memref.subview %A[%m, %n] [128, 128] [1, 1] : memref<1024x1024xbf16> to memref<128x128xbf16, strided<[1024, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1] : memref<1024x1024xbf16> to memref<128x128xbf16, strided<[1024, 1], offset: ?>>
    linalg.exp ins(%a : memref<128x128xbf16, strided<[1024, 1], offset: ?>>) outs(%c : memref<128x128xbf16, strided<[1024, 1], offset: ?>>)
  }
  return
}

// Six units wide, the cores with one block of A lie around the corner: some have two beside them, some four.
// WHY: A is not shared: not as many cores read each of its blocks; choose a grid that fills the cores evenly
func.func @corner(%A: memref<768x128xbf16> {tt.name = "A"}, %C: memref<768x768xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  scf.forall (%by, %bx) in (6, 6) {
    %m = arith.muli %by, %c128 : index
    %n = arith.muli %bx, %c128 : index
    %a = memref.subview %A[%m, %c0] [128, 128] [1, 1] : memref<768x128xbf16> to memref<128x128xbf16, strided<[128, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1] : memref<768x768xbf16> to memref<128x128xbf16, strided<[768, 1], offset: ?>>
    linalg.exp ins(%a : memref<128x128xbf16, strided<[128, 1], offset: ?>>) outs(%c : memref<128x128xbf16, strided<[768, 1], offset: ?>>)
  }
  return
}

// WHY: A is not shared: a block that all its cores read takes about
func.func @small(%A: memref<32x32xbf16> {tt.name = "A"}, %C: memref<32x64xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.forall (%bx) in (2) {
    %n = arith.muli %bx, %c32 : index
    %c = memref.subview %C[%c0, %n] [32, 32] [1, 1] : memref<32x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
    linalg.exp ins(%A : memref<32x32xbf16>) outs(%c : memref<32x32xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}

// WHY: A is not shared: sizes, and so the units of a core, are known only when the kernel runs
func.func @dynamic(%A: memref<128x128xbf16> {tt.name = "A"}, %C: memref<128x?xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %d = memref.dim %C, %c1 : memref<128x?xbf16>
  %gx = arith.ceildivui %d, %c128 : index
  scf.forall (%bx) in (%gx) {
    %n = arith.muli %bx, %c128 : index
    %size = affine.min affine_map<(d0)[s0] -> (128, s0 - d0)>(%n)[%d]
    %a = memref.subview %A[%c0, %c0] [128, %size] [1, 1] : memref<128x128xbf16> to memref<128x?xbf16, strided<[128, 1], offset: ?>>
    %c = memref.subview %C[%c0, %n] [128, %size] [1, 1] : memref<128x?xbf16> to memref<128x?xbf16, strided<[?, 1], offset: ?>>
    linalg.exp ins(%a : memref<128x?xbf16, strided<[128, 1], offset: ?>>) outs(%c : memref<128x?xbf16, strided<[?, 1], offset: ?>>)
  }
  return
}

// A tensor of one element, which all cores read once, at no offset.
// WHY: S is not shared: one core alone reads it
func.func @scalar(%S: memref<bf16> {tt.name = "S"}, %C: memref<32x32xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%S : memref<bf16>) outs(%C : memref<32x32xbf16>) {
    ^bb0(%x: bf16, %old: bf16):
      linalg.yield %x : bf16
  }
  return
}
