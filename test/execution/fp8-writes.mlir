// RUN: tt-run %s --check --input s=64 | FileCheck %s --check-prefix=EXACT
// RUN: %if all %{ tt-run %s --check --input s=0.0009765625 --arch=blackhole --metalium-api=2025 | FileCheck %s --check-prefix=EXACT %}
// RUN: %if all %{ tt-run %s --check --input s=32768 --metalium-api=2026-03 | \
// RUN:   FileCheck %s --check-prefix=EXACT %}
// RUN: tt-opt --tt-pipeline %s | tt-translate --emit-metalium | FileCheck %s

// Tensors of fp8 that a kernel writes: rounded on the device, in the vector unit, as MLIR's JIT does
// by bits, also where numbers are below the least normal one (s = 2^-10) or too large (s = 2^15).
// EXACT: e4m3: max abs error 0, {{.*}}: ok
// EXACT-NEXT: e5m2: max abs error 0, {{.*}}: ok
// EXACT-NEXT: back: max abs error 0, {{.*}}: ok

// CHECK: floats_as_fp8s<4, 3>(bfloat16s_as_floats(
// CHECK: floats_as_fp8s<5, 2>(bfloat16s_as_floats(

#ij = affine_map<(i, j) -> (i, j)>
func.func @rounds(%X: memref<64x64xf32> {tt.name = "X"}, %s: f32 {tt.name = "s"}, %P: memref<64x64xf8E4M3FN> {tt.name = "e4m3"},
                  %Q: memref<64x64xf8E5M2> {tt.name = "e5m2"}, %R: memref<64x64xf32> {tt.name = "back"}) attributes {tt.kernel} {
  %p = memref.alloc() : memref<64x64xf8E4M3FN, #gpu.address_space<private>>
  %q = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<64x64xf32>) outs(%p : memref<64x64xf8E4M3FN, #gpu.address_space<private>>) {
    ^bb0(%x: f32, %o: f8E4M3FN):
      %a = arith.mulf %x, %s : f32
      %c = arith.constant 448.0 : f32
      %d = arith.constant -448.0 : f32
      %m = arith.minimumf %a, %c : f32
      %b = arith.maximumf %m, %d : f32
      %t = arith.truncf %b : f32 to f8E4M3FN
      linalg.yield %t : f8E4M3FN
  }
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<64x64xf32>) outs(%q : memref<64x64xf32, #gpu.address_space<private>>) {
    ^bb0(%x: f32, %o: f32):
      %a = arith.mulf %x, %s : f32
      linalg.yield %a : f32
  }
  memref.copy %p, %P : memref<64x64xf8E4M3FN, #gpu.address_space<private>> to memref<64x64xf8E4M3FN>
  linalg.copy ins(%q : memref<64x64xf32, #gpu.address_space<private>>) outs(%Q : memref<64x64xf8E5M2>)
  linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%p, %X : memref<64x64xf8E4M3FN, #gpu.address_space<private>>, memref<64x64xf32>) outs(%R : memref<64x64xf32>) {
    ^bb0(%x: f8E4M3FN, %y: f32, %o: f32):
      %a = arith.extf %x : f8E4M3FN to f32
      %m = arith.truncf %y : f32 to f8E5M2
      %n = arith.extf %m : f8E5M2 to f32
      %r = arith.addf %a, %n : f32
      linalg.yield %r : f32
  }
  return
}
