// A kernel that only fills, with a constant, reads no circular buffer.
// RUN: tt-run %s --check | FileCheck %s
// RUN: tt-run %s --check --arch blackhole --metalium-api=2025 | FileCheck %s
// CHECK: Y: {{.*}}: ok
func.func @fills(%Y: memref<3x34x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : bf16
  scf.forall (%r) in (3) {
    %y = memref.subview %Y[%r, 0, 0] [1, 34, 64] [1, 1, 1] : memref<3x34x64xbf16> to memref<34x64xbf16, strided<[64, 1], offset: ?>>
    linalg.fill ins(%one : bf16) outs(%y : memref<34x64xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}
