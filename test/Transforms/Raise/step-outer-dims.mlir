// RUN: tt-opt %s --tt-step-outer-dims | FileCheck %s

// Tensors are stepped in a loop, with the fill of a sum in each step; a loop that sums goes inside.
// CHECK-LABEL: func.func @batch
// CHECK: scf.for %[[B:.*]] =
// CHECK-NEXT: %[[C:.*]] = memref.subview %arg2[%[[B]], 0, 0] [1, 32, 32] [1, 1, 1]
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[C]]
// CHECK: linalg.generic {indexing_maps = [{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: outs(%[[C]]
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%arg3
// CHECK-NEXT: %{{.*}} = arith.constant
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK-SAME: outs(%arg3
func.func @batch(%A: memref<2x32x64xf32>, %B: memref<2x64x32xf32>, %C: memref<2x32x32xf32>, %D: memref<32x32xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<2x32x32xf32>)
  linalg.batch_matmul ins(%A, %B : memref<2x32x64xf32>, memref<2x64x32xf32>) outs(%C : memref<2x32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%D : memref<32x32xf32>)
  linalg.batch_reduce_matmul ins(%A, %B : memref<2x32x64xf32>, memref<2x64x32xf32>) outs(%D : memref<32x32xf32>)
  return
}

// A buffer of the core is a buffer for each step.
// CHECK-LABEL: func.func @fragment
// CHECK-DAG: %[[X:.*]] = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
// CHECK-DAG: %[[Y:.*]] = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
// CHECK: %[[A:.*]] = memref.subview %arg0[0, 0, 0]
// CHECK: memref.copy %[[A]],
// CHECK: %[[B:.*]] = memref.subview %arg0[1, 0, 0]
// CHECK: memref.copy %[[B]],
// CHECK-COUNT-2: linalg.generic
func.func @fragment(%A: memref<2x32x32xf32>, %C: memref<2x32x32xf32>) attributes {tt.kernel} {
  %x = memref.alloc() : memref<2x32x32xf32, #gpu.address_space<private>>
  memref.copy %A, %x : memref<2x32x32xf32> to memref<2x32x32xf32, #gpu.address_space<private>>
  linalg.exp ins(%x : memref<2x32x32xf32, #gpu.address_space<private>>) outs(%C : memref<2x32x32xf32>)
  return
}

// Views of views.
// CHECK-LABEL: func.func @groups
// CHECK: %[[R:.*]] = arith.remui %arg2, %c64
// CHECK: %[[Q:.*]] = arith.divui %arg2, %c64
// CHECK: memref.subview %arg0[%[[Q]], %[[R]], 0] [1, 32, 32] [1, 1, 1]
// CHECK: %[[S:.*]] = arith.muli %arg2, %c32
// CHECK: memref.subview %arg1[%[[S]], 0] [32, 32] [1, 1]
func.func @groups(%A: memref<2x64x32xf32>, %B: memref<128x32xf32>, %m: index) attributes {tt.kernel} {
  %a = memref.collapse_shape %A [[0, 1], [2]] : memref<2x64x32xf32> into memref<128x32xf32>
  %av = memref.subview %a[%m, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  %b = memref.expand_shape %B [[0, 1], [2]] output_shape [4, 32, 32] : memref<128x32xf32> into memref<4x32x32xf32>
  %bv = memref.subview %b[%m, 0, 0] [1, 32, 32] [1, 1, 1] : memref<4x32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  memref.copy %av, %bv : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  return
}

// What is expanded to several dimensions is stepped, but for the innermost.
// CHECK-LABEL: func.func @heads
// CHECK: scf.for %[[H:.*]] =
// CHECK: memref.subview %arg0[%[[H]], 0] [1, 64] [1, 1]
// CHECK: %[[AT:.*]] = arith.muli %[[H]], %c64
// CHECK: memref.subview %arg1[%[[AT]]] [64] [1]
// CHECK-NOT: expand_shape
func.func @heads(%A: memref<4x64xf32>, %B: memref<256xf32>) attributes {tt.kernel} {
  %b = memref.expand_shape %B [[0, 1]] output_shape [4, 64] : memref<256xf32> into memref<4x64xf32>
  memref.copy %A, %b : memref<4x64xf32> to memref<4x64xf32>
  return
}

// CHECK-LABEL: func.func @left_alone
// CHECK: linalg.batch_matmul
func.func @left_alone(%A: memref<2x32x64xf32>, %B: memref<2x64x32xf32>, %C: memref<2x32x32xf32>) {
  linalg.batch_matmul ins(%A, %B : memref<2x32x64xf32>, memref<2x64x32xf32>) outs(%C : memref<2x32x32xf32>)
  return
}

// A window that slides over a row stays, and is a product of it; all else is stepped.
// CHECK-LABEL: @window
// CHECK: scf.for %[[Y:.*]] = %c0
// CHECK: linalg.fill
// CHECK: scf.for %[[KY:.*]] = %c0
// CHECK: scf.for %[[KX:.*]] = %c0
// CHECK: %[[ROW:.*]] = arith.addi %[[Y]], %[[KY]]
// CHECK: memref.subview %{{.*}}[0, %[[ROW]], %[[KX]], 0] [1, 1, 8, 16] [1, 1, 1, 1] : memref<1x10x10x16xf32> to memref<8x16xf32, strided<[16, 1], offset: ?>>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
func.func @window(%X: memref<1x10x10x16xf32>, %W: memref<3x3x16x8xf32>, %Y: memref<1x8x8x8xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%Y : memref<1x8x8x8xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%X, %W : memref<1x10x10x16xf32>, memref<3x3x16x8xf32>) outs(%Y : memref<1x8x8x8xf32>)
  return
}

// Dimensions of one element take no side, and a buffer of the core is one without them.
// CHECK-LABEL: @units
// CHECK: %[[S:.*]] = memref.alloc() : memref<64x40xf32>
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<64x40xf32, strided<[160, 1], offset: ?>> to
func.func @units(%X: memref<2x64x4x40xf32>, %Y: memref<1x64x1x40xf32>, %h: index) attributes {tt.kernel} {
  %x = memref.subview %X[1, 0, %h, 0] [1, 64, 1, 40] [1, 1, 1, 1] : memref<2x64x4x40xf32> to memref<1x64x1x40xf32, strided<[10240, 160, 40, 1], offset: ?>>
  %s = memref.alloc() : memref<1x64x1x40xf32>
  memref.copy %x, %s : memref<1x64x1x40xf32, strided<[10240, 160, 40, 1], offset: ?>> to memref<1x64x1x40xf32>
  linalg.exp ins(%s : memref<1x64x1x40xf32>) outs(%Y : memref<1x64x1x40xf32>)
  return
}

// Distances of all pairs: the sum goes on by one column a step. A product does not.
// CHECK-LABEL: func.func @pairs
// CHECK: linalg.fill
// CHECK: scf.for %[[K:.*]] =
// CHECK: memref.subview %arg0[0, %[[K]]] [32, 1] [1, 1]
// CHECK: linalg.generic {indexing_maps = [{{.*}}], iterator_types = ["parallel", "parallel"]}
// CHECK: linalg.matmul
func.func @pairs(%A: memref<32x16xf32>, %B: memref<16x16xf32>, %D: memref<32x16xf32>, %P: memref<32x16xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%D : memref<32x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<32x16xf32>, memref<16x16xf32>) outs(%D : memref<32x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %d = arith.subf %a, %b : f32
      %m = math.absf %d : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
  }
  linalg.matmul ins(%A, %B : memref<32x16xf32>, memref<16x16xf32>) outs(%P : memref<32x16xf32>)
  return
}

