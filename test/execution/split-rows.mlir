// Rows whose columns are on several cores, which put together what they know of a row.
// RUN: %if all %{ tt-run %s --check --strict --seed=3 --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --grid=4x4 --check --strict --math=fast --metalium-api=2026-03 %}
// RUN: %if all %{ tt-run %s --arch=blackhole --check --strict --math=fast %}
// CHECK-DAG: on 16 core(s)
// CHECK-DAG: Y: {{.*}} ok

// Rows of 33 tiles are on three cores each, which stand side by side, also where a rectangle of the
// cores would have as few units each.
// RUN: sed 's/512/1056/g; s/64x/256x/g; s/in (2)/in (8)/' %s > %t.odd.mlir
// RUN: %if all %{ tt-run %t.odd.mlir --check --strict --seed=3 2>&1 | \
// RUN:   FileCheck %s --check-prefix=ODD %}
// ODD-DAG: on 24 core(s)
// ODD-DAG: Y: {{.*}} ok
// RUN: tt-opt --tt-pipeline="optimize=split-rows,place-units" --remarks-filter=tt-place-units %t.odd.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAY
// STAY: units stay where they are: cores that have a row together stand side by side

// Seven blocks on 4 x 4 cores: two cores each, one below the other.
// RUN: sed 's/512/1024/g; s/64x/224x/g; s/in (2)/in (7)/' %s > %t.down.mlir
// RUN: %if all %{ tt-run %t.down.mlir --grid=4x4 --check --strict --seed=3 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --check-prefix=DOWN %}
// RUN: %if all %{ tt-run %t.down.mlir --grid=4x4 --arch=blackhole --check --strict --math=fast 2>&1 | \
// RUN:   FileCheck %s --check-prefix=DOWN %}
// DOWN-DAG: on 14 core(s)
// DOWN-DAG: Y: {{.*}} ok
// RUN: tt-opt --tt-stage-a=grid=4x4 --tt-stage-b --tt-stage-c="optimize=split-rows" %t.down.mlir | sed 's/apart = 1 down/apart = 3 down/' | \
// RUN:   not tt-opt --tt-stage-d 2>&1 | FileCheck %s --check-prefix=COLUMN
// COLUMN: error: core (3, 0) is in a group of 1 cores, not 2 that stand 3 apart in its column

// A layer norm so: weights and biases, of which each core reads first rows, and deviations, which the first core of a row writes.
// RUN: sed -f %S/Inputs/seven-blocks.sed %examples/layer_norm.mlir > %t.layer.mlir
// RUN: %if all %{ tt-run %t.layer.mlir --grid=4x4 --check --strict --seed=3 2>&1 | FileCheck %s --check-prefix=LAYER %}
// RUN: %if all %{ tt-run %t.layer.mlir --grid=4x4 --arch=blackhole --check --strict 2>&1 | FileCheck %s --check-prefix=LAYER %}
// LAYER-DAG: on 14 core(s)
// LAYER-DAG: Y: {{.*}} ok
// LAYER-DAG: rstd: {{.*}} ok
// And of five blocks on 40 cores that are a rectangle, which share the weights.
// RUN: sed 's/1x224x/1x160x/; s/<224x/<160x/; s/(1, 7)/(1, 5)/; s/224/160/' %S/Inputs/seven-blocks.sed > %t.sed
// RUN: sed -f %t.sed %examples/layer_norm.mlir > %t.five.mlir
// RUN: %if all %{ tt-run %t.five.mlir --grid=5x8 --check --strict 2>&1 | FileCheck %s --check-prefix=FIVE %}
// FIVE-DAG: on 40 core(s)
// FIVE-DAG: Y: {{.*}} ok
// FIVE-DAG: rstd: {{.*}} ok

// Cores that are in no whole group.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=split-rows" %s -o %t.mlir
// RUN: sed 's/apart = 4/apart = 3/' %t.mlir | not tt-opt --tt-stage-d 2>&1 | FileCheck %s --check-prefix=GROUP
// GROUP: error: core (6, 0) is in a group of 1 cores, not 2 that stand 3 apart in its row

