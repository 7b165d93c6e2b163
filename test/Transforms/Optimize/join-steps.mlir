// RUN: tt-opt --tt-join-steps %s --split-input-file --remarks-filter=tt-join-steps 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
!a = memref<32x64xbf16, strided<[256, 1], offset: ?>>

// The second sum's buffer, its zeros and its bounds go before the loop; the block that both read is one.
// CHECK-LABEL: func.func @gated
// CHECK: %[[G:.*]] = memref.alloc
// CHECK: linalg.fill {{.*}} outs(%[[G]]
// CHECK: %[[U:.*]] = memref.alloc
// CHECK: linalg.fill {{.*}} outs(%[[U]]
// CHECK: scf.for
// CHECK-NEXT: %[[A:.*]] = memref.subview %arg0
// CHECK-NEXT: %[[B:.*]] = memref.subview %arg1
// CHECK-NEXT: linalg.contract {{.*}} ins(%[[A]], %[[B]] {{.*}} outs(%[[G]]
// CHECK-NEXT: %[[C:.*]] = memref.subview %arg2
// CHECK-NEXT: linalg.contract {{.*}} ins(%[[A]], %[[C]] {{.*}} outs(%[[U]]
// CHECK-NEXT: }
// CHECK-NOT: scf.for
// CHECK: linalg.mul
// REMARK: [Passed]{{.*}}"loop over %k: the steps of two sums of products that read the same are taken in one loop"
func.func @gated(%A: memref<32x256xbf16>, %B: memref<32x256xbf16>, %C: memref<32x256xbf16>, %D: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %gate = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%gate : memref<32x32xf32>)
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %B[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%gate : memref<32x32xf32>)
  }
  %up = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%up : memref<32x32xf32>)
  %again = arith.constant 256 : index
  scf.for %k = %c0 to %again step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %c = memref.subview %C[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %c : !a, !a) outs(%up : memref<32x32xf32>)
  }
  linalg.mul ins(%gate, %up : memref<32x32xf32>, memref<32x32xf32>) outs(%D : memref<32x32xf32>)
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
!a = memref<32x64xbf16, strided<[256, 1], offset: ?>>
!w = memref<96x64xbf16, strided<[256, 1], offset: ?>>
// What goes on with the first sum stays behind the loop, and the second sum passes it.
// CHECK-LABEL: func.func @between
// CHECK: scf.for
// CHECK-COUNT-2: linalg.contract
// CHECK: }
// CHECK-NEXT: memref.copy
// CHECK-NEXT: memref.copy
// CHECK-NOT: scf.for
// REMARK: [Passed]
func.func @between(%A: memref<32x256xbf16>, %B: memref<32x256xbf16>, %C: memref<32x256xbf16>, %D: memref<32x32xf32>, %E: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%first : memref<32x32xf32>)
  %second = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%second : memref<32x32xf32>)
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %B[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%first : memref<32x32xf32>)
  }
  memref.copy %first, %D : memref<32x32xf32> to memref<32x32xf32>
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %C[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%second : memref<32x32xf32>)
  }
  memref.copy %second, %E : memref<32x32xf32> to memref<32x32xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
!a = memref<32x64xbf16, strided<[256, 1], offset: ?>>
!w = memref<96x64xbf16, strided<[256, 1], offset: ?>>
// The second sum begins with the first one.
// CHECK-LABEL: func.func @needs
// CHECK: scf.for
// CHECK: scf.for
// REMARK: two sums of products go on in loops of their own: one needs what is done after the other
func.func @needs(%A: memref<32x256xbf16>, %B: memref<32x256xbf16>, %C: memref<32x256xbf16>, %D: memref<32x32xf32>, %E: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%first : memref<32x32xf32>)
  %second = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%second : memref<32x32xf32>)
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %B[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%first : memref<32x32xf32>)
  }
  memref.copy %first, %second : memref<32x32xf32> to memref<32x32xf32>
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %C[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%second : memref<32x32xf32>)
  }
  memref.copy %first, %D : memref<32x32xf32> to memref<32x32xf32>
  memref.copy %second, %E : memref<32x32xf32> to memref<32x32xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
