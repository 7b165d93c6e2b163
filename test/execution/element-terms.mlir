// What loops over elements sum up as others write it: in branches, with several terms in a step, over all pairs, and over
// every so many elements.
// RUN: split-file %s %t
// RUN: tt-run %t/pool.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/pairs.mlir --check --arch=blackhole --metalium-api=2026-03 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/counts.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/counts.mlir --check --arch=blackhole --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/below.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/thirds.mlir --check --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/packed.mlir --check --arch=blackhole | FileCheck %s %}
// RUN: %if all %{ tt-run %t/added.mlir --check --metalium-api=2025 | FileCheck %s --check-prefixes=CHECK,ADDED %}
// RUN: %if all %{ tt-run %t/masked.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/masked.mlir --check --arch=blackhole --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/chosen.mlir --check | FileCheck %s %}
// CHECK: Y: {{.*}}: ok
// ADDED: ok
// ADDED: ok
// RUN: %if all %{ tt-run %t/wide.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/fused.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/states.mlir --check --arch=blackhole | FileCheck %s %}

// The largest of 3x3 with stride 2, with a border: a branch that carries the largest on.
//--- pool.mlir
func.func @pool(%X: memref<2x5x11x13xf32>, %Y: memref<2x5x6x7xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  affine.parallel (%b, %c) = (0, 0) to (2, 5) {
    affine.for %i = 0 to 6 {
      affine.for %j = 0 to 7 {
        %m = affine.for %u = 0 to 3 iter_args(%a = %low) -> (f32) {
          %m2 = affine.for %v = 0 to 3 iter_args(%a2 = %a) -> (f32) {
            %r = affine.if affine_set<(i, j, u, v) : (2 * i + u - 1 >= 0, 11 - 2 * i - u >= 0, 2 * j + v - 1 >= 0, 13 - 2 * j - v >= 0)>(%i, %j, %u, %v) -> f32 {
              %x = affine.load %X[%b, %c, 2 * %i + %u - 1, 2 * %j + %v - 1] : memref<2x5x11x13xf32>
              %n = arith.maximumf %a2, %x : f32
              affine.yield %n : f32
            } else {
              affine.yield %a2 : f32
            }
            affine.yield %r : f32
          }
          affine.yield %m2 : f32
        }
        affine.store %m, %Y[%b, %c, %i, %j] : memref<2x5x6x7xf32>
      }
    }
  }
  return
}

// Distances of all pairs: a sum over three loops that is no product.
//--- pairs.mlir
func.func @pairs(%A: memref<24x20xf32>, %B: memref<17x20xf32>, %Y: memref<24x17xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (24, 17) {
    %s = affine.for %k = 0 to 20 iter_args(%a = %zero) -> (f32) {
      %x = affine.load %A[%i, %k] : memref<24x20xf32>
      %y = affine.load %B[%j, %k] : memref<17x20xf32>
      %d = arith.subf %x, %y : f32
      %ab = math.absf %d : f32
      %a1 = arith.addf %a, %ab : f32
      affine.yield %a1 : f32
    }
    affine.store %s, %Y[%i, %j] : memref<24x17xf32>
  }
  return
}

// A histogram of each row: what is counted is chosen.
//--- counts.mlir
func.func @counts(%X: memref<5x70xi8> {tt.range = [0, 15]}, %Y: memref<5x16xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.parallel (%r) = (0) to (5) {
    affine.for %b = 0 to 16 {
      %bi = arith.index_cast %b : index to i32
      %s = affine.for %j = 0 to 70 iter_args(%a = %zero) -> (i32) {
        %x = affine.load %X[%r, %j] : memref<5x70xi8>
        %x32 = arith.extui %x : i8 to i32
        %is = arith.cmpi eq, %x32, %bi : i32
        %n = arith.addi %a, %one : i32
        %m = arith.select %is, %n, %a : i32
        affine.yield %m : i32
      }
      affine.store %s, %Y[%r, %b] : memref<5x16xi32>
    }
  }
  return
}

// Two vectors, each along a loop of its own; what is added, and taken away again, in one step.
//--- below.mlir
func.func @below(%X: memref<70xf32>, %E: memref<40xf32>, %Y: memref<40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.for %b = 0 to 40 {
    %e = affine.load %E[%b] : memref<40xf32>
    %s = affine.for %j = 0 to 70 iter_args(%a = %zero) -> (f32) {
      %x = affine.load %X[%j] : memref<70xf32>
      %lt = arith.cmpf olt, %x, %e : f32
      %a1 = arith.addf %a, %x : f32
      %a2 = arith.subf %a, %e : f32
      %a3 = arith.select %lt, %a1, %a2 : f32
      %a4 = arith.addf %a3, %e : f32
      affine.yield %a4 : f32
    }
    affine.store %s, %Y[%b] : memref<40xf32>
  }
  return
}

