// Masks have the bits of the plain form, where loops are split by what they let through, and tiles of which nothing is left are
// computed once: columns up to a row's place, and those behind it.
// RUN: tt-run %s --optimize=none --check --output Y=%t.none.npy
// RUN: tt-run %s --strict --check --output Y=%t.all.npy && cmp %t.none.npy %t.all.npy
// RUN: sed s/sge/slt/ %s > %t.mlir && tt-run %t.mlir --optimize=none --output Y=%t.none.npy
// RUN: tt-run %t.mlir --strict --check --output Y=%t.all.npy && cmp %t.none.npy %t.all.npy
// RUN: tt-run %t.mlir --optimize=split-masks --output Y=%t.all.npy && cmp %t.none.npy %t.all.npy
// RUN: %if all %{ tt-run %s --arch=blackhole --metalium-api=2025 --strict --check %}
// RUN: %if all %{ tt-run %t.mlir --arch=blackhole --metalium-api=2026-03 --strict --check %}
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
