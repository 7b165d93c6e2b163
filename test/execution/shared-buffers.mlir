// Two products whose operands and results take turns in three circular buffers have the bits of those with six,
// also where cores share what they read: each read that takes turns has semaphores of its own.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics %s -o %t.plain.mlir
// RUN: tt-opt --tt-share-buffers=when=always %t.plain.mlir -o %t.shared.mlir
// RUN: %if all %{ tt-run %t.plain.mlir --seed 2 --output X=%t.x0.npy --output Y=%t.y0.npy %}
// RUN: %if all %{ tt-run %t.shared.mlir --seed 2 --output X=%t.x1.npy --output Y=%t.y1.npy %}
// RUN: %if all %{ cmp %t.x0.npy %t.x1.npy && cmp %t.y0.npy %t.y1.npy %}
// RUN: tt-opt --tt-pipeline=optimize=none %t.shared.mlir | FileCheck %s
// CHECK: tt.circular_buffer @cb_in0
// CHECK: tt.circular_buffer @cb_in1
// CHECK-NOT: @cb_in2
// CHECK: tt.circular_buffer @cb_out0
// CHECK-NOT: @cb_out1

// RUN: sed 's/512x128/4096x128/g; s/in (8)/in (64)/' %s > %t.large.mlir
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics %t.large.mlir \
// RUN:   | tt-opt --tt-share-buffers=when=always -o %t.many.mlir
// RUN: tt-opt --tt-pipeline %t.many.mlir | FileCheck %s --check-prefix=MANY
// MANY-DAG: tt.semaphore @in1_ready
// MANY-DAG: tt.semaphore @in1_1_ready
// RUN: %if all %{ tt-run %t.many.mlir --seed 2 2>&1 | FileCheck %s --check-prefix=RAN %}
// RAN: clk on 64 core(s)
func.func @two(%A: memref<512x128xbf16> {tt.name = "A"}, %B: memref<128x128xbf16> {tt.name = "B"}, %C: memref<128x128xbf16> {tt.name = "C"},
               %X: memref<512x128xbf16> {tt.name = "X"}, %Y: memref<512x128xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    %m = arith.muli %i, %c64 : index
    %a = memref.subview %A[%m, 0] [64, 128] [1, 1] : memref<512x128xbf16> to memref<64x128xbf16, strided<[128, 1], offset: ?>>
    %x = memref.subview %X[%m, 0] [64, 128] [1, 1] : memref<512x128xbf16> to memref<64x128xbf16, strided<[128, 1], offset: ?>>
    %y = memref.subview %Y[%m, 0] [64, 128] [1, 1] : memref<512x128xbf16> to memref<64x128xbf16, strided<[128, 1], offset: ?>>
    %s = memref.alloc() : memref<64x128xf32, #gpu.address_space<private>>
    %t = memref.alloc() : memref<64x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%s : memref<64x128xf32, #gpu.address_space<private>>)
    linalg.matmul ins(%a, %B : memref<64x128xbf16, strided<[128, 1], offset: ?>>, memref<128x128xbf16>) outs(%s : memref<64x128xf32, #gpu.address_space<private>>)
    linalg.copy ins(%s : memref<64x128xf32, #gpu.address_space<private>>) outs(%x : memref<64x128xbf16, strided<[128, 1], offset: ?>>)
    linalg.fill ins(%zero : f32) outs(%t : memref<64x128xf32, #gpu.address_space<private>>)
    linalg.matmul ins(%a, %C : memref<64x128xbf16, strided<[128, 1], offset: ?>>, memref<128x128xbf16>) outs(%t : memref<64x128xf32, #gpu.address_space<private>>)
    linalg.copy ins(%t : memref<64x128xf32, #gpu.address_space<private>>) outs(%y : memref<64x128xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}
