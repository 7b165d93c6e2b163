// Sums onto blocks of open size: two in turn, two in one loop, of other sizes, one that takes another, and one in a branch; also
// where a tensor of constant size is too large for L1. Four sums that a proof has to go through in all their loops.
// RUN: split-file %s %t
// RUN: tt-run %t/apart.mlir --check --strict --shape R=3x150x137 --shape S=3x70x260 --shape Y=150x137 --shape Z=70x260 --input q=3 \
// RUN:   | FileCheck %s
// RUN: %if all %{ tt-run %t/apart.mlir --check --strict --arch=blackhole --optimize=none --metalium-api=2025 --shape R=2x33x64 \
// RUN:   --shape S=2x70x31 --shape Y=33x64 --shape Z=70x31 --input q=1 | FileCheck %s %}
// RUN: tt-run %t/chain.mlir --check --strict --shape R=3x150x137 --shape Y=150x137 --shape Z=150x137 | FileCheck %s
// RUN: %if all %{ tt-run %t/chain.mlir --check --strict --arch=blackhole --metalium-api=2026-03 --shape R=1x64x32 \
// RUN:   --shape Y=64x32 --shape Z=64x32 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/wide.mlir --check --strict | FileCheck %s %}
// CHECK: Y: {{.*}}: ok
// CHECK: Z: {{.*}}: ok

//--- apart.mlir
#row = strided<[?, 1], offset: ?>
func.func @apart(%R: memref<?x?x?xf32> {tt.name = "R"}, %S: memref<?x?x?xf32> {tt.name = "S"}, %Y: memref<?x?xf32> {tt.name = "Y"},
                 %Z: memref<?x?xf32> {tt.name = "Z"}, %q: index {tt.name = "q", tt.range = [0, 4]}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %R, %c0 : memref<?x?x?xf32>
  %r1 = memref.dim %R, %c1 : memref<?x?x?xf32>
  %r2 = memref.dim %R, %c2 : memref<?x?x?xf32>
  %s1 = memref.dim %S, %c1 : memref<?x?x?xf32>
  %s2 = memref.dim %S, %c2 : memref<?x?x?xf32>
  linalg.fill ins(%zero : f32) outs(%Y : memref<?x?xf32>)
  linalg.fill ins(%zero : f32) outs(%Z : memref<?x?xf32>)
  scf.for %k = %c0 to %n step %c1 {
    %r = memref.subview %R[%k, 0, 0] [1, %r1, %r2] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, #row>
    %s = memref.subview %S[%k, 0, 0] [1, %s1, %s2] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, #row>
    linalg.add ins(%r, %Y : memref<?x?xf32, #row>, memref<?x?xf32>) outs(%Y : memref<?x?xf32>)
    linalg.add ins(%s, %Z : memref<?x?xf32, #row>, memref<?x?xf32>) outs(%Z : memref<?x?xf32>)
  }
  %many = arith.cmpi ugt, %q, %c2 : index
  scf.if %many {
    scf.for %k = %c0 to %n step %c1 {
      %s = memref.subview %S[%k, 0, 0] [1, %s1, %s2] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, #row>
      linalg.sub ins(%Z, %s : memref<?x?xf32>, memref<?x?xf32, #row>) outs(%Z : memref<?x?xf32>)
    }
  }
  return
}

//--- chain.mlir
#row = strided<[?, 1], offset: ?>
func.func @chain(%R: memref<?x?x?xf32> {tt.name = "R"}, %Y: memref<?x?xf32> {tt.name = "Y"}, %Z: memref<?x?xf32> {tt.name = "Z"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %R, %c0 : memref<?x?x?xf32>
  %r1 = memref.dim %R, %c1 : memref<?x?x?xf32>
  %r2 = memref.dim %R, %c2 : memref<?x?x?xf32>
  linalg.fill ins(%zero : f32) outs(%Z : memref<?x?xf32>)
  linalg.fill ins(%zero : f32) outs(%Y : memref<?x?xf32>)
  scf.for %k = %c0 to %n step %c1 {
    %r = memref.subview %R[%k, 0, 0] [1, %r1, %r2] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, #row>
    linalg.add ins(%r, %Y : memref<?x?xf32, #row>, memref<?x?xf32>) outs(%Y : memref<?x?xf32>)
    linalg.add ins(%r, %Y : memref<?x?xf32, #row>, memref<?x?xf32>) outs(%Y : memref<?x?xf32>)
    linalg.add ins(%Y, %Z : memref<?x?xf32>, memref<?x?xf32>) outs(%Z : memref<?x?xf32>)
  }
  return
}

//--- wide.mlir
#row = strided<[331, 1], offset: ?>
func.func @wide(%R: memref<3x400x331xf32> {tt.name = "R"}, %S: memref<3x400x331xf32>, %Y: memref<400x331xf32> {tt.name = "Y"},
                %Z: memref<400x331xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  linalg.fill ins(%zero : f32) outs(%Y : memref<400x331xf32>)
  linalg.fill ins(%zero : f32) outs(%Z : memref<400x331xf32>)
  scf.for %k = %c0 to %c3 step %c1 {
    %r = memref.subview %R[%k, 0, 0] [1, 400, 331] [1, 1, 1] : memref<3x400x331xf32> to memref<400x331xf32, #row>
    %s = memref.subview %S[%k, 0, 0] [1, 400, 331] [1, 1, 1] : memref<3x400x331xf32> to memref<400x331xf32, #row>
    linalg.add ins(%r, %Y : memref<400x331xf32, #row>, memref<400x331xf32>) outs(%Y : memref<400x331xf32>)
    linalg.add ins(%s, %Z : memref<400x331xf32, #row>, memref<400x331xf32>) outs(%Z : memref<400x331xf32>)
  }
  return
}
