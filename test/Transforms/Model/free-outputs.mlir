// RUN: tt-opt --tt-free-outputs %s | FileCheck %s
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// What the output held before does not matter.
// CHECK-LABEL: func.func @map(
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?x4xf32>
// CHECK: linalg.generic {{.*}} outs(%[[E]] :
func.func @map(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x4xf32>) outs(%y : tensor<?x4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %e = math.exp %a : f32
      linalg.yield %e : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// A sum adds to what was there.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: tensor.empty
// CHECK: linalg.generic {{.*}} outs(%arg1 :
func.func @sum(%x: tensor<8x4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %e = arith.addf %a, %o : f32
      linalg.yield %e : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// What a grid computes on the way is the grid's own; what it writes stays where it goes.
// CHECK-LABEL: func.func @grid(
// CHECK: %[[OUT:.*]] = tensor.empty
// CHECK: scf.forall
// CHECK: %[[OWN:.*]] = tensor.empty
// CHECK: linalg.exp {{.*}} outs(%[[OWN]] :
// CHECK: linalg.abs {{.*}} outs(%[[OUT]] :
func.func @grid(%x: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {tt.model} {
  %o = tensor.empty() : tensor<8x4xf32>
  %r = scf.forall (%i) in (1) shared_outs(%s = %x) -> (tensor<8x4xf32>) {
    %e = linalg.exp ins(%x : tensor<8x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
    %a = linalg.abs ins(%e : tensor<8x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %s[0, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x4xf32>
    }
  }
  return %r : tensor<8x4xf32>
}

// What two sums start from, each has for itself.
// CHECK-LABEL: func.func @sums(
// CHECK: scf.forall
// CHECK: %[[B:.*]] = linalg.fill
// CHECK: %[[A:.*]] = linalg.fill
// CHECK: linalg.generic {{.*}} outs(%[[A]] :
// CHECK: linalg.generic {{.*}} outs(%[[B]] :
func.func @sums(%x: tensor<8x4xf32>) -> tensor<8xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<8xf32>
  %r = scf.forall (%i) in (1) shared_outs(%s = %o) -> (tensor<8xf32>) {
    %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    %a = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%z : tensor<8xf32>) {
      ^bb0(%v: f32, %old: f32):
        %e = arith.addf %v, %old : f32
        linalg.yield %e : f32
    } -> tensor<8xf32>
    %b = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%x, %a : tensor<8x4xf32>, tensor<8xf32>) outs(%z : tensor<8xf32>) {
      ^bb0(%v: f32, %m: f32, %old: f32):
        %d = arith.subf %v, %m : f32
        %e = arith.addf %d, %old : f32
        linalg.yield %e : f32
    } -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %s[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// A bias that two products start from: each has it for itself.
// CHECK-LABEL: func.func @bias
// CHECK-COUNT-2: linalg.generic {{.*}} ins(%arg2 : tensor<64xf32>)
#row = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
func.func @bias(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<32x64xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<32x64xf32>
  %s = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<32x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x64xf32>) outs(%s : tensor<32x64xf32>) -> tensor<32x64xf32>
  %z = linalg.matmul ins(%y, %w : tensor<32x64xf32>, tensor<64x64xf32>) outs(%s : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %z : tensor<32x64xf32>
}

// Grids that write tensors of one shape have one each, unless L1 could not hold it.
// CHECK-LABEL: func.func @grids
// CHECK: %[[B:.*]] = tensor.empty() : tensor<64x32xf32>
// CHECK: %[[A:.*]] = tensor.empty() : tensor<64x32xf32>
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %[[A]])
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %[[B]])
// CHECK-LABEL: func.func @large_grids
// CHECK: %[[A:.*]] = tensor.empty() : tensor<64x131072xf32>
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %[[A]])
// CHECK-NOT: tensor.empty() : tensor<64x131072xf32>
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %[[A]])
func.func @grids(%x: tensor<64x32xf32>) -> tensor<64x32xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<64x32xf32>
  %a = scf.forall (%m) = (0) to (64) step (32) shared_outs(%out = %e) -> (tensor<64x32xf32>) {
    %i = tensor.extract_slice %x[%m, 0] [32, 32] [1, 1] : tensor<64x32xf32> to tensor<32x32xf32>
    %o = tensor.extract_slice %out[%m, 0] [32, 32] [1, 1] : tensor<64x32xf32> to tensor<32x32xf32>
    %r = linalg.abs ins(%i : tensor<32x32xf32>) outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%m, 0] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<64x32xf32>
    }
  }
  %b = scf.forall (%m) = (0) to (64) step (32) shared_outs(%out = %e) -> (tensor<64x32xf32>) {
    %i = tensor.extract_slice %a[%m, 0] [32, 32] [1, 1] : tensor<64x32xf32> to tensor<32x32xf32>
    %o = tensor.extract_slice %out[%m, 0] [32, 32] [1, 1] : tensor<64x32xf32> to tensor<32x32xf32>
    %r = linalg.negf ins(%i : tensor<32x32xf32>) outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%m, 0] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<64x32xf32>
    }
  }
  return %b : tensor<64x32xf32>
}
func.func @large_grids(%x: tensor<64x131072xf32>) -> tensor<64x131072xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<64x131072xf32>
  %a = scf.forall (%m) = (0) to (131072) step (32) shared_outs(%out = %e) -> (tensor<64x131072xf32>) {
    %i = tensor.extract_slice %x[0, %m] [64, 32] [1, 1] : tensor<64x131072xf32> to tensor<64x32xf32>
    %o = tensor.extract_slice %out[0, %m] [64, 32] [1, 1] : tensor<64x131072xf32> to tensor<64x32xf32>
    %r = linalg.abs ins(%i : tensor<64x32xf32>) outs(%o : tensor<64x32xf32>) -> tensor<64x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[0, %m] [64, 32] [1, 1] : tensor<64x32xf32> into tensor<64x131072xf32>
    }
  }
  %b = scf.forall (%m) = (0) to (131072) step (32) shared_outs(%out = %e) -> (tensor<64x131072xf32>) {
    %i = tensor.extract_slice %a[0, %m] [64, 32] [1, 1] : tensor<64x131072xf32> to tensor<64x32xf32>
    %o = tensor.extract_slice %out[0, %m] [64, 32] [1, 1] : tensor<64x131072xf32> to tensor<64x32xf32>
    %r = linalg.negf ins(%i : tensor<64x32xf32>) outs(%o : tensor<64x32xf32>) -> tensor<64x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[0, %m] [64, 32] [1, 1] : tensor<64x32xf32> into tensor<64x131072xf32>
    }
  }
  return %b : tensor<64x131072xf32>
}
