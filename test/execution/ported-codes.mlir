// Kernels of GPUs that unpack: weights of 4 and 8 bits with zeros that are packed as well, tables of what codes stand for;
// and integers of 64 bits that are proven to fit 32.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/gptq.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/gptq.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: tt-run %t/awq.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/awq.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/awqmm.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/awqmm.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/nf4.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/nf4.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/fp4.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/fp4.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/dyn8.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/dyn8.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/quant.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/quant.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/append.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/append.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/argmax64.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/argmax64.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/bucket.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/bucket.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/ext64.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/ext64.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// CHECK: {{Y: (max abs error .*|equal|.* differ, .*)}}: ok

// A product with weights of 4 bits, eight in a word along its depth; zeros lie eight in a word along its columns.
//--- gptq.mlir
func.func @gptq(%X: memref<16x64xbf16>, %QW: memref<8x64xi32>, %QZ: memref<2x8xi32>, %S: memref<2x64xbf16>, %Y: memref<16x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : i32
  %c1 = arith.constant 1 : i32
  %c15 = arith.constant 15 : i32
  affine.parallel (%m, %n) = (0, 0) to (16, 64) {
    %acc = affine.for %k = 0 to 64 iter_args(%a = %zero) -> (f32) {
      %q = affine.load %QW[%k floordiv 8, %n] : memref<8x64xi32>
      %kr = affine.apply affine_map<(k) -> (k mod 8)>(%k)
      %kri = arith.index_cast %kr : index to i32
      %sh = arith.muli %kri, %c4 : i32
      %qs = arith.shrui %q, %sh : i32
      %qv = arith.andi %qs, %c15 : i32
      %z = affine.load %QZ[%k floordiv 32, %n floordiv 8] : memref<2x8xi32>
      %nr = affine.apply affine_map<(k) -> (k mod 8)>(%n)
      %nri = arith.index_cast %nr : index to i32
      %zsh = arith.muli %nri, %c4 : i32
      %zs = arith.shrui %z, %zsh : i32
      %zv0 = arith.andi %zs, %c15 : i32
      %zv = arith.addi %zv0, %c1 : i32
      %d = arith.subi %qv, %zv : i32
      %df = arith.sitofp %d : i32 to f32
      %s = affine.load %S[%k floordiv 32, %n] : memref<2x64xbf16>
      %sf = arith.extf %s : bf16 to f32
      %w = arith.mulf %df, %sf : f32
      %x = affine.load %X[%m, %k] : memref<16x64xbf16>
      %xf = arith.extf %x : bf16 to f32
      %p = arith.mulf %xf, %w : f32
      %r = arith.addf %a, %p : f32
      affine.yield %r : f32
    }
    affine.store %acc, %Y[%m, %n] : memref<16x64xf32>
  }
  return
}

// Weights of 4 bits in the order 0 4 1 5 2 6 3 7, zeros in the same order, in f16.
//--- awq.mlir
func.func @awq_dequant(%QW: memref<64x8xi32>, %QZ: memref<2x8xi32>, %S: memref<2x64xf16>, %Y: memref<64x64xf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %c15 = arith.constant 15 : i32
  affine.parallel (%k, %c) = (0, 0) to (64, 8) {
    %q = affine.load %QW[%k, %c] : memref<64x8xi32>
    %z = affine.load %QZ[%k floordiv 32, %c] : memref<2x8xi32>
    affine.for %b = 0 to 8 {
      %sh = affine.apply affine_map<(b) -> ((b mod 2) * 16 + (b floordiv 2) * 4)>(%b)
      %shi = arith.index_cast %sh : index to i32
      %qs = arith.shrui %q, %shi : i32
      %qv = arith.andi %qs, %c15 : i32
      %zs = arith.shrui %z, %shi : i32
      %zv = arith.andi %zs, %c15 : i32
      %d = arith.subi %qv, %zv : i32
      %df = arith.sitofp %d : i32 to f16
      %s = affine.load %S[%k floordiv 32, %c * 8 + %b] : memref<2x64xf16>
      %w = arith.mulf %df, %s : f16
      affine.store %w, %Y[%k, %c * 8 + %b] : memref<64x64xf16>
    }
  }
  return
}

