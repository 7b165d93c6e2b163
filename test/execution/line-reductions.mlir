// Reductions by and, or, xor and products, which no unit of the chip does within a tile, go on line
// by line (--tt-step-outer-dims): whole tiles of the vector unit, exact in integers and in f32.
//
// REQUIRES: all
// RUN: split-file %s %t
// RUN: for f in named products both turned steps; do for c in wormhole_b0 blackhole; do \
// RUN:   tt-run %t/$f.mlir --arch $c --check || exit 1; \
// RUN: done; done

// Numbers of 16 bits round at each step, as the kernel says: DST of 32 bits does so to nearest.
// RUN: tt-run %t/halves.mlir --check

// Lines of what the core computes are no lines of a tensor.
// RUN: not tt-opt --tt-pipeline %t/computed.mlir 2>&1 | FileCheck %s --check-prefix=COMPUTED
// COMPUTED: computed.mlir:6:3: error: this reduction has no tile intrinsic;
// COMPUTED-SAME: not of what the core computes: compute that in the body of this reduction
// RUN: tt-run %t/inside.mlir --check

//--- named.mlir
func.func @bits(%X: memref<40x72xi32> {tt.name = "X"}, %S: memref<40x72xi16> {tt.name = "S"},
                %A: memref<72xi32> {tt.name = "A"}, %O: memref<40xi32> {tt.name = "O"},
                %P: memref<40xi16> {tt.name = "P"}) attributes {tt.kernel} {
  %all = arith.constant -1 : i32
  %one = arith.constant 1 : i16
  linalg.fill ins(%all : i32) outs(%A : memref<72xi32>)
  linalg.reduce { arith.andi } ins(%X : memref<40x72xi32>) outs(%A : memref<72xi32>)
      dimensions = [0]
  // Onto what the output holds.
  linalg.reduce { arith.ori } ins(%X : memref<40x72xi32>) outs(%O : memref<40xi32>)
      dimensions = [1]
  linalg.fill ins(%one : i16) outs(%P : memref<40xi16>)
  linalg.reduce { arith.muli } ins(%S : memref<40x72xi16>) outs(%P : memref<40xi16>)
      dimensions = [1]
  return
}

//--- products.mlir
// Of a copy of a block, whose last one is ragged.
func.func @products(%X: memref<70x20xf32> {tt.name = "X"}, %Y: memref<70xf32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  scf.forall (%b) in (3) {
    %m = affine.apply affine_map<(b) -> (32 * b)>(%b)
    %h = affine.min affine_map<(m) -> (32, 70 - m)>(%m)
    %x = memref.alloc(%h) : memref<?x20xf32, #gpu.address_space<workgroup>>
    %from = memref.subview %X[%m, 0] [%h, 20] [1, 1]
        : memref<70x20xf32> to memref<?x20xf32, strided<[20, 1], offset: ?>>
    memref.copy %from, %x : memref<?x20xf32, strided<[20, 1], offset: ?>>
        to memref<?x20xf32, #gpu.address_space<workgroup>>
    %y = memref.alloc(%h) : memref<?xf32, #gpu.address_space<private>>
    linalg.fill ins(%one : f32) outs(%y : memref<?xf32, #gpu.address_space<private>>)
    linalg.reduce { arith.mulf } ins(%x : memref<?x20xf32, #gpu.address_space<workgroup>>)
        outs(%y : memref<?xf32, #gpu.address_space<private>>) dimensions = [1]
    %to = memref.subview %Y[%m] [%h] [1]
        : memref<70xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %y, %to : memref<?xf32, #gpu.address_space<private>>
        to memref<?xf32, strided<[1], offset: ?>>
  }
  return
}

//--- both.mlir
func.func @checksum(%X: memref<5x33xi32> {tt.name = "X"}, %Y: memref<i32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %none = arith.constant 0 : i32
  linalg.fill ins(%none : i32) outs(%Y : memref<i32>)
  linalg.reduce { arith.xori } ins(%X : memref<5x33xi32>) outs(%Y : memref<i32>)
      dimensions = [0, 1]
  return
}

//--- turned.mlir
// A body that computes, of two operands, one of them a column.
#at = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (j)>
#out = affine_map<(i, j) -> (i)>
func.func @mixed(%X: memref<33x50xi32> {tt.name = "X"}, %V: memref<33xi32> {tt.name = "V"},
                 %Y: memref<50xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%Y : memref<50xi32>)
  linalg.generic {indexing_maps = [#at, #row, #out], iterator_types = ["parallel", "reduction"]}
      ins(%X, %V : memref<33x50xi32>, memref<33xi32>) outs(%Y : memref<50xi32>) {
    ^bb0(%x: i32, %v: i32, %o: i32):
      %m = arith.muli %x, %v : i32
      %r = arith.xori %o, %m : i32
      linalg.yield %r : i32
  }
  return
}

//--- steps.mlir
// As loops over elements have it: whether all of a row, or any, is above zero, and its product.
func.func @quantors(%X: memref<48x40xf32> {tt.name = "X"}, %A: memref<48xi32> {tt.name = "A"},
                    %O: memref<48xi32> {tt.name = "O"}, %P: memref<48xf32> {tt.name = "P"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %no = arith.constant 0 : i32
  %yes = arith.constant 1 : i32
  affine.parallel (%i) = (0) to (48) {
    %r:3 = affine.for %j = 0 to 40 iter_args(%a = %yes, %o = %no, %p = %one) -> (i32, i32, f32) {
      %x = affine.load %X[%i, %j] : memref<48x40xf32>
      %is = arith.cmpf ogt, %x, %zero : f32
      %w = arith.extui %is : i1 to i32
      %b = arith.andi %a, %w : i32
      %c = arith.ori %o, %w : i32
      %q = arith.mulf %p, %x : f32
      affine.yield %b, %c, %q : i32, i32, f32
    }
    affine.store %r#0, %A[%i] : memref<48xi32>
    affine.store %r#1, %O[%i] : memref<48xi32>
    affine.store %r#2, %P[%i] : memref<48xf32>
  }
  return
}

//--- halves.mlir
func.func @products(%X: memref<32x40xbf16> {tt.name = "X"}, %Y: memref<40xbf16> {tt.name = "Y"})
    attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %one = arith.constant 1.0 : bf16
  linalg.fill ins(%one : bf16) outs(%Y : memref<40xbf16>)
  linalg.reduce { arith.mulf } ins(%X : memref<32x40xbf16>) outs(%Y : memref<40xbf16>)
      dimensions = [0]
  return
}

//--- computed.mlir
func.func @computed(%X: memref<32x40xf32>, %Y: memref<40xf32>) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  %e = memref.alloc() : memref<32x40xf32>
  linalg.exp ins(%X : memref<32x40xf32>) outs(%e : memref<32x40xf32>)
  linalg.fill ins(%one : f32) outs(%Y : memref<40xf32>)
  linalg.reduce { arith.mulf } ins(%e : memref<32x40xf32>) outs(%Y : memref<40xf32>)
      dimensions = [0]
  return
}

//--- inside.mlir
func.func @inside(%X: memref<32x40xf32> {tt.name = "X"}, %Y: memref<40xf32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%Y : memref<40xf32>)
  linalg.reduce ins(%X : memref<32x40xf32>) outs(%Y : memref<40xf32>) dimensions = [0]
    (%x: f32, %o: f32) {
      %e = math.exp %x : f32
      %r = arith.mulf %e, %o : f32
      linalg.yield %r : f32
    }
  return
}
