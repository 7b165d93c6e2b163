// RUN: tt-opt --tt-keep-blocks %s | FileCheck %s
#ij = affine_map<(i, j) -> (i, j)>
#at = affine_map<(i) -> (i * 32)>

// %s is given by the grid, and worked on: it is a block of the core, of which a copy is given.
// CHECK-LABEL: func.func @f
// CHECK: %[[OWN:.*]] = tensor.empty() : tensor<32x64xf32>
// CHECK: %[[S:.*]] = linalg.generic {{.*}} outs(%[[OWN]] :
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[S]] : {{.*}} outs(%{{extracted_slice.*}} :
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: linalg.yield %[[IN]]
// CHECK: %[[N:.*]] = linalg.generic {{.*}} ins(%[[S]] :
// CHECK: tensor.parallel_insert_slice %[[N]]
// CHECK: tensor.parallel_insert_slice %[[C]]
func.func @f(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) attributes {tt.model} {
  %e = tensor.empty() : tensor<64x64xf32>
  %r:2 = scf.forall (%i) in (2) shared_outs(%o = %e, %p = %e) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %at = affine.apply #at(%i)
    %in = tensor.extract_slice %x[%at, 0] [32, 64] [1, 1] : tensor<64x64xf32> to tensor<32x64xf32>
    %part = tensor.extract_slice %p[%at, 0] [32, 64] [1, 1] : tensor<64x64xf32> to tensor<32x64xf32>
    %out = tensor.extract_slice %o[%at, 0] [32, 64] [1, 1] : tensor<64x64xf32> to tensor<32x64xf32>
    %s = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<32x64xf32>) outs(%part : tensor<32x64xf32>) {
      ^bb0(%a: f32, %old: f32):
        %0 = math.exp %a : f32
        linalg.yield %0 : f32
    } -> tensor<32x64xf32>
    %n = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<32x64xf32>) outs(%out : tensor<32x64xf32>) {
      ^bb0(%a: f32, %old: f32):
        %0 = math.sqrt %a : f32
        linalg.yield %0 : f32
    } -> tensor<32x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%at, 0] [32, 64] [1, 1] : tensor<32x64xf32> into tensor<64x64xf32>
      tensor.parallel_insert_slice %s into %p[%at, 0] [32, 64] [1, 1] : tensor<32x64xf32> into tensor<64x64xf32>
    }
  }
  return %r#0, %r#1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// What no other op takes is written where it goes, and so is a sum of what was there.
// CHECK-LABEL: func.func @plain
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
func.func @plain(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) attributes {tt.model} {
  %e = tensor.empty() : tensor<64x64xf32>
  %r:2 = scf.forall (%i) in (2) shared_outs(%o = %e, %p = %y) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %at = affine.apply #at(%i)
    %in = tensor.extract_slice %x[%at, 0] [32, 64] [1, 1] : tensor<64x64xf32> to tensor<32x64xf32>
    %part = tensor.extract_slice %p[%at, 0] [32, 64] [1, 1] : tensor<64x64xf32> to tensor<32x64xf32>
    %out = tensor.extract_slice %o[%at, 0] [32, 64] [1, 1] : tensor<64x64xf32> to tensor<32x64xf32>
    %s = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<32x64xf32>) outs(%part : tensor<32x64xf32>) {
      ^bb0(%a: f32, %old: f32):
        %0 = arith.addf %a, %old : f32
        linalg.yield %0 : f32
    } -> tensor<32x64xf32>
    %n = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<32x64xf32>) outs(%out : tensor<32x64xf32>) {
      ^bb0(%a: f32, %old: f32):
        %0 = math.sqrt %a : f32
        linalg.yield %0 : f32
    } -> tensor<32x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%at, 0] [32, 64] [1, 1] : tensor<32x64xf32> into tensor<64x64xf32>
      tensor.parallel_insert_slice %s into %p[%at, 0] [32, 64] [1, 1] : tensor<32x64xf32> into tensor<64x64xf32>
    }
  }
  return %r#0, %r#1 : tensor<64x64xf32>, tensor<64x64xf32>
}
