// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=split-sums" %s --split-input-file --remarks-filter=tt-split-sums 2> %t.remarks | FileCheck %s
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=none" --tt-split-sums %s --split-input-file | FileCheck %s --check-prefix=ALONE
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

// ALONE-LABEL: func.func @skinny
// ALONE: tt.gather_parts
// Two tiles with 128 steps each: eight cores have 16 of a tile, and the first of them goes on with the sum.
// CHECK-LABEL: func.func @skinny
// CHECK-SAME: tt.core_ranges = [#tt.core_range<start = [0, 0], end = [7, 1]>]
// CHECK: %[[ALL4:.*]] = tt.alloc_cb "cb_intermed0" depth = 1 : !tt.cb<1x2xf32>
// CHECK: %[[PART:.*]] = arith.remui %{{.*}} {tt.var = "part"} : index
// CHECK: %[[FROM:.*]] = arith.muli %[[PART]], %c512
// CHECK: scf.for %[[K:.*]] = %[[C0:.*]] to %c512{{.*}} step %c32
// CHECK: %[[AT:.*]] = arith.addi %[[FROM]], %[[K]] : index
// CHECK: tt.read_to_cb %arg0[%{{.*}}, %[[AT]]]
// CHECK: tt.read_to_cb %arg1[%[[AT]], %[[N:.*]]], %
// The first step of each core starts its part of the sum.
// CHECK: %[[NEXT:.*]] = arith.cmpi ne, %[[K]], %[[C0]] : index
// CHECK: tt.mm.mma %{{.*}}, %{{.*}}, dst = 0, accumulate = %[[NEXT]]
// CHECK: tt.pack_to_cb dst = 0 -> %[[OWN:.*]] : !tt.cb<1x1xf32>
// CHECK: tt.gather_parts %[[OWN]] -> %[[ALL:.*]] apart = 1 : !tt.cb<1x1xf32>, !tt.cb<1x2xf32>
// CHECK: tt.sfpu.combine add, [0, 1], dst = 0 -> %[[OWN2:.*]] : !tt.cb<1x1xf32>
// CHECK: tt.gather_parts %[[OWN2]] -> %{{.*}} apart = 2
// CHECK: tt.gather_parts %{{.*}} -> %[[ALL4]] apart = 4
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[PART]], %{{.*}} : index
// CHECK: scf.if %[[FIRST]] {
// CHECK: tt.part_to_dst %[[ALL4]][%{{.*}}, %{{.*}}], dst = 0
// CHECK: tt.part_to_dst %[[ALL4]][%{{.*}}, %{{.*}}], dst = 1
// CHECK: tt.sfpu.combine add, [0, 1], dst = 0{{$}}
// CHECK: tt.sfpu.unary tanh, dst = 0
// CHECK: tt.pack_to_cb dst = 0 -> %[[C:.*]] : !tt.cb<1x1xbf16>
// CHECK: tt.write_from_cb %[[C]], %arg2[%{{.*}}, %[[N]]]
// CHECK-NEXT: }
// REMARK: "a sum is on 8 cores, which have 16 of its 128 steps each: about {{[0-9]+}} clk, not {{[0-9]+}}"
!a = memref<32x32xbf16, strided<[4096, 1], offset: ?>>
!b = memref<32x32xbf16, strided<[64, 1], offset: ?>>
func.func @skinny(%A: memref<32x4096xbf16> {tt.name = "A"}, %B: memref<4096x64xbf16> {tt.name = "B"}, %C: memref<32x64xbf16> {tt.name = "C"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bn) in (2) {
    %n = arith.muli %bn, %c32 : index
    %acc = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32>)
    scf.for %k = %c0 to %c4096 step %c32 {
      %a = memref.subview %A[0, %k] [32, 32] [1, 1] : memref<32x4096xbf16> to !a
      %b = memref.subview %B[%k, %n] [32, 32] [1, 1] : memref<4096x64xbf16> to !b
      linalg.matmul ins(%a, %b : !a, !b) outs(%acc : memref<32x32xf32>)
    }
    %c = memref.subview %C[0, %n] [32, 32] [1, 1] : memref<32x64xbf16> to !b
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%acc : memref<32x32xf32>) outs(%c : !b) {
    ^bb0(%x: f32, %old: bf16):
      %r = math.tanh %x : f32
      %t = arith.truncf %r : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}

// -----

