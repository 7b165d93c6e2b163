// Cumulative sum down the columns, by products: within a block of 64 rows, the lower
// triangle of ones times the block; the sum of all blocks before is carried on as a row.
// The triangle is computed on the core, from the indices of its elements.
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func @cumsum(%X: memref<256x128xf32> {tt.name = "X"}, %Y: memref<256x128xf32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  scf.forall (%bx) in (2) {
    %col = arith.muli %bx, %c64 : index
    %triangle = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    %carry = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]}
        outs(%triangle : memref<64x64xf32, #gpu.address_space<private>>) {
      ^bb0(%old: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %below = arith.cmpi sle, %j, %i : index
        %r = arith.select %below, %one, %zero : f32
        linalg.yield %r : f32
    }
    linalg.fill ins(%zero : f32) outs(%carry : memref<64xf32, #gpu.address_space<private>>)
    scf.for %row = %c0 to %c256 step %c64 {
      %x = memref.subview %X[%row, %col] [64, 64] [1, 1]
          : memref<256x128xf32> to memref<64x64xf32, strided<[128, 1], offset: ?>>
      %y = memref.subview %Y[%row, %col] [64, 64] [1, 1]
          : memref<256x128xf32> to memref<64x64xf32, strided<[128, 1], offset: ?>>
      %block = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
      %sums = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
      memref.copy %x, %block : memref<64x64xf32, strided<[128, 1], offset: ?>> to memref<64x64xf32, #gpu.address_space<workgroup>>
      linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32, #gpu.address_space<private>>)
      linalg.matmul ins(%triangle, %block : memref<64x64xf32, #gpu.address_space<private>>, memref<64x64xf32, #gpu.address_space<workgroup>>)
          outs(%sums : memref<64x64xf32, #gpu.address_space<private>>)
      linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
          ins(%sums, %carry : memref<64x64xf32, #gpu.address_space<private>>, memref<64xf32, #gpu.address_space<private>>)
          outs(%y : memref<64x64xf32, strided<[128, 1], offset: ?>>) {
        ^bb0(%s: f32, %c: f32, %old: f32):
          %r = arith.addf %s, %c : f32
          linalg.yield %r : f32
      }
      linalg.generic {indexing_maps = [#ij, #j], iterator_types = ["reduction", "parallel"]}
          ins(%block : memref<64x64xf32, #gpu.address_space<workgroup>>)
          outs(%carry : memref<64xf32, #gpu.address_space<private>>) {
        ^bb0(%a: f32, %old: f32):
          %r = arith.addf %old, %a : f32
          linalg.yield %r : f32
      }
    }
  }
  return
}
