// Loops over elements that do not all become one op: a state that goes on from step to step, sums
// that loops in each other carry, and numbers that a core computes between its loops.
// RUN: split-file %s %t
// RUN: tt-run %t/scan.mlir --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/scan.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/groups.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/groups.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/horner.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/branches.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/entropy.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/flash.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/listed.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/permute.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/cumsum.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/mean.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/paged.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/carried.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/labels.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/diagonal.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/bytes.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// CHECK: Y: max abs error {{.*}}: ok
// RUN: %if all %{ tt-run %t/first.mlir --check --arch=blackhole 2>&1 | \
// RUN:   FileCheck %s --check-prefix=FIRST %}
// FIRST: Y: equal: ok
// RUN: %if all %{ tt-run %t/largest.mlir --check 2>&1 | FileCheck %s --check-prefix=LARGEST %}
// LARGEST: W: max abs error 0, {{.*}}: ok
// LARGEST: I: equal: ok

// The scan of a state-space model: time is gone through step by step, with the state in a buffer.
//--- scan.mlir
func.func @scan(%X: memref<12x64xf32>, %DT: memref<12x64xf32>, %A: memref<64x16xf32>, %B: memref<12x16xf32>, %C: memref<12x16xf32>, %Y: memref<12x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%p) = (0) to (2) {
    %h = memref.alloc() : memref<32x16xf32, #gpu.address_space<private>>
    affine.for %i = 0 to 32 {
      affine.for %n = 0 to 16 {
        affine.store %zero, %h[%i, %n] : memref<32x16xf32, #gpu.address_space<private>>
      }
    }
    affine.for %t = 0 to 12 {
      affine.for %i = 0 to 32 {
        %dt = affine.load %DT[%t, %p * 32 + %i] : memref<12x64xf32>
        %x = affine.load %X[%t, %p * 32 + %i] : memref<12x64xf32>
        %dx = arith.mulf %dt, %x : f32
        %y = affine.for %n = 0 to 16 iter_args(%s = %zero) -> (f32) {
          %a = affine.load %A[%p * 32 + %i, %n] : memref<64x16xf32>
          %old = affine.load %h[%i, %n] : memref<32x16xf32, #gpu.address_space<private>>
          %b = affine.load %B[%t, %n] : memref<12x16xf32>
          %c = affine.load %C[%t, %n] : memref<12x16xf32>
          %da = arith.mulf %dt, %a : f32
          %size = math.absf %da : f32
          %less = arith.negf %size : f32
          %decay = math.exp %less : f32
          %kept = arith.mulf %decay, %old : f32
          %in = arith.mulf %dx, %b : f32
          %new = arith.addf %kept, %in : f32
          affine.store %new, %h[%i, %n] : memref<32x16xf32, #gpu.address_space<private>>
          %out = arith.mulf %new, %c : f32
          %next = arith.addf %s, %out : f32
          affine.yield %next : f32
        }
        affine.store %y, %Y[%t, %p * 32 + %i] : memref<12x64xf32>
      }
    }
  }
  return
}

// Norms of groups of channels: a cell has sums over all of its block, and what is made of them.
//--- groups.mlir
func.func @groups(%X: memref<2x32x96xf32>, %W: memref<32xf32>, %Y: memref<2x32x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 768.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  affine.parallel (%b, %g) = (0, 0) to (2, 4) {
    %sum = affine.for %c = 0 to 8 iter_args(%s0 = %zero) -> (f32) {
      %r = affine.for %i = 0 to 96 iter_args(%s = %s0) -> (f32) {
        %x = affine.load %X[%b, %g * 8 + %c, %i] : memref<2x32x96xf32>
        %t = arith.addf %s, %x : f32
        affine.yield %t : f32
      }
      affine.yield %r : f32
    }
    %mean = arith.divf %sum, %n : f32
    %squares = affine.for %c = 0 to 8 iter_args(%s0 = %zero) -> (f32) {
      %r = affine.for %i = 0 to 96 iter_args(%s = %s0) -> (f32) {
        %x = affine.load %X[%b, %g * 8 + %c, %i] : memref<2x32x96xf32>
        %d = arith.subf %x, %mean : f32
        %q = arith.mulf %d, %d : f32
        %t = arith.addf %s, %q : f32
        affine.yield %t : f32
      }
      affine.yield %r : f32
    }
    %var = arith.divf %squares, %n : f32
    %e = arith.addf %var, %eps : f32
    %scale = math.rsqrt %e : f32
    affine.for %c = 0 to 8 {
      %w = affine.load %W[%g * 8 + %c] : memref<32xf32>
      affine.for %i = 0 to 96 {
        %x = affine.load %X[%b, %g * 8 + %c, %i] : memref<2x32x96xf32>
        %d = arith.subf %x, %mean : f32
        %u = arith.mulf %d, %scale : f32
        %y = arith.mulf %u, %w : f32
        affine.store %y, %Y[%b, %g * 8 + %c, %i] : memref<2x32x96xf32>
      }
    }
  }
  return
}

