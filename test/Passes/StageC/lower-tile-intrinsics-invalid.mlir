// RUN: tt-opt %s --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics --split-input-file --verify-diagnostics
// RUN: not tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-lower-tile-intrinsics 2>&1 | FileCheck %s --check-prefix=ORDER

// ORDER: error: works on tensor 'A' itself: run --tt-lower-shared-to-cb first

func.func @no_zero(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>, %C: memref<32x32xf32>) attributes {tt.kernel} {
  %acc = memref.alloc() : memref<32x32xf32>
  // expected-error @below {{accumulates in a buffer that does not start from zero; put a linalg.fill with 0 before the loop}}
  linalg.matmul ins(%A, %B : memref<32x32xbf16>, memref<32x32xbf16>) outs(%acc : memref<32x32xf32>)
  memref.copy %acc, %C : memref<32x32xf32> to memref<32x32xf32>
  return
}
// -----
#a = affine_map<(i, j, l) -> (l, i)>
#b = affine_map<(i, j, l) -> (l, j)>
#c = affine_map<(i, j, l) -> (i, j)>
func.func @transposed(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>, %C: memref<32x32xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %acc = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32>)
  // expected-error @below {{this contraction is neither (m, k) x (k, n) -> (m, n) nor (m, k) x (n, k) -> (m, n), the products that the engine computes; store its operands so}}
  linalg.matmul indexing_maps = [#a, #b, #c] ins(%A, %B : memref<32x32xbf16>, memref<32x32xbf16>) outs(%acc : memref<32x32xf32>)
  memref.copy %acc, %C : memref<32x32xf32> to memref<32x32xf32>
  return
}
// -----
#id = affine_map<(i, j) -> (i, j)>
func.func @body(%A: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  // expected-error @below {{math.cbrt has no tile intrinsic here; there are arithmetic, comparisons, select, max, min and casts of floats, and the functions of math}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<32x32xbf16>) outs(%C : memref<32x32xbf16>) {
    ^bb0(%x: bf16, %z: bf16):
      %s = math.cbrt %x : bf16
      linalg.yield %s : bf16
  }
  return
}
// -----
#row = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @transpose(%A: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  // expected-error @below {{linalg.transpose is neither a matrix product nor elementwise with identity maps; there is no tile intrinsic for it}}
  linalg.transpose ins(%A : memref<32x32xbf16>) outs(%C : memref<32x32xbf16>) permutation = [1, 0]
  return
}
// -----
func.func @twice(%A: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %s = memref.alloc() : memref<32x32xbf16>
  linalg.add ins(%A, %A : memref<32x32xbf16>, memref<32x32xbf16>) outs(%s : memref<32x32xbf16>)
  // expected-error @below {{this buffer is computed by 2 ops; give each result a buffer of its own}}
  linalg.mul ins(%A, %A : memref<32x32xbf16>, memref<32x32xbf16>) outs(%s : memref<32x32xbf16>)
  memref.copy %s, %C : memref<32x32xbf16> to memref<32x32xbf16>
  return
}
// -----
func.func @load(%A: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{memref.load cannot stand in a kernel; kernels hold linalg ops, copies of blocks, counted loops and index arithmetic}}
  %x = memref.load %A[%c0, %c0] : memref<32x32xbf16>
  %n = arith.fptoui %x : bf16 to i32
  %m = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %m step %m {
    memref.copy %A, %C : memref<32x32xbf16> to memref<32x32xbf16>
  }
  return
}
// -----
func.func @while(%A: memref<32x32xbf16>, %C: memref<32x32xbf16>, %go: i1) attributes {tt.kernel} {
  // expected-error @below {{scf.while cannot stand in a kernel}}
  scf.while : () -> () {
    scf.condition(%go)
  } do {
    memref.copy %A, %C : memref<32x32xbf16> to memref<32x32xbf16>
    scf.yield
  }
  return
}
