// Tensors updated in place by loops of the kernel.
// REQUIRES: all
// RUN: split-file %s %t
// RUN: tt-run %t/scale.mlir --check
// RUN: tt-run %t/scale.mlir --check --seed=5 --metalium-api=2025
// RUN: tt-run %t/gates.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/gates.mlir --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: tt-run %t/gradient.mlir --check --arch=blackhole --metalium-api=2026-03 | FileCheck %s
// RUN: %if all %{ tt-run %t/gradient.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/norm.mlir --check --arch=blackhole | FileCheck %s %}
// RUN: tt-run %t/parts.mlir --check | FileCheck %s --check-prefix=PARTS
// RUN: %if all %{ tt-run %t/parts.mlir --check --arch=blackhole | FileCheck %s --check-prefix=PARTS %}
// RUN: tt-run %t/halves.mlir --check | FileCheck %s --check-prefix=PARTS
// RUN: %if all %{ tt-run %t/halves.mlir --check --arch=blackhole | FileCheck %s --check-prefix=PARTS %}
// RUN: tt-run %t/lion.mlir --check | FileCheck %s --check-prefix=PARTS
// RUN: %if all %{ tt-run %t/lion.mlir --check --arch=blackhole | FileCheck %s --check-prefix=PARTS %}
// RUN: not tt-run %t/narrow.mlir 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: error: updates parts of tiles of tensor 'X' in place, which begin at any column; a read takes 16 of them at once
// PARTS: X: {{.*}}: ok
// CHECK: X: max abs error {{.*}}: ok
// CHECK: Y: max abs error {{.*}}: ok

// Four blocks a cell, each once.
//--- scale.mlir
func.func @scale(%A: memref<128x512xbf16> {tt.name = "A"}, %B: memref<128x512xbf16> {tt.name = "B"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %c64 : index
    %first = arith.muli %bx, %c256 : index
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c128 step %c64 {
        %at = arith.muli %i, %c128 : index
        %cell = arith.addi %first, %at : index
        %n = arith.addi %cell, %j : index
        %a = memref.subview %A[%m, %n] [64, 64] [1, 1] : memref<128x512xbf16> to memref<64x64xbf16, strided<[512, 1], offset: ?>>
        %b = memref.subview %B[%m, %n] [64, 64] [1, 1] : memref<128x512xbf16> to memref<64x64xbf16, strided<[512, 1], offset: ?>>
        linalg.mul ins(%a, %b : memref<64x64xbf16, strided<[512, 1], offset: ?>>, memref<64x64xbf16, strided<[512, 1], offset: ?>>)
                   outs(%a : memref<64x64xbf16, strided<[512, 1], offset: ?>>)
      }
    }
  }
  return
}

// Two tensors are replaced, each by what is made of both, row by row.
//--- gates.mlir
func.func @gates(%D: memref<40x64xbf16>, %A: memref<40x64xbf16> {tt.name = "X"}, %B: memref<40x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  affine.parallel (%i) = (0) to (40) {
    affine.for %j = 0 to 64 {
      %d16 = affine.load %D[%i, %j] : memref<40x64xbf16>
      %a16 = affine.load %A[%i, %j] : memref<40x64xbf16>
      %b16 = affine.load %B[%i, %j] : memref<40x64xbf16>
      %d = arith.extf %d16 : bf16 to f32
      %a = arith.extf %a16 : bf16 to f32
      %b = arith.extf %b16 : bf16 to f32
      %n = arith.negf %a : f32
      %e = math.exp %n : f32
      %q = arith.addf %one, %e : f32
      %s = arith.divf %one, %q : f32
      %t = arith.mulf %d, %s : f32
      %x = arith.mulf %t, %b : f32
      %y = arith.mulf %t, %a : f32
      %x16 = arith.truncf %x : f32 to bf16
      %y16 = arith.truncf %y : f32 to bf16
      affine.store %x16, %A[%i, %j] : memref<40x64xbf16>
      affine.store %y16, %B[%i, %j] : memref<40x64xbf16>
    }
  }
  return
}

