// Kernels of GPUs drawn from libraries that were not looked at before: windows that end where a tensor does, rows that end
// where their elements say, random numbers by products of 64 bits, attention token by token, what lies backwards, and
// floats whose range is known.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/philox.mlir --check --input p=0.3 --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/philox.mlir --check --input p=0.3 --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/pool.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/pool.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/branches.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/branches.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: tt-run %t/accepted.mlir --check --metalium-api=2025 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/accepted.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/tokens.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/tokens.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/tokens.mlir --check --input arg0=~0.001 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/flips.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s --check-prefix=FLIPS %}
// RUN: %if all %{ tt-run %t/flips.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | FileCheck %s --check-prefix=FLIPS %}
// RUN: %if all %{ tt-run %t/bucketize.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/bucketize.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/policy.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/policy.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | FileCheck %s %}
// CHECK: {{Y: (max abs error .*|equal|.* differ, .*)}}: ok
// FLIPS: Y: max abs error 0, {{.*}}: ok
// FLIPS: G: {{.*}}: ok
// FLIPS: H: max abs error 0, {{.*}}: ok

// Dropout whose random numbers each thread computes: ten rounds of Philox, by upper halves of products.
//--- philox.mlir
func.func @dropout(%X: memref<1024xf32>, %Y: memref<1024xf32> {tt.name = "Y"}, %p: f32 {tt.name = "p"}) attributes {tt.kernel} {
  %z = arith.constant 0 : i32
  %seed0 = arith.constant 123 : i32
  %kA = arith.constant 0x9E3779B9 : i32
  %kB = arith.constant 0xBB67AE85 : i32
  %rA = arith.constant 0xD2511F53 : i32
  %rB = arith.constant 0xCD9E8D57 : i32
  %m1 = arith.constant -1 : i32
  %scale = arith.constant 4.6566127342e-10 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  affine.parallel (%i) = (0) to (1024) {
    %ii = arith.index_cast %i : index to i32
    %r:6 = scf.for %t = %c0 to %c10 step %c1 iter_args(%a = %ii, %b = %z, %c = %z, %d = %z, %k0 = %seed0, %k1 = %z) -> (i32, i32, i32, i32, i32, i32) {
      %lo1, %hi1 = arith.mului_extended %c, %rB : i32
      %lo0, %hi0 = arith.mului_extended %a, %rA : i32
      %x0 = arith.xori %hi1, %b : i32
      %n0 = arith.xori %x0, %k0 : i32
      %x1 = arith.xori %hi0, %d : i32
      %n2 = arith.xori %x1, %k1 : i32
      %nk0 = arith.addi %k0, %kA : i32
      %nk1 = arith.addi %k1, %kB : i32
      scf.yield %n0, %lo1, %n2, %lo0, %nk0, %nk1 : i32, i32, i32, i32, i32, i32
    }
    %neg = arith.cmpi slt, %r#0, %z : i32
    %f = arith.subi %m1, %r#0 : i32
    %abs = arith.select %neg, %f, %r#0 : i32
    %af = arith.sitofp %abs : i32 to f32
    %u = arith.mulf %af, %scale : f32
    %keep = arith.cmpf ogt, %u, %p : f32
    %x = affine.load %X[%i] : memref<1024xf32>
    %q = arith.subf %one, %p : f32
    %xs = arith.divf %x, %q : f32
    %o = arith.select %keep, %xs, %zero : f32
    affine.store %o, %Y[%i] : memref<1024xf32>
  }
  return
}

// An average over a window that ends at the border: the bounds are a max and a min.
//--- pool.mlir
func.func @pool(%X: memref<2x3x20x22xf32>, %Y: memref<2x3x10x11xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.11111111 : f32
  affine.parallel (%n, %c, %oh, %ow) = (0, 0, 0, 0) to (2, 3, 10, 11) {
    %res = affine.for %i = max affine_map<(d) -> (d * 2 - 1, 0)>(%oh) to min affine_map<(d) -> (d * 2 + 2, 20)>(%oh) iter_args(%a = %zero) -> (f32) {
      %r = affine.for %j = max affine_map<(d) -> (d * 2 - 1, 0)>(%ow) to min affine_map<(d) -> (d * 2 + 2, 22)>(%ow) iter_args(%b = %a) -> (f32) {
        %x = affine.load %X[%n, %c, %i, %j] : memref<2x3x20x22xf32>
        %p = arith.mulf %x, %scale : f32
        %s = arith.addf %b, %p : f32
        affine.yield %s : f32
      }
      affine.yield %r : f32
    }
    affine.store %res, %Y[%n, %c, %oh, %ow] : memref<2x3x10x11xf32>
  }
  return
}

