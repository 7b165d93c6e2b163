// Bodies compute with integers of 32 bits, and divide.
// RUN: split-file %s %t
// RUN: tt-opt --tt-expand-integers --canonicalize %t/right.mlir | FileCheck %s
// RUN: tt-opt --tt-expand-integers %t/sum.mlir 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: tt-opt --tt-expand-integers %t/logarithm.mlir | FileCheck %s --check-prefix=LOG
// RUN: not tt-opt --tt-expand-integers %t/pole.mlir 2>&1 | FileCheck %s --check-prefix=POLE
// RUN: not tt-opt --tt-expand-integers %t/float.mlir 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: not tt-opt --tt-expand-integers %t/cast.mlir 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: tt-opt --tt-expand-integers --canonicalize %t/counts.mlir | FileCheck %s --check-prefix=COUNTS
// RUN: not tt-opt --tt-expand-integers %t/doubled.mlir 2>&1 | FileCheck %s --check-prefix=DOUBLED
// RUN: not tt-opt --tt-expand-integers %t/products.mlir 2>&1 | FileCheck %s --check-prefix=PRODUCTS
// RUN: tt-opt --tt-expand-integers %t/by-tensor.mlir | FileCheck %s --check-prefix=TENSOR
// RUN: not tt-run %t/by-zero.mlir 2>&1 | FileCheck %s --check-prefix=ZERO

//--- right.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// What is not below zero is shifted.
// CHECK-LABEL: func.func @bits
// CHECK-SAME: tt.fp32_dest_acc
// CHECK: %[[I:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: arith.andi %{{.*}}, %{{.*}} : i32
// CHECK-NOT: arith.remui
func.func @bits(%A: memref<32x64xf32>, %C: memref<32x64xf32>) attributes {tt.kernel} {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%A : memref<32x64xf32>) outs(%C : memref<32x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    %r = arith.remui %s, %c2 : index
    %p = arith.cmpi eq, %r, %c0 : index
    %y = arith.select %p, %a, %z : f32
    linalg.yield %y : f32
  }
  return
}

// Small numbers take one product, others two, and what is off.
// CHECK-LABEL: func.func @quotients
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.fptosi
// CHECK-LABEL: func.func @large
// CHECK-COUNT-2: arith.fptosi
// CHECK-COUNT-4: arith.shrui
// CHECK-NOT: arith.divsi
func.func @quotients(%A: memref<32x64xi32> {tt.range = [0, 100]}, %C: memref<32x64xi32>) attributes {tt.kernel} {
  %c = arith.constant 7 : i32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%A : memref<32x64xi32>) outs(%C : memref<32x64xi32>) {
  ^bb0(%a: i32, %o: i32):
    %q = arith.divsi %a, %c : i32
    linalg.yield %q : i32
  }
  return
}
func.func @large(%A: memref<32x64xi32>, %C: memref<32x64xi32>) attributes {tt.kernel} {
  %c = arith.constant 7 : i32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%A : memref<32x64xi32>) outs(%C : memref<32x64xi32>) {
  ^bb0(%a: i32, %o: i32):
    %q = arith.divsi %a, %c : i32
    linalg.yield %q : i32
  }
  return
}

// Of 64 bits there are 32. Sums of indices alone stay what they are.
// CHECK-LABEL: func.func @lengths
// CHECK: %[[L:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[M:.*]] = arith.addi %[[L]], %{{.*}} : i32
// CHECK: arith.cmpi slt, %{{.*}}, %[[M]] : i32
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : index
func.func @lengths(%L: memref<32xi64> {tt.range = [0, 60]}, %A: memref<32x64xf32>, %C: memref<32x64xf32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%L, %A : memref<32xi64>, memref<32x64xf32>) outs(%C : memref<32x64xf32>) {
  ^bb0(%l: i64, %a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %m = arith.addi %l, %c1 : i64
    %p = arith.cmpi slt, %k, %m : i64
    %q = arith.cmpi ult, %j, %i : index
    %b = arith.andi %p, %q : i1
    %y = arith.select %b, %a, %z : f32
    linalg.yield %y : f32
  }
  return
}

//--- sum.mlir
func.func @sum(%L: memref<32x32xi64>, %C: memref<32x32xi64>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%L : memref<32x32xi64>) outs(%C : memref<32x32xi64>) {
  ^bb0(%l: i64, %o: i64):
    // SUM: sum.mlir:1:1: warning: tensor 'arg0' is taken to hold nothing below -1073741824 and above 1073741823: what is computed with its integers of 64 bits fits 32 then, which the device has; the host program ends where it holds something else. Say by tt.range = [lo, hi] what it holds
    // SUM: func.func @sum(%arg0: memref<32x32xi64> {tt.range = [-1073741824, 1073741823]}, %arg1: memref<32x32xi64>)
    // SUM: arith.addi {{.*}} : i32
    %m = arith.addi %l, %l : i64
    linalg.yield %m : i64
  }
  return
}

