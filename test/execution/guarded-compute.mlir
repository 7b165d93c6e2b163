// A kernel all of whose computation stands under a condition of the cell: the engines start with what it
// would start with. The other cell leaves both outputs as they were, and every third column is written.
// RUN: tt-run %s --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 --optimize=none 2>&1 | \
// RUN:   FileCheck %s %}
// CHECK-DAG: Y: {{.*}}: ok
// CHECK-DAG: Z: {{.*}}: ok
func.func @guarded(%X: memref<96x50xbf16> {tt.name = "X"}, %Y: memref<96x150xbf16> {tt.name = "Y"}, %Z: memref<96x50xbf16> {tt.name = "Z"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %c1 = arith.constant 1 : index
  scf.forall (%b) in (3) {
    %row = arith.muli %b, %c32 : index
    %x = memref.subview %X[%row, 0] [32, 50] [1, 1] : memref<96x50xbf16> to memref<32x50xbf16, strided<[50, 1], offset: ?>>
    %y = memref.subview %Y[%row, 1] [32, 50] [1, 3] : memref<96x150xbf16> to memref<32x50xbf16, strided<[150, 3], offset: ?>>
    %z = memref.subview %Z[%row, 0] [32, 50] [1, 1] : memref<96x50xbf16> to memref<32x50xbf16, strided<[50, 1], offset: ?>>
    %c = arith.cmpi ne, %b, %c1 : index
    scf.if %c {
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<32x50xbf16, strided<[50, 1], offset: ?>>) outs(%y, %z : memref<32x50xbf16, strided<[150, 3], offset: ?>>, memref<32x50xbf16, strided<[50, 1], offset: ?>>) {
      ^bb0(%s: bf16, %o: bf16, %p: bf16):
        %n = arith.negf %s : bf16
        %d = arith.addf %s, %s : bf16
        linalg.yield %n, %d : bf16, bf16
      }
    }
  }
  return
}
