// Blocks of (row, head, element) in one buffer of the core, which holds them head by head.
// RUN: split-file %s %t
// RUN: tt-run %t/heads.mlir --check --strict --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE --implicit-check-not=warning
// RUN: %if all %{ tt-run %t/heads.mlir --check --strict --arch=blackhole --optimize=none \
// RUN:   --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/whole.mlir --check --strict --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE --implicit-check-not=warning %}
// RUN: %if all %{ tt-run %t/whole.mlir --check --strict --arch=blackhole --optimize=none \
// RUN:   --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/attention.mlir --check --strict --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE --implicit-check-not=warning %}
// RUN: %if all %{ tt-run %t/attention.mlir --check --strict --arch=blackhole --optimize=none \
// RUN:   --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: Y: max abs error {{.*}}: ok

//--- heads.mlir
// A block of (batch, row, head, element) in one buffer, scaled as a whole, heads of it multiplied.
func.func @heads(%Q: memref<2x64x4x32xf32> {tt.name = "Q"},
    %K: memref<2x64x4x32xf32> {tt.name = "K"},
    %Y: memref<2x4x64x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  scf.forall (%b, %m) in (2, 2) {
    %q = memref.alloc() : memref<32x4x32xf32, #gpu.address_space<workgroup>>
    %k = memref.alloc() : memref<32x4x32xf32, #gpu.address_space<workgroup>>
    %at = arith.muli %m, %c32 : index
    %qv = memref.subview %Q[%b, %at, 0, 0] [1, 32, 4, 32] [1, 1, 1, 1] : memref<2x64x4x32xf32>
        to memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
    %kv = memref.subview %K[%b, %at, 0, 0] [1, 32, 4, 32] [1, 1, 1, 1] : memref<2x64x4x32xf32>
        to memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
    memref.copy %qv, %q : memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
        to memref<32x4x32xf32, #gpu.address_space<workgroup>>
    memref.copy %kv, %k : memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
        to memref<32x4x32xf32, #gpu.address_space<workgroup>>
    linalg.generic {indexing_maps = [affine_map<(t, h, d) -> (t, h, d)>],
        iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%q : memref<32x4x32xf32, #gpu.address_space<workgroup>>) {
    ^bb0(%x: f32):
      %y = arith.mulf %x, %half : f32
      linalg.yield %y : f32
    }
    scf.for %h = %c0 to %c4 step %c1 {
      %s = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
      %qh = memref.subview %q[0, %h, 0] [32, 1, 32] [1, 1, 1]
          : memref<32x4x32xf32, #gpu.address_space<workgroup>>
          to memref<32x32xf32, strided<[128, 1], offset: ?>, #gpu.address_space<workgroup>>
      %kh = memref.subview %k[0, %h, 0] [32, 1, 32] [1, 1, 1]
          : memref<32x4x32xf32, #gpu.address_space<workgroup>>
          to memref<32x32xf32, strided<[128, 1], offset: ?>, #gpu.address_space<workgroup>>
      linalg.fill ins(%zero : f32) outs(%s : memref<32x32xf32, #gpu.address_space<private>>)
      linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j,
          d)>, affine_map<(i, j, d) -> (i, j)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%qh, %kh : memref<32x32xf32, strided<[128, 1], offset: ?>,
            #gpu.address_space<workgroup>>,
            memref<32x32xf32, strided<[128, 1], offset: ?>, #gpu.address_space<workgroup>>)
            outs(%s : memref<32x32xf32, #gpu.address_space<private>>) {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %p = arith.mulf %x, %y : f32
        %r = arith.addf %z, %p : f32
        linalg.yield %r : f32
      }
      %yv = memref.subview %Y[%b, %h, %at, 0] [1, 1, 32, 32] [1, 1, 1, 1]
          : memref<2x4x64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      memref.copy %s, %yv : memref<32x32xf32, #gpu.address_space<private>>
          to memref<32x32xf32, strided<[32, 1], offset: ?>>
    }
  }
  return
}

