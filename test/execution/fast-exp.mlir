// Attention with the fast exponential, which tt.math_approx allows: keys that a query does not see have no weight.
// REQUIRES: all
// RUN: tt-run %s --check --strict | FileCheck %s
// RUN: tt-run %s --check --strict --arch=blackhole --math=fast --metalium-api=2025
// CHECK: O: {{.*}}(at most 0.0{{[67]}}{{.*}} ok
// RUN: tt-opt --tt-pipeline %s | FileCheck %s --check-prefix=CALLS
// CALLS: metalium.sfpu_tile exp_fast
// RUN: tt-opt --tt-pipeline=optimize=none %s | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: exp_fast

#qk = affine_map<(m, n, k) -> (m, k)>
#kq = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#v = affine_map<(i) -> (i)>
func.func @causal_attention(%Q: memref<2x128x64xbf16> {tt.name = "Q"}, %K: memref<2x128x64xbf16> {tt.name = "K"},
                           %V: memref<2x128x64xbf16> {tt.name = "V"}, %O: memref<2x128x64xbf16> {tt.name = "O"})
    attributes {tt.kernel, tt.math_approx} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %keys = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -1.0e30 : f32
  %scale = arith.constant 0.125 : f32
  scf.forall (%head, %block) in (2, 2) {
    %shared = arith.divui %head, %c2 : index
    %row = arith.muli %block, %c64 : index
    %q = memref.subview %Q[%head, %row, 0] [1, 64, 64] [1, 1, 1]
        : memref<2x128x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %o = memref.subview %O[%head, %row, 0] [1, 64, 64] [1, 1, 1]
        : memref<2x128x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %queries = memref.alloc() : memref<64x64xbf16, #gpu.address_space<workgroup>>
    memref.copy %q, %queries
        : memref<64x64xbf16, strided<[64, 1], offset: ?>> to memref<64x64xbf16, #gpu.address_space<workgroup>>
    %max = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    %new_max = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    %factor = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    %sum = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    %acc = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    %scores = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    %scaled = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    %weights = memref.alloc() : memref<64x64xbf16, #gpu.address_space<private>>
    linalg.fill ins(%lowest : f32) outs(%max : memref<64xf32, #gpu.address_space<private>>)
    linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32, #gpu.address_space<private>>)
    linalg.fill ins(%zero : f32) outs(%acc : memref<64x64xf32, #gpu.address_space<private>>)
    %end = arith.addi %row, %c64 : index
    scf.for %key = %c0 to %end step %keys {
      %k = memref.subview %K[%shared, %key, 0] [1, 64, 64] [1, 1, 1]
          : memref<2x128x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
      %v = memref.subview %V[%shared, %key, 0] [1, 64, 64] [1, 1, 1]
          : memref<2x128x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
      // scaled = queries x keys^T * scale, where the query sees the key
      linalg.fill ins(%zero : f32) outs(%scores : memref<64x64xf32, #gpu.address_space<private>>)
      linalg.matmul indexing_maps = [#qk, #kq, #mn]
          ins(%queries, %k : memref<64x64xbf16, #gpu.address_space<workgroup>>, memref<64x64xbf16, strided<[64, 1], offset: ?>>)
          outs(%scores : memref<64x64xf32, #gpu.address_space<private>>)
      linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
          ins(%scores : memref<64x64xf32, #gpu.address_space<private>>)
          outs(%scaled : memref<64x64xf32, #gpu.address_space<private>>) {
        ^bb0(%s: f32, %old: f32):
          %i = linalg.index 0 : index
          %j = linalg.index 1 : index
          %query = arith.addi %row, %i : index
          %this_key = arith.addi %key, %j : index
          %seen = arith.cmpi sge, %query, %this_key : index
          %in_scale = arith.mulf %s, %scale : f32
          %r = arith.select %seen, %in_scale, %lowest : f32
          linalg.yield %r : f32
      }
      // new_max = max(max, scaled), factor = exp(max - new_max)
      memref.copy %max, %new_max
          : memref<64xf32, #gpu.address_space<private>> to memref<64xf32, #gpu.address_space<private>>
      linalg.reduce { arith.maximumf } ins(%scaled : memref<64x64xf32, #gpu.address_space<private>>)
          outs(%new_max : memref<64xf32, #gpu.address_space<private>>) dimensions = [1]
      linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
          ins(%max, %new_max : memref<64xf32, #gpu.address_space<private>>, memref<64xf32, #gpu.address_space<private>>)
          outs(%factor : memref<64xf32, #gpu.address_space<private>>) {
        ^bb0(%a: f32, %b: f32, %old: f32):
          %d = arith.subf %a, %b : f32
          %r = math.exp %d : f32
          linalg.yield %r : f32
      }
      memref.copy %new_max, %max
          : memref<64xf32, #gpu.address_space<private>> to memref<64xf32, #gpu.address_space<private>>
      // weights = exp(scaled - max)
      linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
          ins(%scaled, %max : memref<64x64xf32, #gpu.address_space<private>>, memref<64xf32, #gpu.address_space<private>>)
          outs(%weights : memref<64x64xbf16, #gpu.address_space<private>>) {
        ^bb0(%s: f32, %m: f32, %old: bf16):
          %d = arith.subf %s, %m : f32
          %e = math.exp %d : f32
          %r = arith.truncf %e : f32 to bf16
          linalg.yield %r : bf16
      }
      // sum = sum * factor + weights, acc = acc * factor + weights x values
      linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
          ins(%factor : memref<64xf32, #gpu.address_space<private>>)
          outs(%sum : memref<64xf32, #gpu.address_space<private>>) {
        ^bb0(%f: f32, %old: f32):
          %r = arith.mulf %old, %f : f32
          linalg.yield %r : f32
      }
      linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
          ins(%weights : memref<64x64xbf16, #gpu.address_space<private>>)
          outs(%sum : memref<64xf32, #gpu.address_space<private>>) {
        ^bb0(%w: bf16, %old: f32):
          %e = arith.extf %w : bf16 to f32
          %r = arith.addf %old, %e : f32
          linalg.yield %r : f32
      }
      linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
          ins(%factor : memref<64xf32, #gpu.address_space<private>>)
          outs(%acc : memref<64x64xf32, #gpu.address_space<private>>) {
        ^bb0(%f: f32, %old: f32):
          %r = arith.mulf %old, %f : f32
          linalg.yield %r : f32
      }
      linalg.matmul
          ins(%weights, %v : memref<64x64xbf16, #gpu.address_space<private>>, memref<64x64xbf16, strided<[64, 1], offset: ?>>)
          outs(%acc : memref<64x64xf32, #gpu.address_space<private>>)
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%acc, %sum : memref<64x64xf32, #gpu.address_space<private>>, memref<64xf32, #gpu.address_space<private>>)
        outs(%o : memref<64x64xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%a: f32, %s: f32, %old: bf16):
        %d = arith.divf %a, %s : f32
        %r = arith.truncf %d : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
