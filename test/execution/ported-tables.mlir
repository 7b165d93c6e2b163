// Kernels of GPUs as training has them: losses, optimizers, adapters, gradients of tables, histograms.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/cebwd.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/cebwd.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/adam.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/adam.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/lora.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/lora.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: tt-run %t/rotg.mlir --check --metalium-api=2025 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/rotg.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/bincount.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/bincount.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/histo.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/histo.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/embbwd.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/embbwd.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// CHECK: {{Y: (max abs error .*|equal|.* differ, .*)}}: ok

// The gradient of a smoothed cross entropy in place of the logits; rows of label -1 do not count.
//--- cebwd.mlir
func.func @cebwd(%X: memref<32x100xf32> {tt.name = "X"}, %L: memref<32xi32> {tt.range = [-1, 99]}, %LOSS: memref<32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %ign = arith.constant -1 : i32
  %inv = arith.constant 0.03125 : f32
  %eps = arith.constant 0.001 : f32
  %conf = arith.constant 0.9 : f32
  %one = arith.constant 1.0 : f32
  affine.parallel (%r) = (0) to (32) {
    %y = affine.load %L[%r] : memref<32xi32>
    %skip = arith.cmpi eq, %y, %ign : i32
    scf.if %skip {
      affine.for %j = 0 to 100 {
        affine.store %zero, %X[%r, %j] : memref<32x100xf32>
      }
      affine.store %zero, %LOSS[%r] : memref<32xf32>
    } else {
      %yi = arith.index_cast %y : i32 to index
      %m = affine.for %j = 0 to 100 iter_args(%a = %ninf) -> (f32) {
        %x = affine.load %X[%r, %j] : memref<32x100xf32>
        %n = arith.maximumf %a, %x : f32
        affine.yield %n : f32
      }
      %d = affine.for %j = 0 to 100 iter_args(%a = %zero) -> (f32) {
        %x = affine.load %X[%r, %j] : memref<32x100xf32>
        %s = arith.subf %x, %m : f32
        %e = math.exp %s : f32
        %n = arith.addf %a, %e : f32
        affine.yield %n : f32
      }
      %ld = math.log %d : f32
      %lse = arith.addf %m, %ld : f32
      %xy = memref.load %X[%r, %yi] : memref<32x100xf32>
      %loss = arith.subf %lse, %xy : f32
      affine.store %loss, %LOSS[%r] : memref<32xf32>
      affine.for %j = 0 to 100 {
        %x = affine.load %X[%r, %j] : memref<32x100xf32>
        %s = arith.subf %x, %m : f32
        %e = math.exp %s : f32
        %p = arith.divf %e, %d : f32
        %pe = arith.subf %p, %eps : f32
        %is = arith.cmpi eq, %j, %yi : index
        %t = arith.select %is, %conf, %zero : f32
        %g = arith.subf %pe, %t : f32
        %gs = arith.mulf %g, %inv : f32
        affine.store %gs, %X[%r, %j] : memref<32x100xf32>
      }
    }
  }
  return
}

