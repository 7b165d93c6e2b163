// Kernels whose threads keep scores: attention over windows, pages and lists, the largest few, and sums that are made again.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/sliding.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/sliding.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/paged.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/paged.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/gating.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/gating.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/listed.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/listed.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/ended.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/ended.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run %t/retention.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/retention.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run %t/symmetric.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/symmetric.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/columns.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/columns.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/mirrored.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/mirrored.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/nearest.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/nearest.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: {{Y: (max abs error .*|equal|.* differ, .*)}}: ok

// Attention over a window before each query, behind a branch that ends it where the sequence begins.
//--- sliding.mlir
func.func @sliding_attention(%Q: memref<2x40x32xf32>, %K: memref<2x40x32xf32>, %V: memref<2x40x32xf32>, %O: memref<2x40x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  affine.parallel (%h, %i) = (0, 0) to (2, 40) {
    %acc = memref.alloc() : memref<32xf32>
    affine.for %d = 0 to 32 { affine.store %zero, %acc[%d] : memref<32xf32> }
    %r:2 = affine.for %w = 0 to 8 iter_args(%m = %ninf, %l = %zero) -> (f32, f32) {
      %j = affine.apply affine_map<(i, w) -> (i + w - 7)>(%i, %w)
      %c0 = arith.constant 0 : index
      %ok = arith.cmpi sge, %j, %c0 : index
      %u:2 = scf.if %ok -> (f32, f32) {
        %s = affine.for %d = 0 to 32 iter_args(%a = %zero) -> (f32) {
          %q = affine.load %Q[%h, %i, %d] : memref<2x40x32xf32>
          %k = memref.load %K[%h, %j, %d] : memref<2x40x32xf32>
          %x = arith.mulf %q, %k : f32
          %y = arith.addf %a, %x : f32
          affine.yield %y : f32
        }
        %nm = arith.maximumf %m, %s : f32
        %dm = arith.subf %m, %nm : f32
        %al = math.exp %dm : f32
        %ds = arith.subf %s, %nm : f32
        %p = math.exp %ds : f32
        %l1 = arith.mulf %l, %al : f32
        %nl = arith.addf %l1, %p : f32
        affine.for %d = 0 to 32 {
          %o = affine.load %acc[%d] : memref<32xf32>
          %v = memref.load %V[%h, %j, %d] : memref<2x40x32xf32>
          %o1 = arith.mulf %o, %al : f32
          %pv = arith.mulf %p, %v : f32
          %o2 = arith.addf %o1, %pv : f32
          affine.store %o2, %acc[%d] : memref<32xf32>
        }
        scf.yield %nm, %nl : f32, f32
      } else {
        scf.yield %m, %l : f32, f32
      }
      affine.yield %u#0, %u#1 : f32, f32
    }
    affine.for %d = 0 to 32 {
      %o = affine.load %acc[%d] : memref<32xf32>
      %y = arith.divf %o, %r#1 : f32
      affine.store %y, %O[%h, %i, %d] : memref<2x40x32xf32>
    }
  }
  return
}

