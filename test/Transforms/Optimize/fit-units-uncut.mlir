// Sides of blocks along which a grid has one unit are cut as well, and a unit of one tile may have more, though ops go on with it in DST.
// RUN: split-file %s %t
// RUN: tt-opt --tt-stage-a="grid=2x2" --tt-stage-b --tt-stage-c="optimize=fit-units" %t/one.mlir --remarks-filter=tt-fit-units 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: tt-opt --tt-stage-a="grid=2x2" --tt-stage-b --tt-stage-c="optimize=fit-units" %t/after.mlir | FileCheck %s --check-prefix=AFTER
// RUN: tt-opt --tt-stage-a="grid=2x2" --tt-stage-b --tt-stage-c="optimize=fit-units" %t/apart.mlir | FileCheck %s --check-prefix=APART

// The same bits, on both chips.
// RUN: tt-run %t/one.mlir --grid=2x2 --seed=2 --optimize=none --output C=%t.none.npy
// RUN: tt-run %t/one.mlir --grid=2x2 --seed=2 --check --strict --optimize=fit-units --output C=%t.fit.npy
// RUN: cmp %t.none.npy %t.fit.npy
// RUN: %if all %{ tt-run %t/one.mlir --arch=blackhole --check --strict | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t/after.mlir --grid=2x2 --seed=2 --optimize=none --output C=%t.none.npy %}
// RUN: %if all %{ tt-run %t/after.mlir --grid=2x2 --seed=2 --check --strict --optimize=fit-units,finish-products,pack-last-step --output C=%t.fit.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.fit.npy %}
// RUN: %if all %{ tt-run %t/after.mlir --arch=blackhole --check --strict | FileCheck %s --check-prefix=RIGHT %}
// RUN: tt-run %t/places.mlir --check --strict | FileCheck %s --check-prefix=RIGHT
// RUN: %if all %{ tt-run %t/places-one.mlir --check --strict | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t/again.mlir --check --strict | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t/apart.mlir --check --strict | FileCheck %s --check-prefix=RIGHT %}
// RUN: tt-run %t/whole.mlir --check --strict | FileCheck %s --check-prefix=RIGHT
// RUN: %if all %{ tt-run %t/whole.mlir --arch=blackhole --check --strict | FileCheck %s --check-prefix=RIGHT %}
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=fit-units" %t/whole.mlir | FileCheck %s --check-prefix=WHOLE
// RIGHT: : ok

// WHOLE-LABEL: func.func @whole
// WHOLE: %[[FIRST:.*]] = tt.runtime_arg "start_id"
// WHOLE: %[[COUNT:.*]] = tt.runtime_arg "count"
// WHOLE: scf.for %[[I:.*]] = %{{.*}} to %[[COUNT]]
// WHOLE: arith.addi %[[FIRST]], %[[I]]
// WHOLE: tt.write_from_cb
// WHOLE-NEXT: } {tt.var = "unit"}

// One unit of 4 x 4 tiles is four of 2 x 2.
// CHECK-LABEL: func.func @one
// CHECK-SAME: tt.grid = array<i64: 2, 2, 1>
// CHECK: %[[FIRST:.*]] = tt.runtime_arg "start_id"
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[UNIT:.*]] = arith.addi %[[FIRST]], %[[I]] {tt.var = "tid"}
// CHECK: %[[BY:.*]] = arith.divui %[[UNIT]], %c2
// CHECK: %[[M:.*]] = arith.muli %[[BY]], %c64
// CHECK: %[[BX:.*]] = arith.remui %[[UNIT]], %c2
// CHECK: %[[N:.*]] = arith.muli %[[BX]], %c64
// CHECK: tt.read_to_cb %arg0[%[[M]], %{{.*}}], %{{.*}} : memref<128x64xbf16>, !tt.cb<2x1xbf16>
// CHECK: tt.read_to_cb %arg1[%{{.*}}, %[[N]]], %{{.*}} : memref<64x128xbf16>, !tt.cb<1x2xbf16>
// CHECK: tt.write_from_cb %{{.*}}, %arg2[%[[M]], %[[N]]] : !tt.cb<2x2xbf16>
// REMARK: "1 units are made 4: clk of a step of all of them are about

// The result of a product is packed, and copied to where ops of a tile go on with it.
// AFTER-LABEL: func.func @after
// AFTER-SAME: tt.grid = array<i64: 2, 2, 1>
// AFTER: %[[RESULT:.*]] = tt.alloc_cb "cb_intermed0" depth = 1 : !tt.cb<2x2xf32>
// AFTER: tt.mm.mma %{{.*}}, %{{.*}}, dst = 0
// AFTER: }
// AFTER: tt.pack_to_cb dst = 0 -> %[[RESULT]] : !tt.cb<2x2xf32>
// AFTER-NEXT: tt.copy_to_dst %[[RESULT]], dst = 0 : !tt.cb<2x2xf32>
// AFTER: tt.pack_to_cb dst = 0 -> %{{.*}} : !tt.cb<2x2xbf16>

// A group that packs its result has DST to itself: an operand that is turned on the core has another length than the sum.
// APART-LABEL: func.func @apart
// APART-SAME: tt.grid = array<i64: 2, 2, 1>
// APART: tt.copy_to_dst %{{.*}} transpose, dst = 0 -> %{{.*}} : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>

