// A partial block that is the only one along a dimension is of known size.
// RUN: sed 's/100/197/g; s/150/64/g; s/step (64, 64)/step (32, 64)/; s/197, 64)>/197, 32)>/' %examples/partial_blocks.mlir > %t.mlir && tt-run %t.mlir --check
// RUN: %if all %{ tt-run %s --check | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}

// Sizes that are no multiple of 32: tiles are padded on the host, and what pads them is masked
// where it would count: in the sums and largest elements of a softmax, and in the sum of a
// product whose operands are both computed.
// CHECK-DAG: Y: {{.*}}: ok
// CHECK-DAG: Z: {{.*}}: ok
// CHECK-DAG: T: {{.*}}: ok
// CHECK-DAG: v: {{.*}}: ok
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#s = affine_map<(i, j) -> ()>
func.func @ragged(%X: memref<3x50x70xbf16> {tt.name = "X"}, %W: memref<70x40xbf16> {tt.name = "W"},
                  %Y: memref<3x50x70xbf16> {tt.name = "Y"}, %Z: memref<3x50x40xf32> {tt.name = "Z"},
                  %T: memref<3x1x1xf32> {tt.name = "T"}, %v: memref<3x1x70xf32> {tt.name = "v"}) attributes {tt.kernel} {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  scf.forall (%matrix) in (3) {
    %x = memref.subview %X[%matrix, 0, 0] [1, 50, 70] [1, 1, 1] : memref<3x50x70xbf16> to memref<50x70xbf16, strided<[70, 1], offset: ?>>
    %y = memref.subview %Y[%matrix, 0, 0] [1, 50, 70] [1, 1, 1] : memref<3x50x70xbf16> to memref<50x70xbf16, strided<[70, 1], offset: ?>>
    %z = memref.subview %Z[%matrix, 0, 0] [1, 50, 40] [1, 1, 1] : memref<3x50x40xf32> to memref<50x40xf32, strided<[40, 1], offset: ?>>
    %t = memref.subview %T[%matrix, 0, 0] [1, 1, 1] [1, 1, 1] : memref<3x1x1xf32> to memref<1x1xf32, strided<[1, 1], offset: ?>>
    %columns = memref.subview %v[%matrix, 0, 0] [1, 1, 70] [1, 1, 1] : memref<3x1x70xf32> to memref<1x70xf32, strided<[70, 1], offset: ?>>
    %max = memref.alloc() : memref<50xf32>
    %sum = memref.alloc() : memref<50xf32>
    %e = memref.alloc() : memref<50x70xbf16>
    %w = memref.alloc() : memref<70x40xbf16>
    linalg.fill ins(%lowest : f32) outs(%max : memref<50xf32>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<50x70xbf16, strided<[70, 1], offset: ?>>) outs(%max : memref<50xf32>) {
      ^bb0(%a: bf16, %old: f32):
        %f = arith.extf %a : bf16 to f32
        %n = arith.negf %f : f32
        %r = arith.maximumf %old, %n : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : memref<50x70xbf16, strided<[70, 1], offset: ?>>, memref<50xf32>) outs(%e : memref<50x70xbf16>) {
      ^bb0(%a: bf16, %m: f32, %old: bf16):
        %f = arith.extf %a : bf16 to f32
        %n = arith.negf %f : f32
        %d = arith.subf %n, %m : f32
        %p = math.exp %d : f32
        %r = arith.truncf %p : f32 to bf16
        linalg.yield %r : bf16
    }
    linalg.fill ins(%zero : f32) outs(%sum : memref<50xf32>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%e : memref<50x70xbf16>) outs(%sum : memref<50xf32>) {
      ^bb0(%a: bf16, %old: f32):
        %f = arith.extf %a : bf16 to f32
        %r = arith.addf %old, %f : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%e, %sum : memref<50x70xbf16>, memref<50xf32>) outs(%y : memref<50x70xbf16, strided<[70, 1], offset: ?>>) {
      ^bb0(%a: bf16, %m: f32, %old: bf16):
        %f = arith.extf %a : bf16 to f32
        %d = arith.divf %f, %m : f32
        %r = arith.truncf %d : f32 to bf16
        linalg.yield %r : bf16
    }
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%W : memref<70x40xbf16>) outs(%w : memref<70x40xbf16>) {
      ^bb0(%a: bf16, %old: bf16):
        %r = math.cos %a : bf16
        linalg.yield %r : bf16
    }
    linalg.fill ins(%zero : f32) outs(%z : memref<50x40xf32, strided<[40, 1], offset: ?>>)
    linalg.matmul ins(%e, %w : memref<50x70xbf16>, memref<70x40xbf16>) outs(%z : memref<50x40xf32, strided<[40, 1], offset: ?>>)
    linalg.fill ins(%zero : f32) outs(%t : memref<1x1xf32, strided<[1, 1], offset: ?>>)
    linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (0, 0)>], iterator_types = ["reduction", "reduction"]}
        ins(%e : memref<50x70xbf16>) outs(%t : memref<1x1xf32, strided<[1, 1], offset: ?>>) {
      ^bb0(%a: bf16, %old: f32):
        %f = arith.extf %a : bf16 to f32
        %r = arith.addf %old, %f : f32
        linalg.yield %r : f32
    }
    linalg.fill ins(%zero : f32) outs(%columns : memref<1x70xf32, strided<[70, 1], offset: ?>>)
    linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (0, j)>], iterator_types = ["reduction", "parallel"]}
        ins(%e : memref<50x70xbf16>) outs(%columns : memref<1x70xf32, strided<[70, 1], offset: ?>>) {
      ^bb0(%a: bf16, %old: f32):
        %f = arith.extf %a : bf16 to f32
        %r = arith.addf %old, %f : f32
        linalg.yield %r : f32
    }
  }
  return
}
