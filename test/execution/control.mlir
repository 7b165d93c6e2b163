// Grid arithmetic as others write it, functions that are called, loops of other dialects, and a
// kernel of two grids.
// RUN: split-file %s %t
// RUN: tt-run %t/order.mlir --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/order.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/grids.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/grids.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/window.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/window.mlir --check --arch=blackhole --optimize=none 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/sparse.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/sparse.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// CHECK: C: max abs error {{.*}}: ok

// Cells in groups of rows, odd ones from right to left, by i32 and bits; heads by delinearize.
//--- order.mlir
func.func private @to_i32(%i: index) -> i32 {
  %r = arith.index_cast %i : index to i32
  return %r : i32
}
func.func @order(%A: memref<4x128x128xbf16> {tt.name = "A"}, %C: memref<4x128x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i5 = arith.constant 5 : i32
  %i12 = arith.constant 12 : i32
  scf.parallel (%pid) = (%c0) to (%c64) step (%c1) {
    %at:2 = affine.delinearize_index %pid into (4, 16) : index, index
    %p = func.call @to_i32(%at#1) : (index) -> i32
    %r = arith.shrui %p, %i2 : i32
    %col = arith.andi %p, %i3 : i32
    %bit = arith.andi %r, %i1 : i32
    %odd = arith.cmpi eq, %bit, %i1 : i32
    %back = arith.subi %i3, %col : i32
    %swapped = arith.xori %col, %i1 : i32
    %c = arith.select %odd, %back, %swapped : i32
    %row = arith.shli %r, %i5 : i32
    %side = arith.shli %c, %i5 : i32
    %m = arith.index_cast %row : i32 to index
    %n = arith.index_cast %side : i32 to index
    %a = memref.subview %A[%at#0, %m, %n] [1, 32, 32] [1, 1, 1] : memref<4x128x128xbf16> to memref<32x32xbf16, strided<[128, 1], offset: ?>>
    %v = memref.subview %C[%at#0, %m, %n] [1, 32, 32] [1, 1, 1] : memref<4x128x128xbf16> to memref<32x32xbf16, strided<[128, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x32xbf16, strided<[128, 1], offset: ?>>) outs(%v : memref<32x32xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}

// The second grid reads what the first has written, column by column.
//--- grids.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @grids(%A: memref<64x64xbf16> {tt.name = "A"}, %C: memref<64x64xbf16> {tt.name = "C"}, %s: f32 {tt.name = "s"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %t = memref.alloc() : memref<64x64xbf16>
  %f = memref.alloc() : memref<32x64xbf16, #gpu.address_space<private>>
  affine.parallel (%m) = (0) to (64) step (32) {
    affine.for %n = 0 to 64 step 64 {
      %a = memref.subview %A[%m, %n] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      %b = memref.subview %t[%m, %n] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      linalg.exp ins(%a : memref<32x64xbf16, strided<[64, 1], offset: ?>>) outs(%f : memref<32x64xbf16, #gpu.address_space<private>>)
      linalg.square ins(%f : memref<32x64xbf16, #gpu.address_space<private>>) outs(%b : memref<32x64xbf16, strided<[64, 1], offset: ?>>)
    }
  }
  scf.forall (%x) in (2) {
    %n = arith.muli %x, %c32 : index
    %end = scf.for %k = %c0 to %c2 step %c1 iter_args(%i = %zero) -> (i32) {
      %at = arith.index_cast %i : i32 to index
      %second = arith.cmpi eq, %k, %c1 : index
      %m = scf.if %second -> (index) {
        scf.yield %at : index
      } else {
        scf.yield %c0 : index
      }
      %a = memref.subview %t[%m, %n] [32, 32] [1, 1] : memref<64x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
      %c = memref.subview %C[%m, %n] [32, 32] [1, 1] : memref<64x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%a : memref<32x32xbf16, strided<[64, 1], offset: ?>>) outs(%c : memref<32x32xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%in: bf16, %old: bf16):
        %w = arith.extf %in : bf16 to f32
        %v = arith.mulf %w, %s : f32
        %r = arith.truncf %v : f32 to bf16
        linalg.yield %r : bf16
      }
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
  }
  return
}

// A product over a window that starts at max(row - 64, 0) and ends behind the row.
//--- window.mlir
func.func @window(%A: memref<128x128xbf16> {tt.name = "A"}, %B: memref<128x64xbf16> {tt.name = "B"}, %C: memref<128x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by) in (4) {
    %m = arith.muli %by, %c32 : index
    %acc = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    %before = arith.subi %m, %c64 : index
    %start = arith.maxsi %before, %c0 : index
    %end = arith.addi %m, %c32 : index
    scf.for %k = %start to %end step %c32 {
      %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<128x128xbf16> to memref<32x32xbf16, strided<[128, 1], offset: ?>>
      %b = memref.subview %B[%k, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[128, 1], offset: ?>>, memref<32x64xbf16, strided<[64, 1], offset: ?>>)
          outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<128x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %acc, %c : memref<32x64xf32, #gpu.address_space<private>> to memref<32x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// Products under a condition that bounds their loop, and under one that picks blocks.
//--- sparse.mlir
!row = memref<32x32xbf16, strided<[128, 1], offset: ?>>
!col = memref<32x64xbf16, strided<[64, 1], offset: ?>>
!acc = memref<32x64xf32, #gpu.address_space<private>>
func.func @sparse(%A: memref<128x128xbf16> {tt.name = "A"}, %B: memref<128x64xbf16> {tt.name = "B"}, %C: memref<128x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by) in (4) {
    %m = arith.muli %by, %c32 : index
    %acc = memref.alloc() : !acc
    linalg.fill ins(%zero : f32) outs(%acc : !acc)
    scf.for %k = %c0 to %c128 step %c32 {
      %at = arith.divui %k, %c32 : index
      %sum = arith.addi %at, %by : index
      %odd = arith.remui %sum, %c2 : index
      %picked = arith.cmpi eq, %odd, %c1 : index
      scf.if %picked {
        %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<128x128xbf16> to !row
        %b = memref.subview %B[%k, 0] [32, 64] [1, 1] : memref<128x64xbf16> to !col
        linalg.matmul ins(%a, %b : !row, !col) outs(%acc : !acc)
      }
    }
    %low = memref.alloc() : !acc
    linalg.fill ins(%zero : f32) outs(%low : !acc)
    scf.for %k = %c0 to %c128 step %c32 {
      %before = arith.cmpi ult, %k, %m : index
      scf.if %before {
        %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<128x128xbf16> to !row
        %b = memref.subview %B[%k, 0] [32, 64] [1, 1] : memref<128x64xbf16> to !col
        linalg.matmul ins(%a, %b : !row, !col) outs(%low : !acc)
      }
    }
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<128x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.add ins(%acc, %low : !acc, !acc) outs(%c : memref<32x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
