// RUN: tt-opt %s --tt-note-ends | FileCheck %s

// CHECK-DAG: #[[$ROW:.+]] = affine_map<(d0) -> (d0, d0 + 1)>
// CHECK-DAG: #[[$STEPS:.+]] = affine_map<(d0, d1) -> (d0 + d1 * 2 - 9, d0 + d1 * 2 + 37)>
// CHECK-DAG: #[[$SECOND:.+]] = affine_map<(d0) -> (d0 * 2, d0 * 2 + 1)>

// A row of a cache: where it is depends on an integer of the kernel alone.
// CHECK-LABEL: func.func @append
// CHECK-SAME: tt.block_ends = [{dim = 0 : i64, ends = #[[$ROW]], of = ["at"], size = "cache_d0", tensor = "cache"}]
func.func @append(%x: memref<1x64xbf16> {tt.name = "x"}, %cache: memref<?x64xbf16> {tt.name = "cache"}, %at: index {tt.name = "at"})
    attributes {tt.kernel} {
  %row = memref.subview %cache[%at, 0] [1, 64] [1, 1] : memref<?x64xbf16> to memref<1x64xbf16, strided<[64, 1], offset: ?>>
  memref.copy %x, %row : memref<1x64xbf16> to memref<1x64xbf16, strided<[64, 1], offset: ?>>
  return
}

// Cells and steps add to it, forwards and backwards; a step of 3 rows, of which every second one is taken, ends 5 rows later.
// CHECK-LABEL: func.func @steps
// CHECK-SAME: {dim = 0 : i64, ends = #[[$STEPS]], of = ["at", "by"], size = 128 : i64, tensor = "y"}
func.func @steps(%y: memref<128x64xf32> {tt.name = "y"}, %at: i32 {tt.name = "at", tt.range = [9, 80]}, %by: index {tt.name = "by"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %from = arith.index_cast %at : i32 to index
  scf.forall (%i) in (2) {
    scf.for %k = %c0 to %c4 step %c1 {
      %o = affine.apply affine_map<(d0, d1)[s0, s1] -> (d0 * 32 - d1 * 3 + s0 + s1 * 2)>(%i, %k)[%from, %by]
      %b = memref.subview %y[%o, 0] [3, 64] [2, 1] : memref<128x64xf32> to memref<3x64xf32, strided<[128, 1], offset: ?>>
      linalg.fill ins(%zero : f32) outs(%b : memref<3x64xf32, strided<[128, 1], offset: ?>>)
    }
  }
  return
}

// Nothing is said of what a branch or a loop of no rounds may leave out, of what is loaded, of blocks that end where their tensor does,
// and of places that no integer of the kernel moves.
// CHECK-LABEL: func.func @may_be
// CHECK-NOT: tt.block_ends
// CHECK: return
func.func @may_be(%list: memref<8xi32> {tt.name = "list", tt.range = [0, 127]}, %y: memref<?x64xf32> {tt.name = "y"}, %at: index {tt.name = "at"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %y, %c0 : memref<?x64xf32>
  %some = arith.cmpi ult, %at, %c7 : index
  scf.if %some {
    %b = memref.subview %y[%at, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%b : memref<1x64xf32, strided<[64, 1], offset: ?>>)
  }
  scf.for %k = %c0 to %at step %c1 {
    %b = memref.subview %y[%at, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%b : memref<1x64xf32, strided<[64, 1], offset: ?>>)
  }
  %moved = memref.subview %y[%at, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
  scf.for %k = %c0 to %at step %c1 {
    linalg.fill ins(%zero : f32) outs(%moved : memref<1x64xf32, strided<[64, 1], offset: ?>>)
  }
  %l = memref.load %list[%c7] : memref<8xi32>
  %n = arith.index_cast %l : i32 to index
  %o = arith.addi %n, %at : index
  %b = memref.subview %y[%o, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x64xf32, strided<[64, 1], offset: ?>>)
  %rest = affine.min affine_map<(d0)[s0] -> (32, s0 - d0)>(%at)[%rows]
  %e = memref.subview %y[%at, 0] [%rest, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
  linalg.fill ins(%zero : f32) outs(%e : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  %f = memref.subview %y[%c7, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
  linalg.fill ins(%zero : f32) outs(%f : memref<1x64xf32, strided<[64, 1], offset: ?>>)
  return
}

// An element that is stored.
// CHECK-LABEL: func.func @element
// CHECK-SAME: tt.block_ends = [{dim = 1 : i64, ends = #[[$SECOND]], of = ["j"], size = 40 : i64, tensor = "z"}]
func.func @element(%z: memref<1x40xf32> {tt.name = "z"}, %j: index {tt.name = "j"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %o = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%j]
  memref.store %one, %z[%c0, %o] : memref<1x40xf32>
  return
}
