// Parts of a core's buffers, as operands and as results.
// RUN: split-file %s %t
// RUN: tt-run %t/halves.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/heads.mlir --check --input 'W=~0.05' --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/rows.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/fragments.mlir --check --metalium-api=2026-03 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/halves.mlir --check --arch=blackhole --metalium-api=2026-03 --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/heads.mlir --check --input 'W=~0.05' --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/fragments.mlir --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// CHECK: C: max abs error {{.*}}: ok

// Halves of what is computed, as rotary embeddings take them.
//--- halves.mlir
#id = affine_map<(i, j) -> (i, j)>
!q = memref<32x64xf32, #gpu.address_space<private>>
!l = memref<32x32xf32, strided<[64, 1]>, #gpu.address_space<private>>
!r = memref<32x32xf32, strided<[64, 1], offset: 32>, #gpu.address_space<private>>
!o = memref<32x64xf32>
!h = memref<32x32xf32>
func.func @rot(%X: memref<32x96xbf16> {tt.name="X"}, %W: memref<96x64xbf16> {tt.name="W"}, %Cos: !h {tt.name="Cos"}, %Sin: !h {tt.name="Sin"}, %C: !o {tt.name="C"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %q = memref.alloc() : !q
  %y = memref.alloc() : !q
  linalg.fill ins(%z : f32) outs(%q : !q)
  linalg.matmul ins(%X, %W : memref<32x96xbf16>, memref<96x64xbf16>) outs(%q : !q)
  %a = memref.subview %q[0, 0] [32, 32] [1, 1] : !q to !l
  %b = memref.subview %q[0, 32] [32, 32] [1, 1] : !q to !r
  %ya = memref.subview %y[0, 0] [32, 32] [1, 1] : !q to !l
  %yb = memref.subview %y[0, 32] [32, 32] [1, 1] : !q to !r
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b, %Cos, %Sin : !l, !r, !h, !h) outs(%ya : !l) {
  ^bb0(%p: f32, %s: f32, %c: f32, %sn: f32, %o: f32):
    %1 = arith.mulf %p, %c : f32
    %2 = arith.mulf %s, %sn : f32
    %3 = arith.subf %1, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b, %Cos, %Sin : !l, !r, !h, !h) outs(%yb : !r) {
  ^bb0(%p: f32, %s: f32, %c: f32, %sn: f32, %o: f32):
    %1 = arith.mulf %s, %c : f32
    %2 = arith.mulf %p, %sn : f32
    %3 = arith.addf %1, %2 : f32
    linalg.yield %3 : f32
  }
  memref.copy %y, %C : !q to !o
  return
}