// A carried number that is no sum of terms, of sums that are: s = s * 0.5 + the sum of a row.
//--- horner.mlir
func.func @horner(%X: memref<6x64xf32>, %Y: memref<4xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %s = affine.for %i = 0 to 6 iter_args(%a = %zero) -> (f32) {
    %row = affine.for %j = 0 to 64 iter_args(%r = %zero) -> (f32) {
      %x = affine.load %X[%i, %j] : memref<6x64xf32>
      %t = arith.addf %r, %x : f32
      affine.yield %t : f32
    }
    %b = arith.mulf %a, %half : f32
    %next = arith.addf %b, %row : f32
    affine.yield %next : f32
  }
  affine.for %k = 0 to 4 {
    affine.store %s, %Y[%k] : memref<4xf32>
  }
  return
}

// What a loop carries is stored in each of its steps.
//--- cumsum.mlir
func.func @cumsum(%A: memref<32x16xf32>, %C: memref<32x16xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i) = (0) to (32) {
    %r = affine.for %j = 0 to 16 iter_args(%s = %zero) -> (f32) {
      %a = affine.load %A[%i, %j] : memref<32x16xf32>
      %t = arith.addf %s, %a : f32
      affine.store %t, %C[%i, %j] : memref<32x16xf32>
      affine.yield %t : f32
    }
  }
  return
}

// Dimensions in another order: what is outside of the results' matrices stays with the grid.
//--- permute.mlir
func.func @permute(%X: memref<2x40x4x32xbf16>, %Y: memref<2x4x40x32xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%b, %t, %h, %d) = (0, 0, 0, 0) to (2, 40, 4, 32) {
    %v = affine.load %X[%b, %t, %h, %d] : memref<2x40x4x32xbf16>
    affine.store %v, %Y[%b, %h, %t, %d] : memref<2x4x40x32xbf16>
  }
  return
}

// The two largest of each row and where they are, one after the other.
//--- largest.mlir
func.func @largest(%X: memref<32x64xf32>, %W: memref<32x2xf32> {tt.name = "W"}, %I: memref<32x2xi32> {tt.name = "I"}) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %big = arith.constant 1000 : i32
  %c2 = arith.constant 2 : index
  %tmp = memref.alloc() : memref<32x64xf32>
  memref.copy %X, %tmp : memref<32x64xf32> to memref<32x64xf32>
  affine.for %k = 0 to 2 {
    affine.for %i = 0 to 32 {
      %m = affine.for %j = 0 to 64 iter_args(%s = %low) -> (f32) {
        %x = affine.load %tmp[%i, %j] : memref<32x64xf32>
        %n = arith.maximumf %s, %x : f32
        affine.yield %n : f32
      }
      %idx = affine.for %j = 0 to 64 iter_args(%s = %big) -> (i32) {
        %x = affine.load %tmp[%i, %j] : memref<32x64xf32>
        %is = arith.cmpf oeq, %x, %m : f32
        %ji = arith.index_cast %j : index to i32
        %c = arith.select %is, %ji, %big : i32
        %n = arith.minsi %s, %c : i32
        affine.yield %n : i32
      }
      affine.store %m, %W[%i, %k] : memref<32x2xf32>
      affine.store %idx, %I[%i, %k] : memref<32x2xi32>
      affine.for %j = 0 to 64 {
        %x = affine.load %tmp[%i, %j] : memref<32x64xf32>
        %ji = arith.index_cast %j : index to i32
        %is = arith.cmpi eq, %ji, %idx : i32
        %v = arith.select %is, %low, %x : f32
        affine.store %v, %tmp[%i, %j] : memref<32x64xf32>
      }
    }
  }
  return
}

