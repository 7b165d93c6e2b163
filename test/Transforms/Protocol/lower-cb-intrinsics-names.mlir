// RUN: tt-opt %s --tt-stage-a --tt-stage-d | FileCheck %s

// A name of emitted code means nothing: what someone has called A_t1 is not the number of tiles in
// a row, by which rows lie apart.
// CHECK: tt.kernel @reader
// CHECK: %[[SIZE:.*]] = tt.runtime_arg "A_d1"
// CHECK: %[[UP:.*]] = arith.addi %[[SIZE]], %c31
// CHECK: %[[TILES:.*]] = arith.divui %[[UP]], %c32{{.*}} {tt.var = "A_t1"}
// CHECK: arith.remui %[[SIZE]], %c2{{.*}} {tt.var = "A_t1"}
// CHECK: scf.for %[[ROW:.*]] = %c0
// CHECK: arith.muli %[[ROW]], %[[TILES]]
// CHECK: metalium.noc_async_read_tile
func.func @rows(%A: memref<64x?xbf16> {tt.name = "A"}, %B: memref<64x32xbf16> {tt.name = "B"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %size = tt.runtime_arg "A_d1" : index
  %odd = arith.remui %size, %c2 {tt.var = "A_t1"} : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %c2 step %c1 {
    %row = arith.muli %i, %c32 : index
    %col = arith.muli %odd, %c32 : index
    tt.read_to_cb %A[%row, %col], %x : memref<64x?xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%row, %c0] : !tt.cb<1x1xbf16>, memref<64x32xbf16>
  }
  return
}
