// Circular buffers that are never alive together take turns in one where the chip has too few, plain or not.
// RUN: python3 %inputs/many_cbs.py 69 > %t.mlir
// RUN: tt-opt --tt-pipeline=optimize=none %t.mlir --remarks-filter=tt-share-buffers 2> %t.remarks | FileCheck %s --check-prefix=IDS
// RUN: FileCheck %s --check-prefix=SAID < %t.remarks
// RUN: tt-opt --tt-pipeline="arch=blackhole" %t.mlir | FileCheck %s --check-prefix=IDS
// IDS: tt.circular_buffer @cb_in0
// IDS: tt.circular_buffer @cb_out0
// IDS: tt.circular_buffer @cb_intermed0 {{.*}} pages = 1
// IDS: tt.circular_buffer @cb_intermed1 {{.*}} pages = 1
// IDS-NOT: tt.circular_buffer
// SAID-COUNT-66: remark: {{.*}}its block goes to the circular buffer of another, which is empty by then
// SAID-NOT: remark
// RUN: %if all %{ tt-run %t.mlir --check --optimize=none --metalium-api=2025 | \
// RUN:   FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t.mlir --check --metalium-api=2026-03 | \
// RUN:   FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t.mlir --check --arch=blackhole | FileCheck %s --check-prefix=RIGHT %}
// RIGHT: arg1: {{.*}} ok
// Those that are all alive at once are as many as before.
// RUN: python3 %inputs/many_cbs.py 40 together > %t.together.mlir
// RUN: not tt-opt --tt-pipeline %t.together.mlir --remarks-filter=tt-share-buffers 2>&1 | FileCheck %s --check-prefix=ALIVE
// ALIVE: error: [rule 8] the kernel needs 43 circular buffers, but the chip has 32

// So they do where L1 is too small, and nowhere else.
// RUN: sed 's/64x64/384x384/g; s/2x2/12x12/g' %s > %t.large.mlir
// RUN: tt-opt --tt-share-buffers %t.large.mlir | FileCheck %s --check-prefix=L1
// L1-LABEL: func.func @temporaries
// L1-COUNT-4: tt.alloc_cb
// L1-NOT: tt.alloc_cb
// L1-LABEL: func.func @shapes
// RUN: tt-opt --tt-share-buffers %s | FileCheck %s --check-prefix=FITS
// FITS-NOT: cb_open %{{.*}} : !tt.cb<2x2xbf16>
// RUN: not tt-opt --tt-share-buffers=when=never %s 2>&1 | FileCheck %s --check-prefix=WHEN
// WHEN: error: when=never: expected needed or always

// RUN: tt-opt --tt-share-buffers=when=always %s --remarks-filter=tt-share-buffers 2> %t.remarks > %t.shared.mlir
// RUN: FileCheck %s < %t.shared.mlir
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline %t.shared.mlir -o /dev/null
// RUN: tt-opt --tt-pipeline=optimize=none %t.shared.mlir -o /dev/null

// The block that an op takes is there until its result is: %x and %z are alive together.
// CHECK-LABEL: func.func @temporaries
// CHECK: %[[T:.*]] = tt.alloc_cb "x" depth = 1 : !tt.cb<2x2xbf16>
// CHECK: %[[Z:.*]] = tt.alloc_cb "z" depth = 1 : !tt.cb<2x2xbf16>
// CHECK: tt.copy_to_dst %{{.*}} transpose, dst = 0 -> %[[T]]
// CHECK-NEXT: tt.cb_open %[[T]]
// CHECK-NEXT: tt.copy_to_dst %[[T]] transpose, dst = 0 -> %[[Z]]
// CHECK-NEXT: tt.cb_close %[[T]]
// CHECK-NEXT: tt.copy_to_dst %[[Z]] transpose, dst = 0 -> %[[T]]
// CHECK-NEXT: tt.cb_open %[[T]]
// CHECK-NEXT: tt.copy_to_dst %[[T]], dst = 0 -> %{{.*}}
// CHECK-NEXT: tt.cb_close %[[T]]
func.func @temporaries(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" depth = 1 : !tt.cb<2x2xbf16>
  %x = tt.alloc_cb "x" depth = 1 : !tt.cb<2x2xbf16>
  %y = tt.alloc_cb "y" depth = 1 : !tt.cb<2x2xbf16>
  %z = tt.alloc_cb "z" depth = 1 : !tt.cb<2x2xbf16>
  %b = tt.alloc_cb "b" depth = 1 : !tt.cb<2x2xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<64x64xbf16>, !tt.cb<2x2xbf16>
  tt.copy_to_dst %a transpose, dst = 0 -> %x : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>
  tt.copy_to_dst %x transpose, dst = 0 -> %z : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>
  tt.copy_to_dst %z transpose, dst = 0 -> %y : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>
  tt.copy_to_dst %y, dst = 0 -> %b : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<2x2xbf16>, memref<64x64xbf16>
  return
}

// Blocks of one shape only: a smaller one would leave the next one in two pieces.
// WHY: remark: {{.*}}no circular buffers are shared: those with blocks of one shape and format are alive together
// CHECK-LABEL: func.func @shapes
// CHECK-COUNT-5: tt.alloc_cb
// CHECK-NOT: tt.cb_open
func.func @shapes(%A: memref<64x32xbf16>, %B: memref<64x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<2x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<2x1xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<1x2xbf16>
  %z = tt.alloc_cb "z" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<2x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<64x32xbf16>, !tt.cb<2x1xbf16>
  tt.copy_to_dst %a, dst = 0 -> %x : !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>
  tt.copy_to_dst %x transpose, dst = 0 -> %y : !tt.cb<2x1xbf16>, !tt.cb<1x2xbf16>
  %false = arith.constant false
  tt.mm.mma %y, %a, dst = 0, accumulate = %false : !tt.cb<1x2xbf16>, !tt.cb<2x1xbf16>
  tt.pack_to_cb dst = 0 -> %z : !tt.cb<1x1xbf16>
  tt.fpu.add %a, %z bcast scalar, dst = 0 -> %b : !tt.cb<2x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<2x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<2x1xbf16>, memref<64x32xbf16>
  return
}

