// Blocks of more than two dimensions, and views that collapse or expand.
// RUN: split-file %s %t
// RUN: tt-run %t/batch.mlir --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/batch.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/fragments.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/groups.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/views.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/heads.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/scaled.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: tt-run %t/lines.mlir --check 2>&1 | FileCheck %s
// CHECK-NOT: warning
// CHECK: C: max abs error {{.*}}: ok

// linalg.batch_matmul on blocks of two matrices.
//--- batch.mlir
!q = memref<2x32x64xbf16, strided<[2048, 64, 1], offset: ?>>
!k = memref<2x64x32xbf16, strided<[2048, 32, 1], offset: ?>>
!o = memref<2x32x32xf32, strided<[1024, 32, 1], offset: ?>>
func.func @bmm(%Q: memref<4x32x64xbf16> {tt.name="Q"}, %K: memref<4x64x32xbf16> {tt.name="K"}, %C: memref<4x32x32xf32> {tt.name="C"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  scf.forall (%b) = (0) to (4) step (2) {
    %q = memref.subview %Q[%b, 0, 0] [2, 32, 64] [1, 1, 1] : memref<4x32x64xbf16> to !q
    %k = memref.subview %K[%b, 0, 0] [2, 64, 32] [1, 1, 1] : memref<4x64x32xbf16> to !k
    %c = memref.subview %C[%b, 0, 0] [2, 32, 32] [1, 1, 1] : memref<4x32x32xf32> to !o
    linalg.fill ins(%z : f32) outs(%c : !o)
    linalg.batch_matmul ins(%q, %k : !q, !k) outs(%c : !o)
  }
  return
}

// Buffers of the core of three dimensions, and the index of the outer one.
//--- fragments.mlir
!t = memref<2x32x64xf32>
!p = memref<2x32x64xf32, #gpu.address_space<private>>
!v = memref<2x32xf32, #gpu.address_space<private>>
func.func @frag(%A: !t {tt.name="A"}, %C: !t {tt.name="C"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %x = memref.alloc() : !p
  %y = memref.alloc() : !p
  memref.copy %A, %x : !t to !p
  linalg.exp ins(%x : !p) outs(%y : !p)
  linalg.generic {indexing_maps = [affine_map<(b,i,j)->(b,i,j)>, affine_map<(b,i,j)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel"]} ins(%y : !p) outs(%C : !t) {
    ^bb0(%a: f32, %o: f32):
      %b = linalg.index 0 : index
      %bi = arith.index_cast %b : index to i32
      %f = arith.sitofp %bi : i32 to f32
      %s = arith.addf %a, %f : f32
      linalg.yield %s : f32
  }
  return
}

// Two dimensions seen as one, and one as two.
//--- groups.mlir
func.func @group(%A: memref<2x64x64xbf16> {tt.name="A"}, %B: memref<128x64xbf16> {tt.name="B"}, %C: memref<128x64xbf16> {tt.name="C"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %a = memref.collapse_shape %A [[0, 1], [2]] : memref<2x64x64xbf16> into memref<128x64xbf16>
  %b = memref.expand_shape %B [[0, 1], [2]] output_shape [4, 32, 64] : memref<128x64xbf16> into memref<4x32x64xbf16>
  scf.forall (%i) in (4) {
    %m = arith.muli %i, %c32 : index
    %av = memref.subview %a[%m, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %bv = memref.subview %b[%i, 0, 0] [1, 32, 64] [1, 1, 1] : memref<4x32x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %cv = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    linalg.add ins(%av, %bv : memref<32x64xbf16, strided<[64, 1], offset: ?>>, memref<32x64xbf16, strided<[64, 1], offset: ?>>) outs(%cv : memref<32x64xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}

// A dimension of one element, and halves of a buffer.
//--- views.mlir
!A = memref<128x64xbf16>
!F = memref<32x64xf32>
!v = memref<32x64xbf16, strided<[64, 1], offset: ?>>
!w = memref<32x64xbf16, #gpu.address_space<workgroup>>
!p = memref<32x64xf32, #gpu.address_space<private>>
#id = affine_map<(i,j)->(i,j)>
!b3 = memref<1x32x64xbf16, #gpu.address_space<workgroup>>
!l = memref<32x32xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>
!r = memref<32x32xbf16, strided<[64, 1], offset: 32>, #gpu.address_space<workgroup>>
!q = memref<32x32xf32, #gpu.address_space<private>>
func.func @view(%A: memref<1x32x64xbf16> {tt.name="A"}, %C: memref<32x32xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %buf = memref.alloc() : !b3
  memref.copy %A, %buf : memref<1x32x64xbf16> to !b3
  %b = memref.collapse_shape %buf [[0, 1], [2]] : !b3 into !w
  %l = memref.subview %b[0, 0] [32, 32] [1, 1] : !w to !l
  %r = memref.subview %b[0, 32] [32, 32] [1, 1] : !w to !r
  %acc = memref.alloc() : !q
  linalg.fill ins(%z : f32) outs(%acc : !q)
  linalg.matmul ins(%l, %r : !l, !r) outs(%acc : !q)
  memref.copy %acc, %C : !q to memref<32x32xf32>
  return
}

// A row of a tensor seen as the heads in it, one below the other.
//--- heads.mlir
!v = memref<4x64xf32, strided<[2048, 1], offset: ?>>
!h = memref<4x64xbf16, strided<[64, 1], offset: ?>>
#id = affine_map<(i, j) -> (i, j)>
func.func @heads(%A: memref<4x32x64xf32> {tt.name = "A"}, %C: memref<32x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  scf.forall (%t) in (32) {
    %a = memref.subview %A[0, %t, 0] [4, 1, 64] [1, 1, 1] : memref<4x32x64xf32> to !v
    %c = memref.subview %C[%t, 0] [1, 256] [1, 1] : memref<32x256xbf16> to memref<256xbf16, strided<[1], offset: ?>>
    %h = memref.expand_shape %c [[0, 1]] output_shape [4, 64] : memref<256xbf16, strided<[1], offset: ?>> into !h
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : !v) outs(%h : !h) {
    ^bb0(%x: f32, %o: bf16):
      %y = arith.truncf %x : f32 to bf16
      linalg.yield %y : bf16
    }
  }
  return
}

// A row of a tensor that scales the rows of blocks, whose units are cut anew.
//--- scaled.mlir
!t = memref<4x128x128xf32>
!v = memref<64x64xf32, strided<[128, 1], offset: ?>>
!r = memref<64xf32, strided<[1], offset: ?>>
#id = affine_map<(i, j) -> (i, j)>
func.func @scaled(%A: !t {tt.name = "A"}, %B: memref<4x128xf32> {tt.name = "B"}, %C: !t {tt.name = "C"}) attributes {tt.kernel} {
  %c64 = arith.constant 64 : index
  scf.forall (%b, %i, %j) in (4, 2, 2) {
    %m = arith.muli %i, %c64 : index
    %n = arith.muli %j, %c64 : index
    %a = memref.subview %A[%b, %m, %n] [1, 64, 64] [1, 1, 1] : !t to !v
    %r = memref.subview %B[%b, %m] [1, 64] [1, 1] : memref<4x128xf32> to !r
    %c = memref.subview %C[%b, %m, %n] [1, 64, 64] [1, 1, 1] : !t to !v
    linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %r : !v, !r) outs(%c : !v) {
    ^bb0(%x: f32, %s: f32, %o: f32):
      %y = arith.mulf %x, %s : f32
      linalg.yield %y : f32
    }
  }
  return
}

// A buffer of three dimensions of which a sum gives a line in each step: the sum of all goes over them line by line.
//--- lines.mlir
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
#lines = affine_map<(a, b, c, d) -> (a, b, c)>
func.func @lines(%X: memref<2x2x4x16xf32> {tt.name="X"}, %C: memref<f32> {tt.name="C"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  scf.forall (%g) in (1) {
    %s = memref.alloc() : memref<2x2x4xf32>
    linalg.fill ins(%z : f32) outs(%s : memref<2x2x4xf32>)
    linalg.generic {indexing_maps = [#all, #lines], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%X : memref<2x2x4x16xf32>) outs(%s : memref<2x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %out : f32
      linalg.yield %1 : f32
    }
    linalg.fill ins(%z : f32) outs(%C : memref<f32>)
    linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> ()>], iterator_types = ["reduction", "reduction", "reduction"]} ins(%s : memref<2x2x4xf32>) outs(%C : memref<f32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %out : f32
      linalg.yield %1 : f32
    }
  }
  return
}
