// A result in two formats, of which the first is f32: what is computed is packed twice, and the buffer
// of the core that held it goes.
// RUN: split-file %s %t
// RUN: tt-opt --tt-pipeline=optimize=pack-copies --canonicalize --cse %t/both.mlir --remarks-filter=tt-pack-copies 2> %t/remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t/remarks
// DONE: a block is packed where it would be copied to

// CHECK: tt.circular_buffer @cb_out1
// CHECK-NOT: tt.circular_buffer
// CHECK: tt.kernel @compute
// CHECK-DAG: %[[C:.*]] = tt.get_cb @cb_out0 : !tt.cb<2x2xf32>
// CHECK-DAG: %[[D:.*]] = tt.get_cb @cb_out1 : !tt.cb<2x2xbf16>
// CHECK: metalium.comment "cb_out0, cb_out1 = exp(cb_in0)"
// CHECK: metalium.sfpu_tile exp
// CHECK: metalium.pack_tile %{{.*}}, %[[C]]
// CHECK: metalium.cb_push_back %[[C]], %c1
// CHECK: metalium.pack_tile %{{.*}}, %[[D]]
// CHECK: metalium.cb_push_back %[[D]], %c1
// CHECK-NOT: metalium.pack_tile
// CHECK: tt.kernel @writer

// Not where the buffer has less bits than DST, or others compute before the copies.
// RUN: tt-opt --tt-pipeline=optimize=pack-copies %t/others.mlir --remarks-filter=tt-pack-copies -o %t/others.out.mlir 2>&1 | FileCheck --check-prefix=NOT %s
// NOT: a block is copied from where it was packed: its format has less bits than DST
// NOT: a block is copied from where it was packed: others compute before the copies
// RUN: FileCheck --check-prefix=KEPT %s < %t/others.out.mlir
// KEPT-LABEL: tt.program @rounded
// KEPT: tt.circular_buffer @cb_intermed0
// KEPT-LABEL: tt.program @between
// KEPT: tt.circular_buffer @cb_intermed0

// No bit is another one.
// RUN: %if all %{ tt-run %t/both.mlir --optimize=none --check --output C=%t/c.npy --output D=%t/d.npy %}
// RUN: tt-run %t/both.mlir --optimize=all --check --strict --output C=%t/c1.npy --output D=%t/d1.npy
// RUN: %if all %{ cmp %t/c.npy %t/c1.npy && cmp %t/d.npy %t/d1.npy %}
// RUN: %if all %{ tt-run %t/both.mlir --optimize=pack-copies --check --strict --output C=%t/c2.npy --output D=%t/d2.npy %}
// RUN: %if all %{ cmp %t/c.npy %t/c2.npy && cmp %t/d.npy %t/d2.npy %}
// RUN: %if all %{ tt-run %t/both.mlir --arch=blackhole --metalium-api=2025 --check --strict %}

//--- both.mlir
#ij = affine_map<(i, j) -> (i, j)>
func.func @both(%A: memref<128x192xf32> {tt.name = "A"}, %C: memref<128x192xf32> {tt.name = "C"}, %D: memref<128x192xbf16> {tt.name = "D"}) attributes {tt.kernel} {
  %c64 = arith.constant 64 : index
  scf.forall (%by, %bx) in (2, 3) {
    %m = arith.muli %by, %c64 : index
    %n = arith.muli %bx, %c64 : index
    %a = memref.subview %A[%m, %n] [64, 64] [1, 1] : memref<128x192xf32> to memref<64x64xf32, strided<[192, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [64, 64] [1, 1] : memref<128x192xf32> to memref<64x64xf32, strided<[192, 1], offset: ?>>
    %d = memref.subview %D[%m, %n] [64, 64] [1, 1] : memref<128x192xbf16> to memref<64x64xbf16, strided<[192, 1], offset: ?>>
    %y = memref.alloc() : memref<64x64xf32>
    linalg.exp ins(%a : memref<64x64xf32, strided<[192, 1], offset: ?>>) outs(%y : memref<64x64xf32>)
    memref.copy %y, %c : memref<64x64xf32> to memref<64x64xf32, strided<[192, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y : memref<64x64xf32>) outs(%d : memref<64x64xbf16, strided<[192, 1], offset: ?>>) {
      ^bb0(%u: f32, %old: bf16):
        %v = arith.truncf %u : f32 to bf16
        linalg.yield %v : bf16
    }
  }
  return
}

//--- others.mlir
#ij = affine_map<(i, j) -> (i, j)>
// A buffer of bf16, in a DST of 32 bits: the copy in f32 is of rounded numbers.
func.func @rounded(%A: memref<32x64xf32> {tt.name = "A"}, %C: memref<32x64xf32> {tt.name = "C"}, %D: memref<32x64xbf16> {tt.name = "D"}) attributes {tt.kernel} {
  %y = memref.alloc() : memref<32x64xbf16>
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%A : memref<32x64xf32>) outs(%y : memref<32x64xbf16>) {
    ^bb0(%u: f32, %old: bf16):
      %e = math.exp %u : f32
      %v = arith.truncf %e : f32 to bf16
      linalg.yield %v : bf16
  }
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y : memref<32x64xbf16>) outs(%C : memref<32x64xf32>) {
    ^bb0(%u: bf16, %old: f32):
      %v = arith.extf %u : bf16 to f32
      linalg.yield %v : f32
  }
  memref.copy %y, %D : memref<32x64xbf16> to memref<32x64xbf16>
  return
}

// What is computed before the copies may wait for what the writer does.
func.func @between(%A: memref<32x64xf32> {tt.name = "A"}, %C: memref<32x64xf32> {tt.name = "C"}, %D: memref<32x64xbf16> {tt.name = "D"}, %E: memref<32x64xf32> {tt.name = "E"}) attributes {tt.kernel} {
  %y = memref.alloc() : memref<32x64xf32>
  linalg.exp ins(%A : memref<32x64xf32>) outs(%y : memref<32x64xf32>)
  linalg.tanh ins(%A : memref<32x64xf32>) outs(%E : memref<32x64xf32>)
  memref.copy %y, %C : memref<32x64xf32> to memref<32x64xf32>
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y : memref<32x64xf32>) outs(%D : memref<32x64xbf16>) {
    ^bb0(%u: f32, %old: bf16):
      %v = arith.truncf %u : f32 to bf16
      linalg.yield %v : bf16
  }
  return
}
