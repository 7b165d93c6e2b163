// Where a kernel's integers place a block is looked at before it is launched: what ends outside of its tensor, but inside of the
// tensor's last tile, would be lost without a word.
// RUN: tt-run %s --check --strict --input at=147 | FileCheck %s
// RUN: not tt-run %s --strict --input at=148 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: not tt-run %s --strict --arch=blackhole --metalium-api=2025 --input at=156 2>&1 | FileCheck %s --check-prefix=LAST
// CHECK: y: {{.*}}: ok
// BEHIND: append: a block of y goes from 148 to 151 along dimension 0, which has 150
// LAST: append: a block of y goes from 156 to 159 along dimension 0, which has 150
func.func @append(%x: memref<3x64xf32> {tt.name = "x"}, %y: memref<150x64xf32> {tt.name = "y"}, %at: index {tt.name = "at", tt.range = [0, 156]})
    attributes {tt.kernel} {
  %b = memref.subview %y[%at, 0] [3, 64] [1, 1] : memref<150x64xf32> to memref<3x64xf32, strided<[64, 1], offset: ?>>
  memref.copy %x, %b : memref<3x64xf32> to memref<3x64xf32, strided<[64, 1], offset: ?>>
  return
}
