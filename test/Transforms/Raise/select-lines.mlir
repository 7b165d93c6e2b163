// RUN: tt-opt %s --tt-select-lines | FileCheck %s

// A row is put among those of a buffer, which are zero where nobody says what they are.
// CHECK-LABEL: func.func @put
// CHECK: %[[S:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[S]]
// CHECK: scf.for %[[I:.*]] =
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : memref<64xf32>) outs(%[[S]]
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[OLD:.*]]: f32):
// CHECK-NEXT: %[[R:.*]] = linalg.index 0
// CHECK-NEXT: %[[IS:.*]] = arith.cmpi eq, %[[R]], %[[I]]
// CHECK-NEXT: arith.select %[[IS]], %[[X]], %[[OLD]] : f32
func.func @put(%A: memref<64xf32>, %C: memref<64x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %s = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.alloc() : memref<64xf32>
    linalg.exp ins(%A : memref<64xf32>) outs(%x : memref<64xf32>)
    %v = memref.subview %s[%i, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %x, %v : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>>
  }
  memref.copy %s, %C : memref<64x64xf32> to memref<64x64xf32>
  return
}

// One that is filled already is not filled again; a column.
// CHECK-LABEL: func.func @column
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT: linalg.fill
// CHECK: linalg.index 1
func.func @column(%X: memref<64x1xf32>, %C: memref<64x64xf32>, %i: index) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %x = memref.alloc() : memref<64x1xf32>
  linalg.fill ins(%one : f32) outs(%s : memref<64x64xf32>)
  memref.copy %X, %x : memref<64x1xf32> to memref<64x1xf32>
  %v = memref.subview %s[0, %i] [64, 1] [1, 1] : memref<64x64xf32> to memref<64x1xf32, strided<[64, 1], offset: ?>>
  memref.copy %x, %v : memref<64x1xf32> to memref<64x1xf32, strided<[64, 1], offset: ?>>
  memref.copy %s, %C : memref<64x64xf32> to memref<64x64xf32>
  return
}

// One is taken as the largest of itself and what is below all numbers.
// CHECK-LABEL: func.func @take
// CHECK: %[[LOW:.*]] = arith.constant 0xFF80 : bf16
// CHECK: linalg.fill ins(%[[LOW]] : bf16) outs(%[[X:.*]] : memref<1x64xbf16>)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} {{.*}} outs(%[[X]]
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[LOW]] : bf16
// CHECK: arith.maximumf
func.func @take(%A: memref<64x64xbf16>, %C: memref<1x64xbf16>, %i: index) attributes {tt.kernel} {
  %s = memref.alloc() : memref<64x64xbf16>
  %x = memref.alloc() : memref<1x64xbf16>
  linalg.exp ins(%A : memref<64x64xbf16>) outs(%s : memref<64x64xbf16>)
  %v = memref.subview %s[%i, 0] [1, 64] [1, 1] : memref<64x64xbf16> to memref<1x64xbf16, strided<[64, 1], offset: ?>>
  memref.copy %v, %x : memref<1x64xbf16, strided<[64, 1], offset: ?>> to memref<1x64xbf16>
  memref.copy %x, %C : memref<1x64xbf16> to memref<1x64xbf16>
  return
}

