// REQUIRES: all
// RUN: tt-run %s --check
// RUN: tt-opt --tt-pipeline %s | tt-translate --emit-metalium --metalium-api=2025 | FileCheck %s

// Beside halves, fp8 is a half on the device.
// CHECK: floats_as_halves(bfloat16s_as_floats(fp8s_as_bfloat16s<4, 3>(read_file<uint8_t>(argv[1], 32 * 64))))

func.func @f8(%A: memref<32x64xf8E4M3FN> {tt.name = "A"}, %B: memref<64x32xf16> {tt.name = "B"}, %C: memref<32x32xf16> {tt.name = "C"}, %D: memref<32x64xf16> {tt.name = "D"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<32x64xf8E4M3FN, #gpu.address_space<workgroup>>
  %b = memref.alloc() : memref<64x32xf16, #gpu.address_space<workgroup>>
  %h = memref.alloc() : memref<32x64xf16, #gpu.address_space<workgroup>>
  %acc = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
  memref.copy %A, %a : memref<32x64xf8E4M3FN> to memref<32x64xf8E4M3FN, #gpu.address_space<workgroup>>
  memref.copy %B, %b : memref<64x32xf16> to memref<64x32xf16, #gpu.address_space<workgroup>>
  linalg.copy ins(%a : memref<32x64xf8E4M3FN, #gpu.address_space<workgroup>>) outs(%h : memref<32x64xf16, #gpu.address_space<workgroup>>)
  linalg.fill ins(%z : f32) outs(%acc : memref<32x32xf32, #gpu.address_space<private>>)
  linalg.matmul ins(%h, %b : memref<32x64xf16, #gpu.address_space<workgroup>>, memref<64x32xf16, #gpu.address_space<workgroup>>) outs(%acc : memref<32x32xf32, #gpu.address_space<private>>)
  linalg.copy ins(%acc : memref<32x32xf32, #gpu.address_space<private>>) outs(%C : memref<32x32xf16>)
  memref.copy %h, %D : memref<32x64xf16, #gpu.address_space<workgroup>> to memref<32x64xf16>
  return
}