// A step of AdamW, with moments in bf16.
//--- adam.mlir
func.func @adamw(%P: memref<2048xf32> {tt.name = "Y"}, %G: memref<2048xbf16>, %M: memref<2048xbf16> {tt.name = "M"}, %V: memref<2048xbf16> {tt.name = "V"}, %lr: f32 {tt.name = "lr"}, %b1: f32 {tt.name = "b1"}, %b2: f32 {tt.name = "b2"}, %step: i32 {tt.name = "step", tt.range = [1, 1000]}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  %eps = arith.constant 1.0e-8 : f32
  %wd = arith.constant 0.01 : f32
  %sf = arith.sitofp %step : i32 to f32
  %b1t = math.powf %b1, %sf : f32
  %b2t = math.powf %b2, %sf : f32
  %c1 = arith.subf %one, %b1t : f32
  %c2 = arith.subf %one, %b2t : f32
  affine.parallel (%b) = (0) to (2048) step (256) {
    affine.for %i = 0 to 256 {
      %p = affine.load %P[%b + %i] : memref<2048xf32>
      %gh = affine.load %G[%b + %i] : memref<2048xbf16>
      %g = arith.extf %gh : bf16 to f32
      %mh = affine.load %M[%b + %i] : memref<2048xbf16>
      %m0 = arith.extf %mh : bf16 to f32
      %vh = affine.load %V[%b + %i] : memref<2048xbf16>
      %v00 = arith.extf %vh : bf16 to f32
      %v0 = math.absf %v00 : f32
      %wl = arith.mulf %wd, %lr : f32
      %wl1 = arith.subf %one, %wl : f32
      %pd = arith.mulf %p, %wl1 : f32
      %m1 = arith.mulf %b1, %m0 : f32
      %ob1 = arith.subf %one, %b1 : f32
      %m2 = arith.mulf %ob1, %g : f32
      %m = arith.addf %m1, %m2 : f32
      %v1 = arith.mulf %b2, %v0 : f32
      %ob2 = arith.subf %one, %b2 : f32
      %g2 = arith.mulf %g, %g : f32
      %v2 = arith.mulf %ob2, %g2 : f32
      %v = arith.addf %v1, %v2 : f32
      %mhat = arith.divf %m, %c1 : f32
      %vhat = arith.divf %v, %c2 : f32
      %sq = math.sqrt %vhat : f32
      %den = arith.addf %sq, %eps : f32
      %u = arith.divf %mhat, %den : f32
      %lu = arith.mulf %lr, %u : f32
      %np = arith.subf %pd, %lu : f32
      affine.store %np, %P[%b + %i] : memref<2048xf32>
      %mo = arith.truncf %m : f32 to bf16
      affine.store %mo, %M[%b + %i] : memref<2048xbf16>
      %vo = arith.truncf %v : f32 to bf16
      affine.store %vo, %V[%b + %i] : memref<2048xbf16>
    }
  }
  return
}

// A product through two small matrices that a list names, or none.
//--- lora.mlir
func.func @lora(%X: memref<8x64xbf16>, %A: memref<4x16x64xbf16>, %B: memref<4x96x16xbf16>, %I: memref<8xi32> {tt.range = [-1, 3]}, %BASE: memref<8x96xf32>, %Y: memref<8x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant 0 : i32
  %scale = arith.constant 0.5 : f32
  affine.parallel (%b) = (0) to (8) {
    %h = memref.alloc() : memref<16xf32, #gpu.address_space<workgroup>>
    %i = affine.load %I[%b] : memref<8xi32>
    %ii = arith.index_cast %i : i32 to index
    %has = arith.cmpi sge, %i, %z : i32
    scf.if %has {
      affine.for %r = 0 to 16 {
        %s = affine.for %k = 0 to 64 iter_args(%a = %zero) -> (f32) {
          %x = affine.load %X[%b, %k] : memref<8x64xbf16>
          %w = memref.load %A[%ii, %r, %k] : memref<4x16x64xbf16>
          %xf = arith.extf %x : bf16 to f32
          %wf = arith.extf %w : bf16 to f32
          %p = arith.mulf %xf, %wf : f32
          %n = arith.addf %a, %p : f32
          affine.yield %n : f32
        }
        affine.store %s, %h[%r] : memref<16xf32, #gpu.address_space<workgroup>>
      }
      affine.for %n = 0 to 96 {
        %s = affine.for %r = 0 to 16 iter_args(%a = %zero) -> (f32) {
          %x = affine.load %h[%r] : memref<16xf32, #gpu.address_space<workgroup>>
          %w = memref.load %B[%ii, %n, %r] : memref<4x96x16xbf16>
          %wf = arith.extf %w : bf16 to f32
          %p = arith.mulf %x, %wf : f32
          %q = arith.addf %a, %p : f32
          affine.yield %q : f32
        }
        %t = arith.mulf %s, %scale : f32
        %base = affine.load %BASE[%b, %n] : memref<8x96xf32>
        %y = arith.addf %base, %t : f32
        affine.store %y, %Y[%b, %n] : memref<8x96xf32>
      }
    } else {
      affine.for %n = 0 to 96 {
        %base = affine.load %BASE[%b, %n] : memref<8x96xf32>
        affine.store %base, %Y[%b, %n] : memref<8x96xf32>
      }
    }
  }
  return
}

