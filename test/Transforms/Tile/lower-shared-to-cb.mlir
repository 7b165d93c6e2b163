// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --canonicalize | FileCheck %s
// RUN: tt-opt %examples/eadd.mlir --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --canonicalize | FileCheck %s --check-prefix=EADD
// RUN: tt-opt %s --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb | FileCheck %s --check-prefix=DIRECT
// RUN: tt-opt %examples/partial_blocks.mlir --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --canonicalize --cse | FileCheck %s --check-prefix=PARTIAL
// RUN: sed 's/100/197/g; s/150/128/g; s/step (64, 64)/step (32, 64)/; s/197, 64)>/197, 32)>/' %examples/partial_blocks.mlir | tt-opt --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --canonicalize --cse | FileCheck %s --check-prefix=RAGGED
// RUN: tt-opt %examples/dynamic_gemm.mlir --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --canonicalize --cse | FileCheck %s --check-prefix=DYNAMIC

// Blocks at the end of a tensor have whole circular buffers; their sizes stand in views of them.
// PARTIAL: %[[REST:.*]] = arith.subi %c100, %{{.*}} : index
// PARTIAL: %[[ROWS:.*]] = arith.minui %[[REST]], %c64 : index
// PARTIAL: %[[COLS:.*]] = arith.minui %{{.*}}, %c64 : index
// PARTIAL: %[[CB:.*]] = tt.alloc_cb "cb_in0" depth = 2 : !tt.cb<2x2xbf16>
// PARTIAL: %[[BLOCK:.*]] = tt.cb_view %[[CB]] : !tt.cb<2x2xbf16> -> memref<64x64xbf16>
// PARTIAL: tt.read_to_cb %{{.*}}[%{{.*}}, %{{.*}}], %[[CB]] partial : memref<100x150xbf16>, !tt.cb<2x2xbf16>
// PARTIAL: %[[VIEW:.*]] = memref.subview %[[BLOCK]][0, 0] [%[[ROWS]], %[[COLS]]] [1, 1]
// PARTIAL: linalg.exp ins(%[[VIEW]] :
// PARTIAL: tt.write_from_cb %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] partial : !tt.cb<2x2xbf16>, memref<100x150xbf16>

// Blocks of 32 rows of a tensor of 197 have whole tiles as they are stored: only what they compute
// ends with the tensor.
// RAGGED: tt.read_to_cb %{{.*}}[%{{.*}}, %{{.*}}], %[[CB:.*]] : memref<197x128xbf16>, !tt.cb<1x2xbf16>
// RAGGED: memref.subview %{{.*}}[0, 0] [%{{.*}}, 64] [1, 1]
// RAGGED: tt.write_from_cb %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !tt.cb<1x2xbf16>, memref<197x128xbf16>

// Sizes that differ in name are taken to be equal.
// DYNAMIC: tt.equal_dims = ["B_d0=A_d1", "C_d0=A_d0", "C_d1=B_d1"]
// DYNAMIC: %[[K:.*]] = tt.runtime_arg "A_d1"
// DYNAMIC: scf.for %{{.*}} = %c0 to %[[K]] step %c64

// Shared buffers become circular buffers, with the depth of A2; compute still
// works on memrefs, and there is no protocol.
// CHECK: %[[OUT:.*]] = tt.alloc_cb "cb_out0" depth = 2 : !tt.cb<4x4xbf16>
// CHECK: %[[OUT_VIEW:.*]] = tt.cb_view %[[OUT]] : !tt.cb<4x4xbf16> -> memref<128x128xbf16>
// CHECK: %[[A:.*]] = tt.alloc_cb "cb_in0" depth = 3 : !tt.cb<4x1xbf16>
// CHECK: %[[A_VIEW:.*]] = tt.cb_view %[[A]] : !tt.cb<4x1xbf16> -> memref<128x32xbf16, #gpu.address_space<workgroup>>
// CHECK: %[[B:.*]] = tt.alloc_cb "cb_in1" depth = 3 : !tt.cb<1x4xbf16>
// CHECK: %[[B_VIEW:.*]] = tt.cb_view %[[B]]
// CHECK: %[[ACC:.*]] = memref.alloc() : memref<128x128xf32, #gpu.address_space<private>>
// CHECK: scf.for %[[K:.*]] =
// CHECK-NEXT: tt.read_to_cb %{{.*}}[%[[M:.*]], %[[K]]], %[[A]] : memref<1024x256xbf16>, !tt.cb<4x1xbf16>
// CHECK-NEXT: tt.read_to_cb %{{.*}}[%[[K]], %[[N:.*]]], %[[B]] : memref<256x1024xbf16>, !tt.cb<1x4xbf16>
// CHECK-NEXT: linalg.matmul ins(%[[A_VIEW]], %[[B_VIEW]] : {{.*}}) outs(%[[ACC]] :
// CHECK: linalg.copy ins(%[[ACC]] : {{.*}}) outs(%[[OUT_VIEW]] : memref<128x128xbf16>)
// CHECK-NEXT: tt.write_from_cb %[[OUT]], %{{.*}}[%[[M]], %[[N]]] : !tt.cb<4x4xbf16>, memref<1024x1024xbf16>
// CHECK-NOT: metalium.

// A shared buffer that one op computes whole is the output buffer itself.
// EADD: tt.alloc_cb "cb_in0"
// EADD: tt.alloc_cb "cb_in1"
// EADD: %[[OUT:.*]] = tt.alloc_cb "cb_out0" depth = 2 : !tt.cb<4x4xbf16>
// EADD: %[[VIEW:.*]] = tt.cb_view %[[OUT]]
// EADD: linalg.add {{.*}} outs(%[[VIEW]] :
// EADD-NEXT: tt.write_from_cb %[[OUT]]
// EADD-NOT: linalg.copy

// Ops on tensors themselves go through buffers, too.
// DIRECT-LABEL: func.func @direct
// DIRECT: %[[OUT:.*]] = tt.alloc_cb "cb_out0"
// DIRECT: tt.read_to_cb
// DIRECT: tt.read_to_cb
// DIRECT: linalg.add
// DIRECT: tt.write_from_cb
func.func @direct(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>, %C: memref<64x64xbf16>) attributes {tt.kernel} {
  linalg.add ins(%A, %B : memref<64x64xbf16>, memref<64x64xbf16>) outs(%C : memref<64x64xbf16>)
  return
}
