// A kernel of one unit is cut where its tensors end inside of a tile, and where a block of sums is kept in its circular buffer
// while operands come, which are converted for the product; as the grid says it where units are there already.
// RUN: split-file %s %t
// RUN: tt-opt --tt-stage-a="grid=2x2" --tt-stage-b --tt-stage-c="optimize=fit-units" %t/ragged.mlir | FileCheck %s
// RUN: tt-opt --tt-stage-a="grid=2x2" --tt-stage-b --tt-stage-c="optimize=fit-units" %t/integers.mlir | FileCheck %s --check-prefix=INTEGERS
// RUN: tt-opt --tt-stage-a="grid=2x2" --tt-stage-b --tt-stage-c="optimize=fit-units" %t/units.mlir --remarks-filter=tt-fit-units 2>&1 >/dev/null | FileCheck %s --check-prefix=UNITS
// UNITS: units stay as long as they are along x: a block of it is kept where it is while others come

// CHECK-LABEL: func.func @ragged
// CHECK-SAME: tt.grid = array<i64: 2, 2, 1>
// CHECK: tt.read_to_cb %{{.*}} : memref<100x70xbf16>, !tt.cb<2x3xbf16>
// CHECK: tt.read_to_cb %{{.*}} : memref<70x90xbf16>, !tt.cb<3x2xbf16>
// CHECK: tt.write_from_cb %{{.*}} : !tt.cb<2x2xbf16>, memref<100x90xbf16>

// INTEGERS-LABEL: func.func @integers
// INTEGERS-SAME: tt.grid = array<i64: 1, 4, 1>
// INTEGERS: tt.cb_open %{{.*}} : !tt.cb<1x2xi32>
// INTEGERS: tt.mm.mma {{.*}} : !tt.cb<1x4xbf16>, !tt.cb<4x2xbf16>

// The same bits, on both chips; on a grid that does not divide the tiles, too.
// RUN: tt-run %t/ragged.mlir --grid=2x2 --seed=2 --optimize=none --output C=%t.none.npy
// RUN: tt-run %t/ragged.mlir --grid=2x2 --seed=2 --check --strict --optimize=fit-units --output C=%t.fit.npy
// RUN: cmp %t.none.npy %t.fit.npy
// RUN: %if all %{ tt-run %t/ragged.mlir --grid=3x2 --check --strict | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t/ragged.mlir --arch=blackhole --check --strict | FileCheck %s --check-prefix=RIGHT %}
// RUN: tt-run %t/integers.mlir --grid=2x2 --check --strict | FileCheck %s --check-prefix=EXACT
// RUN: %if all %{ tt-run %t/integers.mlir --arch=blackhole --check --strict | FileCheck %s --check-prefix=EXACT %}
// RUN: %if all %{ tt-run %t/units.mlir --check --strict | FileCheck %s --check-prefix=EXACT %}
// RIGHT: : ok
// EXACT: C: equal: ok

//--- ragged.mlir
func.func @ragged(%A: memref<100x70xbf16> {tt.name = "A"}, %B: memref<70x90xbf16> {tt.name = "B"},
                  %C: memref<100x90xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<100x90xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<100x90xf32>)
  linalg.matmul ins(%A, %B : memref<100x70xbf16>, memref<70x90xbf16>) outs(%sum : memref<100x90xf32>)
  linalg.copy ins(%sum : memref<100x90xf32>) outs(%C : memref<100x90xbf16>)
  return
}

//--- integers.mlir
func.func @integers(%A: memref<128x256xi8> {tt.name = "A"}, %B: memref<256x64xi8> {tt.name = "B"},
                    %C: memref<128x64xi32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%C : memref<128x64xi32>)
  linalg.matmul ins(%A, %B : memref<128x256xi8>, memref<256x64xi8>) outs(%C : memref<128x64xi32>)
  return
}

//--- units.mlir
func.func @units(%A: memref<128x256xi8> {tt.name = "A"}, %B: memref<256x64xi8> {tt.name = "B"},
                 %C: memref<128x64xi32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  scf.forall (%by) = (0) to (128) step (32) {
    %a = memref.subview %A[%by, 0] [32, 256] [1, 1] : memref<128x256xi8> to memref<32x256xi8, strided<[256, 1], offset: ?>>
    %c = memref.subview %C[%by, 0] [32, 64] [1, 1] : memref<128x64xi32> to memref<32x64xi32, strided<[64, 1], offset: ?>>
    linalg.fill ins(%zero : i32) outs(%c : memref<32x64xi32, strided<[64, 1], offset: ?>>)
    linalg.matmul ins(%a, %B : memref<32x256xi8, strided<[256, 1], offset: ?>>, memref<256x64xi8>)
                  outs(%c : memref<32x64xi32, strided<[64, 1], offset: ?>>)
  }
  return
}
