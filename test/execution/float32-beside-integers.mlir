// REQUIRES: all
// RUN: tt-opt %s --tt-pipeline=optimize=none | FileCheck %s --check-prefix=IR
// RUN: tt-run %s --check --keep %t > %t.txt && FileCheck %s < %t.txt
// RUN: tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s

// The vendor's build makes Float32 in source registers Float16, which ends at 131008, where all
// other circular buffers are of integers. A page of bf16 that nobody moves keeps it Tf32.
// IR: tt.circular_buffer @cb_exponents on @all intermediate !tt.cb<1x1xbf16> id = 31 pages = 1 page_bytes = 2048 format = bfloat16
// CHECK: S: {{.*}}: ok
// CHECK: D: equal: ok

// Without that page the sums are others.
// RUN: cd %t/sums && sed -i '/cb_exponents/d' main.cpp && tt-run main.cpp 0.bin 1.bin S.bin D.bin > none.txt && not cmp S.bin 2.bin

// So it is with DST of 16 bits, whatever else there is.
// RUN: sed 's/tt.kernel}/tt.kernel, tt.fp32_dest_acc = false}/; s/bf16/f32/g' %examples/eadd.mlir | tt-opt --tt-pipeline | FileCheck %s --check-prefix=NARROW
// NARROW: tt.circular_buffer @cb_exponents
func.func @sums(%A: memref<64x64xf32> {tt.name = "A"}, %I: memref<64x64xi32> {tt.name = "I"}, %S: memref<64xf32> {tt.name = "S"}, %D: memref<64x64xi32> {tt.name = "D"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %much = arith.constant 1.0e+6 : f32
  linalg.fill ins(%zero : f32) outs(%S : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%A : memref<64x64xf32>) outs(%S : memref<64xf32>) {
    ^bb0(%a: f32, %s: f32):
      %x = arith.mulf %a, %much : f32
      %t = arith.addf %x, %s : f32
      linalg.yield %t : f32
  }
  linalg.add ins(%I, %I : memref<64x64xi32>, memref<64x64xi32>) outs(%D : memref<64x64xi32>)
  return
}
