// Kernels as others write them for GPUs, loop by loop: losses, gates and their gradients, states.
//
// REQUIRES: all
// RUN: split-file %s %t
// RUN: for f in topp rope lnbwd xent convupd gla awq swiglu; do \
// RUN:   for c in wormhole_b0 blackhole; do tt-run %t/$f.mlir --arch $c --check || exit 1; done; \
// RUN: done

//--- topp.mlir
// Top-p of sorted probabilities, by a running sum.
func.func @top_p(%P: memref<8x64xf32> {tt.name = "P", tt.range = [0, 1]},
                 %Q: memref<8x64xf32> {tt.name = "Q"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %p = arith.constant 20.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%b) = (%c0) to (%c8) step (%c1) {
    %kept = scf.for %j = %c0 to %c64 step %c1 iter_args(%sum = %zero) -> (f32) {
      %x = memref.load %P[%b, %j] : memref<8x64xf32>
      %next = arith.addf %sum, %x : f32
      %in = arith.cmpf olt, %sum, %p : f32
      %y = arith.select %in, %x, %zero : f32
      memref.store %y, %Q[%b, %j] : memref<8x64xf32>
      scf.yield %next : f32
    }
    scf.for %j = %c0 to %c64 step %c1 {
      %y = memref.load %Q[%b, %j] : memref<8x64xf32>
      %n = arith.divf %y, %kept : f32
      memref.store %n, %Q[%b, %j] : memref<8x64xf32>
    }
  }
  return
}

//--- rope.mlir
// Halves turned, at places that a list says.
func.func @rope_neox(%Q: memref<40x4x64xf32> {tt.name = "Q"},
                     %pos: memref<40xi32> {tt.name = "pos", tt.range = [0, 127]},
                     %cache: memref<128x64xf32> {tt.name = "cache"},
                     %O: memref<40x4x64xf32> {tt.name = "O"})
    attributes {tt.kernel} {
  affine.parallel (%t, %h) = (0, 0) to (40, 4) {
    %pi = affine.load %pos[%t] : memref<40xi32>
    %p = arith.index_cast %pi : i32 to index
    affine.for %i = 0 to 32 {
      %c = memref.load %cache[%p, %i] : memref<128x64xf32>
      %i32 = affine.apply affine_map<(d) -> (d + 32)>(%i)
      %s = memref.load %cache[%p, %i32] : memref<128x64xf32>
      %x = affine.load %Q[%t, %h, %i] : memref<40x4x64xf32>
      %y = affine.load %Q[%t, %h, %i + 32] : memref<40x4x64xf32>
      %a = arith.mulf %x, %c : f32
      %b = arith.mulf %y, %s : f32
      %u = arith.subf %a, %b : f32
      %d = arith.mulf %y, %c : f32
      %e = arith.mulf %x, %s : f32
      %v = arith.addf %d, %e : f32
      affine.store %u, %O[%t, %h, %i] : memref<40x4x64xf32>
      affine.store %v, %O[%t, %h, %i + 32] : memref<40x4x64xf32>
    }
  }
  return
}

