// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-place-units %s --remarks-filter=tt-place-units 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: units are on 6 x 6 cores: a block of each operand takes about
// CHECK-LABEL: func.func @wide
// CHECK-SAME: tt.core_grid = array<i64: 6, 6>, tt.core_ranges = [#tt.core_range<start = [0, 0], end = [5, 5]>]
// CHECK-SAME: #tt.work<core = [5, 0], start_id = 5, count = 1>, #tt.work<core = [0, 1], start_id = 6, count = 1>

// Now both operands are shared, with the bits of the plain form, and one host formula says who has what.
// RUN: tt-opt --tt-pipeline=optimize=place-units,share-operands --canonicalize --cse %s | FileCheck %s --check-prefix=SHARED
// SHARED: tt.core_args (%[[X:.*]], %[[Y:.*]]) ->
// SHARED: %[[ROW:.*]] = arith.muli %[[Y]], %c6
// SHARED-NEXT: arith.addi %[[ROW]], %[[X]]
// SHARED-COUNT-2: metalium.noc_async_write_multicast
// RUN: %if all %{ tt-run %s --optimize=none --math=fast --output C=%t.none.npy %}
// RUN: %if all %{ tt-run %s --optimize=all --math=fast --strict --output C=%t.all.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.all.npy %}
func.func @wide(%A: memref<768x64xbf16> {tt.name = "A"}, %B: memref<64x768xbf16> {tt.name = "B"},
                %C: memref<768x768xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (6, 6) {
    %m = arith.muli %by, %c128 : index
    %n = arith.muli %bx, %c128 : index
    %sum = memref.alloc() : memref<128x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    %a = memref.subview %A[%m, %c0] [128, 64] [1, 1] : memref<768x64xbf16> to memref<128x64xbf16, strided<[64, 1], offset: ?>>
    %b = memref.subview %B[%c0, %n] [64, 128] [1, 1] : memref<64x768xbf16> to memref<64x128xbf16, strided<[768, 1], offset: ?>>
    linalg.matmul ins(%a, %b : memref<128x64xbf16, strided<[64, 1], offset: ?>>, memref<64x128xbf16, strided<[768, 1], offset: ?>>)
                  outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1] : memref<768x768xbf16> to memref<128x128xbf16, strided<[768, 1], offset: ?>>
    linalg.copy ins(%sum : memref<128x128xf32, #gpu.address_space<private>>) outs(%c : memref<128x128xbf16, strided<[768, 1], offset: ?>>)
  }
  return
}

// Where nothing is gained, or no rectangles have as few units a core, the plain order stays.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-place-units %examples/eadd.mlir | FileCheck %s --check-prefix=EADD
// EADD: tt.core_grid = array<i64: 8, 8>
// RUN: tt-opt --tt-stage-a="grid=8x1" --tt-stage-b --tt-stage-c --tt-place-units %s --remarks-filter=tt-place-units -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: units stay where they are: no rectangles of the cores have as few of them each

// Sixteen rows of three are two rectangles of eight, beside each other, by a formula.
// RUN: sed -e 's/768x64/2048x64/g; s/64x768/64x384/g; s/768x768/2048x384/g; s/\[768, 1\]/[384, 1]/g; s/(6, 6)/(16, 3)/' %s > %t.three.mlir
// RUN: tt-opt --tt-pipeline=optimize=place-units --canonicalize --cse --remarks-filter=tt-place-units %t.three.mlir 2> %t.remarks | FileCheck %s --check-prefix=THREE
// RUN: FileCheck --check-prefix=SIX %s < %t.remarks
// SIX: units are on 6 x 8 cores
// THREE: tt.core_args (%[[X:.*]], %[[Y:.*]]) ->
// THREE: %[[COLUMN:.*]] = arith.divui %[[X]], %c3
// THREE-NEXT: %[[BEFORE:.*]] = arith.muli %[[COLUMN]], %c8
// THREE-NEXT: %[[ROW:.*]] = arith.addi %[[BEFORE]], %[[Y]]
// THREE-NEXT: %[[PLACE:.*]] = arith.remui %[[X]], %c3
// THREE-NEXT: %[[LINE:.*]] = arith.muli %[[ROW]], %c3
// THREE-NEXT: arith.addi %[[LINE]], %[[PLACE]]
// THREE-NOT: arith.select
// THREE: tt.kernel @reader
// RUN: %if all %{ tt-run %t.three.mlir --optimize=all --check %}

// Rows of 30 units are folded on 13 x 10 cores, so that what a row reads is multicast.
// RUN: sed -e 's/768x64/256x64/g; s/64x768/64x3840/g; s/768x768/256x3840/g; s/\[768, 1\]/[3840, 1]/g; s/(6, 6)/(2, 30)/' %s > %t.fold.mlir
// RUN: tt-opt --tt-pipeline="arch=blackhole grid=13x10 optimize=place-units,share-operands" --remarks-filter=tt-place-units %t.fold.mlir 2> %t.remarks | FileCheck %s --check-prefix=FOLD
// RUN: FileCheck --check-prefix=FOLDED %s < %t.remarks
// RUN: %if all %{ tt-run %t.fold.mlir --arch=blackhole --grid=13x10 --strict --check %}
// FOLDED: units are on 10 x 6 cores
// FOLD: tt.core_set @all = [#tt.core_range<start = [0, 0], end = [9, 5]>]
// FOLD: noc_async_write_multicast

