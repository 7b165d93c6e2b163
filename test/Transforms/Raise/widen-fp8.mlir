// RUN: tt-opt %s --tt-widen-fp8 --split-input-file --verify-diagnostics | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %{{.*}}: memref<32x32xbf16> {tt.file = f8E4M3FN}, %{{.*}}: memref<32x32xf16>, %{{.*}}: memref<32x32xbf16>) attributes {tt.kernel}
// CHECK: ^bb0(%[[A:.*]]: bf16, %{{.*}}: f16):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[A]] : bf16 to f32
// CHECK-NEXT: %[[H:.*]] = arith.truncf %[[W]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[H]] : f16
func.func @f(%A: memref<32x32xf8E4M3FN>, %C: memref<32x32xf16>, %D: memref<32x32xbf16>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%A : memref<32x32xf8E4M3FN>) outs(%C : memref<32x32xf16>) {
    ^bb0(%a: f8E4M3FN, %o: f16):
      %e = arith.extf %a : f8E4M3FN to f16
      linalg.yield %e : f16
  }
  return
}

// -----
#ij = affine_map<(i, j) -> (i, j)>
// Beside f16 it is f16, since exponents of two widths do not go together.
// CHECK-LABEL: func.func @half(
// CHECK-SAME: %{{.*}}: memref<32x32xf16> {tt.file = f8E5M2}, %{{.*}}: memref<32x32xf16>)
// CHECK: ^bb0(%[[A:.*]]: f16, %{{.*}}: f16):
// CHECK-NEXT: linalg.yield %[[A]] : f16
func.func @half(%A: memref<32x32xf8E5M2>, %C: memref<32x32xf16>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%A : memref<32x32xf8E5M2>) outs(%C : memref<32x32xf16>) {
    ^bb0(%a: f8E5M2, %o: f16):
      %e = arith.extf %a : f8E5M2 to f16
      linalg.yield %e : f16
  }
  return
}

// -----
// What fills the rest of a block.
// CHECK-LABEL: func.func @fill(
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : bf16
// CHECK: linalg.fill ins(%[[ZERO]] : bf16) outs(%{{.*}} : memref<32x32xbf16, #gpu.address_space<workgroup>>)
func.func @fill(%A: memref<20x32xf8E4M3FN>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f8E4M3FN
  %a = memref.alloc() : memref<32x32xf8E4M3FN, #gpu.address_space<workgroup>>
  linalg.fill ins(%zero : f8E4M3FN) outs(%a : memref<32x32xf8E4M3FN, #gpu.address_space<workgroup>>)
  %part = memref.subview %a[0, 0] [20, 32] [1, 1] : memref<32x32xf8E4M3FN, #gpu.address_space<workgroup>> to memref<20x32xf8E4M3FN, strided<[32, 1]>, #gpu.address_space<workgroup>>
  memref.copy %A, %part : memref<20x32xf8E4M3FN> to memref<20x32xf8E4M3FN, strided<[32, 1]>, #gpu.address_space<workgroup>>
  linalg.copy ins(%a : memref<32x32xf8E4M3FN, #gpu.address_space<workgroup>>) outs(%C : memref<32x32xbf16>)
  return
}

// -----
#ij = affine_map<(i, j) -> (i, j)>
// What is rounded to fp8 stays so.
// CHECK-LABEL: func.func @round(
// CHECK-SAME: %{{.*}}: memref<32x32xf32>, %{{.*}}: memref<32x32xbf16> {tt.file = f8E5M2}, %{{.*}}: memref<32x32xf32>)
// CHECK: %[[T:.*]] = arith.truncf %{{.*}} : f32 to f8E5M2
// CHECK-NEXT: %[[E:.*]] = arith.extf %[[T]] : f8E5M2 to bf16
// CHECK-NEXT: linalg.yield %[[E]] : bf16
// CHECK: %[[T:.*]] = arith.truncf %{{.*}} : f32 to f8E4M3FN
// CHECK-NEXT: %[[E:.*]] = arith.extf %[[T]] : f8E4M3FN to bf16
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[E]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[W]] : f32
func.func @round(%A: memref<32x32xf32>, %C: memref<32x32xf8E5M2>, %D: memref<32x32xf32>) attributes {tt.kernel} {
  linalg.copy ins(%A : memref<32x32xf32>) outs(%C : memref<32x32xf8E5M2>)
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%A : memref<32x32xf32>) outs(%D : memref<32x32xf32>) {
    ^bb0(%a: f32, %o: f32):
      %t = arith.truncf %a : f32 to f8E4M3FN
      %e = arith.extf %t : f8E4M3FN to f32
      linalg.yield %e : f32
  }
  return
}

