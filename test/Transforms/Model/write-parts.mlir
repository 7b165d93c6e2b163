// RUN: tt-opt --tt-write-parts %s | FileCheck %s

// The second half is written where it goes; its tensor and the copy are gone.
// CHECK-LABEL: func.func @halves
// CHECK: %[[WHOLE:.*]] = memref.alloc() : memref<4x64x64xf32>
// CHECK-NOT: memref.alloc
// CHECK: scf.forall (%[[H:.*]], %[[M:.*]]) in (4, 2)
// CHECK: memref.subview %[[WHOLE]][%[[H]], %{{.*}}, 0] [1, 32, 32]
// CHECK: %[[PART:.*]] = memref.subview %[[WHOLE]][%[[H]], %{{.*}}, 32] [1, 32, 32] [1, 1, 1] : memref<4x64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
// CHECK: linalg.abs {{.*}} outs(%[[PART]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @halves(%x: memref<4x64x32xf32>) -> memref<4x64x64xf32> attributes {tt.model} {
  %part = memref.alloc() : memref<4x64x32xf32>
  %whole = memref.alloc() : memref<4x64x64xf32>
  scf.forall (%h, %m) in (4, 2) {
    %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%m)
    %in = memref.subview %x[%h, %at, 0] [1, 32, 32] [1, 1, 1] : memref<4x64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %a = memref.subview %whole[%h, %at, 0] [1, 32, 32] [1, 1, 1] : memref<4x64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    linalg.negf ins(%in : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%a : memref<32x32xf32, strided<[64, 1], offset: ?>>)
    %b = memref.subview %part[%h, %at, 0] [1, 32, 32] [1, 1, 1] : memref<4x64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.abs ins(%in : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%b : memref<32x32xf32, strided<[32, 1], offset: ?>>)
  }
  %to = memref.subview %whole[0, 0, 32] [4, 64, 32] [1, 1, 1] : memref<4x64x64xf32> to memref<4x64x32xf32, strided<[4096, 64, 1], offset: 32>>
  memref.copy %part, %to : memref<4x64x32xf32> to memref<4x64x32xf32, strided<[4096, 64, 1], offset: 32>>
  return %whole : memref<4x64x64xf32>
}

// The tensor that it goes into is made before the grid, where it was made behind it.
// CHECK-LABEL: func.func @made_behind
// CHECK: %[[WHOLE:.*]] = memref.alloc() : memref<128x64xf32>
// CHECK-NEXT: scf.forall
// CHECK: memref.subview %[[WHOLE]][%{{.*}}, 0] [32, 64] [1, 1] : memref<128x64xf32>
// CHECK-NOT: memref.copy
func.func @made_behind(%x: memref<64x64xf32>) -> memref<128x64xf32> attributes {tt.model} {
  %part = memref.alloc() : memref<64x64xf32>
  scf.forall (%m) in (2) {
    %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%m)
    %in = memref.subview %x[%at, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %b = memref.subview %part[%at, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.abs ins(%in : memref<32x64xf32, strided<[64, 1], offset: ?>>) outs(%b : memref<32x64xf32, strided<[64, 1], offset: ?>>)
  }
  %whole = memref.alloc() : memref<128x64xf32>
  %to = memref.subview %whole[64, 0] [64, 64] [1, 1] : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 4096>>
  memref.copy %part, %to : memref<64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 4096>>
  return %whole : memref<128x64xf32>
}

// Rows inside of tiles, a part that the grid reads meanwhile, one that is used later, and one that
// is written in between, are copied.
// CHECK-LABEL: func.func @inside_of_tiles
// CHECK: memref.copy
func.func @inside_of_tiles(%x: memref<64x64xf32>, %whole: memref<65x64xf32>) attributes {tt.model} {
  %part = memref.alloc() : memref<64x64xf32>
  scf.forall (%m) in (2) {
    %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%m)
    %in = memref.subview %x[%at, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %b = memref.subview %part[%at, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.abs ins(%in : memref<32x64xf32, strided<[64, 1], offset: ?>>) outs(%b : memref<32x64xf32, strided<[64, 1], offset: ?>>)
  }
  %to = memref.subview %whole[1, 0] [64, 64] [1, 1] : memref<65x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 64>>
  memref.copy %part, %to : memref<64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 64>>
  return
}

// CHECK-LABEL: func.func @read_meanwhile
// CHECK: memref.copy
func.func @read_meanwhile(%whole: memref<128x64xf32>) attributes {tt.model} {
  %part = memref.alloc() : memref<64x64xf32>
  scf.forall (%m) in (2) {
    %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%m)
    %in = memref.subview %whole[%at, 0] [32, 64] [1, 1] : memref<128x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %b = memref.subview %part[%at, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.abs ins(%in : memref<32x64xf32, strided<[64, 1], offset: ?>>) outs(%b : memref<32x64xf32, strided<[64, 1], offset: ?>>)
  }
  %to = memref.subview %whole[64, 0] [64, 64] [1, 1] : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 4096>>
  memref.copy %part, %to : memref<64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 4096>>
  return
}

// CHECK-LABEL: func.func @used_later
// CHECK: memref.copy
func.func @used_later(%x: memref<64x64xf32>, %whole: memref<128x64xf32>) -> memref<64x64xf32> attributes {tt.model} {
  %part = memref.alloc() : memref<64x64xf32>
  scf.forall (%m) in (2) {
    %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%m)
    %in = memref.subview %x[%at, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %b = memref.subview %part[%at, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.abs ins(%in : memref<32x64xf32, strided<[64, 1], offset: ?>>) outs(%b : memref<32x64xf32, strided<[64, 1], offset: ?>>)
  }
  %to = memref.subview %whole[64, 0] [64, 64] [1, 1] : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 4096>>
  memref.copy %part, %to : memref<64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 4096>>
  return %part : memref<64x64xf32>
}

// CHECK-LABEL: func.func @written_between
// CHECK: memref.copy
func.func @written_between(%x: memref<64x64xf32>, %whole: memref<128x64xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %part = memref.alloc() : memref<64x64xf32>
  scf.forall (%m) in (2) {
    %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%m)
    %in = memref.subview %x[%at, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %b = memref.subview %part[%at, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.abs ins(%in : memref<32x64xf32, strided<[64, 1], offset: ?>>) outs(%b : memref<32x64xf32, strided<[64, 1], offset: ?>>)
  }
  linalg.fill ins(%zero : f32) outs(%whole : memref<128x64xf32>)
  %to = memref.subview %whole[64, 0] [64, 64] [1, 1] : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 4096>>
  memref.copy %part, %to : memref<64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 4096>>
  return
}
