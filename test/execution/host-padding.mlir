// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s

// What pads the tiles of a tensor that a kernel has written is not zero, here exp(0): the product of the next
// kernel masks it.
// CHECK: C: {{.*}}: ok
func.func @exponents(%X: memref<50x70xbf16> {tt.name = "X"}, %E: memref<50x70xbf16> {tt.name = "E"}) attributes {tt.kernel} {
  linalg.exp ins(%X : memref<50x70xbf16>) outs(%E : memref<50x70xbf16>)
  return
}
func.func @product(%E: memref<50x70xbf16> {tt.name = "E"}, %F: memref<70x40xbf16> {tt.name = "F"}, %C: memref<50x40xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<50x40xf32>)
  linalg.matmul ins(%E, %F : memref<50x70xbf16>, memref<70x40xbf16>) outs(%C : memref<50x40xf32>)
  return
}
func.func @others(%W: memref<70x40xbf16> {tt.name = "W"}, %F: memref<70x40xbf16> {tt.name = "F"}) attributes {tt.kernel} {
  linalg.exp ins(%W : memref<70x40xbf16>) outs(%F : memref<70x40xbf16>)
  return
}
func.func @main(%X: memref<50x70xbf16> {tt.name = "X"}, %W: memref<70x40xbf16> {tt.name = "W"}, %C: memref<50x40xf32> {tt.name = "C"}) attributes {tt.host} {
  %e = memref.alloc() : memref<50x70xbf16>
  %f = memref.alloc() : memref<70x40xbf16>
  call @exponents(%X, %e) : (memref<50x70xbf16>, memref<50x70xbf16>) -> ()
  call @others(%W, %f) : (memref<70x40xbf16>, memref<70x40xbf16>) -> ()
  call @product(%e, %f, %C) : (memref<50x70xbf16>, memref<70x40xbf16>, memref<50x40xf32>) -> ()
  return
}
