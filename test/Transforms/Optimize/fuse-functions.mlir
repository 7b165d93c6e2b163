// RUN: tt-opt --tt-fuse-functions %s --remarks-filter=tt-fuse-functions 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: tt-opt --tt-fuse-functions --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics %s | FileCheck %s --check-prefix=TILES

// REMARK-DAG: this is the chip's function silu
// REMARK-DAG: this is the chip's function rsqrt
// REMARK-DAG: the chip's gelu_exact is less accurate than this expression; tt.math_approx takes it
// REMARK-DAG: the chip's exp_fast is less accurate than this expression; tt.math_approx takes it
// REMARK-DAG: this is the chip's function exp_fast

// Forms in which people write them; what computes them is left, and C2 does without it.
// CHECK-LABEL: func.func @exact
// CHECK: arith.divf %{{.*}}, %{{.*}} {tt.function = "sigmoid"} : f32
// CHECK: arith.mulf %{{.*}}, %{{.*}} {tt.function = "silu"} : f32
// CHECK: arith.divf %{{.*}}, %{{.*}} {tt.function = "silu"} : f32
// CHECK: arith.divf %{{.*}}, %{{.*}} {tt.function = "tanh"} : f32
// CHECK: arith.divf %{{.*}}, %{{.*}} {tt.function = "rsqrt"} : f32
// CHECK: arith.mulf %{{.*}}, %{{.*}} {tt.function = "square"} : f32
// CHECK: arith.divf %{{.*}}, %{{.*}} {tt.function = "recip_exact"} : f32
// CHECK-NOT: tt.function
// TILES-LABEL: func.func @exact
// TILES-DAG: tt.sfpu.unary sigmoid
// TILES-DAG: tt.sfpu.unary silu
// TILES-DAG: tt.sfpu.unary tanh
// TILES-DAG: tt.sfpu.unary rsqrt
// TILES-DAG: tt.sfpu.unary square
// TILES-DAG: tt.sfpu.unary recip_exact
// TILES-NOT: tt.sfpu.unary exp,
#id = affine_map<(i, j) -> (i, j)>
func.func @exact(%X: memref<32x32xf32>, %Y: memref<32x32xf32>) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<32x32xf32>) outs(%Y : memref<32x32xf32>) {
    ^bb0(%x: f32, %o: f32):
      %n = arith.negf %x : f32
      %e = math.exp %n : f32
      %d = arith.addf %one, %e : f32
      %sigmoid = arith.divf %one, %d : f32
      %silu = arith.mulf %sigmoid, %x : f32
      %other_n = arith.subf %zero, %sigmoid : f32
      %other_e = math.exp %other_n : f32
      %other_d = arith.addf %other_e, %one : f32
      %other = arith.divf %sigmoid, %other_d : f32
      %m = arith.mulf %x, %two : f32
      %te = math.exp %m : f32
      %up = arith.subf %te, %one : f32
      %down = arith.addf %te, %one : f32
      %tanh = arith.divf %up, %down : f32
      %root = math.sqrt %m : f32
      %rsqrt = arith.divf %one, %root : f32
      %a = arith.addf %silu, %other : f32
      %b = arith.addf %tanh, %rsqrt : f32
      %c = arith.addf %a, %b : f32
      %square = arith.mulf %c, %c : f32
      %s = arith.addf %square, %one : f32
      %recip = arith.divf %one, %s : f32
      linalg.yield %recip : f32
  }
  return
}

// What the chip computes less accurately needs tt.math_approx; other expressions are left alone.
// CHECK-LABEL: func.func @as_written
// TILES-LABEL: func.func @as_written
// CHECK-NOT: tt.function
func.func @as_written(%X: memref<32x32xbf16>, %Y: memref<32x32xbf16>) attributes {tt.kernel} {
  %one = arith.constant 1.0 : bf16
  %two = arith.constant 2.0 : bf16
  %half = arith.constant 0.5 : bf16
  %k = arith.constant 0.70703125 : bf16
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<32x32xbf16>) outs(%Y : memref<32x32xbf16>) {
    ^bb0(%x: bf16, %o: bf16):
      %m = arith.mulf %x, %k : bf16
      %e = math.erf %m : bf16
      %g = arith.addf %e, %one : bf16
      %h = arith.mulf %x, %half : bf16
      %gelu = arith.mulf %h, %g : bf16
      %p = math.exp %x : bf16
      %q = arith.addf %p, %two : bf16
      %r = arith.divf %two, %q : bf16
      %s = arith.mulf %r, %gelu : bf16
      linalg.yield %s : bf16
  }
  return
}

// CHECK-LABEL: func.func @approximate
// CHECK: arith.mulf %{{.*}}, %{{.*}} {tt.function = "gelu_exact"}
// CHECK: arith.mulf %{{.*}}, %{{.*}} {tt.function = "gelu_exact"}
// CHECK: math.log1p %{{.*}} {tt.function = "softplus"}
// TILES-LABEL: func.func @approximate
// TILES: tt.sfpu.unary gelu_exact
// TILES: tt.sfpu.unary gelu_exact
// TILES: tt.sfpu.unary softplus
func.func @approximate(%X: memref<32x32xf32>, %Y: memref<32x32xf32>) attributes {tt.kernel, tt.math_approx} {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 1.41421354 : f32
  %k = arith.constant 0.797884583 : f32
  %c = arith.constant 4.471500e-02 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<32x32xf32>) outs(%Y : memref<32x32xf32>) {
    ^bb0(%x: f32, %o: f32):
      %m = arith.divf %x, %root : f32
      %e = math.erf %m : f32
      %g = arith.addf %e, %one : f32
      %h = arith.mulf %x, %g : f32
      %y = arith.mulf %half, %h : f32
      %y2 = arith.mulf %y, %y : f32
      %y3 = arith.mulf %y2, %y : f32
      %y4 = arith.mulf %y3, %c : f32
      %y5 = arith.addf %y, %y4 : f32
      %y6 = arith.mulf %y5, %k : f32
      %t = math.tanh %y6 : f32
      %u = arith.addf %t, %one : f32
      %v = arith.mulf %y, %half : f32
      %z = arith.mulf %v, %u : f32
      %p = math.exp %z : f32
      %r = math.log1p %p : f32
      linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func @exponential
// CHECK: math.exp %{{.*}} {tt.function = "exp_fast"}
// TILES-LABEL: func.func @exponential
// TILES: tt.sfpu.unary exp_fast
func.func @exponential(%X: memref<32x32xf32>, %Y: memref<32x32xf32>) attributes {tt.kernel, tt.math_approx} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<32x32xf32>) outs(%Y : memref<32x32xf32>) {
    ^bb0(%x: f32, %o: f32):
      %e = math.exp %x : f32
      linalg.yield %e : f32
  }
  return
}