// A step of decoding: pages that a table names, heads that share keys, scores that the thread keeps.
//--- paged.mlir
func.func @paged_gqa(%Q: memref<2x4x32xbf16>, %K: memref<8x16x2x32xbf16>, %V: memref<8x16x2x32xbf16>, %T: memref<2x3xi32> {tt.range = [0, 7]}, %N: memref<2xi32> {tt.range = [1, 48]}, %O: memref<2x4x32xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.17677669 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  affine.parallel (%b, %h) = (0, 0) to (2, 4) {
    %p = memref.alloc() : memref<48xf32>
    %n32 = affine.load %N[%b] : memref<2xi32>
    %n = arith.index_cast %n32 : i32 to index
    %m = affine.for %j = 0 to 48 iter_args(%mx = %ninf) -> (f32) {
      %pg = affine.load %T[%b, %j floordiv 16] : memref<2x3xi32>
      %pi = arith.index_cast %pg : i32 to index
      %s = affine.for %d = 0 to 32 iter_args(%a = %zero) -> (f32) {
        %q = affine.load %Q[%b, %h, %d] : memref<2x4x32xbf16>
        %r = arith.remui %j, %c16 : index
        %kvh = affine.apply affine_map<(h) -> (h floordiv 2)>(%h)
        %k = memref.load %K[%pi, %r, %kvh, %d] : memref<8x16x2x32xbf16>
        %qf = arith.extf %q : bf16 to f32
        %kf = arith.extf %k : bf16 to f32
        %x = arith.mulf %qf, %kf : f32
        %y = arith.addf %a, %x : f32
        affine.yield %y : f32
      }
      %ss = arith.mulf %s, %scale : f32
      %in = arith.cmpi ult, %j, %n : index
      %sm = arith.select %in, %ss, %ninf : f32
      affine.store %sm, %p[%j] : memref<48xf32>
      %nm = arith.maximumf %mx, %sm : f32
      affine.yield %nm : f32
    }
    %l = affine.for %j = 0 to 48 iter_args(%a = %zero) -> (f32) {
      %s = affine.load %p[%j] : memref<48xf32>
      %d = arith.subf %s, %m : f32
      %e = math.exp %d : f32
      affine.store %e, %p[%j] : memref<48xf32>
      %y = arith.addf %a, %e : f32
      affine.yield %y : f32
    }
    affine.for %d = 0 to 32 {
      %o = affine.for %j = 0 to 48 iter_args(%a = %zero) -> (f32) {
        %pg = affine.load %T[%b, %j floordiv 16] : memref<2x3xi32>
        %pi = arith.index_cast %pg : i32 to index
        %r = arith.remui %j, %c16 : index
        %kvh = affine.apply affine_map<(h) -> (h floordiv 2)>(%h)
        %v = memref.load %V[%pi, %r, %kvh, %d] : memref<8x16x2x32xbf16>
        %vf = arith.extf %v : bf16 to f32
        %e = affine.load %p[%j] : memref<48xf32>
        %x = arith.mulf %e, %vf : f32
        %y = arith.addf %a, %x : f32
        affine.yield %y : f32
      }
      %q = arith.divf %o, %l : f32
      %qb = arith.truncf %q : f32 to bf16
      affine.store %qb, %O[%b, %h, %d] : memref<2x4x32xbf16>
    }
  }
  return
}

// The largest two of each row, one after the other; a taken one is made less than all.
//--- gating.mlir
func.func @topk_gating(%X: memref<40x16xf32>, %W: memref<40x2xf32> {tt.name = "Y"}, %I: memref<40x2xi32> {tt.name = "I"}) attributes {tt.kernel} {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  affine.parallel (%r) = (0) to (40) {
    %x = memref.alloc() : memref<16xf32>
    %mx = affine.for %j = 0 to 16 iter_args(%m = %ninf) -> (f32) {
      %v = affine.load %X[%r, %j] : memref<40x16xf32>
      %n = arith.maximumf %m, %v : f32
      affine.yield %n : f32
    }
    %sum = affine.for %j = 0 to 16 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %X[%r, %j] : memref<40x16xf32>
      %d = arith.subf %v, %mx : f32
      %e = math.exp %d : f32
      affine.store %e, %x[%j] : memref<16xf32>
      %n = arith.addf %s, %e : f32
      affine.yield %n : f32
    }
    affine.for %j = 0 to 16 {
      %e = affine.load %x[%j] : memref<16xf32>
      %q = arith.divf %e, %sum : f32
      affine.store %q, %x[%j] : memref<16xf32>
    }
    %tot = affine.for %k = 0 to 2 iter_args(%tt = %zero) -> (f32) {
      %b:2 = affine.for %j = 0 to 16 iter_args(%m = %ninf, %at = %zi) -> (f32, i32) {
        %v = affine.load %x[%j] : memref<16xf32>
        %gt = arith.cmpf ogt, %v, %m : f32
        %nm = arith.select %gt, %v, %m : f32
        %ji = arith.index_cast %j : index to i32
        %na = arith.select %gt, %ji, %at : i32
        affine.yield %nm, %na : f32, i32
      }
      affine.store %b#0, %W[%r, %k] : memref<40x2xf32>
      affine.store %b#1, %I[%r, %k] : memref<40x2xi32>
      %at = arith.index_cast %b#1 : i32 to index
      memref.store %ninf, %x[%at] : memref<16xf32>
      %n = arith.addf %tt, %b#0 : f32
      affine.yield %n : f32
    }
    affine.for %k = 0 to 2 {
      %w = affine.load %W[%r, %k] : memref<40x2xf32>
      %q = arith.divf %w, %tot : f32
      affine.store %q, %W[%r, %k] : memref<40x2xf32>
    }
  }
  return
}

