// A product, to which a tensor is added: compute takes what was summed.
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @epilogue(%A: memref<256x512xbf16> {tt.name = "A"}, %B: memref<512x256xbf16> {tt.name = "B"}, %X: memref<256x256xbf16> {tt.name = "X"}, %C: memref<256x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.0 : f32
  %ck = arith.constant 512 : index
  %step = arith.constant 32 : index
  %cb = arith.constant 128 : index
  scf.forall (%y, %x) in (2, 2) {
    %m = arith.muli %y, %cb : index
    %n = arith.muli %x, %cb : index
    %s = memref.alloc() : memref<128x128xf32>
    linalg.fill ins(%cst : f32) outs(%s : memref<128x128xf32>)
    scf.for %i = %c0 to %ck step %step {
      %a = memref.subview %A[%m, %i] [128, 32] [1, 1] : memref<256x512xbf16> to memref<128x32xbf16, strided<[512, 1], offset: ?>>
      %bb = memref.subview %B[%i, %n] [32, 128] [1, 1] : memref<512x256xbf16> to memref<32x128xbf16, strided<[256, 1], offset: ?>>
      linalg.matmul ins(%a, %bb : memref<128x32xbf16, strided<[512, 1], offset: ?>>, memref<32x128xbf16, strided<[256, 1], offset: ?>>) outs(%s : memref<128x128xf32>)
    }
    %xx = memref.subview %X[%m, %n] [128, 128] [1, 1] : memref<256x256xbf16> to memref<128x128xbf16, strided<[256, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1] : memref<256x256xbf16> to memref<128x128xbf16, strided<[256, 1], offset: ?>>
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %xx : memref<128x128xf32>, memref<128x128xbf16, strided<[256, 1], offset: ?>>) outs(%c : memref<128x128xbf16, strided<[256, 1], offset: ?>>) {
    ^bb0(%p: f32, %q: bf16, %o: bf16):
      %e = arith.extf %q : bf16 to f32
      %f = arith.addf %p, %e : f32
      %t = arith.truncf %f : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}
