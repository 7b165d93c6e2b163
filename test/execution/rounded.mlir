// RUN: sed -e s/BETWEEN/bf16/g -e 's#// bf16:##' %s | tt-run --check - | FileCheck %s --check-prefix=ROUNDED
// RUN: %if all %{ sed -e s/BETWEEN/f32/g -e 's#// f32:##' %s | tt-run --check - | \
// RUN:   FileCheck %s --check-prefix=WIDE %}

// A kernel that rounds to bf16 between its ops is as precise as 16 bits are, also with 32-bit
// DST; one that keeps f32 there is held to more.
// ROUNDED: Y: {{.*}} (at most 0.012), {{.*}}: ok
// WIDE: Y: {{.*}} (at most 0.0051), {{.*}}: ok
#id = affine_map<(i, j) -> (i, j)>
func.func @twice(%X: memref<64x96xf32> {tt.name = "X"}, %Y: memref<64x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %b = memref.alloc() : memref<64x96xBETWEEN>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<64x96xf32>) outs(%b : memref<64x96xBETWEEN>) {
    ^bb0(%x: f32, %old: BETWEEN):
      %e = math.exp %x : f32
      // bf16: %n = arith.truncf %e : f32 to bf16
      // bf16: linalg.yield %n : bf16
      // f32: linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<64x96xBETWEEN>) outs(%Y : memref<64x96xf32>) {
    ^bb0(%v: BETWEEN, %old: f32):
      // bf16: %w = arith.extf %v : bf16 to f32
      // bf16: %s = math.sin %w : f32
      // f32: %s = math.sin %v : f32
      linalg.yield %s : f32
  }
  return
}