// Each query has a list of blocks, of which the tokens up to it count.
//--- listed.mlir
func.func @nsa(%Q: memref<24x32xf32>, %K: memref<24x32xf32>, %V: memref<24x32xf32>, %BI: memref<24x2xi32> {tt.range = [0, 2]}, %O: memref<24x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant -1.0e30 : f32
  %sc = arith.constant 0.1767767 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  affine.parallel (%t) = (0) to (24) {
    %acc = memref.alloc() : memref<32xf32>
    affine.for %d = 0 to 32 { affine.store %zero, %acc[%d] : memref<32xf32> }
    %r:2 = affine.for %b = 0 to 2 iter_args(%m0 = %ninf, %l0 = %zero) -> (f32, f32) {
      %bi = affine.load %BI[%t, %b] : memref<24x2xi32>
      %bx = arith.index_cast %bi : i32 to index
      %from = arith.muli %bx, %c8 : index
      %r2:2 = affine.for %jj = 0 to 8 iter_args(%m = %m0, %l = %l0) -> (f32, f32) {
        %j = arith.addi %from, %jj : index
        %s = affine.for %d = 0 to 32 iter_args(%a = %zero) -> (f32) {
          %q = affine.load %Q[%t, %d] : memref<24x32xf32>
          %k = memref.load %K[%j, %d] : memref<24x32xf32>
          %x = arith.mulf %q, %k : f32
          %y = arith.addf %a, %x : f32
          affine.yield %y : f32
        }
        %ss = arith.mulf %s, %sc : f32
        %in = arith.cmpi sle, %j, %t : index
        %sm = arith.select %in, %ss, %ninf : f32
        %nm = arith.maximumf %m, %sm : f32
        %md = arith.subf %m, %nm : f32
        %al = math.exp %md : f32
        %sd = arith.subf %sm, %nm : f32
        %p0 = math.exp %sd : f32
        %p = arith.select %in, %p0, %zero : f32
        %la = arith.mulf %l, %al : f32
        %nl = arith.addf %la, %p : f32
        affine.for %d = 0 to 32 {
          %o = affine.load %acc[%d] : memref<32xf32>
          %v = memref.load %V[%j, %d] : memref<24x32xf32>
          %oa = arith.mulf %o, %al : f32
          %pv = arith.mulf %p, %v : f32
          %n = arith.addf %oa, %pv : f32
          affine.store %n, %acc[%d] : memref<32xf32>
        }
        affine.yield %nm, %nl : f32, f32
      }
      affine.yield %r2#0, %r2#1 : f32, f32
    }
    affine.for %d = 0 to 32 {
      %o = affine.load %acc[%d] : memref<32xf32>
      %one = arith.constant 1.0 : f32
      %z = arith.cmpf oeq, %r#1, %zero : f32
      %den = arith.select %z, %one, %r#1 : f32
      %y = arith.divf %o, %den : f32
      affine.store %y, %O[%t, %d] : memref<24x32xf32>
    }
  }
  return
}

