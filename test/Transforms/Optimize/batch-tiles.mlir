// RUN: tt-opt --tt-pipeline=optimize=batch-tiles --canonicalize --cse %s --remarks-filter=tt-batch-tiles 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

// DST of 16 bits holds eight tiles: four of the sum, and four of the difference. Each op is set up once for all
// four, and pages that come and go a tile at a time do so four at a time.
// CHECK-LABEL: tt.program @products
// CHECK: tt.kernel @compute
// CHECK: %[[X:.*]] = tt.get_cb @cb_in0
// CHECK: %[[Y:.*]] = tt.get_cb @cb_in1
// CHECK: %[[Z:.*]] = tt.get_cb @cb_out0
// CHECK: scf.for %[[BATCH:.*]] = %c0 to %c4
// CHECK: tt.fpu.binary_init add
// CHECK: scf.for %[[T:.*]] = %c0 to %c4
// CHECK: metalium.add_tiles %[[X]], %[[Y]], %{{.*}}, %{{.*}}, %[[T]]
// CHECK: tt.fpu.binary_init sub
// CHECK: scf.for %[[U:.*]] = %c0 to %c4
// CHECK: metalium.sub_tiles %[[X]], %[[Y]], %{{.*}}, %{{.*}}, %[[SLOT:.*]] :
// CHECK-NEXT: metalium.sfpu_tiles mul, %[[U]], %[[SLOT]], %[[U]]
// CHECK: metalium.cb_reserve_back %[[Z]], %c4
// CHECK: scf.for %{{.*}} = %c0 to %c4
// CHECK-NEXT: metalium.pack_tile
// CHECK: metalium.cb_push_back %[[Z]], %c4
// REMARK-DAG: "loop over %t: 4 tiles at a time"

// The same bits, on both chips and in all eras.
// RUN: %if all %{ tt-run %s --optimize=none --output C=%t.none.npy %}
// RUN: %if all %{ tt-run %s --optimize=batch-tiles,read-in-parts,wait-as-needed --check --strict --output C=%t.batch.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.batch.npy %}
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole --metalium-api=2025 %}
// RUN: %if all %{ tt-run %s --check --strict --metalium-api=2026-03 %}
func.func @products(%A: memref<64x256xbf16> {tt.name = "A"}, %B: memref<64x256xbf16> {tt.name = "B"},
                          %W: memref<64x256xbf16> {tt.name = "W"}, %C: memref<64x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                                   affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%A, %B, %W : memref<64x256xbf16>, memref<64x256xbf16>, memref<64x256xbf16>) outs(%C : memref<64x256xbf16>) {
    ^bb0(%a: bf16, %b: bf16, %w: bf16, %old: bf16):
      %sum = arith.addf %a, %b : bf16
      %difference = arith.subf %a, %b : bf16
      %product = arith.mulf %sum, %difference : bf16
      %r = arith.mulf %product, %w : bf16
      linalg.yield %r : bf16
  }
  return
}
