// A conversion of 16 blocks of 6 x 4 tiles.
#ij = affine_map<(i, j) -> (i, j)>

func.func @blocks(%A: memref<768x512xbf16> {tt.name = "A"}, %C: memref<768x512xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %rows = arith.constant 192 : index
  %cols = arith.constant 128 : index
  scf.forall (%by, %bx) in (4, 4) {
    %m = arith.muli %by, %rows : index
    %n = arith.muli %bx, %cols : index
    %a = memref.subview %A[%m, %n] [192, 128] [1, 1] : memref<768x512xbf16> to memref<192x128xbf16, strided<[512, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [192, 128] [1, 1] : memref<768x512xf32> to memref<192x128xf32, strided<[512, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<192x128xbf16, strided<[512, 1], offset: ?>>) outs(%c : memref<192x128xf32, strided<[512, 1], offset: ?>>) {
      ^bb0(%x: bf16, %old: f32):
        %w = arith.extf %x : bf16 to f32
        linalg.yield %w : f32
    }
  }
  return
}
