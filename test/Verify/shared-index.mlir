// An index of which each number takes the one before it twice is followed once, not once for each of the 2^40 ways to
// its start; of the start nothing is known, so that which tile is read is seen in the run.
// RUN: timeout 60 tt-opt --tt-pipeline %s | FileCheck %s
// CHECK: tt.program @shared
func.func @shared(%A: memref<4096x64xf32>, %i: index, %C: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %j = %c0 to %c64 step %c1 {
    %r0 = arith.divsi %i, %c1 : index
    %r1 = arith.maxsi %r0, %r0 : index
    %r2 = arith.maxsi %r1, %r1 : index
    %r3 = arith.maxsi %r2, %r2 : index
    %r4 = arith.maxsi %r3, %r3 : index
    %r5 = arith.maxsi %r4, %r4 : index
    %r6 = arith.maxsi %r5, %r5 : index
    %r7 = arith.maxsi %r6, %r6 : index
    %r8 = arith.maxsi %r7, %r7 : index
    %r9 = arith.maxsi %r8, %r8 : index
    %r10 = arith.maxsi %r9, %r9 : index
    %r11 = arith.maxsi %r10, %r10 : index
    %r12 = arith.maxsi %r11, %r11 : index
    %r13 = arith.maxsi %r12, %r12 : index
    %r14 = arith.maxsi %r13, %r13 : index
    %r15 = arith.maxsi %r14, %r14 : index
    %r16 = arith.maxsi %r15, %r15 : index
    %r17 = arith.maxsi %r16, %r16 : index
    %r18 = arith.maxsi %r17, %r17 : index
    %r19 = arith.maxsi %r18, %r18 : index
    %r20 = arith.maxsi %r19, %r19 : index
    %r21 = arith.maxsi %r20, %r20 : index
    %r22 = arith.maxsi %r21, %r21 : index
    %r23 = arith.maxsi %r22, %r22 : index
    %r24 = arith.maxsi %r23, %r23 : index
    %r25 = arith.maxsi %r24, %r24 : index
    %r26 = arith.maxsi %r25, %r25 : index
    %r27 = arith.maxsi %r26, %r26 : index
    %r28 = arith.maxsi %r27, %r27 : index
    %r29 = arith.maxsi %r28, %r28 : index
    %r30 = arith.maxsi %r29, %r29 : index
    %r31 = arith.maxsi %r30, %r30 : index
    %r32 = arith.maxsi %r31, %r31 : index
    %r33 = arith.maxsi %r32, %r32 : index
    %r34 = arith.maxsi %r33, %r33 : index
    %r35 = arith.maxsi %r34, %r34 : index
    %r36 = arith.maxsi %r35, %r35 : index
    %r37 = arith.maxsi %r36, %r36 : index
    %r38 = arith.maxsi %r37, %r37 : index
    %r39 = arith.maxsi %r38, %r38 : index
    %r40 = arith.maxsi %r39, %r39 : index
    %x = memref.load %A[%r40, %j] : memref<4096x64xf32>
    memref.store %x, %C[%j] : memref<64xf32>
  }
  return
}
