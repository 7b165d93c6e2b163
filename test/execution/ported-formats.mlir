// Kernels of GPUs, line by line: scales of 6 bits that are packed, what reaches an output of a
// transposed convolution, all products of two matrices, the largest so far, complex numbers in
// planes, sums that threads share.
// RUN: split-file %s %t
// RUN: tt-run %t/q4k.mlir --check --strict --arch=wormhole_b0 \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/q4k.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/convt1d.mlir --check --strict \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/convt1d.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/kron.mlir --check --strict \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/kron.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/cummax.mlir --check --strict \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/cummax.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/planar-complex.mlir --check --strict \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/planar-complex.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/gemv-splitk.mlir --check --strict \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/gemv-splitk.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: ok

//--- q4k.mlir
// ggml dequantize_row_q4_K: super blocks of 256, 8 scales and minima of 6 bits packed in 12 bytes
func.func @q4k(%qs: memref<6x128xi8> {tt.name = "qs"}, %sc: memref<6x12xi8> {tt.name = "sc"},
    %d: memref<6xf32> {tt.name = "d"}, %dmin: memref<6xf32> {tt.name = "dmin"},
    %y: memref<6x256xf32> {tt.name = "y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i2 = arith.constant 2 : i32
  %i4 = arith.constant 4 : i32
  %i6 = arith.constant 6 : i32
  %i15 = arith.constant 15 : i32
  %i63 = arith.constant 63 : i32
  scf.parallel (%i, %il, %l) = (%c0, %c0, %c0) to (%c6, %c4, %c32) step (%c1, %c1, %c1) {
    %is = arith.muli %il, %c2 : index
    %is1 = arith.addi %is, %c1 : index
    %da = memref.load %d[%i] : memref<6xf32>
    %dm = memref.load %dmin[%i] : memref<6xf32>
    // get_scale_min_k4(is + 0)
    %lt = arith.cmpi slt, %is, %c4 : index
    %s1, %m1 = scf.if %lt -> (i32, i32) {
      %a8 = memref.load %sc[%i, %is] : memref<6x12xi8>
      %a = arith.extui %a8 : i8 to i32
      %j4 = arith.addi %is, %c4 : index
      %b8 = memref.load %sc[%i, %j4] : memref<6x12xi8>
      %b = arith.extui %b8 : i8 to i32
      %x = arith.andi %a, %i63 : i32
      %z = arith.andi %b, %i63 : i32
      scf.yield %x, %z : i32, i32
    } else {
      %j4 = arith.addi %is, %c4 : index
      %jm = arith.subi %is, %c4 : index
      %a8 = memref.load %sc[%i, %j4] : memref<6x12xi8>
      %b8 = memref.load %sc[%i, %jm] : memref<6x12xi8>
      %e8 = memref.load %sc[%i, %is] : memref<6x12xi8>
      %a = arith.extui %a8 : i8 to i32
      %b = arith.extui %b8 : i8 to i32
      %e = arith.extui %e8 : i8 to i32
      %lo = arith.andi %a, %i15 : i32
      %bh = arith.shrui %b, %i6 : i32
      %bs = arith.shli %bh, %i4 : i32
      %x = arith.ori %lo, %bs : i32
      %hi = arith.shrui %a, %i4 : i32
      %eh = arith.shrui %e, %i6 : i32
      %es = arith.shli %eh, %i4 : i32
      %z = arith.ori %hi, %es : i32
      scf.yield %x, %z : i32, i32
    }
    %lt1 = arith.cmpi slt, %is1, %c4 : index
    %s2, %m2 = scf.if %lt1 -> (i32, i32) {
      %a8 = memref.load %sc[%i, %is1] : memref<6x12xi8>
      %a = arith.extui %a8 : i8 to i32
      %j4 = arith.addi %is1, %c4 : index
      %b8 = memref.load %sc[%i, %j4] : memref<6x12xi8>
      %b = arith.extui %b8 : i8 to i32
      %x = arith.andi %a, %i63 : i32
      %z = arith.andi %b, %i63 : i32
      scf.yield %x, %z : i32, i32
    } else {
      %j4 = arith.addi %is1, %c4 : index
      %jm = arith.subi %is1, %c4 : index
      %a8 = memref.load %sc[%i, %j4] : memref<6x12xi8>
      %b8 = memref.load %sc[%i, %jm] : memref<6x12xi8>
      %e8 = memref.load %sc[%i, %is1] : memref<6x12xi8>
      %a = arith.extui %a8 : i8 to i32
      %b = arith.extui %b8 : i8 to i32
      %e = arith.extui %e8 : i8 to i32
      %lo = arith.andi %a, %i15 : i32
      %bh = arith.shrui %b, %i6 : i32
      %bs = arith.shli %bh, %i4 : i32
      %x = arith.ori %lo, %bs : i32
      %hi = arith.shrui %a, %i4 : i32
      %eh = arith.shrui %e, %i6 : i32
      %es = arith.shli %eh, %i4 : i32
      %z = arith.ori %hi, %es : i32
      scf.yield %x, %z : i32, i32
    }
    %s1f = arith.uitofp %s1 : i32 to f32
    %m1f = arith.uitofp %m1 : i32 to f32
    %s2f = arith.uitofp %s2 : i32 to f32
    %m2f = arith.uitofp %m2 : i32 to f32
    %d1 = arith.mulf %da, %s1f : f32
    %mm1 = arith.mulf %dm, %m1f : f32
    %d2 = arith.mulf %da, %s2f : f32
    %mm2 = arith.mulf %dm, %m2f : f32
    %qo = arith.muli %il, %c32 : index
    %qi = arith.addi %qo, %l : index
    %q8 = memref.load %qs[%i, %qi] : memref<6x128xi8>
    %q = arith.extui %q8 : i8 to i32
    %ql = arith.andi %q, %i15 : i32
    %qh = arith.shrui %q, %i4 : i32
    %qlf = arith.uitofp %ql : i32 to f32
    %qhf = arith.uitofp %qh : i32 to f32
    %p1 = arith.mulf %d1, %qlf : f32
    %r1 = arith.subf %p1, %mm1 : f32
    %p2 = arith.mulf %d2, %qhf : f32
    %r2 = arith.subf %p2, %mm2 : f32
    %yo = arith.muli %il, %c64 : index
    %y1 = arith.addi %yo, %l : index
    %y2 = arith.addi %y1, %c32 : index
    memref.store %r1, %y[%i, %y1] : memref<6x256xf32>
    memref.store %r2, %y[%i, %y2] : memref<6x256xf32>
  }
  return
}

//--- convt1d.mlir
// ggml conv_transpose_1d: a thread an output, loops over channels and input positions, skips those
// out of reach
func.func @convt1d(%w: memref<4x6x5xf32> {tt.name = "w"}, %x: memref<4x20xf32> {tt.name = "x"},
    %y: memref<6x62xf32> {tt.name = "y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c20 = arith.constant 20 : index
  %c62 = arith.constant 62 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%oc, %idx) = (%c0, %c0) to (%c6, %c62) step (%c1, %c1) {
    %acc = scf.for %c = %c0 to %c4 step %c1 iter_args(%a = %zero) -> (f32) {
      %in = scf.for %i = %c0 to %c20 step %c1 iter_args(%b = %a) -> (f32) {
        %s = arith.muli %i, %c3 : index
        %e = arith.addi %s, %c5 : index
        %ge = arith.cmpi sge, %idx, %s : index
        %lt = arith.cmpi slt, %idx, %e : index
        %ok = arith.andi %ge, %lt : i1
        %n = scf.if %ok -> (f32) {
          %k = arith.subi %idx, %s : index
          %wv = memref.load %w[%c, %oc, %k] : memref<4x6x5xf32>
          %xv = memref.load %x[%c, %i] : memref<4x20xf32>
          %p = arith.mulf %wv, %xv : f32
          %q = arith.addf %b, %p : f32
          scf.yield %q : f32
        } else {
          scf.yield %b : f32
        }
        scf.yield %n : f32
      }
      scf.yield %in : f32
    }
    memref.store %acc, %y[%oc, %idx] : memref<6x62xf32>
  }
  return
}

//--- kron.mlir
// FlagGems kron: a flat grid over the result, quotients and rests choose both operands
func.func @kron(%a: memref<6x5xf32> {tt.name = "a"}, %b: memref<7x8xf32> {tt.name = "b"},
    %y: memref<42x40xf32> {tt.name = "y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  %n = arith.constant 1680 : index
  scf.parallel (%o) = (%c0) to (%n) step (%c1) {
    %r = arith.divui %o, %c40 : index
    %c = arith.remui %o, %c40 : index
    %ar = arith.divui %r, %c7 : index
    %br = arith.remui %r, %c7 : index
    %ac = arith.divui %c, %c8 : index
    %bc = arith.remui %c, %c8 : index
    %x = memref.load %a[%ar, %ac] : memref<6x5xf32>
    %z = memref.load %b[%br, %bc] : memref<7x8xf32>
    %p = arith.mulf %x, %z : f32
    memref.store %p, %y[%r, %c] : memref<42x40xf32>
  }
  return
}

//--- cummax.mlir
// FlagGems cummax with indices along the last dimension
func.func @cummax(%x: memref<12x40xf32> {tt.name = "x"}, %v: memref<12x40xf32> {tt.name = "v"},
    %i: memref<12x40xi64> {tt.name = "i"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c40 = arith.constant 40 : index
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i64
  scf.parallel (%r) = (%c0) to (%c12) step (%c1) {
    %l:2 = scf.for %c = %c0 to %c40 step %c1 iter_args(%m = %ninf, %mi = %z) -> (f32, i64) {
      %e = memref.load %x[%r, %c] : memref<12x40xf32>
      %ge = arith.cmpf oge, %e, %m : f32
      %c64 = arith.index_cast %c : index to i64
      %nm = arith.select %ge, %e, %m : f32
      %ni = arith.select %ge, %c64, %mi : i64
      memref.store %nm, %v[%r, %c] : memref<12x40xf32>
      memref.store %ni, %i[%r, %c] : memref<12x40xi64>
      scf.yield %nm, %ni : f32, i64
    }
  }
  return
}

//--- planar-complex.mlir
// CUTLASS planar complex GEMM, array: real and imaginary planes apart, four products with one
// accumulator each side
func.func @planar(%A: memref<2x64x96xbf16> {tt.name = "A"},
    %B: memref<2x96x64xbf16> {tt.name = "B"}, %C: memref<2x64x64xf32> {tt.name = "C"},
    %alpha: f32 {tt.name = "alpha"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %c32 : index
    %n = arith.muli %bx, %c32 : index
    %re = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    %im = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    %sa = memref.alloc() : memref<2x32x32xbf16, #gpu.address_space<workgroup>>
    %sb = memref.alloc() : memref<2x32x32xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%zero : f32) outs(%re : memref<32x32xf32, #gpu.address_space<private>>)
    linalg.fill ins(%zero : f32) outs(%im : memref<32x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c96 step %c32 {
      %av = memref.subview %A[0, %m, %k] [2, 32, 32] [1, 1, 1] : memref<2x64x96xbf16>
          to memref<2x32x32xbf16, strided<[6144, 96, 1], offset: ?>>
      %bv = memref.subview %B[0, %k, %n] [2, 32, 32] [1, 1, 1] : memref<2x96x64xbf16>
          to memref<2x32x32xbf16, strided<[6144, 64, 1], offset: ?>>
      memref.copy %av, %sa : memref<2x32x32xbf16, strided<[6144, 96, 1], offset: ?>>
          to memref<2x32x32xbf16, #gpu.address_space<workgroup>>
      memref.copy %bv, %sb : memref<2x32x32xbf16, strided<[6144, 64, 1], offset: ?>>
          to memref<2x32x32xbf16, #gpu.address_space<workgroup>>
      %ar = memref.subview %sa[0, 0, 0] [1, 32, 32] [1, 1, 1]
          : memref<2x32x32xbf16, #gpu.address_space<workgroup>>
          to memref<32x32xbf16, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %ai = memref.subview %sa[1, 0, 0] [1, 32, 32] [1, 1, 1]
          : memref<2x32x32xbf16, #gpu.address_space<workgroup>>
          to memref<32x32xbf16, strided<[32, 1], offset: 1024>, #gpu.address_space<workgroup>>
      %br = memref.subview %sb[0, 0, 0] [1, 32, 32] [1, 1, 1]
          : memref<2x32x32xbf16, #gpu.address_space<workgroup>>
          to memref<32x32xbf16, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %bi = memref.subview %sb[1, 0, 0] [1, 32, 32] [1, 1, 1]
          : memref<2x32x32xbf16, #gpu.address_space<workgroup>>
          to memref<32x32xbf16, strided<[32, 1], offset: 1024>, #gpu.address_space<workgroup>>
      linalg.matmul ins(%ar, %br : memref<32x32xbf16, strided<[32, 1]>,
          #gpu.address_space<workgroup>>,
          memref<32x32xbf16, strided<[32, 1]>, #gpu.address_space<workgroup>>) outs(%re
          : memref<32x32xf32, #gpu.address_space<private>>)
      linalg.matmul ins(%ar, %bi : memref<32x32xbf16, strided<[32, 1]>,
          #gpu.address_space<workgroup>>,
          memref<32x32xbf16, strided<[32, 1], offset: 1024>, #gpu.address_space<workgroup>>)
          outs(%im : memref<32x32xf32, #gpu.address_space<private>>)
      linalg.matmul ins(%ai, %br : memref<32x32xbf16, strided<[32, 1], offset: 1024>,
          #gpu.address_space<workgroup>>,
          memref<32x32xbf16, strided<[32, 1]>, #gpu.address_space<workgroup>>) outs(%im
          : memref<32x32xf32, #gpu.address_space<private>>)
      // re -= ai * bi
      linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (d,
          j)>, affine_map<(i, j, d) -> (i, j)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ai, %bi : memref<32x32xbf16, strided<[32, 1], offset: 1024>,
            #gpu.address_space<workgroup>>,
            memref<32x32xbf16, strided<[32, 1], offset: 1024>, #gpu.address_space<workgroup>>)
            outs(%re : memref<32x32xf32, #gpu.address_space<private>>) {
      ^bb0(%x: bf16, %y: bf16, %z: f32):
        %xf = arith.extf %x : bf16 to f32
        %yf = arith.extf %y : bf16 to f32
        %p = arith.mulf %xf, %yf : f32
        %s = arith.subf %z, %p : f32
        linalg.yield %s : f32
      }
    }
    %cr = memref.subview %C[0, %m, %n] [1, 32, 32] [1, 1, 1] : memref<2x64x64xf32>
        to memref<32x32xf32, strided<[64, 1], offset: ?>>
    %ci = memref.subview %C[1, %m, %n] [1, 32, 32] [1, 1, 1] : memref<2x64x64xf32>
        to memref<32x32xf32, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
      ins(%re : memref<32x32xf32, #gpu.address_space<private>>) outs(%cr
          : memref<32x32xf32, strided<[64, 1], offset: ?>>) {
    ^bb0(%x: f32, %z: f32):
      %p = arith.mulf %x, %alpha : f32
      linalg.yield %p : f32
    }
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
      ins(%im : memref<32x32xf32, #gpu.address_space<private>>) outs(%ci
          : memref<32x32xf32, strided<[64, 1], offset: ?>>) {
    ^bb0(%x: f32, %z: f32):
      %p = arith.mulf %x, %alpha : f32
      linalg.yield %p : f32
    }
  }
  return
}

//--- gemv-splitk.mlir
// TileLang gemv, split-k reduced by threads: blocks of 8 rows, 16 threads along k with 4 elements
// each, partial sums in registers, all-reduce
func.func @gemv(%A: memref<256xbf16> {tt.name = "A"}, %B: memref<64x256xbf16> {tt.name = "B"},
    %C: memref<64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bn) in (8) {
    %acc = memref.alloc() : memref<8x16xf32, #gpu.address_space<workgroup>>
    scf.parallel (%tn, %tk) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) {
      memref.store %zero, %acc[%tn, %tk] : memref<8x16xf32, #gpu.address_space<workgroup>>
    }
    scf.for %bk = %c0 to %c4 step %c1 {
      scf.parallel (%tn, %tk) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) {
        scf.for %k = %c0 to %c4 step %c1 {
          %k0 = arith.muli %bk, %c64 : index
          %k1 = arith.muli %tk, %c4 : index
          %k2 = arith.addi %k0, %k1 : index
          %kk = arith.addi %k2, %k : index
          %n0 = arith.muli %bn, %c8 : index
          %n = arith.addi %n0, %tn : index
          %a = memref.load %A[%kk] : memref<256xbf16>
          %b = memref.load %B[%n, %kk] : memref<64x256xbf16>
          %af = arith.extf %a : bf16 to f32
          %bf = arith.extf %b : bf16 to f32
          %p = arith.mulf %af, %bf : f32
          %o = memref.load %acc[%tn, %tk] : memref<8x16xf32, #gpu.address_space<workgroup>>
          %s = arith.addf %o, %p : f32
          memref.store %s, %acc[%tn, %tk] : memref<8x16xf32, #gpu.address_space<workgroup>>
        }
      }
    }
    scf.parallel (%tn) = (%c0) to (%c8) step (%c1) {
      %s = scf.for %tk = %c0 to %c16 step %c1 iter_args(%z = %zero) -> (f32) {
        %o = memref.load %acc[%tn, %tk] : memref<8x16xf32, #gpu.address_space<workgroup>>
        %t = arith.addf %z, %o : f32
        scf.yield %t : f32
      }
      %n0 = arith.muli %bn, %c8 : index
      %n = arith.addi %n0, %tn : index
      memref.store %s, %C[%n] : memref<64xf32>
    }
  }
  return
}
