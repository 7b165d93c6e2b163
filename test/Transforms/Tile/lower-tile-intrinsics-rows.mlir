// RUN: tt-opt %s --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics --split-input-file | FileCheck %s

// Broadcasts: the FPU takes a broadcast second operand; where an op has no such form, the
// operand is copied to DST. A vector lies as a row of tiles; as a column it is turned first.
// CHECK-LABEL: func.func @broadcasts
// CHECK: %[[ZEROS:.*]] = tt.alloc_cb {{.*}} : !tt.cb<1x1xbf16>
// CHECK-NEXT: tt.sfpu.unary fill, dst = 0 scalar = 0.000000e+00 -> %[[ZEROS]]
// CHECK-DAG: tt.read_to_cb %arg0[{{.*}}], %[[X:.*]] : memref<64x96xbf16>, !tt.cb<2x3xbf16>
// CHECK-DAG: tt.read_to_cb %arg1[{{.*}}], %[[R:.*]] : memref<96xbf16>, !tt.cb<1x3xbf16>
// CHECK-DAG: tt.read_to_cb %arg2[{{.*}}], %[[C:.*]] : memref<64xbf16>, !tt.cb<1x2xbf16>
// CHECK-DAG: tt.read_to_cb %arg3[], %[[S:.*]] : memref<bf16>, !tt.cb<1x1xbf16>
// CHECK: tt.copy_to_dst %[[C]] transpose, dst = 0 -> %[[T:.*]] : !tt.cb<1x2xbf16>, !tt.cb<2x1xbf16>
// CHECK: tt.fpu.add %[[X]], %[[R]] bcast rows, dst = 0
// CHECK: tt.bcast_to_dst %[[T]] bcast cols onto %[[ZEROS]], dst = 1
// CHECK: tt.sfpu.combine max, [0, 1], dst = 0
// CHECK: tt.fpu.sub %[[X]], %[[S]] bcast scalar, dst = 1
// CHECK: tt.sfpu.combine mul, [0, 1], dst = 0
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#s = affine_map<(i, j) -> ()>
func.func @broadcasts(%X: memref<64x96xbf16>, %R: memref<96xbf16>, %C: memref<64xbf16>, %S: memref<bf16>,
                      %Y: memref<64x96xbf16>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ij, #j, #i, #s, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%X, %R, %C, %S : memref<64x96xbf16>, memref<96xbf16>, memref<64xbf16>, memref<bf16>) outs(%Y : memref<64x96xbf16>) {
    ^bb0(%x: bf16, %r: bf16, %c: bf16, %s: bf16, %old: bf16):
      %a = arith.addf %r, %x : bf16
      %b = arith.maximumf %a, %c : bf16
      %d = arith.subf %x, %s : bf16
      %e = arith.mulf %b, %d : bf16
      linalg.yield %e : bf16
  }
  return
}

