// RUN: sed 's/128x256/2048x256/g; s/in (4)/in (64)/' %examples/softmax.mlir > %t.mlir
// RUN: tt-opt --tt-pipeline=optimize=read-in-turns,read-in-parts,wait-as-needed --canonicalize --cse %t.mlir --remarks-filter=tt-read-in-turns 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

// Two lines of cores read together, and say to the core two lines further on when their last part but one is on its way.
// CHECK-LABEL: tt.program @softmax
// CHECK: tt.semaphore @turn on @all init 0
// CHECK: tt.core_args (%[[X:.*]], %[[Y:.*]]) -> ["start_id", "count", "turn_waits", "turn_passes", "turn_next_x", "turn_next_y"]
// CHECK: %[[NEXT:.*]] = arith.addi %[[Y]], %c2 {tt.var = "next_y"}
// CHECK: arith.cmpi ult, %[[Y]], %c2
// CHECK: tt.worker_core %[[X]], %{{.*}}
// CHECK: tt.kernel @reader
// CHECK: %[[TURN:.*]] = metalium.get_semaphore @turn
// CHECK: scf.if
// CHECK-NEXT: metalium.noc_semaphore_wait %[[TURN]], %c1
// CHECK: scf.for {{.*}} {
// CHECK: metalium.noc_async_read_tile
// CHECK: scf.if
// CHECK: metalium.noc_semaphore_inc %{{.*}}, %c1
// CHECK: metalium.noc_async_read_barrier
// REMARK: "loop over %unit: cores read in turns, 8 x 2 together"

// The same bits, where some cores have two units and where the last line is shorter, on both chips and in all eras.
// RUN: sed 's/128x256/2080x256/g; s/in (4)/in (65)/' %examples/softmax.mlir > %t.more.mlir
// RUN: %if all %{ tt-run %t.more.mlir --math=fast --optimize=none --output Y=%t.none.npy %}
// RUN: %if all %{ tt-run %t.more.mlir --math=fast --strict --output Y=%t.turns.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.turns.npy %}
// RUN: sed 's/128x256/1888x256/g; s/in (4)/in (59)/' %examples/softmax.mlir > %t.fewer.mlir
// RUN: %if all %{ tt-run %t.fewer.mlir --math=fast --check --strict --metalium-api=2025 %}
// RUN: %if all %{ tt-run %t.fewer.mlir --math=fast --check --strict --metalium-api=2026-03 %}
// There a block of rows is on two cores, one below the other, and the last two lines have twelve.
// RUN: sed 's/128x256/2048x1024/g; s/32x256/32x1024/g; s/\[32, 256\]/[32, 1024]/; s/\[256, 1\]/[1024, 1]/g; s/in (4)/in (64)/' %examples/softmax.mlir > %t.wide.mlir
// RUN: tt-opt --tt-pipeline="arch=blackhole grid=13x10" --remarks-filter=tt-read-in-turns %t.wide.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLACKHOLE
// One line has ports for all that DRAM gives, but not as much on its way as DRAM would stand still for when it passes the turn on.
// BLACKHOLE: "loop over %unit: cores read in turns, 13 x 2 together"
// RUN: %if all %{ tt-run %t.wide.mlir --math=fast --check --strict --arch=blackhole --grid=13x10 %}

// Two units on each of 64 cores, with room for both: in the second round the first lines wait for the last ones.
// RUN: sed 's/128x256/4096x256/g; s/in (4)/in (128)/' %examples/softmax.mlir > %t.rounds.mlir
// RUN: tt-opt --tt-pipeline=optimize=read-in-turns,read-in-parts,wait-as-needed --canonicalize --cse %t.rounds.mlir | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: tt.core_args (%{{.*}}, %[[Y:.*]]) ->
// ROUNDS: %[[FIRST:.*]] = arith.remui %[[Y]], %c2
// ROUNDS: arith.select %{{.*}}, %{{.*}}, %[[FIRST]]
// ROUNDS: tt.kernel @reader
// ROUNDS: scf.for %[[UNIT:.*]] = %c0
// ROUNDS-NEXT: %[[TURN:.*]] = arith.addi %[[UNIT]], %{{.*}}
// ROUNDS: metalium.noc_semaphore_wait %{{.*}}, %[[TURN]]
// ROUNDS: arith.cmpi ult, %[[UNIT]], %{{.*}}
// RUN: %if all %{ tt-run %t.rounds.mlir --math=fast --optimize=none --output Y=%t.none.npy %}
// RUN: %if all %{ tt-run %t.rounds.mlir --math=fast --strict --output Y=%t.turns.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.turns.npy %}
// RUN: %if all %{ tt-run %t.rounds.mlir --math=fast --check --strict --arch=blackhole --grid=8x8 %}

// Results of an RMS norm leave while others read: three lines together.
// RUN: sed 's/64x128/2048x1024/g; s/32x128/32x1024/g; s/\[32, 128\]/[32, 1024]/g; s/\[128, 1\]/[1024, 1]/g; s/<128x/<1024x/g; s/in (2)/in (64)/' %examples/rms_norm.mlir > %t.rms.mlir
// RUN: tt-opt --tt-pipeline --remarks-filter=tt-read-in-turns %t.rms.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=RMS
// RMS: "loop over %unit: cores read in turns, 8 x 3 together"

// Not where there is one line of cores, where reading takes no longer than a signal, and where results leave as blocks come.
// RUN: tt-opt --tt-pipeline=optimize=read-in-turns,read-in-parts,wait-as-needed --remarks-filter=tt-read-in-turns %examples/softmax.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=LINE
// LINE: "loop over %unit: cores read at the same time: the ports of its cores take no more than DRAM gives"
// RUN: sed 's/1024/512/g' %t.wide.mlir > %t.little.mlir
// RUN: tt-opt --tt-pipeline="arch=blackhole grid=13x10" --remarks-filter=tt-read-in-turns %t.little.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=LITTLE
// LITTLE: "loop over %unit: cores read at the same time: it reads too little for the signals"
// RUN: sed 's/128x256/2048x64/g; s/32x256/32x64/g; s/\[32, 256\]/[32, 64]/; s/\[256, 1\]/[64, 1]/g; s/in (4)/in (64)/' %examples/softmax.mlir > %t.short.mlir
// RUN: tt-opt --tt-pipeline --remarks-filter=tt-read-in-turns %t.short.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: tt-opt --tt-pipeline --remarks-filter=tt-read-in-turns %examples/eadd.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// NONE-NOT: tt-read-in-turns
