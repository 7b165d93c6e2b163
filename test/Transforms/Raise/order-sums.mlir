// RUN: tt-opt %s --tt-order-sums --split-input-file | FileCheck %s
// RUN: tt-opt %s --tt-order-sums --tt-order-sums --split-input-file | FileCheck %s

// What is packed in each step comes before the sums that stay in DST, which keep their order.
// CHECK-LABEL: func.func @behind
// CHECK: scf.for
// CHECK-NOT: linalg.matmul
// CHECK: linalg.exp
// CHECK-NEXT: linalg.matmul {{.*}} outs(%[[S:.*]] :
// CHECK-NEXT: linalg.matmul {{.*}} outs(%[[T:.*]] :
// CHECK-NEXT: }
func.func @behind(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %Y: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = memref.alloc() : memref<32x32xf32>
  %t = memref.alloc() : memref<32x32xf32>
  scf.for %k = %c0 to %c4 step %c1 {
    linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32>)
    linalg.matmul ins(%B, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%t : memref<32x32xf32>)
    linalg.exp ins(%A : memref<32x32xf32>) outs(%Y : memref<32x32xf32>)
  }
  return
}

// -----

// Not before what takes the sum, nor what starts in each step; behind what writes a factor, which is kept.
// CHECK-LABEL: func.func @stays
// CHECK: scf.for
// CHECK: linalg.matmul
// CHECK: linalg.exp
// CHECK: scf.for
// CHECK: %[[KEPT:.*]] = memref.alloc() : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: memref.copy %[[A:.*]], %[[KEPT]]
// CHECK-NEXT: linalg.exp ins(%[[A]] {{.*}} outs(%[[A]]
// CHECK-NEXT: linalg.matmul ins(%[[KEPT]],
// CHECK: scf.for
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK: linalg.exp
func.func @stays(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %Y: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<32x32xf32>
  scf.for %k = %c0 to %c4 step %c1 {
    linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32>)
    linalg.exp ins(%s : memref<32x32xf32>) outs(%Y : memref<32x32xf32>)
  }
  scf.for %k = %c0 to %c4 step %c1 {
    linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32>)
    linalg.exp ins(%A : memref<32x32xf32>) outs(%A : memref<32x32xf32>)
  }
  scf.for %k = %c0 to %c4 step %c1 {
    linalg.fill ins(%z : f32) outs(%s : memref<32x32xf32>)
    linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32>)
    linalg.exp ins(%B : memref<32x32xf32>) outs(%Y : memref<32x32xf32>)
  }
  return
}

// -----

// Nor a loop that gives an integer to what comes behind it.
// CHECK-LABEL: func.func @gives
// CHECK: linalg.matmul
// CHECK: linalg.exp
func.func @gives(%A: memref<32x32xf32>, %Y: memref<32x128xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = memref.alloc() : memref<32x32xf32>
  scf.for %k = %c0 to %c4 step %c1 {
    %at = scf.for %l = %c0 to %c4 step %c1 iter_args(%i = %k) -> (index) {
      linalg.matmul ins(%A, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32>)
      %n = arith.addi %i, %i : index
      scf.yield %n : index
    }
    %y = memref.subview %Y[0, %at] [32, 32] [1, 1] : memref<32x128xf32> to memref<32x32xf32, strided<[128, 1], offset: ?>>
    linalg.exp ins(%A : memref<32x32xf32>) outs(%y : memref<32x32xf32, strided<[128, 1], offset: ?>>)
  }
  return
}

// -----

// Nor before a product whose first factor is transposed: that is packed between the two.
// CHECK-LABEL: func.func @transposed
// CHECK: linalg.matmul
// CHECK: linalg.exp
// CHECK: linalg.matmul
func.func @transposed(%A: memref<32x32xf32>, %E: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = memref.alloc() : memref<32x32xf32>
  %t = memref.alloc() : memref<32x32xf32>
  scf.for %k = %c0 to %c4 step %c1 {
    linalg.matmul ins(%A, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32>)
    linalg.exp ins(%A : memref<32x32xf32>) outs(%E : memref<32x32xf32>)
    linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%E, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%t : memref<32x32xf32>)
  }
  return
}

// Two sums alone, whatever their bodies end with, stay in their order.
// CHECK-LABEL: func.func @alone
// CHECK: linalg.generic {{.*}} outs(%[[FIRST:.*]] : memref<32x32xf32
// CHECK: linalg.matmul
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @alone(%A: memref<32x128xbf16> {tt.name = "A"}, %B: memref<128x32xbf16> {tt.name = "B"}, %Y: memref<32x32xf32> {tt.name = "Y"},
                 %Z: memref<32x32xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%Y : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%Z : memref<32x32xf32>)
  scf.for %k = %c0 to %c128 step %c32 {
    %a = memref.subview %A[0, %k] [32, 32] [1, 1] : memref<32x128xbf16> to memref<32x32xbf16, strided<[128, 1], offset: ?>>
    %b = memref.subview %B[%k, 0] [32, 32] [1, 1] : memref<128x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : memref<32x32xbf16, strided<[128, 1], offset: ?>>, memref<32x32xbf16, strided<[32, 1], offset: ?>>) outs(%Y : memref<32x32xf32>) {
    ^bb0(%p: bf16, %q: bf16, %s: f32):
      %x = arith.extf %p : bf16 to f32
      %y = arith.extf %q : bf16 to f32
      %m = arith.mulf %x, %y : f32
      %t = arith.addf %s, %m : f32
      linalg.yield %t : f32
    }
    linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[128, 1], offset: ?>>, memref<32x32xbf16, strided<[32, 1], offset: ?>>) outs(%Z : memref<32x32xf32>)
  }
  return
}

// -----

// A buffer that the step puts into a tensor behind the product, which takes it, is packed there.
// CHECK-LABEL: func.func @put
// CHECK: linalg.exp
// CHECK-NEXT: memref.copy
// CHECK-NEXT: linalg.matmul
func.func @put(%A: memref<32x32xf32>, %Y: memref<32x32xf32>, %s: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %e = memref.alloc() : memref<32x32xf32>
    linalg.exp ins(%A : memref<32x32xf32>) outs(%e : memref<32x32xf32>)
    linalg.matmul ins(%e, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32>)
    memref.copy %e, %Y : memref<32x32xf32> to memref<32x32xf32>
  }
  return
}
