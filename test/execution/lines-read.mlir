// A row that a list names, of what was computed, and one that is put among integers.
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --optimize=none --seed=7 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 --seed=8 | FileCheck %s %}
// RUN: tt-opt %s --tt-stage-a --remarks-filter=tt-select-lines -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-COUNT-2: a line inside of tiles is selected among all of its buffer, at the cost of all tiles
// CHECK: R: max abs error 0, {{.*}}: ok
// CHECK: N: equal: ok
!own = memref<40x72xf32, #gpu.address_space<private>>
!ints = memref<40x72xi32, #gpu.address_space<private>>
func.func @lines(%X: memref<40x72xf32> {tt.name = "X"}, %Z: memref<40x72xi32> {tt.name = "Z"},
                 %J: memref<3xi32> {tt.name = "J", tt.range = [0, 39]},
                 %R: memref<3x72xf32> {tt.name = "R"}, %N: memref<3x40x72xi32> {tt.name = "N"}) attributes {tt.kernel} {
  scf.forall (%b) in (3) {
    %y = memref.alloc() : !own
    linalg.add ins(%X, %X : memref<40x72xf32>, memref<40x72xf32>) outs(%y : !own)
    %j = memref.load %J[%b] : memref<3xi32>
    %line = arith.index_cast %j : i32 to index
    %r = memref.alloc() : memref<72xf32, #gpu.address_space<private>>
    %get = memref.subview %y[%line, 0] [1, 72] [1, 1] : !own to memref<72xf32, strided<[1], offset: ?>, #gpu.address_space<private>>
    memref.copy %get, %r : memref<72xf32, strided<[1], offset: ?>, #gpu.address_space<private>> to memref<72xf32, #gpu.address_space<private>>
    %rb = memref.subview %R[%b, 0] [1, 72] [1, 1] : memref<3x72xf32> to memref<72xf32, strided<[1], offset: ?>>
    memref.copy %r, %rb : memref<72xf32, #gpu.address_space<private>> to memref<72xf32, strided<[1], offset: ?>>

    %n = memref.alloc() : !ints
    memref.copy %Z, %n : memref<40x72xi32> to !ints
    %z = memref.alloc() : memref<72xi32, #gpu.address_space<private>>
    %zr = memref.subview %Z[%line, 0] [1, 72] [1, 1] : memref<40x72xi32> to memref<72xi32, strided<[1], offset: ?>>
    memref.copy %zr, %z : memref<72xi32, strided<[1], offset: ?>> to memref<72xi32, #gpu.address_space<private>>
    %fifth = memref.subview %n[5, 0] [1, 72] [1, 1] : !ints to memref<72xi32, strided<[1], offset: 360>, #gpu.address_space<private>>
    memref.copy %z, %fifth : memref<72xi32, #gpu.address_space<private>> to memref<72xi32, strided<[1], offset: 360>, #gpu.address_space<private>>
    %nb = memref.subview %N[%b, 0, 0] [1, 40, 72] [1, 1, 1] : memref<3x40x72xi32> to memref<40x72xi32, strided<[72, 1], offset: ?>>
    memref.copy %n, %nb : !ints to memref<40x72xi32, strided<[72, 1], offset: ?>>
  }
  return
}
