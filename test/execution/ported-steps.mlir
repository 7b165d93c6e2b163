// Kernels translated from those of others, line by line, whose steps read what others wrote.
// REQUIRES: all
// RUN: split-file %s %t
// RUN: tt-run %t/iir.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run %t/iir.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | FileCheck %s
// RUN: tt-run %t/dtw.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run %t/dtw.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | FileCheck %s
// RUN: tt-run %t/permute.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run %t/permute.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | FileCheck %s
// RUN: tt-run %t/quant.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run %t/quant.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | FileCheck %s
// RUN: tt-run %t/fp8.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run %t/fp8.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | FileCheck %s
// RUN: tt-run %t/quant.mlir --check --optimize=split-rows 2>&1 | FileCheck %s
// CHECK-NOT: error:
// CHECK: {{[A-Z]: .*}}: ok
// CHECK-NOT: OUT OF TOLERANCE

// A filter whose first step is another: what a branch reads before the tensor begins is chosen away.
//--- iir.mlir
func.func @iir_branch(%X: memref<20x30xf32>, %Y: memref<20x30xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %a = arith.constant 0.7 : f32
  %b = arith.constant 0.3 : f32
  affine.parallel (%r) = (0) to (20) {
    affine.for %t = 0 to 30 {
      %x = affine.load %X[%r, %t] : memref<20x30xf32>
      %first = arith.constant 0 : index
      %is = arith.cmpi eq, %t, %first : index
      scf.if %is {
        affine.store %x, %Y[%r, %t] : memref<20x30xf32>
      } else {
        %one = arith.constant 1 : index
        %p = arith.subi %t, %one : index
        %y = memref.load %Y[%r, %p] : memref<20x30xf32>
        %u = arith.mulf %y, %a : f32
        %v = arith.mulf %x, %b : f32
        %w = arith.addf %u, %v : f32
        affine.store %w, %Y[%r, %t] : memref<20x30xf32>
      }
    }
  }
  return
}

// The shortest way through a table: each element needs three of its neighbors, in its own tensor.
//--- dtw.mlir
func.func @dtw(%A: memref<8xf32>, %B: memref<9xf32>, %D: memref<9x10xf32> {tt.name = "D"}) attributes {tt.kernel} {
  %inf = arith.constant 1.0e9 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 9 { affine.for %j = 0 to 10 { affine.store %inf, %D[%i, %j] : memref<9x10xf32> } }
  memref.store %zero, %D[%c0, %c0] : memref<9x10xf32>
  affine.for %i = 1 to 9 {
    affine.for %j = 1 to 10 {
      %a = affine.load %A[%i - 1] : memref<8xf32>
      %b = affine.load %B[%j - 1] : memref<9xf32>
      %d = arith.subf %a, %b : f32
      %c = math.absf %d : f32
      %u = affine.load %D[%i - 1, %j] : memref<9x10xf32>
      %l = affine.load %D[%i, %j - 1] : memref<9x10xf32>
      %g = affine.load %D[%i - 1, %j - 1] : memref<9x10xf32>
      %m = arith.minimumf %u, %l : f32
      %n = arith.minimumf %m, %g : f32
      %s = arith.addf %c, %n : f32
      affine.store %s, %D[%i, %j] : memref<9x10xf32>
    }
  }
  return
}

// Rows change places with those that a list names, one after the other: both are read before one is written.
//--- permute.mlir
func.func @permute_rows(%X: memref<24x40xf32> {tt.name = "X"}, %P: memref<24xi32> {tt.range = [0, 23]}, %Y: memref<24x40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.for %i = 0 to 24 {
    %p32 = affine.load %P[%i] : memref<24xi32>
    %p = arith.index_cast %p32 : i32 to index
    affine.for %j = 0 to 40 {
      %x = affine.load %X[%i, %j] : memref<24x40xf32>
      %y = memref.load %X[%p, %j] : memref<24x40xf32>
      affine.store %y, %X[%i, %j] : memref<24x40xf32>
      memref.store %x, %X[%p, %j] : memref<24x40xf32>
    }
  }
  affine.for %i = 0 to 24 { affine.for %j = 0 to 40 {
    %x = affine.load %X[%i, %j] : memref<24x40xf32>
    affine.store %x, %Y[%i, %j] : memref<24x40xf32>
  } }
  return
}

