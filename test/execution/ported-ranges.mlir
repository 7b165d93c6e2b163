// Kernels of GPUs whose loops change their form on the way: states that are stored one step further, images made larger, what
// goes around or is mirrored, what moves within its tensor, masks of any integers.
// RUN: split-file %s %t
// RUN: tt-run %t/passing.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --check-prefix=TWO
// RUN: %if all %{ tt-run %t/passing.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --check-prefix=TWO %}
// RUN: %if all %{ tt-run %t/upscale.mlir --check --arch=wormhole_b0 --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/upscale.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/roll.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/roll.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/reflect.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/conv.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --check-prefix=TWO %}
// RUN: %if all %{ tt-run %t/conv.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --check-prefix=TWO %}
// RUN: %if all %{ tt-run %t/shift.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --check-prefix=TWO %}
// RUN: %if all %{ tt-run %t/mask.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/mask.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/keys.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/tokens.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/beside.mlir --check --arch=wormhole_b0 --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/cache.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/edges.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/columns.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/group.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// CHECK-NOT: OUT OF TOLERANCE
// CHECK: Y: {{.*}}: ok
// TWO: {{[YS]}}: {{.*}}: ok
// TWO: {{[YF]}}: {{.*}}: ok

// States of chunks: each goes to the place behind its own, the last one to another tensor; the branch decides by the step.
//--- passing.mlir
func.func @state_passing(%ST: memref<2x8x4x256xf32>, %DA: memref<2x4x8xf32>, %OUT: memref<2x8x4x256xf32> {tt.name = "Y"}, %F: memref<2x4x256xf32> {tt.name = "F"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  affine.parallel (%b, %h, %d) = (0, 0, 0) to (2, 4, 256) {
    affine.store %zero, %OUT[%b, 0, %h, %d] : memref<2x8x4x256xf32>
    %r = scf.for %c = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (f32) {
      %n = memref.load %ST[%b, %c, %h, %d] : memref<2x8x4x256xf32>
      %a = memref.load %DA[%b, %h, %c] : memref<2x4x8xf32>
      %e = math.exp %a : f32
      %p = arith.mulf %e, %s : f32
      %q = arith.addf %p, %n : f32
      %in = arith.cmpi slt, %c, %c7 : index
      scf.if %in {
        %cn = arith.addi %c, %c1 : index
        memref.store %q, %OUT[%b, %cn, %h, %d] : memref<2x8x4x256xf32>
      } else {
        memref.store %q, %F[%b, %h, %d] : memref<2x4x256xf32>
      }
      scf.yield %q : f32
    }
  }
  return
}

// An image made larger by 1.5 and 2, of which floats say what each element reads.
//--- upscale.mlir
func.func @upscale(%X: memref<6x20x16xf32>, %Y: memref<6x30x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %sf = arith.constant 0.6666667 : f32
  %half = arith.constant 0.5 : f32
  %c19 = arith.constant 19 : i32
  %c23 = arith.constant 15 : i32
  affine.parallel (%c, %i, %j) = (0, 0, 0) to (6, 30, 32) {
    %i32 = arith.index_cast %i : index to i32
    %fi = arith.sitofp %i32 : i32 to f32
    %gi = arith.mulf %fi, %sf : f32
    %li = math.floor %gi : f32
    %si = arith.fptosi %li : f32 to i32
    %mi = arith.minsi %si, %c19 : i32
    %xi = arith.index_cast %mi : i32 to index
    %j32 = arith.index_cast %j : index to i32
    %fj = arith.sitofp %j32 : i32 to f32
    %gj = arith.mulf %fj, %half : f32
    %lj = math.floor %gj : f32
    %sj = arith.fptosi %lj : f32 to i32
    %mj = arith.minsi %sj, %c23 : i32
    %xj = arith.index_cast %mj : i32 to index
    %v = memref.load %X[%c, %xi, %xj] : memref<6x20x16xf32>
    affine.store %v, %Y[%c, %i, %j] : memref<6x30x32xf32>
  }
  return
}

// Windows that are shifted, of which what goes over the end comes first.
//--- roll.mlir
func.func @roll(%X: memref<3x14x14x40xbf16>, %Y: memref<3x14x14x40xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%n, %i, %j, %c) = (0, 0, 0, 0) to (3, 14, 14, 40) {
    %x = affine.load %X[%n, (%i + 3) mod 14, (%j + 3) mod 14, %c] : memref<3x14x14x40xbf16>
    affine.store %x, %Y[%n, %i, %j, %c] : memref<3x14x14x40xbf16>
  }
  return
}

