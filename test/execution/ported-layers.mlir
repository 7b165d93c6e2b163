// Kernels of GPUs, line by line: histograms in shared memory, groups that are quantized, rotary
// embedding of a part of a head, decays between all pairs of steps, experts' rows sent out and
// combined, dropout, nucleus sampling, gates that lie beside what they gate, the gated delta rule.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/histogram.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/histogram.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/groups.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/groups.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/rotary.mlir --check --arch=wormhole_b0 --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/rotary.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/segments.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/segments.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run %t/combine.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/combine.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/dropout.mlir --check --arch=wormhole_b0 --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/dropout.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/nucleus.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/nucleus.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/gated.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/gated.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/delta.mlir --check --arch=wormhole_b0 --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/delta.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/dispatch.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/dispatch.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: ok

//--- histogram.mlir
// privatised histogram (CUDA samples): each block counts its chunk in shared memory, then
// atomically adds into the result.
func.func @histogram256(%data: memref<16x128xi32> {tt.name = "data", tt.range = [0, 63]},
    %hist: memref<64xi32> {tt.name = "hist"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.parallel (%t) = (%c0) to (%c64) step (%c1) {
    memref.store %zero, %hist[%t] : memref<64xi32>
  }
  scf.parallel (%b) = (%c0) to (%c16) step (%c1) {
    %s = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
    scf.parallel (%t) = (%c0) to (%c64) step (%c1) {
      memref.store %zero, %s[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    }
    scf.parallel (%t) = (%c0) to (%c128) step (%c1) {
      %v = memref.load %data[%b, %t] : memref<16x128xi32>
      %i = arith.index_cast %v : i32 to index
      %o = memref.atomic_rmw addi %one, %s[%i]
        : (i32, memref<64xi32, #gpu.address_space<workgroup>>) -> i32
    }
    scf.parallel (%t) = (%c0) to (%c64) step (%c1) {
      %v = memref.load %s[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      %o = memref.atomic_rmw addi %v, %hist[%t] : (i32, memref<64xi32>) -> i32
    }
  }
  return
}

//--- groups.mlir
// per-group int8 quantization (as in per_token_group_quant): absmax of each group, scale, round,
// clamp, store.
func.func @group_quant(%x: memref<32x256xf32> {tt.name = "x"},
    %q: memref<32x256xi8> {tt.name = "q"},
    %s: memref<32x4xf32> {tt.name = "s"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %eps = arith.constant 1.0e-10 : f32
  %m127 = arith.constant 127.0 : f32
  %n128 = arith.constant -128.0 : f32
  scf.parallel (%row, %g) = (%c0, %c0) to (%c32, %c4) step (%c1, %c1) {
    %base = arith.muli %g, %c64 : index
    %absmax = scf.for %t = %c0 to %c64 step %c1 iter_args(%m = %eps) -> (f32) {
      %j = arith.addi %base, %t : index
      %v = memref.load %x[%row, %j] : memref<32x256xf32>
      %a = math.absf %v : f32
      %n = arith.maximumf %m, %a : f32
      scf.yield %n : f32
    }
    %scale = arith.divf %absmax, %m127 : f32
    memref.store %scale, %s[%row, %g] : memref<32x4xf32>
    scf.for %t = %c0 to %c64 step %c1 {
      %j = arith.addi %base, %t : index
      %v = memref.load %x[%row, %j] : memref<32x256xf32>
      %d = arith.divf %v, %scale : f32
      %r = math.roundeven %d : f32
      %l = arith.minimumf %r, %m127 : f32
      %u = arith.maximumf %l, %n128 : f32
      %i = arith.fptosi %u : f32 to i8
      memref.store %i, %q[%row, %j] : memref<32x256xi8>
    }
  }
  return
}

//--- rotary.mlir
// neox rotary embedding, kv heads stored (token, head, dim): rotary_dim smaller than head_dim,
// cos_sin cache by positions.
func.func @rope_neox(%pos: memref<12xi32> {tt.name = "pos", tt.range = [0, 63]},
    %cache: memref<64x32xf32> {tt.name = "cache"},
    %q: memref<12x4x48xf32> {tt.name = "q"},
    %o: memref<12x4x48xf32> {tt.name = "o"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  scf.parallel (%tok) = (%c0) to (%c12) step (%c1) {
    %p32 = memref.load %pos[%tok] : memref<12xi32>
    %p = arith.index_cast %p32 : i32 to index
    scf.parallel (%h, %r) = (%c0, %c0) to (%c4, %c16) step (%c1, %c1) {
      %r2 = arith.addi %r, %c16 : index
      %cos = memref.load %cache[%p, %r] : memref<64x32xf32>
      %sin = memref.load %cache[%p, %r2] : memref<64x32xf32>
      %x = memref.load %q[%tok, %h, %r] : memref<12x4x48xf32>
      %y = memref.load %q[%tok, %h, %r2] : memref<12x4x48xf32>
      %xc = arith.mulf %x, %cos : f32
      %ys = arith.mulf %y, %sin : f32
      %yc = arith.mulf %y, %cos : f32
      %xs = arith.mulf %x, %sin : f32
      %a = arith.subf %xc, %ys : f32
      %b = arith.addf %yc, %xs : f32
      memref.store %a, %o[%tok, %h, %r] : memref<12x4x48xf32>
      memref.store %b, %o[%tok, %h, %r2] : memref<12x4x48xf32>
    }
    scf.parallel (%h, %r) = (%c0, %c32) to (%c4, %c48) step (%c1, %c1) {
      %x = memref.load %q[%tok, %h, %r] : memref<12x4x48xf32>
      memref.store %x, %o[%tok, %h, %r] : memref<12x4x48xf32>
    }
  }
  return
}

//--- segments.mlir
// mamba2 segsum: S[i, j] = sum_{k in (j, i]} a[k], -inf above the diagonal; then exp.
func.func @segsum(%a: memref<4x32xf32> {tt.name = "a"},
    %l: memref<4x32x32xf32> {tt.name = "l"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%b) = (%c0) to (%c4) step (%c1) {
    %cum = memref.alloc() : memref<32xf32>
    %last = scf.for %t = %c0 to %c32 step %c1 iter_args(%s = %zero) -> (f32) {
      %x = memref.load %a[%b, %t] : memref<4x32xf32>
      %n = arith.addf %s, %x : f32
      memref.store %n, %cum[%t] : memref<32xf32>
      scf.yield %n : f32
    }
    scf.parallel (%i, %j) = (%c0, %c0) to (%c32, %c32) step (%c1, %c1) {
      %x = memref.load %cum[%i] : memref<32xf32>
      %y = memref.load %cum[%j] : memref<32xf32>
      %d = arith.subf %x, %y : f32
      %e = math.exp %d : f32
      %ge = arith.cmpi sge, %i, %j : index
      %v = arith.select %ge, %e, %zero : f32
      memref.store %v, %l[%b, %i, %j] : memref<4x32x32xf32>
    }
  }
  return
}

//--- combine.mlir
// MoE combine: out[token] = sum over k of w[token, k] * y[inv[token, k]], dropped slots are -1.
func.func @combine(%inv: memref<24x2xi32> {tt.name = "inv", tt.range = [-1, 47]},
    %w: memref<24x2xf32> {tt.name = "w"},
    %y: memref<48x96xbf16> {tt.name = "y"},
    %o: memref<24x96xbf16> {tt.name = "o"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c24 = arith.constant 24 : index
  %c96 = arith.constant 96 : index
  %zero = arith.constant 0.0 : f32
  %z = arith.constant 0 : i32
  scf.parallel (%t) = (%c0) to (%c24) step (%c1) {
    %acc = memref.alloc() : memref<96xf32, #gpu.address_space<private>>
    scf.for %d = %c0 to %c96 step %c1 {
      memref.store %zero, %acc[%d] : memref<96xf32, #gpu.address_space<private>>
    }
    scf.for %k = %c0 to %c2 step %c1 {
      %i32 = memref.load %inv[%t, %k] : memref<24x2xi32>
      %valid = arith.cmpi sge, %i32, %z : i32
      scf.if %valid {
        %i = arith.index_cast %i32 : i32 to index
        %wt = memref.load %w[%t, %k] : memref<24x2xf32>
        scf.for %d = %c0 to %c96 step %c1 {
          %v = memref.load %y[%i, %d] : memref<48x96xbf16>
          %f = arith.extf %v : bf16 to f32
          %m = arith.mulf %f, %wt : f32
          %a = memref.load %acc[%d] : memref<96xf32, #gpu.address_space<private>>
          %n = arith.addf %a, %m : f32
          memref.store %n, %acc[%d] : memref<96xf32, #gpu.address_space<private>>
        }
      }
    }
    scf.for %d = %c0 to %c96 step %c1 {
      %a = memref.load %acc[%d] : memref<96xf32, #gpu.address_space<private>>
      %b = arith.truncf %a : f32 to bf16
      memref.store %b, %o[%t, %d] : memref<24x96xbf16>
    }
  }
  return
}

//--- dropout.mlir
// seeded dropout (Triton tutorial 4) with a hash for the random number.
func.func @dropout(%x: memref<8x128xf32> {tt.name = "x"},
    %o: memref<8x128xf32> {tt.name = "o"})
    attributes {tt.kernel} {
  %p = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 2.0 : f32
  %inv = arith.constant 2.3283064e-10 : f32
  %c128 = arith.constant 128 : index
  %seed = arith.constant 123 : i32
  %k1 = arith.constant 0x7feb352d : i32
  %k2 = arith.constant 0x846ca68b : i32
  %s16 = arith.constant 16 : i32
  %s15 = arith.constant 15 : i32
  scf.forall (%pid, %t) in (8, 128) {
    %off = arith.muli %pid, %c128 : index
    %offs = arith.addi %off, %t : index
    %i = arith.index_cast %offs : index to i32
    %h0 = arith.xori %i, %seed : i32
    %a = arith.shrui %h0, %s16 : i32
    %h1 = arith.xori %h0, %a : i32
    %h2 = arith.muli %h1, %k1 : i32
    %b = arith.shrui %h2, %s15 : i32
    %h3 = arith.xori %h2, %b : i32
    %h4 = arith.muli %h3, %k2 : i32
    %c = arith.shrui %h4, %s16 : i32
    %h5 = arith.xori %h4, %c : i32
    %f = arith.uitofp %h5 : i32 to f32
    %r = arith.mulf %f, %inv : f32
    %keep = arith.cmpf ogt, %r, %p : f32
    %v = memref.load %x[%pid, %t] : memref<8x128xf32>
    %sc = arith.mulf %v, %scale : f32
    %y = arith.select %keep, %sc, %zero : f32
    memref.store %y, %o[%pid, %t] : memref<8x128xf32>
  }
  return
}

//--- nucleus.mlir
// nucleus filter on sorted probabilities: keep while the sum before is below p, then renormalise.
func.func @top_p(%s: memref<8x64xf32> {tt.name = "s"},
    %o: memref<8x64xf32> {tt.name = "o"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %p = arith.constant 0.5 : f32
  %tiny = arith.constant 1.0e-3 : f32
  scf.parallel (%r) = (%c0) to (%c8) step (%c1) {
    %tot, %kept = scf.for %t = %c0 to %c64 step %c1
        iter_args(%cum = %zero, %k = %zero) -> (f32, f32) {
      %v = memref.load %s[%r, %t] : memref<8x64xf32>
      %a = math.absf %v : f32
      %below = arith.cmpf olt, %cum, %p : f32
      %w = arith.select %below, %a, %zero : f32
      memref.store %w, %o[%r, %t] : memref<8x64xf32>
      %n = arith.addf %cum, %a : f32
      %kn = arith.addf %k, %w : f32
      scf.yield %n, %kn : f32, f32
    }
    %den = arith.addf %kept, %tiny : f32
    scf.for %t = %c0 to %c64 step %c1 {
      %v = memref.load %o[%r, %t] : memref<8x64xf32>
      %q = arith.divf %v, %den : f32
      memref.store %q, %o[%r, %t] : memref<8x64xf32>
    }
  }
  return
}

//--- gated.mlir
// swiglu with bias and clamp, interleaved gate and up (gpt-oss): gate at 2j, up at 2j + 1.
func.func @swiglu_oai(%x: memref<16x128xbf16> {tt.name = "x"},
    %o: memref<16x64xbf16> {tt.name = "o"})
    attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %alpha = arith.constant 1.702 : f32
  %one = arith.constant 1.0 : f32
  %lim = arith.constant 7.0 : f32
  %nlim = arith.constant -7.0 : f32
  scf.forall (%t, %j) in (16, 64) {
    %g = arith.muli %j, %c2 : index
    %u = arith.addi %g, %c1 : index
    %gb = memref.load %x[%t, %g] : memref<16x128xbf16>
    %ub = memref.load %x[%t, %u] : memref<16x128xbf16>
    %gf = arith.extf %gb : bf16 to f32
    %uf = arith.extf %ub : bf16 to f32
    %gc = arith.minimumf %gf, %lim : f32
    %u1 = arith.minimumf %uf, %lim : f32
    %u2 = arith.maximumf %u1, %nlim : f32
    %ag = arith.mulf %gc, %alpha : f32
    %ng = arith.negf %ag : f32
    %e = math.exp %ng : f32
    %d = arith.addf %e, %one : f32
    %s = arith.divf %gc, %d : f32
    %u3 = arith.addf %u2, %one : f32
    %y = arith.mulf %s, %u3 : f32
    %yb = arith.truncf %y : f32 to bf16
    memref.store %yb, %o[%t, %j] : memref<16x64xbf16>
  }
  return
}

//--- delta.mlir
// gated delta rule, recurrent form, one cell a head: S = exp(g) S; v' = beta (v - S^T k); S += k
// v'^T; o = S^T q.
func.func @gated_delta(%q: memref<2x6x32xf32> {tt.name = "q"},
    %k: memref<2x6x32xf32> {tt.name = "k"},
    %v: memref<2x6x32xf32> {tt.name = "v"},
    %g: memref<2x6xf32> {tt.name = "g"},
    %beta: memref<2x6xf32> {tt.name = "beta"},
    %o: memref<2x6x32xf32> {tt.name = "o"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%h) = (%c0) to (%c2) step (%c1) {
    %s = memref.alloc() : memref<32x32xf32>
    %d = memref.alloc() : memref<32xf32>
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        memref.store %zero, %s[%i, %j] : memref<32x32xf32>
      }
    }
    scf.for %t = %c0 to %c6 step %c1 {
      %gt = memref.load %g[%h, %t] : memref<2x6xf32>
      %eg = math.exp %gt : f32
      %bt = memref.load %beta[%h, %t] : memref<2x6xf32>
      scf.for %i = %c0 to %c32 step %c1 {
        scf.for %j = %c0 to %c32 step %c1 {
          %x = memref.load %s[%i, %j] : memref<32x32xf32>
          %y = arith.mulf %x, %eg : f32
          memref.store %y, %s[%i, %j] : memref<32x32xf32>
        }
      }
      scf.for %j = %c0 to %c32 step %c1 {
        %sum = scf.for %i = %c0 to %c32 step %c1 iter_args(%a = %zero) -> (f32) {
          %x = memref.load %s[%i, %j] : memref<32x32xf32>
          %ki = memref.load %k[%h, %t, %i] : memref<2x6x32xf32>
          %m = arith.mulf %x, %ki : f32
          %n = arith.addf %a, %m : f32
          scf.yield %n : f32
        }
        %vj = memref.load %v[%h, %t, %j] : memref<2x6x32xf32>
        %e = arith.subf %vj, %sum : f32
        %f = arith.mulf %e, %bt : f32
        memref.store %f, %d[%j] : memref<32xf32>
      }
      scf.for %i = %c0 to %c32 step %c1 {
        %ki = memref.load %k[%h, %t, %i] : memref<2x6x32xf32>
        scf.for %j = %c0 to %c32 step %c1 {
          %dj = memref.load %d[%j] : memref<32xf32>
          %m = arith.mulf %ki, %dj : f32
          %x = memref.load %s[%i, %j] : memref<32x32xf32>
          %y = arith.addf %x, %m : f32
          memref.store %y, %s[%i, %j] : memref<32x32xf32>
        }
      }
      scf.for %j = %c0 to %c32 step %c1 {
        %sum = scf.for %i = %c0 to %c32 step %c1 iter_args(%a = %zero) -> (f32) {
          %x = memref.load %s[%i, %j] : memref<32x32xf32>
          %qi = memref.load %q[%h, %t, %i] : memref<2x6x32xf32>
          %m = arith.mulf %x, %qi : f32
          %n = arith.addf %a, %m : f32
          scf.yield %n : f32
        }
        memref.store %sum, %o[%h, %t, %j] : memref<2x6x32xf32>
      }
    }
  }
  return
}

//--- dispatch.mlir
// token permute of MoE dispatch, as threads of (slot, dim): slot s takes token src[s] / top_k,
// the rest of slots are zero.
func.func @dispatch(%src: memref<40xi32> {tt.name = "src", tt.range = [-1, 47]},
    %x: memref<24x64xf32> {tt.name = "x"},
    %o: memref<40x64xf32> {tt.name = "o"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  scf.forall (%s, %d) in (40, 64) {
    %i32 = memref.load %src[%s] : memref<40xi32>
    %valid = arith.cmpi sge, %i32, %z : i32
    %v = scf.if %valid -> (f32) {
      %half = arith.divsi %i32, %two : i32
      %i = arith.index_cast %half : i32 to index
      %y = memref.load %x[%i, %d] : memref<24x64xf32>
      scf.yield %y : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %v, %o[%s, %d] : memref<40x64xf32>
  }
  return
}
