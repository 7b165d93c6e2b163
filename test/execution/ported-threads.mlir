// Kernels of GPUs whose threads keep numbers of their own, whose steps lie in steps, and whose blocks are wider than what
// is loaded into them.
// RUN: split-file %s %t
// RUN: tt-run %t/alike.mlir --check --strict 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/alike.mlir --check --strict --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/backward.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/backward.mlir --check --arch=blackhole --metalium-api=2026-03 \
// RUN:  2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/signs.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/signs.mlir --check --arch=blackhole --metalium-api=2026-08 \
// RUN:  2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/counted.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/counted.mlir --check --arch=blackhole --metalium-api=2025 \
// RUN:  2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/rescaled.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/rescaled.mlir --check --arch=blackhole --metalium-api=2026-03 \
// RUN:  2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/found.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/found.mlir --check --arch=blackhole --metalium-api=2026-08 \
// RUN:  2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/updated.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/updated.mlir --check --arch=blackhole --metalium-api=2025 \
// RUN:  2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/paged.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/paged.mlir --check --arch=blackhole --metalium-api=2026-03 \
// RUN:  2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/experts.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/experts.mlir --check --arch=blackhole --metalium-api=2026-08 \
// RUN:  2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/bags.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/bags.mlir --check --arch=blackhole --metalium-api=2025 \
// RUN:  2>&1 | FileCheck %s %}
// RUN: tt-run %t/wide.mlir --check --metalium-api=2025 --shape A=64x100 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/wide.mlir --check --arch=blackhole --metalium-api=2026-03 \
// RUN:   --shape A=64x100 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/narrow.mlir --check --metalium-api=2026-03 --shape A=45x70 --shape Y=45x70 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/narrow.mlir --check --arch=blackhole --metalium-api=2026-08 \
// RUN:   --shape A=45x70 --shape Y=45x70 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/chunk.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/chunk.mlir --check --arch=blackhole --metalium-api=2026-03 \
// RUN:  2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/sparse.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/sparse.mlir --check --arch=blackhole --metalium-api=2026-08 \
// RUN:  2>&1 | FileCheck %s %}
// CHECK: {{Y: (max abs error .*|equal)}}: ok

// The gradient of a group norm: sums over channels and places of products that are none of matrices.
//--- backward.mlir
func.func @gnbwd(%X: memref<2x8x32xf32>, %DY: memref<2x8x32xf32>, %W: memref<8xf32>, %M: memref<2x2xf32>, %R: memref<2x2xf32> , %DX: memref<2x8x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 128.0 : f32
  affine.parallel (%b, %g) = (0, 0) to (2, 2) {
    %mu = affine.load %M[%b, %g] : memref<2x2xf32>
    %rs = affine.load %R[%b, %g] : memref<2x2xf32>
    %s:2 = affine.for %c = 0 to 4 iter_args(%p = %zero, %q = %zero) -> (f32, f32) {
      %w = affine.load %W[%g * 4 + %c] : memref<8xf32>
      %t:2 = affine.for %i = 0 to 32 iter_args(%p2 = %p, %q2 = %q) -> (f32, f32) {
        %x = affine.load %X[%b, %g * 4 + %c, %i] : memref<2x8x32xf32>
        %dy = affine.load %DY[%b, %g * 4 + %c, %i] : memref<2x8x32xf32>
        %xc = arith.subf %x, %mu : f32
        %xh = arith.mulf %xc, %rs : f32
        %wd = arith.mulf %w, %dy : f32
        %wx = arith.mulf %wd, %xh : f32
        %p3 = arith.addf %p2, %wd : f32
        %q3 = arith.addf %q2, %wx : f32
        affine.yield %p3, %q3 : f32, f32
      }
      affine.yield %t#0, %t#1 : f32, f32
    }
    %m1 = arith.divf %s#0, %n : f32
    %m2 = arith.divf %s#1, %n : f32
    affine.for %c = 0 to 4 {
      %w = affine.load %W[%g * 4 + %c] : memref<8xf32>
      affine.for %i = 0 to 32 {
        %x = affine.load %X[%b, %g * 4 + %c, %i] : memref<2x8x32xf32>
        %dy = affine.load %DY[%b, %g * 4 + %c, %i] : memref<2x8x32xf32>
        %xc = arith.subf %x, %mu : f32
        %xh = arith.mulf %xc, %rs : f32
        %wd = arith.mulf %w, %dy : f32
        %a = arith.subf %wd, %m1 : f32
        %xm = arith.mulf %xh, %m2 : f32
        %d = arith.subf %a, %xm : f32
        %r = arith.mulf %d, %rs : f32
        affine.store %r, %DX[%b, %g * 4 + %c, %i] : memref<2x8x32xf32>
      }
    }
  }
  return
}

