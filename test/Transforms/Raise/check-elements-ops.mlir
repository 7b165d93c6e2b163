// RUN: tt-opt --tt-check-elements %s --split-input-file --verify-diagnostics
// An op reads all of a block before it writes: elements that it writes elsewhere than it reads them would be of some order.
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
func.func @turned(%A: memref<64x64xf32>, %X: memref<64x64xf32>) attributes {tt.kernel} {
  // expected-error @+1 {{reads the buffer that it writes at other places than it writes, so that what it reads depends on the order of its elements, which has none; copy what it reads to a buffer of its own before}}
  linalg.generic {indexing_maps = [#ji, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%X, %A : memref<64x64xf32>, memref<64x64xf32>) outs(%X : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// -----

func.func @product(%A: memref<64x64xf32>, %X: memref<64x64xf32>) attributes {tt.kernel} {
  // expected-error @+1 {{reads the buffer that it writes at other places}}
  linalg.matmul ins(%A, %X : memref<64x64xf32>, memref<64x64xf32>) outs(%X : memref<64x64xf32>)
  return
}

// -----

// In place, also along a dimension of size 1; and what is not taken may be anywhere.
#ij = affine_map<(i, j) -> (i, j)>
#i0 = affine_map<(i, j) -> (i, 0)>
#ji = affine_map<(i, j) -> (j, i)>
func.func @in_place(%A: memref<64x1xf32>, %X: memref<64x1xf32>, %Y: memref<64x64xf32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#i0, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%X, %A : memref<64x1xf32>, memref<64x1xf32>) outs(%X : memref<64x1xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%Y : memref<64x64xf32>) outs(%Y : memref<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %o : f32
    linalg.yield %s : f32
  }
  return
}
