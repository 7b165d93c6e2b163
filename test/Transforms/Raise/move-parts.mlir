// RUN: tt-opt %s --tt-move-parts | FileCheck %s

// A part of what is loaded is loaded by itself.
// CHECK-LABEL: func.func @part
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK: %[[V:.*]] = memref.subview %{{.*}}[0, 32] [32, 32] [1, 1]
// CHECK: memref.copy %[[V]], %[[OWN]]
// CHECK: linalg.exp ins(%[[OWN]]
func.func @part(%A: memref<32x64xf32>, %C: memref<32x32xf32>, %D: memref<32x64xf32>) attributes {tt.kernel} {
  %s = memref.alloc() : memref<32x64xf32, #gpu.address_space<workgroup>>
  memref.copy %A, %s : memref<32x64xf32> to memref<32x64xf32, #gpu.address_space<workgroup>>
  %v = memref.subview %s[0, 32] [32, 32] [1, 1] : memref<32x64xf32, #gpu.address_space<workgroup>>
      to memref<32x32xf32, strided<[64, 1], offset: 32>, #gpu.address_space<workgroup>>
  linalg.exp ins(%v : memref<32x32xf32, strided<[64, 1], offset: 32>, #gpu.address_space<workgroup>>) outs(%C : memref<32x32xf32>)
  linalg.exp ins(%s : memref<32x64xf32, #gpu.address_space<workgroup>>) outs(%D : memref<32x64xf32>)
  return
}

// A row at an index of a loop is loaded where the index is known, and the buffer is not.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for %[[T:.*]] =
// CHECK-NEXT: %[[X:.*]] = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: %[[R:.*]] = memref.subview %arg0[%[[T]], 0] [1, 64] [1, 1]
// CHECK-NEXT: memref.copy %[[R]], %[[X]]
// CHECK-NEXT: %[[C:.*]] = memref.subview %arg1[%[[T]], 0] [1, 64] [1, 1]
// CHECK-NEXT: linalg.exp ins(%[[X]] {{.*}} outs(%[[C]]
// CHECK-NOT: memref.copy
!b = memref<32x64xf32, #gpu.address_space<workgroup>>
!r = memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
func.func @rows(%A: memref<32x64xf32>, %C: memref<32x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %s = memref.alloc() : !b
  %y = memref.alloc() : !b
  memref.copy %A, %s : memref<32x64xf32> to !b
  scf.for %t = %c0 to %c32 step %c1 {
    %x = memref.subview %s[%t, 0] [1, 64] [1, 1] : !b to !r
    %o = memref.subview %y[%t, 0] [1, 64] [1, 1] : !b to !r
    linalg.exp ins(%x : !r) outs(%o : !r)
  }
  memref.copy %y, %C : !b to memref<32x64xf32>
  return
}

// A part of what is computed is copied before and after what works on it; a part of a part is one.
// CHECK-LABEL: func.func @computed
// CHECK: linalg.exp ins(%arg0 {{.*}} outs(%[[S:alloc.*]] :
// CHECK: %[[P:.*]] = memref.subview %[[S]][0, 32] [32, 32] [1, 1]
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK: memref.copy %[[P]], %[[OWN]]
// CHECK: linalg.exp ins(%[[OWN]] {{.*}} outs(%[[OWN]]
// CHECK: memref.copy %[[OWN]], %[[P]]
!h = memref<32x32xf32, strided<[64, 1], offset: 32>, #gpu.address_space<workgroup>>
func.func @computed(%A: memref<32x64xf32>, %C: memref<32x64xf32>) attributes {tt.kernel} {
  %s = memref.alloc() : !b
  linalg.exp ins(%A : memref<32x64xf32>) outs(%s : !b)
  %all = memref.subview %s[0, 0] [32, 64] [1, 1] : !b to memref<32x64xf32, strided<[64, 1]>, #gpu.address_space<workgroup>>
  %p = memref.subview %all[0, 32] [32, 32] [1, 1] : memref<32x64xf32, strided<[64, 1]>, #gpu.address_space<workgroup>> to !h
  linalg.exp ins(%p : !h) outs(%p : !h)
  memref.copy %s, %C : !b to memref<32x64xf32>
  return
}

// Another value comes between the load and what reads a part: no load of its own.
// CHECK-LABEL: func.func @overwritten
// CHECK: linalg.exp ins(%{{.*}}) outs(%[[S:alloc.*]] :
// CHECK: %[[P:.*]] = memref.subview %[[S]][0, 32]
// CHECK: memref.copy %[[P]], %{{.*}}
func.func @overwritten(%A: memref<32x64xf32>, %C: memref<32x32xf32>) attributes {tt.kernel} {
  %s = memref.alloc() : !b
  memref.copy %A, %s : memref<32x64xf32> to !b
  linalg.exp ins(%s : !b) outs(%s : !b)
  %p = memref.subview %s[0, 32] [32, 32] [1, 1] : !b to !h
  linalg.exp ins(%p : !h) outs(%C : memref<32x32xf32>)
  return
}

// CHECK-LABEL: func.func @left_alone
// CHECK: linalg.exp ins(%subview
func.func @left_alone(%C: memref<32x32xf32>) {
  %s = memref.alloc() : !b
  %p = memref.subview %s[0, 32] [32, 32] [1, 1] : !b to !h
  linalg.exp ins(%p : !h) outs(%C : memref<32x32xf32>)
  return
}

// A part of what is converted as it is loaded is converted by itself.
// CHECK-LABEL: func.func @converted
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
// CHECK: %[[V:.*]] = memref.subview %arg0[32, 0] [32, 64] [1, 1]
// CHECK: linalg.copy ins(%[[V]] {{.*}} outs(%[[OWN]]
// CHECK: linalg.exp ins(%[[OWN]]
func.func @converted(%A: memref<64x64xbf16>, %C: memref<32x64xf32>, %D: memref<64x64xf32>) attributes {tt.kernel} {
  %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
  linalg.copy ins(%A : memref<64x64xbf16>) outs(%s : memref<64x64xf32, #gpu.address_space<private>>)
  %v = memref.subview %s[32, 0] [32, 64] [1, 1] : memref<64x64xf32, #gpu.address_space<private>>
      to memref<32x64xf32, strided<[64, 1], offset: 2048>, #gpu.address_space<private>>
  linalg.exp ins(%v : memref<32x64xf32, strided<[64, 1], offset: 2048>, #gpu.address_space<private>>) outs(%C : memref<32x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32, #gpu.address_space<private>>) outs(%D : memref<64x64xf32>)
  return
}