// Rows beside a border that are those inside of it, counted backwards.
//--- reflect.mlir
func.func @reflect(%X: memref<20x64xf32>, %Y: memref<26x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c19 = arith.constant 19 : index
  %c38 = arith.constant 38 : index
  affine.parallel (%i, %j) = (0, 0) to (26, 64) {
    %a = arith.subi %i, %c3 : index
    %neg = arith.cmpi slt, %a, %c0 : index
    %m = arith.subi %c0, %a : index
    %b = arith.select %neg, %m, %a : index
    %over = arith.cmpi sgt, %b, %c19 : index
    %o = arith.subi %c38, %b : index
    %k = arith.select %over, %o, %b : index
    %v = memref.load %X[%k, %j] : memref<20x64xf32>
    affine.store %v, %Y[%i, %j] : memref<26x64xf32>
  }
  return
}

// The last inputs of a convolution over time, which move up by one in place.
//--- conv.mlir
func.func @conv1d_update(%X: memref<4x128xf32>, %S: memref<4x128x3xf32> {tt.name = "S"}, %W: memref<128x4xf32>, %Bi: memref<128xf32>, %O: memref<4x128xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  affine.parallel (%b, %d) = (0, 0) to (4, 128) {
    %s0 = affine.load %S[%b, %d, 0] : memref<4x128x3xf32>
    %s1 = affine.load %S[%b, %d, 1] : memref<4x128x3xf32>
    %s2 = affine.load %S[%b, %d, 2] : memref<4x128x3xf32>
    %x = affine.load %X[%b, %d] : memref<4x128xf32>
    affine.store %s1, %S[%b, %d, 0] : memref<4x128x3xf32>
    affine.store %s2, %S[%b, %d, 1] : memref<4x128x3xf32>
    affine.store %x, %S[%b, %d, 2] : memref<4x128x3xf32>
    %w0 = affine.load %W[%d, 0] : memref<128x4xf32>
    %w1 = affine.load %W[%d, 1] : memref<128x4xf32>
    %w2 = affine.load %W[%d, 2] : memref<128x4xf32>
    %w3 = affine.load %W[%d, 3] : memref<128x4xf32>
    %bi = affine.load %Bi[%d] : memref<128xf32>
    %p0 = arith.mulf %s0, %w0 : f32
    %a0 = arith.addf %bi, %p0 : f32
    %p1 = arith.mulf %s1, %w1 : f32
    %a1 = arith.addf %a0, %p1 : f32
    %p2 = arith.mulf %s2, %w2 : f32
    %a2 = arith.addf %a1, %p2 : f32
    %p3 = arith.mulf %x, %w3 : f32
    %a3 = arith.addf %a2, %p3 : f32
    %n = arith.negf %a3 : f32
    %e = math.exp %n : f32
    %e1 = arith.addf %e, %one : f32
    %o = arith.divf %a3, %e1 : f32
    affine.store %o, %O[%b, %d] : memref<4x128xf32>
  }
  return
}

