// What cores share is fetched by the reader's processor, and relayed by the writer's.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-relay-operands %examples/gemm.mlir --remarks-filter=tt-relay-operands 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: the reader's processor fetches what cores share, and the writer's sends it: blocks take about {{.*}} clk, not
// CHECK: %[[A0:.*]] = tt.alloc_cb "cb_in0" depth = 2 : !tt.cb<4x1xbf16>
// CHECK: %[[A:.*]] = tt.alloc_cb "cb_intermed0" depth = 3 : !tt.cb<4x1xbf16>
// CHECK: tt.read_to_cb {{.*}}, %[[A0]] : memref<1024x256xbf16>
// CHECK-NEXT: tt.relay %[[A0]] -> %[[A]] : !tt.cb<4x1xbf16>, !tt.cb<4x1xbf16>
// CHECK: tt.read_to_cb {{.*}} : memref<256x1024xbf16>
// CHECK-NEXT: tt.relay
// CHECK: tt.mm.mma %[[A]],

// Who sends fetches, on NoC 0, and nobody else; both blocks of a step are on their way together, on NoC 1.
// RUN: tt-opt --tt-pipeline=optimize=relay-operands,use-both-movers,share-operands %examples/gemm.mlir -o %t.program
// RUN: tt-opt --canonicalize --cse %t.program | FileCheck %s --check-prefix=SENT
// SENT: tt.kernel @reader({{.*}}) {{.*}} noc = 0
// SENT-NOT: semaphore
// SENT: scf.if
// SENT-NEXT: metalium.cb_reserve_back
// SENT: metalium.noc_async_read_tile
// SENT: metalium.cb_push_back
// SENT: scf.if
// SENT: metalium.noc_async_read_tile
// SENT-NOT: semaphore
// SENT: tt.kernel @writer({{.*}}) {{.*}} noc = 1
// SENT-NOT: metalium.noc_async_read_tile
// SENT-COUNT-2: metalium.cb_reserve_back
// SENT: metalium.cb_wait_front
// SENT: metalium.noc_semaphore_wait
// SENT: metalium.noc_async_write_multicast_loopback_src
// SENT: metalium.noc_semaphore_set_multicast
// SENT: metalium.noc_async_write_multicast_loopback_src
// SENT: metalium.noc_semaphore_set_multicast
// SENT: metalium.noc_async_write_barrier
// SENT-NEXT: metalium.cb_pop_front
// SENT: } else {
// SENT-NEXT: metalium.noc_semaphore_wait
// SENT: metalium.cb_push_back

// The proof knows what is relayed: its page is there, and has left before its place is taken again.
// RUN: awk '/noc_async_write_barrier/ && !n++ {next} {print}' %t.program | not tt-opt --tt-verify-ir -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: error: [rule 16] frees pages of cb_in0 before they have left for other cores
// RUN: awk '/noc_semaphore_inc/ && !n++ {next} {print}' %t.program | not tt-opt --tt-verify-ir -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROOM
// ROOM: error: [rule 6] deadlock

// Where nothing is shared after all, each core brings its block on itself.
// RUN: tt-opt --tt-pipeline=optimize=relay-operands %examples/gemm.mlir | FileCheck %s --check-prefix=ALONE
// ALONE: tt.kernel @writer
// ALONE: %[[X:[0-9]+]] = tt.runtime_arg "own_x"
// ALONE: metalium.cb_wait_front %[[FROM:.*]], %c4
// ALONE: %[[THERE:.*]] = metalium.get_read_ptr %[[FROM]]
// ALONE: metalium.cb_reserve_back %[[TO:.*]], %c4
// ALONE: %[[HERE:.*]] = metalium.get_write_ptr %[[TO]]
// ALONE: metalium.get_noc_addr %[[X]],
// ALONE: metalium.noc_async_read %{{.*}}, %[[HERE]]
// ALONE: metalium.noc_async_read_barrier
// ALONE: metalium.cb_push_back %[[TO]]
// ALONE: metalium.cb_pop_front %[[FROM]]

// Cores with several units, whose results can wait (--tt-write-behind).
// RUN: tt-opt --tt-stage-a="grid=2x8" --tt-stage-b --tt-stage-c --tt-relay-operands %examples/gemm.mlir | FileCheck %s --check-prefix=UNITS
// UNITS-COUNT-2: tt.relay

// A step with blocks of the core's own, a short kernel, and elements that are stored otherwise.
// RUN: sed 's/256/2048/g' %S/Inputs/skinny.mlir | tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-merge-steps --tt-relay-operands --remarks-filter=tt-relay-operands 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=OWN,NONE
// RUN: tt-opt --tt-pipeline %S/Inputs/skinny.mlir --remarks-filter=tt-relay-operands 2>&1 | FileCheck %s --check-prefixes=SHORT
// RUN: sed '/%%B:/s/{tt.name = "B"}/{tt.name = "B", tt.layout = {dtype = "bfp8_b"}}/; /%%A:/s/{tt.name = "A"}/{tt.name = "A", tt.layout = {dtype = "bfp8_b"}}/' %examples/gemm.mlir \
// RUN:   | tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-relay-operands | FileCheck %s --check-prefix=NONE
// OWN: each processor sends what it fetches: blocks that cores have for themselves keep NoC 0 busy in its steps
// SHORT: each processor sends what it fetches: it would not take less time
// SHORT-NOT: loopback
// NONE-NOT: tt.relay

// Of blocks that products take longer than, only the first ones are waited for.
// RUN: sed 's/1184/3072/g' %S/merge-steps-last.mlir | tt-opt --tt-pipeline --remarks-filter=tt-relay-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: remark: {{.*}}each processor sends what it fetches: products take so long that it would make no difference
