// Kernels of GPUs as models have them: recurrences of threads that keep a state, attention with biases and sinks.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/rwkv.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/rwkv.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/rwkv7.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/rwkv7.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/selscan.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/selscan.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/sinks.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/sinks.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/alibi.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/alibi.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// CHECK: {{Y: (max abs error .*|equal|.* differ, .*)}}: ok

// A weighted mean that goes on over time, in three numbers of a thread (RWKV-4).
//--- rwkv.mlir
func.func @wkv(%W: memref<64xf32>, %U: memref<64xf32>, %K: memref<2x12x64xf32>, %V: memref<2x12x64xf32>, %Y: memref<2x12x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %min = arith.constant -1.0e38 : f32
  affine.parallel (%b, %c) = (0, 0) to (2, 64) {
    %w = affine.load %W[%c] : memref<64xf32>
    %u = affine.load %U[%c] : memref<64xf32>
    %r:3 = affine.for %t = 0 to 12 iter_args(%p = %zero, %q = %zero, %o = %min) -> (f32, f32, f32) {
      %kk = affine.load %K[%b, %t, %c] : memref<2x12x64xf32>
      %vv = affine.load %V[%b, %t, %c] : memref<2x12x64xf32>
      %uk = arith.addf %u, %kk : f32
      %no = arith.maximumf %o, %uk : f32
      %d0 = arith.subf %o, %no : f32
      %a = math.exp %d0 : f32
      %d1 = arith.subf %uk, %no : f32
      %bb = math.exp %d1 : f32
      %ap = arith.mulf %a, %p : f32
      %bv = arith.mulf %bb, %vv : f32
      %n = arith.addf %ap, %bv : f32
      %aq = arith.mulf %a, %q : f32
      %dd = arith.addf %aq, %bb : f32
      %y = arith.divf %n, %dd : f32
      affine.store %y, %Y[%b, %t, %c] : memref<2x12x64xf32>
      %wo = arith.addf %w, %o : f32
      %no2 = arith.maximumf %wo, %kk : f32
      %d2 = arith.subf %wo, %no2 : f32
      %a2 = math.exp %d2 : f32
      %d3 = arith.subf %kk, %no2 : f32
      %b2 = math.exp %d3 : f32
      %p1 = arith.mulf %a2, %p : f32
      %p2 = arith.mulf %b2, %vv : f32
      %np = arith.addf %p1, %p2 : f32
      %q1 = arith.mulf %a2, %q : f32
      %nq = arith.addf %q1, %b2 : f32
      affine.yield %np, %nq, %no2 : f32, f32, f32
    }
  }
  return
}

// A state a head, of which each thread keeps a row (RWKV-7).
//--- rwkv7.mlir
func.func @wkv7(%R: memref<8x32xf32>, %W: memref<8x32xf32>, %K: memref<8x32xf32>, %V: memref<8x32xf32>, %A: memref<8x32xf32>, %B: memref<8x32xf32>, %S: memref<32x32xf32>, %Y: memref<8x32xf32> {tt.name = "Y"}, %SO: memref<32x32xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %sc = arith.constant 0.03125 : f32
  affine.parallel (%i) = (0) to (32) {
    %state = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    affine.for %j = 0 to 32 {
      %s = affine.load %S[%i, %j] : memref<32x32xf32>
      affine.store %s, %state[%j] : memref<32xf32, #gpu.address_space<private>>
    }
    affine.for %t = 0 to 8 {
      %sa = affine.for %j = 0 to 32 iter_args(%x = %zero) -> (f32) {
        %a0 = affine.load %A[%t, %j] : memref<8x32xf32>
        %a = arith.mulf %a0, %sc : f32
        %s = affine.load %state[%j] : memref<32xf32, #gpu.address_space<private>>
        %p = arith.mulf %a, %s : f32
        %n = arith.addf %x, %p : f32
        affine.yield %n : f32
      }
      %v = affine.load %V[%t, %i] : memref<8x32xf32>
      %y = affine.for %j = 0 to 32 iter_args(%x = %zero) -> (f32) {
        %s = affine.load %state[%j] : memref<32xf32, #gpu.address_space<private>>
        %w0 = affine.load %W[%t, %j] : memref<8x32xf32>
        %w1 = math.exp %w0 : f32
        %w2 = arith.negf %w1 : f32
        %w = math.exp %w2 : f32
        %k = affine.load %K[%t, %j] : memref<8x32xf32>
        %b = affine.load %B[%t, %j] : memref<8x32xf32>
        %r = affine.load %R[%t, %j] : memref<8x32xf32>
        %s1 = arith.mulf %s, %w : f32
        %s2 = arith.mulf %sa, %b : f32
        %s3 = arith.mulf %k, %v : f32
        %s4 = arith.addf %s1, %s2 : f32
        %s5 = arith.addf %s4, %s3 : f32
        affine.store %s5, %state[%j] : memref<32xf32, #gpu.address_space<private>>
        %p = arith.mulf %s5, %r : f32
        %n = arith.addf %x, %p : f32
        affine.yield %n : f32
      }
      affine.store %y, %Y[%t, %i] : memref<8x32xf32>
    }
    affine.for %j = 0 to 32 {
      %s = affine.load %state[%j] : memref<32xf32, #gpu.address_space<private>>
      affine.store %s, %SO[%i, %j] : memref<32x32xf32>
    }
  }
  return
}

