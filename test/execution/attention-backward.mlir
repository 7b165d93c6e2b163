// The gradients of keys and values, summed over blocks of queries: each step makes other products after the first of the
// two, whose sum is kept beside them then.
// RUN: tt-run %s --check --input '*=~0.5' | FileCheck %s
// RUN: %if all %{ tt-run %s --check --input '*=~0.5' --arch=blackhole --optimize=none --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ sed 's/64x32/128x64/; s/32x32/64x64/; s/<32xf/<64xf/; s/<64xf32>$/<128xf32>/; s/%c64 = arith.constant 64/%c64 = arith.constant 128/; s/%c32 = arith.constant 32/%c32 = arith.constant 64/; s/\[32, 32\]/[64, 64]/; s/\[32, 1\]/[64, 1]/; s/\[32\] \[1\]/[64] [1]/' %s > %t.mlir && tt-run %t.mlir --check --input '*=~0.3' | FileCheck %s %}
// CHECK: DK: {{.*}}: ok
// CHECK: DV: {{.*}}: ok
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
!whole = memref<64x32xf32>
!part = memref<32x32xf32, strided<[32, 1], offset: ?>>
!block = memref<32x32xf32>
!row = memref<32xf32, strided<[1], offset: ?>>
!rows = memref<64xf32>
func.func @flash_bwd(%Q: !whole {tt.name = "Q"}, %K: !whole {tt.name = "K"}, %V: !whole {tt.name = "V"},
    %DO: !whole {tt.name = "DO"}, %L: !rows {tt.name = "L"},
    %Dl: !rows {tt.name = "Dl"}, %DK: !whole {tt.name = "DK"},
    %DV: !whole {tt.name = "DV"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %sc = arith.constant 0.1767767 : f32
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  scf.for %j = %c0 to %c64 step %c32 {
    %k = memref.subview %K[%j, 0] [32, 32] [1, 1] : !whole to !part
    %v = memref.subview %V[%j, 0] [32, 32] [1, 1] : !whole to !part
    %dk = memref.alloc() : !block
    %dv = memref.alloc() : !block
    linalg.fill ins(%zero : f32) outs(%dk : !block)
    linalg.fill ins(%zero : f32) outs(%dv : !block)
    scf.for %i = %c0 to %c64 step %c32 {
      %q = memref.subview %Q[%i, 0] [32, 32] [1, 1] : !whole to !part
      %do = memref.subview %DO[%i, 0] [32, 32] [1, 1] : !whole to !part
      %l = memref.subview %L[%i] [32] [1] : !rows to !row
      %dl = memref.subview %Dl[%i] [32] [1] : !rows to !row
      %s = memref.alloc() : !block
      %dp = memref.alloc() : !block
      %p = memref.alloc() : !block
      %ds = memref.alloc() : !block
      linalg.fill ins(%zero : f32) outs(%s : !block)
      linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : !part, !part) outs(%s : !block)
      linalg.generic {indexing_maps = [#id, #m, #id], iterator_types = ["parallel", "parallel"]}
          ins(%s, %l : !block, !row) outs(%p : !block) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %a = arith.mulf %x, %sc : f32
        %b = arith.subf %a, %y : f32
        %e = math.exp %b : f32
        linalg.yield %e : f32
      }
      linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%p, %do : !block, !part) outs(%dv : !block)
      linalg.fill ins(%zero : f32) outs(%dp : !block)
      linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : !part, !part) outs(%dp : !block)
      linalg.generic {indexing_maps = [#id, #id, #m, #id], iterator_types = ["parallel", "parallel"]}
          ins(%p, %dp, %dl : !block, !block, !row) outs(%ds : !block) {
      ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
        %a = arith.subf %y, %z : f32
        %b = arith.mulf %x, %a : f32
        %e = arith.mulf %b, %sc : f32
        linalg.yield %e : f32
      }
      linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%ds, %q : !block, !part) outs(%dk : !block)
    }
    %dks = memref.subview %DK[%j, 0] [32, 32] [1, 1] : !whole to !part
    %dvs = memref.subview %DV[%j, 0] [32, 32] [1, 1] : !whole to !part
    memref.copy %dk, %dks : !block to !part
    memref.copy %dv, %dvs : !block to !part
  }
  return
}
