// RUN: tt-opt %s --tt-expand-math | FileCheck %s

// CHECK-LABEL: func.func @functions
// CHECK-NOT: math.round
// CHECK: %[[A:.*]] = math.absf %[[X:.*]] : f32
// CHECK: %[[F:.*]] = math.floor %[[A]]
// CHECK: %[[D:.*]] = arith.subf %[[A]], %[[F]]
// CHECK: %[[UP:.*]] = arith.cmpf oge, %[[D]]
// CHECK: arith.select %[[UP]]
// CHECK: arith.maximumf
// CHECK: arith.minimumf
// CHECK: math.sin
// CHECK: math.cos
// x^5 = x * x^4
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %[[Y:.*]] : f32
// CHECK: %[[S:.*]] = arith.mulf %[[Y]], %[[Y]]
// CHECK: %[[Q:.*]] = arith.mulf %[[S]], %[[S]]
// CHECK: arith.mulf %[[P]], %[[Q]]
// An exponent that is not known stays.
// CHECK: math.fpowi
func.func @functions(%A: memref<32x32xf32>, %C: memref<32x32xf32>, %n: i32) attributes {tt.kernel} {
  %five = arith.constant 5 : i32
  %low = arith.constant -1.0 : f32
  %high = arith.constant 1.0 : f32
  linalg.map ins(%A : memref<32x32xf32>) outs(%C : memref<32x32xf32>) (%x: f32, %o: f32) {
    %r = math.round %x : f32
    %c = math.clampf %r to [%low, %high] : f32
    %s, %k = math.sincos %c : f32
    %y = arith.addf %s, %k : f32
    %p = math.fpowi %y, %five : f32, i32
    %q = math.fpowi %p, %n : f32, i32
    linalg.yield %q : f32
  }
  return
}

// A function that is no kernel is left alone.
// CHECK-LABEL: func.func @plain
// CHECK: math.round
func.func @plain(%x: f32) -> f32 {
  %r = math.round %x : f32
  return %r : f32
}
