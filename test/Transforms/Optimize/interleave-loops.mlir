// RUN: sed 's/64/1024/g; s/<128x/<2048x/g; s/(2, 2)/(2, 32)/' %examples/layer_norm.mlir > %t.all.mlir
// RUN: sed 's/256/512/g; s/0.00390625/0.001953125/' %t.all.mlir > %t.512.mlir
// RUN: tt-opt --tt-pipeline=optimize=use-fpu,batch-tiles,interleave-loops --canonicalize --cse %t.512.mlir --remarks-filter=tt-interleave-loops 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: takes turns with the loop before it, 8 tiles each

// What is freed between the loops is freed behind them, and the weights are waited for in each turn.
// CHECK: tt.kernel @compute
// CHECK: scf.for %[[TURN:.*]] = %c0 to %c2 step %c1
// CHECK-NEXT: metalium.comment "cb_intermed0 = cb_intermed1 * cb_intermed8"
// CHECK: scf.for %[[J:.*]] = %c0 to %c8 step %c1
// CHECK: metalium.mul_tiles_bcast_cols %[[D:.*]], %[[R:.*]], %c0, %c0, %c0
// CHECK: metalium.cb_push_back %[[X:.*]], %c1
// CHECK-NOT: cb_pop_front %[[R]],
// CHECK: metalium.cb_wait_front %[[W:.*]], %c16
// CHECK: %[[BATCHES:.*]] = arith.muli %[[TURN]], %c2
// CHECK: scf.for %[[B:.*]] = %c0 to %c2 step %c1
// CHECK-NEXT: %[[BATCH:.*]] = arith.addi %[[BATCHES]], %[[B]]
// CHECK-NEXT: metalium.cb_wait_front %[[X]], %c4
// CHECK: arith.muli %[[BATCH]], %c4
// CHECK: metalium.cb_pop_front %[[X]], %c4
// CHECK: } {tt.var = "batch"}
// CHECK-NEXT: } {tt.var = "turn"}
// CHECK-NEXT: metalium.cb_pop_front %[[R]], %c1

// Seven batches of three tiles: the second turn is shorter.
// RUN: sed 's/256/672/g; s/0.00390625/0.00149/' %t.all.mlir > %t.672.mlir
// RUN: tt-opt --tt-pipeline=optimize=use-fpu,batch-tiles,interleave-loops --canonicalize --cse %t.672.mlir | FileCheck %s --check-prefix=REST
// REST: scf.for %[[TURN:.*]] = %c0 to %c2 step %c1
// REST-NEXT: metalium.comment
// REST-NEXT: %[[FROM:.*]] = arith.muli %[[TURN]], %c12
// REST-NEXT: %[[LEFT:.*]] = arith.subi %c21, %[[FROM]]
// REST-NEXT: %[[N:.*]] = arith.minui %[[LEFT]], %c12
// REST: scf.for %{{.*}} = %c0 to %[[N]] step %c1
// REST: arith.muli %[[TURN]], %c4
// REST: } {tt.var = "turn"}
// RUN: %if all %{ tt-run --check --optimize=use-fpu,batch-tiles,interleave-loops %t.672.mlir %}
// RUN: %if all %{ tt-run --arch=blackhole --check --optimize=use-fpu,batch-tiles,interleave-loops %t.672.mlir %}

// Seventeen tiles, of which batches of four leave one: the first loop makes it behind the turns, where it is taken.
// RUN: sed 's/256/544/g; s/0.00390625/0.00183823/' %t.all.mlir > %t.544.mlir
// RUN: tt-opt --tt-pipeline=optimize=use-fpu,batch-tiles,interleave-loops --canonicalize --cse %t.544.mlir | FileCheck %s --check-prefix=LAST
// LAST: scf.for %{{.*}} = %c0 to %c2 step %c1
// LAST-NEXT: metalium.comment
// LAST: } {tt.var = "turn"}
// LAST: metalium.mul_tiles_bcast_cols
// LAST: metalium.cb_push_back %[[X:[0-9]+]], %c1
// LAST: metalium.cb_pop_front
// LAST: metalium.cb_wait_front %[[X]], %c1
// LAST: metalium.mul_tiles_bcast_rows %[[X]],
// RUN: tt-run --check --optimize=use-fpu,batch-tiles,interleave-loops %t.544.mlir --output Y=%t.turns.npy
// RUN: tt-run --optimize=use-fpu,batch-tiles %t.544.mlir --output Y=%t.loops.npy
// RUN: cmp %t.turns.npy %t.loops.npy

// Few tiles do not pay what the engine is set for in each turn.
// RUN: tt-opt --tt-pipeline=optimize=use-fpu,batch-tiles,interleave-loops %t.all.mlir --remarks-filter=tt-interleave-loops -o %t.few.mlir 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: FileCheck %s --check-prefix=ALONE < %t.few.mlir
// FEW: its 8 tiles are too few for turns with the loop before it
// ALONE-NOT: "turn"

// Nor do results of a few cores, which DRAM takes as fast as they are made.
// RUN: sed 's/256/512/g; s/0.00390625/0.001953125/' %examples/layer_norm.mlir | tt-opt --tt-pipeline=optimize=use-fpu,batch-tiles,interleave-loops --remarks-filter=tt-interleave-loops -o %t.cores.mlir 2>&1 | FileCheck %s --check-prefix=CORES
// RUN: FileCheck %s --check-prefix=ALONE < %t.cores.mlir
// CORES: its 16 tiles leave as fast as they are made

// A reader may bring the weights only behind room that the first loop gives back: here it takes the rows a tile at a time from a
// buffer that it frees.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c=optimize=use-fpu --tt-stage-d=optimize=use-fpu,batch-tiles %t.512.mlir --mlir-print-ir-before=tt-insert-compute-init -o /dev/null 2> %t.dump
// RUN: awk '/IR Dump/ {n++; next} n == 1' %t.dump > %t.level3.mlir
// RUN: tt-opt --tt-interleave-loops %t.level3.mlir | FileCheck %s --check-prefix=GIVEN
// GIVEN: "turn"
// RUN: sed '/circular_buffer @cb_intermed1 /s/intermediate/input/' %t.level3.mlir | tt-opt --tt-interleave-loops | FileCheck %s --check-prefix=ALONE
