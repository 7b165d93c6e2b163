// Kernels of kinds that come from GPUs: lists with entries that are none, scans from the end, sums of segments and of
// classes, sums over dimensions in the middle, sizes that are known at run time.
// RUN: split-file %s %t
// RUN: tt-run %t/padded.mlir --check --metalium-api=2025 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/padded.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/chosen.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/chosen.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/pages.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/pages.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/blocks.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/blocks.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/ignored.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/ignored.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/reversed.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/reversed.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/nucleus.mlir --check --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/nucleus.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/segments.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/segments.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/classes.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/classes.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/middle.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/middle.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/any.mlir --check --shape A=45x64 --shape Y=45x64 --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/any.mlir --check --shape A=45x64 --shape Y=45x64 --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/pairs.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/pairs.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/causal.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/groups.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/permuted.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/permuted.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/ragged.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/ragged.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// CHECK: Y: max abs error {{.*}}: ok
// RUN: %if all %{ tt-run %t/bytes.mlir --check --input z=-5 2>&1 | \
// RUN:   FileCheck %s --check-prefix=BYTES %}
// RUN: %if all %{ not tt-run %t/bytes.mlir --check --input z=-120 2>&1 | \
// RUN:   FileCheck %s --check-prefix=RANGE %}
// RUN: tt-run %t/scaled.mlir --check --seed=5 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/scaled.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: not tt-run %t/moved.mlir --check 2>&1 | FileCheck %s --check-prefix=MOVED
// BYTES: Y: equal: ok
// MOVED: error: reads tensor 'Y' where a list says, and writes it as well
// RANGE: --input z: holds -120, but its tt.range is -100 to 127

