// RUN: split-file %s %t
// RUN: tt-opt --tt-pipeline=optimize=assemble-tiles --canonicalize --cse %t/words.mlir --remarks-filter=tt-assemble-tiles 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: 32 x 96 elements are put together in L1, and written as whole tiles
// RUN: tt-opt --tt-pipeline=optimize=assemble-tiles --canonicalize --cse %t/patches.mlir | FileCheck %s --check-prefix=PATCHES
// RUN: tt-opt --tt-pipeline=optimize=assemble-tiles %t/wide.mlir --remarks-filter=tt-assemble-tiles -o /dev/null 2> %t.remarks
// RUN: FileCheck --check-prefix=WHY %s < %t.remarks
// WHY: rows are written one by one: a block of 512 x 1024 elements does not fit L1
// What begins inside of a tile, or between faces, or is read where the chip's NoC does not, comes as it did.
// RUN: sed 's/d0 \* 32/d0 * 32 + 8/; s/\[96\], /[104], /' %t/words.mlir | sed 's/<96x96xf32> {tt.name = "y"/<104x96xf32> {tt.name = "y"/; s/memref<96x96xf32> to/memref<104x96xf32> to/' | tt-opt --tt-pipeline=optimize=assemble-tiles | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/f32/bf16/g' %t/words.mlir | tt-opt --tt-infer-layout=arch=blackhole --tt-pipeline=optimize=assemble-tiles | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/f32/bf16/g' %t/words.mlir | tt-opt --tt-pipeline=optimize=assemble-tiles | FileCheck %s --check-prefix=HALVES
// KEPT-NOT: noc_async_read_run
// HALVES: noc_async_read_run {{.*}} bytes = 2
// By itself, behind the passes that it needs; without them it says which.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-complete-level-2 --tt-split-device-kernel --tt-configure-tensor-accessor --tt-assemble-tiles %t/words.mlir --remarks-filter=tt-assemble-tiles -o /dev/null 2> %t.remarks
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// RUN: not tt-opt --tt-assemble-tiles %t/words.mlir 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: the kernel is not split into reader, compute and writer: run --tt-split-device-kernel first
// RUN: tt-run %t/words.mlir --check
// RUN: %if all %{ tt-run %t/even.mlir --check %}
// RUN: %if all %{ tt-run %t/words.mlir --check --arch=blackhole --metalium-api=2025 %}
// RUN: %if all %{ sed 's/f32/bf16/g' %t/words.mlir > %t/halves.mlir && tt-run %t/halves.mlir --check %}
// RUN: %if all %{ tt-run %t/patches.mlir --check %}
// RUN: %if all %{ tt-run %t/patches.mlir --check --arch=blackhole %}

// A row of a face goes where it belongs; all of a block is waited for once, and its tiles are written whole. The last
// block has four rows, and zeros behind them.
// CHECK-LABEL: tt.program @words
// CHECK: tt.circular_buffer @cb_in0 {{.*}} pages = 6
// CHECK-NOT: @cb_parts0
// CHECK: tt.kernel @reader
// CHECK: metalium.cb_reserve_back %[[IN:.*]], %c3
// CHECK: metalium.fill_zeros
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step
// CHECK: metalium.load_word
// CHECK: scf.for
// CHECK: metalium.noc_async_read_run %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] bytes = 4 {tt.page_filled}
// CHECK: metalium.noc_async_read_barrier
// CHECK-NEXT: metalium.cb_push_back %[[IN]], %c3
// CHECK: tt.kernel @writer
// CHECK: metalium.cb_wait_front %[[OUT:.*]], %c3
// CHECK: scf.for
// CHECK: metalium.noc_async_write_tile
// CHECK: metalium.cb_pop_front %[[OUT]], %c3
//--- words.mlir
func.func @words(%x: memref<50x96xf32> {tt.name = "x"}, %ids: memref<100xi32> {tt.name = "ids", tt.range = [0, 49]}, %y: memref<100x96xf32> {tt.name = "y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%u) in (4) {
    %first = affine.apply affine_map<(d0) -> (d0 * 32)>(%u)
    %n = affine.min affine_map<(d0) -> (d0 * -32 + 100, 32)>(%u)
    scf.for %i = %c0 to %n step %c1 {
      %at = arith.addi %first, %i : index
      %id = memref.load %ids[%at] : memref<100xi32>
      %r = arith.index_cast %id : i32 to index
      %from = memref.subview %x[%r, 0] [1, 96] [1, 1] : memref<50x96xf32> to memref<1x96xf32, strided<[96, 1], offset: ?>>
      %to = memref.subview %y[%at, 0] [1, 96] [1, 1] : memref<100x96xf32> to memref<1x96xf32, strided<[96, 1], offset: ?>>
      memref.copy %from, %to : memref<1x96xf32, strided<[96, 1], offset: ?>> to memref<1x96xf32, strided<[96, 1], offset: ?>>
    }
  }
  return
}

