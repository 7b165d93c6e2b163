// (A + B) * A - (A + B), elementwise: two intermediate results, one used twice.
#id = affine_map<(i, j) -> (i, j)>
func.func @chain(%A: memref<128x128xbf16> {tt.name = "A"}, %B: memref<128x128xbf16> {tt.name = "B"},
                 %C: memref<128x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c64 = arith.constant 64 : index
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %c64 : index
    %n = arith.muli %bx, %c64 : index
    %a = memref.subview %A[%m, %n] [64, 64] [1, 1] : memref<128x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
    %b = memref.subview %B[%m, %n] [64, 64] [1, 1] : memref<128x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [64, 64] [1, 1] : memref<128x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : memref<64x64xbf16, strided<[128, 1], offset: ?>>, memref<64x64xbf16, strided<[128, 1], offset: ?>>)
        outs(%c : memref<64x64xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%x: bf16, %y: bf16, %z: bf16):
        %s = arith.addf %x, %y : bf16
        %p = arith.mulf %s, %x : bf16
        %q = arith.subf %p, %s : bf16
        linalg.yield %q : bf16
    }
  }
  return
}
