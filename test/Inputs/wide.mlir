// Elements of 32 bits that the matrix engine adds.
func.func @wide(%A: memref<32x32xf32> {tt.name = "A"}, %C: memref<32x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %x = tt.alloc_cb "cb_a" depth = 3 : !tt.cb<1x1xf32>
  %z = tt.alloc_cb "cb_c" : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %x : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.fpu.add %x, %x, dst = 0 -> %z : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.write_from_cb %z, %C[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}
