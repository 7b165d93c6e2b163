// RUN: tt-opt --tt-pipeline=optimize=batch-tiles --canonicalize --cse %s | FileCheck %s
// RUN: %if all %{ tt-run %s --optimize=none --output C=%t.none.npy %}
// RUN: %if all %{ tt-run %s --check --strict --output C=%t.all.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.all.npy %}
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole --metalium-api=2026-03 %}

// One setting: exponentials stay on the core, which works on each for long, and a section takes its own time on top.
// Results that leave the core go one by one.
// CHECK-LABEL: tt.program @weights
// CHECK: tt.kernel @compute
// CHECK: %[[X:.*]] = tt.get_cb @cb_in0
// CHECK: %[[C:.*]] = tt.get_cb @cb_out0
// CHECK: %[[E:.*]] = tt.get_cb @cb_intermed1
// CHECK: scf.for %{{.*}} = %c0 to %c4
// CHECK: scf.for %[[T:.*]] = %c0 to %c2
// CHECK-NEXT: metalium.copy_tile %[[X]], %[[T]], %[[T]]
// CHECK-NEXT: metalium.sfpu_tile exp, %[[T]]
// CHECK: metalium.cb_push_back %[[E]], %c2
// CHECK: scf.for %[[J:.*]] = %c0 to %c8
// CHECK: metalium.mul_tiles_bcast_cols %[[E]], %{{.*}}, %[[J]], %c0, %c0
// CHECK: metalium.cb_push_back %[[C]], %c1
func.func @weights(%A: memref<32x256xbf16> {tt.name = "A"}, %C: memref<32x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = memref.alloc() : memref<32x256xbf16, #gpu.address_space<private>>
  %s = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<32x256xbf16>) outs(%e : memref<32x256xbf16, #gpu.address_space<private>>) {
    ^bb0(%a: bf16, %old: bf16):
      %r = math.exp %a : bf16
      linalg.yield %r : bf16
  }
  linalg.fill ins(%zero : f32) outs(%s : memref<32xf32, #gpu.address_space<private>>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%e : memref<32x256xbf16, #gpu.address_space<private>>) outs(%s : memref<32xf32, #gpu.address_space<private>>) {
    ^bb0(%a: bf16, %old: f32):
      %x = arith.extf %a : bf16 to f32
      %r = arith.addf %old, %x : f32
      linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : memref<32x256xbf16, #gpu.address_space<private>>, memref<32xf32, #gpu.address_space<private>>) outs(%C : memref<32x256xbf16>) {
    ^bb0(%a: bf16, %t: f32, %old: bf16):
      %x = arith.extf %a : bf16 to f32
      %p = arith.mulf %x, %t : f32
      %r = arith.truncf %p : f32 to bf16
      linalg.yield %r : bf16
  }
  return
}
