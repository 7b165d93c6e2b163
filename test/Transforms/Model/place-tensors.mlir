// RUN: tt-opt --tt-place-tensors --remarks-filter=tt-place-tensors %s -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.mlir && FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-infer-layout=grid=2x2 --tt-place-tensors --remarks-filter=tt-place-tensors %s -o %t.small.mlir 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: tt-opt --tt-infer-layout=arch=blackhole --tt-place-tensors %s | FileCheck %s --check-prefix=BLACKHOLE

func.func @map(%x: memref<256x512xbf16>, %y: memref<256x512xbf16>) attributes {tt.kernel} {
  scf.forall (%i, %j) in (8, 8) {
    %r = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %c = affine.apply affine_map<(d0) -> (d0 * 64)>(%j)
    %a = memref.subview %x[%r, %c] [32, 64] [1, 1] : memref<256x512xbf16> to memref<32x64xbf16, strided<[512, 1], offset: ?>>
    %b = memref.subview %y[%r, %c] [32, 64] [1, 1] : memref<256x512xbf16> to memref<32x64xbf16, strided<[512, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x64xbf16, strided<[512, 1], offset: ?>>) outs(%b : memref<32x64xbf16, strided<[512, 1], offset: ?>>)
  }
  return
}

// Holds two blocks of each of two tensors of 524,288 bytes, and kernels and tensors may take 1,046,568 of Wormhole's L1.
// CHECK-LABEL: func.func @large(
// CHECK-NOT: tt.l1_beside
func.func @large(%x: memref<256x1024xbf16>, %y: memref<256x1024xbf16>) attributes {tt.kernel} {
  linalg.exp ins(%x : memref<256x1024xbf16>) outs(%y : memref<256x1024xbf16>)
  return
}

// Runs while %a lies in L1, and does not take it: 4,096 bytes of each core.
// CHECK-LABEL: func.func @other(
// CHECK-SAME: tt.l1_beside = 4096 : i64
func.func @other(%x: memref<64x64xbf16>, %y: memref<64x64xbf16>) attributes {tt.kernel} {
  linalg.exp ins(%x : memref<64x64xbf16>) outs(%y : memref<64x64xbf16>)
  return
}

func.func @heads(%x: memref<8x256x64xf32>, %y: memref<8x256x64xf32>) attributes {tt.kernel} {
  scf.forall (%i, %j) in (8, 8) {
    %r = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %a = memref.subview %x[%i, %r, 0] [1, 32, 64] [1, 1, 1] : memref<8x256x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %b = memref.subview %y[%i, %r, 0] [1, 32, 64] [1, 1, 1] : memref<8x256x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x64xf32, strided<[64, 1], offset: ?>>) outs(%b : memref<32x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}

// A tensor between kernels lies in L1, a shard on each core, from its first use to its last one; the next one, too.
// CHECK-LABEL: func.func @chain(
// CHECK: %[[A:.*]] = memref.alloc() {tt.layout = {layout = "sharded", memory = "L1", nd_shard = {axes = ["M", "N"], grid = [8, 8], order = "row_major", shard_shape_elems = [32, 64]}}}
// CHECK-NEXT: call @map(%{{.*}}, %[[A]])
// CHECK-NEXT: call @other(
// CHECK-NEXT: %[[B:.*]] = memref.alloc() {tt.layout = {{.*}}memory = "L1"
// CHECK-NEXT: call @map(%[[A]], %[[B]])
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: call @map(%[[B]], %{{.*}})
// CHECK-NEXT: memref.dealloc %[[B]]
// WHY: lies in L1, in 8 x 8 shards: kernels move it in 273 clk there, in 1986 in DRAM
// Four cores are slower than twelve banks.
// SMALL: stays in DRAM: ports of the cores that it would be on are hardly faster than the banks
// SMALL-NOT: lies in L1
// BLACKHOLE-LABEL: func.func @chain(
// BLACKHOLE: grid = [8, 8]{{.*}}shard_shape_elems = [32, 64]
func.func @chain(%x: memref<256x512xbf16>, %y: memref<256x512xbf16>, %s: memref<64x64xbf16>, %t: memref<64x64xbf16>) attributes {tt.host} {
  %a = memref.alloc() : memref<256x512xbf16>
  %b = memref.alloc() : memref<256x512xbf16>
  call @map(%x, %a) : (memref<256x512xbf16>, memref<256x512xbf16>) -> ()
  call @other(%s, %t) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  call @map(%a, %b) : (memref<256x512xbf16>, memref<256x512xbf16>) -> ()
  call @map(%b, %y) : (memref<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}

// What a kernel holds leaves no room.
// CHECK-LABEL: func.func @full(
// CHECK: memref.alloc() : memref<256x1024xbf16>
// CHECK-NOT: memref.dealloc
// WHY: stays in DRAM: L1 has no room beside what kernels hold
func.func @full(%x: memref<256x1024xbf16>, %y: memref<256x1024xbf16>) attributes {tt.host} {
  %a = memref.alloc() : memref<256x1024xbf16>
  call @large(%x, %a) : (memref<256x1024xbf16>, memref<256x1024xbf16>) -> ()
  call @large(%a, %y) : (memref<256x1024xbf16>, memref<256x1024xbf16>) -> ()
  return
}

// Matrices one below the other, each in shards of its own rows, which go on in the next row of cores.
// CHECK-LABEL: func.func @batch(
// CHECK: axes = ["D0", "M", "N"], grid = [8, 8, 1], {{.*}}shard_shape_elems = [1, 32, 64]
func.func @batch(%x: memref<8x256x64xf32>, %y: memref<8x256x64xf32>) attributes {tt.host} {
  %a = memref.alloc() : memref<8x256x64xf32>
  call @heads(%x, %a) : (memref<8x256x64xf32>, memref<8x256x64xf32>) -> ()
  call @heads(%a, %y) : (memref<8x256x64xf32>, memref<8x256x64xf32>) -> ()
  return
}

// A layout that is there stays.
// CHECK-LABEL: func.func @given(
// CHECK: memref.alloc() {tt.layout = {memory = "DRAM"}} : memref<64x64xbf16>
// CHECK-NOT: memref.dealloc
func.func @given(%x: memref<64x64xbf16>, %y: memref<64x64xbf16>) attributes {tt.host} {
  %a = memref.alloc() {tt.layout = {memory = "DRAM"}} : memref<64x64xbf16>
  call @other(%x, %a) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  call @other(%a, %y) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  return
}
