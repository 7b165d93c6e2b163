// RUN: tt-opt %s --tt-keep-outputs --split-input-file | FileCheck %s

#id = affine_map<(i) -> (i)>

// What one op writes and another reads after it is in a buffer until the cell ends; it is
// overwritten first, so that nothing is copied in.
// CHECK-LABEL: func.func @again
// CHECK: scf.forall (%[[H:.*]]) in (2)
// CHECK: %[[B:.*]] = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
// CHECK-NOT: memref.copy
// CHECK: linalg.fill {{.*}} outs(%[[B]]
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%[[B]]
// CHECK: linalg.generic {{.*}} outs(%[[B]]
// CHECK: %[[O:.*]] = memref.subview %arg1[%[[H]], 0] [1, 64] [1, 1]
// CHECK: memref.copy %[[B]], %[[O]]
func.func @again(%X: memref<4x64xf32>, %O: memref<2x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  scf.forall (%h) in (2) {
    %o = memref.subview %O[%h, 0] [1, 64] [1, 1] : memref<2x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.fill ins(%z : f32) outs(%o : memref<64xf32, strided<[1], offset: ?>>)
    scf.for %p = %c0 to %c4 step %c1 {
      %x = memref.subview %X[%p, 0] [1, 64] [1, 1] : memref<4x64xf32> to memref<64xf32, strided<[1], offset: ?>>
      %same = memref.subview %O[%h, 0] [1, 64] [1, 1] : memref<2x64xf32> to memref<64xf32, strided<[1], offset: ?>>
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : memref<64xf32, strided<[1], offset: ?>>) outs(%same : memref<64xf32, strided<[1], offset: ?>>) {
      ^bb0(%a: f32, %s: f32):
        %t = arith.addf %s, %a : f32
        linalg.yield %t : f32
      }
    }
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%o : memref<64xf32, strided<[1], offset: ?>>) {
    ^bb0(%s: f32):
      %t = arith.mulf %s, %half : f32
      linalg.yield %t : f32
    }
  }
  return
}

// -----

#id = affine_map<(i) -> (i)>

