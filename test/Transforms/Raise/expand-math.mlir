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

// Bits of a byte are counted in 32 bits: neighbours are added, of two, four and eight bits.
// CHECK-LABEL: func.func @bits
// CHECK-NOT: math.ctpop
// CHECK: %[[U:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK: %[[S:.*]] = arith.shrui %[[U]], %{{.*}} : i32
// CHECK: %[[M:.*]] = arith.andi %[[S]], %{{.*}} : i32
// CHECK: arith.subi %[[U]], %[[M]] : i32
// CHECK: arith.trunci %{{.*}} : i32 to i8
// Bits in front of the first one: all bits below it are set.
// CHECK-NOT: math.ctlz
// CHECK-COUNT-5: arith.ori
// CHECK: arith.subi
// CHECK-NOT: math.cttz
func.func @bits(%A: memref<32x32xi8>, %B: memref<32x32xi32>, %C: memref<32x32xi32>) attributes {tt.kernel} {
  linalg.map ins(%A, %B : memref<32x32xi8>, memref<32x32xi32>) outs(%C : memref<32x32xi32>) (%x: i8, %y: i32, %o: i32) {
    %n = math.ctpop %x : i8
    %w = arith.extui %n : i8 to i32
    %l = math.ctlz %y : i32
    %t = math.cttz %y : i32
    %s = arith.addi %w, %l : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  }
  return
}

// The upper half of a product of 64 bits, however it is written, is made of products of halves.
// CHECK-LABEL: func.func @wide
// CHECK-NOT: mului_extended
// CHECK-NOT: i64
// CHECK-COUNT-5: arith.muli %{{.*}} : i32
// CHECK-COUNT-5: arith.muli %{{.*}} : i32
// With signs:
// CHECK-COUNT-5: arith.muli %{{.*}} : i32
// CHECK: arith.cmpi slt
// CHECK: arith.cmpi slt
// CHECK: return
func.func @wide(%A: memref<32x32xi32>, %B: memref<32x32xi32>, %C: memref<32x32xi32>, %D: memref<32x32xi32>) attributes {tt.kernel} {
  %k = arith.constant 3528531795 : i64
  %bits = arith.constant 32 : i64
  affine.parallel (%i, %j) = (0, 0) to (32, 32) {
    %a = affine.load %A[%i, %j] : memref<32x32xi32>
    %b = affine.load %B[%i, %j] : memref<32x32xi32>
    %lo, %hi = arith.mului_extended %a, %b : i32
    %x = arith.xori %lo, %hi : i32
    affine.store %x, %C[%i, %j] : memref<32x32xi32>
    %aw = arith.extui %a : i32 to i64
    %p = arith.muli %aw, %k : i64
    %s = arith.shrui %p, %bits : i64
    %t = arith.trunci %s : i64 to i32
    %al = arith.extsi %a : i32 to i64
    %bl = arith.extsi %b : i32 to i64
    %q = arith.muli %al, %bl : i64
    %r = arith.shrsi %q, %bits : i64
    %u = arith.trunci %r : i64 to i32
    %y = arith.xori %t, %u : i32
    affine.store %y, %D[%i, %j] : memref<32x32xi32>
  }
  return
}