// Cross entropy and its gradient: of each row, the element that its label says.
//--- labels.mlir
func.func @labels(%X: memref<32x96xf32>, %L: memref<32xi32> {tt.range = [0, 95]}, %LOSS: memref<32xf32>, %dX: memref<32x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  affine.parallel (%i) = (0) to (32) {
    %m = affine.for %j = 0 to 96 iter_args(%s = %low) -> (f32) {
      %x = affine.load %X[%i, %j] : memref<32x96xf32>
      %n = arith.maximumf %s, %x : f32
      affine.yield %n : f32
    }
    %d = affine.for %j = 0 to 96 iter_args(%s = %z) -> (f32) {
      %x = affine.load %X[%i, %j] : memref<32x96xf32>
      %y = arith.subf %x, %m : f32
      %e = math.exp %y : f32
      %n = arith.addf %s, %e : f32
      affine.yield %n : f32
    }
    %l = affine.load %L[%i] : memref<32xi32>
    %li = arith.index_cast %l : i32 to index
    %xl = memref.load %X[%i, %li] : memref<32x96xf32>
    %lg = math.log %d : f32
    %a = arith.addf %lg, %m : f32
    %loss = arith.subf %a, %xl : f32
    affine.store %loss, %LOSS[%i] : memref<32xf32>
    affine.for %j = 0 to 96 {
      %x = affine.load %X[%i, %j] : memref<32x96xf32>
      %y = arith.subf %x, %m : f32
      %e = math.exp %y : f32
      %p = arith.divf %e, %d : f32
      %ji = arith.index_cast %j : index to i32
      %is = arith.cmpi eq, %ji, %l : i32
      %t = arith.select %is, %one, %z : f32
      %g = arith.subf %p, %t : f32
      affine.store %g, %dX[%i, %j] : memref<32x96xf32>
    }
  }
  return
}

