// RUN: tt-opt --tt-stage-a="grid=2x2" --tt-stage-b --tt-stage-c="optimize=fit-units" %s --remarks-filter=tt-fit-units 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

// 3 x 3 units of 2 x 2 tiles on four cores: one core has three, 12 tiles. 2 x 2 of 3 x 3 are 9.
// CHECK-LABEL: func.func @product
// CHECK-SAME: tt.grid = array<i64: 2, 2, 1>
// CHECK-SAME: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>, #tt.work<core = [1, 0], start_id = 1, count = 1>, #tt.work<core = [0, 1], start_id = 2, count = 1>, #tt.work<core = [1, 1], start_id = 3, count = 1>]
// CHECK: %[[UNIT:.*]] = arith.addi
// CHECK: %[[BY:.*]] = arith.divui %[[UNIT]], %c2
// CHECK: %[[BX:.*]] = arith.remui %[[UNIT]], %c2
// CHECK: %[[M:.*]] = arith.muli %[[BY]], %c96
// CHECK: %[[N:.*]] = arith.muli %[[BX]], %c96
// CHECK: tt.read_to_cb %arg0[%[[M]], %{{.*}}], %{{.*}} : memref<192x64xbf16>, !tt.cb<3x1xbf16>
// CHECK: tt.read_to_cb %arg1[%{{.*}}, %[[N]]], %{{.*}} : memref<64x192xbf16>, !tt.cb<1x3xbf16>
// CHECK: tt.write_from_cb %{{.*}}, %arg2[%[[M]], %[[N]]] : !tt.cb<3x3xbf16>
// REMARK: "9 units are made 4: clk of a step of all of them are about

// The same bits, on both chips.
// RUN: %if all %{ tt-run %s --grid=2x2 --seed=2 --optimize=none --output C=%t.none.npy %}
// RUN: %if all %{ tt-run %s --grid=2x2 --seed=2 --check --strict --optimize=fit-units --output C=%t.fit.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.fit.npy %}
// RUN: %if all %{ tt-run %s --arch=blackhole --grid=2x2 --seed=2 --check --strict %}
func.func @product(%A: memref<192x64xbf16> {tt.name = "A"}, %B: memref<64x192xbf16> {tt.name = "B"},
                   %C: memref<192x192xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %block = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (3, 3) {
    %m = arith.muli %by, %block : index
    %n = arith.muli %bx, %block : index
    %sum = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<64x64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %block step %c32 {
      %a = memref.subview %A[%m, %k] [64, 32] [1, 1] : memref<192x64xbf16> to memref<64x32xbf16, strided<[64, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 64] [1, 1] : memref<64x192xbf16> to memref<32x64xbf16, strided<[192, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<64x32xbf16, strided<[64, 1], offset: ?>>, memref<32x64xbf16, strided<[192, 1], offset: ?>>)
                    outs(%sum : memref<64x64xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [64, 64] [1, 1] : memref<192x192xbf16> to memref<64x64xbf16, strided<[192, 1], offset: ?>>
    linalg.copy ins(%sum : memref<64x64xf32, #gpu.address_space<private>>) outs(%c : memref<64x64xbf16, strided<[192, 1], offset: ?>>)
  }
  return
}
