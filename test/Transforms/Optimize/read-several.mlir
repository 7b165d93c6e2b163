// RUN: split-file %s %t
// RUN: tt-opt --tt-pipeline=optimize=read-several --canonicalize --cse %t/windows.mlir --remarks-filter=tt-read-several 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: the elements of 8 blocks are waited for together
// RUN: tt-opt --tt-pipeline=optimize=read-several %t/odd.mlir --remarks-filter=tt-read-several 2> %t.remarks | FileCheck %s --check-prefix=ODD
// RUN: FileCheck --check-prefix=WHY %s < %t.remarks
// WHY: elements are waited for block by block: no number of blocks up to 8 that divides the loop's steps fits L1
// RUN: tt-opt --tt-pipeline=optimize=read-several %t/computed.mlir | FileCheck %s --check-prefix=COMPUTED
// By itself, behind the passes that it needs; without them it says which.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-complete-level-2 --tt-split-device-kernel --tt-configure-tensor-accessor --tt-read-several %t/windows.mlir --remarks-filter=tt-read-several -o /dev/null 2> %t.remarks
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// RUN: not tt-opt --tt-read-several %t/windows.mlir 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: the kernel is not split into reader, compute and writer: run --tt-split-device-kernel first
// RUN: %if all %{ tt-run %t/windows.mlir --check %}
// RUN: %if all %{ tt-run %t/windows.mlir --check --arch=blackhole %}
// RUN: %if all %{ tt-run %t/computed.mlir --check --arch=blackhole %}

// Both halves of a read, each over eight steps, with one barrier between them.
// CHECK-LABEL: tt.program @windows
// CHECK: tt.circular_buffer @cb_in0 {{.*}} pages = 16
// CHECK: tt.circular_buffer @cb_parts0 {{.*}} pages = {{(8|16)}} 
// CHECK: tt.kernel @reader
// CHECK: metalium.cb_reserve_back %[[IN:.*]], %c8 : !tt.cb<1x1xf32>
// CHECK: scf.for
// CHECK: metalium.noc_async_read_part
// CHECK: metalium.noc_async_read_barrier
// CHECK-NEXT: scf.for
// CHECK: metalium.copy_part
// CHECK: {tt.var = "step"}
// CHECK-NEXT: metalium.cb_push_back %[[IN]], %c8

// Two runs a row: four rows of them are waited for together, of 32 rows, and of the 4 of the last block.
// RUN: tt-opt --tt-pipeline="arch=blackhole optimize=read-several" %t/pairs.mlir --remarks-filter=tt-read-several 2> %t.remarks | FileCheck %s --check-prefix=PAIRS
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// PAIRS: tt.kernel @reader
// PAIRS: %[[STEPS:.*]] = arith.muli %{{.*}}, %c2
// PAIRS: scf.for %{{.*}} = %c0{{.*}} to %[[STEPS]] step %c8
// PAIRS: metalium.cb_push_back %{{.*}}, %c8
// RUN: %if all %{ tt-run %t/pairs.mlir --check --strict --arch=blackhole %}
//--- pairs.mlir
#rest = affine_map<(d0) -> (d0 * -32 + 196, 32)>
func.func @pairs(%x: memref<224x224xbf16>, %out: memref<196x32xbf16>) attributes {tt.kernel} {
  scf.forall (%i) in (7) {
    %row = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %n = affine.min #rest(%i)
    %s = memref.subview %out[%row, 0] [%n, 32] [1, 1] : memref<196x32xbf16> to memref<?x32xbf16, strided<[32, 1], offset: ?>>
    %e = memref.expand_shape %s [[0], [1, 2]] output_shape [%n, 2, 16] : memref<?x32xbf16, strided<[32, 1], offset: ?>> into memref<?x2x16xbf16, strided<[32, 16, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : memref<?x2x16xbf16, strided<[32, 16, 1], offset: ?>>) {
    ^bb0(%old: bf16):
      %r = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = linalg.index 2 : index
      %y = affine.apply affine_map<()[r, j, from] -> (((r + from) floordiv 14) * 16 + j)>()[%r, %j, %row]
      %first = affine.apply affine_map<()[r, from] -> (((r + from) mod 14) * 16)>()[%r, %row]
      %at = arith.addi %k, %first : index
      %v = memref.load %x[%y, %at] : memref<224x224xbf16>
      linalg.yield %v : bf16
    }
  }
  return
}