// -----
// Reductions: an operand is reduced as it is, a term is computed before; both sides one after
// the other; the smallest element is what is largest of what is negated. A start that is not
// neutral counts at the end. An extreme of f32 that is stored keeps its bits: it is found in parts
// of bf16, and what it is found in does not go through the sources of the FPU.
// CHECK-LABEL: func.func @reductions
// CHECK: tt.copy_to_dst %[[X:.*]], dst = 0 -> %[[COPY:.*]] : !tt.cb<2x3xf32>, !tt.cb<2x3xf32>
// CHECK: tt.fpu.reduce sum_row, %[[COPY]], %{{.*}}, dst = 0 -> %{{.*}} : !tt.cb<2x3xf32>, !tt.cb<1x1xf32>, !tt.cb<2x1xf32>
// CHECK: tt.copy_to_dst %[[X]], dst = 0
// CHECK: tt.sfpu.unary negative, dst = 0 -> %[[N:.*]] : !tt.cb<2x3xf32>
// CHECK: tt.copy_to_dst %[[N]], dst = 0
// CHECK: tt.sfpu.unary round_to_bf16, dst = 0
// CHECK: -> %[[PART:.*]] : !tt.cb<2x3xbf16>
// CHECK: tt.fpu.reduce max_row, %[[PART]], %{{.*}}, dst = 0 -> %[[H:.*]] : !tt.cb<2x3xbf16>, !tt.cb<1x1xbf16>, !tt.cb<2x1xbf16>
// CHECK: tt.copy_to_dst %[[N]], dst = 0
// CHECK-NEXT: tt.bcast_to_dst %[[H]] bcast cols
// CHECK-NEXT: tt.sfpu.combine sub, [0, 1], dst = 0
// CHECK: tt.fpu.reduce max_row, %[[PART]], %{{.*}}, dst = 0 -> %[[M:.*]] : !tt.cb<2x3xbf16>, !tt.cb<1x1xbf16>, !tt.cb<2x1xbf16>
// CHECK: tt.fpu.reduce max_row, %[[PART]], %{{.*}}, dst = 0 -> %[[L:.*]] : !tt.cb<2x3xbf16>, !tt.cb<1x1xbf16>, !tt.cb<2x1xbf16>
// CHECK: tt.copy_to_dst %[[M]], dst = 0
// CHECK-NEXT: tt.copy_to_dst %[[L]], dst = 1
// CHECK-NEXT: tt.sfpu.combine add, [0, 1], dst = 0
// CHECK-NEXT: tt.copy_to_dst %[[H]], dst = 1
// CHECK-NEXT: tt.sfpu.combine add, [1, 0], dst = {{[01]}} -> %[[ROWS:.*]] : !tt.cb<2x1xf32>
// CHECK: tt.copy_to_dst %[[ROWS]], dst = 0
// CHECK-COUNT-3: tt.fpu.reduce max_col
// CHECK: tt.sfpu.unary negative, dst = 0
// CHECK-NEXT: tt.sfpu.unary min_scalar, dst = 0 scalar = 2.500000e-01 -> %{{.*}} : !tt.cb<1x1xf32>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#s = affine_map<(i, j) -> ()>
func.func @reductions(%X: memref<64x96xf32>, %M: memref<64x1xf32>, %S: memref<f32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %x = memref.alloc() : memref<64x96xf32, #gpu.address_space<workgroup>>
  %sum = memref.alloc() : memref<64x1xf32>
  %least = memref.alloc() : memref<f32>
  memref.copy %X, %x : memref<64x96xf32> to memref<64x96xf32, #gpu.address_space<workgroup>>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64x1xf32>)
  linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x96xf32, #gpu.address_space<workgroup>>) outs(%sum : memref<64x1xf32>) {
    ^bb0(%a: f32, %old: f32):
      %r = arith.addf %a, %old : f32
      linalg.yield %r : f32
  }
  linalg.fill ins(%quarter : f32) outs(%least : memref<f32>)
  linalg.reduce { arith.minimumf } ins(%x : memref<64x96xf32, #gpu.address_space<workgroup>>) outs(%least : memref<f32>) dimensions = [0, 1]
  memref.copy %sum, %M : memref<64x1xf32> to memref<64x1xf32>
  memref.copy %least, %S : memref<f32> to memref<f32>
  return
}

// -----
// A buffer that keeps its value: open from the first op that computes it to the last that
// reads it, with room for two values. The sum of a step is computed apart and added.
// CHECK-LABEL: func.func @running
// CHECK: %[[SUM:.*]] = tt.alloc_cb "cb_intermed{{.*}}" depth = 2 : !tt.cb<1x1xf32>
// CHECK: tt.sfpu.unary fill, dst = 0 scalar = 0.000000e+00 -> %[[SUM]]
// CHECK-NEXT: tt.cb_open %[[SUM]]
// CHECK: scf.for
// CHECK: tt.fpu.reduce sum_row, %{{.*}}, %{{.*}}, dst = 0 -> %[[PART:.*]] :
// CHECK: tt.copy_to_dst %[[SUM]], dst = 0
// CHECK-NEXT: tt.copy_to_dst %[[PART]], dst = 1
// CHECK-NEXT: tt.sfpu.combine add, [0, 1], dst = 0 -> %[[SUM]]
// CHECK-NEXT: tt.cb_close %[[SUM]]
// CHECK-NEXT: tt.cb_open %[[SUM]]
// CHECK: }
// CHECK: tt.copy_to_dst %[[SUM]] transpose, dst = 0 -> %{{.*}} : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
// CHECK-NEXT: tt.cb_close %[[SUM]]
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @running(%X: memref<32x128xf32>, %S: memref<32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32>)
  scf.for %k = %c0 to %c128 step %c32 {
    %x = memref.subview %X[0, %k] [32, 32] [1, 1] : memref<32x128xf32> to memref<32x32xf32, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<32x32xf32, strided<[128, 1], offset: ?>>) outs(%sum : memref<32xf32>) {
      ^bb0(%a: f32, %old: f32):
        %r = arith.addf %a, %old : f32
        linalg.yield %r : f32
    }
  }
  memref.copy %sum, %S : memref<32xf32> to memref<32xf32>
  return
}

