// RUN: tt-opt --tt-pipeline=optimize=wait-as-needed,block-maxima --canonicalize --cse %s --remarks-filter=tt-block-maxima 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: 4 tiles of a row are reduced in one call
// DONE: a row is reduced tile by tile: its tiles are reduced as they come

// A row of what the kernel computed is waited for as a whole, and its largest elements are found in one call.
// CHECK: tt.kernel @compute
// CHECK: metalium.reduce_block_max_row_init %[[Z:.*]], %[[ONES:.*]], %{{.*}} ct = 4
// CHECK: scf.for %[[I:.*]] = %c0 to %c2
// CHECK: %[[FIRST:.*]] = arith.muli %[[I]], %c4
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %c4
// CHECK: metalium.cb_wait_front %[[Z]], %[[END]]
// CHECK: metalium.reduce_block_max_row %[[Z]], %[[ONES]], %[[FIRST]], %c0 ct = 4
// CHECK-NOT: metalium.reduce_uninit
// CHECK: metalium.reduce_block_max_row_uninit %[[Z]]

// What a reader brings is reduced tile by tile, as it comes.
// CHECK: metalium.reduce_tile max_row
// CHECK: metalium.reduce_uninit

// Blocks of f32, and of bf16 in DST of 32 bits, are reduced tile by tile.
// RUN: sed 's/tt.kernel}/tt.kernel, tt.fp32_dest_acc}/' %s | tt-opt --tt-pipeline=optimize=wait-as-needed,block-maxima --remarks-filter=tt-block-maxima 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE-COUNT-2: a row is reduced tile by tile: blocks are reduced in DST of 16 bits alone, and this kernel's has 32
// RUN: tt-opt --tt-pipeline=optimize=block-maxima %examples/flash_attention.mlir --remarks-filter=tt-block-maxima 2>&1 | FileCheck %s --check-prefix=F32
// F32: a row is reduced tile by tile: the engine reduces blocks of bf16 alone
// Where no pass waits for each tile, a reader's block is taken in one call as well.
// RUN: tt-opt --tt-pipeline=optimize=block-maxima %s --remarks-filter=tt-block-maxima 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE-COUNT-2: 4 tiles of a row are reduced in one call

// The same bits as with a call for each tile, in all eras; that of 2025 has a function for it.
// RUN: tt-run %s --check --optimize=none --output=O=%t.none.bin
// RUN: tt-run %s --check --strict --optimize=block-maxima --output=O=%t.all.bin
// RUN: cmp %t.none.bin %t.all.bin
// RUN: %if all %{ tt-run %s --check --metalium-api=2025 --keep=%t.2025 --output=O=%t.all.bin && cmp %t.none.bin %t.all.bin %}
// RUN: %if all %{ grep -c 'largest_of_row<4>(' %t.2025/*/compute.cpp %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2026-03 --keep=%t.2026 --output=O=%t.all.bin && cmp %t.none.bin %t.all.bin %}
// RUN: %if all %{ grep -c 'reduce_block_max_row_init<4>();' %t.2026/*/compute.cpp %}

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @peaks(%X: memref<128x128xbf16> {tt.name = "X"}, %Y: memref<128x128xbf16> {tt.name = "Y"},
                 %O: memref<128x128xbf16> {tt.name = "O"}) attributes {tt.kernel} {
  %c64 = arith.constant 64 : index
  %lowest = arith.constant 0xFF80 : bf16
  scf.forall (%block) in (2) {
    %row = arith.muli %block, %c64 : index
    %x = memref.subview %X[%row, 0] [64, 128] [1, 1] : memref<128x128xbf16> to memref<64x128xbf16, strided<[128, 1], offset: ?>>
    %y = memref.subview %Y[%row, 0] [64, 128] [1, 1] : memref<128x128xbf16> to memref<64x128xbf16, strided<[128, 1], offset: ?>>
    %o = memref.subview %O[%row, 0] [64, 128] [1, 1] : memref<128x128xbf16> to memref<64x128xbf16, strided<[128, 1], offset: ?>>
    %z = memref.alloc() : memref<64x128xbf16, #gpu.address_space<private>>
    %m = memref.alloc() : memref<64xbf16, #gpu.address_space<private>>
    %n = memref.alloc() : memref<64xbf16, #gpu.address_space<private>>
    linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x, %y : memref<64x128xbf16, strided<[128, 1], offset: ?>>, memref<64x128xbf16, strided<[128, 1], offset: ?>>)
        outs(%z : memref<64x128xbf16, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %b: bf16, %out: bf16):
        %product = arith.mulf %a, %b : bf16
        linalg.yield %product : bf16
    }
    linalg.fill ins(%lowest : bf16) outs(%m : memref<64xbf16, #gpu.address_space<private>>)
    linalg.reduce { arith.maximumf } ins(%z : memref<64x128xbf16, #gpu.address_space<private>>)
        outs(%m : memref<64xbf16, #gpu.address_space<private>>) dimensions = [1]
    linalg.fill ins(%lowest : bf16) outs(%n : memref<64xbf16, #gpu.address_space<private>>)
    linalg.reduce { arith.maximumf } ins(%x : memref<64x128xbf16, strided<[128, 1], offset: ?>>)
        outs(%n : memref<64xbf16, #gpu.address_space<private>>) dimensions = [1]
    linalg.generic {indexing_maps = [#ij, #i, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%z, %m, %n : memref<64x128xbf16, #gpu.address_space<private>>, memref<64xbf16, #gpu.address_space<private>>, memref<64xbf16, #gpu.address_space<private>>)
        outs(%o : memref<64x128xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%v: bf16, %a: bf16, %b: bf16, %out: bf16):
        %d = arith.subf %v, %a : bf16
        %r = arith.subf %d, %b : bf16
        linalg.yield %r : bf16
    }
  }
  return
}
