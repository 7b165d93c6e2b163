// RUN: tt-opt %s --tt-raise-scalars --split-input-file | FileCheck %s
// RUN: tt-opt %s --tt-raise-scalars --tt-take-elements --split-input-file | FileCheck %s --check-prefix=TAKEN

// What a body takes of numbers that come from the core's buffers is kept in a buffer of one
// element; what comes from tensors, and constants, stays.
// CHECK-LABEL: func.func @mean
// CHECK: %[[X:.*]] = memref.load %[[SUM:.*]][] : memref<f32
// CHECK: arith.divf %[[X]]
// CHECK: %[[MEAN:.*]] = memref.alloc() : memref<f32, #gpu.address_space<private>>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}], iterator_types = []} outs(%[[MEAN]]
// CHECK:   arith.divf %[[X]]
// CHECK: %[[M:.*]] = memref.load %[[MEAN]][]
// CHECK: linalg.generic
// CHECK:   arith.subf %{{.*}}, %[[M]]
// TAKEN-LABEL: func.func @mean
// TAKEN: %[[SUM:.*]] = memref.alloc() : memref<f32>
// TAKEN: %[[MEAN:.*]] = memref.alloc() : memref<f32, #gpu.address_space<private>>
// TAKEN: linalg.generic {{.*}}iterator_types = []} ins(%[[SUM]] : {{.*}} outs(%[[MEAN]]
// TAKEN: linalg.generic {{.*}} ins(%{{.*}}, %[[MEAN]]
// TAKEN-NOT: memref.load
func.func @mean(%A: memref<32x64xf32>, %C: memref<32x64xf32>) attributes {tt.kernel} {
  %n = arith.constant 2048.0 : f32
  %sum = memref.alloc() : memref<f32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
    ins(%A : memref<32x64xf32>) outs(%sum : memref<f32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %s, %x : f32
    linalg.yield %t : f32
  }
  %x = memref.load %sum[] : memref<f32>
  %m = arith.divf %x, %n : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%A : memref<32x64xf32>) outs(%C : memref<32x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    linalg.yield %d : f32
  }
  return
}

// -----

// What was loaded before the buffer changes is kept; a store is a fill, or an op of its own.
// CHECK-LABEL: func.func @old
// CHECK: %[[OLD:.*]] = memref.load %[[S:.*]][%{{.*}}] : memref<4xf32>
// CHECK: %[[KEPT:.*]] = memref.alloc() : memref<f32, #gpu.address_space<private>>
// CHECK: linalg.generic {{.*}} outs(%[[KEPT]]
// CHECK: %[[O:.*]] = memref.load %[[KEPT]][]
// CHECK: %[[AT:.*]] = memref.subview %[[S]]
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[AT]]
// CHECK: %[[TO:.*]] = memref.subview %{{.*}}[1] [1] [1] : memref<8xf32> to memref<f32
// CHECK: linalg.generic {{.*}} outs(%[[TO]]
// CHECK:   arith.mulf %[[O]], %[[O]]
func.func @old(%R: memref<8xf32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %S = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%S : memref<4xf32>)
  %old = memref.load %S[%c1] : memref<4xf32>
  memref.store %z, %S[%c1] : memref<4xf32>
  %q = arith.mulf %old, %old : f32
  memref.store %q, %R[%c1] : memref<8xf32>
  return
}

// -----

// Flags and indices are no elements.
// CHECK-LABEL: func.func @flags
// CHECK: memref.store %{{.*}} : memref<4xi1>
func.func @flags(%F: memref<4xi1>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  memref.store %t, %F[%c1] : memref<4xi1>
  return
}

// -----

// Numbers made of sizes and arguments are computed where they are taken; what is not of numbers stays outside.
// CHECK-LABEL: func.func @of_sizes
// CHECK: %[[N:.*]] = memref.dim
// CHECK: linalg.generic
// CHECK: ^bb0(%[[X:[a-z0-9_]*]]: f32
// CHECK: %[[I:.*]] = arith.index_cast %[[N]] : index to i32
// CHECK: %[[F:.*]] = arith.sitofp %[[I]] : i32 to f32
// CHECK: %[[S:.*]] = arith.mulf %[[F]], %{{.*}} : f32
// CHECK: arith.divf %[[X]], %[[S]]
func.func @of_sizes(%A: memref<32x?xf32>, %C: memref<32x?xf32>, %scale: f32) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<32x?xf32>
  %i = arith.index_cast %n : index to i32
  %f = arith.sitofp %i : i32 to f32
  %s = arith.mulf %f, %scale : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%A : memref<32x?xf32>) outs(%C : memref<32x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.divf %x, %s : f32
    linalg.yield %t : f32
  }
  return
}