// Several rows inside of tiles go one after the other, whole tiles before them at once; those that
// begin with a tile are taken as they are.
// CHECK-LABEL: func.func @several
// CHECK: scf.for %[[Q:.*]] = %{{.*}} to %c2 step
// CHECK: %[[AT:.*]] = arith.addi %arg2, %[[Q]]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK: arith.cmpi eq, %{{.*}}, %[[AT]]
// CHECK: memref.copy %{{.*}} : memref<32x64xf32, strided<[64, 1]>> to memref<32x64xf32>
// CHECK: memref.copy %{{.*}} : memref<32x64xf32> to memref<32x64xf32, strided<[64, 1]>>
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK: memref.copy %{{.*}} : memref<35x64xf32, strided<[64, 1]>> to memref<35x64xf32>
func.func @several(%A: memref<40x64xf32>, %C: memref<35x64xf32>, %i: index) attributes {tt.kernel} {
  %s = memref.alloc() : memref<40x64xf32>
  %x = memref.alloc() : memref<2x64xf32>
  %y = memref.alloc() : memref<35x64xf32>
  linalg.exp ins(%A : memref<40x64xf32>) outs(%s : memref<40x64xf32>)
  %two = memref.subview %s[%i, 0] [2, 64] [1, 1] : memref<40x64xf32> to memref<2x64xf32, strided<[64, 1], offset: ?>>
  memref.copy %x, %two : memref<2x64xf32> to memref<2x64xf32, strided<[64, 1], offset: ?>>
  %first = memref.subview %s[0, 0] [35, 64] [1, 1] : memref<40x64xf32> to memref<35x64xf32, strided<[64, 1]>>
  memref.copy %y, %first : memref<35x64xf32> to memref<35x64xf32, strided<[64, 1]>>
  %z = memref.alloc() : memref<35x64xf32>
  memref.copy %first, %z : memref<35x64xf32, strided<[64, 1]>> to memref<35x64xf32>
  memref.copy %z, %C : memref<35x64xf32> to memref<35x64xf32>
  return
}

// Whole tiles, and parts of rows, stay as they are.
// CHECK-LABEL: func.func @others
// CHECK-NOT: linalg.generic
// CHECK-COUNT-2: memref.copy
func.func @others(%i: index) attributes {tt.kernel} {
  %s = memref.alloc() : memref<33x64xf32>
  %x = memref.alloc() : memref<1x64xf32>
  %z = memref.alloc() : memref<1x32xf32>
  %last = memref.subview %s[32, 0] [1, 64] [1, 1] : memref<33x64xf32> to memref<1x64xf32, strided<[64, 1], offset: 2048>>
  memref.copy %x, %last : memref<1x64xf32> to memref<1x64xf32, strided<[64, 1], offset: 2048>>
  %half = memref.subview %s[%i, 0] [1, 32] [1, 1] : memref<33x64xf32> to memref<1x32xf32, strided<[64, 1], offset: ?>>
  memref.copy %z, %half : memref<1x32xf32> to memref<1x32xf32, strided<[64, 1], offset: ?>>
  return
}

// A window, less than all along both dimensions, goes along one after the other: rows from one on,
// and of these columns; to write it, they are put among what the rows hold.
// CHECK-LABEL: func.func @window
// CHECK: %[[T:.*]] = memref.alloc() : memref<18x34xf32>
// CHECK: scf.for %{{.*}} to %c18{{.*}} step
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]}
// CHECK: outs(%[[T]]
// CHECK: scf.for %{{.*}} to %c32{{.*}} step
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[T]]
// CHECK: %[[U:.*]] = memref.alloc() : memref<18x34xf32>
// CHECK: scf.for %{{.*}} to %c18{{.*}} step
// CHECK: scf.for %{{.*}} to %c32{{.*}} step
// CHECK: outs(%[[U]]
// CHECK: scf.for %{{.*}} to %c18{{.*}} step
func.func @window(%A: memref<20x34xf32>, %C: memref<20x34xf32>) attributes {tt.kernel} {
  %s = memref.alloc() : memref<20x34xf32>
  %x = memref.alloc() : memref<18x32xf32>
  linalg.exp ins(%A : memref<20x34xf32>) outs(%s : memref<20x34xf32>)
  %v = memref.subview %s[1, 2] [18, 32] [1, 1] : memref<20x34xf32> to memref<18x32xf32, strided<[34, 1], offset: 36>>
  memref.copy %v, %x : memref<18x32xf32, strided<[34, 1], offset: 36>> to memref<18x32xf32>
  %w = memref.subview %s[1, 1] [18, 32] [1, 1] : memref<20x34xf32> to memref<18x32xf32, strided<[34, 1], offset: 35>>
  memref.copy %x, %w : memref<18x32xf32> to memref<18x32xf32, strided<[34, 1], offset: 35>>
  memref.copy %s, %C : memref<20x34xf32> to memref<20x34xf32>
  return
}
