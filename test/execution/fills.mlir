// A kernel that only fills, with a constant, reads no circular buffer.
// RUN: split-file %s %t
// RUN: tt-run %t/fills.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/fills.mlir --check --arch blackhole --metalium-api=2025 | \
// RUN:   FileCheck %s %}
// CHECK: Y: {{.*}}: ok
// RUN: %if all %{ tt-run %t/pad.mlir --check | FileCheck %s %}
// RUN: tt-opt --tt-pipeline %t/pad.mlir --remarks-filter=tt-write-as-packed -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: a block is written as a whole: another op moves blocks of the tensor

//--- fills.mlir
func.func @fills(%Y: memref<3x34x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : bf16
  scf.forall (%r) in (3) {
    %y = memref.subview %Y[%r, 0, 0] [1, 34, 64] [1, 1, 1] : memref<3x34x64xbf16> to memref<34x64xbf16, strided<[64, 1], offset: ?>>
    linalg.fill ins(%one : bf16) outs(%y : memref<34x64xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}

// A padded tensor: tiles that are filled have arrived when parts of them are put in.
//--- pad.mlir
func.func @pad(%X: memref<40x70xf32> {tt.name = "X"}, %Y: memref<64x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %v = arith.constant -7.5 : f32
  linalg.fill ins(%v : f32) outs(%Y : memref<64x96xf32>)
  %y = memref.subview %Y[10, 13] [40, 70] [1, 1] : memref<64x96xf32> to memref<40x70xf32, strided<[96, 1], offset: 973>>
  memref.copy %X, %y : memref<40x70xf32> to memref<40x70xf32, strided<[96, 1], offset: 973>>
  return
}