// One op that updates a block in place needs no buffer.
// CHECK-LABEL: func.func @once
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @once(%A: memref<64xf32>) attributes {tt.kernel} {
  %half = arith.constant 0.5 : f32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%A : memref<64xf32>) {
  ^bb0(%s: f32):
    %t = arith.mulf %s, %half : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#id = affine_map<(i) -> (i)>
#ij = affine_map<(i, j) -> (i, j)>

// Columns that a loop writes are parts of the buffer, which comes in first; what is no part of one
// block of the cell stays.
// CHECK-LABEL: func.func @parts
// CHECK: %[[B:.*]] = memref.alloc() : memref<32x40xf32, #gpu.address_space<private>>
// CHECK: memref.copy %arg1, %[[B]]
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[V:.*]] = memref.subview %[[B]][0, %[[J]]] [32, 1] [1, 1] : memref<32x40xf32, #gpu.address_space<private>> to memref<32xf32
// CHECK: linalg.generic {{.*}} outs(%[[V]]
// CHECK: linalg.generic {{.*}} outs(%[[B]]
// CHECK: memref.copy %[[B]], %arg1
// CHECK-LABEL: func.func @apart
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @parts(%A: memref<32x40xf32>, %Y: memref<32x40xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  scf.for %j = %c0 to %c40 step %c1 {
    %a = memref.subview %A[0, %j] [32, 1] [1, 1] : memref<32x40xf32> to memref<32xf32, strided<[40], offset: ?>>
    %y = memref.subview %Y[0, %j] [32, 1] [1, 1] : memref<32x40xf32> to memref<32xf32, strided<[40], offset: ?>>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<32xf32, strided<[40], offset: ?>>) outs(%y : memref<32xf32, strided<[40], offset: ?>>) {
    ^bb0(%x: f32, %s: f32):
      %t = math.absf %x : f32
      linalg.yield %t : f32
    }
  }
  linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%Y : memref<32x40xf32>) {
  ^bb0(%s: f32):
    %t = arith.mulf %s, %s : f32
    linalg.yield %t : f32
  }
  return
}
func.func @apart(%Y: memref<64xf32>, %i: index) attributes {tt.kernel} {
  %a = memref.subview %Y[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  %b = memref.subview %Y[%i] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : memref<32xf32, strided<[1]>>) {
  ^bb0(%s: f32):
    %t = arith.mulf %s, %s : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%b : memref<32xf32, strided<[1], offset: ?>>) {
  ^bb0(%s: f32):
    %t = arith.mulf %s, %s : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#id = affine_map<(i) -> (i)>

// What the first op reads comes with a copy.
// CHECK-LABEL: func.func @comes_in
// CHECK: %[[B:.*]] = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
// CHECK: memref.copy %arg0, %[[B]]
// CHECK: linalg.generic {{.*}} outs(%[[B]]
// CHECK: linalg.generic {{.*}} outs(%[[B]]
// CHECK: memref.copy %[[B]], %arg0
func.func @comes_in(%A: memref<64xf32>) attributes {tt.kernel} {
  %half = arith.constant 0.5 : f32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%A : memref<64xf32>) {
  ^bb0(%s: f32):
    %t = arith.mulf %s, %half : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%A : memref<64xf32>) {
  ^bb0(%s: f32):
    %t = arith.addf %s, %half : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#id = affine_map<(i) -> (i)>
#rest = affine_map<(i) -> (32, -i + 40)>

// A block that ends with its tensor: the buffer is as long.
// CHECK-LABEL: func.func @rest
// CHECK: %[[N:.*]] = affine.min
// CHECK: %[[B:.*]] = memref.alloc(%[[N]]) : memref<?xf32, #gpu.address_space<private>>
// CHECK: memref.copy %{{.*}}, %[[B]]
// CHECK: linalg.generic {{.*}} outs(%[[B]]
// CHECK: linalg.generic {{.*}} outs(%[[B]]
// CHECK: memref.copy %[[B]]
func.func @rest(%O: memref<40xf32>) attributes {tt.kernel} {
  scf.forall (%i) = (0) to (40) step (32) {
    %n = affine.min #rest(%i)
    %o = memref.subview %O[%i] [%n] [1] : memref<40xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%o : memref<?xf32, strided<[1], offset: ?>>) {
    ^bb0(%s: f32):
      %t = arith.mulf %s, %s : f32
      linalg.yield %t : f32
    }
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%o : memref<?xf32, strided<[1], offset: ?>>) {
    ^bb0(%s: f32):
      %t = arith.addf %s, %s : f32
      linalg.yield %t : f32
    }
  }
  return
}

// -----

// What a step changes of the block goes on in a buffer, which takes in what the tensor held.
// CHECK-LABEL: func.func @steps
// CHECK: %[[B:.*]] = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
// CHECK: memref.copy %arg1, %[[B]]
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%[[B]] :
// CHECK: memref.copy %[[B]], %arg1
func.func @steps(%A: memref<8xf32>, %Y: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.subview %A[%i] [1] [1] : memref<8xf32> to memref<f32, strided<[], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : memref<f32, strided<[], offset: ?>>) outs(%Y : memref<64xf32>) {
    ^bb0(%a: f32, %y: f32):
      %s = arith.mulf %y, %a : f32
      linalg.yield %s : f32
    }
  }
  return
}

// -----

// Elements of which each step has its own are of one buffer, of the row that the cell has alone.
// CHECK-LABEL: func.func @row
// CHECK: %[[B:.*]] = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
// CHECK: %[[ROW:.*]] = memref.subview %arg0[%{{.*}}, 0] [1, 64] [1, 1]
// CHECK: memref.copy %[[ROW]], %[[B]]
// CHECK: scf.for
// CHECK-DAG: memref.subview %[[B]]
// CHECK-DAG: memref.subview %[[B]]
// CHECK: memref.copy %[[B]]
// CHECK-LABEL: func.func @column
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @row(%Y: memref<4x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  scf.forall (%r) in (4) {
    scf.for %i = %c0 to %c63 step %c1 {
      %n = arith.addi %i, %c1 : index
      %x = memref.subview %Y[%r, %i] [1, 1] [1, 1] : memref<4x64xf32> to memref<f32, strided<[], offset: ?>>
      %y = memref.subview %Y[%r, %n] [1, 1] [1, 1] : memref<4x64xf32> to memref<f32, strided<[], offset: ?>>
      memref.copy %x, %y : memref<f32, strided<[], offset: ?>> to memref<f32, strided<[], offset: ?>>
    }
  }
  return
}

