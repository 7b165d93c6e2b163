// Steps of a product whose first operand is turned on the core are merged, too: the block that is read, and the one that it is turned to, grow.
// RUN: split-file %s %t
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=merge-steps" %t/turned.mlir --remarks-filter=tt-merge-steps 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// CHECK: scf.for %[[K:.*]] = %c0 to %c640{{.*}} step %[[STEP:c[0-9]+]]
// CHECK: tt.read_to_cb %arg0[%[[K]], %{{.*}}], %[[X:.*]] : memref<640x128xbf16>, !tt.cb<[[N:[0-9]+]]x2xbf16>
// CHECK: tt.read_to_cb %arg1[%[[K]], %{{.*}}], %[[B:.*]] : memref<640x128xbf16>, !tt.cb<[[N]]x2xbf16>
// CHECK: tt.copy_to_dst %[[X]] transpose, dst = 0 -> %[[A:.*]] : !tt.cb<[[N]]x2xbf16>, !tt.cb<2x[[N]]xbf16>
// CHECK: tt.mm.mma %[[A]], %[[B]], dst = 0
// REMARK: "loop over %k: 20 steps are made {{[1-9]}}"

// The same bits; and a block that is turned for two things is left.
// RUN: tt-run %t/turned.mlir --seed=3 --optimize=none --output C=%t.none.npy
// RUN: tt-run %t/turned.mlir --seed=3 --check --strict --optimize=merge-steps --output C=%t.merged.npy
// RUN: cmp %t.none.npy %t.merged.npy
// RUN: %if all %{ tt-run %t/turned.mlir --seed=3 --check --strict --arch=blackhole | FileCheck %s --check-prefix=RIGHT %}
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=merge-steps" %t/kept.mlir --remarks-filter=tt-merge-steps -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: %if all %{ tt-run %t/kept.mlir --check --strict | FileCheck %s --check-prefix=RIGHT %}
// KEPT: steps are not merged: its steps do more than read operands and multiply them
// RIGHT: C: {{.*}}: ok

//--- turned.mlir
func.func @turned(%A: memref<640x128xbf16> {tt.name = "A"}, %B: memref<640x128xbf16> {tt.name = "B"}, %C: memref<128x128xf32> {tt.name = "C"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c640 = arith.constant 640 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (2, 2) {
    %m = arith.muli %i, %c64 : index
    %n = arith.muli %j, %c64 : index
    %sum = memref.alloc() : memref<64x64xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<64x64xf32>)
    scf.for %k = %c0 to %c640 step %c32 {
      %a = memref.subview %A[%k, %m] [32, 64] [1, 1] : memref<640x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 64] [1, 1] : memref<640x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
      linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
          ins(%a, %b : memref<32x64xbf16, strided<[128, 1], offset: ?>>, memref<32x64xbf16, strided<[128, 1], offset: ?>>) outs(%sum : memref<64x64xf32>)
    }
    %c = memref.subview %C[%m, %n] [64, 64] [1, 1] : memref<128x128xf32> to memref<64x64xf32, strided<[128, 1], offset: ?>>
    linalg.copy ins(%sum : memref<64x64xf32>) outs(%c : memref<64x64xf32, strided<[128, 1], offset: ?>>)
  }
  return
}

//--- kept.mlir
func.func @kept(%A: memref<128x64xbf16> {tt.name = "A"}, %B: memref<128x64xbf16> {tt.name = "B"}, %T: memref<64x128xbf16> {tt.name = "T"},
                %C: memref<64x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    %sum = memref.alloc() : memref<64x64xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<64x64xf32>)
    scf.for %k = %c0 to %c128 step %c32 {
      %a = memref.subview %A[%k, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      %b = memref.subview %B[%k, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      %t = memref.subview %T[0, %k] [64, 32] [1, 1] : memref<64x128xbf16> to memref<64x32xbf16, strided<[128, 1], offset: ?>>
      %turned = memref.alloc() : memref<64x32xbf16>
      linalg.transpose ins(%a : memref<32x64xbf16, strided<[64, 1], offset: ?>>) outs(%turned : memref<64x32xbf16>) permutation = [1, 0]
      linalg.copy ins(%turned : memref<64x32xbf16>) outs(%t : memref<64x32xbf16, strided<[128, 1], offset: ?>>)
      linalg.matmul ins(%turned, %b : memref<64x32xbf16>, memref<32x64xbf16, strided<[64, 1], offset: ?>>) outs(%sum : memref<64x64xf32>)
    }
    linalg.copy ins(%sum : memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  }
  return
}
