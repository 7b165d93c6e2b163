// RUN: tt-opt --tt-pipeline=optimize=merge-steps,pack-last-step,sum-in-l1 --canonicalize --cse %s --remarks-filter=tt-sum-in-l1 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: the packer adds the steps of the sum

// The parts have their places for all steps but the last, which copies the sums back once.
// CHECK: tt.kernel @compute
// CHECK: metalium.cb_reserve_back %[[P:.*]], %c16
// CHECK: scf.for %[[K:.*]] = %c0 to %c7
// CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[K]], %c0
// CHECK: metalium.pack_reconfig_l1_acc %[[MORE]]
// CHECK-NOT: metalium.copy_tile
// CHECK: metalium.pack_tile %{{.*}}, %[[P]] at %{{.*}}
// CHECK: metalium.pack_reconfig_l1_acc %false
// CHECK-NEXT: metalium.cb_push_back %[[P]], %c16
// CHECK: metalium.copy_tile %[[P]]
// CHECK: }

// Few products hide no packer; and without a step of its own for the target, all is copied at the end.
// RUN: tt-opt --tt-pipeline=optimize=sum-in-l1 %s --remarks-filter=tt-sum-in-l1 2>&1 >/dev/null | FileCheck %s --check-prefix=FEW
// FEW: the sum is copied back in each step: the packer would take longer than the products
// RUN: tt-opt --tt-pipeline=optimize=merge-steps,sum-in-l1 %s | FileCheck %s --check-prefix=WHOLE
// WHOLE: metalium.pack_reconfig_l1_acc

// Another order of additions, within the tolerance of the plain one, on both chips and in all eras.
// RUN: %if all %{ tt-run %s --check --strict --metalium-api=2026-08 %}
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole --metalium-api=2025 %}
// RUN: %if all %{ tt-run %s --check --strict --metalium-api=2026-03 %}
func.func @gemm(%A: memref<256x1024xbf16> {tt.name = "A"}, %B: memref<1024x256xbf16> {tt.name = "B"},
                %C: memref<256x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %block = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %block : index
    %n = arith.muli %bx, %block : index
    %sum = memref.alloc() : memref<128x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c1024 step %c32 {
      %a = memref.subview %A[%m, %k] [128, 32] [1, 1] : memref<256x1024xbf16> to memref<128x32xbf16, strided<[1024, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 128] [1, 1] : memref<1024x256xbf16> to memref<32x128xbf16, strided<[256, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<128x32xbf16, strided<[1024, 1], offset: ?>>, memref<32x128xbf16, strided<[256, 1], offset: ?>>)
                    outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1] : memref<256x256xbf16> to memref<128x128xbf16, strided<[256, 1], offset: ?>>
    linalg.copy ins(%sum : memref<128x128xf32, #gpu.address_space<private>>)
                outs(%c : memref<128x128xbf16, strided<[256, 1], offset: ?>>)
  }
  return
}