// Rows that a list of bytes names, filled up with -1: what is no row is zero.
//--- padded.mlir
func.func @padded(%A: memref<100x64xf32> {tt.name = "A"}, %I: memref<64xi8> {tt.name = "I", tt.range = [-1, 99]}, %C: memref<64x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 0 : i8
  affine.parallel (%b) = (0) to (2) {
    affine.for %i = 0 to 32 {
      %v = affine.load %I[%b * 32 + %i] : memref<64xi8>
      %r = arith.index_cast %v : i8 to index
      %in = arith.cmpi sge, %v, %n : i8
      affine.for %j = 0 to 64 {
        %y = scf.if %in -> (f32) {
          %x = memref.load %A[%r, %j] : memref<100x64xf32>
          scf.yield %x : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %y, %C[%b * 32 + %i, %j] : memref<64x64xf32>
      }
    }
  }
  return
}

// The same as a choice.
//--- chosen.mlir
func.func @chosen(%A: memref<100x64xf32> {tt.name = "A"}, %I: memref<64xi32> {tt.name = "I", tt.range = [-1, 99]}, %C: memref<64x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 0 : i32
  affine.parallel (%b) = (0) to (2) {
    affine.for %i = 0 to 32 {
      affine.for %j = 0 to 64 {
        %v = affine.load %I[%b * 32 + %i] : memref<64xi32>
        %w = arith.maxsi %v, %n : i32
        %r = arith.index_cast %w : i32 to index
        %in = arith.cmpi sge, %v, %n : i32
        %x = memref.load %A[%r, %j] : memref<100x64xf32>
        %y = arith.select %in, %x, %zero : f32
        affine.store %y, %C[%b * 32 + %i, %j] : memref<64x64xf32>
      }
    }
  }
  return
}

// Pages of keys that a table names; -1 is no page.
//--- pages.mlir
func.func @pages(%K: memref<8x16x2x64xbf16>, %T: memref<4x4xi32> {tt.range = [-1, 7]}, %O: memref<4x64x2x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  %n = arith.constant 0 : i32
  affine.parallel (%b, %h) = (0, 0) to (4, 2) {
    affine.for %p = 0 to 4 {
      %v = affine.load %T[%b, %p] : memref<4x4xi32>
      %pg = arith.index_cast %v : i32 to index
      %in = arith.cmpi sge, %v, %n : i32
      affine.for %j = 0 to 16 {
        affine.for %e = 0 to 64 {
          %y = scf.if %in -> (bf16) {
            %k = memref.load %K[%pg, %j, %h, %e] : memref<8x16x2x64xbf16>
            scf.yield %k : bf16
          } else {
            scf.yield %zero : bf16
          }
          affine.store %y, %O[%b, %p * 16 + %j, %h, %e] : memref<4x64x2x64xbf16>
        }
      }
    }
  }
  return
}

// Blocks that a list names are added, those that there are.
//--- blocks.mlir
func.func @blocks(%A: memref<256x64xf32> {tt.name = "A"}, %I: memref<2x4xi32> {tt.name = "I", tt.range = [-1, 7]}, %C: memref<64x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (2) {
    %acc = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    scf.for %i = %c0 to %c4 step %c1 {
      %v = memref.load %I[%b, %i] : memref<2x4xi32>
      %in = arith.cmpi sge, %v, %n : i32
      scf.if %in {
        %r = arith.index_cast %v : i32 to index
        %at = arith.muli %r, %c32 : index
        %a = memref.subview %A[%at, 0] [32, 64] [1, 1] : memref<256x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
        linalg.add ins(%acc, %a : memref<32x64xf32, #gpu.address_space<private>>, memref<32x64xf32, strided<[64, 1], offset: ?>>) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
      }
    }
    %m = arith.muli %b, %c32 : index
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %acc, %c : memref<32x64xf32, #gpu.address_space<private>> to memref<32x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// Cross entropy; rows whose label is -1 do not count.
//--- ignored.mlir
func.func @ignored(%X: memref<64x96xf32>, %L: memref<64xi32> {tt.range = [-1, 95]}, %LOSS: memref<64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %ign = arith.constant -1 : i32
  affine.parallel (%i) = (0) to (64) {
    %m = affine.for %j = 0 to 96 iter_args(%s = %low) -> (f32) {
      %x = affine.load %X[%i, %j] : memref<64x96xf32>
      %n = arith.maximumf %s, %x : f32
      affine.yield %n : f32
    }
    %d = affine.for %j = 0 to 96 iter_args(%s = %z) -> (f32) {
      %x = affine.load %X[%i, %j] : memref<64x96xf32>
      %y = arith.subf %x, %m : f32
      %e = math.exp %y : f32
      %n = arith.addf %s, %e : f32
      affine.yield %n : f32
    }
    %lg = math.log %d : f32
    %l = affine.load %L[%i] : memref<64xi32>
    %ok = arith.cmpi ne, %l, %ign : i32
    %loss = scf.if %ok -> (f32) {
      %li = arith.index_cast %l : i32 to index
      %xl = memref.load %X[%i, %li] : memref<64x96xf32>
      %a = arith.addf %lg, %m : f32
      %r = arith.subf %a, %xl : f32
      scf.yield %r : f32
    } else {
      scf.yield %z : f32
    }
    affine.store %loss, %LOSS[%i] : memref<64xf32>
  }
  return
}

// Sums from the end of each row on.
//--- reversed.mlir
func.func @reversed(%A: memref<32x16xf32>, %C: memref<32x16xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i) = (0) to (32) {
    %r = affine.for %j = 0 to 16 iter_args(%s = %zero) -> (f32) {
      %a = affine.load %A[%i, 15 - %j] : memref<32x16xf32>
      %t = arith.addf %s, %a : f32
      affine.store %t, %C[%i, 15 - %j] : memref<32x16xf32>
      affine.yield %t : f32
    }
  }
  return
}

// Of each row, the first ones whose sum is small enough, and how much all of them are.
//--- nucleus.mlir
func.func @nucleus(%P: memref<32x40xf32>, %TH: memref<32xf32>, %Y: memref<32x40xf32> {tt.name = "Y"}, %Z: memref<32xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i) = (0) to (32) {
    %th = affine.load %TH[%i] : memref<32xf32>
    %most = affine.for %j = 0 to 40 iter_args(%m = %zero) -> (f32) {
      %x = affine.load %P[%i, %j] : memref<32x40xf32>
      %a = math.absf %x : f32
      %n = arith.maximumf %m, %a : f32
      affine.yield %n : f32
    }
    %all = affine.for %j = 0 to 40 iter_args(%sum = %zero) -> (f32) {
      %x = affine.load %P[%i, %j] : memref<32x40xf32>
      %a = math.absf %x : f32
      %in = arith.cmpf olt, %sum, %th : f32
      %k = arith.select %in, %a, %zero : f32
      affine.store %k, %Y[%i, %j] : memref<32x40xf32>
      %n = arith.addf %sum, %a : f32
      affine.yield %n : f32
    }
    %share = arith.divf %most, %all : f32
    affine.store %share, %Z[%i] : memref<32xf32>
  }
  return
}

// Sums of segments of rows, whose bounds are in a tensor.
//--- segments.mlir
func.func @segments(%X: memref<64x64xf32>, %O: memref<5xi32> {tt.range = [0, 64]}, %Y: memref<4x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%g) in (4) {
    %acc = memref.alloc() : memref<1x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<1x64xf32, #gpu.address_space<private>>)
    %g1 = arith.addi %g, %c1 : index
    %lo32 = memref.load %O[%g] : memref<5xi32>
    %hi32 = memref.load %O[%g1] : memref<5xi32>
    %lo = arith.index_cast %lo32 : i32 to index
    %hi = arith.index_cast %hi32 : i32 to index
    scf.for %i = %lo to %hi step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %x = memref.load %X[%i, %j] : memref<64x64xf32>
        %a = memref.load %acc[%c0, %j] : memref<1x64xf32, #gpu.address_space<private>>
        %s = arith.addf %x, %a : f32
        memref.store %s, %acc[%c0, %j] : memref<1x64xf32, #gpu.address_space<private>>
      }
    }
    %y = memref.subview %Y[%g, 0] [1, 64] [1, 1] : memref<4x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %acc, %y : memref<1x64xf32, #gpu.address_space<private>> to memref<1x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// Sums of the rows of each class: the gradient of an embedding, without a race.
//--- classes.mlir
func.func @classes(%DY: memref<40x64xf32>, %I: memref<40xi32> {tt.range = [0, 31]}, %DW: memref<32x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%v, %j) = (0, 0) to (32, 64) {
    %vi = arith.index_cast %v : index to i32
    %s = affine.for %i = 0 to 40 iter_args(%a = %zero) -> (f32) {
      %id = affine.load %I[%i] : memref<40xi32>
      %is = arith.cmpi eq, %id, %vi : i32
      %r = scf.if %is -> (f32) {
        %x = affine.load %DY[%i, %j] : memref<40x64xf32>
        %t = arith.addf %a, %x : f32
        scf.yield %t : f32
      } else {
        scf.yield %a : f32
      }
      affine.yield %r : f32
    }
    affine.store %s, %DW[%v, %j] : memref<32x64xf32>
  }
  return
}

