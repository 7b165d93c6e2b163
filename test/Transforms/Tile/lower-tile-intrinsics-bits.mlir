// f32 keeps its bits, by the vector unit: what a loop makes of itself, element by element, and what exp takes.
// RUN: split-file %s %t
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c %t/right.mlir | FileCheck %s
// RUN: %if all %{ tt-run %t/run.mlir --check | FileCheck %s --check-prefix=BITS %}
// RUN: %if all %{ tt-run %t/run.mlir --check --arch=blackhole --metalium-api=2025 --optimize=none | FileCheck %s --check-prefix=BITS %}
// BITS-COUNT-3: relative RMS {{[0-9.]+e-0[678]|0}} (

//--- right.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
!buffer = memref<32x32xf32, #gpu.address_space<private>>
!view = memref<32x32xf32, strided<[32, 1], offset: ?>>

// CHECK-LABEL: func.func @product_of_all
// CHECK: scf.for
// CHECK-NOT: tt.fpu
// CHECK: tt.sfpu.combine mul
func.func @product_of_all(%A: memref<256x32xf32> {tt.name = "A"}, %C: memref<32x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1.0 : f32
  %p = memref.alloc() : !buffer
  linalg.fill ins(%one : f32) outs(%p : !buffer)
  scf.for %k = %c0 to %c256 step %c32 {
    %a = memref.subview %A[%k, 0] [32, 32] [1, 1] : memref<256x32xf32> to !view
    linalg.mul ins(%p, %a : !buffer, !view) outs(%p : !buffer)
  }
  memref.copy %p, %C : !buffer to memref<32x32xf32>
  return
}

// What sums of the loop enter has no more bits than they leave.
// CHECK-LABEL: func.func @sums
// CHECK: scf.for
// CHECK: tt.fpu.mul
!vector = memref<32xf32, #gpu.address_space<private>>
func.func @sums(%A: memref<256x32xf32> {tt.name = "A"}, %C: memref<32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : !vector
  linalg.fill ins(%one : f32) outs(%p : !vector)
  scf.for %k = %c0 to %c256 step %c32 {
    %a = memref.subview %A[%k, 0] [32, 32] [1, 1] : memref<256x32xf32> to !view
    %x = memref.alloc() : !vector
    linalg.fill ins(%zero : f32) outs(%x : !vector)
    linalg.reduce ins(%a : !view) outs(%x : !vector) dimensions = [1] (%v: f32, %s: f32) {
      %t = arith.addf %v, %s : f32
      linalg.yield %t : f32
    }
    linalg.mul ins(%p, %x : !vector, !vector) outs(%p : !vector)
  }
  memref.copy %p, %C : !vector to memref<32xf32>
  return
}

// CHECK-LABEL: func.func @exp_of_difference
// CHECK-NOT: tt.fpu.sub
// CHECK: tt.sfpu.combine sub
// CHECK: tt.sfpu.unary exp
func.func @exp_of_difference(%A: memref<32x32xf32> {tt.name = "A"}, %B: memref<32xf32> {tt.name = "B"}, %C: memref<32x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%A, %B : memref<32x32xf32>, memref<32xf32>) outs(%C : memref<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  return
}

// Beside bf16 it is the FPU's, which is faster.
// CHECK-LABEL: func.func @exp_beside_bf16
// CHECK: tt.fpu.sub
func.func @exp_beside_bf16(%A: memref<32x32xf32> {tt.name = "A"}, %B: memref<32x32xf32> {tt.name = "B"}, %C: memref<32x32xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xbf16>) {
  ^bb0(%a: f32, %b: f32, %o: bf16):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    %t = arith.truncf %e : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// An index times what bf16 does not hold is multiplied in DST.
// CHECK-LABEL: func.func @far_index
// CHECK: tt.sfpu.unary mul_scalar, dst = {{[0-9]}} scalar = 1.300000e+01
// CHECK: tt.sfpu.unary mul_scalar, dst = {{[0-9]}} scalar = -7.000000e+00
func.func @far_index(%A: memref<64x64xf32> {tt.name = "A"}, %C: memref<64x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : index
  %c13 = arith.constant 13 : index
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%A : memref<64x64xf32>) outs(%C : memref<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.muli %i, %c13 : index
    %y = arith.muli %j, %c7 : index
    %p = arith.cmpi sgt, %x, %y : index
    %r = arith.select %p, %a, %zero : f32
    linalg.yield %r : f32
  }
  return
}

// A bias to which products are added is no longer as it was when the largest are chosen: no parts of it.
// CHECK-LABEL: func.func @bias
// CHECK-NOT: round_to_bf16
// CHECK: tt.mm.mma
func.func @bias(%A: memref<32x64xbf16> {tt.name = "A"}, %B: memref<64x32xbf16> {tt.name = "B"}, %V: memref<32xf32> {tt.name = "V"}, %C: memref<32x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<32x32xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, #id], iterator_types = ["parallel", "parallel"]} ins(%V : memref<32xf32>) outs(%sum : memref<32x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  linalg.matmul ins(%A, %B : memref<32x64xbf16>, memref<64x32xbf16>) outs(%sum : memref<32x32xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : memref<32x32xf32>) outs(%C : memref<32x32xf32>) {
  ^bb0(%s: f32, %o: f32):
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  }
  return
}

// Welford's mean and variance: 1e-7 of relative RMS, where the FPU gave 1.2e-2.
//--- run.mlir
func.func @welford(%A: memref<33x40xf32> {tt.name = "A"}, %M: memref<33xf32> {tt.name = "M"}, %V: memref<33xf32> {tt.name = "V"}, %E: memref<33x40xf32> {tt.name = "E"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.constant 40.0 : f32
  affine.for %i = 0 to 33 {
    %r:3 = affine.for %j = 0 to 40 iter_args(%m = %zero, %m2 = %zero, %c = %zero) -> (f32, f32, f32) {
      %x = affine.load %A[%i, %j] : memref<33x40xf32>
      %nc = arith.addf %c, %one : f32
      %d = arith.subf %x, %m : f32
      %q = arith.divf %d, %nc : f32
      %nm = arith.addf %m, %q : f32
      %d2 = arith.subf %x, %nm : f32
      %p = arith.mulf %d, %d2 : f32
      %nm2 = arith.addf %m2, %p : f32
      affine.yield %nm, %nm2, %nc : f32, f32, f32
    }
    affine.store %r#0, %M[%i] : memref<33xf32>
    %v = arith.divf %r#1, %n : f32
    affine.store %v, %V[%i] : memref<33xf32>
  }
  affine.for %i = 0 to 33 {
    affine.for %j = 0 to 40 {
      %x = affine.load %A[%i, %j] : memref<33x40xf32>
      %y = arith.addf %x, %x : f32
      %e = math.exp %y : f32
      affine.store %e, %E[%i, %j] : memref<33x40xf32>
    }
  }
  return
}
