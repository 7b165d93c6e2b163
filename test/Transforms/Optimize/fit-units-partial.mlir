// RUN: tt-opt --tt-stage-a="grid=4x1" --tt-stage-b --tt-stage-c="optimize=fit-units,merge-steps" %s --remarks-filter='tt-(fit|merge).*' 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

// 15 columns of tiles are four blocks of four, of which the last ends behind the tensor. Blocks are longer along what is
// summed all the same, since that is whole.
// CHECK: tt.read_to_cb %arg0[%{{.*}}, %{{.*}}], %{{.*}} : memref<32x512xbf16>, !tt.cb<1x4xbf16>
// CHECK: tt.read_to_cb %arg1[%{{.*}}, %[[N:.*]]], %{{.*}} partial : memref<512x480xbf16>, !tt.cb<4x4xbf16>
// CHECK: tt.write_from_cb %{{.*}}, %arg2[%{{.*}}, %[[N]]] partial : !tt.cb<1x4xbf16>, memref<32x480xbf16>
// REMARK-DAG: "3 units are made 4: clk of a step of all of them are about
// REMARK-DAG: "loop over %k: 16 steps are made 4"

// RUN: %if all %{ tt-run %s --seed=2 --grid=4x1 --optimize=none --output C=%t.none.npy %}
// RUN: %if all %{ tt-run %s --seed=2 --grid=4x1 --check --strict --optimize=fit-units,share-operands,write-as-packed --output C=%t.fit.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.fit.npy %}
// RUN: %if all %{ tt-run %s --seed=2 --grid=4x1 --check --strict %}
// RUN: %if all %{ tt-run %s --seed=2 --grid=4x1 --check --strict --arch=blackhole --metalium-api=2025 %}
// RUN: %if all %{ tt-run %s --seed=2 --grid=4x1 --check --strict --metalium-api=2026-03 %}
func.func @product(%A: memref<32x512xbf16> {tt.name = "A"}, %B: memref<512x480xbf16> {tt.name = "B"},
                   %C: memref<32x480xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  %block = arith.constant 160 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bx) in (3) {
    %n = arith.muli %bx, %block : index
    %sum = memref.alloc() : memref<32x160xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x160xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c512 step %c32 {
      %a = memref.subview %A[0, %k] [32, 32] [1, 1] : memref<32x512xbf16> to memref<32x32xbf16, strided<[512, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 160] [1, 1] : memref<512x480xbf16> to memref<32x160xbf16, strided<[480, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[512, 1], offset: ?>>, memref<32x160xbf16, strided<[480, 1], offset: ?>>)
                    outs(%sum : memref<32x160xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[0, %n] [32, 160] [1, 1] : memref<32x480xbf16> to memref<32x160xbf16, strided<[480, 1], offset: ?>>
    linalg.copy ins(%sum : memref<32x160xf32, #gpu.address_space<private>>) outs(%c : memref<32x160xbf16, strided<[480, 1], offset: ?>>)
  }
  return
}