//--- one.mlir
func.func @one(%A: memref<128x64xbf16> {tt.name = "A"}, %B: memref<64x128xbf16> {tt.name = "B"},
               %C: memref<128x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (1, 1) {
    %sum = memref.alloc() : memref<128x128xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<128x128xf32>)
    scf.for %k = %c0 to %c64 step %c32 {
      %a = memref.subview %A[0, %k] [128, 32] [1, 1] : memref<128x64xbf16> to memref<128x32xbf16, strided<[64, 1], offset: ?>>
      %b = memref.subview %B[%k, 0] [32, 128] [1, 1] : memref<64x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<128x32xbf16, strided<[64, 1], offset: ?>>, memref<32x128xbf16, strided<[128, 1], offset: ?>>)
                    outs(%sum : memref<128x128xf32>)
    }
    linalg.copy ins(%sum : memref<128x128xf32>) outs(%C : memref<128x128xbf16>)
  }
  return
}

//--- after.mlir
func.func @after(%A: memref<128x64xbf16> {tt.name = "A"}, %B: memref<64x128xbf16> {tt.name = "B"}, %bias: memref<128xbf16> {tt.name = "bias"},
                 %C: memref<128x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (4, 4) {
    %m = arith.muli %by, %c32 : index
    %n = arith.muli %bx, %c32 : index
    %sum = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x32xf32>)
    scf.for %k = %c0 to %c64 step %c32 {
      %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<128x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 32] [1, 1] : memref<64x128xbf16> to memref<32x32xbf16, strided<[128, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[64, 1], offset: ?>>, memref<32x32xbf16, strided<[128, 1], offset: ?>>)
                    outs(%sum : memref<32x32xf32>)
    }
    %w = memref.subview %bias[%n] [32] [1] : memref<128xbf16> to memref<32xbf16, strided<[1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 32] [1, 1] : memref<128x128xbf16> to memref<32x32xbf16, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%sum, %w : memref<32x32xf32>, memref<32xbf16, strided<[1], offset: ?>>) outs(%c : memref<32x32xbf16, strided<[128, 1], offset: ?>>) {
    ^bb0(%x: f32, %y: bf16, %o: bf16):
      %e = arith.extf %y : bf16 to f32
      %s = arith.addf %x, %e : f32
      %r = arith.maximumf %s, %zero : f32
      %t = arith.truncf %r : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}

//--- apart.mlir
func.func @apart(%A: memref<64x128xbf16> {tt.name = "A"}, %B: memref<64x128xbf16> {tt.name = "B"},
                 %C: memref<128x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  scf.forall (%by, %bx) in (1, 1) {
    %sum = memref.alloc() : memref<128x128xbf16>
    linalg.fill ins(%zero : bf16) outs(%sum : memref<128x128xbf16>)
    linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%A, %B : memref<64x128xbf16>, memref<64x128xbf16>) outs(%sum : memref<128x128xbf16>)
    linalg.copy ins(%sum : memref<128x128xbf16>) outs(%C : memref<128x128xbf16>)
  }
  return
}

//--- places.mlir
// What depends on places in a block depends on where it begins.
#id = affine_map<(i, j) -> (i, j)>
func.func @places(%X: memref<256x256xf32> {tt.name = "X"}, %Y: memref<256x256xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%by) in (2) {
    %c = arith.constant 128 : index
    %m = arith.muli %by, %c : index
    %x = memref.subview %X[%m, 0] [128, 256] [1, 1] : memref<256x256xf32> to memref<128x256xf32, strided<[256, 1], offset: ?>>
    %y = memref.subview %Y[%m, 0] [128, 256] [1, 1] : memref<256x256xf32> to memref<128x256xf32, strided<[256, 1], offset: ?>>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<128x256xf32, strided<[256, 1], offset: ?>>) outs(%y : memref<128x256xf32, strided<[256, 1], offset: ?>>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %f = arith.sitofp %j : i32 to f32
      %s = arith.addf %a, %f : f32
      linalg.yield %s : f32
    }
  }
  return
}

//--- places-one.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @places_one(%X: memref<256x256xf32> {tt.name = "X"}, %Y: memref<256x256xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%by) in (1) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%X : memref<256x256xf32>) outs(%Y : memref<256x256xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 0 : index
      %n = linalg.index 1 : index
      %k = arith.addi %i, %n : index
      %j = arith.index_cast %k : index to i32
      %f = arith.sitofp %j : i32 to f32
      %s = arith.addf %a, %f : f32
      linalg.yield %s : f32
    }
  }
  return
}

//--- again.mlir
// What is written is read in another way first: by all units, before one of them has written it.
func.func @again(%A: memref<128x128xbf16> {tt.name = "A"}, %X: memref<128x128xbf16> {tt.name = "X"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (1, 1) {
    %sum = memref.alloc() : memref<128x128xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<128x128xf32>)
    linalg.matmul ins(%A, %X : memref<128x128xbf16>, memref<128x128xbf16>) outs(%sum : memref<128x128xf32>)
    linalg.copy ins(%sum : memref<128x128xf32>) outs(%X : memref<128x128xbf16>)
  }
  return
}

//--- whole.mlir
// A kernel without a grid, whose blocks L1 does not hold, is one of as many units as there are cores.
func.func @whole(%A: memref<320x1024xbf16> {tt.name = "A"}, %B: memref<1024x256xbf16> {tt.name = "B"},
                 %C: memref<320x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<320x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<320x256xf32>)
  linalg.matmul ins(%A, %B : memref<320x1024xbf16>, memref<1024x256xbf16>) outs(%sum : memref<320x256xf32>)
  linalg.copy ins(%sum : memref<320x256xf32>) outs(%C : memref<320x256xbf16>)
  return
}