// The same in a loop.
//--- shift.mlir
func.func @conv1d_update(%X: memref<4x128xf32>, %S: memref<4x128x3xf32> {tt.name = "S"}, %W: memref<128x4xf32>, %O: memref<4x128xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%b, %d) = (0, 0) to (4, 128) {
    %x = affine.load %X[%b, %d] : memref<4x128xf32>
    %a = affine.for %i = 0 to 3 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %S[%b, %d, %i] : memref<4x128x3xf32>
      %w = affine.load %W[%d, %i] : memref<128x4xf32>
      %p = arith.mulf %v, %w : f32
      %q = arith.addf %s, %p : f32
      affine.yield %q : f32
    }
    %w3 = affine.load %W[%d, 3] : memref<128x4xf32>
    %p3 = arith.mulf %x, %w3 : f32
    %a3 = arith.addf %a, %p3 : f32
    affine.store %a3, %O[%b, %d] : memref<4x128xf32>
    affine.for %i = 0 to 2 {
      %v = affine.load %S[%b, %d, %i + 1] : memref<4x128x3xf32>
      affine.store %v, %S[%b, %d, %i] : memref<4x128x3xf32>
    }
    affine.store %x, %S[%b, %d, 2] : memref<4x128x3xf32>
  }
  return
}

// Rows that a mask of any integers leaves out.
//--- mask.mlir
func.func @mask(%X: memref<24x96xf32>, %M: memref<24xi32>, %Y: memref<24x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %k = arith.constant 100000000 : i32
  affine.parallel (%i) = (0) to (24) {
    %m = affine.load %M[%i] : memref<24xi32>
    %go = arith.cmpi slt, %m, %k : i32
    scf.if %go {
      affine.for %j = 0 to 96 {
        %x = affine.load %X[%i, %j] : memref<24x96xf32>
        %e = math.exp %x : f32
        affine.store %e, %Y[%i, %j] : memref<24x96xf32>
      }
    }
  }
  return
}

// A step of a sorting network, whose direction compares two flags.
//--- keys.mlir
func.func @bs(%A: memref<128xi32>, %B: memref<128xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %j = arith.constant 2 : index
  %k = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  affine.parallel (%i) = (0) to (128) {
    %p = arith.xori %i, %j : index
    %x = affine.load %A[%i] : memref<128xi32>
    %y = memref.load %A[%p] : memref<128xi32>
    %mn = arith.minsi %x, %y : i32
    %mx = arith.maxsi %x, %y : i32
    %bit = arith.andi %i, %k : index
    %asc = arith.cmpi eq, %bit, %c0 : index
    %low = arith.cmpi slt, %i, %p : index
    %same = arith.cmpi eq, %asc, %low : i1
    %r = arith.select %same, %mn, %mx : i32
    affine.store %r, %B[%i] : memref<128xi32>
  }
  return
}

// Differences of tokens, the first of each sequence apart, in loops without a grid.
//--- tokens.mlir
func.func @ts(%X: memref<64x72xf32>, %CU: memref<4xi32> {tt.range = [0, 64]}, %Y: memref<64x72xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %n = 0 to 3 {
    %bi = affine.load %CU[%n] : memref<4xi32>
    %bos = arith.index_cast %bi : i32 to index
    %ei = affine.load %CU[%n + 1] : memref<4xi32>
    %eos = arith.index_cast %ei : i32 to index
    affine.for %t = 0 to 64 {
      %ge = arith.cmpi sge, %t, %bos : index
      %lt = arith.cmpi slt, %t, %eos : index
      %in = arith.andi %ge, %lt : i1
      scf.if %in {
        %first = arith.cmpi eq, %t, %bos : index
        scf.if %first {
          affine.for %d = 0 to 72 {
            %x = affine.load %X[%t, %d] : memref<64x72xf32>
            %m = arith.negf %x : f32
            affine.store %m, %Y[%t, %d] : memref<64x72xf32>
          }
        } else {
          affine.for %d = 0 to 72 {
            %p = arith.subi %t, %c1 : index
            %x = affine.load %X[%t, %d] : memref<64x72xf32>
            %y = memref.load %X[%p, %d] : memref<64x72xf32>
            %m = arith.subf %y, %x : f32
            affine.store %m, %Y[%t, %d] : memref<64x72xf32>
          }
        }
      }
    }
  }
  return
}