//--- lnbwd.mlir
// Layer norm backward, with sums over all rows.
func.func @layer_norm_backward(%X: memref<48x96xf32> {tt.name = "X"},
                               %DY: memref<48x96xf32> {tt.name = "DY"},
                               %W: memref<96xf32> {tt.name = "W"},
                               %DX: memref<48x96xf32> {tt.name = "DX"},
                               %DW: memref<96xf32> {tt.name = "DW"},
                               %DB: memref<96xf32> {tt.name = "DB"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 96.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  affine.for %j = 0 to 96 {
    affine.store %zero, %DW[%j] : memref<96xf32>
    affine.store %zero, %DB[%j] : memref<96xf32>
  }
  affine.for %i = 0 to 48 {
    %sum = affine.for %j = 0 to 96 iter_args(%s = %zero) -> (f32) {
      %x = affine.load %X[%i, %j] : memref<48x96xf32>
      %t = arith.addf %s, %x : f32
      affine.yield %t : f32
    }
    %mean = arith.divf %sum, %n : f32
    %sq = affine.for %j = 0 to 96 iter_args(%s = %zero) -> (f32) {
      %x = affine.load %X[%i, %j] : memref<48x96xf32>
      %d = arith.subf %x, %mean : f32
      %dd = arith.mulf %d, %d : f32
      %t = arith.addf %s, %dd : f32
      affine.yield %t : f32
    }
    %var = arith.divf %sq, %n : f32
    %ve = arith.addf %var, %eps : f32
    %r = math.rsqrt %ve : f32
    %c:2 = affine.for %j = 0 to 96 iter_args(%c1 = %zero, %c2 = %zero) -> (f32, f32) {
      %x = affine.load %X[%i, %j] : memref<48x96xf32>
      %dy = affine.load %DY[%i, %j] : memref<48x96xf32>
      %w = affine.load %W[%j] : memref<96xf32>
      %d = arith.subf %x, %mean : f32
      %xh = arith.mulf %d, %r : f32
      %wdy = arith.mulf %w, %dy : f32
      %p = arith.mulf %xh, %wdy : f32
      %a = arith.addf %c1, %p : f32
      %b = arith.addf %c2, %wdy : f32
      affine.yield %a, %b : f32, f32
    }
    %c1 = arith.divf %c#0, %n : f32
    %c2 = arith.divf %c#1, %n : f32
    affine.for %j = 0 to 96 {
      %x = affine.load %X[%i, %j] : memref<48x96xf32>
      %dy = affine.load %DY[%i, %j] : memref<48x96xf32>
      %w = affine.load %W[%j] : memref<96xf32>
      %d = arith.subf %x, %mean : f32
      %xh = arith.mulf %d, %r : f32
      %wdy = arith.mulf %w, %dy : f32
      %q = arith.mulf %xh, %c1 : f32
      %qq = arith.addf %q, %c2 : f32
      %e = arith.subf %wdy, %qq : f32
      %dx = arith.mulf %e, %r : f32
      affine.store %dx, %DX[%i, %j] : memref<48x96xf32>
      %dw0 = affine.load %DW[%j] : memref<96xf32>
      %p = arith.mulf %dy, %xh : f32
      %dw1 = arith.addf %dw0, %p : f32
      affine.store %dw1, %DW[%j] : memref<96xf32>
      %db0 = affine.load %DB[%j] : memref<96xf32>
      %db1 = arith.addf %db0, %dy : f32
      affine.store %db1, %DB[%j] : memref<96xf32>
    }
  }
  return
}

//--- xent.mlir
// Cross entropy of logits that become their gradient, with labels to ignore.
func.func @cross_entropy(%X: memref<40x100xf32> {tt.name = "X"},
                         %L: memref<40xi32> {tt.name = "L", tt.range = [-1, 99]},
                         %loss: memref<40xf32> {tt.name = "loss"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  affine.parallel (%i) = (0) to (40) {
    %l = affine.load %L[%i] : memref<40xi32>
    %m:2 = affine.for %j = 0 to 100 iter_args(%m = %ninf, %d = %zero) -> (f32, f32) {
      %x = affine.load %X[%i, %j] : memref<40x100xf32>
      %mn = arith.maximumf %m, %x : f32
      %a = arith.subf %m, %mn : f32
      %ea = math.exp %a : f32
      %da = arith.mulf %d, %ea : f32
      %b = arith.subf %x, %mn : f32
      %eb = math.exp %b : f32
      %dn = arith.addf %da, %eb : f32
      affine.yield %mn, %dn : f32, f32
    }
    %ignored = arith.cmpi eq, %l, %none : i32
    scf.if %ignored {
      affine.store %zero, %loss[%i] : memref<40xf32>
    } else {
      %k = arith.index_cast %l : i32 to index
      %xl = memref.load %X[%i, %k] : memref<40x100xf32>
      %lg = math.log %m#1 : f32
      %u = arith.addf %lg, %m#0 : f32
      %v = arith.subf %u, %xl : f32
      affine.store %v, %loss[%i] : memref<40xf32>
    }
    affine.for %j = 0 to 100 {
      %x = affine.load %X[%i, %j] : memref<40x100xf32>
      %b = arith.subf %x, %m#0 : f32
      %eb = math.exp %b : f32
      %p = arith.divf %eb, %m#1 : f32
      %ji = arith.index_cast %j : index to i32
      %is = arith.cmpi eq, %ji, %l : i32
      %t = arith.select %is, %one, %zero : f32
      %g = arith.subf %p, %t : f32
      %g0 = arith.select %ignored, %zero, %g : f32
      affine.store %g0, %X[%i, %j] : memref<40x100xf32>
    }
  }
  return
}

//--- convupd.mlir
// A causal convolution's update: the state moves up by one, and is read then.
func.func @causal_conv1d_update(%x: memref<8x64xf32> {tt.name = "x"},
                                %state: memref<8x64x4xf32> {tt.name = "state"},
                                %w: memref<64x4xf32> {tt.name = "w"},
                                %bias: memref<64xf32> {tt.name = "bias"},
                                %out: memref<8x64xf32> {tt.name = "out"})
    attributes {tt.kernel} {
  affine.parallel (%b, %c) = (0, 0) to (8, 64) {
    affine.for %i = 0 to 3 {
      %v = affine.load %state[%b, %c, %i + 1] : memref<8x64x4xf32>
      affine.store %v, %state[%b, %c, %i] : memref<8x64x4xf32>
    }
    %xv = affine.load %x[%b, %c] : memref<8x64xf32>
    affine.store %xv, %state[%b, %c, 3] : memref<8x64x4xf32>
    %bb = affine.load %bias[%c] : memref<64xf32>
    %s = affine.for %i = 0 to 4 iter_args(%a = %bb) -> (f32) {
      %v = affine.load %state[%b, %c, %i] : memref<8x64x4xf32>
      %k = affine.load %w[%c, %i] : memref<64x4xf32>
      %p = arith.mulf %v, %k : f32
      %n = arith.addf %a, %p : f32
      affine.yield %n : f32
    }
    %one = arith.constant 1.0 : f32
    %neg = arith.negf %s : f32
    %e = math.exp %neg : f32
    %d = arith.addf %one, %e : f32
    %y = arith.divf %s, %d : f32
    affine.store %y, %out[%b, %c] : memref<8x64xf32>
  }
  return
}

//--- gla.mlir
// Linear attention with gates, step by step.
func.func @gla(%q: memref<24x32xf32> {tt.name = "q"}, %k: memref<24x32xf32> {tt.name = "k"},
               %v: memref<24x64xf32> {tt.name = "v"}, %g: memref<24x32xf32> {tt.name = "g"},
               %o: memref<24x64xf32> {tt.name = "o"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %h = memref.alloc() : memref<32x64xf32>
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 64 {
      affine.store %zero, %h[%i, %j] : memref<32x64xf32>
    }
  }
  affine.for %t = 0 to 24 {
    affine.for %i = 0 to 32 {
      %gt = affine.load %g[%t, %i] : memref<24x32xf32>
      %s = arith.negf %gt : f32
      %e0 = math.exp %s : f32
      %one = arith.constant 1.0 : f32
      %e1 = arith.addf %e0, %one : f32
      %decay = arith.divf %one, %e1 : f32
      %kt = affine.load %k[%t, %i] : memref<24x32xf32>
      affine.for %j = 0 to 64 {
        %vt = affine.load %v[%t, %j] : memref<24x64xf32>
        %h0 = affine.load %h[%i, %j] : memref<32x64xf32>
        %a = arith.mulf %h0, %decay : f32
        %b = arith.mulf %kt, %vt : f32
        %h1 = arith.addf %a, %b : f32
        affine.store %h1, %h[%i, %j] : memref<32x64xf32>
      }
    }
    affine.for %j = 0 to 64 {
      %r = affine.for %i = 0 to 32 iter_args(%a = %zero) -> (f32) {
        %qt = affine.load %q[%t, %i] : memref<24x32xf32>
        %h0 = affine.load %h[%i, %j] : memref<32x64xf32>
        %p = arith.mulf %qt, %h0 : f32
        %n = arith.addf %a, %p : f32
        affine.yield %n : f32
      }
      affine.store %r, %o[%t, %j] : memref<24x64xf32>
    }
  }
  return
}

//--- awq.mlir
// Words of eight numbers of 4 bits, in an order of their own, in groups.
func.func @awq_dequantize(%qw: memref<64x8xi32> {tt.name = "qw"},
                          %scales: memref<2x64xf32> {tt.name = "scales"},
                          %zeros: memref<2x8xi32> {tt.name = "zeros"},
                          %w: memref<64x64xf32> {tt.name = "w"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %m = arith.constant 15 : i32
  scf.parallel (%r, %c) = (%c0, %c0) to (%c64, %c64) step (%c1, %c1) {
    %word = arith.divui %c, %c8 : index
    %i = arith.remui %c, %c8 : index
    %half = arith.divui %i, %c2 : index
    %odd = arith.remui %i, %c2 : index
    %o4 = arith.muli %odd, %c4 : index
    %place = arith.addi %half, %o4 : index
    %sh = arith.muli %place, %c4 : index
    %shift = arith.index_cast %sh : index to i32
    %group = arith.divui %r, %c32 : index
    %q = memref.load %qw[%r, %word] : memref<64x8xi32>
    %z = memref.load %zeros[%group, %word] : memref<2x8xi32>
    %qs = arith.shrui %q, %shift : i32
    %zs = arith.shrui %z, %shift : i32
    %q4 = arith.andi %qs, %m : i32
    %z4 = arith.andi %zs, %m : i32
    %d = arith.subi %q4, %z4 : i32
    %f = arith.sitofp %d : i32 to f32
    %s = memref.load %scales[%group, %c] : memref<2x64xf32>
    %y = arith.mulf %f, %s : f32
    memref.store %y, %w[%r, %c] : memref<64x64xf32>
  }
  return
}

//--- swiglu.mlir
// Swiglu backward, gate and value in one tensor.
func.func @swiglu_backward(%H: memref<48x128xbf16> {tt.name = "H"},
                           %DY: memref<48x64xbf16> {tt.name = "DY"},
                           %DH: memref<48x128xbf16> {tt.name = "DH"},
                           %Y: memref<48x64xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (48, 64) {
    %g0 = affine.load %H[%i, %j] : memref<48x128xbf16>
    %u0 = affine.load %H[%i, %j + 64] : memref<48x128xbf16>
    %d0 = affine.load %DY[%i, %j] : memref<48x64xbf16>
    %g = arith.extf %g0 : bf16 to f32
    %u = arith.extf %u0 : bf16 to f32
    %d = arith.extf %d0 : bf16 to f32
    %n = arith.negf %g : f32
    %e = math.exp %n : f32
    %p = arith.addf %one, %e : f32
    %s = arith.divf %one, %p : f32
    %f = arith.mulf %s, %g : f32
    %y = arith.mulf %f, %u : f32
    %du = arith.mulf %d, %f : f32
    %q = arith.subf %one, %s : f32
    %gq = arith.mulf %g, %q : f32
    %r = arith.addf %one, %gq : f32
    %sr = arith.mulf %s, %r : f32
    %ds = arith.mulf %d, %u : f32
    %dg = arith.mulf %ds, %sr : f32
    %yb = arith.truncf %y : f32 to bf16
    %dub = arith.truncf %du : f32 to bf16
    %dgb = arith.truncf %dg : f32 to bf16
    affine.store %yb, %Y[%i, %j] : memref<48x64xbf16>
    affine.store %dgb, %DH[%i, %j] : memref<48x128xbf16>
    affine.store %dub, %DH[%i, %j + 64] : memref<48x128xbf16>
  }
  return
}
