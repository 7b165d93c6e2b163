// RUN: tt-run %s --check --input s=0.5
// RUN: tt-run %s --check --input s=0.5 --arch=blackhole --optimize=none --metalium-api=2025
// RUN: tt-opt --tt-pipeline %s | tt-translate --emit-metalium | FileCheck %s

// Tensors of fp8 that a kernel unpacks: bf16 on the device, which holds them exactly.
// CHECK: fp8s_as_bfloat16s<4, 3>(read_file<uint8_t>(argv[2], 64 * 96))
// CHECK: fp8s_as_bfloat16s<5, 2>(read_file<uint8_t>(argv[3], 64 * 96))

func.func @gemm(%X: memref<64x64xbf16> {tt.name = "X"}, %W: memref<64x96xf8E4M3FN> {tt.name = "W"}, %B: memref<64x96xf8E5M2> {tt.name = "B"}, %s: f32 {tt.name = "s"},
                %Y: memref<64x96xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    %x = memref.subview %X[%m, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %bias = memref.subview %B[%m, 0] [32, 96] [1, 1] : memref<64x96xf8E5M2> to memref<32x96xf8E5M2, strided<[96, 1], offset: ?>>
    %y = memref.subview %Y[%m, 0] [32, 96] [1, 1] : memref<64x96xbf16> to memref<32x96xbf16, strided<[96, 1], offset: ?>>
    %w = memref.alloc() : memref<64x96xbf16, #gpu.address_space<private>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%W : memref<64x96xf8E4M3FN>) outs(%w : memref<64x96xbf16, #gpu.address_space<private>>) {
      ^bb0(%a: f8E4M3FN, %o: bf16):
        %e = arith.extf %a : f8E4M3FN to f32
        %r = arith.mulf %e, %s : f32
        %t = arith.truncf %r : f32 to bf16
        linalg.yield %t : bf16
    }
    %acc = memref.alloc() : memref<32x96xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x96xf32, #gpu.address_space<private>>)
    linalg.matmul ins(%x, %w : memref<32x64xbf16, strided<[64, 1], offset: ?>>, memref<64x96xbf16, #gpu.address_space<private>>)
                  outs(%acc : memref<32x96xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%acc, %bias : memref<32x96xf32, #gpu.address_space<private>>, memref<32x96xf8E5M2, strided<[96, 1], offset: ?>>) outs(%y : memref<32x96xbf16, strided<[96, 1], offset: ?>>) {
      ^bb0(%a: f32, %c: f8E5M2, %o: bf16):
        %d = arith.extf %c : f8E5M2 to bf16
        %e = arith.extf %d : bf16 to f32
        %r = arith.addf %a, %e : f32
        %t = arith.truncf %r : f32 to bf16
        linalg.yield %t : bf16
    }
  }
  return
}