// A query over pages that a table names, with the result as the sum.
//--- paged.mlir
func.func @paged(%Q: memref<2x64xbf16>, %K: memref<8x32x2x64xbf16>, %V: memref<8x32x2x64xbf16>, %T: memref<4xi32> {tt.range = [0, 7]}, %O: memref<2x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %low = arith.constant -1.0e30 : f32
  %z = arith.constant 0.0 : f32
  %sc = arith.constant 0.125 : f32
  affine.parallel (%h) = (0) to (2) {
    %s = memref.alloc() : memref<128xf32, #gpu.address_space<private>>
    affine.for %p = 0 to 4 {
      %pi = affine.load %T[%p] : memref<4xi32>
      %pg = arith.index_cast %pi : i32 to index
      affine.for %j = 0 to 32 {
        %d = affine.for %e = 0 to 64 iter_args(%a = %z) -> (f32) {
          %q = affine.load %Q[%h, %e] : memref<2x64xbf16>
          %k = memref.load %K[%pg, %j, %h, %e] : memref<8x32x2x64xbf16>
          %qf = arith.extf %q : bf16 to f32
          %kf = arith.extf %k : bf16 to f32
          %m = arith.mulf %qf, %kf : f32
          %n = arith.addf %a, %m : f32
          affine.yield %n : f32
        }
        %ds = arith.mulf %d, %sc : f32
        affine.store %ds, %s[%p * 32 + %j] : memref<128xf32, #gpu.address_space<private>>
      }
    }
    %m = affine.for %j = 0 to 128 iter_args(%a = %low) -> (f32) {
      %x = affine.load %s[%j] : memref<128xf32, #gpu.address_space<private>>
      %n = arith.maximumf %a, %x : f32
      affine.yield %n : f32
    }
    %l = affine.for %j = 0 to 128 iter_args(%a = %z) -> (f32) {
      %x = affine.load %s[%j] : memref<128xf32, #gpu.address_space<private>>
      %y = arith.subf %x, %m : f32
      %e = math.exp %y : f32
      affine.store %e, %s[%j] : memref<128xf32, #gpu.address_space<private>>
      %n = arith.addf %a, %e : f32
      affine.yield %n : f32
    }
    affine.for %e = 0 to 64 {
      affine.store %z, %O[%h, %e] : memref<2x64xf32>
    }
    affine.for %p = 0 to 4 {
      %pi = affine.load %T[%p] : memref<4xi32>
      %pg = arith.index_cast %pi : i32 to index
      affine.for %j = 0 to 32 {
        affine.for %e = 0 to 64 {
          %v = memref.load %V[%pg, %j, %h, %e] : memref<8x32x2x64xbf16>
          %vf = arith.extf %v : bf16 to f32
          %x = affine.load %s[%p * 32 + %j] : memref<128xf32, #gpu.address_space<private>>
          %o = affine.load %O[%h, %e] : memref<2x64xf32>
          %t = arith.mulf %x, %vf : f32
          %n = arith.addf %o, %t : f32
          affine.store %n, %O[%h, %e] : memref<2x64xf32>
        }
      }
    }
    affine.for %e = 0 to 64 {
      %o = affine.load %O[%h, %e] : memref<2x64xf32>
      %n = arith.divf %o, %l : f32
      affine.store %n, %O[%h, %e] : memref<2x64xf32>
    }
  }
  return
}

// A mean that moves along each row: a step of all rows after the other.
//--- mean.mlir
func.func @mean(%X: memref<64x24xf32>, %Y: memref<64x24xf32> {tt.name = "Y"}, %L: memref<64xf32>) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  affine.parallel (%i) = (0) to (64) {
    %r = affine.for %j = 0 to 24 iter_args(%s = %z) -> (f32) {
      %x = affine.load %X[%i, %j] : memref<64x24xf32>
      %d = arith.subf %x, %s : f32
      %e = arith.mulf %d, %half : f32
      %n = arith.addf %s, %e : f32
      affine.store %n, %Y[%i, %j] : memref<64x24xf32>
      affine.yield %n : f32
    }
    affine.store %r, %L[%i] : memref<64xf32>
  }
  return
}

// What lies on a diagonal of each head, from its rows.
//--- diagonal.mlir
func.func @diagonal(%A: memref<2x40x48xbf16>, %Y: memref<2x40x48xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%b) = (0) to (2) {
    affine.for %i = 0 to 40 {
      %d = affine.load %A[%b, %i, %i + 5] : memref<2x40x48xbf16>
      affine.for %j = 0 to 48 {
        %a = affine.load %A[%b, %i, %j] : memref<2x40x48xbf16>
        %s = arith.subf %a, %d : bf16
        affine.store %s, %Y[%b, %i, %j] : memref<2x40x48xbf16>
      }
    }
  }
  return
}

// Labels of bytes in rows that are longer than bytes count.
//--- bytes.mlir
func.func @bytes(%X: memref<32x300xf32>, %L: memref<32xi8> {tt.range = [0, 95]}, %Y: memref<32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%i) = (0) to (32) {
    %l = affine.load %L[%i] : memref<32xi8>
    %w = arith.extsi %l : i8 to i32
    %at = arith.index_cast %w : i32 to index
    %x = memref.load %X[%i, %at] : memref<32x300xf32>
    affine.store %x, %Y[%i] : memref<32xf32>
  }
  return
}

