// Kernels whose steps need what others wrote, in the order that is written: sorts, places that are counted, recurrences.
// RUN: split-file %s %t
// RUN: tt-run %t/counted.mlir --check --metalium-api=2025 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/counted.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/align.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/align.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/argsort.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/argsort.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/states.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/states.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/recurrence.mlir --check --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --check-prefix=SLOW %}
// RUN: %if all %{ tt-run %t/recurrence.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/neighbors.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/neighbors.mlir --check --arch=blackhole --optimize=none 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/rows.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/rows.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/compact.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/suppress.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/scan.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/told.mlir --check 2>&1 | FileCheck %s --check-prefix=TOLD %}
// RUN: %if all %{ tt-run %t/told.mlir --check --arch=blackhole --optimize=none 2>&1 | FileCheck %s --check-prefix=TOLD %}
// RUN: %if all %{ tt-run %t/rest.mlir --check 2>&1 | FileCheck %s --check-prefix=REST %}
// RUN: %if all %{ tt-run %t/rest.mlir --check --arch=blackhole --optimize=none 2>&1 | FileCheck %s --check-prefix=REST %}
// TOLD: H: max abs error 0,{{.*}}: ok
// TOLD: O: max abs error 0,{{.*}}: ok
// TOLD: E: max abs error 0,{{.*}}: ok
// REST: Y: equal: ok
// REST: Z: equal: ok
// CHECK: {{Y: (max abs error .*|equal|.* differ, .*)}}: ok

// A counting sort: where each kind begins, and a place that is counted up as it is taken.
//--- counted.mlir
func.func @counted(%ID: memref<40xi32> {tt.range = [0, 3]}, %S: memref<40xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %cnt = memref.alloc() : memref<5xi32>
  affine.for %e = 0 to 5 { affine.store %zero, %cnt[%e] : memref<5xi32> }
  affine.for %t = 0 to 40 {
    %id = affine.load %ID[%t] : memref<40xi32>
    %next = arith.addi %id, %one : i32
    %e = arith.index_cast %next : i32 to index
    %n = memref.load %cnt[%e] : memref<5xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %cnt[%e] : memref<5xi32>
  }
  affine.for %e = 0 to 4 {
    %a = affine.load %cnt[%e + 1] : memref<5xi32>
    %b = affine.load %cnt[%e] : memref<5xi32>
    %s = arith.addi %a, %b : i32
    affine.store %s, %cnt[%e + 1] : memref<5xi32>
  }
  affine.for %t = 0 to 40 {
    %id = affine.load %ID[%t] : memref<40xi32>
    %e = arith.index_cast %id : i32 to index
    %place = memref.load %cnt[%e] : memref<5xi32>
    %p = arith.index_cast %place : i32 to index
    %ti = arith.index_cast %t : index to i32
    memref.store %ti, %S[%p] : memref<40xi32>
    %m = arith.addi %place, %one : i32
    memref.store %m, %cnt[%e] : memref<5xi32>
  }
  return
}

// Tokens sorted by their expert, each expert's from a multiple of 16 on, in one kernel that reads its own offsets.
//--- align.mlir
func.func @align(%ID: memref<48xi32> {tt.range = [0, 3]}, %Cum: memref<5xi32>, %S: memref<96xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c15 = arith.constant 15 : i32
  %c16 = arith.constant 16 : i32
  %none = arith.constant 48 : i32
  %cnt = memref.alloc() : memref<4xi32>
  affine.for %e = 0 to 4 { affine.store %zero, %cnt[%e] : memref<4xi32> }
  affine.for %t = 0 to 48 {
    %id = affine.load %ID[%t] : memref<48xi32>
    %e = arith.index_cast %id : i32 to index
    %n = memref.load %cnt[%e] : memref<4xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %cnt[%e] : memref<4xi32>
  }
  memref.store %zero, %Cum[%c0] : memref<5xi32>
  %all = affine.for %e = 0 to 4 iter_args(%sum = %zero) -> (i32) {
    %n = affine.load %cnt[%e] : memref<4xi32>
    %more = arith.addi %n, %c15 : i32
    %blocks = arith.divsi %more, %c16 : i32
    %room = arith.muli %blocks, %c16 : i32
    %s = arith.addi %sum, %room : i32
    affine.store %s, %Cum[%e + 1] : memref<5xi32>
    affine.yield %s : i32
  }
  affine.for %q = 0 to 96 { affine.store %none, %S[%q] : memref<96xi32> }
  affine.for %t = 0 to 48 {
    %id = affine.load %ID[%t] : memref<48xi32>
    %rank = affine.for %u = 0 to 48 iter_args(%n = %zero) -> (i32) {
      %other = affine.load %ID[%u] : memref<48xi32>
      %same = arith.cmpi eq, %id, %other : i32
      %before = arith.cmpi ult, %u, %t : index
      %both = arith.andi %same, %before : i1
      %m = arith.addi %n, %one : i32
      %s = arith.select %both, %m, %n : i32
      affine.yield %s : i32
    }
    %e = arith.index_cast %id : i32 to index
    %from = memref.load %Cum[%e] : memref<5xi32>
    %place = arith.addi %from, %rank : i32
    %p = arith.index_cast %place : i32 to index
    %ti = arith.index_cast %t : index to i32
    memref.store %ti, %S[%p] : memref<96xi32>
  }
  return
}

