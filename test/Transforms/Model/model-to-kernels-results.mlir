// RUN: tt-opt --tt-model-to-kernels --verify-diagnostics %s
// A model whose results are still values is no kernel yet.

// expected-error @below {{a kernel returns nothing, but this model returns values; run --tt-write-results before --tt-model-to-kernels}}
func.func @one(%x: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {tt.model} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %x) -> (tensor<32x32xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %o into %o[%i, 0] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<32x32xf32>
    }
  }
  return %r : tensor<32x32xf32>
}
