// Padding by a value inside of a kernel: filled buffers and results, and elements that a branch keeps apart; with ragged sizes, and
// tensors without tiles.
// RUN: split-file %s %t
// RUN: tt-run %t/minimum.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/minimum.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/largest.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/largest.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/halves.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/halves.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/none.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/none.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/short.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/short.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/integers.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/integers.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/below.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/below.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/blocks.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/blocks.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: {{Y: (max abs error .*|equal|.* differ, .*)}}: ok

// A buffer that is filled with minus infinity, into which a ragged tensor goes: what upstream makes of tensor.pad.
//--- minimum.mlir
func.func @minimum(%A: memref<33x65xf32> {tt.name = "A", tt.layout = {storage = "row_major"}}, %Y: memref<64x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %v = arith.constant 0xFF800000 : f32
  %b = memref.alloc() : memref<64x96xf32, #gpu.address_space<workgroup>>
  linalg.fill ins(%v : f32) outs(%b : memref<64x96xf32, #gpu.address_space<workgroup>>)
  %s = memref.subview %b[0, 0] [33, 65] [1, 1] : memref<64x96xf32, #gpu.address_space<workgroup>> to memref<33x65xf32, strided<[96, 1]>, #gpu.address_space<workgroup>>
  memref.copy %A, %s : memref<33x65xf32> to memref<33x65xf32, strided<[96, 1]>, #gpu.address_space<workgroup>>
  memref.copy %b, %Y : memref<64x96xf32, #gpu.address_space<workgroup>> to memref<64x96xf32>
  return
}

// The result itself, with a number near the largest, along rows without tiles.
//--- largest.mlir
func.func @largest(%A: memref<64x40xf32> {tt.name = "A"}, %Y: memref<96x40xf32> {tt.name = "Y", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} {
  %v = arith.constant 3.4e38 : f32
  linalg.map outs(%Y : memref<96x40xf32>) (%in: f32) {
    linalg.yield %v : f32
  }
  %s = memref.subview %Y[16, 0] [64, 40] [1, 1] : memref<96x40xf32> to memref<64x40xf32, strided<[40, 1], offset: 640>>
  memref.copy %A, %s : memref<64x40xf32> to memref<64x40xf32, strided<[40, 1], offset: 640>>
  return
}

// Integers of 16 bits, in a corner inside of tiles.
//--- halves.mlir
func.func @halves(%A: memref<5x7xi16> {tt.name = "A", tt.layout = {storage = "row_major"}}, %Y: memref<40x70xi16> {tt.name = "Y", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} {
  %v = arith.constant -7 : i16
  linalg.map outs(%Y : memref<40x70xi16>) (%in: i16) {
    linalg.yield %v : i16
  }
  %s = memref.subview %Y[34, 62] [5, 7] [1, 1] : memref<40x70xi16> to memref<5x7xi16, strided<[70, 1], offset: 2442>>
  memref.copy %A, %s : memref<5x7xi16> to memref<5x7xi16, strided<[70, 1], offset: 2442>>
  return
}

// NaN, element by element.
//--- none.mlir
#set = affine_set<(i, j) : (i - 0 >= 0, 32 - i >= 0, j - 0 >= 0, 64 - j >= 0)>
func.func @none(%A: memref<33x65xf32> {tt.name = "A"}, %Y: memref<64x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %v = arith.constant 0x7FC00000 : f32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 96 {
      %r = affine.if #set(%i, %j) -> f32 {
        %a = affine.load %A[%i - 0, %j - 0] : memref<33x65xf32>
        affine.yield %a : f32
      } else {
        affine.yield %v : f32
      }
      affine.store %r, %Y[%i, %j] : memref<64x96xf32>
    }
  }
  return
}

// Both tensors without tiles, two columns on either side.
//--- short.mlir
#set = affine_set<(i, j) : (i - 0 >= 0, 19 - i >= 0, j - 2 >= 0, 41 - j >= 0)>
func.func @short(%A: memref<20x40xbf16> {tt.name = "A", tt.layout = {storage = "row_major"}}, %Y: memref<20x44xbf16> {tt.name = "Y", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} {
  %v = arith.constant 0xFF80 : bf16
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 44 {
      %r = affine.if #set(%i, %j) -> bf16 {
        %a = affine.load %A[%i - 0, %j - 2] : memref<20x40xbf16>
        affine.yield %a : bf16
      } else {
        affine.yield %v : bf16
      }
      affine.store %r, %Y[%i, %j] : memref<20x44xbf16>
    }
  }
  return
}

