// RUN: tt-run %s --check | FileCheck %s
// RUN: sed 's/HiFi2/LoFi/' %s > %t.lofi.mlir
// RUN: %if all %{ tt-run %t.lofi.mlir --check --arch=blackhole | FileCheck %s %}
// RUN: sed 's/HiFi2/HiFi3/; s/, tt.math_approx//' %s > %t.hifi3.mlir
// RUN: %if all %{ tt-run %t.hifi3.mlir --check --metalium-api=2025 | FileCheck %s %}
// RUN: tt-opt --tt-pipeline=optimize=none %t.lofi.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=EMIT

// Fidelity and approximate mode are the kernel's: what the engine may drop is allowed, and costs less.
// CHECK: C: max abs error {{[0-9.]*[1-9]}}{{.*}}: ok
// EMIT: .math_fidelity = MathFidelity::LoFi,
// EMIT: .math_approx_mode = true
func.func @fidelity(%A: memref<64x128xbf16> {tt.name = "A"}, %B: memref<128x64xbf16> {tt.name = "B"},
                    %C: memref<64x64xf32> {tt.name = "C"}) attributes {tt.kernel, tt.math_fidelity = "HiFi2", tt.math_approx} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<64x64xf32>)
  linalg.matmul ins(%A, %B : memref<64x128xbf16>, memref<128x64xbf16>) outs(%C : memref<64x64xf32>)
  return
}
