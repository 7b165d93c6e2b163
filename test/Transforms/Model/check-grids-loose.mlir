// RUN: tt-opt --tt-check-grids --verify-diagnostics %s
func.func @loose(%x: memref<64x64xf32>) attributes {tt.model} {
  // expected-error @below {{'linalg.exp' has no form on the device}}
  linalg.exp ins(%x : memref<64x64xf32>) outs(%x : memref<64x64xf32>)
  return
}
