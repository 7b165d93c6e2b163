// A host function: Y = softmax of the rows of X, as a kernel for exp(X) and the sums of its rows, and one that
// divides. What goes from one to the other stays on the device: E in the L1 of the cores that compute it,
// where the second kernel finds it, and S in DRAM. One host program runs both, a workload a call.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @exponents(%X: memref<256x128xbf16> {tt.name = "X"}, %E: memref<256x128xbf16> {tt.name = "E"},
                     %S: memref<256xf32> {tt.name = "S"}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%by) in (8) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %x = memref.subview %X[%m, 0] [32, 128] [1, 1] : memref<256x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    %e = memref.subview %E[%m, 0] [32, 128] [1, 1] : memref<256x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    %s = memref.subview %S[%m] [32] [1] : memref<256xf32> to memref<32xf32, strided<[1], offset: ?>>
    %exp = memref.alloc() : memref<32x128xbf16>
    %sum = memref.alloc() : memref<32xf32>
    linalg.exp ins(%x : memref<32x128xbf16, strided<[128, 1], offset: ?>>) outs(%exp : memref<32x128xbf16>)
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%exp : memref<32x128xbf16>) outs(%sum : memref<32xf32>) {
      ^bb0(%a: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %r = arith.addf %w, %old : f32
        linalg.yield %r : f32
    }
    memref.copy %exp, %e : memref<32x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    memref.copy %sum, %s : memref<32xf32> to memref<32xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @quotients(%E: memref<256x128xbf16> {tt.name = "E"}, %S: memref<256xf32> {tt.name = "S"},
                     %Y: memref<256x128xbf16> {tt.name = "Y"}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  scf.forall (%by) in (8) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %e = memref.subview %E[%m, 0] [32, 128] [1, 1] : memref<256x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    %s = memref.subview %S[%m] [32] [1] : memref<256xf32> to memref<32xf32, strided<[1], offset: ?>>
    %y = memref.subview %Y[%m, 0] [32, 128] [1, 1] : memref<256x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%e, %s : memref<32x128xbf16, strided<[128, 1], offset: ?>>, memref<32xf32, strided<[1], offset: ?>>)
        outs(%y : memref<32x128xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%a: bf16, %t: f32, %old: bf16):
        %w = arith.extf %a : bf16 to f32
        %q = arith.divf %w, %t : f32
        %r = arith.truncf %q : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
func.func @row_softmax(%X: memref<256x128xbf16> {tt.name = "X"}, %Y: memref<256x128xbf16> {tt.name = "Y"}) attributes {tt.host} {
  %e = memref.alloc() {tt.name = "E", tt.layout = {memory = "L1", layout = "sharded",
    nd_shard = {axes = ["M", "N"], grid = [8, 1], shard_shape_elems = [32, 128]}}} : memref<256x128xbf16>
  %s = memref.alloc() {tt.name = "S"} : memref<256xf32>
  call @exponents(%X, %e, %s) : (memref<256x128xbf16>, memref<256x128xbf16>, memref<256xf32>) -> ()
  call @quotients(%e, %s, %Y) : (memref<256x128xbf16>, memref<256xf32>, memref<256x128xbf16>) -> ()
  memref.dealloc %e : memref<256x128xbf16>
  memref.dealloc %s : memref<256xf32>
  return
}
