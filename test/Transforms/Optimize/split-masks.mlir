// RUN: tt-opt --tt-pipeline=optimize=split-masks --canonicalize --cse %s --remarks-filter=tt-split-masks 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: a loop of 4 steps is split where all of a tile is chosen, and where none is

// A row sees the columns up to its own: of the tiles left of the diagonal nothing is compared, and those right of it are filled.
// CHECK-LABEL: tt.program @up_to_diagonal
// CHECK: tt.kernel @compute
// CHECK: %[[ALL:.*]] = arith.minui {{.*}}tt.var = "all_until"
// CHECK: %[[SOME:.*]] = arith.minui {{.*}}tt.var = "some_until"
// CHECK: metalium.comment "all of these are chosen"
// CHECK-NOT: where
// CHECK: scf.for %{{.*}} = %c0 to %[[ALL]]
// CHECK-NOT: where
// CHECK: metalium.comment "of these a part is chosen"
// CHECK: scf.for %{{.*}} = %[[ALL]] to %[[SOME]]
// CHECK: where
// CHECK: metalium.comment "none of these is chosen"
// CHECK: scf.for %{{.*}} = %[[SOME]] to %c4
// CHECK-NOT: copy_tile
// CHECK-NOT: where
// CHECK: tt.kernel @writer
#ij = affine_map<(i, j) -> (i, j)>
func.func @up_to_diagonal(%X: memref<128x128xbf16> {tt.name = "X"}, %Y: memref<128x128xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %lowest = arith.constant -1.0e30 : bf16
  scf.forall (%b) in (4) {
    %row = arith.muli %b, %c32 : index
    %x = memref.subview %X[%row, 0] [32, 128] [1, 1] : memref<128x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    %y = memref.subview %Y[%row, 0] [32, 128] [1, 1] : memref<128x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<32x128xbf16, strided<[128, 1], offset: ?>>) outs(%y : memref<32x128xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%s: bf16, %old: bf16):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %here = arith.addi %row, %i : index
        %seen = arith.cmpi sge, %here, %j : index
        %r = arith.select %seen, %s, %lowest : bf16
        linalg.yield %r : bf16
    }
  }
  return
}

// The other way round: what is left of a row's place is not seen, so the parts come in the other order.
// CHECK-LABEL: tt.program @from_diagonal
// CHECK: metalium.comment "none of these is chosen"
// CHECK-NOT: where
// CHECK: metalium.comment "of these a part is chosen"
// CHECK: where
// CHECK: metalium.comment "all of these are chosen"
// CHECK-NOT: where
// CHECK: tt.kernel @writer
func.func @from_diagonal(%X: memref<128x128xbf16> {tt.name = "X"}, %Y: memref<128x128xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %lowest = arith.constant -1.0e30 : bf16
  scf.forall (%b) in (4) {
    %row = arith.muli %b, %c32 : index
    %x = memref.subview %X[%row, 0] [32, 128] [1, 1] : memref<128x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    %y = memref.subview %Y[%row, 0] [32, 128] [1, 1] : memref<128x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<32x128xbf16, strided<[128, 1], offset: ?>>) outs(%y : memref<32x128xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%s: bf16, %old: bf16):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %here = arith.addi %row, %i : index
        %seen = arith.cmpi slt, %here, %j : index
        %r = arith.select %seen, %s, %lowest : bf16
        linalg.yield %r : bf16
    }
  }
  return
}

// What is compared with a tensor's values is no matter of where an element is.
// CHECK-LABEL: tt.program @by_value
// CHECK-NOT: metalium.comment "{{.*}}chosen"
// CHECK: where
// CHECK: tt.kernel @writer
func.func @by_value(%X: memref<32x128xbf16> {tt.name = "X"}, %Y: memref<32x128xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  %two = arith.constant 2.0 : bf16
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<32x128xbf16>) outs(%Y : memref<32x128xbf16>) {
    ^bb0(%s: bf16, %old: bf16):
      %seen = arith.cmpf ogt, %s, %two : bf16
      %r = arith.select %seen, %s, %zero : bf16
      linalg.yield %r : bf16
  }
  return
}
