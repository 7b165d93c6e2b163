// What optimizations make of a sum that leaves DST between its steps, and of one that stays
// there, has the bits of the plain form: the order of additions is the same.
// RUN: tt-run %s --optimize=none --output C=%t.none.npy
// RUN: tt-run %s --optimize=all --check --output C=%t.all.npy
// RUN: cmp %t.none.npy %t.all.npy
// RUN: tt-run %s --optimize=all --check --arch=blackhole --metalium-api=2025
// RUN: sed -f %S/Inputs/smaller-blocks.sed %s > %t.mlir
// RUN: tt-run %t.mlir --optimize=none --output C=%t.none.npy
// RUN: tt-run %t.mlir --optimize=all --check --metalium-api=2026-03 --output C=%t.all.npy
// RUN: cmp %t.none.npy %t.all.npy

func.func @gemm(%A: memref<256x512xbf16> {tt.name = "A"}, %B: memref<512x256xbf16> {tt.name = "B"},
                %C: memref<256x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %block = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %block : index
    %n = arith.muli %bx, %block : index
    %sum = memref.alloc() : memref<128x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c512 step %c32 {
      %a = memref.subview %A[%m, %k] [128, 32] [1, 1] : memref<256x512xbf16> to memref<128x32xbf16, strided<[512, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 128] [1, 1] : memref<512x256xbf16> to memref<32x128xbf16, strided<[256, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<128x32xbf16, strided<[512, 1], offset: ?>>, memref<32x128xbf16, strided<[256, 1], offset: ?>>)
                    outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1] : memref<256x256xbf16> to memref<128x128xbf16, strided<[256, 1], offset: ?>>
    linalg.copy ins(%sum : memref<128x128xf32, #gpu.address_space<private>>)
                outs(%c : memref<128x128xbf16, strided<[256, 1], offset: ?>>)
  }
  return
}
