// REQUIRES: all
// RUN: python3 %S/Inputs/packed_blocks.py make %t.x.npy
// RUN: tt-run %s --input X=%t.x.npy --output Y=%t.y.npy --output Z=%t.z.npy
// RUN: python3 %S/Inputs/packed_blocks.py check %t.y.npy %t.z.npy
// RUN: sed 's/bf16, 1/f32, 1/; s/<32x32xbf16>/<32x32xf32>/g' %s | tt-run - --arch=blackhole --input X=%t.x.npy --output Y=%t.y.npy --output Z=%t.z.npy
// RUN: python3 %S/Inputs/packed_blocks.py check %t.y.npy %t.z.npy

// What the packer makes of elements that share an exponent: seven bits, rounded half up, where a
// carry raises the exponent of all; of four-bit elements the upper three, cut.
func.func @pack(%X: memref<32x32xbf16> {tt.name = "X"},
                %Y: memref<32x32xbf16> {tt.name = "Y", tt.layout = {dtype = "bfp8_b"}},
                %Z: memref<32x32xbf16> {tt.name = "Z", tt.layout = {dtype = "bfp4_b"}}) attributes {tt.kernel} {
  memref.copy %X, %Y : memref<32x32xbf16> to memref<32x32xbf16>
  memref.copy %X, %Z : memref<32x32xbf16> to memref<32x32xbf16>
  return
}
