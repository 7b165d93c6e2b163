// RUN: tt-opt %s --tt-infer-layout --tt-propagate-layout --tt-attach-tensor-accessor --tt-stage-b --tt-lower-shared-to-cb --canonicalize | FileCheck %s
// RUN: tt-opt %s --tt-pipeline=optimize=none | FileCheck %s --check-prefix=MOVES
// RUN: tt-opt %s --tt-pipeline | tt-opt --tt-verify-ir -o /dev/null

// Blocks that are no whole tiles of one matrix are boxes: sizes, and how far down and right a step
// along each dimension of the tensor goes.

// One head of (batch, row, head, element).
// CHECK-LABEL: @heads
// CHECK: tt.read_to_cb %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], %{{.*}} box = [1, 64, 1, 40] rows = [0, 1, 0, 0] cols = [0, 0, 0, 1] : memref<2x64x4x40xbf16>, !tt.cb<2x2xbf16>
// CHECK: tt.write_from_cb %{{.*}}, %{{.*}} box = [1, 64, 1, 40] rows = [0, 1, 0, 0] cols = [0, 0, 0, 1]
//
// Tiles, or the rows of them that count, come to a circular buffer of the reader's own, which it never publishes; elements are copied
// from there. The writer sends runs of elements.
// MOVES-LABEL: tt.program @heads
// MOVES: tt.circular_buffer @cb_parts0 on @all intermediate !tt.cb<1x15xbf16> id = 31 pages = 15
// MOVES: tt.kernel @reader
// MOVES: metalium.cb_reserve_back %[[PARTS:.*]], %c15
// MOVES: metalium.fill_zeros
// MOVES: metalium.noc_async_read_part %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} x %{{.*}} bytes = 2 unit = 32
// MOVES: metalium.noc_async_read_barrier
// MOVES: metalium.copy_part %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} x %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] bytes = 2 width = 2 steps = [0, 0, 0, 1]
// MOVES-NOT: push_back %[[PARTS]]
// MOVES: tt.kernel @writer
// MOVES: metalium.noc_async_write_part %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} x %{{.*}} bytes = 2 width = 2 steps = [0, 0, 0, 1]
func.func @heads(%X: memref<2x64x4x40xbf16>, %Y: memref<2x64x4x40xbf16>) attributes {tt.kernel} {
  scf.forall (%b, %h) in (2, 4) {
    %x = memref.subview %X[%b, 0, %h, 0] [1, 64, 1, 40] [1, 1, 1, 1] : memref<2x64x4x40xbf16> to memref<64x40xbf16, strided<[160, 1], offset: ?>>
    %y = memref.subview %Y[%b, 0, %h, 0] [1, 64, 1, 40] [1, 1, 1, 1] : memref<2x64x4x40xbf16> to memref<64x40xbf16, strided<[160, 1], offset: ?>>
    linalg.exp ins(%x : memref<64x40xbf16, strided<[160, 1], offset: ?>>) outs(%y : memref<64x40xbf16, strided<[160, 1], offset: ?>>)
  }
  return
}

// A column, as a vector; groups of dimensions as one; a transposed view. Elements that the NoC does not
// write alone are put into their tile, which is read and written again.
// CHECK-LABEL: @views
// CHECK-DAG: box = [64, 1] rows = [0, 0] cols = [1, 0] : memref<64x40xf32>
// CHECK-DAG: box = [2, 16, 32] rows = [16, 1, 0] cols = [0, 0, 1] : memref<4x16x32xf32>
// CHECK-DAG: box = [32, 32] rows = [0, 1] cols = [1, 0] : !tt.cb<1x1xf32>, memref<32x40xf32>
// MOVES-LABEL: tt.program @views
// MOVES: tt.kernel @writer
// MOVES: metalium.noc_async_read_tile
// MOVES: metalium.copy_part back %{{.*}} steps = [0, 1, 1, 0]
// MOVES: metalium.noc_async_write_tile
func.func @views(%X: memref<64x40xf32>, %V: memref<64xf32>, %G: memref<4x16x32xf32>, %T: memref<32x40xf32>) attributes {tt.kernel} {
  %x = memref.subview %X[0, 5] [64, 1] [1, 1] : memref<64x40xf32> to memref<64xf32, strided<[40], offset: 5>>
  memref.copy %x, %V : memref<64xf32, strided<[40], offset: 5>> to memref<64xf32>
  %g = memref.subview %G[1, 0, 0] [2, 16, 32] [1, 1, 1] : memref<4x16x32xf32> to memref<2x16x32xf32, strided<[512, 32, 1], offset: 512>>
  %t = memref.subview %T[0, 3] [32, 32] [1, 1] : memref<32x40xf32> to memref<32x32xf32, strided<[40, 1], offset: 3>>
  %turned = memref.transpose %t (i, j) -> (j, i) : memref<32x32xf32, strided<[40, 1], offset: 3>> to memref<32x32xf32, strided<[1, 40], offset: 3>>
  %c = memref.collapse_shape %g [[0, 1], [2]] : memref<2x16x32xf32, strided<[512, 32, 1], offset: 512>> into memref<32x32xf32, strided<[32, 1], offset: 512>>
  linalg.exp ins(%c : memref<32x32xf32, strided<[32, 1], offset: 512>>) outs(%turned : memref<32x32xf32, strided<[1, 40], offset: 3>>)
  return
}
