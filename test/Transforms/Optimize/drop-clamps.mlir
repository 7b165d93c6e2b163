// RUN: tt-opt --tt-pipeline=optimize=fuse-functions,batch-tiles,drop-clamps --canonicalize --cse %s --remarks-filter='tt-(fuse-functions|drop-clamps)' 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE-DAG: this is the chip's function exp_below
// DONE-DAG: this is the chip's function exp_fast
// DONE-DAG: the packer drops what small exponentials leave below zero
// DONE-DAG: an exponential raises small numbers: it is not packed right behind, alone

// Elements less the largest of their row: the packer is told around the loops.
// CHECK: tt.kernel @compute
// CHECK: metalium.pack_relu_config %{{.*}}
// CHECK-NOT: metalium.pack_relu_config
// CHECK: metalium.sfpu_tile exp_signed
// CHECK: metalium.pack_relu_config %{{.*}}
// The same, that goes on in DST.
// CHECK: metalium.sfpu_tile exp_below
// What is less some number of the row may be positive.
// CHECK: metalium.sfpu_tile exp_fast
// CHECK-NOT: metalium.pack_relu_config

// Without tt.math_approx there is nothing to drop.
// RUN: sed 's/, tt.math_approx}/}/' %s | tt-opt --tt-pipeline=optimize=all | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: pack_relu_config

// Blocks of attention, where a maximum goes through copies, and one becomes a part of the next.
// RUN: sed 's/attributes {tt.kernel}/attributes {tt.kernel, tt.math_approx}/' %examples/flash_attention.mlir | tt-opt --tt-pipeline=optimize=all | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: metalium.sfpu_tile exp_fast_column
// BLOCKS: metalium.pack_relu_config
// BLOCKS: metalium.sfpu_tile exp_signed
// BLOCKS: metalium.pack_relu_config

// Elements that were written since, or the largest along another dimension, are not below it.
// RUN: sed '/linalg.generic {indexing_maps = \[#row, #ij, #ij\]/i linalg.fill ins(%lowest : f32) outs(%x : memref<64x64xf32, #gpu.address_space<private>>)' %s | tt-opt --tt-pipeline=optimize=fuse-functions,drop-clamps | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/\[#row, #ij, #ij\]/[#other, #ij, #ij]/' %s > %t.turned.mlir
// RUN: tt-opt --tt-pipeline=optimize=fuse-functions,drop-clamps %t.turned.mlir | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: exp_signed

// The same bits, also where exponentials are very small, as those of what a mask leaves out.
// RUN: tt-run %s --check --optimize=fuse-functions --output=O=%t.none.bin --output=P=%t.none.p.bin
// RUN: tt-run %s --check --strict --optimize=fuse-functions,batch-tiles,drop-clamps --output=O=%t.all.bin --output=P=%t.all.p.bin
// RUN: cmp %t.none.bin %t.all.bin && cmp %t.none.p.bin %t.all.p.bin
// RUN: %if all %{ tt-run %s --check --metalium-api=2025 --output=O=%t.all.bin && cmp %t.none.bin %t.all.bin %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2026-03 --output=O=%t.all.bin && cmp %t.none.bin %t.all.bin %}

#ij = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#other = affine_map<(i, j) -> (j)>
func.func @weights(%X: memref<64x64xbf16> {tt.name = "X"}, %Y: memref<64x64xbf16> {tt.name = "Y"},
                   %O: memref<64x64xbf16> {tt.name = "O"}, %P: memref<64x64xbf16> {tt.name = "P"}, %Q: memref<64x64xbf16> {tt.name = "Q"})
    attributes {tt.kernel, tt.math_approx} {
  %c64 = arith.constant 64 : index
  %lowest = arith.constant 0xFF800000 : f32
  %forty = arith.constant 40.0 : f32
  scf.forall (%block) in (1) {
    %at = arith.muli %block, %c64 : index
    %xs = memref.subview %X[%at, 0] [64, 64] [1, 1] : memref<64x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %y = memref.subview %Y[%at, 0] [64, 64] [1, 1] : memref<64x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %o = memref.subview %O[%at, 0] [64, 64] [1, 1] : memref<64x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %q = memref.subview %P[%at, 0] [64, 64] [1, 1] : memref<64x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %u = memref.subview %Q[%at, 0] [64, 64] [1, 1] : memref<64x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %x = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    %m = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%xs : memref<64x64xbf16, strided<[64, 1], offset: ?>>) outs(%x : memref<64x64xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %old: f32):
        %e = arith.extf %a : bf16 to f32
        %r = arith.mulf %e, %forty : f32
        linalg.yield %r : f32
    }
    linalg.fill ins(%lowest : f32) outs(%m : memref<64xf32, #gpu.address_space<private>>)
    linalg.reduce { arith.maximumf } ins(%x : memref<64x64xf32, #gpu.address_space<private>>)
        outs(%m : memref<64xf32, #gpu.address_space<private>>) dimensions = [1]
    linalg.generic {indexing_maps = [#row, #ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%m, %x : memref<64xf32, #gpu.address_space<private>>, memref<64x64xf32, #gpu.address_space<private>>)
        outs(%o : memref<64x64xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%a: f32, %b: f32, %old: bf16):
        %d = arith.subf %b, %a : f32
        %e = math.exp %d : f32
        %r = arith.truncf %e : f32 to bf16
        linalg.yield %r : bf16
    }
    linalg.generic {indexing_maps = [#row, #ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%m, %x, %y : memref<64xf32, #gpu.address_space<private>>, memref<64x64xf32, #gpu.address_space<private>>, memref<64x64xbf16, strided<[64, 1], offset: ?>>)
        outs(%q : memref<64x64xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%a: f32, %b: f32, %c: bf16, %old: bf16):
        %d = arith.subf %b, %a : f32
        %e = math.exp %d : f32
        %w = arith.extf %c : bf16 to f32
        %n = arith.mulf %e, %w : f32
        %r = arith.truncf %n : f32 to bf16
        linalg.yield %r : bf16
    }
    linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%xs, %y : memref<64x64xbf16, strided<[64, 1], offset: ?>>, memref<64x64xbf16, strided<[64, 1], offset: ?>>)
        outs(%u : memref<64x64xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%a: bf16, %b: bf16, %old: bf16):
        %e0 = arith.extf %a : bf16 to f32
        %e1 = arith.extf %b : bf16 to f32
        %d = arith.subf %e0, %e1 : f32
        %e = math.exp %d : f32
        %r = arith.truncf %e : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