// Every third column is replaced, in blocks of 32 rows and of what is left.
//--- thirds.mlir
func.func @thirds(%X: memref<40x100xf32>, %Y: memref<40x100xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%i) = (0) to (40) {
    affine.for %j = 2 to 97 step 3 {
      %x = affine.load %X[%i, %j] : memref<40x100xf32>
      %y = affine.load %X[%i, %j - 1] : memref<40x100xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %Y[%i, %j] : memref<40x100xf32>
    }
  }
  return
}

// Two weights in a byte, by a shift of the step's parity, with scales and zeros of groups: the last block has fewer columns.
//--- packed.mlir
func.func @packed(%X: memref<10x48xbf16>, %W: memref<24x37xi8>, %S: memref<6x37xf32>, %Z: memref<6x37xi8> {tt.range = [0, 15]}, %Y: memref<10x37xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %m15 = arith.constant 15 : i32
  %c4 = arith.constant 4 : i32
  affine.parallel (%i, %j) = (0, 0) to (10, 37) {
    %s = affine.for %k = 0 to 48 iter_args(%a = %zero) -> (f32) {
      %b = affine.load %W[%k floordiv 2, %j] : memref<24x37xi8>
      %b32 = arith.extui %b : i8 to i32
      %par = affine.apply affine_map<(k) -> (k mod 2)>(%k)
      %p32 = arith.index_cast %par : index to i32
      %sh = arith.muli %p32, %c4 : i32
      %v = arith.shrui %b32, %sh : i32
      %n = arith.andi %v, %m15 : i32
      %z = affine.load %Z[%k floordiv 8, %j] : memref<6x37xi8>
      %z32 = arith.extui %z : i8 to i32
      %nz = arith.subi %n, %z32 : i32
      %f = arith.sitofp %nz : i32 to f32
      %sc = affine.load %S[%k floordiv 8, %j] : memref<6x37xf32>
      %w = arith.mulf %f, %sc : f32
      %x16 = affine.load %X[%i, %k] : memref<10x48xbf16>
      %x = arith.extf %x16 : bf16 to f32
      %p = arith.mulf %x, %w : f32
      %a1 = arith.addf %a, %p : f32
      affine.yield %a1 : f32
    }
    affine.store %s, %Y[%i, %j] : memref<10x37xf32>
  }
  return
}

// Rows are added where a list says, to what is there; how many, and the largest of each, by atomics.
//--- added.mlir
func.func @added(%X: memref<21x40xf32>, %L: memref<21xi32> {tt.range = [0, 12]}, %Y: memref<13x40xf32> {tt.name = "Y"}, %N: memref<13xi32>, %M: memref<13xf32>) attributes {tt.kernel} {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 21 {
    %v = affine.load %L[%i] : memref<21xi32>
    %r = arith.index_cast %v : i32 to index
    affine.for %j = 0 to 40 {
      %x = affine.load %X[%i, %j] : memref<21x40xf32>
      %o = memref.load %Y[%r, %j] : memref<13x40xf32>
      %s = arith.addf %o, %x : f32
      memref.store %s, %Y[%r, %j] : memref<13x40xf32>
    }
  }
  affine.parallel (%i) = (0) to (21) {
    %v = affine.load %L[%i] : memref<21xi32>
    %r = arith.index_cast %v : i32 to index
    %n = memref.atomic_rmw addi %one, %N[%r] : (i32, memref<13xi32>) -> i32
    %x = memref.load %X[%i, %c0] : memref<21x40xf32>
    %m = memref.atomic_rmw maximumf %x, %M[%r] : (f32, memref<13xf32>) -> f32
  }
  return
}

// math.fma, twice a step, and less another product.
//--- fused.mlir
func.func @fused(%A: memref<20x30xf32>, %C: memref<20x30xf32>, %Y: memref<20xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i) = (0) to (20) {
    %s = affine.for %k = 0 to 30 iter_args(%a = %zero) -> (f32) {
      %x = affine.load %A[%i, %k] : memref<20x30xf32>
      %y = affine.load %C[%i, %k] : memref<20x30xf32>
      %p = math.fma %x, %y, %a : f32
      %q = arith.mulf %y, %y : f32
      %r = arith.subf %p, %q : f32
      %t = math.fma %x, %x, %r : f32
      affine.yield %t : f32
    }
    affine.store %s, %Y[%i] : memref<20xf32>
  }
  return
}