// Heads of one product at an index of a loop, put side by side and multiplied as one.
//--- heads.mlir
!x = memref<32x64xbf16>
!w = memref<64x128xbf16>
!q = memref<32x128xf32, #gpu.address_space<private>>
!b = memref<32x128xbf16, #gpu.address_space<private>>
!h = memref<32x32xf32, strided<[128, 1], offset: ?>, #gpu.address_space<private>>
!hb = memref<32x32xbf16, strided<[128, 1], offset: ?>, #gpu.address_space<private>>
!s = memref<32x32xf32, #gpu.address_space<private>>
#id = affine_map<(i, j) -> (i, j)>
func.func @heads(%X: !x {tt.name="X"}, %W: !w {tt.name="W"}, %O: memref<128x64xbf16> {tt.name="O"}, %C: memref<32x64xf32> {tt.name="C"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %q = memref.alloc() : !q
  %qb = memref.alloc() : !b
  %ob = memref.alloc() : !b
  linalg.fill ins(%z : f32) outs(%q : !q)
  linalg.matmul ins(%X, %W : !x, !w) outs(%q : !q)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : !q) outs(%qb : !b) {
  ^bb0(%p: f32, %o: bf16):
    %1 = arith.truncf %p : f32 to bf16
    linalg.yield %1 : bf16
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.muli %i, %c32 : index
    %h = memref.subview %qb[0, %n] [32, 32] [1, 1] : !b to !hb
    %oh = memref.subview %ob[0, %n] [32, 32] [1, 1] : !b to !hb
    %s = memref.alloc() : !s
    linalg.fill ins(%z : f32) outs(%s : !s)
    linalg.contract indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>] ins(%h, %h : !hb, !hb) outs(%s : !s)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : !s) outs(%oh : !hb) {
    ^bb0(%p: f32, %o: bf16):
      %t = math.tanh %p : f32
      %1 = arith.truncf %t : f32 to bf16
      linalg.yield %1 : bf16
    }
  }
  %r = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
  linalg.fill ins(%z : f32) outs(%r : memref<32x64xf32, #gpu.address_space<private>>)
  linalg.matmul ins(%ob, %O : !b, memref<128x64xbf16>) outs(%r : memref<32x64xf32, #gpu.address_space<private>>)
  memref.copy %r, %C : memref<32x64xf32, #gpu.address_space<private>> to memref<32x64xf32>
  return
}

// A state that goes over rows of loaded blocks, and writes rows of one that is stored.
//--- rows.mlir
!x = memref<64x64xbf16>
!v = memref<32x64xbf16, strided<[64, 1], offset: ?>>
!w = memref<32x64xbf16, #gpu.address_space<workgroup>>
!r = memref<64xbf16, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
!h = memref<64xf32, #gpu.address_space<private>>
!o = memref<32x64xf32, #gpu.address_space<workgroup>>
!or = memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
#v = affine_map<(j) -> (j)>
func.func @scan(%X: !x {tt.name="X"}, %D: !x {tt.name="D"}, %C: memref<64x64xf32> {tt.name="C"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %half = arith.constant 0.5 : f32
  scf.forall (%g) in (2) {
    %m = arith.muli %g, %c32 : index
    %h = memref.alloc() : !h
    %xs = memref.alloc() : !w
    %ds = memref.alloc() : !w
    %ys = memref.alloc() : !o
    %xv = memref.subview %X[%m, 0] [32, 64] [1, 1] : !x to !v
    %dv = memref.subview %D[%m, 0] [32, 64] [1, 1] : !x to !v
    %cv = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %xv, %xs : !v to !w
    memref.copy %dv, %ds : !v to !w
    linalg.fill ins(%z : f32) outs(%h : !h)
    scf.for %t = %c0 to %c32 step %c1 {
      %x = memref.subview %xs[%t, 0] [1, 64] [1, 1] : !w to !r
      %d = memref.subview %ds[%t, 0] [1, 64] [1, 1] : !w to !r
      %y = memref.subview %ys[%t, 0] [1, 64] [1, 1] : !o to !or
      linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%x, %d : !r, !r) outs(%h : !h) {
      ^bb0(%a: bf16, %b: bf16, %s: f32):
        %fa = arith.extf %a : bf16 to f32
        %fb = arith.extf %b : bf16 to f32
        %1 = arith.mulf %s, %half : f32
        %2 = arith.mulf %fa, %fb : f32
        %3 = arith.addf %1, %2 : f32
        linalg.yield %3 : f32
      }
      memref.copy %h, %y : !h to !or
    }
    memref.copy %ys, %cv : !o to memref<32x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// A step of three dimensions at an index of a loop, and all of them as one matrix.
//--- fragments.mlir
!q = memref<4x32x64xf32, #gpu.address_space<private>>
!h = memref<32x64xf32, strided<[64, 1], offset: ?>, #gpu.address_space<private>>
!o = memref<4x32x64xf32>
func.func @fragments(%A: !o {tt.name="A"}, %C: memref<128x64xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %q = memref.alloc() : !q
  linalg.exp ins(%A : !o) outs(%q : !q)
  scf.for %i = %c1 to %c4 step %c1 {
    %p = arith.subi %i, %c1 : index
    %h = memref.subview %q[%i, 0, 0] [1, 32, 64] [1, 1, 1] : !q to !h
    %g = memref.subview %q[%p, 0, 0] [1, 32, 64] [1, 1, 1] : !q to !h
    linalg.add ins(%h, %g : !h, !h) outs(%h : !h)
  }
  %all = memref.collapse_shape %q [[0, 1], [2]] : !q into memref<128x64xf32, #gpu.address_space<private>>
  %c = memref.alloc() : memref<128x64xf32, #gpu.address_space<private>>
  linalg.square ins(%all : memref<128x64xf32, #gpu.address_space<private>>) outs(%c : memref<128x64xf32, #gpu.address_space<private>>)
  memref.copy %c, %C : memref<128x64xf32, #gpu.address_space<private>> to memref<128x64xf32>
  return
}
