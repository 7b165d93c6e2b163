// Sums in loops of the kernel's own, which follow each other on one core: the last step of each is longer only where none
// reaches over the end of a circular buffer (the protocol check would say so).
// RUN: tt-opt %s --tt-pipeline | FileCheck %s
// CHECK: tt.kernel @compute
// CHECK: matmul
func.func @k(%A: memref<256x96xbf16> {tt.name = "A"}, %B: memref<96x256xbf16> {tt.name = "B"}, %C: memref<256x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %rk = arith.constant 32 : index
  %kk = arith.constant 96 : index
  %rm = arith.constant 128 : index
  %rn = arith.constant 128 : index
  %rows = arith.constant 256 : index
  %cols = arith.constant 256 : index
  %x = tt.alloc_cb "cb_x" : !tt.cb<4x1xbf16>
  %y = tt.alloc_cb "cb_y" : !tt.cb<1x4xbf16>
  %z = tt.alloc_cb "cb_z" : !tt.cb<4x4xbf16>
  scf.for %m = %c0 to %rows step %rm {
  scf.for %n = %c0 to %cols step %rn {
    scf.for %k = %c0 to %kk step %rk {
      tt.read_to_cb %A[%m, %k], %x : memref<256x96xbf16>, !tt.cb<4x1xbf16>
      tt.read_to_cb %B[%k, %n], %y : memref<96x256xbf16>, !tt.cb<1x4xbf16>
      %more = arith.cmpi ne, %k, %c0 : index
      tt.mm.mma %x, %y, dst = 0, accumulate = %more : !tt.cb<4x1xbf16>, !tt.cb<1x4xbf16>
    }
    tt.write_from_cb %z, %C[%m, %n] : !tt.cb<4x4xbf16>, memref<256x256xbf16>
  }
  }
  return
}
