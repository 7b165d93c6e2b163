// RUN: tt-opt --tt-stage-a="grid=4x1" --tt-stage-b --tt-stage-c --tt-pair-units %s --remarks-filter=tt-pair-units 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

// Unit i sums the first i + 1 columns of tiles: four cores have two of eight each, a short and a long one.
// CHECK-LABEL: func.func @sums
// CHECK: %[[TID:.*]] = arith.addi
// CHECK: %[[CORE:.*]] = arith.divui %[[TID]], %c2
// CHECK: %[[TURN:.*]] = arith.remui %[[TID]], %c2
// CHECK: %[[BACK:.*]] = arith.remui %[[TURN]], %c2
// CHECK: %[[OTHER:.*]] = arith.subi %c3{{.*}}, %[[CORE]]
// CHECK: %[[FORTH:.*]] = arith.subi %c1{{.*}}, %[[BACK]]
// CHECK: %[[HERE:.*]] = arith.muli %[[FORTH]], %[[CORE]]
// CHECK: %[[THERE:.*]] = arith.muli %[[BACK]], %[[OTHER]]
// CHECK: arith.addi
// REMARK: "units of several lengths are dealt in turn to 4 cores, and back, 2 to each"

// Where a core has one unit, or the lengths are the same, there is nothing to deal.
// RUN: tt-opt --tt-stage-a="grid=8x1" --tt-stage-b --tt-stage-c --tt-pair-units %s --remarks-filter=tt-pair-units -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: "units of several lengths are dealt as they come: a core has one"
// RUN: tt-opt --tt-stage-a="grid=3x1" --tt-stage-b --tt-stage-c --tt-pair-units %s --remarks-filter=tt-pair-units -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNEVEN
// UNEVEN: "units of several lengths are dealt as they come: cores have not the same number of them in a row"

// Where some cores have a unit less, those that are not needed go without.
// RUN: tt-opt --tt-stage-a="grid=5x1" --tt-stage-b --tt-stage-c --tt-pair-units %s --remarks-filter=tt-pair-units 2>&1 | FileCheck %s --check-prefix=LESS
// LESS: remark: [Passed] {{.*}}"units of several lengths are dealt in turn to 4 cores, and back, 2 to each"
// LESS: tt.core_grid = array<i64: 4, 1>, tt.core_ranges = [#tt.core_range<start = [0, 0], end = [3, 0]>]
// LESS-SAME: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 2>, #tt.work<core = [1, 0], start_id = 2, count = 2>, #tt.work<core = [2, 0], start_id = 4, count = 2>, #tt.work<core = [3, 0], start_id = 6, count = 2>]
// RUN: tt-run %s --grid=5x1 --check --strict --output Y=%t.less.npy
// RUN: %if all %{ tt-run %s --grid=5x1 --optimize=none --output Y=%t.none.npy && tt-run %s --grid=5x1 --arch=blackhole --check --strict --optimize=pair-units --output Y=%t.less.npy && cmp %t.none.npy %t.less.npy %}

// RUN: tt-opt --tt-stage-a="grid=4x1" --tt-stage-b --tt-stage-c --tt-pair-units %examples/softmax.mlir --remarks-filter=tt-pair-units -o /dev/null 2>&1 | count 0

// The same bits, on both chips.
// RUN: %if all %{ tt-run %s --grid=4x1 --optimize=none --output Y=%t.none.npy %}
// RUN: %if all %{ tt-run %s --grid=4x1 --check --strict --optimize=pair-units --metalium-api=2025 --output Y=%t.pair.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.pair.npy %}
// RUN: %if all %{ tt-run %s --grid=4x1 --arch=blackhole --check --strict %}
#ij = affine_map<(i, j) -> (i, j)>
func.func @sums(%X: memref<256x256xbf16> {tt.name = "X"}, %Y: memref<256x32xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%unit) in (8) {
    %row = arith.muli %unit, %c32 : index
    %end = arith.addi %row, %c32 : index
    %sum = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    scf.for %col = %c0 to %end step %c32 {
      %x = memref.subview %X[%row, %col] [32, 32] [1, 1] : memref<256x256xbf16> to memref<32x32xbf16, strided<[256, 1], offset: ?>>
      linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
          ins(%x : memref<32x32xbf16, strided<[256, 1], offset: ?>>) outs(%sum : memref<32x32xf32, #gpu.address_space<private>>) {
        ^bb0(%a: bf16, %old: f32):
          %w = arith.extf %a : bf16 to f32
          %r = arith.addf %old, %w : f32
          linalg.yield %r : f32
      }
    }
    %y = memref.subview %Y[%row, 0] [32, 32] [1, 1] : memref<256x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<32x32xf32, #gpu.address_space<private>>) outs(%y : memref<32x32xbf16, strided<[32, 1], offset: ?>>) {
      ^bb0(%a: f32, %old: bf16):
        %r = arith.truncf %a : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
