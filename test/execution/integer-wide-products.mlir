// Products of integers of 16 and 32 bits, which the matrix engine has not, are sums of the vector unit: exact, with a warning.
// REQUIRES: all
// RUN: split-file %s %t && cd %t
// RUN: tt-run words.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run words.mlir --check --arch=blackhole 2>&1 | FileCheck %s
// RUN: tt-run halves.mlir --check --arch=blackhole 2>&1 | FileCheck %s
// RUN: tt-run vector.mlir --check 2>&1 | FileCheck %s --check-prefix=VECTOR
// CHECK: warning: multiplies matrices of integers of more than 8 bits, which the vector unit does{{.*}}: the matrix engine takes integers of 8 bits, with sums of 32 (i8 x i8 -> i32)
// CHECK: Y: equal: ok
// VECTOR-NOT: warning
// VECTOR: Y: equal: ok

//--- words.mlir
func.func @k(%X: memref<32x40xi32> {tt.name = "X"}, %W: memref<40x64xi32> {tt.name = "W"},
             %Y: memref<32x64xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  linalg.fill ins(%c0 : i32) outs(%Y : memref<32x64xi32>)
  linalg.matmul ins(%X, %W : memref<32x40xi32>, memref<40x64xi32>) outs(%Y : memref<32x64xi32>)
  return
}

//--- halves.mlir
func.func @k(%X: memref<40x32xi16> {tt.name = "X"}, %W: memref<32x64xi16> {tt.name = "W"},
             %Y: memref<40x64xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%i, %j) = (0, 0) to (40, 64) {
    %z = arith.constant 0 : i32
    %s = affine.for %k = 0 to 32 iter_args(%a = %z) -> (i32) {
      %x = affine.load %X[%i, %k] : memref<40x32xi16>
      %y = affine.load %W[%k, %j] : memref<32x64xi16>
      %xx = arith.extsi %x : i16 to i32
      %yy = arith.extsi %y : i16 to i32
      %p = arith.muli %xx, %yy : i32
      %n = arith.addi %a, %p : i32
      affine.yield %n : i32
    }
    affine.store %s, %Y[%i, %j] : memref<40x64xi32>
  }
  return
}

//--- vector.mlir
func.func @k(%X: memref<64x70xi32> {tt.name = "X"}, %W: memref<70xi32> {tt.name = "W"},
             %Y: memref<64xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  linalg.fill ins(%c0 : i32) outs(%Y : memref<64xi32>)
  linalg.matvec ins(%X, %W : memref<64x70xi32>, memref<70xi32>) outs(%Y : memref<64xi32>)
  return
}
