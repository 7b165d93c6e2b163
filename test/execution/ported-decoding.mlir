// Kernels of GPUs that decode and sample, line by line: partial results combined, caches that are
// stored in parts, penalties, masks of bits, the beams that were best, heads that are turned,
// scores of an indexer, and points that are taken one after the other.
// RUN: split-file %s %t
// RUN: tt-run %t/decode-combine.mlir --check --strict --arch=wormhole_b0 \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/decode-combine.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/kcache.mlir --check --strict \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/kcache.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/penalty.mlir --check --strict \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/penalty.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/gather-tree.mlir --check --strict \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/gather-tree.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/bitmask.mlir --check --strict \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/bitmask.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/merge-states.mlir --check --strict \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/merge-states.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/mrope.mlir --check --strict \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/mrope.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/indexer.mlir --check --strict \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/indexer.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/fps.mlir --check --strict \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/fps.mlir --check --strict --arch=blackhole \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: ok

//--- decode-combine.mlir
// flash decoding: combine the partial results of splits by their log-sum-exp
func.func @combine(%po: memref<2x4x5x64xf32> {tt.name = "po"},
    %lse: memref<2x4x5xf32> {tt.name = "lse"},
    %o: memref<2x4x64xf32> {tt.name = "o"}, %lo: memref<2x4xf32> {tt.name = "lo"})
        attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  scf.forall (%b, %h) in (2, 4) {
    %acc = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    scf.for %d = %c0 to %c64 step %c1 {
      memref.store %zero, %acc[%d] : memref<64xf32, #gpu.address_space<private>>
    }
    %max = scf.for %k = %c0 to %c5 step %c1 iter_args(%m = %ninf) -> (f32) {
      %l = memref.load %lse[%b, %h, %k] : memref<2x4x5xf32>
      %n = arith.maximumf %m, %l : f32
      scf.yield %n : f32
    }
    %sum = scf.for %k = %c0 to %c5 step %c1 iter_args(%s = %zero) -> (f32) {
      %l = memref.load %lse[%b, %h, %k] : memref<2x4x5xf32>
      %dl = arith.subf %l, %max : f32
      %e = math.exp %dl : f32
      %n = arith.addf %s, %e : f32
      scf.yield %n : f32
    }
    %lg = math.log %sum : f32
    %tot = arith.addf %lg, %max : f32
    memref.store %tot, %lo[%b, %h] : memref<2x4xf32>
    scf.for %k = %c0 to %c5 step %c1 {
      %l = memref.load %lse[%b, %h, %k] : memref<2x4x5xf32>
      %dl = arith.subf %l, %tot : f32
      %sc = math.exp %dl : f32
      scf.for %d = %c0 to %c64 step %c1 {
        %p = memref.load %po[%b, %h, %k, %d] : memref<2x4x5x64xf32>
        %a = memref.load %acc[%d] : memref<64xf32, #gpu.address_space<private>>
        %ps = arith.mulf %p, %sc : f32
        %n = arith.addf %a, %ps : f32
        memref.store %n, %acc[%d] : memref<64xf32, #gpu.address_space<private>>
      }
    }
    scf.for %d = %c0 to %c64 step %c1 {
      %a = memref.load %acc[%d] : memref<64xf32, #gpu.address_space<private>>
      memref.store %a, %o[%b, %h, %d] : memref<2x4x64xf32>
    }
  }
  return
}

