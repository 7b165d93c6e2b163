// RUN: tt-opt --tt-copy-cut-parts %s | FileCheck %s
// RUN: tt-opt --tt-slice-reshapes %s | FileCheck %s --check-prefix=SLICES

// Blocks whose rows and columns are both of one dimension of a part: the part is copied.
// CHECK-LABEL: func.func @cut
// CHECK: %[[P:.*]] = tensor.extract_slice %arg0[0, 0] [144, 64]
// CHECK: %[[E:.*]] = tensor.empty() : tensor<144x64xf32>
// CHECK: %[[C:.*]] = tensor.insert_slice %[[P]] into %[[E]][0, 0] [144, 64] [1, 1]
// CHECK: tensor.expand_shape %[[C]]
func.func @cut(%x: tensor<144x71xf32>) -> tensor<144x4x16xf32> attributes {tt.model} {
  %p = tensor.extract_slice %x[0, 0] [144, 64] [1, 1] : tensor<144x71xf32> to tensor<144x64xf32>
  %e = tensor.expand_shape %p [[0], [1, 2]] output_shape [144, 4, 16]
      : tensor<144x64xf32> into tensor<144x4x16xf32>
  %0 = tensor.empty() : tensor<144x4x16xf32>
  %r = scf.forall (%i) in (144) shared_outs(%o = %0) -> (tensor<144x4x16xf32>) {
    %b = tensor.extract_slice %e[%i, 0, 0] [1, 4, 16] [1, 1, 1]
        : tensor<144x4x16xf32> to tensor<1x4x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%i, 0, 0] [1, 4, 16] [1, 1, 1]
          : tensor<1x4x16xf32> into tensor<144x4x16xf32>
    }
  }
  return %r : tensor<144x4x16xf32>
}

// Of what dimensions were collapsed to, too, as in a shift of relative positions.
// CHECK-LABEL: func.func @shifted
// CHECK: %[[F:.*]] = tensor.collapse_shape %arg0
// CHECK: %[[C:.*]] = tensor.insert_slice %[[F]] into
// CHECK: tensor.expand_shape %[[C]]
// Nor is a block of 21x32 one of 672 columns.
// SLICES-LABEL: func.func @shifted
// SLICES: tensor.expand_shape
// SLICES: tensor.extract_slice %{{.*}}[%{{.*}}, 0, 0] [1, 33, 21]
func.func @shifted(%x: tensor<2x21x33xf32>) -> tensor<2x33x21xf32> attributes {tt.model} {
  %f = tensor.collapse_shape %x [[0], [1, 2]] : tensor<2x21x33xf32> into tensor<2x693xf32>
  %e = tensor.expand_shape %f [[0], [1, 2]] output_shape [2, 33, 21]
      : tensor<2x693xf32> into tensor<2x33x21xf32>
  %0 = tensor.empty() : tensor<2x33x21xf32>
  %r = scf.forall (%i) in (2) shared_outs(%o = %0) -> (tensor<2x33x21xf32>) {
    %b = tensor.extract_slice %e[%i, 0, 0] [1, 33, 21] [1, 1, 1]
        : tensor<2x33x21xf32> to tensor<1x33x21xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%i, 0, 0] [1, 33, 21] [1, 1, 1]
          : tensor<1x33x21xf32> into tensor<2x33x21xf32>
    }
  }
  return %r : tensor<2x33x21xf32>
}

// A head is columns of its part, and what is cut of a whole tensor is the host function's.
// CHECK-LABEL: func.func @heads
// CHECK-NOT: tensor.insert_slice
// CHECK-LABEL: func.func @whole
// CHECK-NOT: tensor.insert_slice
func.func @heads(%x: tensor<96x192xf32>) -> tensor<96x4x16xf32> attributes {tt.model} {
  %p = tensor.extract_slice %x[0, 64] [96, 64] [1, 1] : tensor<96x192xf32> to tensor<96x64xf32>
  %e = tensor.expand_shape %p [[0], [1, 2]] output_shape [96, 4, 16]
      : tensor<96x64xf32> into tensor<96x4x16xf32>
  %0 = tensor.empty() : tensor<96x4x16xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %0) -> (tensor<96x4x16xf32>) {
    %b = tensor.extract_slice %e[0, %i, 0] [96, 1, 16] [1, 1, 1]
        : tensor<96x4x16xf32> to tensor<96x1x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[0, %i, 0] [96, 1, 16] [1, 1, 1]
          : tensor<96x1x16xf32> into tensor<96x4x16xf32>
    }
  }
  return %r : tensor<96x4x16xf32>
}

