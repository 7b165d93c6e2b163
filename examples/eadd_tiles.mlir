// Elementwise addition, protocol-free (level 2): one core, one block of 2x3 tiles.

func.func @eadd(%A: memref<64x96xbf16> {tt.name = "A"}, %B: memref<64x96xbf16> {tt.name = "B"},
                %C: memref<64x96xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %x = tt.alloc_cb "cb_a" : !tt.cb<2x3xbf16>
  %y = tt.alloc_cb "cb_b" : !tt.cb<2x3xbf16>
  %z = tt.alloc_cb "cb_c" : !tt.cb<2x3xbf16>
  tt.read_to_cb %A[%c0, %c0], %x : memref<64x96xbf16>, !tt.cb<2x3xbf16>
  tt.read_to_cb %B[%c0, %c0], %y : memref<64x96xbf16>, !tt.cb<2x3xbf16>
  tt.fpu.add %x, %y, dst = 0 -> %z : !tt.cb<2x3xbf16>, !tt.cb<2x3xbf16>, !tt.cb<2x3xbf16>
  tt.write_from_cb %z, %C[%c0, %c0] : !tt.cb<2x3xbf16>, memref<64x96xbf16>
  return
}
