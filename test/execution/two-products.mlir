// Two products of one tensor in a unit, each in steps of its own, with a bias behind each: the writer's processor sends the blocks that
// the reader's fetches, in the order in which they come, and writes the first result between them.
// RUN: tt-opt --tt-pipeline=optimize=merge-steps,share-operands,relay-operands,use-both-movers,read-in-parts %s --remarks-filter=tt-relay-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=RELAYS
// RELAYS: the reader's processor fetches what cores share, and the writer's sends it
// RUN: tt-opt --tt-pipeline=optimize=merge-steps,share-operands,relay-operands,use-both-movers,read-in-parts %s | FileCheck %s --check-prefix=ORDER
// ORDER: tt.kernel @writer
// ORDER-COUNT-3: noc_async_write_multicast_loopback_src
// ORDER: noc_async_write_tile
// ORDER-COUNT-3: noc_async_write_multicast_loopback_src
// ORDER: noc_async_write_tile
// RUN: %if all %{ tt-run %s --check --strict | FileCheck %s %}
// CHECK: q: {{.*}}: ok
// CHECK: k: {{.*}}: ok
#map = affine_map<(d0) -> (d0 * 32)>
#map1 = affine_map<(d0) -> (d0 * 96)>
#map2 = affine_map<(d0) -> (d0 * -32 + 197, 32)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @two(%arg0: memref<768x768xbf16> {tt.name = "wq"}, %arg1: memref<768xf32> {tt.name = "bq"}, %arg2: memref<768x768xbf16> {tt.name = "wk"}, %arg3: memref<768xf32> {tt.name = "bk"}, %arg4: memref<197x768xbf16> {tt.name = "x"}, %arg5: memref<197x768xbf16> {tt.name = "q"}, %arg6: memref<197x768xbf16> {tt.name = "k"}) attributes {tt.kernel} {
    %c256 = arith.constant 256 : index
    %c768 = arith.constant 768 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    scf.forall (%arg7, %arg8) in (7, 8) {
      %0 = affine.apply #map(%arg7)
      %1 = affine.apply #map1(%arg8)
      %2 = affine.min #map2(%arg7)
      %alloc = memref.alloc(%2) {alignment = 64 : i64} : memref<?x96xf32>
      linalg.fill ins(%cst : f32) outs(%alloc : memref<?x96xf32>)
      scf.for %arg9 = %c0 to %c768 step %c256 {
        %subview_4 = memref.subview %arg4[%0, %arg9] [%2, 256] [1, 1] : memref<197x768xbf16> to memref<?x256xbf16, strided<[768, 1], offset: ?>>
        %subview_5 = memref.subview %arg0[%1, %arg9] [96, 256] [1, 1] : memref<768x768xbf16> to memref<96x256xbf16, strided<[768, 1], offset: ?>>
        linalg.contract indexing_maps = [#map3, #map4, #map5] ins(%subview_4, %subview_5 : memref<?x256xbf16, strided<[768, 1], offset: ?>>, memref<96x256xbf16, strided<[768, 1], offset: ?>>) outs(%alloc : memref<?x96xf32>)
      }
      %subview = memref.subview %arg1[%1] [96] [1] : memref<768xf32> to memref<96xf32, strided<[1], offset: ?>>
      %subview_0 = memref.subview %arg5[%0, %1] [%2, 96] [1, 1] : memref<197x768xbf16> to memref<?x96xbf16, strided<[768, 1], offset: ?>>
      linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%alloc, %subview : memref<?x96xf32>, memref<96xf32, strided<[1], offset: ?>>) outs(%subview_0 : memref<?x96xbf16, strided<[768, 1], offset: ?>>) {
      ^bb0(%in: f32, %in_4: f32, %out: bf16):
        %3 = arith.addf %in, %in_4 : f32
        %4 = arith.truncf %3 : f32 to bf16
        linalg.yield %4 : bf16
      }
      %alloc_1 = memref.alloc(%2) {alignment = 64 : i64} : memref<?x96xf32>
      linalg.fill ins(%cst : f32) outs(%alloc_1 : memref<?x96xf32>)
      scf.for %arg9 = %c0 to %c768 step %c256 {
        %subview_4 = memref.subview %arg4[%0, %arg9] [%2, 256] [1, 1] : memref<197x768xbf16> to memref<?x256xbf16, strided<[768, 1], offset: ?>>
        %subview_5 = memref.subview %arg2[%1, %arg9] [96, 256] [1, 1] : memref<768x768xbf16> to memref<96x256xbf16, strided<[768, 1], offset: ?>>
        linalg.contract indexing_maps = [#map3, #map4, #map5] ins(%subview_4, %subview_5 : memref<?x256xbf16, strided<[768, 1], offset: ?>>, memref<96x256xbf16, strided<[768, 1], offset: ?>>) outs(%alloc_1 : memref<?x96xf32>)
      }
      %subview_2 = memref.subview %arg3[%1] [96] [1] : memref<768xf32> to memref<96xf32, strided<[1], offset: ?>>
      %subview_3 = memref.subview %arg6[%0, %1] [%2, 96] [1, 1] : memref<197x768xbf16> to memref<?x96xbf16, strided<[768, 1], offset: ?>>
      linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%alloc_1, %subview_2 : memref<?x96xf32>, memref<96xf32, strided<[1], offset: ?>>) outs(%subview_3 : memref<?x96xbf16, strided<[768, 1], offset: ?>>) {
      ^bb0(%in: f32, %in_4: f32, %out: bf16):
        %3 = arith.addf %in, %in_4 : f32
        %4 = arith.truncf %3 : f32 to bf16
        linalg.yield %4 : bf16
      }
    }
    return
  }
}
