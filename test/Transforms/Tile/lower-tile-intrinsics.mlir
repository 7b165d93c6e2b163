// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics --canonicalize | FileCheck %s
// RUN: tt-opt %inputs/chain.mlir --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics --canonicalize | FileCheck %s --check-prefix=CHAIN
// RUN: tt-opt %examples/scores.mlir --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics --canonicalize | FileCheck %s --check-prefix=SCORES
// RUN: tt-opt %examples/gated_mlp.mlir --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics --canonicalize | FileCheck %s --check-prefix=GATED
// RUN: tt-opt %s --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics --canonicalize --split-input-file | FileCheck %s --check-prefix=OTHER

// The K loop stays; the first step starts from zero.
// CHECK: tt.fp32_dest_acc = true
// CHECK-NOT: linalg
// CHECK: scf.for
// CHECK: scf.for %[[K:.*]] = %[[LB:.*]] to
// CHECK: tt.read_to_cb
// CHECK: tt.read_to_cb
// CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[K]], %[[LB]] : index
// CHECK: tt.mm.mma %[[A:.*]], %[[B:.*]], dst = 0, accumulate = %[[MORE]] : !tt.cb<4x1xbf16>, !tt.cb<1x4xbf16>
// CHECK: tt.pack_to_cb dst = 0 -> %[[OUT:.*]] : !tt.cb<4x4xbf16>
// CHECK-NEXT: tt.write_from_cb %[[OUT]]
// CHECK-NOT: linalg
// CHECK-NOT: memref.alloc

// The second operand may be stored (n, k).
// SCORES: tt.read_to_cb %{{.*}}[%[[N:.*]], %[[D:.*]]], %[[K:.*]] : memref<192x128xbf16>, !tt.cb<3x2xbf16>
// SCORES: tt.mm.mma %{{.*}}, %[[K]] transpose_b, dst = 0, accumulate = %{{.*}} : !tt.cb<2x2xbf16>, !tt.cb<3x2xbf16>
// SCORES: tt.pack_to_cb dst = 0 -> %{{.*}} : !tt.cb<2x3xf32>

// Sums over one loop stand side by side in DST.
// GATED: scf.for
// GATED: tt.mm.mma %[[X:.*]], %{{.*}}, dst = 0, accumulate
// GATED: tt.mm.mma %[[X]], %{{.*}}, dst = 2, accumulate
// GATED: }
// GATED: tt.pack_to_cb dst = 2 -> %[[UP:.*]] :
// GATED: tt.pack_to_cb dst = 0 -> %[[GATE:.*]] :
// GATED: tt.copy_to_dst %[[GATE]]

// Ops with buffers between them: each result is packed to one.
// CHAIN: tt.fp32_dest_acc = false
// CHAIN: tt.fpu.add %[[X:.*]], %[[Y:.*]], dst = 0 -> %[[S:.*]] :
// CHAIN: tt.fpu.mul %[[S]], %[[X]], dst = 0 -> %[[P:.*]] :
// CHAIN: tt.fpu.sub %[[P]], %[[S]], dst = 0 -> %[[O:.*]] :
// CHAIN: tt.write_from_cb %[[O]]

// What an op computes is read from its maps and body: this generic is a matmul.
// OTHER-LABEL: func.func @generic_matmul
// OTHER: tt.mm.mma {{.*}} accumulate = %false
// OTHER: tt.pack_to_cb
#a = affine_map<(i, j, l) -> (i, l)>
#b = affine_map<(i, j, l) -> (l, j)>
#c = affine_map<(i, j, l) -> (i, j)>
func.func @generic_matmul(%A: memref<32x64xbf16>, %B: memref<64x32xbf16>, %C: memref<32x32xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %acc = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<32x64xbf16>, memref<64x32xbf16>) outs(%acc : memref<32x32xf32>) {
    ^bb0(%x: bf16, %y: bf16, %z: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
  }
  memref.copy %acc, %C : memref<32x32xf32> to memref<32x32xf32>
  return
}

// -----
// Unary functions work in DST on what the op before left there.
// OTHER-LABEL: func.func @unary
// OTHER: tt.fpu.add {{.*}}, dst = 0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
// OTHER-NEXT: tt.sfpu.unary exp, dst = 0{{$}}
// OTHER-NEXT: tt.sfpu.unary sqrt, dst = 0 -> %{{.*}} : !tt.cb<1x1xbf16>
#id = affine_map<(i, j) -> (i, j)>
func.func @unary(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A, %B : memref<32x32xbf16>, memref<32x32xbf16>) outs(%C : memref<32x32xbf16>) {
    ^bb0(%x: bf16, %y: bf16, %z: bf16):
      %s = arith.addf %x, %y : bf16
      %e = math.exp %s : bf16
      %r = math.sqrt %e : bf16
      linalg.yield %r : bf16
  }
  return
}