// One step of a selective scan, with its state in place.
//--- selscan.mlir
func.func @ssu(%ST: memref<2x32x16xf32> {tt.name = "ST"}, %X: memref<2x32xf32>, %DT: memref<2x32xf32>, %DTB: memref<32xf32>, %A: memref<32x16xf32>, %B: memref<2x16xf32>, %C: memref<2x16xf32>, %D: memref<32xf32>, %Z: memref<2x32xf32>, %Y: memref<2x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %twenty = arith.constant 20.0 : f32
  affine.parallel (%b, %d) = (0, 0) to (2, 32) {
    %dt0 = affine.load %DT[%b, %d] : memref<2x32xf32>
    %bias = affine.load %DTB[%d] : memref<32xf32>
    %dt1 = arith.addf %dt0, %bias : f32
    %e = math.exp %dt1 : f32
    %l = math.log1p %e : f32
    %big = arith.cmpf ogt, %dt1, %twenty : f32
    %dt = arith.select %big, %dt1, %l : f32
    %x = affine.load %X[%b, %d] : memref<2x32xf32>
    %sum = affine.for %n = 0 to 16 iter_args(%acc = %zero) -> (f32) {
      %a0 = affine.load %A[%d, %n] : memref<32x16xf32>
      %a1 = arith.mulf %a0, %dt : f32
      %a1n = arith.negf %a1 : f32
      %da = math.exp %a1n : f32
      %bb = affine.load %B[%b, %n] : memref<2x16xf32>
      %db = arith.mulf %bb, %dt : f32
      %s = affine.load %ST[%b, %d, %n] : memref<2x32x16xf32>
      %s1 = arith.mulf %s, %da : f32
      %s2 = arith.mulf %db, %x : f32
      %s3 = arith.addf %s1, %s2 : f32
      affine.store %s3, %ST[%b, %d, %n] : memref<2x32x16xf32>
      %c = affine.load %C[%b, %n] : memref<2x16xf32>
      %p = arith.mulf %s3, %c : f32
      %r = arith.addf %acc, %p : f32
      affine.yield %r : f32
    }
    %dd = affine.load %D[%d] : memref<32xf32>
    %xd = arith.mulf %x, %dd : f32
    %o = arith.addf %sum, %xd : f32
    %z = affine.load %Z[%b, %d] : memref<2x32xf32>
    %nz = arith.negf %z : f32
    %ez = math.exp %nz : f32
    %ez1 = arith.addf %one, %ez : f32
    %sz = arith.divf %z, %ez1 : f32
    %y = arith.mulf %o, %sz : f32
    affine.store %y, %Y[%b, %d] : memref<2x32xf32>
  }
  return
}

