// RUN: tt-opt --tt-pipeline=optimize=read-in-parts --canonicalize --cse %examples/eadd.mlir --remarks-filter=tt-read-in-parts 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE-COUNT-2: a block is read in 2 parts

// Both operands part by part, behind one barrier.
// CHECK: tt.kernel @reader
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK-NEXT: metalium.cb_reserve_back %[[A:.*]], %c8
// CHECK-NEXT: metalium.cb_reserve_back %[[B:.*]], %c8
// CHECK-COUNT-2: metalium.noc_async_read_tile
// CHECK: metalium.noc_async_read_barrier
// CHECK-NEXT: metalium.cb_push_back %[[A]], %c8
// CHECK-NEXT: metalium.cb_push_back %[[B]], %c8
// CHECK: tt.kernel @compute

// Half a block at a time where an op takes it again after another has taken all of it, since no write joins its reads.
// RUN: sed 's/256/1024/g' %examples/softmax.mlir | tt-opt --tt-pipeline=optimize=read-in-parts --remarks-filter=tt-read-in-parts 2>&1 >/dev/null | FileCheck %s --check-prefix=AGAIN
// AGAIN: a block is read in 2 parts

// What a product takes, and what cores share, stays whole.
// RUN: tt-opt --tt-pipeline=optimize=read-in-parts %s --remarks-filter=tt-read-in-parts 2>&1 >/dev/null | FileCheck %s --check-prefix=WHOLE
// WHOLE: a block is read as a whole: cores share it
// WHOLE-COUNT-2: a block is read as a whole: a product takes its tiles again and again
#ij = affine_map<(i, j) -> (i, j)>
func.func @same_for_all(%A: memref<128x128xbf16> {tt.name = "A"}, %C: memref<8192x128xbf16> {tt.name = "C"})
    attributes {tt.kernel} {
  %c128 = arith.constant 128 : index
  scf.forall (%by) in (64) {
    %m = arith.muli %by, %c128 : index
    %c = memref.subview %C[%m, 0] [128, 128] [1, 1] : memref<8192x128xbf16> to memref<128x128xbf16, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%A : memref<128x128xbf16>) outs(%c : memref<128x128xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%a: bf16, %old: bf16):
        %r = math.exp %a : bf16
        linalg.yield %r : bf16
    }
  }
  return
}

func.func @product(%A: memref<128x128xbf16>, %B: memref<128x128xbf16>, %C: memref<128x128xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %a = tt.alloc_cb "a" : !tt.cb<4x4xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<4x4xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<4x4xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<128x128xbf16>, !tt.cb<4x4xbf16>
  tt.read_to_cb %B[%c0, %c0], %b : memref<128x128xbf16>, !tt.cb<4x4xbf16>
  tt.mm.mma %a, %b, dst = 0, accumulate = %no : !tt.cb<4x4xbf16>, !tt.cb<4x4xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x4xbf16>, memref<128x128xbf16>
  return
}