// Two states of attention become one: 40 tokens are 32 and 8, in blocks of three dimensions.
//--- states.mlir
func.func @states(%A: memref<40x3x24xbf16>, %LA: memref<40x3xf32>, %B: memref<40x3x24xbf16>, %LB: memref<40x3xf32>, %Y: memref<40x3x24xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%t, %h) = (0, 0) to (40, 3) {
    %la = affine.load %LA[%t, %h] : memref<40x3xf32>
    %lb = affine.load %LB[%t, %h] : memref<40x3xf32>
    %d = arith.subf %lb, %la : f32
    %e = math.exp %d : f32
    affine.for %k = 0 to 24 {
      %a16 = affine.load %A[%t, %h, %k] : memref<40x3x24xbf16>
      %b16 = affine.load %B[%t, %h, %k] : memref<40x3x24xbf16>
      %a = arith.extf %a16 : bf16 to f32
      %b = arith.extf %b16 : bf16 to f32
      %y = arith.mulf %b, %e : f32
      %z = arith.addf %a, %y : f32
      %z16 = arith.truncf %z : f32 to bf16
      affine.store %z16, %Y[%t, %h, %k] : memref<40x3x24xbf16>
    }
  }
  return
}

// Where the largest element of a row is, and that rounded towards zero, as integers of 64 bits.
//--- wide.mlir
func.func @wide(%X: memref<33x70xbf16>, %Y: memref<33xi64> {tt.name = "Y"}, %V: memref<33xi64>) attributes {tt.kernel} {
  %low = arith.constant 0xFF80 : bf16
  %z = arith.constant 0 : i64
  %most = arith.constant 50.0 : bf16
  %least = arith.constant -50.0 : bf16
  affine.parallel (%i) = (0) to (33) {
    %r:2 = affine.for %j = 0 to 70 iter_args(%m = %low, %at = %z) -> (bf16, i64) {
      %x = affine.load %X[%i, %j] : memref<33x70xbf16>
      %gt = arith.cmpf ogt, %x, %m : bf16
      %j64 = arith.index_cast %j : index to i64
      %m1 = arith.select %gt, %x, %m : bf16
      %a1 = arith.select %gt, %j64, %at : i64
      affine.yield %m1, %a1 : bf16, i64
    }
    affine.store %r#1, %Y[%i] : memref<33xi64>
    %a = arith.minimumf %r#0, %most : bf16
    %b = arith.maximumf %a, %least : bf16
    %v = arith.fptosi %b : bf16 to i64
    affine.store %v, %V[%i] : memref<33xi64>
  }
  return
}

// What a byte of a mask leaves out, in a branch: of elements that are stored, and of a product's terms.
//--- masked.mlir
func.func @masked(%A: memref<40x20xf32>, %M: memref<40x20xi8>, %B: memref<20x24xf32>, %Y: memref<40x24xf32> {tt.name = "Y"}, %C: memref<40x20xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %none = arith.constant 0 : i8
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (40, 24) {
    %s = affine.for %k = 0 to 20 iter_args(%a = %zero) -> (f32) {
      %m = memref.load %M[%i, %k] : memref<40x20xi8>
      %is = arith.cmpi ne, %m, %none : i8
      %r = scf.if %is -> (f32) {
        %x = affine.load %A[%i, %k] : memref<40x20xf32>
        %y = affine.load %B[%k, %j] : memref<20x24xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %a, %p : f32
        scf.yield %t : f32
      } else {
        scf.yield %a : f32
      }
      affine.yield %r : f32
    }
    affine.store %s, %Y[%i, %j] : memref<40x24xf32>
  }
  affine.parallel (%i) = (0) to (40) {
    affine.for %j = 0 to 20 {
      affine.store %zero, %C[%i, %j] : memref<40x20xf32>
      %m = memref.load %M[%i, %j] : memref<40x20xi8>
      %is = arith.trunci %m : i8 to i1
      scf.if %is {
        %x = affine.load %A[%i, %j] : memref<40x20xf32>
        %e = math.tanh %x : f32
        affine.store %e, %C[%i, %j] : memref<40x20xf32>
      }
    }
  }
  return
}

// A histogram of what is above zero, of integers, in place.
//--- chosen.mlir
func.func @chosen(%X: memref<64xi32> {tt.range = [-1000, 1000]}, %L: memref<64xi32> {tt.range = [0, 3]}, %Y: memref<4xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %l = affine.load %L[%i] : memref<64xi32>
    %at = arith.index_cast %l : i32 to index
    %x = affine.load %X[%i] : memref<64xi32>
    %is = arith.cmpi sgt, %x, %zero : i32
    scf.if %is {
      %h = memref.load %Y[%at] : memref<4xi32>
      %n = arith.addi %h, %one : i32
      memref.store %n, %Y[%at] : memref<4xi32>
    }
  }
  return
}
