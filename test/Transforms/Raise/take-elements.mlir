// RUN: tt-opt %s --tt-take-elements | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
// CHECK-DAG: #[[NONE:.*]] = affine_map<(d0, d1) -> ()>

// Elements of a tensor, and what is made of them, come into the body; a scalar argument stays outside.
// An element of a buffer of the core is taken, where nothing has written the buffer since.
// CHECK-LABEL: @slopes
// CHECK: %[[V:.*]] = memref.subview %arg1[%{{.*}}] [1] [1] : memref<4xbf16> to memref<bf16, strided<[], offset: ?>>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[NONE]], #{{.*}}], iterator_types = ["parallel", "parallel"]} ins(%arg0, %[[V]] :
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[S:.*]]: bf16, %{{.*}}: f32):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[S]] : bf16 to f32
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[W]], %arg2 : f32
// CHECK-NEXT: arith.mulf %[[X]], %[[P]]
// CHECK: %[[OLD:.*]] = memref.load %[[B:.*]][%{{.*}}] : memref<4xf32>
// CHECK: %[[W:.*]] = memref.subview %[[B]][%{{.*}}] [1] [1] : memref<4xf32> to memref<f32
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[W]] :
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[S:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: arith.addf %[[X]], %[[S]]
// CHECK: linalg.fill
// CHECK: arith.mulf %{{.*}}, %[[OLD]]
func.func @slopes(%X: memref<64x64xf32>, %S: memref<4xbf16>, %scale: f32, %Y: memref<64x64xf32>, %h: index) attributes {tt.kernel} {
  %s = memref.load %S[%h] : memref<4xbf16>
  %w = arith.extf %s : bf16 to f32
  %p = arith.mulf %w, %scale : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%X : memref<64x64xf32>) outs(%Y : memref<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.mulf %x, %p : f32
    linalg.yield %t : f32
  }
  %b = memref.alloc() : memref<4xf32>
  %l = memref.load %b[%h] : memref<4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%X : memref<64x64xf32>) outs(%Y : memref<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.addf %x, %l : f32
    linalg.yield %t : f32
  }
  linalg.fill ins(%scale : f32) outs(%b : memref<4xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%X : memref<64x64xf32>) outs(%Y : memref<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.mulf %x, %l : f32
    linalg.yield %t : f32
  }
  return
}

// A flag that is computed outside of a body, of indices and of another one, is computed in it.
// CHECK-LABEL: func.func @flags
// CHECK: ^bb0(%[[X:.*]]: f32, %[[O:.*]]: f32):
// CHECK-NEXT: %[[A:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK-NEXT: %[[B:.*]] = arith.ori %[[A]], %{{.*}} : i1
// CHECK-NEXT: arith.select %[[B]], %[[X]], %[[O]] : f32
func.func @flags(%A: memref<4x64xf32>, %C: memref<4x64xf32>, %m: index) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %yes = arith.constant true
  scf.for %i = %c0 to %c4 step %c1 {
    %a = arith.cmpi slt, %i, %m : index
    %b = arith.ori %a, %yes : i1
    %x = memref.subview %A[%i, 0] [1, 64] [1, 1] : memref<4x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %c = memref.subview %C[%i, 0] [1, 64] [1, 1] : memref<4x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : memref<64xf32, strided<[1], offset: ?>>) outs(%c : memref<64xf32, strided<[1], offset: ?>>) {
      ^bb0(%e: f32, %o: f32):
        %r = arith.select %b, %e, %o : f32
        linalg.yield %r : f32
    }
  }
  return
}