// -----
// A sum that one op uses stays in DST for it.
// OTHER-LABEL: func.func @residual
// OTHER: tt.mm.mma
// OTHER-NEXT: tt.sfpu.combine add, [0, 0], dst = 0
// OTHER-NEXT: tt.pack_to_cb dst = 0 -> %[[OUT:.*]] : !tt.cb<1x1xf32>
// OTHER: tt.write_from_cb %[[OUT]]
func.func @residual(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>, %C: memref<32x32xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %acc = memref.alloc() : memref<32x32xf32>
  %sum = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xbf16>, memref<32x32xbf16>) outs(%acc : memref<32x32xf32>)
  linalg.add ins(%acc, %acc : memref<32x32xf32>, memref<32x32xf32>) outs(%sum : memref<32x32xf32>)
  memref.copy %sum, %C : memref<32x32xf32> to memref<32x32xf32>
  return
}

// -----
// One expression is one section: constants become scalars, what is used again is computed
// once and keeps its tile, and the FPU serves where both operands are in circular buffers, but for what is compared.
// OTHER-LABEL: func.func @tree
// OTHER: tt.fpu.add %[[X:.*]], %[[Y:.*]], dst = 0 :
// OTHER-NEXT: tt.copy_to_dst %[[X]], dst = 1 :
// OTHER-NEXT: tt.sfpu.unary exp, dst = 1{{$}}
// OTHER-NEXT: tt.sfpu.unary add_scalar, dst = 1 scalar = 1.000000e+00
// OTHER-NEXT: tt.sfpu.combine div, [0, 1], dst = 1
// OTHER-NEXT: tt.sfpu.unary max_scalar, dst = 1 scalar = 0.000000e+00
// OTHER-NEXT: tt.sfpu.combine mul, [1, 0], dst = 1
// OTHER-NEXT: tt.copy_to_dst %[[X]], dst = 0 :
// OTHER-NEXT: tt.copy_to_dst %[[Y]], dst = 2 :
// OTHER-NEXT: tt.sfpu.combine sub, [0, 2], dst = 0
// OTHER-NEXT: tt.sfpu.unary gtz, dst = 0
// OTHER-NEXT: tt.sfpu.unary fill, dst = 2 scalar = 5.000000e-01
// OTHER-NEXT: tt.sfpu.combine where, [0, 1, 2], dst = 0 -> %[[OUT:.*]] :
// OTHER: tt.write_from_cb %[[OUT]]
#id = affine_map<(i, j) -> (i, j)>
func.func @tree(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %half = arith.constant 0.5 : bf16
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A, %B : memref<32x32xbf16>, memref<32x32xbf16>) outs(%C : memref<32x32xbf16>) {
    ^bb0(%a: bf16, %b: bf16, %o: bf16):
      %one = arith.constant 1.0 : bf16
      %zero = arith.constant 0.0 : bf16
      %s = arith.addf %a, %b : bf16
      %e = math.exp %a : bf16
      %p = arith.addf %e, %one : bf16
      %d = arith.divf %s, %p : bf16
      %m = arith.maximumf %d, %zero : bf16
      %s2 = arith.addf %a, %b : bf16
      %q = arith.mulf %m, %s2 : bf16
      %c = arith.cmpf ogt, %a, %b : bf16
      %r = arith.select %c, %q, %half : bf16
      linalg.yield %r : bf16
  }
  return
}

// -----
// More than DST holds (4 tiles of 32 bits): a part of the sum waits in a circular buffer.
// OTHER-LABEL: func.func @spilled
// OTHER: tt.alloc_cb "cb_intermed0"
// OTHER: -> %[[PART:.*]] : !tt.cb<1x1xf32>
// OTHER: tt.copy_to_dst %[[PART]]
// OTHER: tt.sfpu.combine div, {{.*}} -> %{{.*}} : !tt.cb<1x1xf32>
#id = affine_map<(i, j) -> (i, j)>
func.func @spilled(%A: memref<32x32xf32>, %C: memref<32x32xf32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<32x32xf32>) outs(%C : memref<32x32xf32>) {
    ^bb0(%a: f32, %o: f32):
      %0 = math.exp %a : f32
      %1 = math.sin %a : f32
      %2 = math.cos %a : f32
      %3 = math.tanh %a : f32
      %4 = math.sqrt %a : f32
      %5 = math.absf %a : f32
      %a0 = arith.divf %0, %1 : f32
      %a1 = arith.divf %2, %3 : f32
      %a2 = arith.divf %4, %5 : f32
      %a3 = arith.divf %1, %2 : f32
      %a4 = arith.divf %3, %4 : f32
      %b0 = arith.divf %a0, %a1 : f32
      %b1 = arith.divf %a2, %a3 : f32
      %b2 = arith.divf %a4, %0 : f32
      %c0 = arith.divf %b0, %b1 : f32
      %c1 = arith.divf %c0, %b2 : f32
      linalg.yield %c1 : f32
  }
  return
}
