// RUN: tt-opt --tt-plan-model %s | FileCheck %s
// RUN: tt-opt --tt-plan-model=optimize=share-operands,split-rows %s | FileCheck %s
// RUN: tt-opt --tt-plan-model=optimize=none %s | FileCheck %s --check-prefix=NONE
// RUN: not tt-opt --tt-plan-model=optimize=rows %s 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: optimize=rows: expected none, all, or names of optimizations with commas between (--help lists them)

// Without that pass, blocks are of columns, and sums a kernel of their own.
// NONE: tile_using_forall %{{.*}} tile_sizes [32, 512]
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#id = affine_map<(i) -> (i)>

// A norm of long rows is one kernel, whose units have whole rows: several cores share a row
// (--tt-split-rows), and its blocks with it. Each core alone would not hold one.
// CHECK: tile_using_forall %{{.*}} tile_sizes [32, 0]
// CHECK-COUNT-3: fuse_into_containing_op
// CHECK: tile_using_forall %{{.*}} tile_sizes [48, 0, 0]
func.func @norm(%x: tensor<512x2048xf32>) -> tensor<512x2048xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<512xf32>
  %all = tensor.empty() : tensor<512x2048xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<512x2048xf32>) outs(%none : tensor<512xf32>) {
    ^bb0(%a: f32, %old: f32):
      %q = arith.mulf %a, %a : f32
      %s = arith.addf %q, %old : f32
      linalg.yield %s : f32
  } -> tensor<512xf32>
  %root = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sum : tensor<512xf32>) outs(%rows : tensor<512xf32>) {
    ^bb0(%a: f32, %old: f32):
      %r = math.rsqrt %a : f32
      linalg.yield %r : f32
  } -> tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %root : tensor<512x2048xf32>, tensor<512xf32>) outs(%all : tensor<512x2048xf32>) {
    ^bb0(%a: f32, %r: f32, %old: f32):
      %m = arith.mulf %a, %r : f32
      linalg.yield %m : f32
  } -> tensor<512x2048xf32>
  return %y : tensor<512x2048xf32>
}

// Windows that are gathered side by side are seen as such in blocks that are all alike: of 48 rows
// one of 32 would leave another.
#ijk = affine_map<(i, j, k) -> (i, j, k)>
func.func @windows(%x: tensor<97x64xf32>) -> tensor<48x192xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<48x3x64xf32>
  %w = linalg.generic {indexing_maps = [#ijk], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<48x3x64xf32>) {
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = linalg.index 2 : index
      %at = affine.apply affine_map<(i, j) -> (2 * i + j)>(%i, %j)
      %v = tensor.extract %x[%at, %k] : tensor<97x64xf32>
      linalg.yield %v : f32
  } -> tensor<48x3x64xf32>
  %c = tensor.collapse_shape %w [[0], [1, 2]] : tensor<48x3x64xf32> into tensor<48x192xf32>
  return %c : tensor<48x192xf32>
}
