// Offsets and bounds that are no affine expressions of what a core is given are computed for each core; cores for which they come
// out equal share what they read.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-opt --tt-pipeline="optimize=pair-units,share-operands grid=4x8" --remarks-filter=tt-share-operands %t/lengths.mlir 2>&1 >/dev/null | FileCheck %t/lengths.mlir
// RUN: tt-opt --tt-pipeline="optimize=share-operands grid=4x8" --remarks-filter=tt-share-operands %t/grouped.mlir 2>&1 >/dev/null | FileCheck %t/grouped.mlir
// RUN: tt-opt --tt-pipeline=optimize=share-operands --remarks-filter=tt-share-operands %t/looked-up.mlir 2>&1 >/dev/null | FileCheck %t/looked-up.mlir
// RUN: tt-run %t/lengths.mlir --grid=4x8 --check --strict --output C=%t/all.npy
// RUN: %if all %{ tt-run %t/lengths.mlir --grid=4x8 --optimize=none --output C=%t/none.npy %}
// RUN: %if all %{ cmp %t/all.npy %t/none.npy %}
// RUN: %if all %{ tt-run %t/lengths.mlir --grid=4x8 --check --strict --arch=blackhole --metalium-api=2025 %}
// RUN: %if all %{ tt-run %t/grouped.mlir --grid=4x8 --check --strict --metalium-api=2026-03 %}
// RUN: %if all %{ tt-run %t/grouped.mlir --grid=4x8 --check --strict --arch=blackhole %}
// RUN: %if all %{ tt-run %t/looked-up.mlir --grid=4x8 --check --strict %}

//--- lengths.mlir
// Units end where the block's number says. --tt-pair-units deals them in turn and back, so that the number is a product of what a core is
// given; four blocks beside each other end at the same step.
// CHECK: A is not shared along x: its offset depends on %block
// CHECK: A is not shared along y: its offset depends on %{{.+}}
// CHECK: B is read by one of 4 x 1 cores, and multicast to the others
func.func @lengths(%A: memref<8x512x512xbf16> {tt.name = "A"}, %B: memref<8x512x32xbf16> {tt.name = "B"},
                   %C: memref<8x512x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%head, %block) in (8, 16) {
    %row = arith.muli %block, %c32 : index
    %end = arith.addi %row, %c32 : index
    %sum = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %end step %c128 {
      %a = memref.subview %A[%head, %row, %k] [1, 32, 128] [1, 1, 1]
          : memref<8x512x512xbf16> to memref<32x128xbf16, strided<[512, 1], offset: ?>>
      %b = memref.subview %B[%head, %k, 0] [1, 128, 32] [1, 1, 1]
          : memref<8x512x32xbf16> to memref<128x32xbf16, strided<[32, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x128xbf16, strided<[512, 1], offset: ?>>, memref<128x32xbf16, strided<[32, 1], offset: ?>>)
          outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%head, %row, 0] [1, 32, 32] [1, 1, 1]
        : memref<8x512x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %sum, %c : memref<32x32xf32, #gpu.address_space<private>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  }
  return
}

//--- grouped.mlir
// Blocks in groups of four rows, or of as many as are left, as kernels for GPUs order them: what is divided by is a minimum.
// CHECK: A is read by one of 1 x 4 cores, and multicast to the others
// CHECK: B is read by one of 4 x 1 cores, and multicast to the others
func.func @grouped(%A: memref<256x256xbf16> {tt.name = "A"}, %B: memref<256x128xbf16> {tt.name = "B"},
                   %C: memref<256x128xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%id) in (32) {
    %group = arith.divui %id, %c16 : index
    %first = arith.muli %group, %c4 : index
    %left = arith.subi %c8, %first : index
    %rows = arith.minui %left, %c4 : index
    %turn = arith.remui %id, %rows : index
    %m = arith.addi %first, %turn : index
    %in_group = arith.remui %id, %c16 : index
    %n = arith.divui %in_group, %rows : index
    %row = arith.muli %m, %c32 : index
    %col = arith.muli %n, %c32 : index
    %sum = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c256 step %c64 {
      %a = memref.subview %A[%row, %k] [32, 64] [1, 1] : memref<256x256xbf16> to memref<32x64xbf16, strided<[256, 1], offset: ?>>
      %b = memref.subview %B[%k, %col] [64, 32] [1, 1] : memref<256x128xbf16> to memref<64x32xbf16, strided<[128, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x64xbf16, strided<[256, 1], offset: ?>>, memref<64x32xbf16, strided<[128, 1], offset: ?>>)
          outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%row, %col] [32, 32] [1, 1] : memref<256x128xf32> to memref<32x32xf32, strided<[128, 1], offset: ?>>
    memref.copy %sum, %c : memref<32x32xf32, #gpu.address_space<private>> to memref<32x32xf32, strided<[128, 1], offset: ?>>
  }
  return
}

//--- looked-up.mlir
// What is loaded is known when the kernel runs.
// CHECK: B is not shared: its offsets are no affine expressions
func.func @looked_up(%T: memref<16xi32> {tt.name = "T", tt.range = [0, 3]}, %B: memref<512x32xbf16> {tt.name = "B"},
                       %C: memref<512x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.forall (%block) in (16) {
    %row = arith.muli %block, %c32 : index
    %number = memref.load %T[%block] : memref<16xi32>
    %place = arith.index_cast %number : i32 to index
    %k = arith.muli %place, %c128 : index
    %b = memref.subview %B[%k, 0] [32, 32] [1, 1] : memref<512x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    %c = memref.subview %C[%row, 0] [32, 32] [1, 1] : memref<512x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%b : memref<32x32xbf16, strided<[32, 1], offset: ?>>) outs(%c : memref<32x32xf32, strided<[32, 1], offset: ?>>) {
      ^bb0(%x: bf16, %old: f32):
        %y = arith.extf %x : bf16 to f32
        linalg.yield %y : f32
    }
  }
  return
}
