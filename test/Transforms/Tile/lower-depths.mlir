// Where L1 has no room for two blocks of all that is moved, results hold one, then what is read least often, until all fits.
// RUN: split-file %s %t
// RUN: tt-opt --tt-lower-depths %t/fit.mlir --remarks-filter=tt-lower-depths 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=none %t/fit.mlir -o /dev/null
// RUN: tt-opt --tt-pipeline %t/fit.mlir -o /dev/null
// SAID-COUNT-3: remark: {{.*}}it holds one block, since L1 has no room for one that is moved ahead
// SAID-NOT: remark

// A loop that says how many, keeps them; so does a kernel for which one block of each is too much.
// RUN: tt-opt --tt-lower-depths %t/kept.mlir --remarks-filter=tt-lower-depths 2> %t.kept | FileCheck %s --check-prefix=KEPT
// RUN: FileCheck %s --check-prefix=MISSED < %t.kept
// RUN: not tt-opt --tt-pipeline=optimize=none %t/kept.mlir 2>&1 | FileCheck %s --check-prefix=ERROR
// MISSED-COUNT-2: remark: {{.*}}L1 has too little room for the blocks, however few of each there are
// MISSED-NOT: remark
// ERROR: kept.mlir:{{.*}} error: [rule 8] with {{.*}} the circular buffers need {{.*}} use smaller blocks or a lower tt.num_stages

// A norm over 4096 columns, of which no second row and no second result fits beside the weights, is right.
// RUN: sed 's/64x128/64x4096/g; s/32x128/32x4096/g; s/\[32, 128\]/[32, 4096]/g; s/\[128, 1\]/[4096, 1]/g; s/<128xbf16>/<4096xbf16>/g; s/0.0078125/0.000244140625/g' %S/../../../examples/rms_norm.mlir > %t.norm.mlir
// RUN: tt-run %t.norm.mlir --check | FileCheck %s --check-prefix=RIGHT
// RUN: %if all %{ tt-run %t.norm.mlir --check --arch=blackhole | FileCheck %s --check-prefix=RIGHT %}
// RIGHT: {{.*}} ok

//--- fit.mlir
// CHECK-LABEL: func.func @result_first
// CHECK: tt.alloc_cb "a" depth = 2
// CHECK: tt.alloc_cb "b" depth = 1
func.func @result_first(%A: memref<768x512xbf16>, %B: memref<768x512xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c384 = arith.constant 384 : index
  %c768 = arith.constant 768 : index
  %a = tt.alloc_cb "a" depth = 2 : !tt.cb<12x16xbf16>
  %b = tt.alloc_cb "b" depth = 2 : !tt.cb<12x16xbf16>
  scf.for %i = %c0 to %c768 step %c384 {
    tt.read_to_cb %A[%i, %c0], %a : memref<768x512xbf16>, !tt.cb<12x16xbf16>
    tt.copy_to_dst %a, dst = 0 -> %b : !tt.cb<12x16xbf16>, !tt.cb<12x16xbf16>
    tt.write_from_cb %b, %B[%i, %c0] : !tt.cb<12x16xbf16>, memref<768x512xbf16>
  }
  return
}

// CHECK-LABEL: func.func @least_often
// CHECK: tt.alloc_cb "a" depth = 2
// CHECK: tt.alloc_cb "w" depth = 1
// CHECK: tt.alloc_cb "b" depth = 1
func.func @least_often(%A: memref<768x384xbf16>, %W: memref<384x384xbf16>, %B: memref<768x384xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c384 = arith.constant 384 : index
  %c768 = arith.constant 768 : index
  %a = tt.alloc_cb "a" depth = 2 : !tt.cb<12x12xbf16>
  %w = tt.alloc_cb "w" depth = 2 : !tt.cb<12x12xbf16>
  %b = tt.alloc_cb "b" depth = 2 : !tt.cb<12x12xbf16>
  tt.read_to_cb %W[%c0, %c0], %w : memref<384x384xbf16>, !tt.cb<12x12xbf16>
  scf.for %i = %c0 to %c768 step %c384 {
    tt.read_to_cb %A[%i, %c0], %a : memref<768x384xbf16>, !tt.cb<12x12xbf16>
    tt.fpu.mul %a, %w, dst = 0 -> %b : !tt.cb<12x12xbf16>, !tt.cb<12x12xbf16>, !tt.cb<12x12xbf16>
    tt.write_from_cb %b, %B[%i, %c0] : !tt.cb<12x12xbf16>, memref<768x384xbf16>
  }
  return
}

// Nothing is too large here.
// CHECK-LABEL: func.func @fits
// CHECK: tt.alloc_cb "a" depth = 2
// CHECK: tt.alloc_cb "b" depth = 2
func.func @fits(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" depth = 2 : !tt.cb<2x2xbf16>
  %b = tt.alloc_cb "b" depth = 2 : !tt.cb<2x2xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<64x64xbf16>, !tt.cb<2x2xbf16>
  tt.copy_to_dst %a, dst = 0 -> %b : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<2x2xbf16>, memref<64x64xbf16>
  return
}

//--- kept.mlir
// KEPT-LABEL: func.func @stages
// KEPT: tt.alloc_cb "a" depth = 2
// KEPT: tt.alloc_cb "b" depth = 2
func.func @stages(%A: memref<768x512xbf16>, %B: memref<768x512xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c384 = arith.constant 384 : index
  %c768 = arith.constant 768 : index
  %a = tt.alloc_cb "a" depth = 2 : !tt.cb<12x16xbf16>
  %b = tt.alloc_cb "b" depth = 2 : !tt.cb<12x16xbf16>
  scf.for %i = %c0 to %c768 step %c384 {
    tt.read_to_cb %A[%i, %c0], %a : memref<768x512xbf16>, !tt.cb<12x16xbf16>
    tt.copy_to_dst %a, dst = 0 -> %b : !tt.cb<12x16xbf16>, !tt.cb<12x16xbf16>
    tt.write_from_cb %b, %B[%i, %c0] : !tt.cb<12x16xbf16>, memref<768x512xbf16>
  } {tt.num_stages = 2}
  return
}

// KEPT-LABEL: func.func @too_large
// KEPT: tt.alloc_cb "a" depth = 2
// KEPT: tt.alloc_cb "b" depth = 2
func.func @too_large(%A: memref<1024x1024xbf16>, %B: memref<1024x1024xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" depth = 2 : !tt.cb<32x32xbf16>
  %b = tt.alloc_cb "b" depth = 2 : !tt.cb<32x32xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<1024x1024xbf16>, !tt.cb<32x32xbf16>
  tt.copy_to_dst %a, dst = 0 -> %b : !tt.cb<32x32xbf16>, !tt.cb<32x32xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<32x32xbf16>, memref<1024x1024xbf16>
  return
}
