// RUN: tt-opt --tt-name-kernels %s | FileCheck %s
// RUN: tt-opt --tt-name-kernels --tt-model-to-kernels --tt-split-grids %s | FileCheck %s --check-prefix=KERNELS
// A kernel is called after its product, or its sum, or the last of its ops.
// CHECK: tt.fuses = ["exp", "negf"], tt.kernel_name = "f_0_negf"
// CHECK: tt.fuses = ["reduce_sum"], tt.kernel_name = "f_1_reduce_sum"
// KERNELS: func.func @f_0_negf(%arg0: memref<64x32xf32>) attributes {tt.fuses = ["exp", "negf"], tt.kernel}
// KERNELS: func.func @f_1_reduce_sum({{.*}}) attributes {tt.fuses = ["reduce_sum"], tt.kernel}
// KERNELS: call @f_0_negf
// KERNELS: call @f_1_reduce_sum
// What rounds several times says so.
// CHECK: tt.fuses = ["addf"], tt.kernel_name = "g_0_addf", tt.sums = 2 : i64
// A kernel that only moves elements is called after nothing, and notes what does so.
// CHECK: tt.fuses = ["transpose"], tt.kernel_name = "moves_0"
// CHECK: tt.fuses = ["pad"], tt.kernel_name = "moves_1"
// CHECK: tt.fuses = ["copy"], tt.kernel_name = "moves_2"
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
func.func @f(%x: memref<64x32xf32>, %s: memref<64xf32>) attributes {tt.model} {
  scf.forall (%k) in (2) {
    %r = affine.apply affine_map<(d0) -> (d0 * 32)>(%k)
    %v = memref.subview %x[%r, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.exp ins(%v : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%v : memref<32x32xf32, strided<[32, 1], offset: ?>>)
    linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%v : memref<32x32xf32, strided<[32, 1], offset: ?>>) {
      ^bb0(%a: f32):
        %b = arith.negf %a : f32
        linalg.yield %b : f32
    }
  }
  scf.forall (%k) in (1) {
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x32xf32>) outs(%s : memref<64xf32>) {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32 loc("tosa.reduce_sum")
        linalg.yield %c : f32
    }
  }
  return
}
func.func @g(%x: memref<32x32xf32>, %s: memref<32xf32>, %t: memref<32xf32>) attributes {tt.model} {
  scf.forall (%k) in (1) {
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : memref<32x32xf32>) outs(%s : memref<32xf32>) {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        linalg.yield %c : f32
    }
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : memref<32x32xf32>) outs(%t : memref<32xf32>) {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        linalg.yield %c : f32
    }
  }
  return
}
func.func @moves(%x: memref<32x32xf32>, %y: memref<32x32xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%k) in (1) {
    linalg.generic {indexing_maps = [#ij, #ji], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<32x32xf32>) outs(%y : memref<32x32xf32>) {
      ^bb0(%a: f32, %b: f32):
        linalg.yield %a : f32
    } loc("tosa.transpose")
  }
  scf.forall (%k) in (1) {
    linalg.fill ins(%zero : f32) outs(%y : memref<32x32xf32>) loc("tosa.pad")
  }
  scf.forall (%k) in (1) {
    memref.copy %x, %y : memref<32x32xf32> to memref<32x32xf32>
  }
  return
}