// The gradient of a cross entropy replaces the logits, which a maximum and a sum that go on together have read before, and
// one of which is the label's.
//--- gradient.mlir
func.func @gradient(%X: memref<40x64xf32> {tt.name = "X"}, %L: memref<40xi32> {tt.range = [0, 63]}, %LOSS: memref<40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  affine.parallel (%i) = (0) to (40) {
    %l = affine.load %L[%i] : memref<40xi32>
    %at = arith.index_cast %l : i32 to index
    %own = memref.load %X[%i, %at] : memref<40x64xf32>
    %s:2 = affine.for %j = 0 to 64 iter_args(%m = %low, %d = %zero) -> (f32, f32) {
      %x = affine.load %X[%i, %j] : memref<40x64xf32>
      %n = arith.maximumf %m, %x : f32
      %a = arith.subf %m, %n : f32
      %ea = math.exp %a : f32
      %da = arith.mulf %d, %ea : f32
      %b = arith.subf %x, %n : f32
      %eb = math.exp %b : f32
      %db = arith.addf %da, %eb : f32
      affine.yield %n, %db : f32, f32
    }
    affine.for %j = 0 to 64 {
      %x = affine.load %X[%i, %j] : memref<40x64xf32>
      %b = arith.subf %x, %s#0 : f32
      %e = math.exp %b : f32
      %p = arith.divf %e, %s#1 : f32
      %is = arith.cmpi eq, %j, %at : index
      %q = arith.subf %p, %one : f32
      %g = arith.select %is, %q, %p : f32
      affine.store %g, %X[%i, %j] : memref<40x64xf32>
    }
    %lg = math.log %s#1 : f32
    %lse = arith.addf %s#0, %lg : f32
    %loss = arith.subf %lse, %own : f32
    affine.store %loss, %LOSS[%i] : memref<40xf32>
  }
  return
}

// A residual is updated, and its norm replaces what was added: blocks of 32 rows, and of what is left.
//--- norm.mlir
func.func @norm(%X: memref<40x64xbf16> {tt.name = "X"}, %R: memref<40x64xbf16> {tt.name = "Y"}, %W: memref<64xbf16>, %eps: f32) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  affine.parallel (%i) = (0) to (40) {
    %s = affine.for %j = 0 to 64 iter_args(%t = %zero) -> (f32) {
      %x16 = affine.load %X[%i, %j] : memref<40x64xbf16>
      %r16 = affine.load %R[%i, %j] : memref<40x64xbf16>
      %z16 = arith.addf %x16, %r16 : bf16
      %z = arith.extf %z16 : bf16 to f32
      %q = arith.mulf %z, %z : f32
      %u = arith.addf %t, %q : f32
      affine.store %z16, %R[%i, %j] : memref<40x64xbf16>
      affine.yield %u : f32
    }
    %m = arith.divf %s, %n : f32
    %me = arith.addf %m, %eps : f32
    %rs = math.rsqrt %me : f32
    affine.for %j = 0 to 64 {
      %r16 = affine.load %R[%i, %j] : memref<40x64xbf16>
      %r = arith.extf %r16 : bf16 to f32
      %y = arith.mulf %r, %rs : f32
      %y16 = arith.truncf %y : f32 to bf16
      %w = affine.load %W[%j] : memref<64xbf16>
      %o = arith.mulf %y16, %w : bf16
      affine.store %o, %X[%i, %j] : memref<40x64xbf16>
    }
  }
  return
}

// Cells have parts of the same tiles: each reads its rows alone, since others write theirs at the same time.
//--- parts.mlir
func.func @parts(%X: memref<100x45xbf16> {tt.name = "X"}) attributes {tt.kernel} {
  %c24 = arith.constant 24 : index
  %zero = arith.constant 0.0 : bf16
  scf.forall (%i) in (5) {
    %r = arith.muli %i, %c24 : index
    %m = affine.min affine_map<(d) -> (24, 100 - d)>(%r)
    %x = memref.subview %X[%r, 0] [%m, 45] [1, 1] : memref<100x45xbf16> to memref<?x45xbf16, strided<[45, 1], offset: ?>>
    %s = memref.alloc(%m) : memref<?xbf16>
    linalg.fill ins(%zero : bf16) outs(%s : memref<?xbf16>)
    linalg.reduce ins(%x : memref<?x45xbf16, strided<[45, 1], offset: ?>>) outs(%s : memref<?xbf16>) dimensions = [1]
      (%a: bf16, %o: bf16) {
        %c = arith.maximumf %o, %a : bf16
        linalg.yield %c : bf16
      }
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%s : memref<?xbf16>) outs(%x : memref<?x45xbf16, strided<[45, 1], offset: ?>>) {
      ^bb0(%n: bf16, %o: bf16):
        %d = arith.subf %o, %n : bf16
        linalg.yield %d : bf16
    }
  }
  return
}