func.func @whole(%x: tensor<144x64xf32>) -> tensor<144x4x16xf32> attributes {tt.model} {
  %e = tensor.expand_shape %x [[0], [1, 2]] output_shape [144, 4, 16]
      : tensor<144x64xf32> into tensor<144x4x16xf32>
  %0 = tensor.empty() : tensor<144x4x16xf32>
  %r = scf.forall (%i) in (144) shared_outs(%o = %0) -> (tensor<144x4x16xf32>) {
    %b = tensor.extract_slice %e[%i, 0, 0] [1, 4, 16] [1, 1, 1]
        : tensor<144x4x16xf32> to tensor<1x4x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%i, 0, 0] [1, 4, 16] [1, 1, 1]
          : tensor<1x4x16xf32> into tensor<144x4x16xf32>
    }
  }
  return %r : tensor<144x4x16xf32>
}

// The first ones of pairs: blocks of 32 rows, and of 8, take elements that stand apart; whole blocks, as of 64 rows, are left
// to the grid.
// CHECK-LABEL: func.func @pairs
// CHECK: %[[P:.*]] = tensor.extract_slice %arg0
// CHECK: %[[C:.*]] = tensor.insert_slice %[[P]]
// CHECK: tensor.expand_shape %[[C]]
func.func @pairs(%x: tensor<40x48xf32>) -> tensor<40x8xf32> attributes {tt.model} {
  %p = tensor.extract_slice %x[0, 32] [40, 16] [1, 1] : tensor<40x48xf32> to tensor<40x16xf32>
  %e = tensor.expand_shape %p [[0], [1, 2]] output_shape [40, 8, 2] : tensor<40x16xf32> into tensor<40x8x2xf32>
  %0 = tensor.empty() : tensor<40x8xf32>
  %r = scf.forall (%i) in (2) shared_outs(%o = %0) -> (tensor<40x8xf32>) {
    %at = affine.apply affine_map<(i) -> (i * 32)>(%i)
    %n = affine.min affine_map<(i) -> (40 - i * 32, 32)>(%i)
    %b = tensor.extract_slice %e[%at, 0, 0] [%n, 8, 1] [1, 1, 1] : tensor<40x8x2xf32> to tensor<?x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%at, 0] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<40x8xf32>
    }
  }
  return %r : tensor<40x8xf32>
}

// CHECK-LABEL: func.func @whole_pairs
// CHECK-NOT: tensor.insert_slice
func.func @whole_pairs(%x: tensor<64x48xf32>) -> tensor<64x8xf32> attributes {tt.model} {
  %p = tensor.extract_slice %x[0, 32] [64, 16] [1, 1] : tensor<64x48xf32> to tensor<64x16xf32>
  %e = tensor.expand_shape %p [[0], [1, 2]] output_shape [64, 8, 2] : tensor<64x16xf32> into tensor<64x8x2xf32>
  %0 = tensor.empty() : tensor<64x8xf32>
  %r = scf.forall (%i) in (2) shared_outs(%o = %0) -> (tensor<64x8xf32>) {
    %at = affine.apply affine_map<(i) -> (i * 32)>(%i)
    %b = tensor.extract_slice %e[%at, 0, 0] [32, 8, 1] [1, 1, 1] : tensor<64x8x2xf32> to tensor<32x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%at, 0] [32, 8] [1, 1] : tensor<32x8xf32> into tensor<64x8xf32>
    }
  }
  return %r : tensor<64x8xf32>
}