// What says that a core has room, and that a tile is there, is needed, and so is the order of tile and flag; the second judge finds the same.
// RUN: tt-opt --tt-stage-d --tt-stage-e %t.mlir -o %t.e.mlir
// RUN: tt-opt --tt-verify-ir=strict=true %t.e.mlir -o /dev/null 2>&1 | count 0
// RUN: tt-opt --tt-verify-ir=exhaustive=true %t.e.mlir -o /dev/null 2>&1 | count 0
// RUN: awk '/noc_semaphore_wait/ && !n++ {next} 1' %t.e.mlir | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=ROOM
// ROOM: error: [rule 18] a signal is lost: @parts1_room
// RUN: awk '/noc_semaphore_wait/ && n++ == 1 {next} 1' %t.e.mlir | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=THERE
// THERE: error: [rule 15] the writer publishes 2 pages of {{.*}} only 1 are sure to be there
// RUN: awk '/noc_semaphore_inc/ && !n++ {next} 1' %t.e.mlir | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=SAY
// SAY: error: [rule 6] deadlock: the writer waits until semaphore @parts1_room, which is 0, is 1
// RUN: awk '/noc_async_write / && !n++ {next} 1' %t.e.mlir | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: error: [rule 23] publishes 2 pages of {{.*}}, of which 1 were written
// RUN: awk '/writes_flushed/ && !n++ {next} 1' %t.e.mlir | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: error: [rule 16] frees pages of {{.*}} before they have left for other cores
// Where command buffers are separate, the flag might overtake the tile.
// RUN: tt-opt --tt-stage-a=arch=blackhole --tt-stage-b --tt-stage-c="optimize=split-rows" --tt-stage-d --tt-stage-e %s -o %t.bh.mlir
// RUN: tt-opt --tt-verify-ir=strict=true %t.bh.mlir -o /dev/null 2>&1 | count 0
// RUN: awk '/writes_flushed/ && !n++ {next} 1' %t.bh.mlir | tt-opt --tt-verify-ir -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVERTAKE
// OVERTAKE: warning: [rule 18] a semaphore is set right after data was sent, which may arrive later on this chip
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @softmax(%X: memref<64x512xbf16> {tt.name = "X"}, %Y: memref<64x512xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %lowest = arith.constant 0xFF80 : bf16  // -inf
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (2) {
    %row = arith.muli %block, %c32 : index
    %from = memref.subview %X[%row, 0] [32, 512] [1, 1]
        : memref<64x512xbf16> to memref<32x512xbf16, strided<[512, 1], offset: ?>>
    %to = memref.subview %Y[%row, 0] [32, 512] [1, 1]
        : memref<64x512xbf16> to memref<32x512xbf16, strided<[512, 1], offset: ?>>
    %x = memref.alloc() : memref<32x512xbf16, #gpu.address_space<workgroup>>
    %e = memref.alloc() : memref<32x512xbf16, #gpu.address_space<private>>
    %max = memref.alloc() : memref<32xbf16, #gpu.address_space<private>>
    %sum = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    memref.copy %from, %x
        : memref<32x512xbf16, strided<[512, 1], offset: ?>> to memref<32x512xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%lowest : bf16) outs(%max : memref<32xbf16, #gpu.address_space<private>>)
    linalg.reduce { arith.maximumf }
        ins(%x : memref<32x512xbf16, #gpu.address_space<workgroup>>)
        outs(%max : memref<32xbf16, #gpu.address_space<private>>) dimensions = [1]
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : memref<32x512xbf16, #gpu.address_space<workgroup>>, memref<32xbf16, #gpu.address_space<private>>)
        outs(%e : memref<32x512xbf16, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %m: bf16, %old: bf16):
        %d = arith.subf %a, %m : bf16
        %r = math.exp %d : bf16
        linalg.yield %r : bf16
    }
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%e : memref<32x512xbf16, #gpu.address_space<private>>)
        outs(%sum : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %r = arith.addf %old, %w : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%e, %sum : memref<32x512xbf16, #gpu.address_space<private>>, memref<32xf32, #gpu.address_space<private>>)
        outs(%to : memref<32x512xbf16, strided<[512, 1], offset: ?>>) {
      ^bb0(%a: bf16, %s: f32, %old: bf16):
        %w = arith.extf %a : bf16 to f32
        %q = arith.divf %w, %s : f32
        %r = arith.truncf %q : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