// The same, where the loop over a block ends at the query.
//--- ended.mlir
func.func @nsa(%Q: memref<24x32xf32>, %K: memref<24x32xf32>, %V: memref<24x32xf32>, %BI: memref<24x2xi32> {tt.range = [0, 2]}, %O: memref<24x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-6 : f32
  %sc = arith.constant 0.1767767 : f32
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  affine.parallel (%t) = (0) to (24) {
    %acc = memref.alloc() : memref<32xf32>
    affine.for %d = 0 to 32 { affine.store %zero, %acc[%d] : memref<32xf32> }
    %r = affine.for %b = 0 to 2 iter_args(%l0 = %eps) -> (f32) {
      %bi = affine.load %BI[%t, %b] : memref<24x2xi32>
      %bx = arith.index_cast %bi : i32 to index
      %from = arith.muli %bx, %c8 : index
      %to = arith.addi %from, %c8 : index
      %t1 = arith.addi %t, %c1 : index
      %end = arith.minsi %to, %t1 : index
      %r2 = scf.for %j = %from to %end step %c1 iter_args(%l = %l0) -> (f32) {
        %s = affine.for %d = 0 to 32 iter_args(%a = %zero) -> (f32) {
          %q = affine.load %Q[%t, %d] : memref<24x32xf32>
          %k = memref.load %K[%j, %d] : memref<24x32xf32>
          %x = arith.mulf %q, %k : f32
          %y = arith.addf %a, %x : f32
          affine.yield %y : f32
        }
        %ss = arith.mulf %s, %sc : f32
        %p = math.exp %ss : f32
        %nl = arith.addf %l, %p : f32
        affine.for %d = 0 to 32 {
          %o = affine.load %acc[%d] : memref<32xf32>
          %v = memref.load %V[%j, %d] : memref<24x32xf32>
          %pv = arith.mulf %p, %v : f32
          %n = arith.addf %o, %pv : f32
          affine.store %n, %acc[%d] : memref<32xf32>
        }
        scf.yield %nl : f32
      }
      affine.yield %r2 : f32
    }
    affine.for %d = 0 to 32 {
      %o = affine.load %acc[%d] : memref<32xf32>
      %y = arith.divf %o, %r : f32
      affine.store %y, %O[%t, %d] : memref<24x32xf32>
    }
  }
  return
}

// Scores that are made again for each column of the output are a product of their own.
//--- retention.mlir
func.func @retention(%Q: memref<2x40x16xf32>, %K: memref<2x40x16xf32>, %V: memref<2x40x32xf32>, %G: memref<2xf32> {tt.range = [0, 1]}, %O: memref<2x40x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%h, %i, %d) = (0, 0, 0) to (2, 40, 32) {
    %g = affine.load %G[%h] : memref<2xf32>
    %acc = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%a = %zero) -> (f32) {
      %s = affine.for %e = 0 to 16 iter_args(%b = %zero) -> (f32) {
        %q = affine.load %Q[%h, %i, %e] : memref<2x40x16xf32>
        %k = affine.load %K[%h, %j, %e] : memref<2x40x16xf32>
        %x = arith.mulf %q, %k : f32
        %y = arith.addf %b, %x : f32
        affine.yield %y : f32
      }
      %n = affine.apply affine_map<(i, j) -> (i - j)>(%i, %j)
      %ni = arith.index_cast %n : index to i32
      %nf = arith.sitofp %ni : i32 to f32
      %dk = math.powf %g, %nf : f32
      %sd = arith.mulf %s, %dk : f32
      %v = affine.load %V[%h, %j, %d] : memref<2x40x32xf32>
      %x = arith.mulf %sd, %v : f32
      %y = arith.addf %a, %x : f32
      affine.yield %y : f32
    }
    affine.store %acc, %O[%h, %i, %d] : memref<2x40x32xf32>
  }
  return
}