// -----
// Turned operands: the left one of a product is turned before, the right one by the engine;
// a transposition is a copy.
// CHECK-LABEL: func.func @turned
// CHECK: tt.copy_to_dst %[[A:.*]] transpose, dst = 0 -> %[[T:.*]] : !tt.cb<1x2xbf16>, !tt.cb<2x1xbf16>
// CHECK: tt.mm.mma %[[T]], %{{.*}} transpose_b, dst = 0
// CHECK: tt.copy_to_dst %[[A]] transpose, dst = 0 -> %{{.*}} : !tt.cb<1x2xbf16>, !tt.cb<2x1xbf16>
#km = affine_map<(m, n, k) -> (k, m)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @turned(%A: memref<32x64xbf16>, %B: memref<96x32xbf16>, %C: memref<64x96xf32>, %T: memref<64x32xbf16>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<32x64xbf16>
  memref.copy %A, %a : memref<32x64xbf16> to memref<32x64xbf16>
  %acc = memref.alloc() : memref<64x96xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<64x96xf32>)
  linalg.matmul indexing_maps = [#km, #nk, #mn] ins(%a, %B : memref<32x64xbf16>, memref<96x32xbf16>) outs(%acc : memref<64x96xf32>)
  memref.copy %acc, %C : memref<64x96xf32> to memref<64x96xf32>
  linalg.transpose ins(%a : memref<32x64xbf16>) outs(%T : memref<64x32xbf16>) permutation = [1, 0]
  return
}

// -----
// Indices: the tile's own come from the reader, the rest is a scalar a tile. Of a comparison
// only the sign counts. A scalar argument is a scalar of the vector unit.
// CHECK-LABEL: func.func @indices
// CHECK: tt.index_to_cb rows = -1 cols = 1 -> %[[I:.*]] : !tt.cb<1x1xbf16>
// CHECK: tt.copy_to_dst %[[I]] repeat, dst = 0
// CHECK: tt.sfpu.scalar add_scalar, %{{.*}} steps [-32, 32] limit 63, dst = 0 : index
// CHECK: tt.sfpu.unary gtz, dst = 0
// CHECK: tt.sfpu.scalar mul_scalar, %arg1, dst = 1 : f32
// CHECK: tt.sfpu.combine where, [0, 1, {{.*}}]
#ij = affine_map<(i, j) -> (i, j)>
func.func @indices(%X: memref<64x64xbf16>, %s: f32, %Y: memref<64x64xbf16>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<64x64xbf16>) outs(%Y : memref<64x64xbf16>) {
    ^bb0(%x: bf16, %old: bf16):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %above = arith.cmpi slt, %i, %j : index
      %n = arith.truncf %s : f32 to bf16
      %p = arith.mulf %x, %n : bf16
      %r = arith.select %above, %p, %zero : bf16
      linalg.yield %r : bf16
  }
  return
}

