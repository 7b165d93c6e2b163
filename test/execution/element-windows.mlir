// Loops over elements with windows, strides, borders, and rounding to integers.
// RUN: split-file %s %t
// RUN: tt-run %t/causal.mlir --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/causal.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/pool.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/conv.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/same.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/masked.mlir --check 2>&1 | FileCheck %s %}
// CHECK: Y: max abs error {{.*}}: ok
// RUN: %if all %{ tt-run %t/quantize.mlir --check 2>&1 | FileCheck %s --check-prefix=INTEGERS %}
// INTEGERS: Q: {{equal|.* of 6144 rounded from computed floats differ, by at most 1,.*}}: ok
// INTEGERS: S: {{.*}}: ok

// Four taps over time, of which the first ones find nothing, and silu.
//--- causal.mlir
func.func @causal(%X: memref<2x32x96xbf16>, %W: memref<32x4xbf16>, %Y: memref<2x32x96xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  %z = arith.constant 0.0 : f32
  affine.parallel (%b, %d, %t) = (0, 0, 0) to (2, 32, 96) {
    %s = affine.for %k = 0 to 4 iter_args(%a = %z) -> (f32) {
      %v = affine.if affine_set<(d0, d1) : (d0 + d1 - 3 >= 0)>(%t, %k) -> f32 {
        %x = affine.load %X[%b, %d, %t + %k - 3] : memref<2x32x96xbf16>
        %wide = arith.extf %x : bf16 to f32
        affine.yield %wide : f32
      } else {
        affine.yield %z : f32
      }
      %w = affine.load %W[%d, %k] : memref<32x4xbf16>
      %f = arith.extf %w : bf16 to f32
      %m = arith.mulf %v, %f : f32
      %n = arith.addf %a, %m : f32
      affine.yield %n : f32
    }
    %neg = arith.negf %s : f32
    %e = math.exp %neg : f32
    %d1 = arith.addf %e, %one : f32
    %q = arith.divf %s, %d1 : f32
    %o = arith.truncf %q : f32 to bf16
    affine.store %o, %Y[%b, %d, %t] : memref<2x32x96xbf16>
  }
  return
}

// The largest of each 2x2, channels last.
//--- pool.mlir
func.func @pool(%X: memref<6x16x32xbf16>, %Y: memref<3x8x32xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %low = arith.constant 0xFF80 : bf16
  affine.parallel (%h, %w, %c) = (0, 0, 0) to (3, 8, 32) {
    %s = affine.for %kh = 0 to 2 iter_args(%a0 = %low) -> (bf16) {
      %r = affine.for %kw = 0 to 2 iter_args(%a = %a0) -> (bf16) {
        %x = affine.load %X[%h * 2 + %kh, %w * 2 + %kw, %c] : memref<6x16x32xbf16>
        %n = arith.maximumf %a, %x : bf16
        affine.yield %n : bf16
      }
      affine.yield %r : bf16
    }
    affine.store %s, %Y[%h, %w, %c] : memref<3x8x32xbf16>
  }
  return
}

// A convolution as six loops.
//--- conv.mlir
func.func @conv(%X: memref<6x10x32xbf16>, %W: memref<3x3x32x64xbf16>, %Y: memref<4x8x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  affine.parallel (%h, %w, %f) = (0, 0, 0) to (4, 8, 64) {
    affine.store %z, %Y[%h, %w, %f] : memref<4x8x64xf32>
    affine.for %kh = 0 to 3 {
      affine.for %kw = 0 to 3 {
        affine.for %c = 0 to 32 {
          %x = affine.load %X[%h + %kh, %w + %kw, %c] : memref<6x10x32xbf16>
          %k = affine.load %W[%kh, %kw, %c, %f] : memref<3x3x32x64xbf16>
          %o = affine.load %Y[%h, %w, %f] : memref<4x8x64xf32>
          %xf = arith.extf %x : bf16 to f32
          %kf = arith.extf %k : bf16 to f32
          %m = arith.mulf %xf, %kf : f32
          %n = arith.addf %o, %m : f32
          affine.store %n, %Y[%h, %w, %f] : memref<4x8x64xf32>
        }
      }
    }
  }
  return
}

