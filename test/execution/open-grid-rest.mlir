// A grid over open sizes that begins behind the start leaves what lies before as it was.
// RUN: tt-run %s --check --strict --shape a=3x70x64 | FileCheck %s
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole --optimize=none --shape a=3x33x64 | FileCheck %s %}
// CHECK: c: {{.*}}: ok
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