// The same, with branches around the loop in the middle.
//--- branches.mlir
func.func @pool(%X: memref<2x3x20x22xf32>, %Y: memref<2x3x10x11xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.11111111 : f32
  affine.parallel (%n, %c, %oh, %ow) = (0, 0, 0, 0) to (2, 3, 10, 11) {
    %res = affine.for %ki = 0 to 3 iter_args(%a = %zero) -> (f32) {
     %q = affine.if affine_set<(t, i) : (t * 2 - 1 + i >= 0, 19 - t * 2 + 1 - i >= 0)>(%oh, %ki) -> f32 {
      %r = affine.for %kj = 0 to 3 iter_args(%b = %a) -> (f32) {
       %q1 = affine.if affine_set<(t, i) : (t * 2 - 1 + i >= 0, 21 - t * 2 + 1 - i >= 0)>(%ow, %kj) -> f32 {
        %x = affine.load %X[%n, %c, %oh * 2 - 1 + %ki, %ow * 2 - 1 + %kj] : memref<2x3x20x22xf32>
        %p = arith.mulf %x, %scale : f32
        %s = arith.addf %b, %p : f32
        affine.yield %s : f32
       } else { affine.yield %b : f32 }
       affine.yield %q1 : f32
      }
      affine.yield %r : f32
     } else { affine.yield %a : f32 }
     affine.yield %q : f32
    }
    affine.store %res, %Y[%n, %c, %oh, %ow] : memref<2x3x10x11xf32>
  }
  return
}

// Drafted tokens are taken until the first one that is not accepted, and one more where all are.
//--- accepted.mlir
func.func @rej(%CU: memref<9xi32> {tt.range = [0, 24]}, %DR: memref<24xi32> {tt.range = [0, 3]}, %AM: memref<24xi32> {tt.range = [0, 3]}, %BO: memref<8xi32>, %OUT: memref<8x4xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %false = arith.constant false
  %true = arith.constant true
  %m1 = arith.constant -1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  affine.parallel (%r) = (0) to (8) {
    affine.for %p = 0 to 4 { affine.store %m1, %OUT[%r, %p] : memref<8x4xi32> }
    %rej = affine.for %p = 0 to 3 iter_args(%x = %false) -> (i1) {
      %n = scf.if %x -> (i1) {
        scf.yield %x : i1
      } else {
        %d = affine.load %DR[%r * 3 + %p] : memref<24xi32>
        %a = affine.load %AM[%r * 3 + %p] : memref<24xi32>
        affine.store %a, %OUT[%r, %p] : memref<8x4xi32>
        %ne = arith.cmpi ne, %d, %a : i32
        scf.yield %ne : i1
      }
      affine.yield %n : i1
    }
    scf.if %rej {
    } else {
      %b = affine.load %BO[%r] : memref<8xi32>
      affine.store %b, %OUT[%r, 3] : memref<8x4xi32>
    }
  }
  return
}

// Attention of some heads, a token at a time, at places that a list names: what each step cut off would add up.
//--- tokens.mlir
func.func @dec(%Q: memref<4x32xf32>, %KB: memref<64x32xf32>, %VB: memref<64x32xf32>, %LOC: memref<48xi32> {tt.range = [0, 63]}, %LEN: memref<1xi32> {tt.range = [1, 48]}, %O: memref<4x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %sc = arith.constant 0.17677669 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.parallel (%h) = (0) to (4) {
    %l = affine.load %LEN[0] : memref<1xi32>
    %n = arith.index_cast %l : i32 to index
    %acc = memref.alloc() : memref<32xf32>
    affine.for %d = 0 to 32 { affine.store %zero, %acc[%d] : memref<32xf32> }
    %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %ninf, %sum = %zero) -> (f32, f32) {
      %p = memref.load %LOC[%j] : memref<48xi32>
      %pi = arith.index_cast %p : i32 to index
      %s = affine.for %d = 0 to 32 iter_args(%a = %zero) -> (f32) {
        %q = affine.load %Q[%h, %d] : memref<4x32xf32>
        %k = memref.load %KB[%pi, %d] : memref<64x32xf32>
        %x = arith.mulf %q, %k : f32
        %y = arith.addf %a, %x : f32
        affine.yield %y : f32
      }
      %ss = arith.mulf %s, %sc : f32
      %nm = arith.maximumf %m, %ss : f32
      %md = arith.subf %m, %nm : f32
      %re = math.exp %md : f32
      %sd = arith.subf %ss, %nm : f32
      %e = math.exp %sd : f32
      affine.for %d = 0 to 32 {
        %v = memref.load %VB[%pi, %d] : memref<64x32xf32>
        %a = affine.load %acc[%d] : memref<32xf32>
        %ar = arith.mulf %a, %re : f32
        %ev = arith.mulf %e, %v : f32
        %na = arith.addf %ar, %ev : f32
        affine.store %na, %acc[%d] : memref<32xf32>
      }
      %sr = arith.mulf %sum, %re : f32
      %ns = arith.addf %sr, %e : f32
      scf.yield %nm, %ns : f32, f32
    }
    affine.for %d = 0 to 32 {
      %a = affine.load %acc[%d] : memref<32xf32>
      %o = arith.divf %a, %r#1 : f32
      affine.store %o, %O[%h, %d] : memref<4x32xf32>
    }
  }
  return
}

