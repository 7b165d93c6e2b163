// A long block that the engine takes after it has packed a result does not have the blocks before it wait: its read starts before
// they are sent, and they are there without it. What follows it comes with it.
// RUN: tt-opt --tt-pipeline=optimize=fetch-once,share-operands --canonicalize --cse %s | FileCheck %s
// CHECK: tt.kernel @reader
// CHECK: metalium.cb_reserve_back %[[X:.*]], %c16
// CHECK-NEXT: metalium.cb_reserve_back %[[U:.*]], %c32
// CHECK-NOT: metalium.cb_reserve_back
// CHECK: metalium.noc_async_read_barrier
// CHECK-NEXT: metalium.cb_reserve_back %[[V:.*]], %c32
// CHECK-NEXT: metalium.cb_reserve_back %[[B:.*]], %c2
// CHECK: metalium.noc_async_read_tile
// CHECK: metalium.noc_async_write_multicast
// CHECK: metalium.cb_push_back %[[X]], %c16
// CHECK: metalium.cb_push_back %[[U]], %c32
// CHECK-NEXT: metalium.noc_async_read_barrier
// CHECK-NOT: metalium.cb_reserve_back
// CHECK: metalium.noc_async_write_multicast
// CHECK: metalium.cb_push_back %[[V]], %c32
// CHECK: metalium.cb_push_back %[[B]], %c2
// CHECK: tt.kernel @compute

// RUN: %if all %{ tt-run %s --optimize=none --output Y=%t.none.npy --output Z=%t.z.none.npy %}
// RUN: %if all %{ tt-run %s --check --strict --output Y=%t.all.npy --output Z=%t.z.all.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.all.npy && cmp %t.z.none.npy %t.z.all.npy %}
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole --metalium-api=2025 %}
#rows = affine_map<(i, j, k) -> (i, k)>
#weights = affine_map<(i, j, k) -> (j, k)>
#out = affine_map<(i, j, k) -> (i, j)>
func.func @two(%x: memref<256x512xbf16> {tt.name = "x"}, %u: memref<512x512xbf16> {tt.name = "u"}, %v: memref<512x512xbf16> {tt.name = "v"},
               %b: memref<512xf32> {tt.name = "b"}, %Y: memref<256x512xf32> {tt.name = "Y"}, %Z: memref<256x512xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i, %j) in (8, 8) {
    %m = arith.muli %i, %c32 : index
    %n = arith.muli %j, %c64 : index
    %xs = memref.subview %x[%m, 0] [32, 512] [1, 1] : memref<256x512xbf16> to memref<32x512xbf16, strided<[512, 1], offset: ?>>
    %us = memref.subview %u[%n, 0] [64, 512] [1, 1] : memref<512x512xbf16> to memref<64x512xbf16, strided<[512, 1], offset: ?>>
    %vs = memref.subview %v[%n, 0] [64, 512] [1, 1] : memref<512x512xbf16> to memref<64x512xbf16, strided<[512, 1], offset: ?>>
    %bs = memref.subview %b[%n] [64] [1] : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>>
    %ys = memref.subview %Y[%m, %n] [32, 64] [1, 1] : memref<256x512xf32> to memref<32x64xf32, strided<[512, 1], offset: ?>>
    %zs = memref.subview %Z[%m, %n] [32, 64] [1, 1] : memref<256x512xf32> to memref<32x64xf32, strided<[512, 1], offset: ?>>
    %p = memref.alloc() : memref<32x64xf32>
    linalg.fill ins(%zero : f32) outs(%p : memref<32x64xf32>)
    linalg.contract indexing_maps = [#rows, #weights, #out] ins(%xs, %us : memref<32x512xbf16, strided<[512, 1], offset: ?>>, memref<64x512xbf16, strided<[512, 1], offset: ?>>)
                    outs(%p : memref<32x64xf32>)
    linalg.copy ins(%p : memref<32x64xf32>) outs(%ys : memref<32x64xf32, strided<[512, 1], offset: ?>>)
    %q = memref.alloc() : memref<32x64xf32>
    linalg.fill ins(%zero : f32) outs(%q : memref<32x64xf32>)
    linalg.contract indexing_maps = [#rows, #weights, #out] ins(%xs, %vs : memref<32x512xbf16, strided<[512, 1], offset: ?>>, memref<64x512xbf16, strided<[512, 1], offset: ?>>)
                    outs(%q : memref<32x64xf32>)
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%q, %bs : memref<32x64xf32>, memref<64xf32, strided<[1], offset: ?>>) outs(%zs : memref<32x64xf32, strided<[512, 1], offset: ?>>) {
    ^bb0(%s: f32, %t: f32, %o: f32):
      %sum = arith.addf %s, %t : f32
      linalg.yield %sum : f32
    }
  }
  return
}
