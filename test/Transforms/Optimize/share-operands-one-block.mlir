// RUN: tt-opt --tt-pipeline=optimize=share-operands %s | FileCheck %s
// RUN: tt-opt --tt-pipeline=optimize=share-operands %s | sed /noc_async_writes_flushed/d | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=UNSENT
// UNSENT: error: [rule 16] overwrites a page of cb_in0 that may not have left for other cores yet
// A circular buffer with room for one block: its place is taken again before the other cores say that they have it, so
// that it has to have left.
// CHECK: metalium.noc_async_write_multicast
// CHECK-NEXT: metalium.noc_async_writes_flushed
// CHECK: metalium.noc_semaphore_set_multicast
func.func @one(%A: memref<64x128xf32>, %B: memref<256x128xf32>, %C: memref<64x256xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.forall (%y, %x) in (2, 8) {
    %m = arith.muli %y, %c32 : index
    %n = arith.muli %x, %c32 : index
    %sa = memref.alloc() : memref<32x32xf32, 1>
    %sb = memref.alloc() : memref<32x32xf32, 1>
    %acc = memref.alloc() : memref<32x32xf32, 2>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32, 2>)
    scf.for %k = %c0 to %c128 step %c32 {
      %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<64x128xf32> to memref<32x32xf32, strided<[128, 1], offset: ?>>
      memref.copy %a, %sa : memref<32x32xf32, strided<[128, 1], offset: ?>> to memref<32x32xf32, 1>
      %b = memref.subview %B[%n, %k] [32, 32] [1, 1] : memref<256x128xf32> to memref<32x32xf32, strided<[128, 1], offset: ?>>
      memref.copy %b, %sb : memref<32x32xf32, strided<[128, 1], offset: ?>> to memref<32x32xf32, 1>
      linalg.matmul indexing_maps = [affine_map<(i, j, l) -> (i, l)>, affine_map<(i, j, l) -> (j, l)>, affine_map<(i, j, l) -> (i, j)>]
        ins(%sa, %sb : memref<32x32xf32, 1>, memref<32x32xf32, 1>) outs(%acc : memref<32x32xf32, 2>)
    } {tt.num_stages = 1 : i64}
    %c = memref.subview %C[%m, %n] [32, 32] [1, 1] : memref<64x256xf32> to memref<32x32xf32, strided<[256, 1], offset: ?>>
    memref.copy %acc, %c : memref<32x32xf32, 2> to memref<32x32xf32, strided<[256, 1], offset: ?>>
  }
  return
}