// Two sums over the dimension in the middle.
//--- middle.mlir
func.func @middle(%A: memref<2x40x64xf32>, %C: memref<2x64xf32> {tt.name = "Y"}, %D: memref<2x64xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%b, %j) = (0, 0) to (2, 64) {
    %s:2 = affine.for %i = 0 to 40 iter_args(%p = %zero, %q = %zero) -> (f32, f32) {
      %x = affine.load %A[%b, %i, %j] : memref<2x40x64xf32>
      %xx = arith.mulf %x, %x : f32
      %t = arith.addf %p, %x : f32
      %u = arith.addf %q, %xx : f32
      affine.yield %t, %u : f32, f32
    }
    affine.store %s#0, %C[%b, %j] : memref<2x64xf32>
    affine.store %s#1, %D[%b, %j] : memref<2x64xf32>
  }
  return
}

// As many rows as there are.
//--- any.mlir
func.func @any(%A: memref<?x64xf32> {tt.name = "A"}, %C: memref<?x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x64xf32>
  affine.parallel (%i, %j) = (0, 0) to (symbol(%n), 64) {
      %a = affine.load %A[%i, %j] : memref<?x64xf32>
      %b = math.exp %a : f32
      affine.store %b, %C[%i, %j] : memref<?x64xf32>
  }
  return
}

