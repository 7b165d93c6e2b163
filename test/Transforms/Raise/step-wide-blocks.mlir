// A kernel whose blocks L1 cannot hold goes over them in steps; what wide buffers held is read, and computed, again.
// RUN: split-file %s %t
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-step-wide-blocks=optimize=none %t/wide.mlir --remarks-filter=tt-step-wide-blocks 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.remarks
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-step-wide-blocks=optimize=none %t/computed.mlir | FileCheck %s --check-prefix=AGAIN
// SAID-COUNT-3: remark: {{.*}}ops go over blocks in steps of at most {{[0-9]+}} elements, since L1 has no room for them
// SAID-NOT: remark

// Nothing is done where no step of an op is one of tensors alone, and that is said.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-step-wide-blocks=optimize=none %t/kept.mlir --remarks-filter=tt-step-wide-blocks 2> %t.kept | FileCheck %s --check-prefix=KEPT
// RUN: FileCheck %s --check-prefix=MISSED < %t.kept
// RUN: not tt-opt --tt-pipeline=optimize=none %t/kept.mlir 2>&1 | FileCheck %s --check-prefix=ERROR
// Cut in units for all cores, they fit (--tt-fit-units).
// RUN: tt-opt --tt-pipeline %t/kept.mlir --remarks-filter=tt-fit-units -o /dev/null 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: "1 units are made 64
// CUT: "1 units are made 64
// MISSED-COUNT-2: remark: {{.*}}L1 has no room for the blocks, nor for steps of them
// MISSED-NOT: remark
// ERROR: kept.mlir:{{.*}} error: [rule 8] with {{.*}} the circular buffers need {{.*}} use smaller blocks or a lower tt.num_stages

// RUN: not tt-opt --tt-stage-a --tt-stage-b --tt-step-wide-blocks=optimize=nothing %t/kept.mlir 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: optimize=nothing: expected none, all, or names of optimizations

// Norms of 8192 columns are right, where no cores are left to split their rows, in bf16 and in f32, and where they end amid a step.
// DEFINE: %{wide} = sed 's/2x64x256/2x32x8192/g; s/32x256/32x8192/g; s/\[32, 256\]/[32, 8192]/g; s/\[256, 1\]/[8192, 1]/g; s/1, 32, 256/1, 32, 8192/g; s/<256xbf16>/<8192xbf16>/g; s/<128xf32>/<64xf32>/g; s/in (2, 2)/in (2, 1)/; s/c64 = arith.constant 64/c64 = arith.constant 32/; s/0.00390625/0.0001220703125/g'
// RUN: %{wide} %S/../../../examples/layer_norm.mlir > %t.layer.mlir
// RUN: %if all %{ tt-run %t.layer.mlir --check | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t.layer.mlir --check --arch=blackhole | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t.layer.mlir --check --optimize=none | FileCheck %s --check-prefix=RIGHT %}
// DEFINE: %{columns} = sed 's/128x256/128x8224/g; s/32x256/32x8224/g; s/\[32, 256\]/[32, 8224]/g; s/\[256, 1\]/[8224, 1]/g'
// RUN: %{columns} %S/../../../examples/softmax.mlir > %t.softmax.mlir
// RUN: %if all %{ tt-run %t.softmax.mlir --check --optimize=none | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t.softmax.mlir --check --optimize=none --arch=blackhole | FileCheck %s --check-prefix=RIGHT %}
// RUN: sed 's/bf16/f32/g; s/0xFF80/0xFF800000/; s/%w = arith.extf %a : f32 to f32/%w = arith.maximumf %a, %a : f32/; s/%r = arith.truncf %q : f32 to f32/%r = arith.maximumf %q, %q : f32/' %t.softmax.mlir > %t.f32.mlir
// RUN: %if all %{ tt-run %t.f32.mlir --check | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if all %{ tt-run %t.f32.mlir --check --arch=blackhole | FileCheck %s --check-prefix=RIGHT %}
// RUN: tt-run %t/computed.mlir --check | FileCheck %s --check-prefix=RIGHT
// RUN: %if all %{ tt-run %t/computed.mlir --check --arch=blackhole | FileCheck %s --check-prefix=RIGHT %}
// RIGHT: {{.*}} ok