// No cell has the column alone: another one may write to it.
func.func @column(%Y: memref<4x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.forall (%r) in (64) {
    scf.for %i = %c0 to %c3 step %c1 {
      %n = arith.addi %i, %c1 : index
      %x = memref.subview %Y[%i, 0] [1, 1] [1, 1] : memref<4x64xf32> to memref<f32, strided<[], offset: ?>>
      %y = memref.subview %Y[%n, 0] [1, 1] [1, 1] : memref<4x64xf32> to memref<f32, strided<[], offset: ?>>
      memref.copy %x, %y : memref<f32, strided<[], offset: ?>> to memref<f32, strided<[], offset: ?>>
    }
  }
  return
}

// A row that may lie behind the block that others write is of one buffer with it: all of the tensor.
// CHECK-LABEL: func.func @behind
// CHECK: memref.alloc() : memref<20x64xf32, #gpu.address_space<private>>
// CHECK-NOT: memref.alloc
func.func @behind(%A: memref<64xf32>, %C: memref<20x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c20 step %c1 {
    %all = memref.subview %C[0, 0] [19, 64] [1, 1] : memref<20x64xf32> to memref<19x64xf32, strided<[64, 1]>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%A : memref<64xf32>) outs(%all : memref<19x64xf32, strided<[64, 1]>>) {
      ^bb0(%e: f32, %o: f32):
        %r = arith.addf %e, %o : f32
        linalg.yield %r : f32
    }
    %row = memref.subview %C[%i, 0] [1, 64] [1, 1] : memref<20x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.negf ins(%row : memref<64xf32, strided<[1], offset: ?>>) outs(%row : memref<64xf32, strided<[1], offset: ?>>)
  }
  return
}

// Each step has a row of its own, which it reads again: it is kept until the step ends.
// CHECK-LABEL: func.func @own
// CHECK: scf.for
// CHECK-COUNT-2: memref.subview
// CHECK-NEXT: %[[B:.*]] = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
// CHECK: %[[V:.*]] = memref.subview
// CHECK-NEXT: memref.copy %[[B]], %[[V]]
// CHECK-NEXT: }
func.func @own(%A: memref<20x64xf32>, %C: memref<20x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c20 step %c1 {
    %a = memref.subview %A[%i, 0] [1, 64] [1, 1] : memref<20x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %row = memref.subview %C[%i, 0] [1, 64] [1, 1] : memref<20x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.exp ins(%a : memref<64xf32, strided<[1], offset: ?>>) outs(%row : memref<64xf32, strided<[1], offset: ?>>)
    linalg.negf ins(%row : memref<64xf32, strided<[1], offset: ?>>) outs(%row : memref<64xf32, strided<[1], offset: ?>>)
  }
  return
}

// -----

// A sum goes on in a buffer with what the block held before the loop; what a fill begins goes on without, and so does a block of
// each step.
// CHECK-LABEL: func.func @onto
// CHECK: %[[B:.*]] = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
// CHECK: memref.copy %arg2, %[[B]]
// CHECK: scf.for
// CHECK: linalg.matmul {{.*}} outs(%[[B]]
// CHECK-NEXT: linalg.matmul {{.*}} outs(%arg3
// CHECK-NEXT: linalg.matmul {{.*}} outs(%subview
// CHECK-NEXT: }
// CHECK-NEXT: memref.copy %[[B]], %arg2
func.func @onto(%A: memref<64x256xf32>, %B: memref<256x64xf32>, %Y: memref<64x64xf32>, %Z: memref<64x64xf32>, %W: memref<256x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%Z : memref<64x64xf32>)
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [64, 64] [1, 1] : memref<64x256xf32> to memref<64x64xf32, strided<[256, 1], offset: ?>>
    %b = memref.subview %B[%k, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    %w = memref.subview %W[%k, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %b : memref<64x64xf32, strided<[256, 1], offset: ?>>, memref<64x64xf32, strided<[64, 1], offset: ?>>) outs(%Y : memref<64x64xf32>)
    linalg.matmul ins(%a, %b : memref<64x64xf32, strided<[256, 1], offset: ?>>, memref<64x64xf32, strided<[64, 1], offset: ?>>) outs(%Z : memref<64x64xf32>)
    linalg.matmul ins(%a, %b : memref<64x64xf32, strided<[256, 1], offset: ?>>, memref<64x64xf32, strided<[64, 1], offset: ?>>) outs(%w : memref<64x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