// A row of 64 units, of which all read the weight, is two rectangles as it is, which go over more columns of links.
// RUN: sed -e 's/64x128/2048x128/g; s/in (2)/in (64)/' %examples/rms_norm.mlir > %t.row.mlir
// RUN: tt-opt --tt-pipeline="arch=blackhole grid=13x10 optimize=place-units,share-operands" --remarks-filter=tt-place-units %t.row.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: %if all %{ tt-run %t.row.mlir --arch=blackhole --grid=13x10 --strict --check %}
// STAYS: units stay where they are: a block of each operand would take about {{[0-9]+}} clk, not {{[0-9]+}}

// Sixteen rows of eight fill no rectangle of 13 x 10 cores: a column of eight has the first one, and boxes of four by two the
// others. One formula says so on either side of the cut, and B goes to each box from one of its cores.
// RUN: tt-opt --tt-pipeline="arch=blackhole grid=13x10 optimize=place-units,share-operands" --canonicalize --cse --remarks-filter='tt-(place-units|share-operands)' %S/Inputs/heads.mlir 2> %t.remarks | FileCheck %s --check-prefix=BOXES
// RUN: FileCheck --check-prefix=BOXED %s < %t.remarks
// BOXED: units are on boxes of 1 x 8 cores, and of 4 x 2: a block
// BOXED: B is read by one of 1 x 8 cores, in another group by one of 4 x 2 cores, and multicast to the others
// BOXES: tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 7]>, #tt.core_range<start = [1, 0], end = [12, 9]>]
// BOXES: tt.core_args (%[[X:.*]], %[[Y:.*]]) ->
// BOXES: %[[BESIDE:.*]] = arith.subi %[[X]], %c1
// BOXES: %[[BOX:.*]] = arith.divui %[[BESIDE]], %c4
// BOXES: %[[FIRST:.*]] = arith.cmpi ult, %[[X]], %c1
// BOXES-NEXT: arith.select %[[FIRST]], %[[Y]], %{{.*}}
// BOXES: tt.kernel @reader
// RUN: %if all %{ tt-run %S/Inputs/heads.mlir --arch=blackhole --grid=13x10 --strict --check %}

// Of four rows of 32 each has a box of six by five and two cores of another column, which are read for by themselves.
// RUN: sed -e 's/16x512/4x2048/g; s/in (16, 16)/in (4, 64)/; s/16x128x64/4x128x64/g' %S/Inputs/heads.mlir > %t.long.mlir
// RUN: tt-opt --tt-pipeline="arch=blackhole grid=13x10 optimize=place-units,share-operands" --remarks-filter='tt-(place-units|share-operands)' %t.long.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=HALVES %s
// HALVES: units are on boxes of 1 x 2 cores, and of 6 x 5: a block
// HALVES: B is read by one of 1 x 2 cores, in another group by one of 6 x 5 cores, and multicast to the others
// RUN: %if all %{ tt-run %t.long.mlir --arch=blackhole --grid=13x10 --strict --check %}

// Where loops of a line's units end at different steps, those that end together share what they read: units are dealt first, and a
// part of a line has a box. Of 32 cores, 16 have units of the first and the last quarter of a line, and 16 what is between.
// RUN: sed -e 's/16x512x128/4x2048x256/; s/16x128x64/4x256x64/g; s/16x512/4x2048/g; s/x128xbf16/x256xbf16/g; s/in (16, 16)/in (4, 64)/; s/\[128, 1\]/[256, 1]/g; s/to %c128 step/to %end step/; s/%row = arith.muli %block, %c32 : index/&\n    %next = arith.addi %block, %c1 : index\n    %end = arith.muli %next, %c4 : index/; s/%c32 = .*/&\n  %c1 = arith.constant 1 : index\n  %c4 = arith.constant 4 : index/' %S/Inputs/heads.mlir > %t.parts.mlir
// RUN: tt-opt --tt-pipeline="arch=blackhole grid=13x10 optimize=pair-units,place-units,share-operands" --remarks-filter='tt-(pair-units|place-units|share-operands)' %t.parts.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=PARTS %s
// PARTS: units of several lengths are dealt in turn to 32 cores, and back, 2 to each
// PARTS: units are on boxes of 3 x 1 cores, and of 13 x 1: a block
// PARTS: B is read by one of 3 x 1 cores, in another group by one of 13 x 1 cores, and multicast to the others
// RUN: %if all %{ tt-run %t.parts.mlir --arch=blackhole --grid=13x10 --strict --check %}