//--- wide.mlir
// A sum takes as many steps as there are, and what is left.
// CHECK-LABEL: func.func @rest
// CHECK: %[[WHOLE:.*]] = arith.constant 30208 : index
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[WHOLE]] step %{{.*}} {
// CHECK: %[[PART:.*]] = memref.subview %{{.*}}[0, %[[J]]] [32, 512] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[PART]] :
// CHECK: }
// CHECK: memref.subview %{{.*}}[0, 30208] [32, 40] [1, 1]
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @rest(%X: memref<64x30248xbf16>, %Y: memref<64xf32>) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (2) {
    %i = arith.muli %b, %c32 : index
    %x = memref.subview %X[%i, 0] [32, 30248] [1, 1] : memref<64x30248xbf16> to memref<32x30248xbf16, strided<[30248, 1], offset: ?>>
    %y = memref.subview %Y[%i] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    %s = memref.alloc() : memref<32xf32>
    linalg.fill ins(%zero : f32) outs(%s : memref<32xf32>)
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<32x30248xbf16, strided<[30248, 1], offset: ?>>) outs(%s : memref<32xf32>) {
      ^bb0(%a: bf16, %o: f32):
        %w = arith.extf %a : bf16 to f32
        %r = arith.addf %o, %w : f32
        linalg.yield %r : f32
    }
    memref.copy %s, %y : memref<32xf32> to memref<32xf32, strided<[1], offset: ?>>
  }
  return
}

// The columns of a product's factors are taken in steps as well: its sums stay.
// CHECK-LABEL: func.func @product
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %c16384
// CHECK: %[[A:.*]] = memref.subview %{{.*}}[0, %[[K]]] [32, 512] [1, 1]
// CHECK: %[[B:.*]] = memref.subview %{{.*}}[%[[K]], 0] [512, 32] [1, 1]
// CHECK: linalg.matmul ins(%[[A]], %[[B]] :
func.func @product(%A: memref<64x16384xbf16>, %B: memref<16384x64xbf16>, %C: memref<64x64xf32>) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%y, %x) in (2, 2) {
    %m = arith.muli %y, %c32 : index
    %n = arith.muli %x, %c32 : index
    %a = memref.subview %A[%m, 0] [32, 16384] [1, 1] : memref<64x16384xbf16> to memref<32x16384xbf16, strided<[16384, 1], offset: ?>>
    %b = memref.subview %B[0, %n] [16384, 32] [1, 1] : memref<16384x64xbf16> to memref<16384x32xbf16, strided<[64, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    %s = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%zero : f32) outs(%s : memref<32x32xf32>)
    linalg.matmul ins(%a, %b : memref<32x16384xbf16, strided<[16384, 1], offset: ?>>, memref<16384x32xbf16, strided<[64, 1], offset: ?>>)
                  outs(%s : memref<32x32xf32>)
    memref.copy %s, %c : memref<32x32xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// A block that is updated in place is updated step by step; its tensor is read where it stands.
// CHECK-LABEL: func.func @in_place
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c2048
// CHECK: %[[P:.*]] = memref.subview %{{.*}}[0, %[[J]]] [1024, {{[0-9]+}}]
// CHECK: linalg.generic {{.*}} outs(%[[P]] :
func.func @in_place(%X: memref<1024x2048xbf16>) attributes {tt.kernel} {
  %two = arith.constant 2.0 : bf16
  scf.forall (%y) in (1) {
    %x = memref.subview %X[0, 0] [1024, 2048] [1, 1] : memref<1024x2048xbf16> to memref<1024x2048xbf16, strided<[2048, 1], offset: 0>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        outs(%x : memref<1024x2048xbf16, strided<[2048, 1], offset: 0>>) {
      ^bb0(%o: bf16):
        %r = arith.mulf %o, %two : bf16
        linalg.yield %r : bf16
    }
  }
  return
}

// Small blocks stay.
// CHECK-LABEL: func.func @small
// CHECK-NOT: scf.for %{{.*}} step %c512
// CHECK: return
func.func @small(%X: memref<64x1024xbf16>, %Y: memref<64x1024xbf16>) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (2) {
    %i = arith.muli %b, %c32 : index
    %x = memref.subview %X[%i, 0] [32, 1024] [1, 1] : memref<64x1024xbf16> to memref<32x1024xbf16, strided<[1024, 1], offset: ?>>
    %y = memref.subview %Y[%i, 0] [32, 1024] [1, 1] : memref<64x1024xbf16> to memref<32x1024xbf16, strided<[1024, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x1024xbf16, strided<[1024, 1], offset: ?>>) outs(%y : memref<32x1024xbf16, strided<[1024, 1], offset: ?>>)
  }
  return
}

