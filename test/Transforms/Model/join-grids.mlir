// RUN: tt-opt --tt-join-grids %s | FileCheck %s
// RUN: tt-opt --tt-join-grids --tt-name-kernels %s | FileCheck %s --check-prefix=NAMES

// Two grids of one number read a tensor each in units of their own: one grid. Its sums are those of
// one of both, since none takes what the other gives.
// CHECK-LABEL: func.func @joined(
// CHECK: memref.alloc
// CHECK: scf.forall (%[[I:.*]]) in (2) {
// CHECK-NEXT: linalg.exp ins(%arg0
// CHECK: memref.subview %arg2[%[[I]]
// CHECK: linalg.abs
// CHECK: } {tt.joined = 2 : i64}
// CHECK-NOT: scf.forall
// CHECK: return
// NAMES-LABEL: func.func @joined(
// NAMES: } {tt.fuses = ["exp", "abs"], tt.kernel_name = "joined_0_abs"}
func.func @joined(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) attributes {tt.model} {
  scf.forall (%i) in (2) {
    linalg.exp ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  } {tt.join = 1 : i64}
  %t = memref.alloc() : memref<32xf32>
  scf.forall (%i) in (2) {
    %v = memref.subview %z[%i] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    linalg.abs ins(%v : memref<32xf32, strided<[1], offset: ?>>) outs(%t : memref<32xf32>)
  } {tt.join = 1 : i64}
  return
}

// What stands between reads what the second writes: the first goes down to it.
// CHECK-LABEL: func.func @down(
// CHECK-NEXT: scf.forall
// CHECK-NEXT: linalg.negf
// CHECK: scf.forall
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: linalg.abs
func.func @down(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %w: memref<64xf32>) attributes {tt.model} {
  scf.forall (%i) in (2) {
    linalg.exp ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  } {tt.join = 1 : i64}
  scf.forall (%i) in (2) {
    linalg.negf ins(%z : memref<64xf32>) outs(%w : memref<64xf32>)
  }
  scf.forall (%i) in (2) {
    linalg.abs ins(%x : memref<64xf32>) outs(%z : memref<64xf32>)
  } {tt.join = 1 : i64}
  return
}

// Parts of one buffer that have nothing in common.
// CHECK-LABEL: func.func @halves(
// CHECK: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @halves(%x: memref<64xf32>, %y: memref<2x64xf32>) attributes {tt.model} {
  scf.forall (%i) in (2) {
    %v = memref.subview %y[%i, 0] [1, 32] [1, 1] : memref<2x64xf32> to memref<32xf32, strided<[1], offset: ?>>
    %a = memref.subview %x[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
    linalg.exp ins(%a : memref<32xf32, strided<[1]>>) outs(%v : memref<32xf32, strided<[1], offset: ?>>)
  } {tt.join = 1 : i64}
  scf.forall (%i) in (2) {
    %v = memref.subview %y[%i, 32] [1, 32] [1, 1] : memref<2x64xf32> to memref<32xf32, strided<[1], offset: ?>>
    %a = memref.subview %x[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
    linalg.exp ins(%a : memref<32xf32, strided<[1]>>) outs(%v : memref<32xf32, strided<[1], offset: ?>>)
  } {tt.join = 1 : i64}
  return
}

// The second reads what the first writes; others have other units, another number, or parts that
// overlap; and what is between needs the first, and the second needs that.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-6: scf.forall
// CHECK-NOT: tt.join
// CHECK: return
func.func @apart(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %n: index) attributes {tt.model} {
  scf.forall (%i) in (2) {
    linalg.exp ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  } {tt.join = 1 : i64}
  scf.forall (%i) in (2) {
    linalg.abs ins(%y : memref<64xf32>) outs(%z : memref<64xf32>)
  } {tt.join = 1 : i64}
  scf.forall (%i) in (4) {
    linalg.abs ins(%x : memref<64xf32>) outs(%z : memref<64xf32>)
  } {tt.join = 1 : i64}
  scf.forall (%i) in (%n) {
    linalg.abs ins(%x : memref<64xf32>) outs(%z : memref<64xf32>)
  } {tt.join = 1 : i64}
  scf.forall (%i) in (2) {
    linalg.abs ins(%x : memref<64xf32>) outs(%z : memref<64xf32>)
  } {tt.join = 2 : i64}
  scf.forall (%i) in (2) {
    linalg.abs ins(%x : memref<64xf32>) outs(%z : memref<64xf32>)
  }
  return
}
