// RUN: tt-opt --tt-slice-reshapes %s | FileCheck %s
// Heads are columns of one matrix, where they are read and where they are written.
// CHECK-DAG: #[[H:.*]] = affine_map<(d0) -> (d0 * 64)>
// CHECK-LABEL: func.func @heads
// CHECK-NOT: expand_shape %arg0
// CHECK: scf.forall (%[[T:.*]], %[[I:.*]]) in (128, 4) shared_outs(%[[O:.*]] = %{{.*}}) -> (tensor<128x256xbf16>)
// CHECK: %[[C:.*]] = affine.apply #[[H]](%[[I]])
// CHECK: tensor.extract_slice %arg0[%[[T]], %[[C]]] [1, 64] [1, 1] : tensor<128x256xbf16> to tensor<1x64xbf16>
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[O]][%[[T]], %{{.*}}] [1, 64] [1, 1] : tensor<1x64xbf16> into tensor<128x256xbf16>
func.func @heads(%q: tensor<128x256xbf16>) -> tensor<128x256xbf16> attributes {tt.model} {
  %e = tensor.expand_shape %q [[0], [1, 2]] output_shape [128, 4, 64] : tensor<128x256xbf16> into tensor<128x4x64xbf16>
  %0 = tensor.empty() : tensor<128x4x64xbf16>
  %r = scf.forall (%t, %h) in (128, 4) shared_outs(%o = %0) -> (tensor<128x4x64xbf16>) {
    %b = tensor.extract_slice %e[%t, %h, 0] [1, 1, 64] [1, 1, 1] : tensor<128x4x64xbf16> to tensor<1x1x64xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%t, %h, 0] [1, 1, 64] [1, 1, 1] : tensor<1x1x64xbf16> into tensor<128x4x64xbf16>
    }
  }
  %c = tensor.collapse_shape %r [[0], [1, 2]] : tensor<128x4x64xbf16> into tensor<128x256xbf16>
  return %c : tensor<128x256xbf16>
}

// Half of each of two heads is no range of columns.
// CHECK-LABEL: func.func @pieces
// CHECK: tensor.expand_shape %arg0
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [32, 2, 32]
func.func @pieces(%q: tensor<128x256xbf16>) -> tensor<32x2x32xbf16> attributes {tt.model} {
  %e = tensor.expand_shape %q [[0], [1, 2]] output_shape [128, 4, 64] : tensor<128x256xbf16> into tensor<128x4x64xbf16>
  %b = tensor.extract_slice %e[0, 0, 0] [32, 2, 32] [1, 1, 1] : tensor<128x4x64xbf16> to tensor<32x2x32xbf16>
  return %b : tensor<32x2x32xbf16>
}

// A slice of all of a sum's block is the block.
// CHECK-LABEL: func.func @whole
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<?x32xf32>)
// CHECK-NEXT: linalg.exp ins(%[[ACC]]
// CHECK-NEXT: scf.yield
func.func @whole(%x: tensor<50x32xf32>, %n: index) -> tensor<?x32xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %b = tensor.extract_slice %x[0, 0] [%n, 32] [1, 1] : tensor<50x32xf32> to tensor<?x32xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %b) -> (tensor<?x32xf32>) {
    %u = tensor.extract_slice %acc[0, 0] [%n, 32] [1, 1] : tensor<?x32xf32> to tensor<?x32xf32>
    %v = linalg.exp ins(%u : tensor<?x32xf32>) outs(%u : tensor<?x32xf32>) -> tensor<?x32xf32>
    %w = tensor.insert_slice %v into %acc[0, 0] [%n, 32] [1, 1] : tensor<?x32xf32> into tensor<?x32xf32>
    scf.yield %w : tensor<?x32xf32>
  }
  return %r : tensor<?x32xf32>
}
