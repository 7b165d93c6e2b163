// RUN: split-file %s %t
// RUN: tt-opt --tt-pipeline=optimize=fit-units,share-operands --canonicalize --cse %t/rows.mlir --remarks-filter='tt-(fit-units|share-operands)' 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=share-operands %t/columns.mlir --remarks-filter=tt-share-operands -o %t.out 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: tt-run --check --arch=blackhole --grid=8x8 %t/columns.mlir 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %if all %{ tt-run --check --metalium-api=2025 %t/rows.mlir 2>&1 | FileCheck %s --check-prefix=RIGHT %}

// 65 units of two tiles would leave one core with two of them; 44 of three are five rows of cores and a half of one. All
// read the same blocks of A: one core of each of the two rectangles reads them, and sends as many as that has.
// DONE: 65 units are made 44: clk of a step of all of them are about
// DONE: A is read by one of 8 x 5 cores, in another group by one of 4 x 1 cores, and multicast to the others
// CHECK: tt.core_args (%[[X:.*]], %[[Y:.*]]) -> [{{.*}}"in0_y1", "in0_others"]
// CHECK: %[[ABOVE:.*]] = arith.cmpi ult, %[[Y]], %c5
// CHECK-DAG: %[[FIRST:.*]] = arith.select %[[ABOVE]], %c0, %c5
// CHECK-DAG: %[[OTHERS:.*]] = arith.select %[[ABOVE]], %c39, %c3
// CHECK: tt.worker_core %c0, %[[FIRST]]
// CHECK: tt.yield {{.*}}, %[[OTHERS]] :
// CHECK: metalium.noc_semaphore_wait %{{.*}}, %[[N:.*]]
// CHECK: metalium.noc_async_write_multicast %{{.*}}, %{{.*}}, %{{.*}}, %[[N]]

// A row of a single core would have nobody to send to: the cut is between columns.
// COLUMNS: A is read by one of 1 x 5 cores, in another group by one of 7 x 4 cores, and multicast to the others
// RIGHT: C: max abs error {{.*}}: ok

//--- rows.mlir
func.func @rows(%A: memref<32x128xbf16> {tt.name = "A"}, %B: memref<128x4160xbf16> {tt.name = "B", tt.layout = {dtype = "bf16"}},
                   %C: memref<32x4160xbf16> {tt.name = "C"}) attributes {tt.kernel, tt.math_fidelity = "HiFi4"} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %bm = arith.constant 32 : index
  %bn = arith.constant 64 : index
  %size = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (1, 65) {
    %m = arith.muli %by, %bm : index
    %n = arith.muli %bx, %bn : index
    %sum = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %size step %step {
      %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<32x128xbf16> to memref<32x32xbf16, strided<[128, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 64] [1, 1] : memref<128x4160xbf16> to memref<32x64xbf16, strided<[4160, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[128, 1], offset: ?>>, memref<32x64xbf16, strided<[4160, 1], offset: ?>>) outs(%sum : memref<32x64xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [32, 64] [1, 1] : memref<32x4160xbf16> to memref<32x64xbf16, strided<[4160, 1], offset: ?>>
    linalg.copy ins(%sum : memref<32x64xf32, #gpu.address_space<private>>) outs(%c : memref<32x64xbf16, strided<[4160, 1], offset: ?>>)
  }
  return
}

//--- columns.mlir
func.func @columns(%A: memref<64x256xbf16> {tt.name = "A"}, %B: memref<256x1056xbf16> {tt.name = "B", tt.layout = {dtype = "bf16"}},
                   %C: memref<64x1056xbf16> {tt.name = "C"}) attributes {tt.kernel, tt.math_fidelity = "HiFi4"} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %bm = arith.constant 64 : index
  %bn = arith.constant 32 : index
  %size = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (1, 33) {
    %m = arith.muli %by, %bm : index
    %n = arith.muli %bx, %bn : index
    %sum = memref.alloc() : memref<64x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<64x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %size step %step {
      %a = memref.subview %A[%m, %k] [64, 32] [1, 1] : memref<64x256xbf16> to memref<64x32xbf16, strided<[256, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 32] [1, 1] : memref<256x1056xbf16> to memref<32x32xbf16, strided<[1056, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<64x32xbf16, strided<[256, 1], offset: ?>>, memref<32x32xbf16, strided<[1056, 1], offset: ?>>) outs(%sum : memref<64x32xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [64, 32] [1, 1] : memref<64x1056xbf16> to memref<64x32xbf16, strided<[1056, 1], offset: ?>>
    linalg.copy ins(%sum : memref<64x32xf32, #gpu.address_space<private>>) outs(%c : memref<64x32xbf16, strided<[1056, 1], offset: ?>>)
  }
  return
}
