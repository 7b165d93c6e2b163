// Blocks of rows whose tensors lie in L1, a row of the grid for each, stand in these rows; of others, the rectangle is as wide as can be.
// RUN: sed 's/128x256/256x256/g; s/in (4)/in (8)/' %examples/softmax.mlir > %t.mlir
// RUN: sed -E 's/(tt.name = "[A-Z]+")\}/\1, tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [8, 8], shard_shape_elems = [32, 32], order = "row_major"}}}/g' %t.mlir > %t.l1.mlir
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=split-rows" %t.l1.mlir | FileCheck %s --check-prefix=ROWS
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=split-rows" %t.mlir | FileCheck %s --check-prefix=WIDE
// ROWS: tt.core_ranges = [#tt.core_range<start = [0, 0], end = [3, 7]>]
// ROWS: tt.gather_parts %{{.*}} apart = 1 :
// WIDE: tt.core_ranges = [#tt.core_range<start = [0, 0], end = [7, 3]>]
// WIDE: tt.gather_parts %{{.*}} apart = 2 :
// RUN: tt-run %t.l1.mlir --check | FileCheck %s
// CHECK: Y: {{.*}}: ok
