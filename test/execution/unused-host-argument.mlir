// RUN: tt-run %s --check --keep %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=HOST < %t/whole/main.cpp

// A tensor that a host function takes and gives to no kernel is a tensor all the same.
// CHECK: Y: {{.*}}: ok
// HOST: usage: %s U.bin X.bin Y.bin
func.func @copy(%X: memref<64x64xbf16> {tt.name = "X"}, %Y: memref<64x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  memref.copy %X, %Y : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
func.func @whole(%U: memref<32x70xf32> {tt.name = "U"}, %X: memref<64x64xbf16> {tt.name = "X"}, %Y: memref<64x64xbf16> {tt.name = "Y"}) attributes {tt.host} {
  %unused = memref.alloc() : memref<64x64xf16>
  call @copy(%X, %Y) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  return
}