// -----
#ij = affine_map<(i, j) -> (i, j)>
func.func @f(%A: memref<32x32xf8E5M2>, %C: memref<32x32xf8E5M2>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%A : memref<32x32xf8E5M2>) outs(%C : memref<32x32xf8E5M2>) {
    ^bb0(%a: f8E5M2, %o: f8E5M2):
      // expected-error @below {{computes in fp8; extend to f32 by arith.extf, and round by arith.truncf}}
      %t = arith.addf %a, %a : f8E5M2
      linalg.yield %t : f8E5M2
  }
  return
}

// -----
#ij = affine_map<(i, j) -> (i, j)>
func.func @f(%A: memref<32x32xf8E4M3FN>, %C: memref<32x32xi8>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%A : memref<32x32xf8E4M3FN>) outs(%C : memref<32x32xi8>) {
    ^bb0(%a: f8E4M3FN, %o: i8):
      // expected-error @below {{takes the bits of an fp8, which a core holds as a bf16; let the tensor be one of i8, and compute with its bytes}}
      %t = arith.bitcast %a : f8E4M3FN to i8
      linalg.yield %t : i8
  }
  return
}

// -----
func.func @f(%A: memref<32x32xf8E5M2>, %B: memref<32x32xf8E5M2>, %C: memref<32x32xf8E5M2>) attributes {tt.kernel} {
  // expected-error @below {{computes in fp8}}
  linalg.matmul ins(%A, %B : memref<32x32xf8E5M2>, memref<32x32xf8E5M2>) outs(%C : memref<32x32xf8E5M2>)
  return
}

// -----
#ij = affine_map<(i, j) -> (i, j)>
// A host function and its constants; what it returns is a file of fp8 later. Its tensors say of which type.
// CHECK-LABEL: memref.global "private" constant @w
// CHECK-SAME: : memref<2x2xf16> = dense<{{\[}}[1.000000e+00, 1.500000e+00], [2.000000e+00, -4.480000e+02]]>
memref.global "private" constant @w : memref<2x2xf8E4M3FN> = dense<[[1.0, 1.5], [2.0, -448.0]]>
// CHECK-LABEL: func.func @k(
// CHECK-SAME: memref<2x2xf16> {tt.file = f8E4M3FN}, %{{.*}}: memref<2x2xf16> {tt.file = f8E5M2})
func.func @k(%A: memref<2x2xf8E4M3FN>, %C: memref<2x2xf8E5M2>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%A : memref<2x2xf8E4M3FN>) outs(%C : memref<2x2xf8E5M2>) {
    ^bb0(%a: f8E4M3FN, %o: f8E5M2):
      %e = arith.extf %a : f8E4M3FN to f32
      %r = arith.truncf %e : f32 to f8E5M2
      linalg.yield %r : f8E5M2
  }
  return
}
// CHECK-LABEL: func.func @host(
// CHECK-SAME: -> memref<2x2xf16>
// CHECK: memref.get_global @w : memref<2x2xf16>
// CHECK: memref.alloc() {tt.file = f8E5M2} : memref<2x2xf16>
func.func @host(%S: memref<2x2xf16>) -> memref<2x2xf8E5M2> attributes {tt.host} {
  %w = memref.get_global @w : memref<2x2xf8E4M3FN>
  %c = memref.alloc() : memref<2x2xf8E5M2>
  func.call @k(%w, %c) : (memref<2x2xf8E4M3FN>, memref<2x2xf8E5M2>) -> ()
  return %c : memref<2x2xf8E5M2>
}

// -----
func.func @view(%S: memref<2x2xf16>) -> memref<4xf8E5M2> attributes {tt.host} {
  %c = memref.alloc() : memref<2x2xf8E5M2>
  %v = memref.collapse_shape %c [[0, 1]] : memref<2x2xf8E5M2> into memref<4xf8E5M2>
  // expected-error @below {{returns a view of a tensor of fp8; return the tensor, or give one as an argument that is written}}
  return %v : memref<4xf8E5M2>
}

// -----
// A model, after TOSA.
// CHECK-LABEL: func.func @model(
// CHECK-SAME: %{{.*}}: tensor<2x2xbf16> {tt.file = f8E4M3FN}) -> tensor<2x2xf32>
// CHECK: arith.constant dense<1.500000e+00> : tensor<2x2xbf16>
func.func @model(%A: tensor<2x2xf8E4M3FN>) -> tensor<2x2xf32> attributes {tt.model} {
  %c = arith.constant dense<1.5> : tensor<2x2xf8E4M3FN>
  %e = tensor.empty() : tensor<2x2xf32>
  %r = linalg.matmul ins(%A, %c : tensor<2x2xf8E4M3FN>, tensor<2x2xf8E4M3FN>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