//--- kcache.mlir
// FasterTransformer transpose_4d_batch_major_k_cache: (b, h, t, d) -> (b, h, d/x, t_max, x), by a
// linear thread number
func.func @kc(%k: memref<2x4x24x64xf16> {tt.name = "k"},
    %dst: memref<2x4x8x32x8xf16> {tt.name = "dst"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %n = arith.constant 256 : index
  scf.parallel (%b, %h) = (%c0, %c0) to (%c2, %c4) step (%c1, %c1) {
    scf.parallel (%out) = (%c0) to (%n) step (%c1) {
      %seq = arith.remui %out, %c32 : index
      %hs = arith.divui %out, %c32 : index
      %in = arith.cmpi ult, %seq, %c24 : index
      scf.if %in {
        scf.for %e = %c0 to %c8 step %c1 {
          %d0 = arith.muli %hs, %c8 : index
          %d = arith.addi %d0, %e : index
          %v = memref.load %k[%b, %h, %seq, %d] : memref<2x4x24x64xf16>
          memref.store %v, %dst[%b, %h, %hs, %seq, %e] : memref<2x4x8x32x8xf16>
        }
      }
    }
  }
  return
}

//--- penalty.mlir
// FasterTransformer / vLLM apply_repetition_penalty, presence and frequency from counts, with
// temperature
func.func @penal(%logits: memref<6x96xf32> {tt.name = "logits"},
    %bin: memref<6x96xi32> {tt.name = "bin", tt.range = [0, 5]},
    %prompt: memref<6x3xi32> {tt.name = "prompt"},
        %rep: memref<6xf32> {tt.name = "rep", tt.range = [1, 2]},
    %freq: memref<6xf32> {tt.name = "freq"}, %pres: memref<6xf32> {tt.name = "pres"},
        %temp: memref<6xf32> {tt.name = "temp", tt.range = [1, 2]}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  scf.parallel (%r, %v) = (%c0, %c0) to (%c6, %c96) step (%c1, %c1) {
    %w = arith.divui %v, %c32 : index
    %bit = arith.remui %v, %c32 : index
    %word = memref.load %prompt[%r, %w] : memref<6x3xi32>
    %sh = arith.index_cast %bit : index to i32
    %p0 = arith.shrui %word, %sh : i32
    %p1 = arith.andi %p0, %i1 : i32
    %isp = arith.cmpi ne, %p1, %i0 : i32
    %cnt = memref.load %bin[%r, %v] : memref<6x96xi32>
    %iso = arith.cmpi sgt, %cnt, %i0 : i32
    %any = arith.ori %isp, %iso : i1
    %l = memref.load %logits[%r, %v] : memref<6x96xf32>
    %rp = memref.load %rep[%r] : memref<6xf32>
    %scale = arith.select %any, %rp, %one : f32
    %pos = arith.cmpf ogt, %l, %zero : f32
    %ld = arith.divf %l, %scale : f32
    %lm = arith.mulf %l, %scale : f32
    %l1 = arith.select %pos, %ld, %lm : f32
    %fq = memref.load %freq[%r] : memref<6xf32>
    %cf = arith.sitofp %cnt : i32 to f32
    %fc = arith.mulf %fq, %cf : f32
    %l2 = arith.subf %l1, %fc : f32
    %pr = memref.load %pres[%r] : memref<6xf32>
    %of = arith.uitofp %iso : i1 to f32
    %pc = arith.mulf %pr, %of : f32
    %l3 = arith.subf %l2, %pc : f32
    %t = memref.load %temp[%r] : memref<6xf32>
    %l4 = arith.divf %l3, %t : f32
    memref.store %l4, %logits[%r, %v] : memref<6x96xf32>
  }
  return
}

//--- gather-tree.mlir
// gatherTree: walks back through the parents of beams from the last step
func.func @tree(%ids: memref<12x3x4xi32> {tt.name = "ids", tt.range = [0, 99]},
    %par: memref<12x3x4xi32> {tt.name = "par", tt.range = [0, 3]},
    %beams: memref<12x3x4xi32> {tt.name = "beams"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c11 = arith.constant 11 : index
  scf.parallel (%b, %k) = (%c0, %c0) to (%c3, %c4) step (%c1, %c1) {
    %last = memref.load %ids[%c11, %b, %k] : memref<12x3x4xi32>
    memref.store %last, %beams[%c11, %b, %k] : memref<12x3x4xi32>
    %p0 = memref.load %par[%c11, %b, %k] : memref<12x3x4xi32>
    %r = scf.for %t = %c0 to %c11 step %c1 iter_args(%p = %p0) -> (i32) {
      %lv = arith.subi %c11, %t : index
      %l = arith.subi %lv, %c1 : index
      %pi = arith.index_cast %p : i32 to index
      %id = memref.load %ids[%l, %b, %pi] : memref<12x3x4xi32>
      memref.store %id, %beams[%l, %b, %k] : memref<12x3x4xi32>
      %n = memref.load %par[%l, %b, %pi] : memref<12x3x4xi32>
      scf.yield %n : i32
    }
  }
  return
}

//--- bitmask.mlir
// apply_token_bitmask_inplace: a block of the vocabulary a program, bits of words choose what stays
func.func @bm(%logits: memref<5x512xf32> {tt.name = "logits"},
    %mask: memref<5x16xi32> {tt.name = "mask"},
    %idx: memref<3xi32> {tt.name = "idx", tt.range = [0, 4]}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %ninf = arith.constant 0xFF800000 : f32
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  scf.parallel (%r, %blk) = (%c0, %c0) to (%c5, %c4) step (%c1, %c1) {
    scf.parallel (%t) = (%c0) to (%c128) step (%c1) {
      %b0 = arith.muli %blk, %c128 : index
      %v = arith.addi %b0, %t : index
      %w = arith.divui %v, %c32 : index
      %bit = arith.remui %v, %c32 : index
      %word = memref.load %mask[%r, %w] : memref<5x16xi32>
      %s = arith.index_cast %bit : index to i32
      %m = arith.shli %i1, %s : i32
      %a = arith.andi %word, %m : i32
      %off = arith.cmpi eq, %a, %i0 : i32
      scf.if %off {
        memref.store %ninf, %logits[%r, %v] : memref<5x512xf32>
      }
    }
  }
  return
}

//--- merge-states.mlir
// vLLM merge_attn_states (Triton): prefix and suffix by log-sum-exp, a program a token and head
func.func @merge(%po: memref<32x4x64xbf16> {tt.name = "po"},
    %pl: memref<4x32xf32> {tt.name = "pl"}, %so: memref<32x4x64xbf16> {tt.name = "so"},
    %sl: memref<4x32xf32> {tt.name = "sl"}, %o: memref<32x4x64xbf16> {tt.name = "o"},
        %ol: memref<4x32xf32> {tt.name = "ol"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %inf = arith.constant 0x7F800000 : f32
  %ninf = arith.constant 0xFF800000 : f32
  scf.forall (%t, %h) in (32, 4) {
    %p0 = memref.load %pl[%h, %t] : memref<4x32xf32>
    %s0 = memref.load %sl[%h, %t] : memref<4x32xf32>
    %pi = arith.cmpf oeq, %p0, %inf : f32
    %p = arith.select %pi, %ninf, %p0 : f32
    %si = arith.cmpf oeq, %s0, %inf : f32
    %s = arith.select %si, %ninf, %s0 : f32
    %m = arith.maximumf %p, %s : f32
    %pd = arith.subf %p, %m : f32
    %sd = arith.subf %s, %m : f32
    %pe = math.exp %pd : f32
    %se = math.exp %sd : f32
    %os = arith.addf %pe, %se : f32
    %lg = math.log %os : f32
    %l = arith.addf %lg, %m : f32
    memref.store %l, %ol[%h, %t] : memref<4x32xf32>
    %ps = arith.divf %pe, %os : f32
    %ss = arith.divf %se, %os : f32
    scf.parallel (%d) = (%c0) to (%c64) step (%c1) {
      %a = memref.load %po[%t, %h, %d] : memref<32x4x64xbf16>
      %b = memref.load %so[%t, %h, %d] : memref<32x4x64xbf16>
      %af = arith.extf %a : bf16 to f32
      %bf = arith.extf %b : bf16 to f32
      %x = arith.mulf %af, %ps : f32
      %y = arith.mulf %bf, %ss : f32
      %z = arith.addf %x, %y : f32
      %zb = arith.truncf %z : f32 to bf16
      memref.store %zb, %o[%t, %h, %d] : memref<32x4x64xbf16>
    }
  }
  return
}

//--- mrope.mlir
// liger qwen2vl_mrope: sections of the head take cos and sin of time, height or width; in place
// over heads
func.func @mrope(%q: memref<2x16x4x32xbf16> {tt.name = "q"},
    %cos: memref<3x2x16x32xf32> {tt.name = "cos"},
    %sin: memref<3x2x16x32xf32> {tt.name = "sin"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%b, %t) = (%c0, %c0) to (%c2, %c16) step (%c1, %c1) {
    scf.parallel (%h, %d) = (%c0, %c0) to (%c4, %c16) step (%c1, %c1) {
      %d2 = arith.addi %d, %c16 : index
      %ct = memref.load %cos[%c0, %b, %t, %d] : memref<3x2x16x32xf32>
      %ch = memref.load %cos[%c1, %b, %t, %d] : memref<3x2x16x32xf32>
      %cw = memref.load %cos[%c2, %b, %t, %d] : memref<3x2x16x32xf32>
      %st = memref.load %sin[%c0, %b, %t, %d] : memref<3x2x16x32xf32>
      %sh = memref.load %sin[%c1, %b, %t, %d] : memref<3x2x16x32xf32>
      %sw = memref.load %sin[%c2, %b, %t, %d] : memref<3x2x16x32xf32>
      %isT = arith.cmpi slt, %d, %c4 : index
      %isH = arith.cmpi slt, %d, %c10 : index
      %c_ = arith.select %isH, %ch, %cw : f32
      %c = arith.select %isT, %ct, %c_ : f32
      %s_ = arith.select %isH, %sh, %sw : f32
      %s = arith.select %isT, %st, %s_ : f32
      %x8 = memref.load %q[%b, %t, %h, %d] : memref<2x16x4x32xbf16>
      %y8 = memref.load %q[%b, %t, %h, %d2] : memref<2x16x4x32xbf16>
      %x = arith.extf %x8 : bf16 to f32
      %y = arith.extf %y8 : bf16 to f32
      %xc = arith.mulf %x, %c : f32
      %ys = arith.mulf %y, %s : f32
      %n1 = arith.subf %xc, %ys : f32
      %yc = arith.mulf %y, %c : f32
      %xs = arith.mulf %x, %s : f32
      %n2 = arith.addf %yc, %xs : f32
      %b1 = arith.truncf %n1 : f32 to bf16
      %b2 = arith.truncf %n2 : f32 to bf16
      memref.store %b1, %q[%b, %t, %h, %d] : memref<2x16x4x32xbf16>
      memref.store %b2, %q[%b, %t, %h, %d2] : memref<2x16x4x32xbf16>
    }
  }
  return
}

//--- indexer.mlir
// TileLang fp8 lighting indexer: logits = sum over heads of relu(k q^T) * weight, times the scale
// of k; q is (S, H, D), kept as (S * H, D)
func.func @indexer(%q: memref<64x4x64xbf16> {tt.name = "q"},
    %k: memref<128x64xbf16> {tt.name = "k"}, %w: memref<64x4xf32> {tt.name = "w"},
    %ks: memref<128xf32> {tt.name = "ks"},
    %logits: memref<64x128xf32> {tt.name = "logits"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bx) in (8) {
    %s0 = arith.muli %bx, %c8 : index
    %qs = memref.alloc() : memref<32x64xbf16, #gpu.address_space<workgroup>>
    %ksh = memref.alloc() : memref<32x64xbf16, #gpu.address_space<workgroup>>
    %sc = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    %ksf = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %red = memref.alloc() : memref<32x8xf32, #gpu.address_space<private>>
    %qflat = memref.collapse_shape %q [[0, 1], [2]] : memref<64x4x64xbf16> into memref<256x64xbf16>
    %q0 = arith.muli %s0, %c4 : index
    %qv = memref.subview %qflat[%q0, 0] [32, 64] [1, 1] : memref<256x64xbf16>
        to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    memref.copy %qv, %qs : memref<32x64xbf16, strided<[64, 1], offset: ?>>
        to memref<32x64xbf16, #gpu.address_space<workgroup>>
    scf.for %n = %c0 to %c128 step %c32 {
      %kv = memref.subview %k[%n, 0] [32, 64] [1, 1] : memref<128x64xbf16>
          to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      memref.copy %kv, %ksh : memref<32x64xbf16, strided<[64, 1], offset: ?>>
          to memref<32x64xbf16, #gpu.address_space<workgroup>>
      %kss = memref.subview %ks[%n] [32] [1] : memref<128xf32>
          to memref<32xf32, strided<[1], offset: ?>>
      memref.copy %kss, %ksf : memref<32xf32, strided<[1], offset: ?>>
          to memref<32xf32, #gpu.address_space<private>>
      linalg.fill ins(%zero : f32) outs(%sc : memref<32x32xf32, #gpu.address_space<private>>)
      linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j,
          d)>, affine_map<(i, j, d) -> (i, j)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ksh, %qs : memref<32x64xbf16, #gpu.address_space<workgroup>>,
            memref<32x64xbf16, #gpu.address_space<workgroup>>) outs(%sc
            : memref<32x32xf32, #gpu.address_space<private>>) {
      ^bb0(%x: bf16, %y: bf16, %z: f32):
        %xf = arith.extf %x : bf16 to f32
        %yf = arith.extf %y : bf16 to f32
        %p = arith.mulf %xf, %yf : f32
        %s = arith.addf %z, %p : f32
        linalg.yield %s : f32
      }
      scf.parallel (%i, %s, %h) = (%c0, %c0, %c0) to (%c32, %c8, %c4) step (%c1, %c1, %c1) {
        %c_0 = arith.muli %s, %c4 : index
        %c = arith.addi %c_0, %h : index
        %x = memref.load %sc[%i, %c] : memref<32x32xf32, #gpu.address_space<private>>
        %r = arith.maximumf %x, %zero : f32
        %sq = arith.addi %s0, %s : index
        %wv = memref.load %w[%sq, %h] : memref<64x4xf32>
        %kk = memref.load %ksf[%i] : memref<32xf32, #gpu.address_space<private>>
        %a = arith.mulf %r, %wv : f32
        %b = arith.mulf %a, %kk : f32
        memref.store %b, %sc[%i, %c] : memref<32x32xf32, #gpu.address_space<private>>
      }
      %v3 = memref.expand_shape %sc [[0], [1, 2]] output_shape [32, 8, 4]
          : memref<32x32xf32, #gpu.address_space<private>> into memref<32x8x4xf32,
          #gpu.address_space<private>>
      linalg.fill ins(%zero : f32) outs(%red : memref<32x8xf32, #gpu.address_space<private>>)
      linalg.reduce ins(%v3 : memref<32x8x4xf32, #gpu.address_space<private>>) outs(%red
          : memref<32x8xf32, #gpu.address_space<private>>) dimensions = [2]
        (%x: f32, %z: f32) {
          %s = arith.addf %x, %z : f32
          linalg.yield %s : f32
        }
      scf.parallel (%i, %s) = (%c0, %c0) to (%c32, %c8) step (%c1, %c1) {
        %sq = arith.addi %s0, %s : index
        %kn = arith.addi %n, %i : index
        %x = memref.load %red[%i, %s] : memref<32x8xf32, #gpu.address_space<private>>
        memref.store %x, %logits[%sq, %kn] : memref<64x128xf32>
      }
    }
  }
  return
}

//--- fps.mlir
// furthest point sampling (PointNet++): distances to the chosen set in a temporary, argmax of each
// step is the next
func.func @fps(%p: memref<2x64x3xf32> {tt.name = "p"},
    %idx: memref<2x8xi32> {tt.name = "idx"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %big = arith.constant 1.0e10 : f32
  %neg = arith.constant -1.0 : f32
  %i0 = arith.constant 0 : i32
  scf.parallel (%b) = (%c0) to (%c2) step (%c1) {
    %tmp = memref.alloc() : memref<64xf32>
    scf.for %k = %c0 to %c64 step %c1 {
      memref.store %big, %tmp[%k] : memref<64xf32>
    }
    memref.store %i0, %idx[%b, %c0] : memref<2x8xi32>
    %l = scf.for %j = %c1 to %c8 step %c1 iter_args(%old = %i0) -> (i32) {
      %o = arith.index_cast %old : i32 to index
      %x1 = memref.load %p[%b, %o, %c0] : memref<2x64x3xf32>
      %y1 = memref.load %p[%b, %o, %c1] : memref<2x64x3xf32>
      %z1 = memref.load %p[%b, %o, %c2] : memref<2x64x3xf32>
      %best:2 = scf.for %k = %c0 to %c64 step %c1 iter_args(%bv = %neg, %bi = %i0) -> (f32, i32) {
        %x2 = memref.load %p[%b, %k, %c0] : memref<2x64x3xf32>
        %y2 = memref.load %p[%b, %k, %c1] : memref<2x64x3xf32>
        %z2 = memref.load %p[%b, %k, %c2] : memref<2x64x3xf32>
        %dx = arith.subf %x2, %x1 : f32
        %dy = arith.subf %y2, %y1 : f32
        %dz = arith.subf %z2, %z1 : f32
        %a = arith.mulf %dx, %dx : f32
        %c = arith.mulf %dy, %dy : f32
        %e = arith.mulf %dz, %dz : f32
        %s0 = arith.addf %a, %c : f32
        %s = arith.addf %s0, %e : f32
        %t = memref.load %tmp[%k] : memref<64xf32>
        %d = arith.minimumf %s, %t : f32
        memref.store %d, %tmp[%k] : memref<64xf32>
        %gt = arith.cmpf ogt, %d, %bv : f32
        %k32 = arith.index_cast %k : index to i32
        %ni = arith.select %gt, %k32, %bi : i32
        %nv = arith.select %gt, %d, %bv : f32
        scf.yield %nv, %ni : f32, i32
      }
      memref.store %best#1, %idx[%b, %j] : memref<2x8xi32>
      scf.yield %best#1 : i32
    }
  }
  return
}
