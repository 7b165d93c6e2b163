// A block of constant size in a tensor of open size: the tensor must be as large as that, which the host program asks for, and from
// there on the program is proven.
// RUN: tt-opt --tt-stage-a --tt-stage-b %s | FileCheck %s --check-prefix=LEAST
// LEAST: tt.least_sizes = ["Y_d0>=64", "Y_d1>=70"]
// RUN: %if all %{ tt-run %s --check --shape Y=64x140 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --shape Y=70x70 --arch=blackhole --optimize=none | FileCheck %s %}
// RUN: %if all %{ not tt-run %s --shape Y=64x69 2>&1 | FileCheck %s --check-prefix=SMALL %}
// CHECK: Y: {{.*}}: ok
// SMALL: open_sizes: Y_d1 is 69, and must be at least 70, where a block ends
func.func @open_sizes(%X: memref<64x70xf32>, %Y: memref<?x?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%by) in (2) {
    %m = affine.apply affine_map<(b) -> (b * 32)>(%by)
    %x = memref.subview %X[%m, 0] [32, 70] [1, 1] : memref<64x70xf32> to memref<32x70xf32, strided<[70, 1], offset: ?>>
    %y = memref.subview %Y[%m, 0] [32, 70] [1, 1] : memref<?x?xf32> to memref<32x70xf32, strided<[?, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x70xf32, strided<[70, 1], offset: ?>>) outs(%y : memref<32x70xf32, strided<[?, 1], offset: ?>>)
  }
  return
}