// Rows of a result that steps write beside the block above them, one of which lies behind it.
//--- symmetric.mlir
func.func @symm(%A: memref<20x20xf32>, %B: memref<20x24xf32>, %C: memref<20x24xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %al = arith.constant 1.5 : f32
  %be = arith.constant 1.2 : f32
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 24 {
      %t = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%s = %zero) -> (f32) {
        %bij = affine.load %B[%i, %j] : memref<20x24xf32>
        %aik = affine.load %A[%i, %k] : memref<20x20xf32>
        %c = affine.load %C[%k, %j] : memref<20x24xf32>
        %m0 = arith.mulf %al, %bij : f32
        %m = arith.mulf %m0, %aik : f32
        %n = arith.addf %c, %m : f32
        affine.store %n, %C[%k, %j] : memref<20x24xf32>
        %bkj = affine.load %B[%k, %j] : memref<20x24xf32>
        %p = arith.mulf %bkj, %aik : f32
        %q = arith.addf %s, %p : f32
        affine.yield %q : f32
      }
      %c = affine.load %C[%i, %j] : memref<20x24xf32>
      %b = affine.load %B[%i, %j] : memref<20x24xf32>
      %a = affine.load %A[%i, %i] : memref<20x20xf32>
      %x = arith.mulf %be, %c : f32
      %y0 = arith.mulf %al, %b : f32
      %y = arith.mulf %y0, %a : f32
      %z = arith.mulf %al, %t : f32
      %u = arith.addf %x, %y : f32
      %v = arith.addf %u, %z : f32
      affine.store %v, %C[%i, %j] : memref<20x24xf32>
    }
  }
  return
}