//--- float.mlir
func.func @float(%L: memref<32x32xf32>, %C: memref<32x32xi64>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%L : memref<32x32xf32>) outs(%C : memref<32x32xi64>) {
  ^bb0(%l: f32, %o: i64):
    // FLOAT: float.mlir:5:10: error: a float becomes an integer of 64 bits, of which the device has 32; say by tt.range = [lo, hi] at the argument what it holds, cast it to i32, or use minimumf and maximumf with constants
    %m = arith.fptosi %l : f32 to i64
    linalg.yield %m : i64
  }
  return
}

//--- cast.mlir
func.func @cast(%L: memref<32x32xi32>, %C: memref<32x32xi64>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%L : memref<32x32xi32>) outs(%C : memref<32x32xi64>) {
  ^bb0(%l: i32, %o: i64):
    // CAST: cast.mlir:5:10: error: an integer without a sign needs 33 bits, and the device has 32; say by tt.range = [0, hi] at its argument what it may hold
    %m = arith.extui %l : i32 to i64
    linalg.yield %m : i64
  }
  return
}

// A divisor that is no constant: by floats, in one step where its range and that of what is divided are small.
//--- by-tensor.mlir
// TENSOR-LABEL: func.func @small
// TENSOR-COUNT-1: arith.divf
// TENSOR-NOT: arith.divf
// TENSOR-NOT: arith.divsi
func.func @small(%L: memref<32x32xi32> {tt.range = [0, 9000]}, %C: memref<32x32xi32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%L : memref<32x32xi32>) outs(%C : memref<32x32xi32>) {
  ^bb0(%l: i32, %o: i32):
    %n = arith.constant 9000 : i32
    %m = arith.divsi %n, %l : i32
    linalg.yield %m : i32
  }
  return
}

// TENSOR-LABEL: func.func @large
// TENSOR-COUNT-2: arith.divf
// TENSOR-NOT: arith.floordivsi
// TENSOR: return
func.func @large(%L: memref<32x32xi32>, %C: memref<32x32xi32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%L : memref<32x32xi32>) outs(%C : memref<32x32xi32>) {
  ^bb0(%l: i32, %o: i32):
    %n = arith.constant 9000 : i32
    %m = arith.floordivsi %n, %l : i32
    linalg.yield %m : i32
  }
  return
}

//--- by-zero.mlir
func.func @by_zero(%L: memref<32x32xi32>, %C: memref<32x32xi32>) attributes {tt.kernel} {
  // ZERO: error: arith.divsi has no tile intrinsic for integers of tensors; {{.*}} quotients and rests by what is not the constant 0
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%L : memref<32x32xi32>) outs(%C : memref<32x32xi32>) {
  ^bb0(%l: i32, %o: i32):
    %z = arith.constant 0 : i32
    %m = arith.divsi %l, %z : i32
    linalg.yield %m : i32
  }
  return
}

// A sum that goes on in a buffer is bounded by the steps; of floats, what is small becomes an integer of 64 bits; what
// values from outside make is made there.
// COUNTS-LABEL: func.func @counts
// COUNTS: %[[P:.*]] = arith.remui %{{.*}} : index
// COUNTS: linalg.generic
// COUNTS: arith.trunci %{{.*}} : i64 to i32
// COUNTS: arith.addi %{{.*}} : i32
// COUNTS: linalg.generic
// COUNTS: arith.fptosi %{{.*}} : f32 to i32
// COUNTS: linalg.generic
// COUNTS: arith.fptosi %{{.*}} : f16 to i32
// COUNTS-NOT: affine.apply
//--- counts.mlir
#id = affine_map<(i) -> (i)>
func.func @counts(%A: memref<32xf32>, %H: memref<32xf16>, %C: memref<32xi64>, %D: memref<32xi64>, %E: memref<32xi64>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %none = arith.constant 0 : i64
  %k = arith.constant 1000 : i64
  %seven = arith.constant 7 : index
  %n = memref.alloc() : memref<32xi64>
  linalg.fill ins(%none : i64) outs(%n : memref<32xi64>)
  scf.for %s = %c0 to %c40 step %c1 {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%A : memref<32xf32>) outs(%n : memref<32xi64>) {
    ^bb0(%x: f32, %o: i64):
      %r = arith.remui %s, %seven : index
      %ri = arith.index_cast %r : index to i64
      %zero = arith.constant 0.0 : f32
      %is = arith.cmpf ogt, %x, %zero : f32
      %v = arith.select %is, %k, %ri : i64
      %t = arith.addi %o, %v : i64
      linalg.yield %t : i64
    }
  }
  memref.copy %n, %C : memref<32xi64> to memref<32xi64>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%A : memref<32xf32>) outs(%D : memref<32xi64>) {
  ^bb0(%x: f32, %o: i64):
    %t = math.tanh %x : f32
    %ten = arith.constant 10.0 : f32
    %y = arith.mulf %t, %ten : f32
    %i = arith.fptosi %y : f32 to i64
    linalg.yield %i : i64
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%H : memref<32xf16>) outs(%E : memref<32xi64>) {
  ^bb0(%x: f16, %o: i64):
    %i = arith.fptosi %x : f16 to i64
    linalg.yield %i : i64
  }
  return
}

