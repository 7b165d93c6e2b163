// RUN: tt-opt %s --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics --split-input-file --verify-diagnostics
// RUN: not tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-lower-tile-intrinsics 2>&1 | FileCheck %s --check-prefix=ORDER

// ORDER: error: works on tensor 'A' itself: run --tt-lower-shared-to-cb first

func.func @no_zero(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>, %C: memref<32x32xf32>) attributes {tt.kernel} {
  %acc = memref.alloc() : memref<32x32xf32>
  // expected-error @below {{this reads a buffer that nothing has computed before; put a linalg.fill before it}}
  linalg.matmul ins(%A, %B : memref<32x32xbf16>, memref<32x32xbf16>) outs(%acc : memref<32x32xf32>)
  memref.copy %acc, %C : memref<32x32xf32> to memref<32x32xf32>
  return
}
// -----

#id2 = affine_map<(i, j) -> (i, j)>
#diagonal = affine_map<(i, j) -> (i, i)>
func.func @diagonal(%A: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  // expected-error @below {{linalg.generic has no tile intrinsic: it takes the diagonal of an operand}}
  linalg.generic {indexing_maps = [#diagonal, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<32x32xbf16>) outs(%C : memref<32x32xbf16>) {
    ^bb0(%x: bf16, %o: bf16):
      linalg.yield %x : bf16
  }
  return
}
// -----
func.func @product_of_a_row(%A: memref<32x64xf32>, %C: memref<32xf32>) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  %e = memref.alloc() : memref<32x64xf32>
  %acc = memref.alloc() : memref<32xf32>
  linalg.exp ins(%A : memref<32x64xf32>) outs(%e : memref<32x64xf32>)
  linalg.fill ins(%one : f32) outs(%acc : memref<32xf32>)
  // expected-error @below {{this reduction has no tile intrinsic; sums, largest and smallest elements have: yield one arith.addf, maximumf or minimumf (addi, maxsi, minsi) of the output's old value and a term without it; by mulf, muli, andi, ori or xori, lines of constant number are combined of a tensor, or of what is copied from one, but not of what the core computes: compute that in the body of this reduction}}
  linalg.reduce { arith.mulf } ins(%e : memref<32x64xf32>) outs(%acc : memref<32xf32>)
      dimensions = [1]
  memref.copy %acc, %C : memref<32xf32> to memref<32xf32>
  return
}
// -----
#id = affine_map<(i, j) -> (i, j)>
func.func @body(%A: memref<32x32xbf16>, %C: memref<32x32xbf16>, %n: i32) attributes {tt.kernel} {
  // expected-error @below {{math.fpowi has no tile intrinsic here; there are arithmetic, comparisons, select, max, min and casts of floats, and the functions of math}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<32x32xbf16>) outs(%C : memref<32x32xbf16>) {
    ^bb0(%x: bf16, %z: bf16):
      %s = math.fpowi %x, %n : bf16, i32
      linalg.yield %s : bf16
  }
  return
}
// -----
func.func @load(%A: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{memref.load cannot stand in a kernel: an element by itself is no block; load a block}}
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
  // expected-error @below {{scf.while cannot stand in a kernel: write a loop with bounds, scf.for, and what ends it as an scf.if inside}}
  scf.while : () -> () {
    scf.condition(%go)
  } do {
    memref.copy %A, %C : memref<32x32xbf16> to memref<32x32xbf16>
    scf.yield
  }
  return
}
// -----
func.func @carried(%C: memref<64x32xf32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{this loop carries a value from step to step that is not its start plus the same in each step; compute it from the loop's variable, or keep it in a buffer}}
  %e = scf.for %k = %c1 to %c2 step %c1 iter_args(%i = %c1) -> (index) {
    linalg.fill ins(%zero : f32) outs(%C : memref<64x32xf32>)
    %n = arith.muli %i, %c2 : index
    scf.yield %n : index
  }
  return
}
// -----
!b = memref<32x64xi8, #gpu.address_space<workgroup>>
!h = memref<16x16xi8, strided<[64, 1], offset: 528>, #gpu.address_space<workgroup>>
func.func @amid(%A: memref<32x64xi8>, %C: memref<16x16xi8>) attributes {tt.kernel} {
  %s = memref.alloc() : !b
  linalg.add ins(%A, %A : memref<32x64xi8>, memref<32x64xi8>) outs(%s : !b)
  // expected-error @below {{this part of a buffer of the core is no whole tiles of it, so that its elements would change places in them; take parts that begin at multiples of 32 and end there, or with the buffer}}
  %p = memref.subview %s[8, 16] [16, 16] [1, 1] : !b to !h
  linalg.add ins(%p, %p : !h, !h) outs(%C : memref<16x16xi8>)
  return
}
