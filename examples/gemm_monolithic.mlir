// The specification's monolithic GEMM, protocol-free (level 2): one core multiplies a
// 128x256 by a 256x128 matrix, one tile of K a step. Its 16 tiles of result are more
// than DST holds, so stage D works in sub-blocks and keeps partial sums in a CB.

func.func @gemm_monolithic(%A: memref<128x256xbf16> {tt.name = "A"}, %B: memref<256x128xbf16> {tt.name = "B"},
                           %C: memref<128x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %a = tt.alloc_cb "cb_a" : !tt.cb<4x1xbf16>
  %b = tt.alloc_cb "cb_b" : !tt.cb<1x4xbf16>
  %c = tt.alloc_cb "cb_c" : !tt.cb<4x4xbf16>
  scf.for %k = %c0 to %c256 step %c32 {
    tt.read_to_cb %A[%c0, %k], %a : memref<128x256xbf16>, !tt.cb<4x1xbf16>
    tt.read_to_cb %B[%k, %c0], %b : memref<256x128xbf16>, !tt.cb<1x4xbf16>
    %acc = arith.cmpi ne, %k, %c0 : index
    tt.mm.mma %a, %b, dst = 0, accumulate = %acc : !tt.cb<4x1xbf16>, !tt.cb<1x4xbf16>
  }
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x4xbf16>, memref<128x128xbf16>
  return
}