// A loop beside a grid.
//--- beside.mlir
func.func @two(%X: memref<64x72xf32>, %Y: memref<64x72xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %T = memref.alloc() : memref<64x72xf32>
  affine.parallel (%i, %j) = (0, 0) to (64, 72) {
    %x = affine.load %X[%i, %j] : memref<64x72xf32>
    affine.store %x, %T[%i, %j] : memref<64x72xf32>
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 72 {
      %x = affine.load %T[%i, %j] : memref<64x72xf32>
      %e = math.exp %x : f32
      affine.store %e, %Y[%i, %j] : memref<64x72xf32>
    }
  }
  return
}

// Rows that move up by one, and a new one at the end, without a grid.
//--- cache.mlir
func.func @f(%K: memref<24x96xf32> {tt.name = "Y"}, %N: memref<96xf32>) attributes {tt.kernel} {
  affine.for %j = 0 to 96 {
    affine.for %i = 0 to 23 {
      %x = affine.load %K[%i + 1, %j] : memref<24x96xf32>
      affine.store %x, %K[%i, %j] : memref<24x96xf32>
    }
    %n = affine.load %N[%j] : memref<96xf32>
    affine.store %n, %K[23, %j] : memref<24x96xf32>
  }
  return
}

// Sums over windows that clamps keep inside, whose borders count several times.
//--- edges.mlir
func.func @box(%I: memref<24x70xi32>, %O: memref<24x70xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c23 = arith.constant 23 : index
  %c69 = arith.constant 69 : index
  affine.parallel (%y, %x) = (0, 0) to (24, 70) {
    %r = affine.for %i = 0 to 5 iter_args(%s = %z) -> (i32) {
      %q = affine.for %j = 0 to 3 iter_args(%t = %s) -> (i32) {
        %ya = arith.addi %y, %i : index
        %yb = arith.subi %ya, %c2 : index
        %yc = arith.maxsi %yb, %c0 : index
        %yd = arith.minsi %yc, %c23 : index
        %xa = arith.addi %x, %j : index
        %xb = arith.subi %xa, %c2 : index
        %xd = arith.minsi %xb, %c69 : index
        %xe = arith.maxsi %xd, %c0 : index
        %v = memref.load %I[%yd, %xe] : memref<24x70xi32>
        %n = arith.addi %t, %v : i32
        affine.yield %n : i32
      }
      affine.yield %q : i32
    }
    affine.store %r, %O[%y, %x] : memref<24x70xi32>
  }
  return
}

// Columns beside a border that are mirrored, of more than two tiles.
//--- columns.mlir
func.func @reflect(%X: memref<20x100xf32>, %Y: memref<20x106xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c19 = arith.constant 99 : index
  %c38 = arith.constant 198 : index
  affine.parallel (%i, %j) = (0, 0) to (20, 106) {
    %a = arith.subi %j, %c3 : index
    %neg = arith.cmpi slt, %a, %c0 : index
    %m = arith.subi %c0, %a : index
    %b = arith.select %neg, %m, %a : index
    %over = arith.cmpi sgt, %b, %c19 : index
    %o = arith.subi %c38, %b : index
    %k = arith.select %over, %o, %b : index
    %v = memref.load %X[%i, %k] : memref<20x100xf32>
    affine.store %v, %Y[%i, %j] : memref<20x106xf32>
  }
  return
}

// A map that divides: each element takes the number of its group, the groups going around.
//--- group.mlir
func.func @f(%X: memref<64x4xf32>, %Y: memref<64x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, (c mod 8) floordiv 2)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]} ins(%X : memref<64x4xf32>) outs(%Y : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}
