// Where a core has another unit, what that one reads first comes while the results of this one leave: the buffers of its operands
// hold as many blocks as L1 has room for, up to four. With a core for each unit two are enough.
// RUN: tt-opt --tt-pipeline="grid=1x1 optimize=merge-steps" %s | FileCheck %s --check-prefix=SEVERAL
// RUN: tt-opt --tt-pipeline="grid=8x8 optimize=merge-steps" %s | FileCheck %s --check-prefix=ONE
// SEVERAL: tt.circular_buffer @cb_in0 on @all input !tt.cb<2x4xbf16> {{.*}} pages = 32
// SEVERAL: tt.circular_buffer @cb_in1 on @all input !tt.cb<4x2xbf16> {{.*}} pages = 32
// ONE: tt.circular_buffer @cb_in0 on @all input !tt.cb<2x4xbf16> {{.*}} pages = 16

// RUN: %if all %{ tt-run %s --grid=1x1 --optimize=none --output C=%t.none.npy %}
// RUN: %if all %{ tt-run %s --grid=1x1 --optimize=merge-steps --check --strict --output C=%t.deep.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.deep.npy %}
func.func @gelu(%A: memref<64x512xbf16> {tt.name = "A"}, %B: memref<512x256xbf16> {tt.name = "B"},
                %C: memref<64x256xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bx) in (4) {
    %n = arith.muli %bx, %c64 : index
    %sum = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<64x64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c512 step %c128 {
      %a = memref.subview %A[0, %k] [64, 128] [1, 1] : memref<64x512xbf16> to memref<64x128xbf16, strided<[512, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [128, 64] [1, 1] : memref<512x256xbf16> to memref<128x64xbf16, strided<[256, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<64x128xbf16, strided<[512, 1], offset: ?>>, memref<128x64xbf16, strided<[256, 1], offset: ?>>)
                    outs(%sum : memref<64x64xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[0, %n] [64, 64] [1, 1] : memref<64x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<64x64xf32, #gpu.address_space<private>>) outs(%c : memref<64x64xbf16, strided<[256, 1], offset: ?>>) {
    ^bb0(%s: f32, %o: bf16):
      %e = math.tanh %s : f32
      %t = arith.truncf %e : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}
