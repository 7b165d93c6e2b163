// RUN: split-file %s %t && cd %t
// RUN: tt-run loops.mlir --check --input n=3 --input s=0.5 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: %if all %{ tt-run loops.mlir --check --input n=0 --input s=2 --arch=blackhole --optimize=none --metalium-api=2025 %}
// RUN: %if all %{ tt-run sizes.mlir --check --shape X=70x64 --input s=0.5 %}
// RUN: %if all %{ tt-run sizes.mlir --check --shape X=64x64 --input s=0.5 --arch=blackhole --metalium-api=2026-03 %}
// RUN: %if all %{ tt-run returns.mlir --check --shape X=70x64 --optimize=none --metalium-api=2025 %}
// RUN: tt-opt --tt-pipeline sizes.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=SIZES
// RUN: tt-opt --tt-pipeline loops.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=EMITTED

// Host functions with loops, branches, numbers, weights, views and sizes that are known when they run.

// A launch before the loop, three in it, one after it.
// LOOPS: Y: {{.*}} ok

// EMITTED: auto w_data = tilize_nfaces(read_weights<bfloat16>(0, 4096), 64, 64);
// EMITTED: auto bias_data = tilize_nfaces(resize(read_weights<float>(8192, 64), 2, 1, 32, 32, 32), 64, 32);
// EMITTED: // view has the elements of bias, in other tiles.
// EMITTED: std::shared_ptr<distributed::MeshBuffer> current = tmp0;
// EMITTED-NEXT: std::shared_ptr<distributed::MeshBuffer> current_1 = tmp1;
// EMITTED-NEXT: for (int64_t i = 0; i < n; ++i) {
// EMITTED-NEXT: run_product(device, cq, current, w, current_1);
// EMITTED-NEXT: std::tie(current, current_1) = std::make_tuple(current_1, current);
// EMITTED-NEXT: }
// EMITTED-NEXT: if (n >= 2) {
// EMITTED-NEXT: run_bias_add(device, cq, current, view, s * s, Y);
// EMITTED: //--- run/weights.bin
// EMITTED-NEXT: (8448 bytes)

// SIZES: const uint32_t X_d0 = read_size(argv[5]);
// SIZES-NEXT: const uint32_t Y_d0 = X_d0;
// SIZES: for (int64_t i = 0; i < 3; ++i) {
// SIZES-NEXT: const uint32_t tmp0_d0 = size_of("tmp0_d0", X_d0);
// SIZES-NEXT: auto tmp0 = make_buffer(tiles_of(tmp0_d0) * tiles_of(64), 4096, BufferType::DRAM);
// SIZES-NEXT: run_scale(device, cq, X, s, tmp0, X_d0, tmp0_d0);
// SIZES-NEXT: run_scale(device, cq, tmp0, s, Y, tmp0_d0, Y_d0);
// SIZES-NEXT: tmp0->deallocate();