!a = memref<32x64xbf16, strided<[256, 1], offset: ?>>
!w = memref<96x64xbf16, strided<[256, 1], offset: ?>>
// Both add to one sum, in this order.
// CHECK-LABEL: func.func @one_sum
// CHECK: scf.for
// CHECK: scf.for
// REMARK: one needs what is done after the other
func.func @one_sum(%A: memref<32x256xbf16>, %B: memref<32x256xbf16>, %C: memref<32x256xbf16>, %D: memref<32x32xf32>, %E: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%first : memref<32x32xf32>)
  %second = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%second : memref<32x32xf32>)
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %B[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%first : memref<32x32xf32>)
  }
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %C[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%first : memref<32x32xf32>)
  }
  memref.copy %first, %D : memref<32x32xf32> to memref<32x32xf32>
  memref.copy %second, %E : memref<32x32xf32> to memref<32x32xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
!a = memref<32x64xbf16, strided<[256, 1], offset: ?>>
!w = memref<96x64xbf16, strided<[256, 1], offset: ?>>
// CHECK-LABEL: func.func @wide
// CHECK: scf.for
// CHECK: scf.for
// REMARK: two sums of products go on in loops of their own: DST has no room for all sums, of which a step would pack more than is not fetched again
func.func @wide(%A: memref<32x256xbf16>, %B: memref<96x256xbf16>, %C: memref<96x256xbf16>, %D: memref<32x96xf32>, %E: memref<32x96xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<32x96xf32>
  linalg.fill ins(%zero : f32) outs(%first : memref<32x96xf32>)
  %second = memref.alloc() : memref<32x96xf32>
  linalg.fill ins(%zero : f32) outs(%second : memref<32x96xf32>)
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %B[0, %k] [96, 64] [1, 1] : memref<96x256xbf16> to !w
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !w) outs(%first : memref<32x96xf32>)
  }
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %C[0, %k] [96, 64] [1, 1] : memref<96x256xbf16> to !w
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !w) outs(%second : memref<32x96xf32>)
  }
  memref.copy %first, %D : memref<32x96xf32> to memref<32x96xf32>
  memref.copy %second, %E : memref<32x96xf32> to memref<32x96xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
!a = memref<32x256xbf16, strided<[512, 1], offset: ?>>
!w = memref<96x256xbf16, strided<[512, 1], offset: ?>>
// Six tiles of sums are packed in a step, and eight are not fetched again.
// CHECK-LABEL: func.func @few
// CHECK: scf.for
// CHECK-COUNT-2: linalg.contract
// CHECK-NOT: scf.for
// REMARK: [Passed]
func.func @few(%A: memref<32x512xbf16>, %B: memref<96x512xbf16>, %C: memref<96x512xbf16>, %D: memref<32x96xf32>, %E: memref<32x96xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<32x96xf32>
  linalg.fill ins(%zero : f32) outs(%first : memref<32x96xf32>)
  %second = memref.alloc() : memref<32x96xf32>
  linalg.fill ins(%zero : f32) outs(%second : memref<32x96xf32>)
  scf.for %k = %c0 to %c512 step %c256 {
    %a = memref.subview %A[0, %k] [32, 256] [1, 1] : memref<32x512xbf16> to !a
    %b = memref.subview %B[0, %k] [96, 256] [1, 1] : memref<96x512xbf16> to !w
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !w) outs(%first : memref<32x96xf32>)
  }
  scf.for %k = %c0 to %c512 step %c256 {
    %a = memref.subview %A[0, %k] [32, 256] [1, 1] : memref<32x512xbf16> to !a
    %b = memref.subview %C[0, %k] [96, 256] [1, 1] : memref<96x512xbf16> to !w
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !w) outs(%second : memref<32x96xf32>)
  }
  memref.copy %first, %D : memref<32x96xf32> to memref<32x96xf32>
  memref.copy %second, %E : memref<32x96xf32> to memref<32x96xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