// A Hadamard transform, whose signs are the parity of bits.
//--- signs.mlir
func.func @hadamard(%X: memref<32x32xf32>, %Y: memref<32x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %mone = arith.constant -1.0 : f32
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  affine.parallel (%i, %j) = (0, 0) to (32, 32) {
    %ji = arith.index_cast %j : index to i32
    %s = affine.for %k = 0 to 32 iter_args(%a = %zero) -> (f32) {
      %x = affine.load %X[%i, %k] : memref<32x32xf32>
      %ki = arith.index_cast %k : index to i32
      %b = arith.andi %ki, %ji : i32
      %pc = math.ctpop %b : i32
      %par = arith.andi %pc, %c1 : i32
      %z = arith.cmpi eq, %par, %c0 : i32
      %sg = arith.select %z, %one, %mone : f32
      %t = arith.mulf %x, %sg : f32
      %n = arith.addf %a, %t : f32
      affine.yield %n : f32
    }
    affine.store %s, %Y[%i, %j] : memref<32x32xf32>
  }
  return
}

// Bits that are set, and those in front of the first and behind the last one.
//--- counted.mlir
func.func @bits(%A: memref<32x16xi32>, %B: memref<32x16xi8>, %Y: memref<32x16xi32> {tt.name = "Y"}, %Z: memref<32x16xi8> {tt.name = "Z"}) attributes {tt.kernel} {
  affine.parallel (%i, %j) = (0, 0) to (32, 16) {
    %a = affine.load %A[%i, %j] : memref<32x16xi32>
    %p = math.ctpop %a : i32
    %l = math.ctlz %a : i32
    %t = math.cttz %a : i32
    %c = arith.constant 100 : i32
    %d = arith.constant 10000 : i32
    %lm = arith.muli %l, %c : i32
    %tm = arith.muli %t, %d : i32
    %s = arith.addi %p, %lm : i32
    %u = arith.addi %s, %tm : i32
    affine.store %u, %Y[%i, %j] : memref<32x16xi32>
    %b = affine.load %B[%i, %j] : memref<32x16xi8>
    %bp = math.ctpop %b : i8
    %bl = math.ctlz %b : i8
    %bt = math.cttz %b : i8
    %b1 = arith.muli %bp, %bl : i8
    %b2 = arith.addi %b1, %bt : i8
    affine.store %b2, %Z[%i, %j] : memref<32x16xi8>
  }
  return
}

// The first numbers whose sum is small enough, scaled where they were put.
//--- rescaled.mlir
func.func @topp(%P: memref<32x12xf32>, %Y: memref<32x12xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %th = arith.constant 3.0 : f32
  affine.parallel (%i) = (0) to (32) {
    %all:2 = affine.for %j = 0 to 12 iter_args(%sum = %zero, %kept = %zero) -> (f32, f32) {
      %x = affine.load %P[%i, %j] : memref<32x12xf32>
      %a = math.absf %x : f32
      %in = arith.cmpf olt, %sum, %th : f32
      %k = arith.select %in, %a, %zero : f32
      affine.store %k, %Y[%i, %j] : memref<32x12xf32>
      %n = arith.addf %sum, %a : f32
      %kn = arith.addf %kept, %k : f32
      affine.yield %n, %kn : f32, f32
    }
    affine.for %j = 0 to 12 {
      %y = affine.load %Y[%i, %j] : memref<32x12xf32>
      %z = arith.divf %y, %all#1 : f32
      affine.store %z, %Y[%i, %j] : memref<32x12xf32>
    }
  }
  return
}

