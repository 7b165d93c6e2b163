// RUN: tt-opt %s --tt-split-products --split-input-file --verify-diagnostics | FileCheck %s
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#j = affine_map<(i, j, k) -> (j)>
#ij = affine_map<(i, j, k) -> (i, j)>

// The weights are computed into a buffer, in steps of 128; the other operand comes as it is.
// CHECK-LABEL: func.func @weights
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %c256
// CHECK: %[[X:.*]] = memref.subview %{{.*}}[0, %[[K]]] [32, 128] [1, 1]
// CHECK: %[[W:.*]] = memref.subview %{{.*}}[%[[K]], 0] [128, 64] [1, 1]
// CHECK: %[[T:.*]] = memref.alloc() : memref<128x64xf32, #gpu.address_space<private>>
// CHECK: linalg.generic {{.*}} ins(%[[W]], %{{.*}} : {{.*}}) outs(%[[T]] :
// CHECK: arith.sitofp
// CHECK: arith.mulf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[T]] :
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
func.func @weights(%X: memref<32x256xf32>, %W: memref<256x64xi8>, %S: memref<64xf32>, %C: memref<32x64xf32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ik, #kj, #j, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%X, %W, %S : memref<32x256xf32>, memref<256x64xi8>, memref<64xf32>) outs(%C : memref<32x64xf32>) {
  ^bb0(%x: f32, %w: i8, %s: f32, %c: f32):
    %f = arith.sitofp %w : i8 to f32
    %p = arith.mulf %x, %f : f32
    %q = arith.mulf %p, %s : f32
    %r = arith.addf %c, %q : f32
    linalg.yield %r : f32
  }
  return
}

// -----
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
// Integers are bf16 where they are multiplied, and a sum of f32 is added as an integer.
// CHECK-LABEL: func.func @integers
// CHECK: arith.sitofp %{{.*}} : i8 to bf16
// CHECK: arith.uitofp %{{.*}} : i8 to bf16
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[T:.*]] : memref<32x32xf32, #gpu.address_space<private>>)
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.fptosi
// CHECK-NEXT: arith.addi
func.func @integers(%A: memref<32x64xi8>, %B: memref<64x32xi8>, %C: memref<32x32xi32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<32x64xi8>, memref<64x32xi8>) outs(%C : memref<32x32xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extui %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %r = arith.addi %c, %p : i32
    linalg.yield %r : i32
  }
  return
}

// -----
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
// What one sum of f32 does not hold goes in steps, and the last one has what is left.
// CHECK-LABEL: func.func @long
// CHECK: %[[END:.*]] = arith.constant 1024 : index
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[END]]
// CHECK: memref.subview %{{.*}}[0, %[[K]]] [32, 128] [1, 1]
// CHECK: memref.subview %{{.*}}[0, 1024] [32, 76] [1, 1]
func.func @long(%A: memref<32x1100xi8>, %B: memref<1100x32xi8>, %C: memref<32x32xi32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<32x1100xi8>, memref<1100x32xi8>) outs(%C : memref<32x32xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %r = arith.addi %c, %p : i32
    linalg.yield %r : i32
  }
  return
}

// -----
#ik = affine_map<(i, j, k) -> (i, k floordiv 2)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @undivided(%A: memref<32x550xi8>, %B: memref<1100x32xi8>, %C: memref<32x32xi32>) attributes {tt.kernel} {
  // expected-error @below {{sums 1100 products of integers of 8 bits at once, but f32, in which the matrix engine sums them, holds 1024 of them exactly; sum fewer in each step of a loop}}
  linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<32x550xi8>, memref<1100x32xi8>) outs(%C : memref<32x32xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %r = arith.addi %c, %p : i32
    linalg.yield %r : i32
  }
  return
}

// -----
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @coarse(%A: memref<32x64xi8>, %B: memref<64x32xi8>, %C: memref<32x32xi32>) attributes {tt.kernel, tt.math_fidelity = "HiFi2"} {
  // expected-error @below {{a product of integers needs all of their bits, which tt.math_fidelity leaves out; make it HiFi3 or HiFi4, or remove it}}
  linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<32x64xi8>, memref<64x32xi8>) outs(%C : memref<32x32xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %r = arith.addi %c, %p : i32
    linalg.yield %r : i32
  }
  return
}

// -----
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
// What is no product of two operands stays: a plain product, a difference, a sum of rows.
// CHECK-LABEL: func.func @others
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @others(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %C: memref<32x32xf32>, %R: memref<32xf32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<32x64xf32>, memref<32x64xf32>) outs(%C : memref<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<32x64xf32>, memref<32x64xf32>) outs(%C : memref<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.subf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#all, #all, #i], iterator_types = ["parallel", "reduction"]}
      ins(%A, %B : memref<32x64xf32>, memref<32x64xf32>) outs(%R : memref<32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = math.exp %p : f32
    %s = arith.mulf %q, %a : f32
    %r = arith.addf %c, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----
#ik = affine_map<(i, k) -> (i, k)>
#k = affine_map<(i, k) -> (k)>
#i = affine_map<(i, k) -> (i)>
// A vector is multiplied so, too.
// CHECK-LABEL: func.func @vector
// CHECK: arith.sitofp %{{.*}} : i8 to bf16
// CHECK: memref.alloc() : memref<64xbf16, #gpu.address_space<private>>
// CHECK: arith.sitofp %{{.*}} : i8 to bf16
// CHECK: arith.mulf
// CHECK: arith.fptosi
func.func @vector(%A: memref<32x64xi8>, %B: memref<64xi8>, %C: memref<32xi32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#ik, #k, #i], iterator_types = ["parallel", "reduction"]}
      ins(%A, %B : memref<32x64xi8>, memref<64xi8>) outs(%C : memref<32xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %r = arith.addi %c, %p : i32
    linalg.yield %r : i32
  }
  return
}
