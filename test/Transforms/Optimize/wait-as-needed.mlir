// RUN: tt-opt --tt-pipeline=optimize=wait-as-needed --canonicalize --cse %examples/softmax.mlir --remarks-filter=tt-wait-as-needed 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: each of 8 tiles is waited for when it is taken

// The first op that takes the block waits for its tiles; the second finds them.
// CHECK: tt.kernel @compute
// CHECK: scf.for %[[L:.*]] = %c0 to %c8
// CHECK-NEXT: %[[N:.*]] = arith.addi %[[L]], %c1
// CHECK-NEXT: metalium.cb_wait_front %[[X:.*]], %[[N]]
// CHECK-NEXT: metalium.reduce_tile max_row, %[[X]], %{{.*}}, %[[L]]
// CHECK-NOT: metalium.cb_wait_front %[[X]],
// CHECK: metalium.cb_pop_front %[[X]], %c8

// Tiles of a product's operands are taken again.
// RUN: tt-opt --tt-pipeline=optimize=wait-as-needed %examples/gemm.mlir --remarks-filter=tt-wait-as-needed 2>&1 >/dev/null | FileCheck %s --check-prefix=WHOLE
// WHOLE: a block is waited for as a whole: its tiles are not taken once, in their order

// The kernel fills this block itself, a tile after the other: unpack takes the first while the others are packed.
// RUN: tt-opt --tt-pipeline=optimize=wait-as-needed --canonicalize --cse %examples/layer_norm.mlir | FileCheck %s --check-prefix=OWN
// OWN: metalium.sub_tiles_bcast_cols
// OWN: metalium.cb_push_back %[[D:.*]], %c1 : !tt.cb<1x8xf32>
// OWN: scf.for %[[L:.*]] = %c0 to %c8
// OWN-NEXT: %[[N:.*]] = arith.addi %[[L]], %c1
// OWN-NEXT: metalium.cb_wait_front %[[D]], %[[N]]
// OWN-NEXT: metalium.matmul_tiles %[[D]]

// This one is filled at once: a wait for each tile would only cost.
// RUN: tt-opt --tt-pipeline=optimize=wait-as-needed --canonicalize --cse %examples/gated_mlp.mlir | FileCheck %s --check-prefix=ONCE
// ONCE: metalium.cb_push_back %[[D:.*]], %c2 : !tt.cb<2x1xf32>
// ONCE: metalium.cb_push_back %[[D:.*]], %c2 : !tt.cb<2x1xf32>
// ONCE-NEXT: metalium.cb_wait_front %[[D]], %c2

// 17 tiles are taken four at a time, and then one: waits for some more each time would not be for as many. Where one op takes
// them, and nothing is packed, they are waited for as they come.
// RUN: sed 's/256/544/g' %examples/layer_norm.mlir > %t.544.mlir
// RUN: tt-opt --tt-pipeline=optimize=use-fpu,wait-as-needed,batch-tiles --canonicalize --cse %t.544.mlir --remarks-filter=tt-wait-as-needed 2>&1 | FileCheck %s --check-prefix=PRIME
// PRIME-COUNT-2: its 17 tiles are taken some at a time, which do not divide them
// PRIME: tt.kernel @compute
// PRIME: metalium.comment "cb_out0 =
// PRIME-DAG: metalium.cb_wait_front %[[W:.*]], %c17 : !tt.cb<1x17xbf16>
// PRIME-DAG: metalium.cb_wait_front %[[B:.*]], %c17 : !tt.cb<1x17xbf16>
// PRIME: scf.for %{{.*}} = %c0 to %c4 step %c1
// PRIME: metalium.cb_wait_front %{{.*}}, %c4 : !tt.cb<1x17xf32>