// The largest two of each row, in numbers that a thread keeps: a loop of steps in one of steps.
//--- found.mlir
func.func @topk(%X: memref<32x12xf32>, %V: memref<32x2xf32> {tt.name = "Y"}, %I: memref<32x2xi32> {tt.name = "I"}) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i32
  affine.parallel (%i) = (0) to (32) {
    %x = memref.alloc() : memref<12xf32, #gpu.address_space<private>>
    affine.for %j = 0 to 12 {
      %v = affine.load %X[%i, %j] : memref<32x12xf32>
      affine.store %v, %x[%j] : memref<12xf32, #gpu.address_space<private>>
    }
    affine.for %k = 0 to 2 {
      %m:2 = affine.for %j = 0 to 12 iter_args(%b = %low, %bi = %z) -> (f32, i32) {
        %v = affine.load %x[%j] : memref<12xf32, #gpu.address_space<private>>
        %g = arith.cmpf ogt, %v, %b : f32
        %ji = arith.index_cast %j : index to i32
        %n = arith.select %g, %v, %b : f32
        %ni = arith.select %g, %ji, %bi : i32
        affine.yield %n, %ni : f32, i32
      }
      affine.store %m#0, %V[%i, %k] : memref<32x2xf32>
      affine.store %m#1, %I[%i, %k] : memref<32x2xi32>
      affine.for %j = 0 to 12 {
        %v = affine.load %x[%j] : memref<12xf32, #gpu.address_space<private>>
        %ji = arith.index_cast %j : index to i32
        %is = arith.cmpi eq, %ji, %m#1 : i32
        %n = arith.select %is, %low, %v : f32
        affine.store %n, %x[%j] : memref<12xf32, #gpu.address_space<private>>
      }
    }
  }
  return
}

// Mean and variance by updates, in chunks.
//--- updated.mlir
func.func @welford(%X: memref<32x12xf32>, %M: memref<32xf32> {tt.name = "Y"}, %V: memref<32xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  affine.parallel (%i) = (0) to (32) {
    %r:3 = affine.for %c = 0 to 3 iter_args(%n0 = %zero, %m0 = %zero, %v0 = %zero) -> (f32, f32, f32) {
      %t:3 = affine.for %j = 0 to 4 iter_args(%n = %n0, %m = %m0, %v = %v0) -> (f32, f32, f32) {
        %x = affine.load %X[%i, %c * 4 + %j] : memref<32x12xf32>
        %n1 = arith.addf %n, %one : f32
        %d = arith.subf %x, %m : f32
        %dn = arith.divf %d, %n1 : f32
        %m1 = arith.addf %m, %dn : f32
        %d2 = arith.subf %x, %m1 : f32
        %p = arith.mulf %d, %d2 : f32
        %v1 = arith.addf %v, %p : f32
        affine.yield %n1, %m1, %v1 : f32, f32, f32
      }
      affine.yield %t#0, %t#1, %t#2 : f32, f32, f32
    }
    %var = arith.divf %r#2, %r#0 : f32
    affine.store %r#1, %M[%i] : memref<32xf32>
    affine.store %var, %V[%i] : memref<32xf32>
  }
  return
}

