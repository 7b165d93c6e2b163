// REQUIRES: all
// RUN: tt-run %s --check --shape A=192x70 --shape B=70x256 | FileCheck %s
// RUN: tt-run %s --check --shape A=130x200 --shape B=200x129 --arch=blackhole --metalium-api=2025 | FileCheck %s
// RUN: tt-run %s --check --shape A=150x1 --shape C=150x190 --metalium-api=2026-03 2>&1 | FileCheck %s --check-prefixes=CHECK,OWN
// RUN: not tt-run %s --shape A=300x64 --shape B=64x192 2>&1 | FileCheck %s --check-prefix=FILL

// A product of any size that fills 3 x 2 shards, with block floats in memory: each core has the units of its own
// shard of the result, which are fewer along the ends, and writes it to its own L1.
// CHECK-DAG: C: {{.*}}: ok
// OWN-DAG: within a core
// FILL: C does not fill 3 x 2 shards of 64 x 128 elements
#ij = affine_map<(i, j) -> (i, j)>
func.func @dynamic_local_shard(%A: memref<?x?xbf16> {tt.name = "A", tt.layout = {dtype = "bfp8_b"}}, %B: memref<?x?xbf16> {tt.name = "B", tt.layout = {dtype = "bfp8_b"}}, %C: memref<?x?xbf16> {tt.name = "C", tt.layout = {dtype = "bfp8_b", memory = "L1", layout = "sharded",
      nd_shard = {axes = ["M", "N"], grid = [3, 2], shard_shape_elems = [64, 128]}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %M = memref.dim %A, %c0 : memref<?x?xbf16>
  %K = memref.dim %A, %c1 : memref<?x?xbf16>
  %N = memref.dim %B, %c1 : memref<?x?xbf16>
  %gy = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%M]
  %gx = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%N]
  scf.forall (%by, %bx) in (%gy, %gx) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %rows = affine.min affine_map<(d0)[s0] -> (d0 * -64 + s0, 64)>(%by)[%M]
    %cols = affine.min affine_map<(d0)[s0] -> (d0 * -64 + s0, 64)>(%bx)[%N]
    %acc = memref.alloc(%rows, %cols) : memref<?x?xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<?x?xf32, #gpu.address_space<private>>)
    %sa = memref.alloc() : memref<64x64xbf16, #gpu.address_space<workgroup>>
    scf.for %k = %c0 to %K step %c64 {
      %ks = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 64)>(%k)[%K]
      %a = memref.subview %A[%m, %k] [%rows, %ks] [1, 1] : memref<?x?xbf16> to memref<?x?xbf16, strided<[?, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [%ks, %cols] [1, 1] : memref<?x?xbf16> to memref<?x?xbf16, strided<[?, 1], offset: ?>>
      %va = memref.subview %sa[0, 0] [%rows, %ks] [1, 1] : memref<64x64xbf16, #gpu.address_space<workgroup>> to memref<?x?xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>
      memref.copy %a, %va : memref<?x?xbf16, strided<[?, 1], offset: ?>> to memref<?x?xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>
      linalg.matmul ins(%va, %b : memref<?x?xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%acc : memref<?x?xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [%rows, %cols] [1, 1] : memref<?x?xbf16> to memref<?x?xbf16, strided<[?, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%acc : memref<?x?xf32, #gpu.address_space<private>>) outs(%c : memref<?x?xbf16, strided<[?, 1], offset: ?>>) {
    ^bb0(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}