// -----

// The largest of a table among three loops, of which one is as long as only a run knows.
// CHECK-LABEL: func.func @open_table
// CHECK: scf.for %[[Q:.*]] = %{{.*}} to %{{.*}} step
// CHECK: memref.subview %{{.*}}[%[[Q]]] [1] [1]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
func.func @open_table(%A: memref<40x32xi32>, %T: memref<8xf32>, %n: index, %C: memref<40x32xf32>) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %a = memref.subview %A[0, 0] [%n, 32] [1, 1] : memref<40x32xi32> to memref<?x32xi32, strided<[32, 1]>>
  %c = memref.subview %C[0, 0] [%n, 32] [1, 1] : memref<40x32xf32> to memref<?x32xf32, strided<[32, 1]>>
  linalg.fill ins(%low : f32) outs(%c : memref<?x32xf32, strided<[32, 1]>>)
  linalg.generic {indexing_maps = [affine_map<(i, j, q) -> (i, j)>, affine_map<(i, j, q) -> (q)>, affine_map<(i, j, q) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %T : memref<?x32xi32, strided<[32, 1]>>, memref<8xf32>) outs(%c : memref<?x32xf32, strided<[32, 1]>>) {
  ^bb0(%k: i32, %t: f32, %o: f32):
    %q = linalg.index 2 : index
    %qi = arith.index_cast %q : index to i32
    %is = arith.cmpi eq, %k, %qi : i32
    %v = arith.select %is, %t, %low : f32
    %m = arith.maximumf %o, %v : f32
    linalg.yield %m : f32
  }
  return
}

// Whole steps of dimensions that are collapsed into one: 32 rows are those of eight steps.
// CHECK-LABEL: func.func @whole_steps
// CHECK: %[[B:.*]] = memref.subview %arg0[%{{.*}}, 0, 0] [8, 4, 64]
// CHECK: memref.collapse_shape %[[B]] {{\[\[}}0, 1], [2]]
func.func @whole_steps(%A: memref<64x4x64xf32>, %C: memref<256x64xf32>) attributes {tt.kernel} {
  %a = memref.collapse_shape %A [[0, 1], [2]] : memref<64x4x64xf32> into memref<256x64xf32>
  scf.forall (%b) in (8) {
    %c32 = arith.constant 32 : index
    %m = arith.muli %b, %c32 : index
    %x = memref.subview %a[%m, 0] [32, 64] [1, 1]
      : memref<256x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %y = memref.subview %C[%m, 0] [32, 64] [1, 1]
      : memref<256x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x64xf32, strided<[64, 1], offset: ?>>)
      outs(%y : memref<32x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}

// What a sum gives line by line is summed line by line.
// CHECK-LABEL: func.func @lines
// CHECK-COUNT-4: linalg.generic {{.*}} ins(%{{.*}} : memref<4x16xf32, {{.*}}>) outs(%{{.*}} : memref<4xf32>)
// CHECK-COUNT-4: linalg.generic {{.*}} ins(%{{.*}} : memref<4xf32>) outs(%arg1 : memref<f32>)
func.func @lines(%x: memref<2x2x4x16xf32>, %y: memref<f32>) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x2x4xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<2x2x4xf32>)
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x : memref<2x2x4x16xf32>) outs(%s : memref<2x2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  }
  linalg.fill ins(%z : f32) outs(%y : memref<f32>)
  linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> ()>], iterator_types = ["reduction", "reduction", "reduction"]} ins(%s : memref<2x2x4xf32>) outs(%y : memref<f32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  }
  return
}