// A query for each head, keys on pages of 16 that a table names: scores in a vector of the thread, a page after the other.
//--- paged.mlir
func.func @paged(%Q: memref<2x4x64xf32>, %K: memref<8x16x2x64xf32>, %V: memref<8x16x2x64xf32>, %BT: memref<2x3xi32> {tt.range = [0, 7]}, %CL: memref<2xi32> {tt.range = [1, 48]}, %O: memref<2x4x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  affine.parallel (%b, %h) = (0, 0) to (2, 4) {
    %kh = affine.apply affine_map<(h) -> (h floordiv 2)>(%h)
    %cl = affine.load %CL[%b] : memref<2xi32>
    %len = arith.index_cast %cl : i32 to index
    %s = memref.alloc() : memref<48xf32, #gpu.address_space<private>>
    affine.for %p = 0 to 3 {
      %bt = affine.load %BT[%b, %p] : memref<2x3xi32>
      %pg = arith.index_cast %bt : i32 to index
      affine.for %t = 0 to 16 {
        %d = affine.for %e = 0 to 64 iter_args(%acc = %zero) -> (f32) {
          %q = affine.load %Q[%b, %h, %e] : memref<2x4x64xf32>
          %k = memref.load %K[%pg, %t, %kh, %e] : memref<8x16x2x64xf32>
          %m = arith.mulf %q, %k : f32
          %n = arith.addf %acc, %m : f32
          affine.yield %n : f32
        }
        %sc = arith.mulf %d, %scale : f32
        %pos = affine.apply affine_map<(p, t) -> (p * 16 + t)>(%p, %t)
        %in = arith.cmpi slt, %pos, %len : index
        %ms = arith.select %in, %sc, %low : f32
        affine.store %ms, %s[%p * 16 + %t] : memref<48xf32, #gpu.address_space<private>>
      }
    }
    %mx = affine.for %t = 0 to 48 iter_args(%m = %low) -> (f32) {
      %x = affine.load %s[%t] : memref<48xf32, #gpu.address_space<private>>
      %n = arith.maximumf %m, %x : f32
      affine.yield %n : f32
    }
    %den = affine.for %t = 0 to 48 iter_args(%m = %zero) -> (f32) {
      %x = affine.load %s[%t] : memref<48xf32, #gpu.address_space<private>>
      %y = arith.subf %x, %mx : f32
      %e = math.exp %y : f32
      affine.store %e, %s[%t] : memref<48xf32, #gpu.address_space<private>>
      %n = arith.addf %m, %e : f32
      affine.yield %n : f32
    }
    affine.for %e = 0 to 64 {
      %acc = affine.for %p = 0 to 3 iter_args(%a0 = %zero) -> (f32) {
        %bt = affine.load %BT[%b, %p] : memref<2x3xi32>
        %pg = arith.index_cast %bt : i32 to index
        %a1 = affine.for %t = 0 to 16 iter_args(%a2 = %a0) -> (f32) {
          %pr = affine.load %s[%p * 16 + %t] : memref<48xf32, #gpu.address_space<private>>
          %v = memref.load %V[%pg, %t, %kh, %e] : memref<8x16x2x64xf32>
          %m = arith.mulf %pr, %v : f32
          %n = arith.addf %a2, %m : f32
          affine.yield %n : f32
        }
        affine.yield %a1 : f32
      }
      %o = arith.divf %acc, %den : f32
      affine.store %o, %O[%b, %h, %e] : memref<2x4x64xf32>
    }
  }
  return
}