// Attention in a window of 16, with a logit a head that no key has.
//--- sinks.mlir
func.func @sinks(%Q: memref<2x64x32xf32>, %K: memref<1x64x32xf32>, %V: memref<1x64x32xf32>, %SK: memref<2xf32>, %O: memref<2x64x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.17677669 : f32
  %ninf = arith.constant 0xFF800000 : f32
  affine.parallel (%h, %i) = (0, 0) to (2, 64) {
    %p = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    %sink = affine.load %SK[%h] : memref<2xf32>
    %m = affine.for %j = 0 to 64 iter_args(%mx = %sink) -> (f32) {
      %s = affine.for %d = 0 to 32 iter_args(%a = %zero) -> (f32) {
        %q = affine.load %Q[%h, %i, %d] : memref<2x64x32xf32>
        %k = affine.load %K[%h floordiv 2, %j, %d] : memref<1x64x32xf32>
        %t = arith.mulf %q, %k : f32
        %u = arith.addf %a, %t : f32
        affine.yield %u : f32
      }
      %sc = arith.mulf %s, %scale : f32
      %c1 = arith.cmpi sle, %j, %i : index
      %df = affine.apply affine_map<(i, j) -> (i - j)>(%i, %j)
      %c16 = arith.constant 16 : index
      %c2 = arith.cmpi slt, %df, %c16 : index
      %c = arith.andi %c1, %c2 : i1
      %ms = arith.select %c, %sc, %ninf : f32
      affine.store %ms, %p[%j] : memref<64xf32, #gpu.address_space<private>>
      %n = arith.maximumf %mx, %ms : f32
      affine.yield %n : f32
    }
    %sd = arith.subf %sink, %m : f32
    %es = math.exp %sd : f32
    %l = affine.for %j = 0 to 64 iter_args(%a = %es) -> (f32) {
      %s = affine.load %p[%j] : memref<64xf32, #gpu.address_space<private>>
      %d = arith.subf %s, %m : f32
      %e = math.exp %d : f32
      affine.store %e, %p[%j] : memref<64xf32, #gpu.address_space<private>>
      %n = arith.addf %a, %e : f32
      affine.yield %n : f32
    }
    affine.for %d = 0 to 32 {
      %o = affine.for %j = 0 to 64 iter_args(%a = %zero) -> (f32) {
        %e = affine.load %p[%j] : memref<64xf32, #gpu.address_space<private>>
        %v = affine.load %V[%h floordiv 2, %j, %d] : memref<1x64x32xf32>
        %t = arith.mulf %e, %v : f32
        %u = arith.addf %a, %t : f32
        affine.yield %u : f32
      }
      %y = arith.divf %o, %l : f32
      affine.store %y, %O[%h, %i, %d] : memref<2x64x32xf32>
    }
  }
  return
}

// Attention whose scores fall with the distance, by a slope a head.
//--- alibi.mlir
func.func @alibi(%Q: memref<4x32x32xf32>, %K: memref<4x32x32xf32>, %V: memref<4x32x32xf32>, %O: memref<4x32x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.17677669 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %m2 = arith.constant -2.0 : f32
  affine.parallel (%h, %i) = (0, 0) to (4, 32) {
    %p = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %h1 = affine.apply affine_map<(h) -> (h + 1)>(%h)
    %hi = arith.index_cast %h1 : index to i32
    %hf = arith.sitofp %hi : i32 to f32
    %ex = arith.mulf %hf, %m2 : f32
    %slope = math.exp2 %ex : f32
    %m = affine.for %j = 0 to 32 iter_args(%mx = %ninf) -> (f32) {
      %s = affine.for %d = 0 to 32 iter_args(%a = %zero) -> (f32) {
        %q = affine.load %Q[%h, %i, %d] : memref<4x32x32xf32>
        %k = affine.load %K[%h, %j, %d] : memref<4x32x32xf32>
        %t = arith.mulf %q, %k : f32
        %u = arith.addf %a, %t : f32
        affine.yield %u : f32
      }
      %sc = arith.mulf %s, %scale : f32
      %dist = arith.subi %j, %i : index
      %disti = arith.index_cast %dist : index to i32
      %distf = arith.sitofp %disti : i32 to f32
      %bias = arith.mulf %slope, %distf : f32
      %sb = arith.addf %sc, %bias : f32
      %c = arith.cmpi sle, %j, %i : index
      %ms = arith.select %c, %sb, %ninf : f32
      affine.store %ms, %p[%j] : memref<32xf32, #gpu.address_space<private>>
      %n = arith.maximumf %mx, %ms : f32
      affine.yield %n : f32
    }
    %l = affine.for %j = 0 to 32 iter_args(%a = %zero) -> (f32) {
      %s = affine.load %p[%j] : memref<32xf32, #gpu.address_space<private>>
      %d = arith.subf %s, %m : f32
      %e = math.exp %d : f32
      affine.store %e, %p[%j] : memref<32xf32, #gpu.address_space<private>>
      %n = arith.addf %a, %e : f32
      affine.yield %n : f32
    }
    affine.for %d = 0 to 32 {
      %o = affine.for %j = 0 to 32 iter_args(%a = %zero) -> (f32) {
        %e = affine.load %p[%j] : memref<32xf32, #gpu.address_space<private>>
        %v = affine.load %V[%h, %j, %d] : memref<4x32x32xf32>
        %t = arith.mulf %e, %v : f32
        %u = arith.addf %a, %t : f32
        affine.yield %u : f32
      }
      %y = arith.divf %o, %l : f32
      affine.store %y, %O[%h, %i, %d] : memref<4x32x32xf32>
    }
  }
  return
}
