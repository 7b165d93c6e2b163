// A sum that is kept in 16 bits rounds at each of its terms in the reference, and once on the
// device: where that is more than may differ, the judge is a reference that adds in 32 bits.
//
// REQUIRES: all
// RUN: split-file %s %t
// RUN: for f in rows elements before; do for c in wormhole_b0 blackhole; do \
// RUN:   tt-run %t/$f.mlir --arch $c --check | tee %t/said || exit 1; \
// RUN:   grep -q "itself off by relative RMS .* judged by one that adds in 32 bits" %t/said \
// RUN:     || exit 1; \
// RUN: done; done
// RUN: tt-run %t/halves.mlir --check

// More tiles than DST of 16 bits adds as exactly: the device is off from both, and is told so.
// RUN: sed 's/128/512/g' %t/rows.mlir > %t/long.mlir
// RUN: not tt-run %t/long.mlir --check | FileCheck %s --check-prefix=LONG
// LONG: itself off by relative RMS 0.0{{.*}}; judged by one that adds in 32 bits
// LONG-NEXT: DST has 16 bits, {{.*}} tt.fp32_dest_acc = true adds in 32
// LONG-NEXT: relative RMS 0.0{{.*}}: OUT OF TOLERANCE
// RUN: sed 's/tt.kernel/tt.kernel, tt.fp32_dest_acc = true/' %t/long.mlir > %t/wide.mlir
// RUN: tt-run %t/wide.mlir --check

// What cancels is as wrong on the device, in another way.
// RUN: not tt-run %t/cancels.mlir --check | FileCheck %s --check-prefix=CANCELS
// CANCELS: itself off by relative RMS
// CANCELS: OUT OF TOLERANCE

// What rounds between ops does so in both references: no second judge, and none is needed.
// RUN: tt-run %t/rounds.mlir --check | FileCheck %s --check-prefix=ROUNDS
// ROUNDS-NOT: judged
// ROUNDS: ok

//--- rows.mlir
func.func @column_sums(%X: memref<128x64xbf16> {tt.name = "X"},
                       %Y: memref<64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  scf.forall (%b) in (2) {
    %n = affine.apply affine_map<(b) -> (32 * b)>(%b)
    %x = memref.subview %X[0, %n] [128, 32] [1, 1]
        : memref<128x64xbf16> to memref<128x32xbf16, strided<[64, 1], offset: ?>>
    %y = memref.subview %Y[%n] [32] [1]
        : memref<64xbf16> to memref<32xbf16, strided<[1], offset: ?>>
    linalg.fill ins(%zero : bf16) outs(%y : memref<32xbf16, strided<[1], offset: ?>>)
    linalg.reduce { arith.addf } ins(%x : memref<128x32xbf16, strided<[64, 1], offset: ?>>)
        outs(%y : memref<32xbf16, strided<[1], offset: ?>>) dimensions = [0]
  }
  return
}

//--- elements.mlir
func.func @column_sums(%X: memref<128x64xbf16> {tt.name = "X"},
                       %Y: memref<64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  affine.parallel (%j) = (0) to (64) {
    affine.store %zero, %Y[%j] : memref<64xbf16>
    affine.for %i = 0 to 128 {
      %a = affine.load %X[%i, %j] : memref<128x64xbf16>
      %s = affine.load %Y[%j] : memref<64xbf16>
      %r = arith.addf %a, %s : bf16
      affine.store %r, %Y[%j] : memref<64xbf16>
    }
  }
  return
}

//--- halves.mlir
func.func @column_sums(%X: memref<128x64xf16> {tt.name = "X"},
                       %Y: memref<64xf16> {tt.name = "Y"})
    attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %zero = arith.constant 0.0 : f16
  scf.forall (%b) in (2) {
    %n = affine.apply affine_map<(b) -> (32 * b)>(%b)
    %x = memref.subview %X[0, %n] [128, 32] [1, 1]
        : memref<128x64xf16> to memref<128x32xf16, strided<[64, 1], offset: ?>>
    %y = memref.subview %Y[%n] [32] [1]
        : memref<64xf16> to memref<32xf16, strided<[1], offset: ?>>
    linalg.fill ins(%zero : f16) outs(%y : memref<32xf16, strided<[1], offset: ?>>)
    linalg.reduce { arith.addf } ins(%x : memref<128x32xf16, strided<[64, 1], offset: ?>>)
        outs(%y : memref<32xf16, strided<[1], offset: ?>>) dimensions = [0]
  }
  return
}

//--- before.mlir
// Onto what the output holds, and a bf16 scalar.
func.func @column_sums(%X: memref<128x64xbf16> {tt.name = "X"}, %s: bf16 {tt.name = "s"},
                       %Y: memref<64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%j) = (0) to (64) {
    affine.for %i = 0 to 128 {
      %a = affine.load %X[%i, %j] : memref<128x64xbf16>
      %p = arith.mulf %a, %s : bf16
      %o = affine.load %Y[%j] : memref<64xbf16>
      %r = arith.addf %o, %p : bf16
      affine.store %r, %Y[%j] : memref<64xbf16>
    }
  }
  return
}

//--- cancels.mlir
func.func @around(%X: memref<512x64xbf16> {tt.name = "X", tt.range = [100, 101]},
                  %Y: memref<64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  %mean = arith.constant 51456.0 : bf16
  affine.parallel (%j) = (0) to (64) {
    affine.store %zero, %Y[%j] : memref<64xbf16>
    affine.for %i = 0 to 512 {
      %a = affine.load %X[%i, %j] : memref<512x64xbf16>
      %s = affine.load %Y[%j] : memref<64xbf16>
      %r = arith.addf %a, %s : bf16
      affine.store %r, %Y[%j] : memref<64xbf16>
    }
    %t = affine.load %Y[%j] : memref<64xbf16>
    %d = arith.subf %t, %mean : bf16
    affine.store %d, %Y[%j] : memref<64xbf16>
  }
  return
}

//--- rounds.mlir
func.func @rounding(%X: memref<64x64xf32> {tt.name = "X"}, %Y: memref<64x64xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  affine.parallel (%i, %j) = (0, 0) to (64, 64) {
    %a = affine.load %X[%i, %j] : memref<64x64xf32>
    %h = arith.truncf %a : f32 to bf16
    %w = arith.extf %h : bf16 to f32
    %d = arith.subf %a, %w : f32
    %r = arith.truncf %d : f32 to bf16
    affine.store %r, %Y[%i, %j] : memref<64x64xbf16>
  }
  return
}