// A byte below zero as a scalar.
//--- bytes.mlir
func.func @bytes(%A: memref<32x64xi32> {tt.name = "A"}, %C: memref<32x64xi32> {tt.name = "Y"}, %z: i8 {tt.name = "z", tt.range = [-100, 127]}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<32x64xi32>) outs(%C : memref<32x64xi32>) {
    ^bb0(%x: i32, %old: i32):
      %w = arith.extsi %z : i8 to i32
      %y = arith.subi %x, %w : i32
      linalg.yield %y : i32
  }
  return
}

// Rows are scaled where a list says, and not summed: what is there is needed step by step, in their order.
//--- scaled.mlir
func.func @scaled(%X: memref<16x64xf32>, %T: memref<16xi32> {tt.range = [0, 31]}, %Y: memref<32x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.for %i = 0 to 16 {
    %t = affine.load %T[%i] : memref<16xi32>
    %at = arith.index_cast %t : i32 to index
    affine.for %j = 0 to 64 {
      %x = affine.load %X[%i, %j] : memref<16x64xf32>
      %o = memref.load %Y[%at, %j] : memref<32x64xf32>
      %y = arith.mulf %x, %o : f32
      memref.store %y, %Y[%at, %j] : memref<32x64xf32>
    }
  }
  return
}

// Rows that cells move to others' places are refused.
//--- moved.mlir
func.func @moved(%T: memref<64xi32> {tt.range = [0, 63]}, %Y: memref<64x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%b) = (0) to (2) {
    affine.for %i = 0 to 32 {
      %t = affine.load %T[%b * 32 + %i] : memref<64xi32>
      %at = arith.index_cast %t : i32 to index
      affine.for %j = 0 to 64 {
        %o = memref.load %Y[%at, %j] : memref<64x64xf32>
        affine.store %o, %Y[%b * 32 + %i, %j] : memref<64x64xf32>
      }
    }
  }
  return
}

// Positions rotate pairs of neighbours, of heads where they lie.
//--- pairs.mlir
func.func @pairs(%X: memref<2x40x3x64xf32> {tt.name = "X"}, %C: memref<40x32xf32>, %S: memref<40x32xf32>, %Y: memref<2x40x3x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%b, %t, %h, %i) = (0, 0, 0, 0) to (2, 40, 3, 32) {
    %x0 = affine.load %X[%b, %t, %h, 2 * %i] : memref<2x40x3x64xf32>
    %x1 = affine.load %X[%b, %t, %h, 2 * %i + 1] : memref<2x40x3x64xf32>
    %c = affine.load %C[%t, %i] : memref<40x32xf32>
    %s = affine.load %S[%t, %i] : memref<40x32xf32>
    %a = arith.mulf %x0, %c : f32
    %d = arith.mulf %x1, %s : f32
    %y0 = arith.subf %a, %d : f32
    %e = arith.mulf %x0, %s : f32
    %f = arith.mulf %x1, %c : f32
    %y1 = arith.addf %e, %f : f32
    affine.store %y0, %Y[%b, %t, %h, 2 * %i] : memref<2x40x3x64xf32>
    affine.store %y1, %Y[%b, %t, %h, 2 * %i + 1] : memref<2x40x3x64xf32>
  }
  return
}