// Both halves of each head are replaced by a rotation of the two.
//--- halves.mlir
func.func @halves(%C: memref<40x16xf32>, %S: memref<40x16xf32>, %X: memref<40x128xf32> {tt.name = "X"}) attributes {tt.kernel} {
  affine.parallel (%t, %h) = (0, 0) to (40, 4) {
    affine.for %i = 0 to 16 {
      %c = affine.load %C[%t, %i] : memref<40x16xf32>
      %s = affine.load %S[%t, %i] : memref<40x16xf32>
      %x = affine.load %X[%t, %h * 32 + %i] : memref<40x128xf32>
      %y = affine.load %X[%t, %h * 32 + %i + 16] : memref<40x128xf32>
      %xc = arith.mulf %x, %c : f32
      %ys = arith.mulf %y, %s : f32
      %yc = arith.mulf %y, %c : f32
      %xs = arith.mulf %x, %s : f32
      %a = arith.subf %xc, %ys : f32
      %b = arith.addf %yc, %xs : f32
      affine.store %a, %X[%t, %h * 32 + %i] : memref<40x128xf32>
      affine.store %b, %X[%t, %h * 32 + %i + 16] : memref<40x128xf32>
    }
  }
  return
}

// The same where a read of one half brings the other one as well.
//--- narrow.mlir
func.func @narrow(%C: memref<40x8xf32>, %S: memref<40x8xf32>, %X: memref<40x128xf32> {tt.name = "X"}) attributes {tt.kernel} {
  affine.parallel (%t, %h) = (0, 0) to (40, 8) {
    affine.for %i = 0 to 8 {
      %c = affine.load %C[%t, %i] : memref<40x8xf32>
      %s = affine.load %S[%t, %i] : memref<40x8xf32>
      %x = affine.load %X[%t, %h * 16 + %i] : memref<40x128xf32>
      %y = affine.load %X[%t, %h * 16 + %i + 8] : memref<40x128xf32>
      %xc = arith.mulf %x, %c : f32
      %ys = arith.mulf %y, %s : f32
      %yc = arith.mulf %y, %c : f32
      %xs = arith.mulf %x, %s : f32
      %a = arith.subf %xc, %ys : f32
      %b = arith.addf %yc, %xs : f32
      affine.store %a, %X[%t, %h * 16 + %i] : memref<40x128xf32>
      affine.store %b, %X[%t, %h * 16 + %i + 8] : memref<40x128xf32>
    }
  }
  return
}

// Of tensors that L1 cannot hold the rest lies behind the whole blocks, whose steps write none of it.
//--- lion.mlir
func.func @lion(%P: memref<3000xf32> {tt.name = "X"}, %G: memref<3000xbf16>, %M: memref<3000xf32>) attributes {tt.kernel} {
  %b1 = arith.constant 0.9 : f32
  %r1 = arith.constant 0.1 : f32
  %b2 = arith.constant 0.99 : f32
  %r2 = arith.constant 0.01 : f32
  %rate = arith.constant 0.1 : f32
  %decay = arith.constant 0.9999 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  affine.for %i = 0 to 3000 {
    %p = affine.load %P[%i] : memref<3000xf32>
    %narrow = affine.load %G[%i] : memref<3000xbf16>
    %g = arith.extf %narrow : bf16 to f32
    %m = affine.load %M[%i] : memref<3000xf32>
    %kept = arith.mulf %p, %decay : f32
    %m1 = arith.mulf %m, %b1 : f32
    %g1 = arith.mulf %g, %r1 : f32
    %u = arith.addf %m1, %g1 : f32
    %above = arith.cmpf ogt, %u, %zero : f32
    %below = arith.cmpf olt, %u, %zero : f32
    %or = arith.select %below, %minus, %zero : f32
    %sign = arith.select %above, %one, %or : f32
    %step = arith.mulf %sign, %rate : f32
    %next = arith.subf %kept, %step : f32
    affine.store %next, %P[%i] : memref<3000xf32>
    %m2 = arith.mulf %m, %b2 : f32
    %g2 = arith.mulf %g, %r2 : f32
    %n = arith.addf %m2, %g2 : f32
    affine.store %n, %M[%i] : memref<3000xf32>
  }
  return
}
