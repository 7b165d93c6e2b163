// A block that begins before its tensor: what divides its index rounds down, as it goes far behind the tensor on the chip.
// RUN: not tt-opt --tt-pipeline %s 2>&1 | FileCheck %s
// RUN: sed 's/arith.subi %i, %c1/arith.addi %i, %c0/' %s | tt-opt --tt-pipeline -o /dev/null
func.func @before(%A: memref<128x64xf32>, %C: memref<128x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (128) {
    %m = arith.subi %i, %c1 : index
    %a = memref.subview %A[%m, 0] [1, 64] [1, 1] : memref<128x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
    %c = memref.subview %C[%i, 0] [1, 64] [1, 1] : memref<128x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
    // CHECK: before-tensor.mlir:[[@LINE+1]]:5: error: [rule 17] tile -2 of a tensor that has 8
    linalg.exp ins(%a : memref<1x64xf32, strided<[64, 1], offset: ?>>) outs(%c : memref<1x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