// A sum of two tensors, its norm, and bytes of that with a scale a row: rows on several cores, and few circular buffers left.
//--- quant.mlir
func.func @add_rms_quant(%X: memref<40x96xbf16>, %R: memref<40x96xbf16> {tt.name = "R"}, %G: memref<96xbf16>, %Q: memref<40x96xi8> {tt.name = "Q"}, %S: memref<40xf32> {tt.name = "S"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 0.010416667 : f32
  %eps = arith.constant 1.0e-5 : f32
  %c127 = arith.constant 127.0 : f32
  %mn = arith.constant -128.0 : f32
  affine.parallel (%r) = (0) to (40) {
    %row = memref.alloc() : memref<96xf32>
    %ss = affine.for %j = 0 to 96 iter_args(%s = %zero) -> (f32) {
      %x = affine.load %X[%r, %j] : memref<40x96xbf16>
      %y = affine.load %R[%r, %j] : memref<40x96xbf16>
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %a = arith.addf %xf, %yf : f32
      affine.store %a, %row[%j] : memref<96xf32>
      %b = arith.truncf %a : f32 to bf16
      affine.store %b, %R[%r, %j] : memref<40x96xbf16>
      %q = arith.mulf %a, %a : f32
      %t = arith.addf %s, %q : f32
      affine.yield %t : f32
    }
    %ms = arith.mulf %ss, %n : f32
    %me = arith.addf %ms, %eps : f32
    %rs = math.rsqrt %me : f32
    %am = affine.for %j = 0 to 96 iter_args(%m = %zero) -> (f32) {
      %a = affine.load %row[%j] : memref<96xf32>
      %g = affine.load %G[%j] : memref<96xbf16>
      %gf = arith.extf %g : bf16 to f32
      %b = arith.mulf %a, %rs : f32
      %c = arith.mulf %b, %gf : f32
      affine.store %c, %row[%j] : memref<96xf32>
      %d = math.absf %c : f32
      %e = arith.maximumf %m, %d : f32
      affine.yield %e : f32
    }
    %sc = arith.divf %am, %c127 : f32
    affine.store %sc, %S[%r] : memref<40xf32>
    affine.for %j = 0 to 96 {
      %c = affine.load %row[%j] : memref<96xf32>
      %d = arith.divf %c, %sc : f32
      %e = math.roundeven %d : f32
      %f = arith.minimumf %e, %c127 : f32
      %g = arith.maximumf %f, %mn : f32
      %h = arith.fptosi %g : f32 to i8
      affine.store %h, %Q[%r, %j] : memref<40x96xi8>
    }
  }
  return
}

// A product of fp8 with scales of blocks, loaded by affine loads.
//--- fp8.mlir
func.func @fp8_gemm(%A: memref<32x64xf8E4M3FN>, %B: memref<48x64xf8E4M3FN>, %SA: memref<32x2xf32>, %SB: memref<2x2xf32>, %C: memref<32x48xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (32, 48) {
    %s = affine.for %kb = 0 to 2 iter_args(%acc = %zero) -> (f32) {
      %p = affine.for %k = 0 to 32 iter_args(%a = %zero) -> (f32) {
        %x = affine.load %A[%i, %kb * 32 + %k] : memref<32x64xf8E4M3FN>
        %y = affine.load %B[%j, %kb * 32 + %k] : memref<48x64xf8E4M3FN>
        %xf = arith.extf %x : f8E4M3FN to f32
        %yf = arith.extf %y : f8E4M3FN to f32
        %q = arith.mulf %xf, %yf : f32
        %t = arith.addf %a, %q : f32
        affine.yield %t : f32
      }
      %sa = affine.load %SA[%i, %kb] : memref<32x2xf32>
      %sb = affine.load %SB[%j floordiv 24, %kb] : memref<2x2xf32>
      %m = arith.mulf %sa, %sb : f32
      %q = arith.mulf %p, %m : f32
      %n = arith.addf %acc, %q : f32
      affine.yield %n : f32
    }
    %o = arith.truncf %s : f32 to bf16
    affine.store %o, %C[%i, %j] : memref<32x48xbf16>
  }
  return
}