// The place of an element is how many are smaller.
//--- argsort.mlir
func.func @argsort(%X: memref<24x16xf32>, %I: memref<24x16xi32>, %Y: memref<24x16xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.parallel (%r) = (0) to (24) {
    affine.for %i = 0 to 16 {
      %x = affine.load %X[%r, %i] : memref<24x16xf32>
      %rank = affine.for %j = 0 to 16 iter_args(%n = %zero) -> (i32) {
        %y = affine.load %X[%r, %j] : memref<24x16xf32>
        %less = arith.cmpf olt, %y, %x : f32
        %same = arith.cmpf oeq, %y, %x : f32
        %before = arith.cmpi ult, %j, %i : index
        %tie = arith.andi %same, %before : i1
        %is = arith.ori %less, %tie : i1
        %m = arith.addi %n, %one : i32
        %s = arith.select %is, %m, %n : i32
        affine.yield %s : i32
      }
      %at = arith.index_cast %rank : i32 to index
      memref.store %x, %Y[%r, %at] : memref<24x16xf32>
      %ii = arith.index_cast %i : index to i32
      memref.store %ii, %I[%r, %at] : memref<24x16xi32>
    }
  }
  return
}

// A step takes what the list's entry held, and gives it another value, which is no sum.
//--- states.mlir
func.func @states(%L: memref<40xi32> {tt.range = [0, 7]}, %H: memref<8xf32> {tt.name = "H"}, %Y: memref<40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 40 {
    %l = affine.load %L[%i] : memref<40xi32>
    %k = arith.index_cast %l : i32 to index
    %old = memref.load %H[%k] : memref<8xf32>
    affine.store %old, %Y[%i] : memref<40xf32>
    %h = arith.mulf %old, %half : f32
    %new = arith.addf %h, %one : f32
    memref.store %new, %H[%k] : memref<8xf32>
  }
  return
}

// Each number is made of the two before it, in the tensor itself.
//--- recurrence.mlir
// SLOW: warning: goes on element by element, in the order that is written
// SLOW: Y: {{.*}}: ok
func.func @recurrence(%X: memref<40xf32>, %Y: memref<40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %a = arith.constant 0.5 : f32
  %b = arith.constant 0.25 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = memref.load %X[%c0] : memref<40xf32>
  memref.store %x0, %Y[%c0] : memref<40xf32>
  memref.store %x0, %Y[%c1] : memref<40xf32>
  affine.for %i = 2 to 40 {
    %x = affine.load %X[%i] : memref<40xf32>
    %p = affine.load %Y[%i - 1] : memref<40xf32>
    %q = affine.load %Y[%i - 2] : memref<40xf32>
    %ap = arith.mulf %p, %a : f32
    %bq = arith.mulf %q, %b : f32
    %s = arith.addf %ap, %bq : f32
    %y = arith.addf %s, %x : f32
    affine.store %y, %Y[%i] : memref<40xf32>
  }
  return
}

