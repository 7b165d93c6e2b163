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
// CHECK: tile_using_forall %{{.*}} tile_sizes [32, 1, 0]
// CHECK: tile_using_forall %{{.*}} tile_sizes [32, 0]
// CHECK-COUNT-3: fuse_into_containing_op
// CHECK: tile_using_forall %{{.*}} tile_sizes [0, 1, 0, 0]
// CHECK: tile_using_forall %{{.*}} tile_sizes [64, 512]
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

// Of 48 rows of windows, side by side, one block has 32 and one 16, whose places no list gives. Each
// of the three windows has two tiles of a row, and a core of its own.
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

// So are rows of which the last ones end inside of a tile.
func.func @ragged(%x: tensor<197x2048xf32>) -> tensor<197x2048xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<197xf32>
  %all = tensor.empty() : tensor<197x2048xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<197xf32>) -> tensor<197xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<197x2048xf32>) outs(%none : tensor<197xf32>) {
    ^bb0(%a: f32, %old: f32):
      %q = arith.mulf %a, %a : f32
      %s = arith.addf %q, %old : f32
      linalg.yield %s : f32
  } -> tensor<197xf32>
  %root = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sum : tensor<197xf32>) outs(%rows : tensor<197xf32>) {
    ^bb0(%a: f32, %old: f32):
      %r = math.rsqrt %a : f32
      linalg.yield %r : f32
  } -> tensor<197xf32>
  %y = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %root : tensor<197x2048xf32>, tensor<197xf32>) outs(%all : tensor<197x2048xf32>) {
    ^bb0(%a: f32, %r: f32, %old: f32):
      %m = arith.mulf %a, %r : f32
      linalg.yield %m : f32
  } -> tensor<197x2048xf32>
  return %y : tensor<197x2048xf32>
}

// Of windows whose channels have whole tiles of a row, more cores have a channel each.
#pckl = affine_map<(p, c, k, l) -> (p, c, k, l)>
func.func @channels(%x: tensor<3x16x224xf32>) -> tensor<14x768xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<14x3x16x16xf32>
  %w = linalg.generic {indexing_maps = [#pckl], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<14x3x16x16xf32>) {
    ^bb0(%old: f32):
      %p = linalg.index 0 : index
      %c = linalg.index 1 : index
      %k = linalg.index 2 : index
      %l = linalg.index 3 : index
      %at = affine.apply affine_map<(p, l) -> (16 * p + l)>(%p, %l)
      %v = tensor.extract %x[%c, %k, %at] : tensor<3x16x224xf32>
      linalg.yield %v : f32
  } -> tensor<14x3x16x16xf32>
  %r = tensor.collapse_shape %w [[0], [1, 2, 3]] : tensor<14x3x16x16xf32> into tensor<14x768xf32>
  return %r : tensor<14x768xf32>
}

// Blocks of what is only cast are wide: a column of tiles would lie in a few banks of DRAM.
func.func @cast(%x: tensor<512x1024xf32>) -> tensor<512x1024xbf16> attributes {tt.model} {
  %e = tensor.empty() : tensor<512x1024xbf16>
  %c = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x1024xf32>) outs(%e : tensor<512x1024xbf16>) {
    ^bb0(%v: f32, %old: bf16):
      %b = arith.truncf %v : f32 to bf16
      linalg.yield %b : bf16
  } -> tensor<512x1024xbf16>
  return %c : tensor<512x1024xbf16>
}
