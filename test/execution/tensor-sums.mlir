// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}

// Ops that compute step by step in views of tensors, as bufferization leaves them: a product
// over K and its epilogue in place, two reductions at once, a block that is computed in where it was read to, an update of what
// a tensor holds.
// CHECK-DAG: C: {{.*}}: ok
// CHECK-DAG: S: {{.*}}: ok
// CHECK-DAG: M: {{.*}}: ok
// CHECK-DAG: U: {{.*}}: ok
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @tensor_sums(%A: memref<64x128xbf16> {tt.name = "A"}, %B: memref<128x64xbf16> {tt.name = "B"},
                       %C: memref<64x64xf32> {tt.name = "C"}, %S: memref<64xf32> {tt.name = "S"},
                       %M: memref<64xf32> {tt.name = "M"}, %U: memref<64x128xbf16> {tt.name = "U"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  scf.forall (%bx) in (2) {
    %m = arith.muli %bx, %c32 : index
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%c : memref<32x64xf32, strided<[64, 1], offset: ?>>)
    scf.for %k = %c0 to %c128 step %c32 {
      %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<64x128xbf16> to memref<32x32xbf16, strided<[128, 1], offset: ?>>
      %b = memref.subview %B[%k, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[128, 1], offset: ?>>, memref<32x64xbf16, strided<[64, 1], offset: ?>>)
          outs(%c : memref<32x64xf32, strided<[64, 1], offset: ?>>)
    }
    linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]}
        outs(%c : memref<32x64xf32, strided<[64, 1], offset: ?>>) {
      ^bb0(%old: f32):
        %r = arith.maximumf %old, %zero : f32
        linalg.yield %r : f32
    }
    %rows = memref.subview %A[%m, 0] [32, 128] [1, 1] : memref<64x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    %s = memref.subview %S[%m] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    %x = memref.subview %M[%m] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%s : memref<32xf32, strided<[1], offset: ?>>)
    linalg.fill ins(%lowest : f32) outs(%x : memref<32xf32, strided<[1], offset: ?>>)
    linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
        ins(%rows : memref<32x128xbf16, strided<[128, 1], offset: ?>>)
        outs(%s, %x : memref<32xf32, strided<[1], offset: ?>>, memref<32xf32, strided<[1], offset: ?>>) {
      ^bb0(%v: bf16, %sum: f32, %most: f32):
        %w = arith.extf %v : bf16 to f32
        %r0 = arith.addf %sum, %w : f32
        %r1 = arith.maximumf %most, %w : f32
        linalg.yield %r0, %r1 : f32, f32
    }
    %held = memref.alloc() : memref<32x128xbf16, #gpu.address_space<workgroup>>
    memref.copy %rows, %held : memref<32x128xbf16, strided<[128, 1], offset: ?>> to memref<32x128xbf16, #gpu.address_space<workgroup>>
    linalg.mul ins(%held, %held : memref<32x128xbf16, #gpu.address_space<workgroup>>, memref<32x128xbf16, #gpu.address_space<workgroup>>)
        outs(%held : memref<32x128xbf16, #gpu.address_space<workgroup>>)
    %u = memref.subview %U[%m, 0] [32, 128] [1, 1] : memref<64x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%held : memref<32x128xbf16, #gpu.address_space<workgroup>>)
        outs(%u : memref<32x128xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%v: bf16, %old: bf16):
        %r = arith.addf %old, %v : bf16
        linalg.yield %r : bf16
    }
  }
  return
}
