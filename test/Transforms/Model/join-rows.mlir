// RUN: tt-opt --tt-join-rows %s | FileCheck %s
// RUN: %if all %{ split-file %s %t && tt-run %t/patches.mlir --check --strict | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t/patches.mlir --check --strict --arch=blackhole | FileCheck %s --check-prefix=RIGHT %}
// RIGHT: result: {{.*}}: ok

//--- patches.mlir
#yxf = affine_map<(y, x, f) -> (y, x, f)>
#yxk = affine_map<(y, x, f, k) -> (y, x, k)>
#fk = affine_map<(y, x, f, k) -> (f, k)>
#sum = affine_map<(y, x, f, k) -> (y, x, f)>

// The rows of patches, and the sums that start at a bias, and what is computed of them, are those of the reshape.
// CHECK-DAG: #[[DOWN:.*]] = affine_map<(d0) -> (d0 floordiv 14)>
// CHECK-DAG: #[[COL:.*]] = affine_map<(d0) -> (d0 mod 14)>
// CHECK-LABEL: func.func @patches(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<196x8x32xf32>)
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK-NEXT: affine.apply #[[DOWN]](%[[ROW]])
// CHECK: %[[SAME:.*]] = linalg.index 0
// CHECK-NEXT: affine.apply #[[COL]](%[[SAME]])
// CHECK: linalg.index 1
// CHECK: %[[P:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<196x8x32xf32> into tensor<196x256xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[P]], %{{.*}} : tensor<196x256xf32>, tensor<64x256xf32>) outs(%{{.*}} : tensor<196x64xf32>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<196x64xf32>) outs(%{{.*}} : tensor<196x64xf32>)
// CHECK: return %[[R]]
func.func @patches(%x: tensor<112x224xf32>, %w: tensor<64x256xf32>, %bias: tensor<64xf32>) -> tensor<196x64xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<14x14x8x32xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(y, x, a, b) -> (y, x, a, b)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<14x14x8x32xf32>) {
    ^bb0(%old: f32):
      %y = linalg.index 0 : index
      %z = linalg.index 1 : index
      %a = linalg.index 2 : index
      %b = linalg.index 3 : index
      %row = affine.apply affine_map<(y, a) -> (y * 8 + a)>(%y, %a)
      %first = affine.apply affine_map<(x) -> (x * 14)>(%z)
      %col = arith.addi %b, %first : index
      %v = tensor.extract %x[%row, %col] : tensor<112x224xf32>
      linalg.yield %v : f32
  } -> tensor<14x14x8x32xf32>
  %k = tensor.collapse_shape %p [[0], [1], [2, 3]] : tensor<14x14x8x32xf32> into tensor<14x14x256xf32>
  %f = tensor.empty() : tensor<14x14x64xf32>
  %start = linalg.generic {indexing_maps = [affine_map<(y, x, f) -> (f)>, #yxf], iterator_types = ["parallel", "parallel", "parallel"]} ins(%bias : tensor<64xf32>) outs(%f : tensor<14x14x64xf32>) {
    ^bb0(%b: f32, %old: f32):
      linalg.yield %b : f32
  } -> tensor<14x14x64xf32>
  %s = linalg.generic {indexing_maps = [#yxk, #fk, #sum], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%k, %w : tensor<14x14x256xf32>, tensor<64x256xf32>) outs(%start : tensor<14x14x64xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %m = arith.mulf %a, %b : f32
      %t = arith.addf %old, %m : f32
      linalg.yield %t : f32
  } -> tensor<14x14x64xf32>
  %r = linalg.generic {indexing_maps = [#yxf, #yxf], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<14x14x64xf32>) outs(%f : tensor<14x14x64xf32>) {
    ^bb0(%a: f32, %old: f32):
      %m = arith.negf %a : f32
      linalg.yield %m : f32
  } -> tensor<14x14x64xf32>
  %c = tensor.collapse_shape %r [[0, 1], [2]] : tensor<14x14x64xf32> into tensor<196x64xf32>
  return %c : tensor<196x64xf32>
}

//--- others.mlir
#ijk = affine_map<(i, j, k) -> (i, j, k)>

// Rows of whole tiles are joined by the reshape alone.
// CHECK-LABEL: func.func @whole(
// CHECK: tensor.collapse_shape %{{.*}} : tensor<4x32x64xf32> into tensor<128x64xf32>
func.func @whole(%x: tensor<8x32x64xf32>) -> tensor<128x64xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<4x32x64xf32>
  %p = linalg.generic {indexing_maps = [#ijk], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<4x32x64xf32>) {
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = linalg.index 2 : index
      %at = affine.apply affine_map<(i) -> (i * 2)>(%i)
      %v = tensor.extract %x[%at, %j, %k] : tensor<8x32x64xf32>
      linalg.yield %v : f32
  } -> tensor<4x32x64xf32>
  %c = tensor.collapse_shape %p [[0, 1], [2]] : tensor<4x32x64xf32> into tensor<128x64xf32>
  return %c : tensor<128x64xf32>
}

// An argument beside what is gathered has tiles of its own, in which rows of 14 stay.
// CHECK-LABEL: func.func @argument(
// CHECK: tensor.collapse_shape %{{.*}} : tensor<4x14x64xf32> into tensor<56x64xf32>
func.func @argument(%x: tensor<8x14x64xf32>, %y: tensor<4x14x64xf32>) -> tensor<56x64xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<4x14x64xf32>
  %p = linalg.generic {indexing_maps = [#ijk], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<4x14x64xf32>) {
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = linalg.index 2 : index
      %at = affine.apply affine_map<(i) -> (i * 2)>(%i)
      %v = tensor.extract %x[%at, %j, %k] : tensor<8x14x64xf32>
      linalg.yield %v : f32
  } -> tensor<4x14x64xf32>
  %s = linalg.generic {indexing_maps = [#ijk, #ijk, #ijk], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %y : tensor<4x14x64xf32>, tensor<4x14x64xf32>) outs(%e : tensor<4x14x64xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %m = arith.addf %a, %b : f32
      linalg.yield %m : f32
  } -> tensor<4x14x64xf32>
  %c = tensor.collapse_shape %s [[0, 1], [2]] : tensor<4x14x64xf32> into tensor<56x64xf32>
  return %c : tensor<56x64xf32>
}
