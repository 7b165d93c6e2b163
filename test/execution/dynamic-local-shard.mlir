// RUN: tt-run %s --check --shape A=256x70 | FileCheck %s
// RUN: tt-run %s --check --shape A=256x1 --arch=blackhole --metalium-api=2025 | FileCheck %s
// RUN: tt-run %s --check --shape B=257x128 --metalium-api=2026-03 | FileCheck %s

// A product over a dynamic dimension, block floats in memory, and each core on its own shard of the result:
// nothing of it moves over the NoC.
// CHECK: C: {{.*}}: ok
func.func @dynamic_local_shard(%A: memref<256x?xbf16> {tt.name = "A", tt.layout = {dtype = "bfp8_b"}}, %B: memref<?x128xbf16> {tt.name = "B", tt.layout = {dtype = "bfp8_b"}},
    %C: memref<256x128xbf16> {tt.name = "C", tt.layout = {dtype = "bfp8_b", memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [4, 2], shard_shape_elems = [64, 64]}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %K = memref.dim %A, %c1 : memref<256x?xbf16>
  scf.forall (%m, %n) = (0, 0) to (256, 128) step (32, 64) {
    %acc = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %K step %c64 {
      %ks = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 64)>(%k)[%K]
      %a = memref.subview %A[%m, %k] [32, %ks] [1, 1] : memref<256x?xbf16> to memref<32x?xbf16, strided<[?, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [%ks, 64] [1, 1] : memref<?x128xbf16> to memref<?x64xbf16, strided<[128, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x?xbf16, strided<[?, 1], offset: ?>>, memref<?x64xbf16, strided<[128, 1], offset: ?>>) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [32, 64] [1, 1] : memref<256x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc : memref<32x64xf32, #gpu.address_space<private>>) outs(%c : memref<32x64xbf16, strided<[128, 1], offset: ?>>) {
    ^bb0(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}