// Tokens that a list sorts by expert; what is behind the last one is no token.
//--- experts.mlir
func.func @moe(%A: memref<40x64xbf16>, %W: memref<4x64x32xbf16>, %ID: memref<96xi32> {tt.range = [0, 40]}, %EX: memref<3xi32> {tt.range = [0, 3]}, %TW: memref<96xf32>, %Y: memref<96x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %z16 = arith.constant 0.0 : bf16
  %c40 = arith.constant 40 : i32
  affine.parallel (%p) = (0) to (3) {
    %e32 = affine.load %EX[%p] : memref<3xi32>
    %e = arith.index_cast %e32 : i32 to index
    affine.for %i = 0 to 32 {
      %id = affine.load %ID[%p * 32 + %i] : memref<96xi32>
      %t = arith.index_cast %id : i32 to index
      %ok = arith.cmpi slt, %id, %c40 : i32
      %tw = affine.load %TW[%p * 32 + %i] : memref<96xf32>
      affine.for %j = 0 to 32 {
        %s = affine.for %k = 0 to 64 iter_args(%acc = %zero) -> (f32) {
          %a = scf.if %ok -> (bf16) {
            %v = memref.load %A[%t, %k] : memref<40x64xbf16>
            scf.yield %v : bf16
          } else {
            scf.yield %z16 : bf16
          }
          %w = memref.load %W[%e, %k, %j] : memref<4x64x32xbf16>
          %a1 = arith.extf %a : bf16 to f32
          %w1 = arith.extf %w : bf16 to f32
          %m = arith.mulf %a1, %w1 : f32
          %n = arith.addf %acc, %m : f32
          affine.yield %n : f32
        }
        %o = arith.mulf %s, %tw : f32
        affine.store %o, %Y[%p * 32 + %i, %j] : memref<96x32xf32>
      }
    }
  }
  return
}

// Means of rows that a list names, in bags whose bounds are in a tensor.
//--- bags.mlir
func.func @bag(%W: memref<50x64xf32>, %I: memref<40xi32> {tt.range = [0, 49]}, %O: memref<9xi32> {tt.range = [0, 40]}, %Y: memref<8x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%b) = (%c0) to (%c8) step (%c1) {
    %b1 = arith.addi %b, %c1 : index
    %lo32 = memref.load %O[%b] : memref<9xi32>
    %hi32 = memref.load %O[%b1] : memref<9xi32>
    %lo = arith.index_cast %lo32 : i32 to index
    %hi = arith.index_cast %hi32 : i32 to index
    %n32 = arith.subi %hi32, %lo32 : i32
    %n = arith.sitofp %n32 : i32 to f32
    %nn = arith.maximumf %n, %one : f32
    scf.for %j = %c0 to %c64 step %c1 {
      %s = scf.for %i = %lo to %hi step %c1 iter_args(%a = %zero) -> (f32) {
        %id = memref.load %I[%i] : memref<40xi32>
        %r = arith.index_cast %id : i32 to index
        %x = memref.load %W[%r, %j] : memref<50x64xf32>
        %t = arith.addf %a, %x : f32
        scf.yield %t : f32
      }
      %m = arith.divf %s, %nn : f32
      memref.store %m, %Y[%b, %j] : memref<8x64xf32>
    }
    scf.reduce
  }
  return
}

// Columns of any number in a wider block, minus infinity beside them.
//--- wide.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @fc(%A: memref<64x?xf32> {tt.name = "A"}, %Y: memref<64xf32> {tt.name = "Y"}, %Z: memref<64xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant 0xFF800000 : f32
  %n = memref.dim %A, %c1 : memref<64x?xf32>
  scf.forall (%b) in (2) {
    %m = arith.muli %b, %c32 : index
    %w = affine.min affine_map<()[s0] -> (128, s0)>()[%n]
    %x = memref.alloc() : memref<32x128xf32, #gpu.address_space<private>>
    %s = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %t = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %av = memref.subview %A[%m, 0] [32, %w] [1, 1] : memref<64x?xf32> to memref<32x?xf32, strided<[?, 1], offset: ?>>
    %xv = memref.subview %x[0, 0] [32, %w] [1, 1] : memref<32x128xf32, #gpu.address_space<private>> to memref<32x?xf32, strided<[128, 1]>, #gpu.address_space<private>>
    linalg.fill ins(%low : f32) outs(%x : memref<32x128xf32, #gpu.address_space<private>>)
    memref.copy %av, %xv : memref<32x?xf32, strided<[?, 1], offset: ?>> to memref<32x?xf32, strided<[128, 1]>, #gpu.address_space<private>>
    %z = arith.constant 0.0 : f32
    linalg.fill ins(%low : f32) outs(%s : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<32x128xf32, #gpu.address_space<private>>) outs(%s : memref<32xf32, #gpu.address_space<private>>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.maximumf %a, %o : f32
      linalg.yield %q : f32
    }
    linalg.fill ins(%z : f32) outs(%t : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %s : memref<32x128xf32, #gpu.address_space<private>>, memref<32xf32, #gpu.address_space<private>>) outs(%t : memref<32xf32, #gpu.address_space<private>>) {
    ^bb0(%a: f32, %mm: f32, %o: f32):
      %d = arith.subf %a, %mm : f32
      %e = math.exp %d : f32
      %q = arith.addf %e, %o : f32
      linalg.yield %q : f32
    }
    %ov = memref.subview %Y[%m] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    memref.copy %s, %ov : memref<32xf32, #gpu.address_space<private>> to memref<32xf32, strided<[1], offset: ?>>
    %zv = memref.subview %Z[%m] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    memref.copy %t, %zv : memref<32xf32, #gpu.address_space<private>> to memref<32xf32, strided<[1], offset: ?>>
  }
  return
}

