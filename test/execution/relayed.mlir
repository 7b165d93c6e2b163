// What one processor fetches and the other sends on arrives everywhere, on both chips, and gives the same bits as where each
// processor sends what it fetches: a product of two steps and more, three products of one block.
// RUN: tt-run %examples/gemm.mlir --check --output C=%t.relayed.npy 2>&1 | FileCheck %s
// RUN: tt-run %examples/gemm.mlir --optimize=use-both-movers,share-operands --output C=%t.apart.npy
// RUN: cmp %t.relayed.npy %t.apart.npy
// RUN: %if all %{ tt-run %s --check --arch=blackhole 2>&1 | FileCheck %s --check-prefix=THREE %}
// RUN: tt-run %s --check --seed 3 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: tt-opt --tt-pipeline %s | FileCheck %s --check-prefix=RELAYED
// CHECK: C: {{.*}} ok
// THREE-COUNT-3: ok
// RELAYED-COUNT-4: metalium.noc_async_write_multicast_loopback_src

func.func @three(%X: memref<256x512xbf16>, %WQ: memref<512x512xbf16>, %Q: memref<256x512xbf16>, %WK: memref<512x512xbf16>, %K: memref<256x512xbf16>, %WV: memref<512x512xbf16>, %V: memref<256x512xbf16>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.forall (%y, %z) in (8, 8) {
    %m = arith.muli %y, %c32 : index
    %n = arith.muli %z, %c64 : index
    %x = memref.subview %X[%m, 0] [32, 512] [1, 1] : memref<256x512xbf16> to memref<32x512xbf16, strided<[512, 1], offset: ?>>
    %wQ = memref.subview %WQ[%n, 0] [64, 512] [1, 1] : memref<512x512xbf16> to memref<64x512xbf16, strided<[512, 1], offset: ?>>
    %accQ = memref.alloc() : memref<32x64xf32>
    linalg.fill ins(%zero : f32) outs(%accQ : memref<32x64xf32>)
    linalg.contract indexing_maps = [affine_map<(i, j, l) -> (i, l)>, affine_map<(i, j, l) -> (j, l)>, affine_map<(i, j, l) -> (i, j)>]
      ins(%x, %wQ : memref<32x512xbf16, strided<[512, 1], offset: ?>>, memref<64x512xbf16, strided<[512, 1], offset: ?>>) outs(%accQ : memref<32x64xf32>)
    %oQ = memref.subview %Q[%m, %n] [32, 64] [1, 1] : memref<256x512xbf16> to memref<32x64xbf16, strided<[512, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%accQ : memref<32x64xf32>) outs(%oQ : memref<32x64xbf16, strided<[512, 1], offset: ?>>) {
    ^bb0(%in: f32, %out: bf16):
      %t = arith.truncf %in : f32 to bf16
      linalg.yield %t : bf16
    }
    %wK = memref.subview %WK[%n, 0] [64, 512] [1, 1] : memref<512x512xbf16> to memref<64x512xbf16, strided<[512, 1], offset: ?>>
    %accK = memref.alloc() : memref<32x64xf32>
    linalg.fill ins(%zero : f32) outs(%accK : memref<32x64xf32>)
    linalg.contract indexing_maps = [affine_map<(i, j, l) -> (i, l)>, affine_map<(i, j, l) -> (j, l)>, affine_map<(i, j, l) -> (i, j)>]
      ins(%x, %wK : memref<32x512xbf16, strided<[512, 1], offset: ?>>, memref<64x512xbf16, strided<[512, 1], offset: ?>>) outs(%accK : memref<32x64xf32>)
    %oK = memref.subview %K[%m, %n] [32, 64] [1, 1] : memref<256x512xbf16> to memref<32x64xbf16, strided<[512, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%accK : memref<32x64xf32>) outs(%oK : memref<32x64xbf16, strided<[512, 1], offset: ?>>) {
    ^bb0(%in: f32, %out: bf16):
      %t = arith.truncf %in : f32 to bf16
      linalg.yield %t : bf16
    }
    %wV = memref.subview %WV[%n, 0] [64, 512] [1, 1] : memref<512x512xbf16> to memref<64x512xbf16, strided<[512, 1], offset: ?>>
    %accV = memref.alloc() : memref<32x64xf32>
    linalg.fill ins(%zero : f32) outs(%accV : memref<32x64xf32>)
    linalg.contract indexing_maps = [affine_map<(i, j, l) -> (i, l)>, affine_map<(i, j, l) -> (j, l)>, affine_map<(i, j, l) -> (i, j)>]
      ins(%x, %wV : memref<32x512xbf16, strided<[512, 1], offset: ?>>, memref<64x512xbf16, strided<[512, 1], offset: ?>>) outs(%accV : memref<32x64xf32>)
    %oV = memref.subview %V[%m, %n] [32, 64] [1, 1] : memref<256x512xbf16> to memref<32x64xbf16, strided<[512, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%accV : memref<32x64xf32>) outs(%oV : memref<32x64xbf16, strided<[512, 1], offset: ?>>) {
    ^bb0(%in: f32, %out: bf16):
      %t = arith.truncf %in : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}
