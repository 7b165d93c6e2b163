// Products whose operands are computed first, by loops over elements and by linalg ops: weights of 8 bits with
// scales, integers times integers, ragged ends, long sums; loops that count by scf.while; a largest element and where it is.
// REQUIRES: all
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/scaled.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/scaled.mlir --check --arch=blackhole --metalium-api=2025 --optimize=none | FileCheck %s %}
// RUN: tt-run %t/integers.mlir --check --arch=blackhole --metalium-api=2025 | FileCheck %s --check-prefix=EQUAL
// RUN: %if all %{ tt-run %t/integers.mlir --check --metalium-api=2026-03 | FileCheck %s --check-prefix=EQUAL %}
// RUN: %if all %{ tt-run %t/ragged.mlir --check --metalium-api=2026-03 | FileCheck %s %}
// RUN: tt-run %t/while.mlir --check | FileCheck %s
// RUN: tt-run %t/largest.mlir --check --arch=blackhole | FileCheck %s --check-prefix=LARGEST
// CHECK: Y: {{.*}}: ok
// EQUAL: Y: equal: ok
// EQUAL: Z: equal: ok
// LARGEST: W: max abs error 0, {{.*}}: ok
// LARGEST: I: equal: ok

// The sum goes on in steps of 64: 192 weights a column.
//--- scaled.mlir
func.func @scaled(%X: memref<32x192xbf16>, %W: memref<192x64xi8>, %S: memref<64xf32>, %Y: memref<32x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %middle = arith.constant 8.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (32, 64) {
    %s = affine.for %k = 0 to 192 iter_args(%a = %zero) -> (f32) {
      %x = affine.load %X[%i, %k] : memref<32x192xbf16>
      %xf = arith.extf %x : bf16 to f32
      %b = affine.load %W[%k, %j] : memref<192x64xi8>
      %f = arith.sitofp %b : i8 to f32
      %g = arith.subf %f, %middle : f32
      %scale = affine.load %S[%j] : memref<64xf32>
      %w = arith.mulf %g, %scale : f32
      %m = arith.mulf %w, %xf : f32
      %t = arith.addf %m, %a : f32
      affine.yield %t : f32
    }
    affine.store %s, %Y[%i, %j] : memref<32x64xf32>
  }
  return
}

// Integers of 8 bits, with sums of 32 bits: by loops over elements, and onto what is there.
//--- integers.mlir
func.func @integers(%A: memref<32x160xi8>, %B: memref<160x40xi8>, %U: memref<40x160xi8>, %Y: memref<32x40xi32> {tt.name = "Y"}, %Z: memref<32x40xi32> {tt.name = "Z"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 40 {
      %s = affine.for %k = 0 to 160 iter_args(%a = %zero) -> (i32) {
        %x = affine.load %A[%i, %k] : memref<32x160xi8>
        %y = affine.load %B[%k, %j] : memref<160x40xi8>
        %xi = arith.extsi %x : i8 to i32
        %yi = arith.extsi %y : i8 to i32
        %m = arith.muli %xi, %yi : i32
        %n = arith.addi %a, %m : i32
        affine.yield %n : i32
      }
      affine.store %s, %Y[%i, %j] : memref<32x40xi32>
    }
  }
  linalg.fill ins(%zero : i32) outs(%Z : memref<32x40xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %U : memref<32x160xi8>, memref<40x160xi8>) outs(%Z : memref<32x40xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %xi = arith.extsi %x : i8 to i32
    %yi = arith.extui %y : i8 to i32
    %m = arith.muli %xi, %yi : i32
    %n = arith.addi %o, %m : i32
    linalg.yield %n : i32
  }
  return
}

// What an operand is made of may have rows of its own; the last cell has fewer columns.
//--- ragged.mlir
func.func @ragged(%X: memref<32x64xf32>, %W: memref<48x64xbf16>, %G: memref<32xf32>, %Y: memref<32x48xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (32, 48) {
    %s = affine.for %k = 0 to 64 iter_args(%a = %zero) -> (f32) {
      %x = affine.load %X[%i, %k] : memref<32x64xf32>
      %b = affine.load %W[%j, %k] : memref<48x64xbf16>
      %w = arith.extf %b : bf16 to f32
      %t = math.tanh %x : f32
      %u = arith.mulf %t, %w : f32
      %g = affine.load %G[%i] : memref<32xf32>
      %v = arith.mulf %u, %g : f32
      %n = arith.addf %a, %v : f32
      affine.yield %n : f32
    }
    affine.store %s, %Y[%i, %j] : memref<32x48xf32>
  }
  return
}

// As many blocks as a table says.
//--- while.mlir
func.func @count(%A: memref<4x32x32xf32>, %N: memref<2xi32> {tt.range = [0, 4]}, %Y: memref<64x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%b) in (2) {
    %n = memref.load %N[%b] : memref<2xi32>
    %end = arith.index_cast %n : i32 to index
    %acc = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32, #gpu.address_space<private>>)
    %e = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi ult, %i, %end : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %v = memref.subview %A[%i, 0, 0] [1, 32, 32] [1, 1, 1] : memref<4x32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      linalg.add ins(%acc, %v : memref<32x32xf32, #gpu.address_space<private>>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%acc : memref<32x32xf32, #gpu.address_space<private>>)
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    %y = memref.subview %Y[%m, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %acc, %y : memref<32x32xf32, #gpu.address_space<private>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  }
  return
}

//--- largest.mlir
func.func @largest(%X: memref<32x12xf32>, %W: memref<32xf32> {tt.name = "W"}, %I: memref<32xi32> {tt.name = "I"}) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i32
  linalg.fill ins(%low : f32) outs(%W : memref<32xf32>)
  linalg.fill ins(%none : i32) outs(%I : memref<32xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%X : memref<32x12xf32>) outs(%W, %I : memref<32xf32>, memref<32xi32>) {
  ^bb0(%x: f32, %m: f32, %at: i32):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %g = arith.cmpf ogt, %x, %m : f32
    %nm = arith.select %g, %x, %m : f32
    %na = arith.select %g, %ji, %at : i32
    linalg.yield %nm, %na : f32, i32
  }
  return
}