//--- whole.mlir
// All of a block in one buffer, two beside each other, and back.
func.func @whole(%X: memref<64x4x32xbf16> {tt.name = "X"}, %S: memref<4xf32> {tt.name = "S"},
    %V: memref<64xf32> {tt.name = "V"}, %Y: memref<64x4x32xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  scf.forall (%m) in (2) {
    %x = memref.alloc() : memref<32x4x32xbf16, #gpu.address_space<workgroup>>
    %f = memref.alloc() : memref<32x4x32xf32, #gpu.address_space<private>>
    %o = memref.alloc() : memref<32x4x32xbf16, #gpu.address_space<workgroup>>
    %at = arith.muli %m, %c32 : index
    %xv = memref.subview %X[%at, 0, 0] [32, 4, 32] [1, 1, 1] : memref<64x4x32xbf16>
        to memref<32x4x32xbf16, strided<[128, 32, 1], offset: ?>>
    %yv = memref.subview %Y[%at, 0, 0] [32, 4, 32] [1, 1, 1] : memref<64x4x32xbf16>
        to memref<32x4x32xbf16, strided<[128, 32, 1], offset: ?>>
    %vv = memref.subview %V[%at] [32] [1] : memref<64xf32>
        to memref<32xf32, strided<[1], offset: ?>>
    memref.copy %xv, %x : memref<32x4x32xbf16, strided<[128, 32, 1], offset: ?>>
        to memref<32x4x32xbf16, #gpu.address_space<workgroup>>
    linalg.generic {indexing_maps = [affine_map<(t, h, d) -> (t, h, d)>, affine_map<(t, h, d) ->
        (h)>, affine_map<(t, h, d) -> (t)>, affine_map<(t, h, d) -> (t, h, d)>],
        iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %S, %vv : memref<32x4x32xbf16, #gpu.address_space<workgroup>>, memref<4xf32>,
          memref<32xf32, strided<[1], offset: ?>>) outs(%f
          : memref<32x4x32xf32, #gpu.address_space<private>>) {
    ^bb0(%a: bf16, %s: f32, %v: f32, %z: f32):
      %e = arith.extf %a : bf16 to f32
      %p = arith.mulf %e, %s : f32
      %q = arith.addf %p, %v : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [affine_map<(t, h, d) -> (t, h, d)>, affine_map<(t, h, d) -> (t,
        h, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%f : memref<32x4x32xf32, #gpu.address_space<private>>) outs(%o
          : memref<32x4x32xbf16, #gpu.address_space<workgroup>>) {
    ^bb0(%a: f32, %z: bf16):
      %h = linalg.index 1 : index
      %hi = arith.index_cast %h : index to i32
      %hf = arith.sitofp %hi : i32 to f32
      %p = arith.mulf %a, %hf : f32
      %e = arith.truncf %p : f32 to bf16
      linalg.yield %e : bf16
    }
    memref.copy %o, %yv : memref<32x4x32xbf16, #gpu.address_space<workgroup>>
        to memref<32x4x32xbf16, strided<[128, 32, 1], offset: ?>>
  }
  return
}

//--- attention.mlir
// Heads of a (batch, row, head, element) block: scores, softmax, values; results side by side, then
// written as a whole.
func.func @attn(%Q: memref<1x64x2x32xf32> {tt.name = "Q"},
    %K: memref<1x64x2x32xf32> {tt.name = "K"}, %V: memref<1x64x2x32xf32> {tt.name = "V"},
    %Y: memref<1x64x2x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.17 : f32
  scf.forall (%m) in (2) {
    %q = memref.alloc() : memref<1x32x2x32xf32, #gpu.address_space<workgroup>>
    %k = memref.alloc() : memref<64x2x32xf32, #gpu.address_space<workgroup>>
    %v = memref.alloc() : memref<64x2x32xf32, #gpu.address_space<workgroup>>
    %o = memref.alloc() : memref<32x2x32xf32, #gpu.address_space<private>>
    %at = arith.muli %m, %c32 : index
    %qv = memref.subview %Q[0, %at, 0, 0] [1, 32, 2, 32] [1, 1, 1, 1] : memref<1x64x2x32xf32>
        to memref<1x32x2x32xf32, strided<[4096, 64, 32, 1], offset: ?>>
    memref.copy %qv, %q : memref<1x32x2x32xf32, strided<[4096, 64, 32, 1], offset: ?>>
        to memref<1x32x2x32xf32, #gpu.address_space<workgroup>>
    %kv = memref.subview %K[0, 0, 0, 0] [1, 64, 2, 32] [1, 1, 1, 1] : memref<1x64x2x32xf32>
        to memref<64x2x32xf32, strided<[64, 32, 1]>>
    memref.copy %kv, %k : memref<64x2x32xf32, strided<[64, 32, 1]>>
        to memref<64x2x32xf32, #gpu.address_space<workgroup>>
    %vv = memref.subview %V[0, 0, 0, 0] [1, 64, 2, 32] [1, 1, 1, 1] : memref<1x64x2x32xf32>
        to memref<64x2x32xf32, strided<[64, 32, 1]>>
    memref.copy %vv, %v : memref<64x2x32xf32, strided<[64, 32, 1]>>
        to memref<64x2x32xf32, #gpu.address_space<workgroup>>
    scf.for %h = %c0 to %c2 step %c1 {
      %s = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
      %mx = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
      %sm = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
      %qh = memref.subview %q[0, 0, %h, 0] [1, 32, 1, 32] [1, 1, 1, 1]
          : memref<1x32x2x32xf32, #gpu.address_space<workgroup>>
          to memref<32x32xf32, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>
      %kh = memref.subview %k[0, %h, 0] [64, 1, 32] [1, 1, 1]
          : memref<64x2x32xf32, #gpu.address_space<workgroup>>
          to memref<64x32xf32, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>
      %vh = memref.subview %v[0, %h, 0] [64, 1, 32] [1, 1, 1]
          : memref<64x2x32xf32, #gpu.address_space<workgroup>>
          to memref<64x32xf32, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>
      %oh = memref.subview %o[0, %h, 0] [32, 1, 32] [1, 1, 1]
          : memref<32x2x32xf32, #gpu.address_space<private>>
          to memref<32x32xf32, strided<[64, 1], offset: ?>, #gpu.address_space<private>>
      linalg.fill ins(%zero : f32) outs(%s : memref<32x64xf32, #gpu.address_space<private>>)
      linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j,
          d)>, affine_map<(i, j, d) -> (i, j)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%qh, %kh : memref<32x32xf32, strided<[64, 1], offset: ?>,
            #gpu.address_space<workgroup>>,
            memref<64x32xf32, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>)
            outs(%s : memref<32x64xf32, #gpu.address_space<private>>) {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %p = arith.mulf %x, %y : f32
        %r = arith.addf %z, %p : f32
        linalg.yield %r : f32
      }
      linalg.fill ins(%ninf : f32) outs(%mx : memref<32xf32, #gpu.address_space<private>>)
      linalg.reduce ins(%s : memref<32x64xf32, #gpu.address_space<private>>) outs(%mx
          : memref<32xf32, #gpu.address_space<private>>) dimensions = [1]
        (%x: f32, %z: f32) {
          %r = arith.maximumf %x, %z : f32
          linalg.yield %r : f32
        }
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
        ins(%mx : memref<32xf32, #gpu.address_space<private>>) outs(%s
            : memref<32x64xf32, #gpu.address_space<private>>) {
      ^bb0(%x: f32, %z: f32):
        %d = arith.subf %z, %x : f32
        %p = arith.mulf %d, %scale : f32
        %e = math.exp %p : f32
        linalg.yield %e : f32
      }
      linalg.fill ins(%zero : f32) outs(%sm : memref<32xf32, #gpu.address_space<private>>)
      linalg.reduce ins(%s : memref<32x64xf32, #gpu.address_space<private>>) outs(%sm
          : memref<32xf32, #gpu.address_space<private>>) dimensions = [1]
        (%x: f32, %z: f32) {
          %r = arith.addf %x, %z : f32
          linalg.yield %r : f32
        }
      linalg.fill ins(%zero : f32) outs(%oh : memref<32x32xf32, strided<[64, 1], offset: ?>,
          #gpu.address_space<private>>)
      linalg.matmul ins(%s, %vh : memref<32x64xf32, #gpu.address_space<private>>,
          memref<64x32xf32, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>) outs(%oh
          : memref<32x32xf32, strided<[64, 1], offset: ?>, #gpu.address_space<private>>)
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
        ins(%sm : memref<32xf32, #gpu.address_space<private>>) outs(%oh
            : memref<32x32xf32, strided<[64, 1], offset: ?>, #gpu.address_space<private>>) {
      ^bb0(%x: f32, %z: f32):
        %e = arith.divf %z, %x : f32
        linalg.yield %e : f32
      }
    }
    %yv = memref.subview %Y[0, %at, 0, 0] [1, 32, 2, 32] [1, 1, 1, 1] : memref<1x64x2x32xf32>
        to memref<32x2x32xf32, strided<[64, 32, 1], offset: ?>>
    memref.copy %o, %yv : memref<32x2x32xf32, #gpu.address_space<private>>
        to memref<32x2x32xf32, strided<[64, 32, 1], offset: ?>>
  }
  return
}