// Where the first element above a threshold is, and -1 where there is none.
//--- first.mlir
func.func @first(%X: memref<32x12xf32>, %T: memref<32xf32>, %Y: memref<32xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %f = arith.constant false
  %true = arith.constant true
  %none = arith.constant -1 : i32
  %c0 = arith.constant 0 : index
  affine.parallel (%i) = (0) to (32) {
    %t = affine.load %T[%i] : memref<32xf32>
    %r:2 = affine.for %j = 0 to 12 iter_args(%p = %f, %at = %c0) -> (i1, index) {
      %x = affine.load %X[%i, %j] : memref<32x12xf32>
      %is = arith.cmpf ogt, %x, %t : f32
      %not = arith.xori %p, %true : i1
      %now = arith.andi %is, %not : i1
      %n:2 = scf.if %now -> (i1, index) {
        scf.yield %true, %j : i1, index
      } else {
        scf.yield %p, %at : i1, index
      }
      affine.yield %n#0, %n#1 : i1, index
    }
    %q = arith.index_cast %r#1 : index to i32
    %w = arith.select %r#0, %q, %none : i32
    affine.store %w, %Y[%i] : memref<32xi32>
  }
  return
}

// A number for each element is carried over pages that a table names: a page is read once for all elements.
//--- carried.mlir
func.func @carried(%S: memref<48xf32> {tt.name = "S"}, %V: memref<6x16x32xf32> {tt.name = "V"}, %T: memref<3xi32> {tt.name = "T", tt.range = [0, 5]}, %Y: memref<32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.for %e = 0 to 32 {
    %o = affine.for %p = 0 to 3 iter_args(%a = %zero) -> (f32) {
      %pg = affine.load %T[%p] : memref<3xi32>
      %pi = arith.index_cast %pg : i32 to index
      %o1 = affine.for %j = 0 to 16 iter_args(%c = %a) -> (f32) {
        %x = affine.load %S[%p * 16 + %j] : memref<48xf32>
        %v = memref.load %V[%pi, %j, %e] : memref<6x16x32xf32>
        %m = arith.mulf %x, %v : f32
        %t = arith.addf %c, %m : f32
        affine.yield %t : f32
      }
      affine.yield %o1 : f32
    }
    affine.store %o, %Y[%e] : memref<32xf32>
  }
  return
}

// Rows that a label marks become zero, all others are normalized: loops in a branch that elements decide.
//--- branches.mlir
func.func @branches(%X: memref<40x64xf32>, %L: memref<40xi32> {tt.range = [-1, 95]}, %Y: memref<40x64xf32> {tt.name = "Y"}, %Z: memref<40xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %ign = arith.constant -1 : i32
  affine.parallel (%i) = (0) to (40) {
    %l = affine.load %L[%i] : memref<40xi32>
    %is = arith.cmpi eq, %l, %ign : i32
    scf.if %is {
      affine.for %j = 0 to 64 {
        affine.store %zero, %Y[%i, %j] : memref<40x64xf32>
      }
      affine.store %zero, %Z[%i] : memref<40xf32>
    } else {
      %s = affine.for %j = 0 to 64 iter_args(%t = %zero) -> (f32) {
        %x = affine.load %X[%i, %j] : memref<40x64xf32>
        %q = arith.mulf %x, %x : f32
        %y = arith.addf %t, %q : f32
        affine.yield %y : f32
      }
      %r = math.rsqrt %s : f32
      affine.for %j = 0 to 64 {
        %x = affine.load %X[%i, %j] : memref<40x64xf32>
        %y = arith.mulf %x, %r : f32
        affine.store %y, %Y[%i, %j] : memref<40x64xf32>
      }
      affine.store %s, %Z[%i] : memref<40xf32>
    }
  }
  return
}