// The product with them: which bits are taken depends on the column that a cell computes.
//--- awqmm.mlir
func.func @awq_mm(%X: memref<16x64xbf16>, %QW: memref<64x8xi32>, %QZ: memref<2x8xi32>, %S: memref<2x64xbf16>, %Y: memref<16x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c15 = arith.constant 15 : i32
  affine.parallel (%m, %n) = (0, 0) to (16, 64) {
    %sh = affine.apply affine_map<(b) -> ((b mod 2) * 16 + ((b mod 8) floordiv 2) * 4)>(%n)
    %shi = arith.index_cast %sh : index to i32
    %acc = affine.for %k = 0 to 64 iter_args(%a = %zero) -> (f32) {
      %q = affine.load %QW[%k, %n floordiv 8] : memref<64x8xi32>
      %qs = arith.shrui %q, %shi : i32
      %qv = arith.andi %qs, %c15 : i32
      %z = affine.load %QZ[%k floordiv 32, %n floordiv 8] : memref<2x8xi32>
      %zs = arith.shrui %z, %shi : i32
      %zv = arith.andi %zs, %c15 : i32
      %d = arith.subi %qv, %zv : i32
      %df = arith.sitofp %d : i32 to f32
      %s = affine.load %S[%k floordiv 32, %n] : memref<2x64xbf16>
      %sf = arith.extf %s : bf16 to f32
      %w = arith.mulf %df, %sf : f32
      %x = affine.load %X[%m, %k] : memref<16x64xbf16>
      %xf = arith.extf %x : bf16 to f32
      %p = arith.mulf %xf, %w : f32
      %r = arith.addf %a, %p : f32
      affine.yield %r : f32
    }
    affine.store %acc, %Y[%m, %n] : memref<16x64xf32>
  }
  return
}

// Two codes a byte, and a table of 16 numbers that they stand for.
//--- nf4.mlir
func.func @nf4(%A: memref<32x32xi8>, %CODE: memref<16xf32>, %AM: memref<32xf32>, %Y: memref<32x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  affine.parallel (%r, %c) = (0, 0) to (32, 32) {
    %q = affine.load %A[%r, %c] : memref<32x32xi8>
    %am = affine.load %AM[%r] : memref<32xf32>
    %hi = arith.shrui %q, %c4 : i8
    %lo = arith.andi %q, %c15 : i8
    %hii = arith.index_castui %hi : i8 to index
    %loi = arith.index_castui %lo : i8 to index
    %h = memref.load %CODE[%hii] : memref<16xf32>
    %l = memref.load %CODE[%loi] : memref<16xf32>
    %hs = arith.mulf %h, %am : f32
    %ls = arith.mulf %l, %am : f32
    affine.store %hs, %Y[%r, %c * 2] : memref<32x64xf32>
    affine.store %ls, %Y[%r, %c * 2 + 1] : memref<32x64xf32>
  }
  return
}

// The tree of a dequantizer: choices by bits.
//--- fp4.mlir
func.func @fp4(%A: memref<32x32xi8>, %AM: memref<32xf32>, %Y: memref<32x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %z8 = arith.constant 0 : i8
  %c8 = arith.constant 8 : i8
  %c4 = arith.constant 4 : i8
  %c2 = arith.constant 2 : i8
  %c1 = arith.constant 1 : i8
  %v25 = arith.constant 0.25 : f32
  %v16 = arith.constant 0.16666667 : f32
  %v5 = arith.constant 0.5 : f32
  %v33 = arith.constant 0.33333333 : f32
  %v10 = arith.constant 1.0 : f32
  %v66 = arith.constant 0.66666667 : f32
  %v005 = arith.constant 0.005208333 : f32
  %v0 = arith.constant 0.0 : f32
  affine.parallel (%r, %c) = (0, 0) to (32, 64) {
    %q0 = affine.load %A[%r, %c floordiv 2] : memref<32x32xi8>
    %odd = affine.apply affine_map<(c) -> (4 - (c mod 2) * 4)>(%c)
    %sh = arith.index_cast %odd : index to i8
    %q = arith.shrui %q0, %sh : i8
    %am = affine.load %AM[%r] : memref<32xf32>
    %b8 = arith.andi %q, %c8 : i8
    %s = arith.cmpi ne, %b8, %z8 : i8
    %m1 = arith.constant -1.0 : f32
    %sign = arith.select %s, %m1, %v10 : f32
    %b4 = arith.andi %q, %c4 : i8
    %t4 = arith.cmpi ne, %b4, %z8 : i8
    %b2 = arith.andi %q, %c2 : i8
    %t2 = arith.cmpi ne, %b2, %z8 : i8
    %b1 = arith.andi %q, %c1 : i8
    %t1 = arith.cmpi ne, %b1, %z8 : i8
    %v = scf.if %t4 -> (f32) {
      %w = scf.if %t2 -> (f32) {
        %x = arith.select %t1, %v25, %v16 : f32
        scf.yield %x : f32
      } else {
        %x = arith.select %t1, %v5, %v33 : f32
        scf.yield %x : f32
      }
      scf.yield %w : f32
    } else {
      %w = scf.if %t2 -> (f32) {
        %x = arith.select %t1, %v10, %v66 : f32
        scf.yield %x : f32
      } else {
        %x = arith.select %t1, %v005, %v0 : f32
        scf.yield %x : f32
      }
      scf.yield %w : f32
    }
    %vs = arith.mulf %v, %sign : f32
    %y = arith.mulf %vs, %am : f32
    affine.store %y, %Y[%r, %c] : memref<32x64xf32>
  }
  return
}