//--- loops.mlir
// Y = X + s b, then n times times W, then + (s or s s) b
memref.global "private" constant @w : memref<64x64xbf16> = dense<0.125>
memref.global "private" constant @bias : memref<2x1x32xf32> = dense_resource<bias>
func.func @product(%X: memref<96x64xbf16> {tt.name = "X"}, %W: memref<64x64xbf16> {tt.name = "W"}, %Y: memref<96x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%by) in (3) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %x = memref.subview %X[%m, 0] [32, 64] [1, 1] : memref<96x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %y = memref.subview %Y[%m, 0] [32, 64] [1, 1] : memref<96x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %acc = memref.alloc() : memref<32x64xf32>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32>)
    linalg.matmul ins(%x, %W : memref<32x64xbf16, strided<[64, 1], offset: ?>>, memref<64x64xbf16>) outs(%acc : memref<32x64xf32>)
    linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%acc : memref<32x64xf32>) outs(%y : memref<32x64xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%a: f32, %o: bf16):
        %t = arith.truncf %a : f32 to bf16
        linalg.yield %t : bf16
    }
  }
  return
}
func.func @bias_add(%X: memref<96x64xbf16> {tt.name = "X"}, %B: memref<64xf32> {tt.name = "B"}, %s: f32 {tt.name = "s"}, %Y: memref<96x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%X, %B : memref<96x64xbf16>, memref<64xf32>) outs(%Y : memref<96x64xbf16>) {
    ^bb0(%a: bf16, %b: f32, %o: bf16):
      %e = arith.extf %a : bf16 to f32
      %f = arith.mulf %b, %s : f32
      %g = arith.addf %e, %f : f32
      %t = arith.truncf %g : f32 to bf16
      linalg.yield %t : bf16
  }
  return
}
func.func @run(%X: memref<1x96x64xbf16> {tt.name = "X"}, %n: index {tt.name = "n"}, %s: f32 {tt.name = "s"}, %Y: memref<96x64xbf16> {tt.name = "Y"}) attributes {tt.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = memref.get_global @w : memref<64x64xbf16>
  %b = memref.get_global @bias : memref<2x1x32xf32>
  %b1 = memref.collapse_shape %b [[0, 1, 2]] : memref<2x1x32xf32> into memref<64xf32>
  %x = memref.collapse_shape %X [[0, 1], [2]] : memref<1x96x64xbf16> into memref<96x64xbf16>
  %t = memref.alloc() : memref<96x64xbf16>
  %u = memref.alloc() : memref<96x64xbf16>
  func.call @bias_add(%x, %b1, %s, %t) : (memref<96x64xbf16>, memref<64xf32>, f32, memref<96x64xbf16>) -> ()
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t, %q = %u) -> (memref<96x64xbf16>, memref<96x64xbf16>) {
    func.call @product(%p, %w, %q) : (memref<96x64xbf16>, memref<64x64xbf16>, memref<96x64xbf16>) -> ()
    scf.yield %q, %p : memref<96x64xbf16>, memref<96x64xbf16>
  }
  %big = arith.cmpi sge, %n, %c2 : index
  scf.if %big {
    %s2 = arith.mulf %s, %s : f32
    func.call @bias_add(%r#0, %b1, %s2, %Y) : (memref<96x64xbf16>, memref<64xf32>, f32, memref<96x64xbf16>) -> ()
  } else {
    func.call @bias_add(%r#0, %b1, %s, %Y) : (memref<96x64xbf16>, memref<64xf32>, f32, memref<96x64xbf16>) -> ()
  }
  return
}
{-#
  dialect_resources: {
    builtin: {
      bias: "0x04000000000040C00000003F000020C00000803F000000C00000C03F0000C0BF00000040000080BF00002040000000BF0000404000000000000040C00000003F000020C00000803F000000C00000C03F0000C0BF00000040000080BF00002040000000BF0000404000000000000040C00000003F000020C00000803F000000C00000C03F0000C0BF00000040000080BF00002040000000BF0000404000000000000040C00000003F000020C00000803F000000C00000C03F0000C0BF00000040000080BF00002040000000BF0000404000000000000040C00000003F000020C00000803F000000C00000C03F0000C0BF00000040000080BF00002040000000BF00004040"
    }
  }
#-}
//--- sizes.mlir
// Y = X s s; Z = exp(Z), which the kernel sees as 16 x 64.
func.func @scale(%X: memref<?x64xf32> {tt.name = "X"}, %s: f32 {tt.name = "s"}, %Y: memref<?x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %M = memref.dim %X, %c0 : memref<?x64xf32>
  %g = arith.ceildivui %M, %c32 : index
  scf.forall (%by) in (%g) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %rows = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 32)>(%m)[%M]
    %x = memref.subview %X[%m, 0] [%rows, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    %y = memref.subview %Y[%m, 0] [%rows, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%x : memref<?x64xf32, strided<[64, 1], offset: ?>>) outs(%y : memref<?x64xf32, strided<[64, 1], offset: ?>>) {
      ^bb0(%a: f32, %o: f32):
        %t = arith.mulf %a, %s : f32
        linalg.yield %t : f32
    }
  }
  return
}
func.func @half(%X: memref<16x64xf32> {tt.name = "X"}, %Y: memref<16x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  linalg.exp ins(%X : memref<16x64xf32>) outs(%Y : memref<16x64xf32>)
  return
}
func.func @run(%X: memref<?x64xf32> {tt.name = "X"}, %Z: memref<32x32xf32> {tt.name = "Z"}, %s: f32 {tt.name = "s"}, %Y: memref<?x64xf32> {tt.name = "Y"}) attributes {tt.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %M = memref.dim %X, %c0 : memref<?x64xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %t = memref.alloc(%M) : memref<?x64xf32>
    func.call @scale(%X, %s, %t) : (memref<?x64xf32>, f32, memref<?x64xf32>) -> ()
    func.call @scale(%t, %s, %Y) : (memref<?x64xf32>, f32, memref<?x64xf32>) -> ()
    memref.dealloc %t : memref<?x64xf32>
  }
  %f = memref.collapse_shape %Z [[0, 1]] : memref<32x32xf32> into memref<1024xf32>
  %z = memref.expand_shape %f [[0, 1]] output_shape [16, 64] : memref<1024xf32> into memref<16x64xf32>
  func.call @half(%z, %z) : (memref<16x64xf32>, memref<16x64xf32>) -> ()
  return
}
//--- returns.mlir
// Results become arguments; copies and fills become kernels; a plain function that is called is inlined.
func.func private @twice(%X: memref<?x64xf32>, %Y: memref<?x64xf32>) {
  memref.copy %X, %Y : memref<?x64xf32> to memref<?x64xf32>
  return
}
func.func @double(%X: memref<2x3x40x70xf32> {tt.name = "X"}) attributes {tt.kernel} {
  %c2 = arith.constant 2.0 : f32
  linalg.generic {indexing_maps = [affine_map<(a,b,i,j)->(a,b,i,j)>], iterator_types = ["parallel","parallel","parallel","parallel"]} outs(%X : memref<2x3x40x70xf32>) {
    ^bb0(%o: f32):
      %t = arith.mulf %o, %c2 : f32
      linalg.yield %t : f32
  }
  return
}
func.func @run(%X: memref<?x64xf32> {tt.name = "X"}, %Z: memref<2x3x40x70xf32> {tt.name = "Z"}, %K: memref<100xbf16> {tt.name = "K"}) -> (memref<?x64xf32>, memref<2x3x40x70xf32>, memref<100xbf16>, memref<2x3x40x70xf32>, memref<100x1xbf16>) attributes {tt.host} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 3.0 : bf16
  %M = memref.dim %X, %c0 : memref<?x64xf32>
  %t = memref.alloc(%M) : memref<?x64xf32>
  %z = memref.alloc() : memref<2x3x40x70xf32>
  call @twice(%X, %t) : (memref<?x64xf32>, memref<?x64xf32>) -> ()
  memref.copy %Z, %z : memref<2x3x40x70xf32> to memref<2x3x40x70xf32>
  call @double(%z) : (memref<2x3x40x70xf32>) -> ()
  %k = memref.alloc() {tt.name = "filled"} : memref<100xbf16>
  linalg.fill ins(%f : bf16) outs(%k : memref<100xbf16>)
  %kv = memref.expand_shape %K [[0, 1]] output_shape [100, 1] : memref<100xbf16> into memref<100x1xbf16>
  return %t, %z, %k, %Z, %kv : memref<?x64xf32>, memref<2x3x40x70xf32>, memref<100xbf16>, memref<2x3x40x70xf32>, memref<100x1xbf16>
}
