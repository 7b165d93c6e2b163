// Blocks that lie anywhere in their tensors: heads of 40 and of (batch, row, head, element), columns,
// single rows, turned and collapsed views; the rest of a tensor keeps its values.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/attention.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/attention.mlir --check --arch=blackhole --metalium-api=2025 --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/attention.mlir --check --metalium-api=2026-03 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/slices.mlir --check --arch=blackhole | \
// RUN:   FileCheck %s --check-prefix=SLICES %}
// RUN: %if all %{ tt-run %t/slopes.mlir --check --metalium-api=2025 | \
// RUN:   FileCheck %s --check-prefix=SLOPES %}
// RUN: %if all %{ tt-run %t/ragged.mlir --check --shape Q=2x70x3x24 --shape O=2x70x3x24 | \
// RUN:   FileCheck %s --check-prefix=RAGGED %}
// CHECK: O: {{.*}}: ok
// SLICES-COUNT-3: : ok
// SLOPES: Y: {{.*}}: ok
// RAGGED: O: {{.*}}: ok

//--- attention.mlir
// softmax(Q K^T) V of one head a cell, in (batch, row, head, element), with two heads of Q for one of K and V.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @attention(%Q: memref<1x64x4x40xbf16> {tt.name = "Q"}, %K: memref<1x64x2x40xbf16> {tt.name = "K"},
                     %V: memref<1x64x2x40xbf16> {tt.name = "V"}, %O: memref<1x64x4x40xbf16> {tt.name = "O"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  scf.forall (%b, %h) in (1, 4) {
    %g = arith.divui %h, %c2 : index
    %q = memref.subview %Q[%b, 0, %h, 0] [1, 64, 1, 40] [1, 1, 1, 1] : memref<1x64x4x40xbf16> to memref<64x40xbf16, strided<[160, 1], offset: ?>>
    %k = memref.subview %K[%b, 0, %g, 0] [1, 64, 1, 40] [1, 1, 1, 1] : memref<1x64x2x40xbf16> to memref<64x40xbf16, strided<[80, 1], offset: ?>>
    %v = memref.subview %V[%b, 0, %g, 0] [1, 64, 1, 40] [1, 1, 1, 1] : memref<1x64x2x40xbf16> to memref<64x40xbf16, strided<[80, 1], offset: ?>>
    %o = memref.subview %O[%b, 0, %h, 0] [1, 64, 1, 40] [1, 1, 1, 1] : memref<1x64x4x40xbf16> to memref<64x40xbf16, strided<[160, 1], offset: ?>>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    %p = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    %acc = memref.alloc() : memref<64x40xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32, #gpu.address_space<private>>)
    linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : memref<64x40xbf16, strided<[160, 1], offset: ?>>, memref<64x40xbf16, strided<[80, 1], offset: ?>>)
      outs(%s : memref<64x64xf32, #gpu.address_space<private>>)
    linalg.softmax dimension(1) ins(%s : memref<64x64xf32, #gpu.address_space<private>>) outs(%p : memref<64x64xf32, #gpu.address_space<private>>)
    linalg.fill ins(%zero : f32) outs(%acc : memref<64x40xf32, #gpu.address_space<private>>)
    linalg.matmul ins(%p, %v : memref<64x64xf32, #gpu.address_space<private>>, memref<64x40xbf16, strided<[80, 1], offset: ?>>)
      outs(%acc : memref<64x40xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%acc : memref<64x40xf32, #gpu.address_space<private>>) outs(%o : memref<64x40xbf16, strided<[160, 1], offset: ?>>) {
    ^bb0(%x: f32, %y: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}

//--- slices.mlir
// A column as a row, rows and columns that begin inside of tiles, elements that the NoC does not write alone,
// and a turned view, to tensors of which the rest stays as it was.
func.func @slices(%X: memref<50x70xf32> {tt.name = "X"}, %V: memref<60xf32> {tt.name = "V"}, %Y: memref<64x45xf32> {tt.name = "Y"},
                  %Z: memref<3x40x40xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %column = memref.subview %X[0, 33] [50, 1] [1, 1] : memref<50x70xf32> to memref<50xf32, strided<[70], offset: 33>>
  %vector = memref.subview %V[7] [50] [1] : memref<60xf32> to memref<50xf32, strided<[1], offset: 7>>
  memref.copy %column, %vector : memref<50xf32, strided<[70], offset: 33>> to memref<50xf32, strided<[1], offset: 7>>
  %x = memref.subview %X[9, 5] [36, 37] [1, 1] : memref<50x70xf32> to memref<36x37xf32, strided<[70, 1], offset: 635>>
  %y = memref.subview %Y[3, 1] [36, 37] [1, 1] : memref<64x45xf32> to memref<36x37xf32, strided<[45, 1], offset: 136>>
  linalg.exp ins(%x : memref<36x37xf32, strided<[70, 1], offset: 635>>) outs(%y : memref<36x37xf32, strided<[45, 1], offset: 136>>)
  %z = memref.subview %Z[1, 2, 3] [1, 37, 36] [1, 1, 1] : memref<3x40x40xf32> to memref<37x36xf32, strided<[40, 1], offset: 1683>>
  %turned = memref.transpose %z (i, j) -> (j, i) : memref<37x36xf32, strided<[40, 1], offset: 1683>> to memref<36x37xf32, strided<[1, 40], offset: 1683>>
  linalg.abs ins(%x : memref<36x37xf32, strided<[70, 1], offset: 635>>) outs(%turned : memref<36x37xf32, strided<[1, 40], offset: 1683>>)
  return
}

//--- ragged.mlir
// Rows of heads, in blocks of 32 of which the last may be smaller.
func.func @ragged(%Q: memref<2x?x3x24xbf16> {tt.name = "Q"}, %O: memref<2x?x3x24xbf16> {tt.name = "O"}) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %Q, %c1 : memref<2x?x3x24xbf16>
  %blocks = affine.apply affine_map<()[s] -> (s ceildiv 32)>()[%n]
  scf.forall (%b, %h, %i) in (2, 3, %blocks) {
    %m = affine.apply affine_map<(d) -> (d * 32)>(%i)
    %size = affine.min affine_map<(d)[s] -> (32, s - d * 32)>(%i)[%n]
    %q = memref.subview %Q[%b, %m, %h, 0] [1, %size, 1, 24] [1, 1, 1, 1] : memref<2x?x3x24xbf16> to memref<?x24xbf16, strided<[72, 1], offset: ?>>
    %o = memref.subview %O[%b, %m, %h, 0] [1, %size, 1, 24] [1, 1, 1, 1] : memref<2x?x3x24xbf16> to memref<?x24xbf16, strided<[72, 1], offset: ?>>
    linalg.exp ins(%q : memref<?x24xbf16, strided<[72, 1], offset: ?>>) outs(%o : memref<?x24xbf16, strided<[72, 1], offset: ?>>)
  }
  return
}

//--- slopes.mlir
// A number for each head, loaded from a tensor, and used in a body.
#id = affine_map<(i, j) -> (i, j)>
func.func @slopes(%X: memref<4x32x64xf32> {tt.name = "X"}, %S: memref<4xf32> {tt.name = "S"}, %Y: memref<4x32x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %two = arith.constant 2.0 : f32
  scf.forall (%h) in (4) {
    %x = memref.subview %X[%h, 0, 0] [1, 32, 64] [1, 1, 1] : memref<4x32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %y = memref.subview %Y[%h, 0, 0] [1, 32, 64] [1, 1, 1] : memref<4x32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %s = memref.load %S[%h] : memref<4xf32>
    %p = arith.mulf %s, %two : f32
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x64xf32, strided<[64, 1], offset: ?>>) outs(%y : memref<32x64xf32, strided<[64, 1], offset: ?>>) {
    ^bb0(%a: f32, %o: f32):
      %t = arith.mulf %a, %p : f32
      linalg.yield %t : f32
    }
  }
  return
}