//--- windows.mlir
func.func @windows(%x: memref<3x64x80xf32> {tt.name = "x"}, %y: memref<3x5x256xf32> {tt.name = "y"}) attributes {tt.kernel} {
  scf.forall (%c) in (3) {
    %t = memref.subview %y[%c, 0, 0] [1, 5, 256] [1, 1, 1] : memref<3x5x256xf32> to memref<5x256xf32, strided<[256, 1], offset: ?>>
    %o = memref.expand_shape %t [[0], [1, 2]] output_shape [5, 16, 16] : memref<5x256xf32, strided<[256, 1], offset: ?>> into memref<5x16x16xf32, strided<[256, 16, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
        outs(%o : memref<5x16x16xf32, strided<[256, 16, 1], offset: ?>>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = linalg.index 2 : index
      %col = affine.apply affine_map<(i) -> (i * 16)>(%i)
      %at = arith.addi %k, %col : index
      %r = memref.load %x[%c, %j, %at] : memref<3x64x80xf32>
      linalg.yield %r : f32
    }
  }
  return
}

// A prime number of steps has no group that fills the same places again.
// ODD: tt.circular_buffer @cb_in0 {{.*}} pages = 6
//--- odd.mlir
func.func @odd(%x: memref<11x3x70xbf16> {tt.name = "x"}, %y: memref<3x11x70xbf16> {tt.name = "y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  scf.forall (%c) in (3) {
    scf.for %i = %c0 to %c11 step %c1 {
      %from = memref.subview %x[%i, %c, 0] [1, 1, 70] [1, 1, 1] : memref<11x3x70xbf16> to memref<70xbf16, strided<[1], offset: ?>>
      %to = memref.subview %y[%c, %i, 0] [1, 1, 70] [1, 1, 1] : memref<3x11x70xbf16> to memref<70xbf16, strided<[1], offset: ?>>
      memref.copy %from, %to : memref<70xbf16, strided<[1], offset: ?>> to memref<70xbf16, strided<[1], offset: ?>>
    }
  }
  return
}

// What compute takes block by block.
// COMPUTED: tt.circular_buffer @cb_{{.*}} pages = 10
//--- computed.mlir
func.func @computed(%x: memref<10x3x70xf32> {tt.name = "x"}, %y: memref<3x10x96xf32> {tt.name = "y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  scf.forall (%c) in (3) {
    %a = memref.alloc() : memref<32xf32, 1>
    %b = memref.alloc() : memref<32xf32, 1>
    scf.for %i = %c2 to %c12 step %c2 {
      %row = affine.apply affine_map<(i) -> (i - 2)>(%i)
      %from = memref.subview %x[%row, %c, 7] [1, 1, 32] [1, 1, 1] : memref<10x3x70xf32> to memref<32xf32, strided<[1], offset: ?>>
      memref.copy %from, %a : memref<32xf32, strided<[1], offset: ?>> to memref<32xf32, 1>
      linalg.exp ins(%a : memref<32xf32, 1>) outs(%b : memref<32xf32, 1>)
      %to = memref.subview %y[%c, %row, 32] [1, 1, 32] [1, 1, 1] : memref<3x10x96xf32> to memref<32xf32, strided<[1], offset: ?>>
      memref.copy %b, %to : memref<32xf32, 1> to memref<32xf32, strided<[1], offset: ?>>
    }
  }
  return
}
