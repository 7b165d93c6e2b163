// Kernels of GPUs as they are written: attention over pages of a cache whose scores lie in a row of shared memory, as many as the
// sequence is long; a pool with places, by one number for each thread; rows of softmax in blocks that are longer than they are, on the stack.
// RUN: split-file %s %t
// RUN: tt-run %t/paged.mlir --check --strict --metalium-api=2025 | FileCheck %s --check-prefix=PAGED
// RUN: %if all %{ tt-run %t/paged.mlir --check --strict --arch=blackhole --optimize=none --metalium-api=2026-03 \
// RUN:   | FileCheck %s --check-prefix=PAGED %}
// RUN: %if all %{ tt-run %t/pool.mlir --check --strict --metalium-api=2026-03 | FileCheck %s --check-prefix=POOL %}
// RUN: %if all %{ tt-run %t/pool.mlir --check --strict --arch=blackhole | FileCheck %s --check-prefix=POOL %}
// RUN: %if all %{ tt-run %t/softmax.mlir --check --strict | FileCheck %s --check-prefix=SOFTMAX %}
// RUN: %if all %{ tt-run %t/softmax.mlir --check --strict --arch=blackhole --metalium-api=2025 | FileCheck %s --check-prefix=SOFTMAX %}
// PAGED: o: {{.*}}: ok
// POOL: Y: max abs error 0,
// POOL: I: equal: ok
// SOFTMAX: Y: {{.*}}: ok
//--- paged.mlir
func.func @paged(%q: memref<3x4x64xf32> {tt.name="q"}, %kc: memref<10x4x16x64xf32> {tt.name="kc"}, %vc: memref<10x4x16x64xf32> {tt.name="vc"},
   %bt: memref<3x5xi32> {tt.name="bt", tt.range=[0,9]}, %len: memref<3xi32> {tt.name="len", tt.range=[1,80]}, %o: memref<3x4x64xf32> {tt.name="o"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c15 = arith.constant 15 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c80 = arith.constant 80 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  scf.parallel (%s, %h) = (%c0, %c0) to (%c3, %c4) step (%c1, %c1) {
    %ln = memref.load %len[%s] : memref<3xi32>
    %n = arith.index_cast %ln : i32 to index
    %logits = memref.alloc() : memref<80xf32, 3>
    %mx = scf.for %t = %c0 to %n step %c1 iter_args(%m = %ninf) -> (f32) {
      %lb = arith.divui %t, %c16 : index
      %off = arith.remui %t, %c16 : index
      %pb32 = memref.load %bt[%s, %lb] : memref<3x5xi32>
      %pb = arith.index_cast %pb32 : i32 to index
      %dot = scf.for %d = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> (f32) {
        %qq = memref.load %q[%s, %h, %d] : memref<3x4x64xf32>
        %kk = memref.load %kc[%pb, %h, %off, %d] : memref<10x4x16x64xf32>
        %p = arith.mulf %qq, %kk : f32
        %a2 = arith.addf %acc, %p : f32
        scf.yield %a2 : f32
      }
      %sc = arith.mulf %dot, %scale : f32
      memref.store %sc, %logits[%t] : memref<80xf32, 3>
      %m2 = arith.maximumf %m, %sc : f32
      scf.yield %m2 : f32
    }
    %sum = scf.for %t = %c0 to %n step %c1 iter_args(%l = %zero) -> (f32) {
      %x = memref.load %logits[%t] : memref<80xf32, 3>
      %d = arith.subf %x, %mx : f32
      %e = math.exp %d : f32
      memref.store %e, %logits[%t] : memref<80xf32, 3>
      %l2 = arith.addf %l, %e : f32
      scf.yield %l2 : f32
    }
    %inv = arith.divf %one, %sum : f32
    scf.for %d = %c0 to %c64 step %c1 {
      %acc = scf.for %t = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
        %lb = arith.divui %t, %c16 : index
        %off = arith.remui %t, %c16 : index
        %pb32 = memref.load %bt[%s, %lb] : memref<3x5xi32>
        %pb = arith.index_cast %pb32 : i32 to index
        %w = memref.load %logits[%t] : memref<80xf32, 3>
        %v = memref.load %vc[%pb, %h, %off, %d] : memref<10x4x16x64xf32>
        %p = arith.mulf %w, %v : f32
        %a2 = arith.addf %a, %p : f32
        scf.yield %a2 : f32
      }
      %r = arith.mulf %acc, %inv : f32
      memref.store %r, %o[%s, %h, %d] : memref<3x4x64xf32>
    }
  }
  return
}
//--- pool.mlir
func.func @mp(%X: memref<2x3x20x20xf32> {tt.name="X"}, %Y: memref<2x3x10x10xf32> {tt.name="Y"}, %I: memref<2x3x10x10xi32> {tt.name="I"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %c20 = arith.constant 20 : index
  %n = arith.constant 600 : index
  %ninf = arith.constant 0xFF800000 : f32
  %i0 = arith.constant 0 : i32
  scf.parallel (%id) = (%c0) to (%n) step (%c1) {
    %pw = arith.remui %id, %c10 : index
    %q = arith.divui %id, %c10 : index
    %ph = arith.remui %q, %c10 : index
    %q2 = arith.divui %q, %c10 : index
    %c = arith.remui %q2, %c3 : index
    %b = arith.divui %q2, %c3 : index
    %best:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%v0 = %ninf, %x0 = %i0) -> (f32, i32) {
      %in:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%v1 = %v0, %x1 = %x0) -> (f32, i32) {
        %h2 = arith.muli %ph, %c2 : index
        %w2 = arith.muli %pw, %c2 : index
        %hh = arith.addi %h2, %i : index
        %ww = arith.addi %w2, %j : index
        %h = arith.subi %hh, %c1 : index
        %w = arith.subi %ww, %c1 : index
        %okh = arith.cmpi sge, %h, %c0 : index
        %okw = arith.cmpi sge, %w, %c0 : index
        %okh2 = arith.cmpi slt, %h, %c20 : index
        %okw2 = arith.cmpi slt, %w, %c20 : index
        %a1 = arith.andi %okh, %okw : i1
        %a2 = arith.andi %okh2, %okw2 : i1
        %ok = arith.andi %a1, %a2 : i1
        %r:2 = scf.if %ok -> (f32, i32) {
          %x = memref.load %X[%b, %c, %h, %w] : memref<2x3x20x20xf32>
          %gt = arith.cmpf ogt, %x, %v1 : f32
          %hw = arith.muli %h, %c20 : index
          %at = arith.addi %hw, %w : index
          %a32 = arith.index_cast %at : index to i32
          %nv = arith.select %gt, %x, %v1 : f32
          %nx = arith.select %gt, %a32, %x1 : i32
          scf.yield %nv, %nx : f32, i32
        } else {
          scf.yield %v1, %x1 : f32, i32
        }
        scf.yield %r#0, %r#1 : f32, i32
      }
      scf.yield %in#0, %in#1 : f32, i32
    }
    memref.store %best#0, %Y[%b, %c, %ph, %pw] : memref<2x3x10x10xf32>
    memref.store %best#1, %I[%b, %c, %ph, %pw] : memref<2x3x10x10xi32>
  }
  return
}
//--- softmax.mlir
func.func @smax(%X: memref<24x100xf32> {tt.name="X"}, %Y: memref<24x100xf32> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c128 = arith.constant 128 : index
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  scf.forall (%r) in (24) {
    %row = memref.alloca() : memref<128xf32>
    scf.for %j = %c0 to %c128 step %c1 {
      %in = arith.cmpi slt, %j, %c100 : index
      %x = scf.if %in -> (f32) {
        %v = memref.load %X[%r, %j] : memref<24x100xf32>
        scf.yield %v : f32
      } else {
        scf.yield %ninf : f32
      }
      memref.store %x, %row[%j] : memref<128xf32>
    }
    %m = scf.for %j = %c0 to %c128 step %c1 iter_args(%a = %ninf) -> (f32) {
      %x = memref.load %row[%j] : memref<128xf32>
      %a1 = arith.maximumf %a, %x : f32
      scf.yield %a1 : f32
    }
    %s = scf.for %j = %c0 to %c128 step %c1 iter_args(%a = %zero) -> (f32) {
      %x = memref.load %row[%j] : memref<128xf32>
      %d = arith.subf %x, %m : f32
      %e = math.exp %d : f32
      memref.store %e, %row[%j] : memref<128xf32>
      %a1 = arith.addf %a, %e : f32
      scf.yield %a1 : f32
    }
    scf.for %j = %c0 to %c128 step %c1 {
      %in = arith.cmpi slt, %j, %c100 : index
      scf.if %in {
        %x = memref.load %row[%j] : memref<128xf32>
        %y = arith.divf %x, %s : f32
        memref.store %y, %Y[%r, %j] : memref<24x100xf32>
      }
    }
  }
  return
}