// Rows, columns, and both from the end.
//--- flips.mlir
func.func @fr(%X: memref<40x70xf32>, %F: memref<40x70xf32> {tt.name = "Y"}, %G: memref<40x70xf32> {tt.name = "G"}, %H: memref<40x70xf32> {tt.name = "H"}) attributes {tt.kernel} {
  affine.parallel (%i, %j) = (0, 0) to (40, 70) {
    %x = affine.load %X[%i, 69 - %j] : memref<40x70xf32>
    affine.store %x, %F[%i, %j] : memref<40x70xf32>
  }
  affine.parallel (%i, %j) = (0, 0) to (40, 70) {
    %x = affine.load %X[39 - %i, %j] : memref<40x70xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %G[%i, %j] : memref<40x70xf32>
  }
  affine.parallel (%i, %j) = (0, 0) to (40, 70) {
    %x = affine.load %X[39 - %i, 69 - %j] : memref<40x70xf32>
    affine.store %x, %H[%i, %j] : memref<40x70xf32>
  }
  return
}

// Floats become i64, since their tensor says what it holds.
//--- bucketize.mlir
func.func @f2i(%X: memref<32x64xf32> {tt.range = [-100000, 100000]}, %Y: memref<32x64xi64> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%k, %c) = (0, 0) to (32, 64) {
    %q = affine.load %X[%k, %c] : memref<32x64xf32>
    %i = arith.fptosi %q : f32 to i64
    affine.store %i, %Y[%k, %c] : memref<32x64xi64>
  }
  return
}

// The loss of a policy, of tokens that count: cells that write elements of one tile, or none of them, are one cell.
//--- policy.mlir
func.func @grpo(%X: memref<32x128xf32>, %ID: memref<32xi32> {tt.range = [0, 127]}, %OLD: memref<32xf32>, %REF: memref<32xf32>, %ADV: memref<4xf32>, %MASK: memref<32xi32> {tt.range = [0, 1]}, %LOSS: memref<32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %lo = arith.constant 0.8 : f32
  %hi = arith.constant 1.2 : f32
  %beta = arith.constant 0.04 : f32
  %temp = arith.constant 0.9 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %zi = arith.constant 0 : i32
  affine.parallel (%r) = (0) to (32) {
    %mk = affine.load %MASK[%r] : memref<32xi32>
    %skip = arith.cmpi eq, %mk, %zi : i32
    scf.if %skip {
      affine.store %zero, %LOSS[%r] : memref<32xf32>
    } else {
    %id = affine.load %ID[%r] : memref<32xi32>
    %idx = arith.index_cast %id : i32 to index
    %m:2 = affine.for %j = 0 to 128 iter_args(%mx = %ninf, %sm = %zero) -> (f32, f32) {
      %x0 = affine.load %X[%r, %j] : memref<32x128xf32>
      %x = arith.divf %x0, %temp : f32
      %n = arith.maximumf %mx, %x : f32
      %d = arith.subf %mx, %n : f32
      %e = math.exp %d : f32
      %se = arith.mulf %sm, %e : f32
      %dx = arith.subf %x, %n : f32
      %ex = math.exp %dx : f32
      %s = arith.addf %se, %ex : f32
      affine.yield %n, %s : f32, f32
    }
    %lg = math.log %m#1 : f32
    %lse = arith.addf %m#0, %lg : f32
    %xi0 = memref.load %X[%r, %idx] : memref<32x128xf32>
    %xi = arith.divf %xi0, %temp : f32
    %lp = arith.subf %xi, %lse : f32
    %old = affine.load %OLD[%r] : memref<32xf32>
    %dl = arith.subf %lp, %old : f32
    %c1 = math.exp %dl : f32
    %c2a = arith.maximumf %c1, %lo : f32
    %c2 = arith.minimumf %c2a, %hi : f32
    %adv = affine.load %ADV[%r floordiv 8] : memref<4xf32>
    %l1 = arith.mulf %c1, %adv : f32
    %l2 = arith.mulf %c2, %adv : f32
    %mn = arith.minimumf %l1, %l2 : f32
    %pl = arith.negf %mn : f32
    %ref = affine.load %REF[%r] : memref<32xf32>
    %rd = arith.subf %ref, %lp : f32
    %er = math.exp %rd : f32
    %k0 = arith.subf %er, %rd : f32
    %kl = arith.subf %k0, %one : f32
    %bk = arith.mulf %beta, %kl : f32
    %loss = arith.addf %pl, %bk : f32
    affine.store %loss, %LOSS[%r] : memref<32xf32>
    }
  }
  return
}
