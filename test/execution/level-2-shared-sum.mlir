// REQUIRES: all
// RUN: tt-run %s --seed 5 --output C=%t.two.npy --output D=%t.one.npy
// RUN: python3 -c "import array, sys; c, d = (array.array(chr(102), open(f, chr(114) + chr(98)).read()[-65536:]) for f in sys.argv[1:]); assert any(c) and all(abs(x - 2 * y) <= .02 * max(c) for x, y in zip(c, d))" %t.two.npy %t.one.npy
// RUN: tt-opt --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel %s | FileCheck %s

// Two products add up to one result that is larger than DST: they share the circular buffer of their partial sums.
// CHECK: tt.circular_buffer @cb_intermed0
// CHECK: tt.circular_buffer @cb_intermed1
// CHECK-NOT: tt.circular_buffer
// CHECK: tt.mm.mma {{.*}} spill @cb_intermed0
// CHECK: tt.mm.mma {{.*}} spill @cb_intermed0
// CHECK: tt.mm.mma {{.*}} spill @cb_intermed1
func.func @gemm(%A: memref<128x32xbf16> {tt.name = "A"}, %B: memref<32x128xbf16> {tt.name = "B"},
                %C: memref<128x128xbf16> {tt.name = "C"}, %D: memref<128x128xbf16> {tt.name = "D"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %more = arith.constant true
  %first = arith.constant false
  %a = tt.alloc_cb "cb_a" : !tt.cb<4x1xbf16>
  %b = tt.alloc_cb "cb_b" : !tt.cb<1x4xbf16>
  %c = tt.alloc_cb "cb_c" : !tt.cb<4x4xbf16>
  %d = tt.alloc_cb "cb_d" : !tt.cb<4x4xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<128x32xbf16>, !tt.cb<4x1xbf16>
  tt.read_to_cb %B[%c0, %c0], %b : memref<32x128xbf16>, !tt.cb<1x4xbf16>
  tt.mm.mma %a, %b, dst = 0, accumulate = %first : !tt.cb<4x1xbf16>, !tt.cb<1x4xbf16>
  tt.mm.mma %a, %b, dst = 0, accumulate = %more : !tt.cb<4x1xbf16>, !tt.cb<1x4xbf16>
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<4x4xbf16>
  tt.mm.mma %a, %b, dst = 0, accumulate = %first : !tt.cb<4x1xbf16>, !tt.cb<1x4xbf16>
  tt.pack_to_cb dst = 0 -> %d : !tt.cb<4x4xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x4xbf16>, memref<128x128xbf16>
  tt.write_from_cb %d, %D[%c0, %c0] : !tt.cb<4x4xbf16>, memref<128x128xbf16>
  return
}
