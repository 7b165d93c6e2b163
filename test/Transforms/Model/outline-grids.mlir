// RUN: tt-opt --tt-outline-grids --split-input-file --verify-diagnostics %s | FileCheck %s

// Views and arithmetic around a grid are the kernel's; the loop's variable is its argument.
// CHECK: func.func @step(%[[X:.*]]: memref<8x64xf32> {tt.name = "x"}, %[[I:.*]]: index, %[[T:.*]]: memref<64xf32> {tt.name = "between0"}) attributes {tt.fuses = ["exp"], tt.kernel}
// CHECK: %[[V:.*]] = memref.subview %[[X]][%[[I]], 0]
// CHECK: scf.forall
// CHECK: linalg.exp ins(%[[V]]
// A part that is copied is a kernel of one core.
// CHECK: func.func @f_copy1(%[[A:.*]]: memref<64xf32> {{.*}}, %[[B:.*]]: memref<8x64xf32> {{.*}}, %[[N:.*]]: index)
// CHECK: %[[W:.*]] = memref.subview %[[B]][%[[N]], 0]
// CHECK: memref.copy %[[A]], %[[W]]
// CHECK: func.func @f(%[[X:.*]]: memref<8x64xf32> {{.*}}, %[[Y:.*]]: memref<8x64xf32> {tt.name = "y"}) attributes {tt.host}
// CHECK: memref.copy %[[X]], %[[Y]]
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[T:.*]] = memref.alloc()
// CHECK: call @step(%[[X]], %[[I]], %[[T]])
// CHECK: call @f_copy1(%[[T]], %[[Y]], %[[I]])
func.func @f(%x: memref<8x64xf32> {tt.name = "x"}, %y: memref<8x64xf32> {tt.name = "y"}) attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  memref.copy %x, %y : memref<8x64xf32> to memref<8x64xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %t = memref.alloc() : memref<64xf32>
    %v = memref.subview %x[%i, 0] [1, 64] [1, 1] : memref<8x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    scf.forall (%u) in (1) {
      linalg.exp ins(%v : memref<64xf32, strided<[1], offset: ?>>) outs(%t : memref<64xf32>)
    } {tt.kernel_name = "step", tt.fuses = ["exp"]}
    %w = memref.subview %y[%i, 0] [1, 64] [1, 1] : memref<8x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %t, %w : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>>
  }
  return
}

// -----
// Without loops and copies it stays.
// CHECK-LABEL: func.func @plain(
// CHECK-SAME: attributes {tt.model}
func.func @plain(%x: memref<64xf32>, %y: memref<64xf32>) attributes {tt.model} {
  scf.forall (%u) in (1) {
    linalg.exp ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  }
  return
}

// -----
// expected-error @below {{a host function returns nothing, but this model returns values; run --tt-write-results before --tt-outline-grids}}
func.func @returns(%x: memref<64xf32>, %y: memref<64xf32>) -> memref<64xf32> attributes {tt.model} {
  memref.copy %x, %y : memref<64xf32> to memref<64xf32>
  return %y : memref<64xf32>
}

// -----

// Of a copied part with dimensions outside of its matrices, each step is a cell.
// CHECK: func.func @pad_copy0(%[[X:.*]]: memref<6x8x64xf32> {{.*}}, %[[Y:.*]]: memref<8x10x64xf32> {{.*}}) attributes {tt.fuses = ["copy"], tt.kernel}
// CHECK: %[[V:.*]] = memref.subview %[[Y]][1, 1, 0] [6, 8, 64]
// CHECK: scf.forall (%[[I:.*]]) in (6)
// CHECK: %[[A:.*]] = memref.subview %[[X]][%[[I]], 0, 0] [1, 8, 64]
// CHECK: %[[B:.*]] = memref.subview %[[V]][%[[I]], 0, 0] [1, 8, 64]
// CHECK: memref.copy %[[A]], %[[B]]
func.func @pad(%x: memref<6x8x64xf32> {tt.name = "x"}, %y: memref<8x10x64xf32> {tt.name = "y"}) attributes {tt.model} {
  %v = memref.subview %y[1, 1, 0] [6, 8, 64] [1, 1, 1] : memref<8x10x64xf32> to memref<6x8x64xf32, strided<[640, 64, 1], offset: 704>>
  memref.copy %x, %v : memref<6x8x64xf32> to memref<6x8x64xf32, strided<[640, 64, 1], offset: 704>>
  return
}