!a = memref<32x64xbf16, strided<[256, 1], offset: ?>>
!w = memref<96x64xbf16, strided<[256, 1], offset: ?>>
// CHECK-LABEL: func.func @apart
// CHECK: scf.for
// CHECK: scf.for
// REMARK: two sums of products go on in loops of their own: they have no block in common
func.func @apart(%A: memref<32x256xbf16>, %B: memref<32x256xbf16>, %C: memref<32x256xbf16>, %D: memref<32x32xf32>, %E: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%first : memref<32x32xf32>)
  %second = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%second : memref<32x32xf32>)
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %B[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%first : memref<32x32xf32>)
  }
  scf.for %k = %c0 to %c256 step %c64 {
    %at = arith.muli %k, %c0 : index
    %a = memref.subview %C[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %B[0, %at] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%second : memref<32x32xf32>)
  }
  memref.copy %first, %D : memref<32x32xf32> to memref<32x32xf32>
  memref.copy %second, %E : memref<32x32xf32> to memref<32x32xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
!a = memref<32x64xbf16, strided<[256, 1], offset: ?>>
!w = memref<96x64xbf16, strided<[256, 1], offset: ?>>
// CHECK-LABEL: func.func @fewer_steps
// CHECK: scf.for
// CHECK: scf.for
// REMARK-NOT: sums of products
func.func @fewer_steps(%A: memref<32x256xbf16>, %B: memref<32x256xbf16>, %C: memref<32x256xbf16>, %D: memref<32x32xf32>, %E: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%first : memref<32x32xf32>)
  %second = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%second : memref<32x32xf32>)
  scf.for %k = %c0 to %c256 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %B[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%first : memref<32x32xf32>)
  }
  scf.for %k = %c0 to %c128 step %c64 {
    %a = memref.subview %A[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    %b = memref.subview %C[0, %k] [32, 64] [1, 1] : memref<32x256xbf16> to !a
    linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !a) outs(%second : memref<32x32xf32>)
  }
  memref.copy %first, %D : memref<32x32xf32> to memref<32x32xf32>
  memref.copy %second, %E : memref<32x32xf32> to memref<32x32xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
!a = memref<?x64xbf16, strided<[128, 1], offset: ?>>
!w = memref<32x64xbf16, strided<[128, 1], offset: ?>>
!d = memref<?x32xf32, strided<[32, 1], offset: ?>>

// Rows of which there are at most 32.
// CHECK-LABEL: func.func @ragged
// CHECK: scf.for
// CHECK-COUNT-2: linalg.contract
// CHECK-NOT: scf.for
// REMARK: the steps of two sums of products that read the same are taken in one loop
func.func @ragged(%A: memref<50x128xbf16>, %B: memref<32x128xbf16>, %C: memref<32x128xbf16>, %D: memref<50x32xf32>, %E: memref<50x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%y) in (2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%y)
    %rows = affine.min affine_map<(d0) -> (d0 * -32 + 50, 32)>(%y)
    %first = memref.alloc(%rows) : memref<?x32xf32>
    linalg.fill ins(%zero : f32) outs(%first : memref<?x32xf32>)
    scf.for %k = %c0 to %c128 step %c64 {
      %a = memref.subview %A[%m, %k] [%rows, 64] [1, 1] : memref<50x128xbf16> to !a
      %b = memref.subview %B[0, %k] [32, 64] [1, 1] : memref<32x128xbf16> to !w
      linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !w) outs(%first : memref<?x32xf32>)
    }
    %second = memref.alloc(%rows) : memref<?x32xf32>
    linalg.fill ins(%zero : f32) outs(%second : memref<?x32xf32>)
    scf.for %k = %c0 to %c128 step %c64 {
      %a = memref.subview %A[%m, %k] [%rows, 64] [1, 1] : memref<50x128xbf16> to !a
      %b = memref.subview %C[0, %k] [32, 64] [1, 1] : memref<32x128xbf16> to !w
      linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : !a, !w) outs(%second : memref<?x32xf32>)
    }
    %d = memref.subview %D[%m, 0] [%rows, 32] [1, 1] : memref<50x32xf32> to !d
    memref.copy %first, %d : memref<?x32xf32> to !d
    %e = memref.subview %E[%m, 0] [%rows, 32] [1, 1] : memref<50x32xf32> to !d
    memref.copy %second, %e : memref<?x32xf32> to !d
  }
  return
}
