// Patches of an image, one below the other: 196 rows are 7 tiles, of which the last has 4, and rows of a block of 32 stand in
// three rows of patches. The body loads bf16, which the reference computes with as f32.
// RUN: tt-run %s --check --strict 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole 2>&1 | FileCheck %s --implicit-check-not=warning %}
// RUN: tt-opt --tt-pipeline="arch=blackhole" --remarks-filter=tt-write-as-packed %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEAVES
// LEAVES: elements leave without a wait
// CHECK: out: max abs error 0, {{.*}}: ok
#m = affine_map<(d0) -> (d0 * -32 + 196, 32)>
func.func @gather(%x: memref<1x3x224x224xbf16>, %out: memref<196x768xbf16> {tt.name = "out"}) attributes {tt.kernel}  {
  %c0 = arith.constant 0 : index
  scf.forall (%i, %c) in (7, 3) {
    %col = affine.apply affine_map<(d0) -> (d0 * 256)>(%c)
    %row = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %n = affine.min #m(%i)
    %s = memref.subview %out[%row, %col] [%n, 256] [1, 1] : memref<196x768xbf16> to memref<?x256xbf16, strided<[768, 1], offset: ?>>
    %e = memref.expand_shape %s [[0], [1, 2]] output_shape [%n, 16, 16] : memref<?x256xbf16, strided<[768, 1], offset: ?>> into memref<?x16x16xbf16, strided<[768, 16, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : memref<?x16x16xbf16, strided<[768, 16, 1], offset: ?>>) {
    ^bb0(%o: bf16):
      %1 = linalg.index 0 : index
      %2 = linalg.index 1 : index
      %3 = linalg.index 2 : index
      %y = affine.apply affine_map<()[s0, s1, s2] -> (((s0 + s2) floordiv 14) * 16 + s1)>()[%1, %2, %row]
      %xx = affine.apply affine_map<()[s0, s2] -> (((s0 + s2) mod 14) * 16)>()[%1, %row]
      %6 = arith.addi %3, %xx : index
      %7 = memref.load %x[%c0, %c, %y, %6] : memref<1x3x224x224xbf16>
      linalg.yield %7 : bf16
    }
  }
  return
}
