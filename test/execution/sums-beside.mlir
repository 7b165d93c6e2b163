// Three sums that are packed behind all of them, in one step where steps are merged: DST holds two of them, and neither can stay
// there while the third one goes through it. The chip would pack zeros.
// RUN: tt-run %s --check --strict | FileCheck %s
// RUN: tt-run %s --check --strict --optimize=merge-steps,fetch-once | FileCheck %s
// RUN: %if all %{ tt-run %s --arch=blackhole --check --strict | FileCheck %s %}
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=merge-steps,fetch-once" --tt-stage-d %s | FileCheck %s --check-prefix=APART
// CHECK: C: {{.*}}: ok
// APART: tt.kernel @compute
// APART: metalium.matmul_tiles
// APART: tt.dst.commit
// APART: tt.dst.acquire
// APART: metalium.matmul_tiles
// APART: tt.dst.commit
// APART: tt.dst.acquire
// APART: metalium.matmul_tiles

func.func @k(%A: memref<64x64xf16> {tt.name = "A"}, %B0: memref<32x64xf16>, %B1: memref<32x64xf16>, %B2: memref<32x64xf16>, %C: memref<64x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rm = arith.constant 64 : index
  %rn = arith.constant 32 : index
  %rk = arith.constant 32 : index
  %kk = arith.constant 64 : index
  scf.forall (%by, %bx) in (1, 1) {
    %m = arith.muli %by, %rm : index
    %n = arith.muli %bx, %rn : index
    %s0 = memref.alloc() : memref<64x32xf32>
    %s1 = memref.alloc() : memref<64x32xf32>
    %s2 = memref.alloc() : memref<64x32xf32>
    linalg.fill ins(%zero : f32) outs(%s0 : memref<64x32xf32>)
    linalg.fill ins(%zero : f32) outs(%s1 : memref<64x32xf32>)
    linalg.fill ins(%zero : f32) outs(%s2 : memref<64x32xf32>)
    scf.for %k = %c0 to %kk step %rk {
    %a = memref.subview %A[%m, %k] [64, 32] [1, 1] : memref<64x64xf16> to memref<64x32xf16, strided<[64, 1], offset: ?>>
    %b0 = memref.subview %B0[%n, %k] [32, 32] [1, 1] : memref<32x64xf16> to memref<32x32xf16, strided<[64, 1], offset: ?>>
    linalg.matmul indexing_maps = [affine_map<(i, j, l) -> (i, l)>, affine_map<(i, j, l) -> (j, l)>, affine_map<(i, j, l) -> (i, j)>] ins(%a, %b0 : memref<64x32xf16, strided<[64, 1], offset: ?>>, memref<32x32xf16, strided<[64, 1], offset: ?>>) outs(%s0 : memref<64x32xf32>)
    %b1 = memref.subview %B1[%n, %k] [32, 32] [1, 1] : memref<32x64xf16> to memref<32x32xf16, strided<[64, 1], offset: ?>>
    linalg.matmul indexing_maps = [affine_map<(i, j, l) -> (i, l)>, affine_map<(i, j, l) -> (j, l)>, affine_map<(i, j, l) -> (i, j)>] ins(%a, %b1 : memref<64x32xf16, strided<[64, 1], offset: ?>>, memref<32x32xf16, strided<[64, 1], offset: ?>>) outs(%s1 : memref<64x32xf32>)
    %b2 = memref.subview %B2[%n, %k] [32, 32] [1, 1] : memref<32x64xf16> to memref<32x32xf16, strided<[64, 1], offset: ?>>
    linalg.matmul indexing_maps = [affine_map<(i, j, l) -> (i, l)>, affine_map<(i, j, l) -> (j, l)>, affine_map<(i, j, l) -> (i, j)>] ins(%a, %b2 : memref<64x32xf16, strided<[64, 1], offset: ?>>, memref<32x32xf16, strided<[64, 1], offset: ?>>) outs(%s2 : memref<64x32xf32>)
    }
    %c = memref.subview %C[%m, %n] [64, 32] [1, 1] : memref<64x32xf32> to memref<64x32xf32, strided<[32, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s0, %s1, %s2 : memref<64x32xf32>, memref<64x32xf32>, memref<64x32xf32>) outs(%c : memref<64x32xf32, strided<[32, 1], offset: ?>>) {
      ^bb0(%x0: f32, %x1: f32, %x2: f32, %old: f32):
        %v1 = arith.subf %x0, %x1 : f32
        %v2 = arith.addf %v1, %x2 : f32
        linalg.yield %v2 : f32
    }
  }
  return
}
