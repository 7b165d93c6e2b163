// RUN: split-file %s %t && cd %t
// RUN: tt-opt --tt-pipeline=optimize=order-by-banks --canonicalize --cse %S/Inputs/cast_blocks.mlir --remarks-filter=tt-order-by-banks 2>&1 | FileCheck %s --check-prefix=BLOCKS

// Blocks of 6 x 4 tiles of a tensor that is 16 tiles wide: three rows on is the bank again.
// BLOCKS: remark: {{.*}}"6 x 4 tiles move bank by bank, rows by 3"
// BLOCKS: tt.kernel @reader
// BLOCKS: %[[START:.*]] = tt.runtime_arg "start_id"
// BLOCKS: %[[FROM:.*]] = arith.remui %[[START]], %c8
// BLOCKS: %[[COLUMN:.*]] = arith.divui %{{.*}}, %c6
// BLOCKS: %[[TURNED:.*]] = arith.addi %[[COLUMN]], %[[FROM]]
// BLOCKS: arith.remui %[[TURNED]], %c4 {tt.var = "col"}
// BLOCKS: metalium.noc_async_read_tile
// BLOCKS: tt.kernel @writer
// BLOCKS: arith.remui %{{.*}}, %c4 {tt.var = "col"}
// BLOCKS: metalium.noc_async_write_tile

// The same bits, in all eras.
// RUN: %if all %{ tt-run %S/Inputs/cast_blocks.mlir --optimize=none --output C=none.npy %}
// RUN: %if all %{ tt-run %S/Inputs/cast_blocks.mlir --strict --output C=all.npy %}
// RUN: %if all %{ cmp none.npy all.npy %}

// A weight that cores share stays in its order, and compute takes its tiles at the places of the others'.
// RUN: tt-opt --tt-pipeline=grid=4x4 rows.mlir --remarks-filter=tt-order-by-banks 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: remark: {{.*}}"1 x 24 tiles move bank by bank, columns by 12"
// ROWS: tt.kernel @reader
// ROWS: arith.remui {{.*}} {tt.var = "col"}
// ROWS: metalium.noc_async_read_tile
// ROWS: tt.kernel @compute
// ROWS: tt.runtime_arg "start_id"
// ROWS: %[[COL:.*]] = arith.remui {{.*}} {tt.var = "col"}
// ROWS: metalium.mul_tiles_bcast_rows %{{.*}}, %{{.*}}, %{{.*}}, %[[COL]],
// ROWS: metalium.noc_async_write_multicast
// The check sees cores that take tiles from different ones on as alike.
// RUN: %if all %{ tt-run rows.mlir --check --strict --grid=4x4 %}
// RUN: %if all %{ tt-run rows.mlir --check --strict --grid=4x4 --arch=blackhole --metalium-api=2025 %}
// RUN: %if all %{ tt-run rows.mlir --check --strict --grid=5x4 --metalium-api=2026-03 %}

// Not where the place of a tile counts, or where a bank has one tile.
// RUN: tt-opt --tt-pipeline=optimize=order-by-banks places.mlir --remarks-filter=tt-order-by-banks 2>&1 | FileCheck %s --check-prefix=PLACES
// PLACES: remark: {{.*}}"tiles move in their order: not all that moves are blocks of interleaved tensors"
// PLACES-NOT: tt.var = "col"
// RUN: tt-opt --tt-pipeline=optimize=order-by-banks few.mlir --remarks-filter=tt-order-by-banks 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: remark: {{.*}}"tiles move in their order: its blocks have less than two tiles of a bank"
// FEW-NOT: tt.var = "col"

//--- rows.mlir
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

func.func @rows(%X: memref<512x768xbf16> {tt.name = "X"}, %W: memref<768xbf16> {tt.name = "W"}, %Y: memref<512x768xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (16) {
    %row = arith.muli %block, %c32 : index
    %x = memref.subview %X[%row, 0] [32, 768] [1, 1] : memref<512x768xbf16> to memref<32x768xbf16, strided<[768, 1], offset: ?>>
    %y = memref.subview %Y[%row, 0] [32, 768] [1, 1] : memref<512x768xbf16> to memref<32x768xbf16, strided<[768, 1], offset: ?>>
    %sum = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<32x768xbf16, strided<[768, 1], offset: ?>>) outs(%sum : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %s = arith.mulf %w, %w : f32
        %r = arith.addf %old, %s : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #j, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x, %sum, %W : memref<32x768xbf16, strided<[768, 1], offset: ?>>, memref<32xf32, #gpu.address_space<private>>, memref<768xbf16>)
        outs(%y : memref<32x768xbf16, strided<[768, 1], offset: ?>>) {
      ^bb0(%a: bf16, %s: f32, %weight: bf16, %old: bf16):
        %w = arith.extf %a : bf16 to f32
        %g = arith.extf %weight : bf16 to f32
        %f = math.rsqrt %s : f32
        %n = arith.mulf %w, %f : f32
        %p = arith.mulf %n, %g : f32
        %r = arith.truncf %p : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}

//--- places.mlir
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// What is below the diagonal: places count.
func.func @places(%A: memref<768x512xbf16> {tt.name = "A"}, %C: memref<768x512xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %rows = arith.constant 192 : index
  %cols = arith.constant 128 : index
  %zero = arith.constant 0.0 : bf16
  scf.forall (%by, %bx) in (4, 4) {
    %m = arith.muli %by, %rows : index
    %n = arith.muli %bx, %cols : index
    %a = memref.subview %A[%m, %n] [192, 128] [1, 1] : memref<768x512xbf16> to memref<192x128xbf16, strided<[512, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [192, 128] [1, 1] : memref<768x512xbf16> to memref<192x128xbf16, strided<[512, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<192x128xbf16, strided<[512, 1], offset: ?>>) outs(%c : memref<192x128xbf16, strided<[512, 1], offset: ?>>) {
      ^bb0(%x: bf16, %old: bf16):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %below = arith.cmpi sge, %i, %j : index
        %w = arith.select %below, %x, %zero : bf16
        linalg.yield %w : bf16
    }
  }
  return
}

//--- few.mlir
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

func.func @few(%A: memref<512x512xbf16> {tt.name = "A"}, %C: memref<512x512xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %size = arith.constant 128 : index
  scf.forall (%by, %bx) in (4, 4) {
    %m = arith.muli %by, %size : index
    %n = arith.muli %bx, %size : index
    %a = memref.subview %A[%m, %n] [128, 128] [1, 1] : memref<512x512xbf16> to memref<128x128xbf16, strided<[512, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1] : memref<512x512xbf16> to memref<128x128xbf16, strided<[512, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<128x128xbf16, strided<[512, 1], offset: ?>>) outs(%c : memref<128x128xbf16, strided<[512, 1], offset: ?>>) {
      ^bb0(%x: bf16, %old: bf16):
        %s = arith.addf %x, %x : bf16
        linalg.yield %s : bf16
    }
  }
  return
}
