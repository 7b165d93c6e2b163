// RUN: tt-opt --tt-pipeline=optimize=merge-steps,pack-last-step,lengthen-last-step --canonicalize --cse %examples/gemm.mlir --remarks-filter=tt-lengthen-last-step 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: the last step is one of 3 blocks

// One step is left, which packs the parts; the last one waits for each of its blocks when it takes it.
// CHECK: tt.kernel @compute
// CHECK-NOT: metalium.cb_wait_front %[[P:.*]], %c4
// CHECK: metalium.cb_pop_front %{{.*}}, %c8
// CHECK: metalium.copy_tile %{{.*}}
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c3
// CHECK-NEXT: %[[FROM:.*]] = arith.muli %[[STEP]], %c8
// CHECK-NEXT: %[[TO:.*]] = arith.addi %[[FROM]], %c8
// CHECK-NEXT: metalium.cb_wait_front %[[A:.*]], %[[TO]]
// CHECK-NEXT: metalium.cb_wait_front %[[B:.*]], %[[TO]]
// CHECK: %[[TILE:.*]] = arith.addi %[[FROM]], %{{.*}}
// CHECK: metalium.matmul_tiles %[[A]], %[[B]], %[[TILE]]
// CHECK: metalium.cb_pop_front %[[A]], %c24
// CHECK-NEXT: metalium.cb_pop_front %[[B]], %c24
// CHECK: tt.kernel @writer

// And that one step is no loop, and reloads nothing.
// RUN: tt-opt --tt-pipeline=optimize=merge-steps,pack-last-step,lengthen-last-step %examples/gemm.mlir | FileCheck %s --check-prefix=SINGLE
// SINGLE: tt.kernel @compute
// SINGLE-NOT: scf.if
// SINGLE: tt.kernel @writer

// Where cores have several units, a block's room is left for the next one.
// RUN: tt-opt --tt-pipeline="grid=4x4 optimize=merge-steps,pack-last-step,lengthen-last-step" %s --remarks-filter=tt-lengthen-last-step 2>&1 >/dev/null | FileCheck %s --check-prefix=ONE
// RUN: tt-opt --tt-pipeline="grid=1x1 optimize=merge-steps,pack-last-step,lengthen-last-step" %s --remarks-filter=tt-lengthen-last-step 2>&1 >/dev/null | FileCheck %s --check-prefix=MORE
// ONE: the last step is one of 4 blocks
// MORE: the last step is one of 3 blocks
// Two blocks of each operand are one more than such a core has in use.
// RUN: tt-opt --tt-pipeline="grid=1x1 optimize=pack-last-step,lengthen-last-step" %s --remarks-filter=tt-lengthen-last-step 2>&1 >/dev/null | FileCheck %s --check-prefix=ROOM
// ROOM: the last step stays as it is: its circular buffers have no room for more
// Blocks that go round the end of a circular buffer are not taken together: of 5 in one of 4, the last 4 would, and of 5 in
// one of 3, the last 3, but not 2.
// RUN: sed s/1024/640/g %s | tt-opt --tt-pipeline="grid=4x4 optimize=merge-steps,pack-last-step,lengthen-last-step" --remarks-filter=tt-lengthen-last-step 2>&1 >/dev/null | FileCheck %s --check-prefix=ROUND
// ROUND: the last step is one of 2 blocks
// RUN: sed s/1024/640/g %s | tt-opt --tt-pipeline=grid=1x1 | FileCheck %s --check-prefix=UNITS
// UNITS: tt.program

// Eleven steps, in a buffer of four blocks: four at the end of a unit would reach over the buffer's end, and with several units any.
// RUN: sed 's/1024/1408/g' %s > %t.eleven.mlir
// RUN: tt-opt --tt-pipeline="grid=4x4 optimize=merge-steps,pack-last-step,lengthen-last-step" %t.eleven.mlir --remarks-filter=tt-lengthen-last-step 2>&1 >/dev/null | FileCheck %s --check-prefix=MORE
// RUN: tt-opt --tt-pipeline="grid=1x1 optimize=merge-steps,pack-last-step,lengthen-last-step" %t.eleven.mlir --remarks-filter=tt-lengthen-last-step 2>&1 >/dev/null | FileCheck %s --check-prefix=ROOM
// RUN: %if all %{ tt-run %t.eleven.mlir --check --strict %}

// Results that compute takes itself leave no earlier: steps stay short, where the packer adds their parts, and wait for one block each.
// RUN: tt-opt --tt-pipeline=grid=2x2 %S/Inputs/epilogue.mlir --remarks-filter='tt-(lengthen-last-step|sum-in-l1)' 2>&1 >/dev/null | FileCheck %s --check-prefix=TAKEN
// TAKEN: the last step stays as it is: compute takes its results
// TAKEN: Passed{{.*}}tt-sum-in-l1
// RUN: %if all %{ tt-run %S/Inputs/epilogue.mlir --grid=2x2 --check --strict %}
// RUN: %if all %{ tt-run %S/Inputs/epilogue.mlir --grid=2x2 --check --strict --arch=blackhole --metalium-api=2025 %}
// One-tile products in LoFi are made faster than parts are added to L1.
// RUN: sed 's/tt.kernel}/tt.kernel, tt.math_fidelity = "LoFi"}/' %S/Inputs/epilogue.mlir > %t.lofi.mlir
// RUN: tt-opt --tt-pipeline="grid=2x2 optimize=pack-last-step,lengthen-last-step" %t.lofi.mlir --remarks-filter=tt-lengthen-last-step 2>&1 >/dev/null | FileCheck %s --check-prefix=FAST
// FAST: the last step is one of

// The same bits, on both chips and in all eras.
// RUN: %if all %{ tt-run %s --grid=1x1 --optimize=none --output C=%t.none.npy %}
// RUN: %if all %{ tt-run %s --grid=1x1 --optimize=merge-steps,pack-last-step,lengthen-last-step --check --strict --output C=%t.long.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.long.npy %}
// RUN: %if all %{ tt-run %s --optimize=merge-steps,pack-last-step,lengthen-last-step,block-products --strict --metalium-api=2025 --arch=blackhole %}
// RUN: %if all %{ tt-run %s --strict --metalium-api=2026-03 %}
func.func @product(%A: memref<128x1024xbf16> {tt.name = "A"}, %B: memref<1024x256xbf16> {tt.name = "B"},
                   %C: memref<128x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %block = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bx) in (2) {
    %n = arith.muli %bx, %block : index
    %sum = memref.alloc() : memref<128x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c1024 step %c32 {
      %a = memref.subview %A[0, %k] [128, 32] [1, 1] : memref<128x1024xbf16> to memref<128x32xbf16, strided<[1024, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 128] [1, 1] : memref<1024x256xbf16> to memref<32x128xbf16, strided<[256, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<128x32xbf16, strided<[1024, 1], offset: ?>>, memref<32x128xbf16, strided<[256, 1], offset: ?>>)
                    outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[0, %n] [128, 128] [1, 1] : memref<128x256xbf16> to memref<128x128xbf16, strided<[256, 1], offset: ?>>
    linalg.copy ins(%sum : memref<128x128xf32, #gpu.address_space<private>>) outs(%c : memref<128x128xbf16, strided<[256, 1], offset: ?>>)
  }
  return
}
