// Kernels of GPUs that train, line by line: sums as trees in shared memory, gradients that replace
// what they are of, statistics that run along, partial sums in groups, triangles that are solved.
// RUN: split-file %s %t
// RUN: tt-run %t/tree-reduce.mlir --check --strict --arch=wormhole_b0 \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/tree-reduce.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/kkt-solve.mlir --check --strict \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/kkt-solve.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/geglu-bwd.mlir --check --strict \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/geglu-bwd.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/batch-norm.mlir --check --strict \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/batch-norm.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/ln-bwd.mlir --check --strict \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/ln-bwd.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/jsd.mlir --check --strict \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/jsd.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/rel-pos.mlir --check --strict \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/rel-pos.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: ok

//--- tree-reduce.mlir
// llm.c matmul_backward_bias: a block of 64 threads, partial sums over rows, tree reduction in
// shared memory
func.func @bias_bwd(%dout: memref<256x48xf32> {tt.name = "dout"},
    %dbias: memref<48xf32> {tt.name = "dbias"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%o) in (48) {
    %sh = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    scf.parallel (%t) = (%c0) to (%c64) step (%c1) {
      %s = scf.for %i = %t to %c256 step %c64 iter_args(%a = %zero) -> (f32) {
        %v = memref.load %dout[%i, %o] : memref<256x48xf32>
        %n = arith.addf %a, %v : f32
        scf.yield %n : f32
      }
      memref.store %s, %sh[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    %last = scf.while (%st = %c32) : (index) -> index {
      %go = arith.cmpi sge, %st, %c1 : index
      scf.condition(%go) %st : index
    } do {
    ^bb0(%st: index):
      scf.parallel (%t) = (%c0) to (%c64) step (%c1) {
        %in = arith.cmpi slt, %t, %st : index
        scf.if %in {
          %u = arith.addi %t, %st : index
          %x = memref.load %sh[%t] : memref<64xf32, #gpu.address_space<workgroup>>
          %y = memref.load %sh[%u] : memref<64xf32, #gpu.address_space<workgroup>>
          %n = arith.addf %x, %y : f32
          memref.store %n, %sh[%t] : memref<64xf32, #gpu.address_space<workgroup>>
        }
      }
      %nx = arith.divsi %st, %c2 : index
      scf.yield %nx : index
    }
    %r = memref.load %sh[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    %old = memref.load %dbias[%o] : memref<48xf32>
    %new = arith.addf %old, %r : f32
    memref.store %new, %dbias[%o] : memref<48xf32>
  }
  return
}

//--- kkt-solve.mlir
// FLA (keys scaled to length 1 or so): chunk_scaled_dot_kkt and solve_tril, a program a chunk and
// head, tensors (B, T, H, D)
func.func @kkt(%k: memref<1x128x2x64xbf16> {tt.name = "k"},
    %beta: memref<1x128x2xf32> {tt.name = "beta", tt.range = [0, 1]},
    %g: memref<1x128x2xf32> {tt.name = "g"},
    %A: memref<1x128x2x32xf32> {tt.name = "A"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %sc = arith.constant 0.015625 : f32
  scf.forall (%h, %c) in (2, 4) {
    %t0 = arith.muli %c, %c32 : index
    %kb = memref.alloc() : memref<32x64xbf16, #gpu.address_space<workgroup>>
    %a = memref.alloc() : memref<32x32xf32>
    %kv = memref.subview %k[0, %t0, %h, 0] [1, 32, 1, 64] [1, 1, 1, 1] : memref<1x128x2x64xbf16>
        to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    memref.copy %kv, %kb : memref<32x64xbf16, strided<[128, 1], offset: ?>>
        to memref<32x64xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%zero : f32) outs(%a : memref<32x32xf32>)
    linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j,
        d)>, affine_map<(i, j, d) -> (i, j)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%kb, %kb : memref<32x64xbf16, #gpu.address_space<workgroup>>,
          memref<32x64xbf16, #gpu.address_space<workgroup>>) outs(%a : memref<32x32xf32>) {
    ^bb0(%x: bf16, %y: bf16, %z: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
    }
    // scale by beta and gates, strictly lower
    scf.parallel (%i, %j) = (%c0, %c0) to (%c32, %c32) step (%c1, %c1) {
      %ti = arith.addi %t0, %i : index
      %tj = arith.addi %t0, %j : index
      %b = memref.load %beta[%c0, %ti, %h] : memref<1x128x2xf32>
      %gi = memref.load %g[%c0, %ti, %h] : memref<1x128x2xf32>
      %gj = memref.load %g[%c0, %tj, %h] : memref<1x128x2xf32>
      %gd = arith.subf %gi, %gj : f32
      %e = math.exp %gd : f32
      %v = memref.load %a[%i, %j] : memref<32x32xf32>
      %vs = arith.mulf %v, %sc : f32
      %v1 = arith.mulf %vs, %b : f32
      %v2 = arith.mulf %v1, %e : f32
      %gt = arith.cmpi sgt, %i, %j : index
      %n0 = arith.negf %v2 : f32
      %n = arith.select %gt, %n0, %zero : f32
      memref.store %n, %a[%i, %j] : memref<32x32xf32>
    }
    // forward substitution: a[i, :] += a[i, :] @ a[:, :] over rows before
    scf.for %i = %c1 to %c32 step %c1 {
      %row = memref.alloc() : memref<32xf32>
      scf.parallel (%j) = (%c0) to (%c32) step (%c1) {
        %s = scf.for %m = %c0 to %c32 step %c1 iter_args(%acc = %zero) -> (f32) {
          %x = memref.load %a[%i, %m] : memref<32x32xf32>
          %y = memref.load %a[%m, %j] : memref<32x32xf32>
          %lt = arith.cmpi slt, %m, %i : index
          %p = arith.mulf %x, %y : f32
          %q = arith.select %lt, %p, %zero : f32
          %n = arith.addf %acc, %q : f32
          scf.yield %n : f32
        }
        %o = memref.load %a[%i, %j] : memref<32x32xf32>
        %n = arith.addf %o, %s : f32
        memref.store %n, %row[%j] : memref<32xf32>
      }
      scf.parallel (%j) = (%c0) to (%c32) step (%c1) {
        %x = memref.load %row[%j] : memref<32xf32>
        memref.store %x, %a[%i, %j] : memref<32x32xf32>
      }
    }
    scf.parallel (%i, %j) = (%c0, %c0) to (%c32, %c32) step (%c1, %c1) {
      %ti = arith.addi %t0, %i : index
      %v = memref.load %a[%i, %j] : memref<32x32xf32>
      %eq = arith.cmpi eq, %i, %j : index
      %d = arith.select %eq, %one, %zero : f32
      %n = arith.addf %v, %d : f32
      memref.store %n, %A[%c0, %ti, %h, %j] : memref<1x128x2x32xf32>
    }
  }
  return
}

//--- geglu-bwd.mlir
// unsloth geglu_exact_backward: h overwrites DW, df overwrites e, de overwrites g; blocks of 1024
// of a flat buffer, masked
func.func @geglu(%DW: memref<3000xbf16> {tt.name = "DW"}, %e: memref<3000xbf16> {tt.name = "e"},
    %g: memref<3000xbf16> {tt.name = "g"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %bs = arith.constant 1024 : index
  %n = arith.constant 3000 : index
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rs2 = arith.constant 0.70710678118 : f32
  %tpi = arith.constant 0.3989422804 : f32
  %mh = arith.constant -0.5 : f32
  scf.parallel (%blk) = (%c0) to (%c3) step (%c1) {
    scf.parallel (%t) = (%c0) to (%bs) step (%c1) {
      %b0 = arith.muli %blk, %bs : index
      %o = arith.addi %b0, %t : index
      %in = arith.cmpi slt, %o, %n : index
      scf.if %in {
        %d8 = memref.load %DW[%o] : memref<3000xbf16>
        %e8 = memref.load %e[%o] : memref<3000xbf16>
        %g8 = memref.load %g[%o] : memref<3000xbf16>
        %ef = arith.extf %e8 : bf16 to f32
        %es = arith.mulf %rs2, %ef : f32
        %er = math.erf %es : f32
        %er1 = arith.addf %er, %one : f32
        %part = arith.mulf %half, %er1 : f32
        %f = arith.mulf %part, %ef : f32
        %fb = arith.truncf %f : f32 to bf16
        %hrow = arith.mulf %fb, %g8 : bf16
        %df = arith.mulf %d8, %fb : bf16
        %dg = arith.mulf %d8, %g8 : bf16
        %e2 = arith.mulf %ef, %ef : f32
        %e3 = arith.mulf %mh, %e2 : f32
        %ex = math.exp %e3 : f32
        %te = arith.mulf %tpi, %ef : f32
        %tx = arith.mulf %te, %ex : f32
        %dfe = arith.addf %part, %tx : f32
        %dgf = arith.extf %dg : bf16 to f32
        %de = arith.mulf %dgf, %dfe : f32
        %deb = arith.truncf %de : f32 to bf16
        memref.store %hrow, %DW[%o] : memref<3000xbf16>
        memref.store %df, %e[%o] : memref<3000xbf16>
        memref.store %deb, %g[%o] : memref<3000xbf16>
      }
    }
  }
  return
}

//--- batch-norm.mlir
// FlagGems batch_norm forward in training: a program a channel, Welford-free sums over (n, s),
// running statistics in place
func.func @bn(%x: memref<4x12x50xf32> {tt.name = "x"}, %w: memref<12xf32> {tt.name = "w"},
    %b: memref<12xf32> {tt.name = "b"}, %rm: memref<12xf32> {tt.name = "rm"},
    %rv: memref<12xf32> {tt.name = "rv"},
    %y: memref<4x12x50xf32> {tt.name = "y"}, %mean: memref<12xf32> {tt.name = "mean"},
        %inv: memref<12xf32> {tt.name = "inv"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %c50 = arith.constant 50 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 200.0 : f32
  %nm1 = arith.constant 199.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %mo = arith.constant 0.1 : f32
  %om = arith.constant 0.9 : f32
  scf.parallel (%c) = (%c0) to (%c12) step (%c1) {
    %s:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zero, %q = %zero) -> (f32, f32) {
      %t:2 = scf.for %j = %c0 to %c50 step %c1 iter_args(%a1 = %a, %q1 = %q) -> (f32, f32) {
        %v = memref.load %x[%i, %c, %j] : memref<4x12x50xf32>
        %v2 = arith.mulf %v, %v : f32
        %n1 = arith.addf %a1, %v : f32
        %n2 = arith.addf %q1, %v2 : f32
        scf.yield %n1, %n2 : f32, f32
      }
      scf.yield %t#0, %t#1 : f32, f32
    }
    %m = arith.divf %s#0, %n : f32
    %mq = arith.divf %s#1, %n : f32
    %mm = arith.mulf %m, %m : f32
    %var = arith.subf %mq, %mm : f32
    %ve = arith.addf %var, %eps : f32
    %is = math.rsqrt %ve : f32
    memref.store %m, %mean[%c] : memref<12xf32>
    memref.store %is, %inv[%c] : memref<12xf32>
    %orm = memref.load %rm[%c] : memref<12xf32>
    %orv = memref.load %rv[%c] : memref<12xf32>
    %r1 = arith.mulf %orm, %om : f32
    %r2 = arith.mulf %m, %mo : f32
    %r3 = arith.addf %r1, %r2 : f32
    memref.store %r3, %rm[%c] : memref<12xf32>
    %u0 = arith.mulf %var, %n : f32
    %u = arith.divf %u0, %nm1 : f32
    %t1 = arith.mulf %orv, %om : f32
    %t2 = arith.mulf %u, %mo : f32
    %t3 = arith.addf %t1, %t2 : f32
    memref.store %t3, %rv[%c] : memref<12xf32>
    %wv = memref.load %w[%c] : memref<12xf32>
    %bv = memref.load %b[%c] : memref<12xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c50 step %c1 {
        %v = memref.load %x[%i, %c, %j] : memref<4x12x50xf32>
        %d = arith.subf %v, %m : f32
        %e = arith.mulf %d, %is : f32
        %f = arith.mulf %e, %wv : f32
        %g = arith.addf %f, %bv : f32
        memref.store %g, %y[%i, %c, %j] : memref<4x12x50xf32>
      }
    }
  }
  return
}

//--- ln-bwd.mlir
// Triton tutorial: layer norm backward, dx of each row and partial sums of dw, db in groups (row
// mod 4), then their sum
func.func @ln(%x: memref<24x100xf32> {tt.name = "x"}, %dy: memref<24x100xf32> {tt.name = "dy"},
    %w: memref<100xf32> {tt.name = "w"}, %mean: memref<24xf32> {tt.name = "mean"},
    %rstd: memref<24xf32> {tt.name = "rstd"},
    %dx: memref<24x100xf32> {tt.name = "dx"}, %pw: memref<4x100xf32> {tt.name = "pw"},
        %pb: memref<4x100xf32> {tt.name = "pb"}, %dw: memref<100xf32> {tt.name = "dw"},
        %db: memref<100xf32> {tt.name = "db"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c24 = arith.constant 24 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 100.0 : f32
  scf.parallel (%g, %j) = (%c0, %c0) to (%c4, %c100) step (%c1, %c1) {
    memref.store %zero, %pw[%g, %j] : memref<4x100xf32>
    memref.store %zero, %pb[%g, %j] : memref<4x100xf32>
  }
  scf.parallel (%r) = (%c0) to (%c24) step (%c1) {
    %m = memref.load %mean[%r] : memref<24xf32>
    %rs = memref.load %rstd[%r] : memref<24xf32>
    %s:2 = scf.for %j = %c0 to %c100 step %c1 iter_args(%a = %zero, %b = %zero) -> (f32, f32) {
      %xv = memref.load %x[%r, %j] : memref<24x100xf32>
      %dv = memref.load %dy[%r, %j] : memref<24x100xf32>
      %wv = memref.load %w[%j] : memref<100xf32>
      %xc = arith.subf %xv, %m : f32
      %xh = arith.mulf %xc, %rs : f32
      %wd = arith.mulf %wv, %dv : f32
      %p = arith.mulf %xh, %wd : f32
      %n1 = arith.addf %a, %p : f32
      %n2 = arith.addf %b, %wd : f32
      scf.yield %n1, %n2 : f32, f32
    }
    %k1 = arith.divf %s#0, %n : f32
    %k2 = arith.divf %s#1, %n : f32
    %grp = arith.remui %r, %c4 : index
    scf.for %j = %c0 to %c100 step %c1 {
      %xv = memref.load %x[%r, %j] : memref<24x100xf32>
      %dv = memref.load %dy[%r, %j] : memref<24x100xf32>
      %wv = memref.load %w[%j] : memref<100xf32>
      %xc = arith.subf %xv, %m : f32
      %xh = arith.mulf %xc, %rs : f32
      %wd = arith.mulf %wv, %dv : f32
      %t1 = arith.mulf %xh, %k1 : f32
      %t2 = arith.addf %t1, %k2 : f32
      %t3 = arith.subf %wd, %t2 : f32
      %t4 = arith.mulf %t3, %rs : f32
      memref.store %t4, %dx[%r, %j] : memref<24x100xf32>
      %q = arith.mulf %dv, %xh : f32
      %o1 = memref.atomic_rmw addf %q, %pw[%grp, %j] : (f32, memref<4x100xf32>) -> f32
      %o2 = memref.atomic_rmw addf %dv, %pb[%grp, %j] : (f32, memref<4x100xf32>) -> f32
    }
  }
  scf.parallel (%j) = (%c0) to (%c100) step (%c1) {
    %s:2 = scf.for %g = %c0 to %c4 step %c1 iter_args(%a = %zero, %b = %zero) -> (f32, f32) {
      %xv = memref.load %pw[%g, %j] : memref<4x100xf32>
      %dv = memref.load %pb[%g, %j] : memref<4x100xf32>
      %n1 = arith.addf %a, %xv : f32
      %n2 = arith.addf %b, %dv : f32
      scf.yield %n1, %n2 : f32, f32
    }
    memref.store %s#0, %dw[%j] : memref<100xf32>
    memref.store %s#1, %db[%j] : memref<100xf32>
  }
  return
}

//--- jsd.mlir
// liger jsd: log-probabilities of student and teacher, loss and gradient, rows whose label is
// ignored give zeros
func.func @jsd(%X: memref<20x70xf32> {tt.name = "X"}, %Y: memref<20x70xf32> {tt.name = "Y"},
    %lab: memref<20xi32> {tt.name = "lab", tt.range = [-1, 5]},
    %loss: memref<20x70xf32> {tt.name = "loss"}, %dX: memref<20x70xf32> {tt.name = "dX"},
    %beta: f32 {tt.name = "beta", tt.range = [0, 1]}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c70 = arith.constant 70 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %nn = arith.constant 20.0 : f32
  %ig = arith.constant -1 : i32
  scf.forall (%r) in (20) {
    %l = memref.load %lab[%r] : memref<20xi32>
    %is = arith.cmpi eq, %l, %ig : i32
    scf.if %is {
      scf.for %j = %c0 to %c70 step %c1 {
        memref.store %zero, %dX[%r, %j] : memref<20x70xf32>
        memref.store %zero, %loss[%r, %j] : memref<20x70xf32>
      }
    } else {
      %xm = scf.for %j = %c0 to %c70 step %c1 iter_args(%m = %one) -> (f32) {
        %x = memref.load %X[%r, %j] : memref<20x70xf32>
        %y = memref.load %Y[%r, %j] : memref<20x70xf32>
        %a = arith.maximumf %x, %y : f32
        %n = arith.maximumf %m, %a : f32
        scf.yield %n : f32
      }
      scf.for %j = %c0 to %c70 step %c1 {
        %x = memref.load %X[%r, %j] : memref<20x70xf32>
        %y = memref.load %Y[%r, %j] : memref<20x70xf32>
        %xs = arith.subf %x, %xm : f32
        %ys = arith.subf %y, %xm : f32
        %em = math.exp %xm : f32
        %ex = math.exp %xs : f32
        %ey = math.exp %ys : f32
        %Q = arith.mulf %ex, %em : f32
        %P = arith.mulf %ey, %em : f32
        %ob = arith.subf %one, %beta : f32
        %bP = arith.mulf %beta, %P : f32
        %bQ = arith.mulf %ob, %Q : f32
        %M = arith.addf %bP, %bQ : f32
        %lM = math.log %M : f32
        %a = arith.mulf %bP, %y : f32
        %b = arith.mulf %bQ, %x : f32
        %c = arith.mulf %M, %lM : f32
        %d = arith.addf %a, %b : f32
        %e = arith.subf %d, %c : f32
        %ls = arith.divf %e, %nn : f32
        memref.store %ls, %loss[%r, %j] : memref<20x70xf32>
        %f = arith.subf %x, %lM : f32
        %g = arith.mulf %bQ, %f : f32
        %h = arith.divf %g, %nn : f32
        memref.store %h, %dX[%r, %j] : memref<20x70xf32>
      }
    }
  }
  return
}

//--- rel-pos.mlir
// SAM: get_rel_pos, then attn += rel_h + rel_w, in place (ggml_add_rel_pos)
func.func @rel(%rh: memref<15x16xf32> {tt.name = "rh"}, %rw: memref<15x16xf32> {tt.name = "rw"},
    %q: memref<2x8x8x16xf32> {tt.name = "q"},
    %attn: memref<2x64x64xf32> {tt.name = "attn"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%b, %y, %x, %ky, %kx) = (%c0, %c0, %c0, %c0, %c0)
      to (%c2, %c8, %c8, %c8, %c8) step (%c1, %c1, %c1, %c1, %c1) {
    %dy = arith.subi %y, %ky : index
    %dy7 = arith.addi %dy, %c7 : index
    %dx = arith.subi %x, %kx : index
    %dx7 = arith.addi %dx, %c7 : index
    %s = scf.for %d = %c0 to %c16 step %c1 iter_args(%a = %zero) -> (f32) {
      %qv = memref.load %q[%b, %y, %x, %d] : memref<2x8x8x16xf32>
      %h = memref.load %rh[%dy7, %d] : memref<15x16xf32>
      %w = memref.load %rw[%dx7, %d] : memref<15x16xf32>
      %ph = arith.mulf %qv, %h : f32
      %pw = arith.mulf %qv, %w : f32
      %t = arith.addf %ph, %pw : f32
      %n = arith.addf %a, %t : f32
      scf.yield %n : f32
    }
    %r0 = arith.muli %y, %c8 : index
    %r = arith.addi %r0, %x : index
    %k0 = arith.muli %ky, %c8 : index
    %k = arith.addi %k0, %kx : index
    %old = memref.load %attn[%b, %r, %k] : memref<2x64x64xf32>
    %new = arith.addf %old, %s : f32
    memref.store %new, %attn[%b, %r, %k] : memref<2x64x64xf32>
  }
  return
}