//--- computed.mlir
// A wide buffer that a copy fills is the tensor's block, and one that an op computes is computed by those that take it, of
// which a copy is one; the loop's index is the place in the whole.
// AGAIN-LABEL: func.func @computed_again
// AGAIN-NOT: 32x12288xbf16, #gpu
// AGAIN: scf.for
// AGAIN: linalg.generic {{.*}} ins(%{{.*}} : memref<32x512xbf16, strided<[12288, 1], offset: ?>>) outs(%{{.*}} : memref<32x512xbf16, strided<[12288, 1], offset: ?>>)
// AGAIN: linalg.index 1
// AGAIN: arith.addi
// AGAIN: math.exp
// AGAIN: scf.for
// AGAIN: linalg.generic {{.*}} ins(%{{.*}} : memref<32x512xbf16, strided<[12288, 1], offset: ?>>) outs(%{{.*}} : memref<32xf32>)
// AGAIN: linalg.index 1
// AGAIN: arith.addi
// AGAIN: math.exp
// AGAIN: arith.addf
func.func @computed_again(%X: memref<64x12288xbf16>, %E: memref<64x12288xbf16>, %Y: memref<64xf32>) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (2) {
    %i = arith.muli %b, %c32 : index
    %from = memref.subview %X[%i, 0] [32, 12288] [1, 1] : memref<64x12288xbf16> to memref<32x12288xbf16, strided<[12288, 1], offset: ?>>
    %to = memref.subview %E[%i, 0] [32, 12288] [1, 1] : memref<64x12288xbf16> to memref<32x12288xbf16, strided<[12288, 1], offset: ?>>
    %y = memref.subview %Y[%i] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    %x = memref.alloc() : memref<32x12288xbf16, #gpu.address_space<workgroup>>
    %e = memref.alloc() : memref<32x12288xbf16, #gpu.address_space<workgroup>>
    %s = memref.alloc() : memref<32xf32>
    memref.copy %from, %x : memref<32x12288xbf16, strided<[12288, 1], offset: ?>> to memref<32x12288xbf16, #gpu.address_space<workgroup>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<32x12288xbf16, #gpu.address_space<workgroup>>) outs(%e : memref<32x12288xbf16, #gpu.address_space<workgroup>>) {
      ^bb0(%a: bf16, %o: bf16):
        %first = arith.constant 9000 : index
        %none = arith.constant 0.0 : bf16
        %j = linalg.index 1 : index
        %before = arith.cmpi ult, %j, %first : index
        %f = math.exp %a : bf16
        %r = arith.select %before, %f, %none : bf16
        linalg.yield %r : bf16
    }
    memref.copy %e, %to : memref<32x12288xbf16, #gpu.address_space<workgroup>> to memref<32x12288xbf16, strided<[12288, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%s : memref<32xf32>)
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%e : memref<32x12288xbf16, #gpu.address_space<workgroup>>) outs(%s : memref<32xf32>) {
      ^bb0(%a: bf16, %o: f32):
        %w = arith.extf %a : bf16 to f32
        %r = arith.addf %o, %w : f32
        linalg.yield %r : f32
    }
    memref.copy %s, %y : memref<32xf32> to memref<32xf32, strided<[1], offset: ?>>
  }
  return
}

//--- kept.mlir
// Sums of a product that are more than L1 holds.
// KEPT-LABEL: func.func @sums
// KEPT: linalg.matmul {{.*}} outs(%{{.*}} : memref<1024x1024xf32>)
func.func @sums(%A: memref<1024x32xbf16>, %B: memref<32x1024xbf16>, %C: memref<1024x1024xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%y) in (1) {
    %s = memref.alloc() : memref<1024x1024xf32>
    linalg.fill ins(%zero : f32) outs(%s : memref<1024x1024xf32>)
    linalg.matmul ins(%A, %B : memref<1024x32xbf16>, memref<32x1024xbf16>) outs(%s : memref<1024x1024xf32>)
    memref.copy %s, %C : memref<1024x1024xf32> to memref<1024x1024xf32>
  }
  return
}

// A block that was copied before the kernel writes to its tensor is no block of the tensor any more.
// KEPT-LABEL: func.func @written
// KEPT: memref.copy
// KEPT: linalg.generic {{.*}} ins(%{{.*}} : memref<1024x1024xbf16>)
func.func @written(%X: memref<1024x1024xbf16>, %Y: memref<1024x1024xbf16>) attributes {tt.kernel} {
  scf.forall (%y) in (1) {
    %x = memref.alloc() : memref<1024x1024xbf16>
    memref.copy %X, %x : memref<1024x1024xbf16> to memref<1024x1024xbf16>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<1024x1024xbf16>) outs(%X : memref<1024x1024xbf16>) {
      ^bb0(%a: bf16, %o: bf16):
        %r = math.exp %a : bf16
        linalg.yield %r : bf16
    }
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<1024x1024xbf16>) outs(%Y : memref<1024x1024xbf16>) {
      ^bb0(%a: bf16, %o: bf16):
        %r = math.sqrt %a : bf16
        linalg.yield %r : bf16
    }
  }
  return
}