// 32 bits that go to DST as they are stay apart from those that pass the source registers.
// CHECK-LABEL: func.func @ways
// CHECK-COUNT-5: tt.alloc_cb
// CHECK-NOT: tt.alloc_cb
// CHECK: tt.copy_to_dst %{{.*}}, dst = 0 -> %[[X:[0-9]+]]
// CHECK-NEXT: tt.copy_to_dst %[[X]], dst = 0 -> %{{.*}}
func.func @ways(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xf32>
  %x = tt.alloc_cb "x" : !tt.cb<1x1xf32>
  %y = tt.alloc_cb "y" : !tt.cb<1x1xf32>
  %z = tt.alloc_cb "z" : !tt.cb<1x1xf32>
  %w = tt.alloc_cb "w" : !tt.cb<1x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %a, dst = 0 -> %x : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %x, dst = 0 -> %y : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.fpu.mul %y, %y, dst = 0 -> %z : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.fpu.mul %z, %z, dst = 0 -> %w : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.fpu.mul %w, %z, dst = 0 -> %b : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}

// What a loop goes on with is alive in all of it: %x, in the loop, has no turn with %s, but %y, after it, has.
// CHECK-LABEL: func.func @carried
// CHECK-COUNT-4: tt.alloc_cb
// CHECK-NOT: tt.alloc_cb
// CHECK: tt.copy_to_dst %{{.*}}, dst = 0 -> %[[S:.*]] :
// CHECK: scf.for
// CHECK: tt.copy_to_dst %{{.*}} transpose, dst = 0 -> %[[X:.*]] :
// CHECK: tt.copy_to_dst %{{.*}} transpose, dst = 0 -> %[[X]] :
func.func @carried(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %a, dst = 0 -> %s : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_open %s : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %c4 step %c1 {
    tt.copy_to_dst %s transpose, dst = 0 -> %x : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.fpu.add %x, %s, dst = 0 -> %s : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.cb_close %s : !tt.cb<1x1xbf16>
    tt.cb_open %s : !tt.cb<1x1xbf16>
  }
  tt.copy_to_dst %s transpose, dst = 0 -> %y : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_close %s : !tt.cb<1x1xbf16>
  tt.copy_to_dst %y, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// Blocks that are read, and those that are written, in the order in which the processors take them.
// CHECK-LABEL: func.func @moved
// CHECK-COUNT-2: tt.alloc_cb
// CHECK-NOT: tt.alloc_cb
// CHECK: tt.read_to_cb %arg0{{.*}}, %[[A:.*]] :
// CHECK: tt.cb_close %[[A]]
// CHECK: tt.write_from_cb %[[C:.*]], %arg2
// CHECK: tt.read_to_cb %arg1{{.*}}, %[[A]] :
// CHECK: tt.write_from_cb %[[C]], %arg3
func.func @moved(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>, %C: memref<32x32xbf16>, %D: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xbf16>
  %d = tt.alloc_cb "d" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %a transpose, dst = 0 -> %c : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  tt.read_to_cb %B[%c0, %c0], %b : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %b transpose, dst = 0 -> %d : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %d, %D[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// What the kernel opens and closes several times, also in a loop, is empty between.
// CHECK-LABEL: func.func @scratch
// CHECK-COUNT-4: tt.alloc_cb
// CHECK-NOT: tt.alloc_cb
// CHECK: tt.copy_to_dst %{{.*}} transpose, dst = 0 -> %[[X:[0-9]+]]
// CHECK: tt.copy_to_dst %[[X]] transpose, dst = 0 -> %[[S:[0-9]+]]
// CHECK: tt.cb_close %[[X]]
// CHECK: scf.for
// CHECK: tt.copy_to_dst %[[S]] transpose, dst = 0 -> %[[X]]
// CHECK: tt.cb_close %[[S]]
// CHECK: tt.copy_to_dst %[[X]] transpose, dst = 0 -> %[[S]]
// CHECK: tt.cb_close %[[X]]
func.func @scratch(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" depth = 1 : !tt.cb<1x1xbf16>
  %y = tt.alloc_cb "y" depth = 1 : !tt.cb<1x1xbf16>
  %s = tt.alloc_cb "s" depth = 1 : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %a transpose, dst = 0 -> %x : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_open %x : !tt.cb<1x1xbf16>
  tt.copy_to_dst %x transpose, dst = 0 -> %s : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_close %x : !tt.cb<1x1xbf16>
  tt.cb_open %s : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %c3 step %c1 {
    tt.copy_to_dst %s transpose, dst = 0 -> %y : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.cb_close %s : !tt.cb<1x1xbf16>
    tt.cb_open %y : !tt.cb<1x1xbf16>
    tt.copy_to_dst %y transpose, dst = 0 -> %s : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.cb_close %y : !tt.cb<1x1xbf16>
    tt.cb_open %s : !tt.cb<1x1xbf16>
  }
  tt.copy_to_dst %s transpose, dst = 0 -> %x : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_close %s : !tt.cb<1x1xbf16>
  tt.cb_open %x : !tt.cb<1x1xbf16>
  tt.copy_to_dst %x, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_close %x : !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
