// RUN: tt-opt %s --tt-guard-sums | FileCheck %s

// Bounds that are conditions of all of a loop; what else is asked stays.
// CHECK-LABEL: func.func @bounds
// CHECK: %[[END:.*]] = arith.addi %[[M:.*]], %c1{{.*}} : index
// CHECK: %[[TO:.*]] = arith.minui %c128, %[[END]]
// CHECK: scf.for %{{.*}} = %c0 to %[[TO]] step %c32
// CHECK-NOT: scf.if
// CHECK: linalg.matmul
// CHECK: %[[UP:.*]] = arith.addi %[[M]], %c31
// CHECK: %[[STEPS:.*]] = arith.divui %[[UP]], %c32
// CHECK: %[[FROM:.*]] = arith.muli %[[STEPS]], %c32
// CHECK: scf.for %{{.*}} = %[[FROM]] to %c128 step %c32
// CHECK: scf.if %[[FLAG:.*]] {
// CHECK: linalg.exp
func.func @bounds(%A: memref<32x32xf32>, %C: memref<32x32xf32>, %m: index, %flag: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %s = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
  scf.for %k = %c0 to %c128 step %c32 {
    %live = arith.cmpi sge, %m, %k : index
    scf.if %live {
      linalg.matmul ins(%A, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32, #gpu.address_space<private>>)
    }
  }
  scf.for %k = %c0 to %c128 step %c32 {
    %late = arith.cmpi uge, %k, %m : index
    %live = arith.andi %late, %flag : i1
    scf.if %live {
      linalg.exp ins(%s : memref<32x32xf32, #gpu.address_space<private>>) outs(%C : memref<32x32xf32>)
    }
  }
  return
}

// A term by itself, but not where the sum starts under the condition as well; a branch with an
// else does not bound its loop.
// CHECK-LABEL: func.func @terms
// CHECK: %[[SUM:.*]] = memref.alloc()
// CHECK: scf.if
// CHECK: %[[TERM:.*]] = memref.alloc()
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[TERM]]
// CHECK: linalg.matmul {{.*}} outs(%[[TERM]]
// CHECK: linalg.add ins(%[[SUM]], %[[TERM]] {{.*}} outs(%[[SUM]]
// CHECK: else
// CHECK-LABEL: func.func @own_sum
// CHECK: scf.if
// CHECK-NOT: linalg.add
func.func @terms(%A: memref<32x32xf32>, %C: memref<32x32xf32>, %m: index) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
  linalg.fill ins(%zero : f32) outs(%s : memref<32x32xf32, #gpu.address_space<private>>)
  scf.for %k = %c0 to %c128 step %c32 {
    %live = arith.cmpi ule, %k, %m : index
    scf.if %live {
      linalg.matmul ins(%A, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32, #gpu.address_space<private>>)
    } else {
      linalg.exp ins(%A : memref<32x32xf32>) outs(%C : memref<32x32xf32>)
    }
  }
  return
}
func.func @own_sum(%A: memref<32x32xf32>, %C: memref<32x32xf32>, %flag: i1) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
  scf.if %flag {
    linalg.fill ins(%zero : f32) outs(%s : memref<32x32xf32, #gpu.address_space<private>>)
    linalg.matmul ins(%A, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32, #gpu.address_space<private>>)
    memref.copy %s, %C : memref<32x32xf32, #gpu.address_space<private>> to memref<32x32xf32>
  }
  return
}

// A loop that may have no step: of rows above the first. One that has one goes on as it is.
// CHECK-LABEL: func.func @empty
// CHECK: scf.for
// CHECK: linalg.add
// CHECK: scf.for
// CHECK-NOT: linalg.add
func.func @empty(%A: memref<32x32xf32>, %C: memref<32x32xf32>, %m: index) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
  %t = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
  linalg.fill ins(%zero : f32) outs(%s : memref<32x32xf32, #gpu.address_space<private>>)
  linalg.fill ins(%zero : f32) outs(%t : memref<32x32xf32, #gpu.address_space<private>>)
  scf.for %k = %c0 to %m step %c32 {
    linalg.matmul ins(%A, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%s : memref<32x32xf32, #gpu.address_space<private>>)
  }
  %end = arith.addi %m, %c32 : index
  scf.for %k = %m to %end step %c32 {
    linalg.matmul ins(%A, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%t : memref<32x32xf32, #gpu.address_space<private>>)
  }
  return
}

// A sum in a tensor is kept in a buffer for it, from its fill on, and copied behind its last use; one without a fill stays, as does
// one of which parts are used, and one whose loop has a step by the range of an integer.
// CHECK-LABEL: func.func @of_tensor
// CHECK: %[[BUFFER:.*]] = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[BUFFER]]
// CHECK-NEXT: scf.for
// CHECK: linalg.matmul
// CHECK: linalg.add ins(%[[BUFFER]], %{{.*}} outs(%[[BUFFER]]
// CHECK: }
// CHECK-NEXT: memref.copy %[[BUFFER]], %arg1
// CHECK-NEXT: return
// CHECK-LABEL: func.func @not_of_tensor
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @of_tensor(%A: memref<32x32xf32>, %C: memref<32x32xf32>, %q: index {tt.range = [0, 4]}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<32x32xf32>)
  scf.for %k = %c0 to %q step %c1 {
    linalg.matmul ins(%A, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  }
  return
}
func.func @not_of_tensor(%A: memref<32x32xf32>, %C: memref<32x32xf32>, %D: memref<64x32xf32>, %E: memref<32x32xf32>, %F: memref<64x32xf32>,
                         %q: index {tt.range = [0, 4]}, %p: index {tt.range = [1, 4]}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %k = %c0 to %q step %c1 {
    linalg.matmul ins(%A, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  }
  linalg.fill ins(%zero : f32) outs(%D : memref<64x32xf32>)
  %d = memref.subview %D[0, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1]>>
  linalg.exp ins(%A : memref<32x32xf32>) outs(%d : memref<32x32xf32, strided<[32, 1]>>)
  scf.for %k = %c0 to %q step %c1 {
    linalg.matmul ins(%F, %A : memref<64x32xf32>, memref<32x32xf32>) outs(%D : memref<64x32xf32>)
  }
  linalg.fill ins(%zero : f32) outs(%E : memref<32x32xf32>)
  scf.for %k = %c0 to %p step %c1 {
    linalg.matmul ins(%A, %A : memref<32x32xf32>, memref<32x32xf32>) outs(%E : memref<32x32xf32>)
  }
  return
}
