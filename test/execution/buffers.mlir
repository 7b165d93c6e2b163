// Buffers of a core as others use them.
// RUN: split-file %s %t
// RUN: tt-run %t/branch.mlir --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/branch.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/reload.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/reload.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/last.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/parts.mlir --check 2>&1 | FileCheck %s %}
// CHECK: C: max abs error {{.*}}: ok
// RUN: %if all %{ tt-run %t/both.mlir --check 2>&1 | FileCheck %s --check-prefix=BOTH %}
// RUN: %if all %{ tt-run %t/taken.mlir --check --arch=blackhole 2>&1 | FileCheck %s --check-prefix=BOTH %}
// BOTH: B: max abs error 0, {{.*}}: ok
// BOTH: C: max abs error {{.*}}: ok

// Filled in two branches.
//--- branch.mlir
!A = memref<128x64xbf16>
!F = memref<32x64xf32>
!v = memref<32x64xbf16, strided<[64, 1], offset: ?>>
!w = memref<32x64xbf16, #gpu.address_space<workgroup>>
!p = memref<32x64xf32, #gpu.address_space<private>>
#id = affine_map<(i,j)->(i,j)>
func.func @br(%A: !A {tt.name="A"}, %B: !A {tt.name="B"}, %C: !A {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%by) in (4) {
    %m = arith.muli %by, %c32 : index
    %buf = memref.alloc() : !w
    %first = arith.cmpi eq, %by, %c0 : index
    scf.if %first {
      %a = memref.subview %A[%m, 0] [32, 64] [1, 1] : !A to !v
      memref.copy %a, %buf : !v to !w
    } else {
      %b = memref.subview %B[%m, 0] [32, 64] [1, 1] : !A to !v
      memref.copy %b, %buf : !v to !w
    }
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : !A to !v
    linalg.exp ins(%buf : !w) outs(%c : !v)
  }
  return
}

// Loaded again in a second loop.
//--- reload.mlir
!A = memref<128x64xbf16>
!F = memref<32x64xf32>
!v = memref<32x64xbf16, strided<[64, 1], offset: ?>>
!w = memref<32x64xbf16, #gpu.address_space<workgroup>>
!p = memref<32x64xf32, #gpu.address_space<private>>
#id = affine_map<(i,j)->(i,j)>
func.func @reload(%A: !A {tt.name="A"}, %B: !A {tt.name="B"}, %C: !F {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
    %acc = memref.alloc() : !p
    %buf = memref.alloc() : !w
    linalg.fill ins(%z : f32) outs(%acc : !p)
    scf.for %k = %c0 to %c128 step %c32 {
      %a = memref.subview %A[%k, 0] [32, 64] [1, 1] : !A to !v
      memref.copy %a, %buf : !v to !w
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel","parallel"]} ins(%buf : !w) outs(%acc : !p) {
        ^bb0(%x: bf16, %o: f32):
          %ww = arith.extf %x : bf16 to f32
          %s = arith.addf %o, %ww : f32
          linalg.yield %s : f32
      }
    }
    scf.for %k = %c0 to %c128 step %c32 {
      %a = memref.subview %B[%k, 0] [32, 64] [1, 1] : !A to !v
      memref.copy %a, %buf : !v to !w
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel","parallel"]} ins(%buf : !w) outs(%acc : !p) {
        ^bb0(%x: bf16, %o: f32):
          %ww = arith.extf %x : bf16 to f32
          %s = arith.subf %o, %ww : f32
          linalg.yield %s : f32
      }
    }
    memref.copy %acc, %C : !p to !F
  return
}

// The last of the values that a loop gives.
//--- last.mlir
!A = memref<128x64xbf16>
!F = memref<32x64xf32>
!v = memref<32x64xbf16, strided<[64, 1], offset: ?>>
!w = memref<32x64xbf16, #gpu.address_space<workgroup>>
!p = memref<32x64xf32, #gpu.address_space<private>>
#id = affine_map<(i,j)->(i,j)>
func.func @last(%A: !A {tt.name="A"}, %C: !F {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %g = memref.alloc() : !p
  scf.for %k = %c0 to %c128 step %c32 {
      %b = memref.subview %A[%k, 0] [32, 64] [1, 1] : !A to !v
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel","parallel"]} ins(%b : !v) outs(%g : !p) {
        ^bb0(%x: bf16, %o: f32):
          %w = arith.extf %x : bf16 to f32
          %s = math.exp %w : f32
          linalg.yield %s : f32
      }
  }
  memref.copy %g, %C : !p to !F
  return
}

// Loaded, stored as it is, computed on in place, and stored again.
//--- both.mlir
!A = memref<128x64xbf16>
!F = memref<32x64xf32>
!v = memref<32x64xbf16, strided<[64, 1], offset: ?>>
!w = memref<32x64xbf16, #gpu.address_space<workgroup>>
!p = memref<32x64xf32, #gpu.address_space<private>>
#id = affine_map<(i,j)->(i,j)>
func.func @both(%A: !A {tt.name="A"}, %B: !A {tt.name="B"}, %C: !A {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%by) in (4) {
    %m = arith.muli %by, %c32 : index
    %buf = memref.alloc() : !w
    %a = memref.subview %A[%m, 0] [32, 64] [1, 1] : !A to !v
    memref.copy %a, %buf : !v to !w
    %b = memref.subview %B[%m, 0] [32, 64] [1, 1] : !A to !v
    memref.copy %buf, %b : !w to !v
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : !A to !v
    linalg.exp ins(%buf : !w) outs(%buf : !w)
    memref.copy %buf, %c : !w to !v
  }
  return
}

// Loaded, stored twice as it is, with all bits of f32, and an operand.
//--- taken.mlir
!w = memref<32x64xf32, #gpu.address_space<workgroup>>
func.func @taken(%A: memref<32x64xf32> {tt.name = "A"}, %B: memref<32x64xf32> {tt.name = "B"}, %C: memref<32x64xf32> {tt.name = "C"}, %D: memref<32x64xf32> {tt.name = "D"}) attributes {tt.kernel} {
  %buf = memref.alloc() : !w
  memref.copy %A, %buf : memref<32x64xf32> to !w
  memref.copy %buf, %B : !w to memref<32x64xf32>
  linalg.exp ins(%buf : !w) outs(%C : memref<32x64xf32>)
  memref.copy %buf, %D : !w to memref<32x64xf32>
  return
}

// A copy that converts, halves of a buffer as operands of a product, and a buffer that nobody reads.
//--- parts.mlir
!w = memref<32x64xbf16, #gpu.address_space<workgroup>>
!l = memref<32x32xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>
!r = memref<32x32xbf16, strided<[64, 1], offset: 32>, #gpu.address_space<workgroup>>
!q = memref<32x32xf32, #gpu.address_space<private>>
func.func @parts(%A: memref<32x64xbf16> {tt.name = "A"}, %B: memref<32x32xbf16> {tt.name = "B"}, %C: memref<32x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %buffer = memref.alloc() : !w
  memref.copy %A, %buffer : memref<32x64xbf16> to !w
  %left = memref.subview %buffer[0, 0] [32, 32] [1, 1] : !w to !l
  %right = memref.subview %buffer[0, 32] [32, 32] [1, 1] : !w to !r
  %sum = memref.alloc() : !q
  %unread = memref.alloc() : !q
  linalg.copy ins(%B : memref<32x32xbf16>) outs(%sum : !q)
  linalg.matmul ins(%left, %right : !l, !r) outs(%sum : !q)
  linalg.fill ins(%zero : f32) outs(%unread : !q)
  memref.copy %sum, %C : !q to memref<32x32xf32>
  return
}
