// Cells that write under a condition, or the same block in several steps: what none of them writes
// keeps its values, which the host brings.
// REQUIRES: all
// RUN: tt-run %s --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: tt-opt --tt-stage-a --tt-stage-b %s | FileCheck %s --check-prefix=KEEPS
// CHECK-DAG: guarded: {{.*}}: ok
// CHECK-DAG: again: {{.*}}: ok
// CHECK-DAG: last: {{.*}}: ok

// All of `last` is written, by the last of four steps.
// KEEPS: func.func @f({{.*}}tt.keeps = ["guarded", "again"]
#rows = affine_map<(i) -> (i * 32)>
func.func @f(%x: memref<128x32xf32> {tt.name = "x"}, %guarded: memref<128x32xf32> {tt.name = "guarded"},
             %again: memref<256x32xf32> {tt.name = "again"}, %last: memref<128x32xf32> {tt.name = "last"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i) in (4) {
    %r = affine.apply #rows(%i)
    %in = memref.subview %x[%r, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %b = memref.alloc() : memref<32x32xf32, 1>
    memref.copy %in, %b : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, 1>
    %low = arith.cmpi ult, %i, %c2 : index
    scf.if %low {
      %to = memref.subview %guarded[%r, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      memref.copy %b, %to : memref<32x32xf32, 1> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    }
    scf.for %k = %c0 to %c4 step %c1 {
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%b : memref<32x32xf32, 1>) {
      ^bb0(%v: f32):
        %w = arith.addf %v, %v : f32
        linalg.yield %w : f32
      }
      %to = memref.subview %again[%r, 0] [32, 32] [1, 1] : memref<256x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      memref.copy %b, %to : memref<32x32xf32, 1> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %end = arith.cmpi eq, %k, %c3 : index
      scf.if %end {
        %out = memref.subview %last[%r, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
        memref.copy %b, %out : memref<32x32xf32, 1> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      }
    }
  }
  return
}
