// RUN: tt-opt %s --tt-widen-bits --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @loads(
// CHECK-SAME: %[[M:.*]]: memref<32x32xi8> {tt.range = [0, 1]}, %[[W:.*]]: memref<32x32xi8> {tt.range = [-8, 7]}, %[[U:.*]]: memref<32xi8> {tt.range = [0, 3]}
// CHECK: %[[B:.*]] = memref.load %[[M]]
// CHECK: %[[F:.*]] = arith.cmpi ne, %[[B]], %{{.*}} : i8
// CHECK: %[[V:.*]] = memref.load %[[W]]
// CHECK: %[[L:.*]] = arith.andi %[[V]], %{{.*}} : i8
// CHECK: %[[S:.*]] = arith.extui %[[L]] : i8 to i32
// CHECK: %[[P:.*]] = arith.extsi %[[V]] : i8 to i32
// CHECK: arith.addi %[[P]], %[[S]]
// CHECK: arith.sitofp %{{.*}} : i8 to f32
// CHECK: arith.select %[[F]]
func.func @loads(%M: memref<32x32xi1>, %W: memref<32x32xi4>, %U: memref<32xi2> {tt.range = [0, 3]}, %C: memref<32x32xi32>, %D: memref<32xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      %f = memref.load %M[%i, %j] : memref<32x32xi1>
      %v = memref.load %W[%i, %j] : memref<32x32xi4>
      %s = arith.extui %v : i4 to i32
      %p = arith.extsi %v : i4 to i32
      %t = arith.addi %p, %s : i32
      %u = memref.load %U[%i] : memref<32xi2>
      %x = arith.sitofp %u : i2 to f32
      memref.store %x, %D[%i] : memref<32xf32>
      %y = arith.select %f, %t, %zero : i32
      memref.store %y, %C[%i, %j] : memref<32x32xi32>
    }
  }
  return
}

// -----
#i = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @stores(
// CHECK: memref.alloc() : memref<32xi8, #gpu.address_space<private>>
// CHECK: %[[T:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK: linalg.fill ins(%[[T]] : i8)
// CHECK: ^bb0(%[[A:.*]]: i8, %{{.*}}: i8):
// CHECK: arith.cmpi ne, %[[A]]
// CHECK: %[[N:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK: linalg.yield %[[N]] : i8
// CHECK: %[[Q:.*]] = arith.trunci %{{.*}} : i32 to i8
// CHECK: %[[L:.*]] = arith.shli %[[Q]]
// CHECK: %[[R:.*]] = arith.shrsi %[[L]]
// CHECK: memref.store %[[R]]
func.func @stores(%x: i32, %M: memref<32xi1>, %N: memref<32xi1>, %Q: memref<32xi4>) attributes {tt.kernel} {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<32xi1, #gpu.address_space<private>>
  linalg.fill ins(%true : i1) outs(%b : memref<32xi1, #gpu.address_space<private>>)
  memref.copy %b, %N : memref<32xi1, #gpu.address_space<private>> to memref<32xi1>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%M : memref<32xi1>) outs(%N : memref<32xi1>) {
  ^bb0(%a: i1, %o: i1):
    %n = arith.xori %a, %true : i1
    linalg.yield %n : i1
  }
  %q = arith.trunci %x : i32 to i4
  memref.store %q, %Q[%c0] : memref<32xi4>
  return
}

// -----
func.func @computes(%W: memref<32xi4>, %C: memref<32xi4>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %v = memref.load %W[%c0] : memref<32xi4>
  // expected-error @below {{computes with an integer of 4 bits, which tensors hold but no unit of the chip has; extend it to i8 by arith.extsi or arith.extui first}}
  %s = arith.addi %v, %v : i4
  memref.store %s, %C[%c0] : memref<32xi4>
  return
}

// -----
func.func @unknown(%x: i4, %C: memref<32xi4>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{stores an integer of 4 bits that is no constant and no arith.trunci of i8 or more}}
  memref.store %x, %C[%c0] : memref<32xi4>
  return
}

// -----
func.func @converts(%M: memref<32xi1>, %C: memref<32xi32>) attributes {tt.kernel} {
  // expected-error @below {{converts elements of less than 8 bits; write it as linalg.generic, with arith.extui or arith.extsi}}
  linalg.copy ins(%M : memref<32xi1>) outs(%C : memref<32xi32>)
  return
}

// -----
func.func @named(%M: memref<32xi1>, %A: memref<32xf32>, %C: memref<32xf32>) attributes {tt.kernel} {
  // expected-error @below {{works on a tensor of less than 8 bits an element}}
  linalg.select ins(%M, %A, %A : memref<32xi1>, memref<32xf32>, memref<32xf32>) outs(%C : memref<32xf32>)
  return
}

// -----
func.func @odd(%W: memref<32xi4>, %C: memref<32xi5>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %v = memref.load %W[%c0] : memref<32xi4>
  // expected-error @below {{computes with an integer of 4 bits}}
  %s = arith.extsi %v : i4 to i5
  memref.store %s, %C[%c0] : memref<32xi5>
  return
}