// 70 of the 96 columns of a block, as many rows as there are.
//--- narrow.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @rag3(%A: memref<?x70xf32> {tt.name = "A"}, %Y: memref<?x70xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %n = memref.dim %A, %c0 : memref<?x70xf32>
  %g = arith.ceildivui %n, %c32 : index
  scf.forall (%b) in (%g) {
    %m = arith.muli %b, %c32 : index
    %h = affine.min affine_map<(d0)[s0] -> (32, s0 - d0)>(%m)[%n]
    %x = memref.alloc() : memref<32x96xf32, #gpu.address_space<private>>
    %y = memref.alloc() : memref<32x96xf32, #gpu.address_space<private>>
    %s = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %av = memref.subview %A[%m, 0] [%h, 70] [1, 1] : memref<?x70xf32> to memref<?x70xf32, strided<[70, 1], offset: ?>>
    %xv = memref.subview %x[0, 0] [%h, 70] [1, 1] : memref<32x96xf32, #gpu.address_space<private>> to memref<?x70xf32, strided<[96, 1]>, #gpu.address_space<private>>
    linalg.fill ins(%low : f32) outs(%x : memref<32x96xf32, #gpu.address_space<private>>)
    memref.copy %av, %xv : memref<?x70xf32, strided<[70, 1], offset: ?>> to memref<?x70xf32, strided<[96, 1]>, #gpu.address_space<private>>
    linalg.exp ins(%x : memref<32x96xf32, #gpu.address_space<private>>) outs(%y : memref<32x96xf32, #gpu.address_space<private>>)
    linalg.fill ins(%z : f32) outs(%s : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%y : memref<32x96xf32, #gpu.address_space<private>>) outs(%s : memref<32xf32, #gpu.address_space<private>>) {
    ^bb0(%a: f32, %o: f32):
      %t = arith.addf %a, %o : f32
      linalg.yield %t : f32
    }
    linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%s : memref<32xf32, #gpu.address_space<private>>) outs(%y : memref<32x96xf32, #gpu.address_space<private>>) {
    ^bb0(%a: f32, %o: f32):
      %t = arith.divf %o, %a : f32
      linalg.yield %t : f32
    }
    %yv = memref.subview %y[0, 0] [%h, 70] [1, 1] : memref<32x96xf32, #gpu.address_space<private>> to memref<?x70xf32, strided<[96, 1]>, #gpu.address_space<private>>
    %ov = memref.subview %Y[%m, 0] [%h, 70] [1, 1] : memref<?x70xf32> to memref<?x70xf32, strided<[70, 1], offset: ?>>
    memref.copy %yv, %ov : memref<?x70xf32, strided<[96, 1]>, #gpu.address_space<private>> to memref<?x70xf32, strided<[70, 1], offset: ?>>
  }
  return
}

