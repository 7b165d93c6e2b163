// Blocks of two tiles that begin at any tile, of tensors whose tiles they would divide: the last one has a tile behind the
// tensor, which is zero where it is read, and not the first tile of the next row; and is not written.
//
// RUN: split-file %s %t
// RUN: tt-run %t/read.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/read.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/write.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/write.mlir --check --arch=blackhole --metalium-api=2026-08 | \
// RUN:   FileCheck %s %}
// CHECK: O: max abs error 0, {{.*}}: ok

//--- read.mlir
func.func @read(%X: memref<64x128xbf16> {tt.name = "X"}, %O: memref<4x64x64xbf16> {tt.name = "O"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  scf.forall (%l, %n) in (4, 2) {
    %x = memref.alloc() : memref<32x64xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%zero : bf16) outs(%x : memref<32x64xbf16, #gpu.address_space<workgroup>>)
    %row = arith.muli %n, %c32 : index
    %column = arith.muli %l, %c32 : index
    %behind = arith.subi %c128, %column : index
    %columns = arith.minsi %c64, %behind : index
    %from = memref.subview %X[%row, %column] [32, %columns] [1, 1] : memref<64x128xbf16> to memref<32x?xbf16, strided<[128, 1], offset: ?>>
    %to = memref.subview %x[0, 0] [32, %columns] [1, 1]
        : memref<32x64xbf16, #gpu.address_space<workgroup>> to memref<32x?xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>
    memref.copy %from, %to
        : memref<32x?xbf16, strided<[128, 1], offset: ?>> to memref<32x?xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>
    %out = memref.subview %O[%l, %row, 0] [1, 32, 64] [1, 1, 1] : memref<4x64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    memref.copy %x, %out : memref<32x64xbf16, #gpu.address_space<workgroup>> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
  }
  return
}

//--- write.mlir
func.func @write(%X: memref<64x128xbf16> {tt.name = "X"}, %O: memref<64x128xbf16> {tt.name = "O"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  scf.forall (%l, %n) in (2, 2) {
    %x = memref.alloc() : memref<32x64xbf16, #gpu.address_space<workgroup>>
    %row = arith.muli %n, %c32 : index
    %wide = arith.muli %l, %c64 : index
    %from = memref.subview %X[%row, %wide] [32, 64] [1, 1] : memref<64x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    memref.copy %from, %x : memref<32x64xbf16, strided<[128, 1], offset: ?>> to memref<32x64xbf16, #gpu.address_space<workgroup>>
    %column = arith.addi %wide, %c32 : index
    %behind = arith.subi %c128, %column : index
    %columns = arith.minsi %c64, %behind : index
    %part = memref.subview %x[0, 0] [32, %columns] [1, 1]
        : memref<32x64xbf16, #gpu.address_space<workgroup>> to memref<32x?xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>
    %to = memref.subview %O[%row, %column] [32, %columns] [1, 1] : memref<64x128xbf16> to memref<32x?xbf16, strided<[128, 1], offset: ?>>
    memref.copy %part, %to
        : memref<32x?xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>> to memref<32x?xbf16, strided<[128, 1], offset: ?>>
  }
  return
}