// Rows of an image that are columns side by side: both loops together are a block.
// PATCHES-LABEL: tt.program @patches
// PATCHES: tt.circular_buffer @cb_in0 {{.*}} pages = 16
// PATCHES: metalium.fill_zeros
// PATCHES: scf.for
// PATCHES-NEXT: scf.for
// PATCHES: metalium.noc_async_read_run
// PATCHES: metalium.noc_async_write_tile
//--- patches.mlir
func.func @patches(%x: memref<3x64x80xf32> {tt.name = "x"}, %y: memref<3x5x256xf32> {tt.name = "y"}) attributes {tt.kernel} {
  scf.forall (%c) in (3) {
    %t = memref.subview %y[%c, 0, 0] [1, 5, 256] [1, 1, 1] : memref<3x5x256xf32> to memref<5x256xf32, strided<[256, 1], offset: ?>>
    %o = memref.expand_shape %t [[0], [1, 2]] output_shape [5, 16, 16] : memref<5x256xf32, strided<[256, 1], offset: ?>> into memref<5x16x16xf32, strided<[256, 16, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
        outs(%o : memref<5x16x16xf32, strided<[256, 16, 1], offset: ?>>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = linalg.index 2 : index
      %col = affine.apply affine_map<(i) -> (i * 16)>(%i)
      %at = arith.addi %k, %col : index
      %r = memref.load %x[%c, %j, %at] : memref<3x64x80xf32>
      linalg.yield %r : f32
    }
  }
  return
}
//--- wide.mlir
func.func @wide(%x: memref<50x1024xf32> {tt.name = "x"}, %ids: memref<1024xi32> {tt.name = "ids", tt.range = [0, 49]}, %y: memref<1024x1024xf32> {tt.name = "y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  scf.forall (%u) in (2) {
    %first = affine.apply affine_map<(d0) -> (d0 * 512)>(%u)
    scf.for %i = %c0 to %c512 step %c1 {
      %at = arith.addi %first, %i : index
      %id = memref.load %ids[%at] : memref<1024xi32>
      %r = arith.index_cast %id : i32 to index
      %from = memref.subview %x[%r, 0] [1, 1024] [1, 1] : memref<50x1024xf32> to memref<1x1024xf32, strided<[1024, 1], offset: ?>>
      %to = memref.subview %y[%at, 0] [1, 1024] [1, 1] : memref<1024x1024xf32> to memref<1x1024xf32, strided<[1024, 1], offset: ?>>
      memref.copy %from, %to : memref<1x1024xf32, strided<[1024, 1], offset: ?>> to memref<1x1024xf32, strided<[1024, 1], offset: ?>>
    }
  }
  return
}
//--- even.mlir
func.func @even(%x: memref<50x96xf32> {tt.name = "x"}, %ids: memref<64xi32> {tt.name = "ids", tt.range = [0, 49]}, %y: memref<64x96xf32> {tt.name = "y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%u) in (2) {
    %first = affine.apply affine_map<(d0) -> (d0 * 32)>(%u)
    scf.for %i = %c0 to %c32 step %c1 {
      %at = arith.addi %first, %i : index
      %id = memref.load %ids[%at] : memref<64xi32>
      %r = arith.index_cast %id : i32 to index
      %from = memref.subview %x[%r, 0] [1, 96] [1, 1] : memref<50x96xf32> to memref<1x96xf32, strided<[96, 1], offset: ?>>
      %to = memref.subview %y[%at, 0] [1, 96] [1, 1] : memref<64x96xf32> to memref<1x96xf32, strided<[96, 1], offset: ?>>
      memref.copy %from, %to : memref<1x96xf32, strided<[96, 1], offset: ?>> to memref<1x96xf32, strided<[96, 1], offset: ?>>
    }
  }
  return
}