// A round of a bubble sort: what is overwritten is used after that.
//--- neighbors.mlir
func.func @neighbors(%X: memref<24xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.for %i = 0 to 23 {
    %a = affine.load %X[%i] : memref<24xf32>
    %b = affine.load %X[%i + 1] : memref<24xf32>
    %lo = arith.minimumf %a, %b : f32
    %hi = arith.maximumf %a, %b : f32
    affine.store %lo, %X[%i] : memref<24xf32>
    affine.store %hi, %X[%i + 1] : memref<24xf32>
  }
  return
}

// A triangle of equations: each unknown needs those before it; a scattered sum whose index is written twice.
//--- rows.mlir
func.func @rows(%L: memref<24x24xf32>, %B: memref<24xf32>, %Ix: memref<20xi32> {tt.range = [0, 15]}, %X: memref<20x48xf32>, %S: memref<16x48xf32> {tt.name = "S"}, %Y: memref<24xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %tenth = arith.constant 0.1 : f32
  affine.parallel (%c) = (0) to (48) {
    affine.for %r = 0 to 20 {
      %i = affine.load %Ix[%r] : memref<20xi32>
      %from = arith.index_cast %i : i32 to index
      %old = memref.load %S[%from, %c] : memref<16x48xf32>
      %x = affine.load %X[%r, %c] : memref<20x48xf32>
      %s = arith.addf %old, %x : f32
      %j = affine.load %Ix[%r] : memref<20xi32>
      %to = arith.index_cast %j : i32 to index
      memref.store %s, %S[%to, %c] : memref<16x48xf32>
    }
  }
  affine.for %i = 0 to 24 {
    %sum = affine.for %j = 0 to 24 iter_args(%s = %zero) -> (f32) {
      %l = affine.load %L[%i, %j] : memref<24x24xf32>
      %x = affine.load %Y[%j] : memref<24xf32>
      %p = arith.mulf %l, %x : f32
      %before = arith.cmpi ult, %j, %i : index
      %t = arith.select %before, %p, %zero : f32
      %n = arith.addf %s, %t : f32
      affine.yield %n : f32
    }
    %b = affine.load %B[%i] : memref<24xf32>
    %d = arith.mulf %sum, %tenth : f32
    %y = arith.subf %b, %d : f32
    affine.store %y, %Y[%i] : memref<24xf32>
  }
  return
}

// A scan in steps that double (Hillis and Steele), from one buffer to the other.
//--- scan.mlir
func.func @scan(%X: memref<2x40xf32>, %Y: memref<2x40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.constant 40 : index
  %A = memref.alloc() : memref<2x40xf32>
  %B = memref.alloc() : memref<2x40xf32>
  affine.for %r = 0 to 2 { affine.for %i = 0 to 40 {
    %x = affine.load %X[%r, %i] : memref<2x40xf32>
    affine.store %x, %A[%r, %i] : memref<2x40xf32>
  } }
  %end = scf.while (%s = %one) : (index) -> index {
    %goes = arith.cmpi slt, %s, %n : index
    scf.condition(%goes) %s : index
  } do {
  ^bb0(%s: index):
    affine.for %r = 0 to 2 { affine.for %i = 0 to 40 {
      %has = arith.cmpi sge, %i, %s : index
      %a = affine.load %A[%r, %i] : memref<2x40xf32>
      scf.if %has {
        %at = arith.subi %i, %s : index
        %b = memref.load %A[%r, %at] : memref<2x40xf32>
        %c = arith.addf %a, %b : f32
        affine.store %c, %B[%r, %i] : memref<2x40xf32>
      } else {
        affine.store %a, %B[%r, %i] : memref<2x40xf32>
      }
    } }
    affine.for %r = 0 to 2 { affine.for %i = 0 to 40 {
      %b = affine.load %B[%r, %i] : memref<2x40xf32>
      affine.store %b, %A[%r, %i] : memref<2x40xf32>
    } }
    %next = arith.muli %s, %two : index
    scf.yield %next : index
  }
  affine.for %r = 0 to 2 { affine.for %i = 0 to 40 {
    %x = affine.load %A[%r, %i] : memref<2x40xf32>
    affine.store %x, %Y[%r, %i] : memref<2x40xf32>
  } }
  return
}