// A chunk of a state-space model: sums that go on, in a vector of the cell.
//--- chunk.mlir
func.func @ssd(%A: memref<2x32xf32>, %B: memref<2x32x16xf32>, %C: memref<2x32x16xf32>, %X: memref<2x32x32xf32>, %Y: memref<2x32x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%b) = (0) to (2) {
    %cs = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %sum = affine.for %i = 0 to 32 iter_args(%s = %zero) -> (f32) {
      %a = affine.load %A[%b, %i] : memref<2x32xf32>
      %n = math.absf %a : f32
      %t = arith.subf %s, %n : f32
      affine.store %t, %cs[%i] : memref<32xf32, #gpu.address_space<private>>
      affine.yield %t : f32
    }
    %G = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    affine.for %i = 0 to 32 {
      affine.for %j = 0 to 32 {
        %g = affine.for %n = 0 to 16 iter_args(%s = %zero) -> (f32) {
          %c = affine.load %C[%b, %i, %n] : memref<2x32x16xf32>
          %bb = affine.load %B[%b, %j, %n] : memref<2x32x16xf32>
          %p = arith.mulf %c, %bb : f32
          %t = arith.addf %s, %p : f32
          affine.yield %t : f32
        }
        %ci = affine.load %cs[%i] : memref<32xf32, #gpu.address_space<private>>
        %cj = affine.load %cs[%j] : memref<32xf32, #gpu.address_space<private>>
        %d = arith.subf %ci, %cj : f32
        %e = math.exp %d : f32
        %in = arith.cmpi sge, %i, %j : index
        %ge = arith.mulf %g, %e : f32
        %m = arith.select %in, %ge, %zero : f32
        affine.store %m, %G[%i, %j] : memref<32x32xf32, #gpu.address_space<private>>
      }
    }
    affine.for %i = 0 to 32 {
      affine.for %d = 0 to 32 {
        %y = affine.for %j = 0 to 32 iter_args(%s = %zero) -> (f32) {
          %g = affine.load %G[%i, %j] : memref<32x32xf32, #gpu.address_space<private>>
          %x = affine.load %X[%b, %j, %d] : memref<2x32x32xf32>
          %p = arith.mulf %g, %x : f32
          %t = arith.addf %s, %p : f32
          affine.yield %t : f32
        }
        affine.store %y, %Y[%b, %i, %d] : memref<2x32x32xf32>
      }
    }
  }
  return
}

// A sparse matrix by rows: a sum over what a list names.
//--- sparse.mlir
func.func @spmv(%V: memref<100xf32>, %C: memref<100xi32> {tt.range = [0, 63]}, %P: memref<17xi32> {tt.range = [0, 100]}, %X: memref<64xf32>, %Y: memref<16xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%r) = (%c0) to (%c16) step (%c1) {
    %r1 = arith.addi %r, %c1 : index
    %lo32 = memref.load %P[%r] : memref<17xi32>
    %hi32 = memref.load %P[%r1] : memref<17xi32>
    %lo = arith.index_cast %lo32 : i32 to index
    %hi = arith.index_cast %hi32 : i32 to index
    %m = scf.for %i = %lo to %hi step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %V[%i] : memref<100xf32>
      %c = memref.load %C[%i] : memref<100xi32>
      %ci = arith.index_cast %c : i32 to index
      %x = memref.load %X[%ci] : memref<64xf32>
      %p = arith.mulf %v, %x : f32
      %n = arith.addf %a, %p : f32
      scf.yield %n : f32
    }
    memref.store %m, %Y[%r] : memref<16xf32>
    scf.reduce
  }
  return
}

//--- alike.mlir
// all steps store the same: what they have loaded, which no step changes
func.func @k(%X: memref<4xf32> {tt.name="X"}, %Y: memref<4xf32> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  scf.parallel (%b) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c32) step (%c1) {
      %x = memref.load %X[%b] : memref<4xf32>
      memref.store %x, %Y[%b] : memref<4xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