// A column of a result in each step, which the step reads again.
//--- columns.mlir
func.func @gs(%A: memref<24x20xf32> {tt.name = "A"}, %R: memref<20x20xf32> {tt.name = "R"}, %Q: memref<24x20xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.for %k = 0 to 20 {
    %nrm = affine.for %i = 0 to 24 iter_args(%s = %zero) -> (f32) {
      %a = affine.load %A[%i, %k] : memref<24x20xf32>
      %q = arith.mulf %a, %a : f32
      %t = arith.addf %s, %q : f32
      affine.yield %t : f32
    }
    %r = math.sqrt %nrm : f32
    affine.store %r, %R[%k, %k] : memref<20x20xf32>
    affine.for %i = 0 to 24 {
      %a = affine.load %A[%i, %k] : memref<24x20xf32>
      %d = affine.load %R[%k, %k] : memref<20x20xf32>
      %q = arith.divf %a, %d : f32
      affine.store %q, %Q[%i, %k] : memref<24x20xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 20 {
      affine.store %zero, %R[%k, %j] : memref<20x20xf32>
      affine.for %i = 0 to 24 {
        %q = affine.load %Q[%i, %k] : memref<24x20xf32>
        %a = affine.load %A[%i, %j] : memref<24x20xf32>
        %o = affine.load %R[%k, %j] : memref<20x20xf32>
        %m = arith.mulf %q, %a : f32
        %s = arith.addf %o, %m : f32
        affine.store %s, %R[%k, %j] : memref<20x20xf32>
      }
      affine.for %i = 0 to 24 {
        %q = affine.load %Q[%i, %k] : memref<24x20xf32>
        %a = affine.load %A[%i, %j] : memref<24x20xf32>
        %o = affine.load %R[%k, %j] : memref<20x20xf32>
        %m = arith.mulf %q, %o : f32
        %s = arith.subf %a, %m : f32
        affine.store %s, %A[%i, %j] : memref<24x20xf32>
      }
    }
  }
  return
}

// A branch that indices decide, around sums that the mirrored element takes as well.
//--- mirrored.mlir
func.func @cov(%D: memref<12x8xf32> {tt.name = "D"}, %C: memref<8x8xf32> {tt.name = "Y"}, %M: memref<8xf32> {tt.name = "M"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 12.0 : f32
  %n1 = arith.constant 11.0 : f32
  affine.for %j = 0 to 8 {
    affine.store %zero, %M[%j] : memref<8xf32>
    affine.for %i = 0 to 12 {
      %d = affine.load %D[%i, %j] : memref<12x8xf32>
      %m = affine.load %M[%j] : memref<8xf32>
      %s = arith.addf %m, %d : f32
      affine.store %s, %M[%j] : memref<8xf32>
    }
    %m = affine.load %M[%j] : memref<8xf32>
    %q = arith.divf %m, %n : f32
    affine.store %q, %M[%j] : memref<8xf32>
  }
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 8 {
      %d = affine.load %D[%i, %j] : memref<12x8xf32>
      %m = affine.load %M[%j] : memref<8xf32>
      %s = arith.subf %d, %m : f32
      affine.store %s, %D[%i, %j] : memref<12x8xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 8 {
      affine.store %zero, %C[%i, %j] : memref<8x8xf32>
      affine.for %k = 0 to 12 {
        %a = affine.load %D[%k, %i] : memref<12x8xf32>
        %b = affine.load %D[%k, %j] : memref<12x8xf32>
        %c = affine.load %C[%i, %j] : memref<8x8xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<8x8xf32>
      }
      %c = affine.load %C[%i, %j] : memref<8x8xf32>
      %q = arith.divf %c, %n1 : f32
      affine.store %q, %C[%i, %j] : memref<8x8xf32>
      affine.store %q, %C[%j, %i] : memref<8x8xf32>
    }
  }
  return
}

// Each point's nearest center, and sums of the points of each: what loops have written decides in others.
//--- nearest.mlir
func.func @kmeans(%X: memref<64x8xf32>, %Ctr: memref<5x8xf32>, %M: memref<64xi32> {tt.name = "M"}, %N: memref<5x8xf32> {tt.name = "Y"}, %L: memref<5xi32> {tt.name = "L"}) attributes {tt.kernel} {
  %big = arith.constant 3.0e38 : f32
  %zero = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %b:2 = affine.for %c = 0 to 5 iter_args(%m = %big, %at = %zi) -> (f32, i32) {
      %d = affine.for %f = 0 to 8 iter_args(%s = %zero) -> (f32) {
        %x = affine.load %X[%i, %f] : memref<64x8xf32>
        %y = affine.load %Ctr[%c, %f] : memref<5x8xf32>
        %e = arith.subf %x, %y : f32
        %q = arith.mulf %e, %e : f32
        %t = arith.addf %s, %q : f32
        affine.yield %t : f32
      }
      %lt = arith.cmpf olt, %d, %m : f32
      %nm = arith.select %lt, %d, %m : f32
      %ci = arith.index_cast %c : index to i32
      %na = arith.select %lt, %ci, %at : i32
      affine.yield %nm, %na : f32, i32
    }
    affine.store %b#1, %M[%i] : memref<64xi32>
  }
  affine.for %c = 0 to 5 {
    affine.store %zi, %L[%c] : memref<5xi32>
    affine.for %f = 0 to 8 { affine.store %zero, %N[%c, %f] : memref<5x8xf32> }
  }
  affine.for %i = 0 to 64 {
    affine.for %c = 0 to 5 {
      %m = affine.load %M[%i] : memref<64xi32>
      %ci = arith.index_cast %c : index to i32
      %is = arith.cmpi eq, %m, %ci : i32
      scf.if %is {
        %l = affine.load %L[%c] : memref<5xi32>
        %l1 = arith.addi %l, %one : i32
        affine.store %l1, %L[%c] : memref<5xi32>
        affine.for %f = 0 to 8 {
          %n = affine.load %N[%c, %f] : memref<5x8xf32>
          %x = affine.load %X[%i, %f] : memref<64x8xf32>
          %s = arith.addf %n, %x : f32
          affine.store %s, %N[%c, %f] : memref<5x8xf32>
        }
      }
    }
  }
  return
}