// A table of 256 numbers, at bytes without a sign.
//--- dyn8.mlir
func.func @dyn8(%A: memref<32x32xi8>, %CODE: memref<256xf32>, %AM: memref<32xf32>, %Y: memref<32x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%r, %c) = (0, 0) to (32, 32) {
    %q = affine.load %A[%r, %c] : memref<32x32xi8>
    %am = affine.load %AM[%r] : memref<32xf32>
    %i = arith.index_castui %q : i8 to index
    %h = memref.load %CODE[%i] : memref<256xf32>
    %hs = arith.mulf %h, %am : f32
    affine.store %hs, %Y[%r, %c] : memref<32x32xf32>
  }
  return
}

// Bytes and a scale for each token.
//--- quant.mlir
func.func @quant(%X: memref<32x96xbf16>, %Q: memref<32x96xi8> {tt.name = "Y"}, %S: memref<32x1xf32> {tt.name = "S"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-10 : f32
  %k127 = arith.constant 127.0 : f32
  %n128 = arith.constant -128.0 : f32
  affine.parallel (%t) = (0) to (32) {
    %m = affine.for %j = 0 to 96 iter_args(%a = %eps) -> (f32) {
      %x = affine.load %X[%t, %j] : memref<32x96xbf16>
      %xf = arith.extf %x : bf16 to f32
      %ab = math.absf %xf : f32
      %n = arith.maximumf %a, %ab : f32
      affine.yield %n : f32
    }
    %s = arith.divf %m, %k127 : f32
    affine.store %s, %S[%t, 0] : memref<32x1xf32>
    %is = arith.divf %k127, %m : f32
    affine.for %j = 0 to 96 {
      %x = affine.load %X[%t, %j] : memref<32x96xbf16>
      %xf = arith.extf %x : bf16 to f32
      %sc = arith.mulf %xf, %is : f32
      %rd = math.roundeven %sc : f32
      %c1 = arith.maximumf %rd, %n128 : f32
      %c2 = arith.minimumf %c1, %k127 : f32
      %i = arith.fptosi %c2 : f32 to i8
      affine.store %i, %Q[%t, %j] : memref<32x96xi8>
    }
  }
  return
}

// Keys and values go to slots of a cache that a list of i64 says; -1 is none.
//--- append.mlir
func.func @append(%K: memref<12x2x32xbf16>, %V: memref<12x2x32xbf16>, %SL: memref<12xi64> {tt.range = [-1, 63]}, %KC: memref<4x16x2x32xbf16> {tt.name = "Y"}, %VC: memref<4x2x32x16xbf16> {tt.name = "Z"}) attributes {tt.kernel} {
  %z = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  affine.for %t = 0 to 12 {
    %s = affine.load %SL[%t] : memref<12xi64>
    %ok = arith.cmpi sge, %s, %z : i64
    scf.if %ok {
      %bl = arith.divsi %s, %c16 : i64
      %of = arith.remsi %s, %c16 : i64
      %b = arith.index_cast %bl : i64 to index
      %o = arith.index_cast %of : i64 to index
      affine.for %h = 0 to 2 {
        affine.for %d = 0 to 32 {
          %k = affine.load %K[%t, %h, %d] : memref<12x2x32xbf16>
          memref.store %k, %KC[%b, %o, %h, %d] : memref<4x16x2x32xbf16>
          %v = affine.load %V[%t, %h, %d] : memref<12x2x32xbf16>
          memref.store %v, %VC[%b, %h, %d, %o] : memref<4x2x32x16xbf16>
        }
      }
    }
  }
  return
}

// Where the largest is, and how many are above zero, in i64.
//--- argmax64.mlir
func.func @argmax64(%X: memref<32x64xf32>, %Y: memref<32xi64> {tt.name = "Y"}, %N: memref<32xi64> {tt.name = "N"}) attributes {tt.kernel} {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  affine.parallel (%r) = (0) to (32) {
    %a:2 = affine.for %j = 0 to 64 iter_args(%m = %ninf, %at = %z) -> (f32, i64) {
      %x = affine.load %X[%r, %j] : memref<32x64xf32>
      %gt = arith.cmpf ogt, %x, %m : f32
      %ji = arith.index_cast %j : index to i64
      %nm = arith.select %gt, %x, %m : f32
      %na = arith.select %gt, %ji, %at : i64
      affine.yield %nm, %na : f32, i64
    }
    affine.store %a#1, %Y[%r] : memref<32xi64>
    %n = affine.for %j = 0 to 64 iter_args(%s = %z) -> (i64) {
      %x = affine.load %X[%r, %j] : memref<32x64xf32>
      %gt = arith.cmpf ogt, %x, %zero : f32
      %o = arith.extui %gt : i1 to i64
      %t = arith.addi %s, %o : i64
      affine.yield %t : i64
    }
    affine.store %n, %N[%r] : memref<32xi64>
  }
  return
}

// Floats become i64 where they are of 16 bits, or functions of them small.
//--- bucket.mlir
func.func @bucket(%X: memref<32x64xf16>, %W: memref<32x64xf32>, %Y: memref<32x64xi64> {tt.name = "Y"}, %Z: memref<32x64xi64> {tt.name = "Z"}, %B: memref<32x64xi64> {tt.name = "B"}) attributes {tt.kernel} {
  %k = arith.constant 10.0 : f32
  %z = arith.constant 0 : i64
  %m = arith.constant 15 : i64
  affine.parallel (%r, %c) = (0, 0) to (32, 64) {
    %x = affine.load %X[%r, %c] : memref<32x64xf16>
    %i = arith.fptosi %x : f16 to i64
    affine.store %i, %Y[%r, %c] : memref<32x64xi64>
    %w = affine.load %W[%r, %c] : memref<32x64xf32>
    %t = math.tanh %w : f32
    %s = arith.mulf %t, %k : f32
    %f = math.floor %s : f32
    %j = arith.fptosi %f : f32 to i64
    affine.store %j, %Z[%r, %c] : memref<32x64xi64>
    %l = arith.maxsi %j, %z : i64
    %u = arith.minsi %l, %m : i64
    affine.store %u, %B[%r, %c] : memref<32x64xi64>
  }
  return
}

// Sums in i64 of products that go on from step to step, as offsets of rows.
//--- ext64.mlir
func.func @ext64(%L: memref<64xi32> {tt.range = [0, 500]}, %Y: memref<64xi64> {tt.name = "Y"}, %T: memref<1xi64> {tt.name = "T"}) attributes {tt.kernel} {
  %z = arith.constant 0 : i64
  %k = arith.constant 128 : i64
  %t = affine.for %j = 0 to 64 iter_args(%s = %z) -> (i64) {
    %l = affine.load %L[%j] : memref<64xi32>
    %w = arith.extsi %l : i32 to i64
    affine.store %s, %Y[%j] : memref<64xi64>
    %o = arith.muli %w, %k : i64
    %n = arith.addi %s, %o : i64
    affine.yield %n : i64
  }
  affine.store %t, %T[0] : memref<1xi64>
  return
}
