// RUN: tt-opt --tt-pipeline=optimize=block-products --canonicalize --cse %examples/gemm.mlir --remarks-filter=tt-block-products 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: 1 x 4 tiles are a product of blocks

// A step of one tile along K has no loop left.
// CHECK: tt.kernel @compute
// CHECK: metalium.matmul_block_init %[[A:.*]], %[[B:.*]] ct = 4 rt = 1 kt = 1
// CHECK-NEXT: metalium.matmul_block %[[A]], %[[B]], %{{.*}}, %c0, %c0 ct = 4 rt = 1 kt = 1
// CHECK-NOT: metalium.matmul_tiles

// Rows and columns, and a loop over what is summed, in its order.
// RUN: tt-opt --tt-pipeline=optimize=block-products,merge-steps --canonicalize --cse %S/../../execution/optimize.mlir | FileCheck %s --check-prefix=BOTH
// BOTH: metalium.matmul_block_init %[[A:.*]], %[[B:.*]] ct = 2 rt = 2 kt = 4
// BOTH: metalium.cb_wait_front %[[A]], %c8
// BOTH-NEXT: metalium.cb_wait_front %[[B]], %c8
// BOTH-NEXT: scf.for %[[L:.*]] = %c0 to %c4 step %c1
// BOTH-NEXT: %[[ROW:.*]] = arith.muli %[[L]], %c2
// BOTH-NEXT: metalium.matmul_block %[[A]], %[[B]], %[[L]], %[[ROW]], %c0 ct = 2 rt = 2 kt = 4

// Columns of a transposed operand are apart by a row of it where it stands so, and a product of one tile stays one.
// RUN: tt-opt --tt-pipeline=optimize=block-products %examples/scores.mlir --remarks-filter=tt-block-products -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: no product of blocks: tiles of its operands and of its result do not follow each other, or it has one