// -----
// An epilogue takes the product from DST where a tile is to spare, and packs it itself.
// CHECK-LABEL: func.func @epilogue
// CHECK: tt.mm.mma %{{.*}}, %{{.*}}, dst = 0
// CHECK-NOT: pack
// CHECK: tt.bcast_to_dst %{{.*}} bcast rows onto %{{.*}}, dst = 2
// CHECK-NEXT: tt.sfpu.combine add, [0, 2], dst = 0
// CHECK-NEXT: tt.sfpu.unary max_scalar, dst = 0
// CHECK-NEXT: tt.pack_to_cb dst = 0 -> %{{.*}} : !tt.cb<1x2xbf16>
// CHECK-NOT: mma
// A product that fills DST is packed, and read again.
// CHECK-LABEL: func.func @no_room
// CHECK: tt.mm.mma
// CHECK-NEXT: tt.pack_to_cb dst = 0 -> %[[P:.*]] : !tt.cb<2x2xf32>
// CHECK: tt.fpu.add %[[P]], %{{.*}} bcast rows
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func @epilogue(%A: memref<32x32xbf16>, %B: memref<32x64xbf16>, %v: memref<64xbf16>, %C: memref<32x64xbf16>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %acc = memref.alloc() : memref<32x64xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xbf16>, memref<32x64xbf16>) outs(%acc : memref<32x64xf32>)
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%acc, %v : memref<32x64xf32>, memref<64xbf16>) outs(%C : memref<32x64xbf16>) {
    ^bb0(%s: f32, %b: bf16, %old: bf16):
      %w = arith.extf %b : bf16 to f32
      %t = arith.addf %s, %w : f32
      %m = arith.maximumf %t, %zero : f32
      %r = arith.truncf %m : f32 to bf16
      linalg.yield %r : bf16
  }
  return
}
func.func @no_room(%A: memref<64x32xbf16>, %B: memref<32x64xbf16>, %v: memref<64xbf16>, %C: memref<64x64xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %acc = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<64x64xf32>)
  linalg.matmul ins(%A, %B : memref<64x32xbf16>, memref<32x64xbf16>) outs(%acc : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%acc, %v : memref<64x64xf32>, memref<64xbf16>) outs(%C : memref<64x64xf32>) {
    ^bb0(%s: f32, %b: bf16, %old: f32):
      %w = arith.extf %b : bf16 to f32
      %t = arith.addf %s, %w : f32
      linalg.yield %t : f32
  }
  return
}

// -----
// What must be computed before an epilogue, here a vector that is turned, may not stand between
// it and its product: the product is packed.
// CHECK-LABEL: func.func @turned_bias
// CHECK: tt.mm.mma
// CHECK-NEXT: tt.pack_to_cb dst = 0 -> %[[P:.*]] : !tt.cb<1x2xf32>
// CHECK: tt.copy_to_dst %{{.*}} transpose, dst = 0 -> %[[T:.*]] : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
// CHECK: tt.fpu.add %[[P]], %[[T]] bcast cols
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @turned_bias(%A: memref<32x32xbf16>, %B: memref<32x64xbf16>, %v: memref<32xbf16>, %C: memref<32x64xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %acc = memref.alloc() : memref<32x64xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xbf16>, memref<32x64xbf16>) outs(%acc : memref<32x64xf32>)
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%acc, %v : memref<32x64xf32>, memref<32xbf16>) outs(%C : memref<32x64xf32>) {
    ^bb0(%s: f32, %b: bf16, %old: f32):
      %w = arith.extf %b : bf16 to f32
      %t = arith.addf %s, %w : f32
      linalg.yield %t : f32
  }
  return
}

// -----
// Rows of 70 elements end inside of a tile: what pads it is masked before it is summed.
// CHECK-LABEL: func.func @ragged
// CHECK: tt.index_to_cb rows = 0 cols = -1 -> %[[I:.*]] : !tt.cb<1x1xbf16>
// CHECK: tt.copy_to_dst %[[I]] repeat, dst = 0
// CHECK: tt.sfpu.scalar add_scalar, %{{.*}} steps [0, -32] limit 32, dst = 0 : index
// CHECK: tt.sfpu.unary gtz, dst = 0
// CHECK: tt.sfpu.combine where, [0, 1, 2]
// CHECK: tt.fpu.reduce sum_row
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @ragged(%X: memref<50x70xf32>, %S: memref<50xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%S : memref<50xf32>)
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%X : memref<50x70xf32>) outs(%S : memref<50xf32>) {
    ^bb0(%a: f32, %old: f32):
      %e = math.exp %a : f32
      %r = arith.addf %e, %old : f32
      linalg.yield %r : f32
  }
  return
}