// A cross entropy in one pass, whose gradient replaces the logits, in a branch.
//--- entropy.mlir
func.func @entropy(%X: memref<40x64xf32> {tt.name = "Y"}, %L: memref<40xi32> {tt.range = [-1, 63]}, %LOSS: memref<40xf32> {tt.name = "Z"}, %n: f32) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ign = arith.constant -1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c40) step (%c1) {
    %y = memref.load %L[%i] : memref<40xi32>
    %is = arith.cmpi eq, %y, %ign : i32
    scf.if %is {
      scf.for %j = %c0 to %c64 step %c1 {
        memref.store %zero, %X[%i, %j] : memref<40x64xf32>
      }
      memref.store %zero, %LOSS[%i] : memref<40xf32>
    } else {
      %yi = arith.index_cast %y : i32 to index
      %xy = memref.load %X[%i, %yi] : memref<40x64xf32>
      %md:2 = scf.for %j = %c0 to %c64 step %c1 iter_args(%m = %low, %d = %zero) -> (f32, f32) {
        %x = memref.load %X[%i, %j] : memref<40x64xf32>
        %mn = arith.maximumf %m, %x : f32
        %a = arith.subf %m, %mn : f32
        %ea = math.exp %a : f32
        %d1 = arith.mulf %d, %ea : f32
        %b = arith.subf %x, %mn : f32
        %eb = math.exp %b : f32
        %d2 = arith.addf %d1, %eb : f32
        scf.yield %mn, %d2 : f32, f32
      }
      %lg = math.log %md#1 : f32
      %lse = arith.addf %md#0, %lg : f32
      scf.for %j = %c0 to %c64 step %c1 {
        %x = memref.load %X[%i, %j] : memref<40x64xf32>
        %b = arith.subf %x, %md#0 : f32
        %e = math.exp %b : f32
        %p = arith.divf %e, %md#1 : f32
        %eq = arith.cmpi eq, %j, %yi : index
        %pm = arith.subf %p, %one : f32
        %g = arith.select %eq, %pm, %p : f32
        %gn = arith.divf %g, %n : f32
        memref.store %gn, %X[%i, %j] : memref<40x64xf32>
      }
      %l = arith.subf %lse, %xy : f32
      %ln = arith.divf %l, %n : f32
      memref.store %ln, %LOSS[%i] : memref<40xf32>
    }
    scf.reduce
  }
  return
}

// The largest product of a query and the keys of its pages, up to its length, which a loop over the pages carries.
//--- listed.mlir
func.func @listed(%Q: memref<8x64xf32>, %K: memref<12x16x64xf32>, %T: memref<8x4xi32> {tt.range = [0, 11]}, %L: memref<8xi32> {tt.range = [1, 64]}, %O: memref<8xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%b) = (%c0) to (%c8) step (%c1) {
    %l32 = memref.load %L[%b] : memref<8xi32>
    %len = arith.index_cast %l32 : i32 to index
    %ml = scf.for %p = %c0 to %c4 step %c1 iter_args(%m = %low) -> (f32) {
      %t32 = memref.load %T[%b, %p] : memref<8x4xi32>
      %t = arith.index_cast %t32 : i32 to index
      %base = arith.muli %p, %c16 : index
      %mp = scf.for %r = %c0 to %c16 step %c1 iter_args(%mm = %m) -> (f32) {
        %pos = arith.addi %base, %r : index
        %in = arith.cmpi ult, %pos, %len : index
        %dot = scf.for %e = %c0 to %c64 step %c1 iter_args(%a = %zero) -> (f32) {
          %q = memref.load %Q[%b, %e] : memref<8x64xf32>
          %k = memref.load %K[%t, %r, %e] : memref<12x16x64xf32>
          %x = arith.mulf %q, %k : f32
          %y = arith.addf %a, %x : f32
          scf.yield %y : f32
        }
        %w = arith.select %in, %dot, %low : f32
        %n = arith.maximumf %mm, %w : f32
        scf.yield %n : f32
      }
      scf.yield %mp : f32
    }
    memref.store %ml, %O[%b] : memref<8xf32>
    scf.reduce
  }
  return
}