// Positions from a list of i64 rotate pairs of neighbours in place.
//--- rotg.mlir
func.func @rotg(%POS: memref<16xi64> {tt.range = [0, 99]}, %Q: memref<16x4x32xbf16> {tt.name = "Y"}, %CS: memref<100x32xbf16>) attributes {tt.kernel} {
  affine.parallel (%t) = (0) to (16) {
    %p = affine.load %POS[%t] : memref<16xi64>
    %pi = arith.index_cast %p : i64 to index
    affine.for %h = 0 to 4 {
      affine.for %i = 0 to 16 {
        %c = memref.load %CS[%pi, %i] : memref<100x32xbf16>
        %i2 = affine.apply affine_map<(i) -> (i + 16)>(%i)
        %s = memref.load %CS[%pi, %i2] : memref<100x32xbf16>
        %x = affine.load %Q[%t, %h, %i * 2] : memref<16x4x32xbf16>
        %y = affine.load %Q[%t, %h, %i * 2 + 1] : memref<16x4x32xbf16>
        %xc = arith.mulf %x, %c : bf16
        %ys = arith.mulf %y, %s : bf16
        %a = arith.subf %xc, %ys : bf16
        %yc = arith.mulf %y, %c : bf16
        %xs = arith.mulf %x, %s : bf16
        %b = arith.addf %yc, %xs : bf16
        affine.store %a, %Q[%t, %h, %i * 2] : memref<16x4x32xbf16>
        affine.store %b, %Q[%t, %h, %i * 2 + 1] : memref<16x4x32xbf16>
      }
    }
  }
  return
}

// Weights and counts of classes, by atomics, of labels in i64.
//--- bincount.mlir
func.func @bincount(%L: memref<128xi64> {tt.range = [0, 19]}, %W: memref<128xf32>, %Y: memref<20xf32> {tt.name = "Y"}, %N: memref<20xi32> {tt.name = "N"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.for %b = 0 to 20 {
    affine.store %zero, %Y[%b] : memref<20xf32>
    affine.store %zi, %N[%b] : memref<20xi32>
  }
  affine.parallel (%i) = (0) to (128) {
    %l = affine.load %L[%i] : memref<128xi64>
    %at = arith.index_cast %l : i64 to index
    %w = affine.load %W[%i] : memref<128xf32>
    %o = memref.atomic_rmw addf %w, %Y[%at] : (f32, memref<20xf32>) -> f32
    %o2 = memref.atomic_rmw addi %one, %N[%at] : (i32, memref<20xi32>) -> i32
  }
  return
}

// A histogram whose bins values decide.
//--- histo.mlir
func.func @histc(%X: memref<32x32xf32>, %H: memref<16xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zi = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c15 = arith.constant 15 : i32
  %lo = arith.constant -4.0 : f32
  %sc = arith.constant 2.0 : f32
  affine.for %b = 0 to 16 {
    affine.store %zi, %H[%b] : memref<16xi32>
  }
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      %x = affine.load %X[%i, %j] : memref<32x32xf32>
      %d = arith.subf %x, %lo : f32
      %s = arith.mulf %d, %sc : f32
      %f = math.floor %s : f32
      %n = arith.fptosi %f : f32 to i32
      %n0 = arith.maxsi %n, %zi : i32
      %n1 = arith.minsi %n0, %c15 : i32
      %at = arith.index_cast %n1 : i32 to index
      %h = memref.load %H[%at] : memref<16xi32>
      %h1 = arith.addi %h, %one : i32
      memref.store %h1, %H[%at] : memref<16xi32>
    }
  }
  return
}

// Rows are added where a list says, but for padding.
//--- embbwd.mlir
func.func @embbwd(%G: memref<32x64xf32>, %I: memref<32xi64> {tt.range = [0, 49]}, %DW: memref<50x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %pad = arith.constant 0 : i64
  affine.for %v = 0 to 50 {
    affine.for %d = 0 to 64 {
      affine.store %zero, %DW[%v, %d] : memref<50x64xf32>
    }
  }
  affine.for %t = 0 to 32 {
    %i = affine.load %I[%t] : memref<32xi64>
    %ii = arith.index_cast %i : i64 to index
    %ok = arith.cmpi ne, %i, %pad : i64
    scf.if %ok {
      affine.for %d = 0 to 64 {
        %g = affine.load %G[%t, %d] : memref<32x64xf32>
        %o = memref.load %DW[%ii, %d] : memref<50x64xf32>
        %n = arith.addf %o, %g : f32
        memref.store %n, %DW[%ii, %d] : memref<50x64xf32>
      }
    }
  }
  return
}
