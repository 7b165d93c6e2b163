// Blocks of open size of tensors that are seen with heads, or without: they are blocks of the tensors, and sizes of the views are
// sizes of the tensors.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-opt --tt-raise-loops --tt-step-outer-dims %t/merged.mlir | FileCheck %s --check-prefix=MERGED
// RUN: tt-opt --tt-raise-loops --tt-step-outer-dims %t/split.mlir | FileCheck %s --check-prefix=SPLIT
// RUN: tt-run %t/merged.mlir --check --strict --shape a=70x4x32 | FileCheck %s
// RUN: tt-run %t/split.mlir --check --strict --arch=blackhole --shape a=70x128 | FileCheck %s
// RUN: %if all %{ tt-run %t/split.mlir --check --strict --optimize=none --shape a=33x128 | FileCheck %s %}
// RUN: not tt-run %t/across.mlir --shape a=70x3x32 2>&1 | FileCheck %s --check-prefix=ACROSS
// CHECK: c: max abs error 0,

//--- merged.mlir
// A block of two heads begins at an even head: 64 columns of 128 are whole heads.
// MERGED: %[[D:.*]] = memref.dim %arg0
// MERGED: scf.forall {{.*}} to (%[[D]], 128)
// MERGED: memref.subview %arg0[%{{.*}}, %{{.*}}, 0] [%{{.*}}, 2, 32] [1, 1, 1]
// MERGED-SAME: to memref<?x2x32
// MERGED: collapse_shape %{{.*}} {{\[\[}}0], [1, 2]]
func.func @merged(%a: memref<?x4x32xf32> {tt.name = "a"}, %c: memref<?x128xf32> {tt.name = "c"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %v = memref.collapse_shape %a [[0], [1, 2]] : memref<?x4x32xf32> into memref<?x128xf32>
  %d = memref.dim %v, %c0 : memref<?x128xf32>
  scf.forall (%i, %j) = (0, 0) to (%d, 128) step (32, 64) {
    %n = affine.min affine_map<(i)[s] -> (32, s - i)>(%i)[%d]
    %s = memref.subview %v[%i, %j] [%n, 64] [1, 1] : memref<?x128xf32> to memref<?x64xf32, strided<[128, 1], offset: ?>>
    %t = memref.subview %c[%i, %j] [%n, 64] [1, 1] : memref<?x128xf32> to memref<?x64xf32, strided<[128, 1], offset: ?>>
    memref.copy %s, %t : memref<?x64xf32, strided<[128, 1], offset: ?>> to memref<?x64xf32, strided<[128, 1], offset: ?>>
  }
  return
}

//--- split.mlir
// SPLIT: %[[D:.*]] = memref.dim %arg0
// SPLIT: scf.forall {{.*}} to (%[[D]], 4)
// SPLIT-NOT: expand_shape
// SPLIT: memref.subview %arg0[%{{.*}}, %{{.*}}] [%{{.*}}, 32] [1, 1]
func.func @split(%a: memref<?x128xf32> {tt.name = "a"}, %c: memref<?x128xf32> {tt.name = "c"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %d0 = memref.dim %a, %c0 : memref<?x128xf32>
  %v = memref.expand_shape %a [[0], [1, 2]] output_shape [%d0, 4, 32] : memref<?x128xf32> into memref<?x4x32xf32>
  %d = memref.dim %v, %c0 : memref<?x4x32xf32>
  scf.forall (%i, %h) = (0, 0) to (%d, 4) step (32, 1) {
    %n = affine.min affine_map<(i)[s] -> (32, s - i)>(%i)[%d]
    %j = affine.apply affine_map<(h) -> (h * 32)>(%h)
    %s = memref.subview %v[%i, %h, 0] [%n, 1, 32] [1, 1, 1] : memref<?x4x32xf32> to memref<?x32xf32, strided<[128, 1], offset: ?>>
    %t = memref.subview %c[%i, %j] [%n, 32] [1, 1] : memref<?x128xf32> to memref<?x32xf32, strided<[128, 1], offset: ?>>
    memref.copy %s, %t : memref<?x32xf32, strided<[128, 1], offset: ?>> to memref<?x32xf32, strided<[128, 1], offset: ?>>
  }
  return
}

//--- across.mlir
// Two heads of three are no part of the tensor: after the first two comes one, and one of the next row.
// ACROSS: across.mlir:9:10: error: a block of dynamic size of a view; take it from the tensor itself
func.func @across(%a: memref<?x3x32xf32> {tt.name = "a"}, %c: memref<?x96xf32> {tt.name = "c"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %v = memref.collapse_shape %a [[0], [1, 2]] : memref<?x3x32xf32> into memref<?x96xf32>
  %d = memref.dim %v, %c0 : memref<?x96xf32>
  scf.forall (%i) = (0) to (%d) step (32) {
    %n = affine.min affine_map<(i)[s] -> (32, s - i)>(%i)[%d]
    %s = memref.subview %v[%i, 32] [%n, 64] [1, 1] : memref<?x96xf32> to memref<?x64xf32, strided<[96, 1], offset: ?>>
    %t = memref.subview %c[%i, 32] [%n, 64] [1, 1] : memref<?x96xf32> to memref<?x64xf32, strided<[96, 1], offset: ?>>
    memref.copy %s, %t : memref<?x64xf32, strided<[96, 1], offset: ?>> to memref<?x64xf32, strided<[96, 1], offset: ?>>
  }
  return
}