// Flash attention, element by element: blocks up to the diagonal, running maxima and sums.
//--- flash.mlir
func.func @flash(%Q: memref<64x64xf32>, %K: memref<64x64xf32>, %V: memref<64x64xf32>, %O: memref<64x64xf32> {tt.name = "Y"}, %LSE: memref<64xf32> {tt.name = "L"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  affine.parallel (%qb) = (0) to (2) {
    %s = memref.alloca() : memref<32x32xf32>
    %acc = memref.alloca() : memref<32x64xf32>
    %m = memref.alloca() : memref<32xf32>
    %l = memref.alloca() : memref<32xf32>
    affine.for %i = 0 to 32 {
      affine.store %low, %m[%i] : memref<32xf32>
      affine.store %zero, %l[%i] : memref<32xf32>
      affine.for %d = 0 to 64 {
        affine.store %zero, %acc[%i, %d] : memref<32x64xf32>
      }
    }
    affine.for %kb = 0 to affine_map<(d) -> (d + 1)>(%qb) {
      affine.for %i = 0 to 32 {
        affine.for %j = 0 to 32 {
          %dot = affine.for %d = 0 to 64 iter_args(%a = %zero) -> (f32) {
            %q = affine.load %Q[%qb * 32 + %i, %d] : memref<64x64xf32>
            %k = affine.load %K[%kb * 32 + %j, %d] : memref<64x64xf32>
            %x = arith.mulf %q, %k : f32
            %y = arith.addf %a, %x : f32
            affine.yield %y : f32
          }
          %sc = arith.mulf %dot, %scale : f32
          %qi = affine.apply affine_map<(a, b) -> (a * 32 + b)>(%qb, %i)
          %kj = affine.apply affine_map<(a, b) -> (a * 32 + b)>(%kb, %j)
          %in = arith.cmpi sge, %qi, %kj : index
          %w = arith.select %in, %sc, %low : f32
          affine.store %w, %s[%i, %j] : memref<32x32xf32>
        }
      }
      affine.for %i = 0 to 32 {
        %m0 = affine.load %m[%i] : memref<32xf32>
        %mn = affine.for %j = 0 to 32 iter_args(%a = %m0) -> (f32) {
          %x = affine.load %s[%i, %j] : memref<32x32xf32>
          %y = arith.maximumf %a, %x : f32
          affine.yield %y : f32
        }
        %df = arith.subf %m0, %mn : f32
        %alpha = math.exp %df : f32
        %sum = affine.for %j = 0 to 32 iter_args(%a = %zero) -> (f32) {
          %x = affine.load %s[%i, %j] : memref<32x32xf32>
          %y = arith.subf %x, %mn : f32
          %e = math.exp %y : f32
          affine.store %e, %s[%i, %j] : memref<32x32xf32>
          %z = arith.addf %a, %e : f32
          affine.yield %z : f32
        }
        %l0 = affine.load %l[%i] : memref<32xf32>
        %l1 = arith.mulf %l0, %alpha : f32
        %l2 = arith.addf %l1, %sum : f32
        affine.store %l2, %l[%i] : memref<32xf32>
        affine.store %mn, %m[%i] : memref<32xf32>
        affine.for %d = 0 to 64 {
          %o = affine.load %acc[%i, %d] : memref<32x64xf32>
          %o1 = arith.mulf %o, %alpha : f32
          %pv = affine.for %j = 0 to 32 iter_args(%a = %o1) -> (f32) {
            %w = affine.load %s[%i, %j] : memref<32x32xf32>
            %v = affine.load %V[%kb * 32 + %j, %d] : memref<64x64xf32>
            %x = arith.mulf %w, %v : f32
            %y = arith.addf %a, %x : f32
            affine.yield %y : f32
          }
          affine.store %pv, %acc[%i, %d] : memref<32x64xf32>
        }
      }
    }
    affine.for %i = 0 to 32 {
      %l0 = affine.load %l[%i] : memref<32xf32>
      %m0 = affine.load %m[%i] : memref<32xf32>
      affine.for %d = 0 to 64 {
        %o = affine.load %acc[%i, %d] : memref<32x64xf32>
        %y = arith.divf %o, %l0 : f32
        affine.store %y, %O[%qb * 32 + %i, %d] : memref<64x64xf32>
      }
      %lg = math.log %l0 : f32
      %lse = arith.addf %m0, %lg : f32
      affine.store %lse, %LSE[%qb * 32 + %i] : memref<64xf32>
    }
  }
  return
}
