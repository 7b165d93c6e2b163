// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: sed 's/, tt.partition_mode = "local_shard"//; s/row_major/match_shard/' %s > %t.match.mlir
// RUN: %if all %{ tt-run %t.match.mlir --check | FileCheck %s %}
// RUN: sed 's/, tt.partition_mode = "local_shard"//; s/row_major/block_linear/' %s > %t.squares.mlir
// RUN: %if all %{ tt-run %t.squares.mlir --check | FileCheck %s %}
// RUN: sed 's/row_major/block_linear/' %s > %t.local_squares.mlir
// RUN: %if all %{ tt-run %t.local_squares.mlir --check | FileCheck %s %}

// 3 x 7 tiles in 2 x 2 shards of 2 x 4: the last ones are smaller on both sides, in any order of units.
// CHECK: Y: max abs error 0, {{.*}}: ok
func.func @partial_shards(%X: memref<96x224xbf16> {tt.name = "X"}, %Y: memref<96x224xbf16> {tt.name = "Y", tt.layout = {memory = "L1", layout = "sharded",
      nd_shard = {axes = ["M", "N"], grid = [2, 2], shard_shape_elems = [64, 128], order = "row_major"}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  scf.forall (%m, %n) = (0, 0) to (96, 224) step (32, 32) {
    %x = memref.subview %X[%m, %n] [32, 32] [1, 1] : memref<96x224xbf16> to memref<32x32xbf16, strided<[224, 1], offset: ?>>
    %y = memref.subview %Y[%m, %n] [32, 32] [1, 1] : memref<96x224xbf16> to memref<32x32xbf16, strided<[224, 1], offset: ?>>
    linalg.abs ins(%x : memref<32x32xbf16, strided<[224, 1], offset: ?>>) outs(%y : memref<32x32xbf16, strided<[224, 1], offset: ?>>)
  }
  return
}
