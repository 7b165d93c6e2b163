// 31 steps have no divisors: they are made steps of eight, of which the last one ends behind both tensors, and multiplies zeros there.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-opt --tt-pipeline=optimize=merge-steps --canonicalize --cse %t/plain.mlir --remarks-filter=tt-merge-steps 2> %t/remarks | FileCheck %t/plain.mlir
// RUN: FileCheck --check-prefix=REMARK %t/plain.mlir < %t/remarks
// RUN: tt-opt --tt-pipeline=optimize=merge-steps --remarks-filter=tt-merge-steps %t/inner.mlir 2>&1 >/dev/null | FileCheck %t/inner.mlir
// RUN: tt-opt --tt-pipeline=optimize=merge-steps --remarks-filter=tt-merge-steps %t/ragged.mlir 2>&1 >/dev/null | FileCheck %t/ragged.mlir
// RUN: tt-run %t/plain.mlir --check --strict --output C=%t/all.npy
// RUN: %if all %{ tt-run %t/plain.mlir --optimize=merge-steps --output C=%t/merged.npy %}
// RUN: %if all %{ tt-run %t/plain.mlir --optimize=none --output C=%t/none.npy %}
// RUN: %if all %{ cmp %t/merged.npy %t/none.npy %}
// RUN: %if all %{ tt-run %t/plain.mlir --check --strict --arch=blackhole --metalium-api=2025 %}
// RUN: %if all %{ tt-run %t/turned.mlir --check --strict --grid=2x2 --metalium-api=2026-03 %}
// RUN: %if all %{ tt-run %t/turned.mlir --check --strict --grid=2x2 --arch=blackhole %}
// RUN: %if all %{ tt-run %t/inner.mlir --check --strict %}
// RUN: %if all %{ tt-run %t/ragged.mlir --check --strict %}
// RUN: %if all %{ tt-run %t/ragged.mlir --optimize=all --check --strict --arch=blackhole %}

//--- plain.mlir
// REMARK: [Passed] {{.*}}31 steps are made 4
// CHECK: tt.kernel @reader
// CHECK: scf.for %{{.*}} = %c0 to %c4
// CHECK: arith.cmpi ult, %{{.*}}, %c31
// CHECK: metalium.noc_async_read_tile
// CHECK: } else {
// CHECK-NEXT: metalium.fill_zeros
func.func @plain(%A: memref<64x992xbf16> {tt.name = "A"}, %B: memref<992x64xbf16> {tt.name = "B"}, %C: memref<64x64xf32> {tt.name = "C"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c992 = arith.constant 992 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (2, 2) {
    %m = arith.muli %i, %c32 : index
    %n = arith.muli %j, %c32 : index
    %sum = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c992 step %c32 {
      %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<64x992xbf16> to memref<32x32xbf16, strided<[992, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 32] [1, 1] : memref<992x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[992, 1], offset: ?>>, memref<32x32xbf16, strided<[64, 1], offset: ?>>)
          outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    memref.copy %sum, %c : memref<32x32xf32, #gpu.address_space<private>> to memref<32x32xf32, strided<[64, 1], offset: ?>>
  }
  return
}

//--- turned.mlir
// A factor that is transposed, sums larger than DST, operands that cores share.
func.func @turned(%A: memref<256x736xbf16> {tt.name = "A"}, %B: memref<256x736xbf16> {tt.name = "B"}, %C: memref<256x256xbf16> {tt.name = "C"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c736 = arith.constant 736 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (2, 2) {
    %m = arith.muli %i, %c128 : index
    %n = arith.muli %j, %c128 : index
    %sum = memref.alloc() : memref<128x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c736 step %c32 {
      %a = memref.subview %A[%m, %k] [128, 32] [1, 1] : memref<256x736xbf16> to memref<128x32xbf16, strided<[736, 1], offset: ?>>
      %b = memref.subview %B[%n, %k] [128, 32] [1, 1] : memref<256x736xbf16> to memref<128x32xbf16, strided<[736, 1], offset: ?>>
      linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
          ins(%a, %b : memref<128x32xbf16, strided<[736, 1], offset: ?>>, memref<128x32xbf16, strided<[736, 1], offset: ?>>)
          outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1] : memref<256x256xbf16> to memref<128x128xbf16, strided<[256, 1], offset: ?>>
    linalg.copy ins(%sum : memref<128x128xf32, #gpu.address_space<private>>) outs(%c : memref<128x128xbf16, strided<[256, 1], offset: ?>>)
  }
  return
}

//--- inner.mlir
// The steps end within a tensor, which has more behind them: it is not zero there.
// CHECK: [Missed] {{.*}}its 31 steps stay 31
func.func @inner(%A: memref<32x1024xbf16> {tt.name = "A"}, %B: memref<992x32xbf16> {tt.name = "B"}, %C: memref<32x32xf32> {tt.name = "C"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c992 = arith.constant 992 : index
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
  linalg.fill ins(%zero : f32) outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
  scf.for %k = %c0 to %c992 step %c32 {
    %a = memref.subview %A[0, %k] [32, 32] [1, 1] : memref<32x1024xbf16> to memref<32x32xbf16, strided<[1024, 1], offset: ?>>
    %b = memref.subview %B[%k, 0] [32, 32] [1, 1] : memref<992x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[1024, 1], offset: ?>>, memref<32x32xbf16, strided<[32, 1], offset: ?>>)
        outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
  }
  memref.copy %sum, %C : memref<32x32xf32, #gpu.address_space<private>> to memref<32x32xf32>
  return
}

//--- ragged.mlir
// The last step is a part of a tile.
// CHECK: [Passed] {{.*}}31 steps are made 4
func.func @ragged(%A: memref<64x980xbf16> {tt.name = "A"}, %B: memref<980x64xbf16> {tt.name = "B"}, %C: memref<64x64xf32> {tt.name = "C"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c980 = arith.constant 980 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (2, 2) {
    %m = arith.muli %i, %c32 : index
    %n = arith.muli %j, %c32 : index
    %sum = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c980 step %c32 {
      %left = arith.subi %c980, %k : index
      %w = arith.minsi %left, %c32 : index
      %a = memref.subview %A[%m, %k] [32, %w] [1, 1] : memref<64x980xbf16> to memref<32x?xbf16, strided<[980, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [%w, 32] [1, 1] : memref<980x64xbf16> to memref<?x32xbf16, strided<[64, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x?xbf16, strided<[980, 1], offset: ?>>, memref<?x32xbf16, strided<[64, 1], offset: ?>>)
          outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    memref.copy %sum, %c : memref<32x32xf32, #gpu.address_space<private>> to memref<32x32xf32, strided<[64, 1], offset: ?>>
  }
  return
}