// What is above zero, one behind the other, and how many there are: the place is a number that the loop carries.
//--- compact.mlir
func.func @compact(%X: memref<40xf32>, %N: memref<1xi32>, %Y: memref<40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 40 { affine.store %zero, %Y[%i] : memref<40xf32> }
  %all = affine.for %i = 0 to 40 iter_args(%n = %none) -> (i32) {
    %x = affine.load %X[%i] : memref<40xf32>
    %above = arith.cmpf ogt, %x, %zero : f32
    %next = scf.if %above -> (i32) {
      %at = arith.index_cast %n : i32 to index
      memref.store %x, %Y[%at] : memref<40xf32>
      %m = arith.addi %n, %one : i32
      scf.yield %m : i32
    } else {
      scf.yield %n : i32
    }
    affine.yield %next : i32
  }
  memref.store %all, %N[%c0] : memref<1xi32>
  return
}

// Boxes that an earlier one, which stands, covers: whether one stands is read and written by the steps.
//--- suppress.mlir
func.func @suppress(%S: memref<12x12xf32>, %K: memref<12xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 12 { affine.store %one, %K[%i] : memref<12xf32> }
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 12 {
      %s = affine.load %S[%i, %j] : memref<12x12xf32>
      %k = affine.load %K[%i] : memref<12xf32>
      %covers = arith.cmpf ogt, %s, %half : f32
      %stands = arith.cmpf ogt, %k, %zero : f32
      %later = arith.cmpi ugt, %j, %i : index
      %a = arith.andi %covers, %stands : i1
      %b = arith.andi %a, %later : i1
      scf.if %b {
        affine.store %zero, %K[%j] : memref<12xf32>
      }
    }
  }
  return
}

// Rows, and elements, that a list names: what was there before is told, then changed; -1 is none, whose result stays.
//--- told.mlir
func.func @told(%L: memref<12xi32> {tt.range = [-1, 5]}, %X: memref<12x40xf32>, %S: memref<6xf32>, %H: memref<6x40xf32> {tt.name = "H"}, %O: memref<12x40xf32> {tt.name = "O"}, %E: memref<12xf32> {tt.name = "E"}) attributes {tt.kernel} {
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 12 {
    %l = affine.load %L[%i] : memref<12xi32>
    %is = arith.cmpi sge, %l, %zero : i32
    scf.if %is {
      %k = arith.index_cast %l : i32 to index
      %e = memref.load %S[%k] : memref<6xf32>
      affine.store %e, %E[%i] : memref<12xf32>
      affine.for %j = 0 to 40 {
        %old = memref.load %H[%k, %j] : memref<6x40xf32>
        affine.store %old, %O[%i, %j] : memref<12x40xf32>
        %x = affine.load %X[%i, %j] : memref<12x40xf32>
        %d = arith.subf %x, %old : f32
        memref.store %d, %H[%k, %j] : memref<6x40xf32>
      }
    }
  }
  return
}

// Rows of a grid whose last cell has fewer, each a recurrence; the least of i64 that say nothing, from the first of them on.
//--- rest.mlir
func.func @rest(%X: memref<33x12xi32>, %W: memref<33x12xi64>, %Y: memref<33x12xi32> {tt.name = "Y"}, %Z: memref<33xi64> {tt.name = "Z"}) attributes {tt.kernel} {
  %three = arith.constant 3 : i32
  affine.parallel (%r) = (0) to (33) {
    affine.for %i = 1 to 12 {
      %x = affine.load %X[%r, %i] : memref<33x12xi32>
      %y = affine.load %Y[%r, %i - 1] : memref<33x12xi32>
      %p = arith.muli %y, %three : i32
      %s = arith.addi %p, %x : i32
      affine.store %s, %Y[%r, %i] : memref<33x12xi32>
    }
    %first = affine.load %W[%r, 0] : memref<33x12xi64>
    %least = affine.for %i = 1 to 12 iter_args(%m = %first) -> (i64) {
      %w = affine.load %W[%r, %i] : memref<33x12xi64>
      %n = arith.minsi %m, %w : i64
      affine.yield %n : i64
    }
    affine.store %least, %Z[%r] : memref<33xi64>
  }
  return
}
