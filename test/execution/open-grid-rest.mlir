// Of tensors of open size, what no cell writes stays as it was: before where a grid begins, also of four dimensions, of which two
// become one, behind where one of constant size ends, where a branch is not taken, and beside the columns that are written. One
// that is written in whole is not brought.
// RUN: split-file %s %t
// RUN: tt-run %t/later.mlir --check --strict --shape a=3x70x64 | FileCheck %s
// RUN: %if all %{ tt-run %t/later.mlir --check --strict --arch=blackhole --optimize=none --shape a=3x33x64 | FileCheck %s %}
// RUN: tt-run %t/joined.mlir --check --strict --shape a=2x3x70x64 | FileCheck %s
// RUN: %if all %{ tt-run %t/joined.mlir --check --strict --arch=blackhole --optimize=none --shape a=2x3x33x64 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/first.mlir --check --strict --shape a=100x64 --shape c=100x64 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/first.mlir --check --strict --arch=blackhole --optimize=none --shape a=64x64 --shape c=64x64 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/branch.mlir --check --strict --shape a=3x70x64 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/branch.mlir --check --strict --arch=blackhole --optimize=none --shape a=3x33x64 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/columns.mlir --check --strict --shape a=70x64 --shape c=70x128 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/columns.mlir --check --strict --arch=blackhole --optimize=none --shape a=33x64 --shape c=33x128 | FileCheck %s %}
// RUN: tt-opt --tt-pipeline %t/all.mlir | FileCheck %s --check-prefix=ALL
// CHECK: c: {{.*}}: ok
// ALL-NOT: tt.keeps

//--- later.mlir
func.func @later_part(%a: memref<3x?x64xbf16> {tt.name = "a"}, %c: memref<3x?x64xbf16> {tt.name = "c"}) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %d = memref.dim %a, %c1 : memref<3x?x64xbf16>
  scf.forall (%p, %m) = (1, 0) to (3, %d) step (1, 32) {
    %n = affine.min affine_map<(i)[s] -> (32, s - i)>(%m)[%d]
    %s = memref.subview %a[%p, %m, 0] [1, %n, 64] [1, 1, 1] : memref<3x?x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
    %t = memref.subview %c[%p, %m, 0] [1, %n, 64] [1, 1, 1] : memref<3x?x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
    linalg.exp ins(%s : memref<?x64xbf16, strided<[64, 1], offset: ?>>) outs(%t : memref<?x64xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}

//--- joined.mlir
func.func @j4(%a: memref<2x3x?x64xbf16> {tt.name = "a"}, %c: memref<2x3x?x64xbf16> {tt.name = "c"}) attributes {tt.kernel} {
  %c2 = arith.constant 2 : index
  %d = memref.dim %a, %c2 : memref<2x3x?x64xbf16>
  scf.forall (%b, %p, %m, %q) = (0, 1, 0, 0) to (2, 3, %d, 64) step (1, 1, 32, 32) {
    %n = affine.min affine_map<(i)[s] -> (32, s - i)>(%m)[%d]
    %s = memref.subview %a[%b, %p, %m, %q] [1, 1, %n, 32] [1, 1, 1, 1] : memref<2x3x?x64xbf16> to memref<?x32xbf16, strided<[64, 1], offset: ?>>
    %t = memref.subview %c[%b, %p, %m, %q] [1, 1, %n, 32] [1, 1, 1, 1] : memref<2x3x?x64xbf16> to memref<?x32xbf16, strided<[64, 1], offset: ?>>
    linalg.exp ins(%s : memref<?x32xbf16, strided<[64, 1], offset: ?>>) outs(%t : memref<?x32xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}

//--- first.mlir
func.func @openconst(%a: memref<?x64xbf16> {tt.name = "a"}, %c: memref<?x64xbf16> {tt.name = "c"}) attributes {tt.kernel} {
  scf.forall (%p) = (0) to (2) step (1) {
    %m = affine.apply affine_map<(i)->(i * 32)>(%p)
    %s = memref.subview %a[%m, 0] [32, 64] [1, 1] : memref<?x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %t = memref.subview %c[%m, 0] [32, 64] [1, 1] : memref<?x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    linalg.exp ins(%s : memref<32x64xbf16, strided<[64, 1], offset: ?>>) outs(%t : memref<32x64xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}

//--- branch.mlir
func.func @condopen(%a: memref<3x?x64xbf16> {tt.name = "a"}, %c: memref<3x?x64xbf16> {tt.name = "c"}) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %d = memref.dim %a, %c1 : memref<3x?x64xbf16>
  scf.forall (%p, %m) = (0, 0) to (3, %d) step (1, 32) {
    %n = affine.min affine_map<(i)[s] -> (32, s - i)>(%m)[%d]
    %ok = arith.cmpi uge, %p, %c1 : index
    scf.if %ok {
    %s = memref.subview %a[%p, %m, 0] [1, %n, 64] [1, 1, 1] : memref<3x?x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
    %t = memref.subview %c[%p, %m, 0] [1, %n, 64] [1, 1, 1] : memref<3x?x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
    linalg.exp ins(%s : memref<?x64xbf16, strided<[64, 1], offset: ?>>) outs(%t : memref<?x64xbf16, strided<[64, 1], offset: ?>>)
    }
  }
  return
}

//--- columns.mlir
func.func @partcols(%a: memref<?x64xbf16> {tt.name = "a"}, %c: memref<?x128xbf16> {tt.name = "c"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %d = memref.dim %a, %c0 : memref<?x64xbf16>
  scf.forall (%m) = (0) to (%d) step (32) {
    %n = affine.min affine_map<(i)[s] -> (32, s - i)>(%m)[%d]
    %s = memref.subview %a[%m, 0] [%n, 64] [1, 1] : memref<?x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
    %t = memref.subview %c[%m, 64] [%n, 64] [1, 1] : memref<?x128xbf16> to memref<?x64xbf16, strided<[128, 1], offset: ?>>
    linalg.exp ins(%s : memref<?x64xbf16, strided<[64, 1], offset: ?>>) outs(%t : memref<?x64xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}

//--- all.mlir
func.func @all(%a: memref<3x?x64xbf16> {tt.name = "a"}, %c: memref<3x?x64xbf16> {tt.name = "c"}) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %d = memref.dim %a, %c1 : memref<3x?x64xbf16>
  scf.forall (%p, %m) = (0, 0) to (3, %d) step (1, 32) {
    %n = affine.min affine_map<(i)[s] -> (32, s - i)>(%m)[%d]
    %s = memref.subview %a[%p, %m, 0] [1, %n, 64] [1, 1, 1] : memref<3x?x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
    %t = memref.subview %c[%p, %m, 0] [1, %n, 64] [1, 1, 1] : memref<3x?x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
    linalg.exp ins(%s : memref<?x64xbf16, strided<[64, 1], offset: ?>>) outs(%t : memref<?x64xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}