// What is more than added may be any number.
// DOUBLED: error: what arith.addi of 64 bits gives may need more than 32, which the device has
//--- doubled.mlir
#id = affine_map<(i) -> (i)>
func.func @doubled(%C: memref<32xi64>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %one = arith.constant 1 : i64
  %n = memref.alloc() : memref<32xi64>
  linalg.fill ins(%one : i64) outs(%n : memref<32xi64>)
  scf.for %s = %c0 to %c40 step %c1 {
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%n : memref<32xi64>) {
    ^bb0(%o: i64):
      %t = arith.addi %o, %one : i64
      %u = arith.addi %t, %t : i64
      linalg.yield %u : i64
    }
  }
  memref.copy %n, %C : memref<32xi64> to memref<32xi64>
  return
}

// One product fits, and 64 do not.
// PRODUCTS: error: what arith.addi of 64 bits gives may need more than 32, which the device has
//--- products.mlir
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @products(%A: memref<32x64xi32> {tt.range = [0, 10000]}, %B: memref<64x32xi32> {tt.range = [0, 10000]}, %C: memref<32x32xi64>) attributes {tt.kernel} {
  %none = arith.constant 0 : i64
  %w = memref.alloc() : memref<32x64xi64>
  %n = memref.subview %w[0, 0] [32, 32] [1, 1] : memref<32x64xi64> to memref<32x32xi64, strided<[64, 1]>>
  linalg.fill ins(%none : i64) outs(%n : memref<32x32xi64, strided<[64, 1]>>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%A, %B : memref<32x64xi32>, memref<64x32xi32>) outs(%n : memref<32x32xi64, strided<[64, 1]>>) {
  ^bb0(%x: i32, %y: i32, %o: i64):
    %u = arith.extsi %x : i32 to i64
    %v = arith.extsi %y : i32 to i64
    %p = arith.muli %u, %v : i64
    %t = arith.addi %o, %p : i64
    linalg.yield %t : i64
  }
  memref.copy %n, %C : memref<32x32xi64, strided<[64, 1]>> to memref<32x32xi64>
  return
}

// A logarithm that is an integer is none of nothing: of at most 63, it is at most 4.2 and at least -104.
// LOG: %[[L:.*]] = math.log %
// LOG: %[[I:.*]] = arith.fptosi {{.*}} : f32 to i32
// LOG: arith.addi %[[I]]
//--- logarithm.mlir
#id = affine_map<(i) -> (i)>
func.func @logarithm(%C: memref<64xi64>) attributes {tt.kernel} {
  %eight = arith.constant 8 : i64
  %f8 = arith.constant 8.0 : f32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%C : memref<64xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f32
    %l = math.log %x : f32
    %m = arith.mulf %l, %f8 : f32
    %n = arith.fptosi %m : f32 to i64
    %r = arith.addi %n, %eight : i64
    linalg.yield %r : i64
  }
  return
}

// One divided by it may be of an infinite one.
// POLE: error: {{.*}}of 64 bits
//--- pole.mlir
#id = affine_map<(i) -> (i)>
func.func @pole(%C: memref<64xi64>) attributes {tt.kernel} {
  %eight = arith.constant 8 : i64
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.01 : f32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%C : memref<64xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f32
    %s = arith.mulf %x, %half : f32
    %l = math.log %s : f32
    %m = arith.divf %one, %l : f32
    %n = arith.fptosi %m : f32 to i64
    %r = arith.addi %n, %eight : i64
    linalg.yield %r : i64
  }
  return
}