// A causal convolution over time, before which is what the last call has left; it leaves the same.
//--- causal.mlir
func.func @causal(%X: memref<2x64x40xf32> {tt.name = "X"}, %W: memref<64x4xf32>, %B: memref<64xf32>, %S: memref<2x64x3xf32>, %Y: memref<2x64x40xf32> {tt.name = "Y"}, %N: memref<2x64x3xf32> {tt.name = "N"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  affine.parallel (%b, %d) = (0, 0) to (2, 64) {
    affine.for %t = 0 to 40 {
      %bias = affine.load %B[%d] : memref<64xf32>
      %r = affine.for %k = 0 to 4 iter_args(%a = %bias) -> (f32) {
        %w = affine.load %W[%d, %k] : memref<64x4xf32>
        %v = affine.if affine_set<(t, k) : (t + k - 3 >= 0)>(%t, %k) -> f32 {
          %x = affine.load %X[%b, %d, %t + %k - 3] : memref<2x64x40xf32>
          affine.yield %x : f32
        } else {
          %x = affine.load %S[%b, %d, %t + %k] : memref<2x64x3xf32>
          affine.yield %x : f32
        }
        %m = arith.mulf %w, %v : f32
        %n = arith.addf %a, %m : f32
        affine.yield %n : f32
      }
      %neg = arith.negf %r : f32
      %e = math.exp %neg : f32
      %p = arith.addf %e, %one : f32
      %y = arith.divf %r, %p : f32
      affine.store %y, %Y[%b, %d, %t] : memref<2x64x40xf32>
    }
    affine.for %k = 0 to 3 {
      %x = affine.load %X[%b, %d, %k + 37] : memref<2x64x40xf32>
      affine.store %x, %N[%b, %d, %k] : memref<2x64x3xf32>
    }
  }
  return
}

// A product with weights of 8 bits, which have a scale and a zero for each group.
//--- groups.mlir
func.func @groups(%X: memref<40x128xbf16> {tt.name = "X"}, %W: memref<128x64xi8>, %S: memref<4x64xf32>, %Z: memref<4x64xi8>, %Y: memref<40x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (40, 64) {
    %r = affine.for %k = 0 to 128 iter_args(%a = %z) -> (f32) {
      %x = affine.load %X[%i, %k] : memref<40x128xbf16>
      %w = affine.load %W[%k, %j] : memref<128x64xi8>
      %s = affine.load %S[%k floordiv 32, %j] : memref<4x64xf32>
      %q = affine.load %Z[%k floordiv 32, %j] : memref<4x64xi8>
      %wi = arith.extsi %w : i8 to i32
      %qi = arith.extsi %q : i8 to i32
      %d = arith.subi %wi, %qi : i32
      %f = arith.sitofp %d : i32 to f32
      %g = arith.mulf %f, %s : f32
      %xf = arith.extf %x : bf16 to f32
      %m = arith.mulf %xf, %g : f32
      %n = arith.addf %a, %m : f32
      affine.yield %n : f32
    }
    affine.store %r, %Y[%i, %j] : memref<40x64xf32>
  }
  return
}

// Tokens go to the places of their experts: where those begin, plus the number in it.
//--- permuted.mlir
func.func @permuted(%X: memref<32x64xbf16> {tt.name = "X"}, %E: memref<32xi32> {tt.range = [0, 3]}, %O: memref<4xi32> {tt.range = [0, 32]}, %R: memref<32xi32> {tt.range = [0, 31]}, %Y: memref<64x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.for %t = 0 to 32 {
    %e32 = affine.load %E[%t] : memref<32xi32>
    %e = arith.index_cast %e32 : i32 to index
    %o = memref.load %O[%e] : memref<4xi32>
    %r = affine.load %R[%t] : memref<32xi32>
    %s32 = arith.addi %o, %r : i32
    %s = arith.index_cast %s32 : i32 to index
    affine.for %j = 0 to 64 {
      %x = affine.load %X[%t, %j] : memref<32x64xbf16>
      memref.store %x, %Y[%s, %j] : memref<64x64xbf16>
    }
  }
  return
}

// Sequences that lie one after the other become rows of a batch, with zeros behind: a length that is an index decides.
//--- ragged.mlir
func.func @ragged(%X: memref<96x64xf32> {tt.name = "X"}, %F: memref<3xi32> {tt.name = "F", tt.range = [0, 64]}, %L: memref<3xi32> {tt.name = "L", tt.range = [0, 32]}, %Y: memref<3x32x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%b) = (0) to (3) {
    %f = affine.load %F[%b] : memref<3xi32>
    %fi = arith.index_cast %f : i32 to index
    %l = affine.load %L[%b] : memref<3xi32>
    %li = arith.index_cast %l : i32 to index
    affine.for %t = 0 to 32 {
      %in = arith.cmpi ult, %t, %li : index
      affine.for %j = 0 to 64 {
        %y = scf.if %in -> (f32) {
          %r = arith.addi %fi, %t : index
          %x = memref.load %X[%r, %j] : memref<96x64xf32>
          scf.yield %x : f32
        } else { scf.yield %zero : f32 }
        affine.store %y, %Y[%b, %t, %j] : memref<3x32x64xf32>
      }
    }
  }
  return
}