// The largest integer.
//--- integers.mlir
#set = affine_set<(i, j) : (i - 34 >= 0, 38 - i >= 0, j - 62 >= 0, 68 - j >= 0)>
func.func @integers(%A: memref<5x7xi32> {tt.name = "A", tt.layout = {storage = "row_major"}}, %Y: memref<40x70xi32> {tt.name = "Y", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} {
  %v = arith.constant 2147483647 : i32
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 70 {
      %r = affine.if #set(%i, %j) -> i32 {
        %a = affine.load %A[%i - 34, %j - 62] : memref<5x7xi32>
        affine.yield %a : i32
      } else {
        affine.yield %v : i32
      }
      affine.store %r, %Y[%i, %j] : memref<40x70xi32>
    }
  }
  return
}

// A negative one, in a buffer of the core.
//--- below.mlir
func.func @below(%A: memref<20x40xi32> {tt.name = "A", tt.layout = {storage = "row_major"}}, %Y: memref<20x44xi32> {tt.name = "Y", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} {
  %v = arith.constant -7 : i32
  %b = memref.alloc() : memref<20x44xi32, #gpu.address_space<workgroup>>
  linalg.fill ins(%v : i32) outs(%b : memref<20x44xi32, #gpu.address_space<workgroup>>)
  %s = memref.subview %b[0, 2] [20, 40] [1, 1] : memref<20x44xi32, #gpu.address_space<workgroup>> to memref<20x40xi32, strided<[44, 1], offset: 2>, #gpu.address_space<workgroup>>
  memref.copy %A, %s : memref<20x40xi32> to memref<20x40xi32, strided<[44, 1], offset: 2>, #gpu.address_space<workgroup>>
  memref.copy %b, %Y : memref<20x44xi32, #gpu.address_space<workgroup>> to memref<20x44xi32>
  return
}

// Blocks of a grid of which the last one has less: the largest of each row counts what pads it.
//--- blocks.mlir
func.func @blocks(%A: memref<30x50xf32> {tt.name = "A", tt.layout = {storage = "row_major"}}, %Y: memref<30x2xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %v = arith.constant 0.0 : f32
  scf.forall (%b) in (2) {
    %o = arith.muli %b, %c32 : index
    %n = affine.min affine_map<(d) -> (32, 50 - d)>(%o)
    %buf = memref.alloc() : memref<30x32xf32, #gpu.address_space<workgroup>>
    linalg.fill ins(%v : f32) outs(%buf : memref<30x32xf32, #gpu.address_space<workgroup>>)
    %src = memref.subview %A[0, %o] [30, %n] [1, 1] : memref<30x50xf32> to memref<30x?xf32, strided<[50, 1], offset: ?>>
    %dst = memref.subview %buf[0, 0] [30, %n] [1, 1] : memref<30x32xf32, #gpu.address_space<workgroup>> to memref<30x?xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
    memref.copy %src, %dst : memref<30x?xf32, strided<[50, 1], offset: ?>> to memref<30x?xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
    %acc = memref.alloc() : memref<30xf32>
    linalg.fill ins(%v : f32) outs(%acc : memref<30xf32>)
    %y = memref.subview %Y[0, %b] [30, 1] [1, 1] : memref<30x2xf32> to memref<30xf32, strided<[2], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%buf : memref<30x32xf32, #gpu.address_space<workgroup>>) outs(%acc : memref<30xf32>) {
    ^bb0(%a: f32, %m: f32):
      %r = arith.maximumf %a, %m : f32
      linalg.yield %r : f32
    }
    memref.copy %acc, %y : memref<30xf32> to memref<30xf32, strided<[2], offset: ?>>
  }
  return
}
