// RUN: tt-opt %s --tt-stage-a --tt-share-tiles --split-input-file --verify-diagnostics -o /dev/null

// Columns of a tile, all of one: that they become steps of one cell would give them an order.
func.func @column(%A: memref<128x16xf32> {tt.name="A"}, %D: memref<128x32xf32> {tt.name="D"}) attributes {tt.kernel} {
  scf.forall (%s, %h) in (4, 16) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%s)
    %a = memref.subview %A[%m, %h] [32, 1] [1, 1] : memref<128x16xf32> to memref<32x1xf32, strided<[16, 1], offset: ?>>
    %d = memref.subview %D[%m, 5] [32, 1] [1, 1] : memref<128x32xf32> to memref<32x1xf32, strided<[32, 1], offset: ?>>
    // expected-error @below {{two cells of the grid write the same block: (bx = 14, by = 0) and (bx = 15, by = 0) both write from D[0, 5] on}}
    linalg.copy ins(%a : memref<32x1xf32, strided<[16, 1], offset: ?>>) outs(%d : memref<32x1xf32, strided<[32, 1], offset: ?>>)
  }
  return
}

// -----

// Two cells a column.
func.func @columns(%A: memref<128x16xf32> {tt.name="A"}, %D: memref<128x32xf32> {tt.name="D"}) attributes {tt.kernel} {
  scf.forall (%s, %h) in (4, 16) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%s)
    %q = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%h)
    %a = memref.subview %A[%m, %h] [32, 1] [1, 1] : memref<128x16xf32> to memref<32x1xf32, strided<[16, 1], offset: ?>>
    %d = memref.subview %D[%m, %q] [32, 1] [1, 1] : memref<128x32xf32> to memref<32x1xf32, strided<[32, 1], offset: ?>>
    // expected-error @below {{(bx = 14, by = 0) and (bx = 15, by = 0) both write from D[0, 7] on}}
    linalg.copy ins(%a : memref<32x1xf32, strided<[16, 1], offset: ?>>) outs(%d : memref<32x1xf32, strided<[32, 1], offset: ?>>)
  }
  return
}