// Rows as bytes, with a scale each.
//--- quantize.mlir
func.func @quantize(%X: memref<64x96xbf16>, %Q: memref<64x96xi8> {tt.name = "Q"}, %S: memref<64xf32> {tt.name = "S"}) attributes {tt.kernel} {
  %tiny = arith.constant 1.0e-6 : f32
  %most = arith.constant 127.0 : f32
  affine.parallel (%i) = (0) to (64) {
    %m = affine.for %j = 0 to 96 iter_args(%s = %tiny) -> (f32) {
      %x = affine.load %X[%i, %j] : memref<64x96xbf16>
      %f = arith.extf %x : bf16 to f32
      %a = math.absf %f : f32
      %n = arith.maximumf %a, %s : f32
      affine.yield %n : f32
    }
    %scale = arith.divf %m, %most : f32
    affine.store %scale, %S[%i] : memref<64xf32>
    affine.for %j = 0 to 96 {
      %x = affine.load %X[%i, %j] : memref<64x96xbf16>
      %f = arith.extf %x : bf16 to f32
      %d = arith.divf %f, %scale : f32
      %r = math.roundeven %d : f32
      %q = arith.fptosi %r : f32 to i8
      affine.store %q, %Q[%i, %j] : memref<64x96xi8>
    }
  }
  return
}

// A depthwise convolution with a border on all sides, whose last block is a part.
//--- same.mlir
func.func @same(%X: memref<3x34x32xf32>, %W: memref<3x3x32xf32>, %Y: memref<3x34x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  affine.parallel (%h, %w, %c) = (0, 0, 0) to (3, 34, 32) {
    %s = affine.for %kh = 0 to 3 iter_args(%a0 = %z) -> (f32) {
      %r = affine.for %kw = 0 to 3 iter_args(%a = %a0) -> (f32) {
        %v = affine.if affine_set<(h, w, y, x) : (h + y - 1 >= 0, 3 - h - y >= 0, w + x - 1 >= 0, 34 - w - x >= 0)>(%h, %w, %kh, %kw) -> f32 {
          %x = affine.load %X[%h + %kh - 1, %w + %kw - 1, %c] : memref<3x34x32xf32>
          affine.yield %x : f32
        } else {
          affine.yield %z : f32
        }
        %k = affine.load %W[%kh, %kw, %c] : memref<3x3x32xf32>
        %p = arith.mulf %v, %k : f32
        %n = arith.addf %a, %p : f32
        affine.yield %n : f32
      }
      affine.yield %r : f32
    }
    affine.store %s, %Y[%h, %w, %c] : memref<3x34x32xf32>
  }
  return
}

// A product with masks on all sides, as kernels for GPUs have them.
//--- masked.mlir
func.func @masked(%A: memref<100x80xf32>, %B: memref<80x72xf32>, %C: memref<100x72xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c80 = arith.constant 80 : index
  %c100 = arith.constant 100 : index
  %c72 = arith.constant 72 : index
  scf.forall (%pm, %pn) in (4, 3) {
    %m0 = arith.muli %pm, %c32 : index
    %n0 = arith.muli %pn, %c32 : index
    %acc = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        memref.store %z, %acc[%i, %j] : memref<32x32xf32, #gpu.address_space<private>>
      }
    }
    scf.for %k0 = %c0 to %c80 step %c32 {
      scf.for %i = %c0 to %c32 step %c1 {
        scf.for %j = %c0 to %c32 step %c1 {
          scf.for %k = %c0 to %c32 step %c1 {
            %kk = arith.addi %k0, %k : index
            %mi = arith.addi %m0, %i : index
            %nj = arith.addi %n0, %j : index
            %okk = arith.cmpi ult, %kk, %c80 : index
            %okm = arith.cmpi ult, %mi, %c100 : index
            %okn = arith.cmpi ult, %nj, %c72 : index
            %oka = arith.andi %okk, %okm : i1
            %okb = arith.andi %okk, %okn : i1
            %a = scf.if %oka -> f32 {
              %x = memref.load %A[%mi, %kk] : memref<100x80xf32>
              scf.yield %x : f32
            } else { scf.yield %z : f32 }
            %b = scf.if %okb -> f32 {
              %x = memref.load %B[%kk, %nj] : memref<80x72xf32>
              scf.yield %x : f32
            } else { scf.yield %z : f32 }
            %p = arith.mulf %a, %b : f32
            %o = memref.load %acc[%i, %j] : memref<32x32xf32, #gpu.address_space<private>>
            %s = arith.addf %o, %p : f32
            memref.store %s, %acc[%i, %j] : memref<32x32xf32, #gpu.address_space<private>>
          }
        }
      }
    }
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %mi = arith.addi %m0, %i : index
        %nj = arith.addi %n0, %j : index
        %okm = arith.cmpi ult, %mi, %c100 : index
        %okn = arith.cmpi ult, %nj, %c72 : index
        %ok = arith.andi %okm, %okn : i1
        scf.if %ok {
          %o = memref.load %acc[%i, %j] : memref<32x32xf32, #gpu.address_space<private>>
          memref.store %o, %C[%mi, %nj] : memref<100x72xf32>
        }
      }
    }
  }
  return
}
