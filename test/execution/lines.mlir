// Rows and columns inside of tiles of a core's buffer: rows that a list names make a block of a
// product, and a column is put among others.
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --optimize=none --seed=7 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 --seed=8 | FileCheck %s %}
// RUN: tt-opt %s --tt-stage-a --remarks-filter=tt-select-lines -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-COUNT-2: a line inside of tiles is selected among all of its buffer, at the cost of all tiles
// CHECK: O: {{.*}}: ok
// CHECK: W: max abs error 0, {{.*}}: ok
!keys = memref<64x32xbf16, #gpu.address_space<workgroup>>
!own = memref<40x72xf32, #gpu.address_space<private>>
func.func @lines(%K: memref<100x32xbf16> {tt.name = "K"}, %I: memref<3x64xi32> {tt.name = "I", tt.range = [0, 99]},
                 %Q: memref<3x32x32xbf16> {tt.name = "Q"}, %X: memref<40x72xf32> {tt.name = "X"},
                 %O: memref<3x32x64xf32> {tt.name = "O"}, %W: memref<3x40x72xf32> {tt.name = "W"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (3) {
    %k = memref.alloc() : !keys
    %acc = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    scf.for %i = %c0 to %c64 step %c1 {
      %at = memref.load %I[%b, %i] : memref<3x64xi32>
      %row = arith.index_cast %at : i32 to index
      %from = memref.subview %K[%row, 0] [1, 32] [1, 1] : memref<100x32xbf16> to memref<1x32xbf16, strided<[32, 1], offset: ?>>
      %to = memref.subview %k[%i, 0] [1, 32] [1, 1] : !keys to memref<1x32xbf16, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
      memref.copy %from, %to : memref<1x32xbf16, strided<[32, 1], offset: ?>> to memref<1x32xbf16, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
    }
    %q = memref.subview %Q[%b, 0, 0] [1, 32, 32] [1, 1, 1] : memref<3x32x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%q, %k : memref<32x32xbf16, strided<[32, 1], offset: ?>>, !keys) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    %o = memref.subview %O[%b, 0, 0] [1, 32, 64] [1, 1, 1] : memref<3x32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %acc, %o : memref<32x64xf32, #gpu.address_space<private>> to memref<32x64xf32, strided<[64, 1], offset: ?>>

    // A column of a buffer that holds something already.
    %x = memref.alloc() : !own
    linalg.negf ins(%X : memref<40x72xf32>) outs(%x : !own)
    %col = memref.alloc() : memref<40xf32, #gpu.address_space<private>>
    %first = memref.subview %X[0, 5] [40, 1] [1, 1] : memref<40x72xf32> to memref<40xf32, strided<[72], offset: 5>>
    memref.copy %first, %col : memref<40xf32, strided<[72], offset: 5>> to memref<40xf32, #gpu.address_space<private>>
    %at_b = arith.addi %b, %c64 : index
    %put = memref.subview %x[0, %at_b] [40, 1] [1, 1] : !own to memref<40xf32, strided<[72], offset: ?>, #gpu.address_space<private>>
    memref.copy %col, %put : memref<40xf32, #gpu.address_space<private>> to memref<40xf32, strided<[72], offset: ?>, #gpu.address_space<private>>
    %w = memref.subview %W[%b, 0, 0] [1, 40, 72] [1, 1, 1] : memref<3x40x72xf32> to memref<40x72xf32, strided<[72, 1], offset: ?>>
    memref.copy %x, %w : !own to memref<40x72xf32, strided<[72, 1], offset: ?>>
  }
  return
}