// One unit, which did not ask for its number, and two sums of two tiles each, which go on together.
// CHECK-LABEL: func.func @gated
// CHECK-SAME: end = [7, 0]
// CHECK: tt.runtime_arg "start_id"
// CHECK: tt.mm.mma {{.*}} dst = 0, accumulate
// CHECK: tt.mm.mma {{.*}} dst = 2, accumulate
// CHECK: tt.pack_to_cb dst = 0 -> %[[A:.*]] : !tt.cb<1x2xf32>
// CHECK: tt.pack_to_cb dst = 2 -> %[[B:.*]] : !tt.cb<1x2xf32>
// CHECK: tt.gather_parts %[[A]] -> %{{.*}} apart = 1 : !tt.cb<1x2xf32>, !tt.cb<2x2xf32>
// CHECK: tt.gather_parts %[[B]] -> %{{.*}} apart = 1
// CHECK: scf.if
// CHECK: tt.sfpu.combine add, [0, 1], dst = 0{{$}}
// CHECK: tt.sfpu.combine add, [2, 1], dst = 2{{$}}
// CHECK: tt.sfpu.combine mul, [0, 2], dst = 0
// REMARK: "a sum is on 8 cores, which have 16 of its 128 steps each
!a = memref<32x32xbf16, strided<[4096, 1], offset: ?>>
!b = memref<32x64xbf16, strided<[64, 1], offset: ?>>
!sum = memref<32x64xf32>
func.func @gated(%A: memref<32x4096xbf16> {tt.name = "A"}, %G: memref<4096x64xbf16> {tt.name = "G"}, %U: memref<4096x64xbf16> {tt.name = "U"},
                 %C: memref<32x64xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by) in (1) {
    %g = memref.alloc() : !sum
    %u = memref.alloc() : !sum
    linalg.fill ins(%zero : f32) outs(%g : !sum)
    linalg.fill ins(%zero : f32) outs(%u : !sum)
    scf.for %k = %c0 to %c4096 step %c32 {
      %a = memref.subview %A[0, %k] [32, 32] [1, 1] : memref<32x4096xbf16> to !a
      %bg = memref.subview %G[%k, 0] [32, 64] [1, 1] : memref<4096x64xbf16> to !b
      %bu = memref.subview %U[%k, 0] [32, 64] [1, 1] : memref<4096x64xbf16> to !b
      linalg.matmul ins(%a, %bg : !a, !b) outs(%g : !sum)
      linalg.matmul ins(%a, %bu : !a, !b) outs(%u : !sum)
    }
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%g, %u : !sum, !sum) outs(%C : memref<32x64xbf16>) {
    ^bb0(%x: f32, %y: f32, %old: bf16):
      %r = arith.mulf %x, %y : f32
      %t = arith.truncf %r : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}

// -----

// Few steps are soon done.
// REMARK: "a sum stays on one core: waiting for each other takes longer than it saves"
!b = memref<32x32xbf16, strided<[64, 1], offset: ?>>
func.func @short(%A: memref<32x256xbf16> {tt.name = "A"}, %B: memref<256x64xbf16> {tt.name = "B"}, %C: memref<32x64xbf16> {tt.name = "C"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bn) in (2) {
    %n = arith.muli %bn, %c32 : index
    %acc = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32>)
    scf.for %k = %c0 to %c256 step %c32 {
      %a = memref.subview %A[0, %k] [32, 32] [1, 1] : memref<32x256xbf16> to memref<32x32xbf16, strided<[256, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 32] [1, 1] : memref<256x64xbf16> to !b
      linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[256, 1], offset: ?>>, !b) outs(%acc : memref<32x32xf32>)
    }
    %c = memref.subview %C[0, %n] [32, 32] [1, 1] : memref<32x64xbf16> to !b
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%acc : memref<32x32xf32>) outs(%c : !b) {
    ^bb0(%x: f32, %old: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}

// -----

// 127 steps have no factor that is as many cores.
// REMARK: "a sum stays on one core: its steps cannot be dealt evenly to cores that are a rectangle"
!a = memref<32x32xbf16, strided<[4064, 1], offset: ?>>
!b = memref<32x32xbf16, strided<[64, 1], offset: ?>>
func.func @prime(%A: memref<32x4064xbf16> {tt.name = "A"}, %B: memref<4064x64xbf16> {tt.name = "B"}, %C: memref<32x64xf32> {tt.name = "C"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c4064 = arith.constant 4064 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bn) in (2) {
    %n = arith.muli %bn, %c32 : index
    %c = memref.subview %C[0, %n] [32, 32] [1, 1] : memref<32x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32, strided<[64, 1], offset: ?>>)
    scf.for %k = %c0 to %c4064 step %c32 {
      %a = memref.subview %A[0, %k] [32, 32] [1, 1] : memref<32x4064xbf16> to !a
      %b = memref.subview %B[%k, %n] [32, 32] [1, 1] : memref<4064x64xbf16> to !b
      linalg.matmul ins(%a, %b : !a, !b) outs(%c : memref<32x32xf32, strided<[64, 1], offset: ?>>)
    }
  }
  return
}
