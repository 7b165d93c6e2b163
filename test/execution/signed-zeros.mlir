// The unit that multiplies and adds in the vector unit writes no negative zero: 0 * -2 and -0 + -0 are 0, on both chips. The
// reference has -0 there, which is as good; what changes signs alone keeps it.
// RUN: tt-run %s --check --strict --output Y=%t.y.npy --output N=%t.n.npy | FileCheck %s
// RUN: python3 -c "import sys; print('zeros', *[open(p, 'rb').read()[-4096:].count(bytes([0, 0, 0, 128])) for p in sys.argv[1:]])" %t.y.npy %t.n.npy | FileCheck %s --check-prefix=BITS
// RUN: tt-run %s --arch=blackhole --check --strict --output Y=%t.y.npy --output N=%t.n.npy | FileCheck %s
// RUN: python3 -c "import sys; print('zeros', *[open(p, 'rb').read()[-4096:].count(bytes([0, 0, 0, 128])) for p in sys.argv[1:]])" %t.y.npy %t.n.npy | FileCheck %s --check-prefix=BITS
// CHECK-COUNT-2: : ok
// BITS: zeros 0 1024

func.func @zeros(%X: memref<32x32xf32> {tt.name = "X"}, %Y: memref<32x32xf32> {tt.name = "Y"},
                 %N: memref<32x32xf32> {tt.name = "N"}) attributes {tt.kernel} {
  %low = arith.constant -2.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<32x32xf32>) outs(%Y, %N : memref<32x32xf32>, memref<32x32xf32>) {
  ^bb0(%x: f32, %y: f32, %n: f32):
    %zero = arith.subf %x, %x : f32
    %product = arith.mulf %zero, %low : f32
    %negated = arith.negf %zero : f32
    %sum = arith.addf %product, %negated : f32
    linalg.yield %sum, %negated : f32, f32
  }
  return
}
