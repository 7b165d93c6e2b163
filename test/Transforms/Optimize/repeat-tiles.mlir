// RUN: tt-opt --tt-pipeline=optimize=split-masks,repeat-tiles --canonicalize --cse %s --remarks-filter=tt-repeat-tiles 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: of tiles that are equal one is computed

// Exponentials of a row, up to its own place: what lies beyond is one tile, filled once and packed as often as it is needed, and so
// is what is computed of it.
// CHECK: tt.kernel @compute
// CHECK: metalium.comment "none of these is chosen"
// CHECK-NEXT: %[[ANY:.*]] = arith.cmpi ult, %[[SOME:.*]], %c4
// CHECK-NEXT: scf.if %[[ANY]]
// CHECK: tt.dst.acquire
// CHECK-NEXT: metalium.sfpu_tile fill
// CHECK: tt.dst.wait
// CHECK: scf.for %{{.*}} = %[[SOME]] to %c4
// CHECK-NOT: metalium.sfpu_tile
// CHECK: metalium.pack_tile %c0
// CHECK: }
// CHECK-NEXT: tt.dst.release
// CHECK: metalium.comment "cb_out0 = exp
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c2
// CHECK: %[[SOME:.*]] = arith.minui
// CHECK: scf.for %{{.*}} = %c0 to %[[SOME]]
// CHECK: metalium.sfpu_tile exp
// CHECK: scf.if
// CHECK: metalium.sfpu_tile exp
// CHECK: scf.for %{{.*}} = %[[SOME]] to %c4
// CHECK-NOT: metalium.sfpu_tile
// CHECK: metalium.pack_tile %c0

// Without masks there is nothing to repeat: loops that fill a block stay as they are.
// RUN: tt-opt --tt-pipeline=optimize=repeat-tiles %s --remarks-filter=tt-repeat-tiles 2>&1 >/dev/null | FileCheck %s --check-prefix=NONE --allow-empty
// NONE-NOT: remark
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @up_to_diagonal(%X: memref<128x128xbf16> {tt.name = "X"}, %Y: memref<128x128xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %c64 = arith.constant 64 : index
  %lowest = arith.constant -1.0e30 : f32
  scf.forall (%b) in (2) {
    %row = arith.muli %b, %c64 : index
    %x = memref.subview %X[%row, 0] [64, 128] [1, 1] : memref<128x128xbf16> to memref<64x128xbf16, strided<[128, 1], offset: ?>>
    %y = memref.subview %Y[%row, 0] [64, 128] [1, 1] : memref<128x128xbf16> to memref<64x128xbf16, strided<[128, 1], offset: ?>>
    %s = memref.alloc() : memref<64x128xf32, #gpu.address_space<private>>
    %m = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<64x128xbf16, strided<[128, 1], offset: ?>>) outs(%s : memref<64x128xf32, #gpu.address_space<private>>) {
      ^bb0(%e: bf16, %old: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %here = arith.addi %row, %i : index
        %seen = arith.cmpi sge, %here, %j : index
        %wide = arith.extf %e : bf16 to f32
        %r = arith.select %seen, %wide, %lowest : f32
        linalg.yield %r : f32
    }
    linalg.fill ins(%lowest : f32) outs(%m : memref<64xf32, #gpu.address_space<private>>)
    linalg.reduce { arith.maximumf } ins(%s : memref<64x128xf32, #gpu.address_space<private>>)
        outs(%m : memref<64xf32, #gpu.address_space<private>>) dimensions = [1]
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%s, %m : memref<64x128xf32, #gpu.address_space<private>>, memref<64xf32, #gpu.address_space<private>>)
        outs(%y : memref<64x128xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%e: f32, %most: f32, %old: bf16):
        %d = arith.subf %e, %most : f32
        %w = math.exp %d : f32
        %r = arith.truncf %w : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
