// What optimizations make of a kernel has the bits of its plain form, in every era: the order of
// additions is the same. A sum that leaves DST between its steps, on cores that share what they
// read, and one that stays there.
// RUN: tt-run %examples/gemm.mlir --optimize=none --output C=%t.none.npy
// RUN: tt-run %examples/gemm.mlir --optimize=all --strict --output C=%t.all.npy
// RUN: cmp %t.none.npy %t.all.npy
// Rows that are read, computed and written in parts.
// RUN: tt-run %examples/gemm.mlir --grid=8x7 --strict --output C=%t.grid.npy
// RUN: cmp %t.none.npy %t.grid.npy
// RUN: %if all %{ tt-run %examples/gemm.mlir --grid=7x5 --strict --output C=%t.grid.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.grid.npy %}
// RUN: %if all %{ tt-run %examples/softmax.mlir --optimize=none --output Y=%t.none.npy %}
// RUN: %if all %{ tt-run %examples/softmax.mlir --optimize=all --strict --output Y=%t.all.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.all.npy %}
// Squares that DST adds up and products on the FPU have other bits, within the same tolerance.
// RUN: %if all %{ tt-run %examples/rms_norm.mlir --optimize=all --strict --check %}
// RUN: %if all %{ tt-run %examples/layer_norm.mlir --optimize=all --strict --check %}
// RUN: %if all %{ tt-run %examples/layer_norm.mlir --arch=blackhole --grid=4x4 --optimize=all --strict --check --metalium-api=2025 %}
// RUN: %if all %{ tt-run %s --arch=blackhole --grid=4x4 --optimize=none --output C=%t.none.npy %}
// RUN: %if all %{ tt-run %s --arch=blackhole --grid=4x4 --optimize=all --check --strict --metalium-api=2025 --output C=%t.all.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.all.npy %}
// Units of which a core has two, on the fewer cores.
// RUN: %if all %{ tt-run %s --grid=4x2 --optimize=all --check --strict --metalium-api=2026-03 --output C=%t.all.npy %}
// RUN: %if all %{ tt-run %s --optimize=none --output C=%t.none.npy && cmp %t.none.npy %t.all.npy %}

// It shares what it reads.
// RUN: tt-opt --tt-pipeline="optimize=all arch=blackhole grid=4x4" %s | FileCheck %s --check-prefix=BOTH
// BOTH-COUNT-2: metalium.noc_async_write_multicast

func.func @gemm(%A: memref<256x512xbf16> {tt.name = "A"}, %B: memref<512x256xbf16> {tt.name = "B"},
                %C: memref<256x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %block = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (4, 4) {
    %m = arith.muli %by, %block : index
    %n = arith.muli %bx, %block : index
    %sum = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<64x64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c512 step %c32 {
      %a = memref.subview %A[%m, %k] [64, 32] [1, 1] : memref<256x512xbf16> to memref<64x32xbf16, strided<[512, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 64] [1, 1] : memref<512x256xbf16> to memref<32x64xbf16, strided<[256, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<64x32xbf16, strided<[512, 1], offset: ?>>, memref<32x64xbf16, strided<[256, 1], offset: ?>>)
                    outs(%sum : memref<64x64xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [64, 64] [1, 1] : memref<256x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
    linalg.copy ins(%sum : memref<64x64xf32, #gpu.address_space<private>>)
                outs(%c : memref<64x64xbf16, strided<[256, 1], offset: ?>>)
  }
  return
}
