// RUN: split-file %s %t
// RUN: tt-opt --tt-pipeline=optimize=fit-units %t/lines.mlir --remarks-filter=tt-fit-units -o %t.out 2>&1 | FileCheck %s --check-prefix=LINES
// RUN: tt-opt --tt-pipeline=optimize=fit-units %t/rounds.mlir --remarks-filter=tt-fit-units -o %t.out 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: tt-opt --tt-pipeline=optimize=fit-units %t/room.mlir --remarks-filter=tt-fit-units -o %t.out 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: tt-opt --tt-pipeline=optimize=fit-units %t/good.mlir --remarks-filter=tt-fit-units -o %t.out 2>&1 | FileCheck %s --check-prefix=GOOD --allow-empty
// RUN: %if all %{ tt-run --check --math=fast %t/rounds.mlir 2>&1 | FileCheck %s %}
// CHECK: C: max abs error {{.*}}: ok

// What cores read counts: blocks of 5 x 5 tiles have more to compute than two of 3 x 3, but 7 x 7 of them are lines of cores.
// LINES: 121 units are made 49: clk of a step of all of them are about

// Where blocks of one unit a core do not fit, cores have as many, one after the other, that cores which read the same are lines.
// ROUNDS: 688 units are made 256: clk of a step of all of them are about

// 16 x 8 tiles a core would fit, without room for steps that the packer can add.
// ROOM: 512 units are made 128: clk of a step of all of them are about

// Units that are lines of cores stay.
// GOOD-NOT: units are made

// RUN: tt-run --check --math=fast %t/bias.mlir 2>&1 | FileCheck %s --check-prefix=BIAS
// RUN: tt-opt --tt-pipeline=optimize=fit-units %t/slots.mlir | FileCheck %s --check-prefix=SLOTS
// A tile of zeros, which all elements of a broadcast are added to, stays one tile.
// BIAS: between0: max abs error {{.*}}: ok
// Results of two tiles cannot grow where the ops behind the product name the third tile of DST.
// SLOTS: tt.program @slots

//--- lines.mlir
func.func @product(%A: memref<1056x256xbf16> {tt.name = "A"}, %B: memref<256x1056xbf16> {tt.name = "B", tt.layout = {dtype = "bf16"}},
                   %C: memref<1056x1056xbf16> {tt.name = "C"}) attributes {tt.kernel, tt.math_fidelity = "HiFi4"} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %bm = arith.constant 96 : index
  %bn = arith.constant 96 : index
  %size = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (11, 11) {
    %m = arith.muli %by, %bm : index
    %n = arith.muli %bx, %bn : index
    %sum = memref.alloc() : memref<96x96xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<96x96xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %size step %step {
      %a = memref.subview %A[%m, %k] [96, 32] [1, 1] : memref<1056x256xbf16> to memref<96x32xbf16, strided<[256, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 96] [1, 1] : memref<256x1056xbf16> to memref<32x96xbf16, strided<[1056, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<96x32xbf16, strided<[256, 1], offset: ?>>, memref<32x96xbf16, strided<[1056, 1], offset: ?>>) outs(%sum : memref<96x96xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [96, 96] [1, 1] : memref<1056x1056xbf16> to memref<96x96xbf16, strided<[1056, 1], offset: ?>>
    linalg.copy ins(%sum : memref<96x96xf32, #gpu.address_space<private>>) outs(%c : memref<96x96xbf16, strided<[1056, 1], offset: ?>>)
  }
  return
}
//--- rounds.mlir
func.func @product(%A: memref<2048x128xbf16> {tt.name = "A"}, %B: memref<128x11008xbf16> {tt.name = "B", tt.layout = {dtype = "bf16"}},
                   %C: memref<2048x11008xbf16> {tt.name = "C"}) attributes {tt.kernel, tt.math_fidelity = "HiFi4"} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %bm = arith.constant 256 : index
  %bn = arith.constant 128 : index
  %size = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (8, 86) {
    %m = arith.muli %by, %bm : index
    %n = arith.muli %bx, %bn : index
    %sum = memref.alloc() : memref<256x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<256x128xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %size step %step {
      %a = memref.subview %A[%m, %k] [256, 32] [1, 1] : memref<2048x128xbf16> to memref<256x32xbf16, strided<[128, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 128] [1, 1] : memref<128x11008xbf16> to memref<32x128xbf16, strided<[11008, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<256x32xbf16, strided<[128, 1], offset: ?>>, memref<32x128xbf16, strided<[11008, 1], offset: ?>>) outs(%sum : memref<256x128xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [256, 128] [1, 1] : memref<2048x11008xbf16> to memref<256x128xbf16, strided<[11008, 1], offset: ?>>
    linalg.copy ins(%sum : memref<256x128xf32, #gpu.address_space<private>>) outs(%c : memref<256x128xbf16, strided<[11008, 1], offset: ?>>)
  }
  return
}
//--- room.mlir
func.func @product(%A: memref<4096x1024xbf16> {tt.name = "A"}, %B: memref<1024x2048xbf16> {tt.name = "B", tt.layout = {dtype = "bf16"}},
                   %C: memref<4096x2048xbf16> {tt.name = "C"}) attributes {tt.kernel, tt.math_fidelity = "HiFi4"} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %bm = arith.constant 128 : index
  %bn = arith.constant 128 : index
  %size = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (32, 16) {
    %m = arith.muli %by, %bm : index
    %n = arith.muli %bx, %bn : index
    %sum = memref.alloc() : memref<128x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %size step %step {
      %a = memref.subview %A[%m, %k] [128, 32] [1, 1] : memref<4096x1024xbf16> to memref<128x32xbf16, strided<[1024, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 128] [1, 1] : memref<1024x2048xbf16> to memref<32x128xbf16, strided<[2048, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<128x32xbf16, strided<[1024, 1], offset: ?>>, memref<32x128xbf16, strided<[2048, 1], offset: ?>>) outs(%sum : memref<128x128xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1] : memref<4096x2048xbf16> to memref<128x128xbf16, strided<[2048, 1], offset: ?>>
    linalg.copy ins(%sum : memref<128x128xf32, #gpu.address_space<private>>) outs(%c : memref<128x128xbf16, strided<[2048, 1], offset: ?>>)
  }
  return
}
//--- good.mlir
func.func @product(%A: memref<2048x512xbf16> {tt.name = "A"}, %B: memref<512x1024xbf16> {tt.name = "B", tt.layout = {dtype = "bf16"}},
                   %C: memref<2048x1024xbf16> {tt.name = "C"}) attributes {tt.kernel, tt.math_fidelity = "HiFi4"} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %bm = arith.constant 256 : index
  %bn = arith.constant 128 : index
  %size = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (8, 8) {
    %m = arith.muli %by, %bm : index
    %n = arith.muli %bx, %bn : index
    %sum = memref.alloc() : memref<256x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<256x128xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %size step %step {
      %a = memref.subview %A[%m, %k] [256, 32] [1, 1] : memref<2048x512xbf16> to memref<256x32xbf16, strided<[512, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 128] [1, 1] : memref<512x1024xbf16> to memref<32x128xbf16, strided<[1024, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<256x32xbf16, strided<[512, 1], offset: ?>>, memref<32x128xbf16, strided<[1024, 1], offset: ?>>) outs(%sum : memref<256x128xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [256, 128] [1, 1] : memref<2048x1024xbf16> to memref<256x128xbf16, strided<[1024, 1], offset: ?>>
    linalg.copy ins(%sum : memref<256x128xf32, #gpu.address_space<private>>) outs(%c : memref<256x128xbf16, strided<[1024, 1], offset: ?>>)
  }
  return
}
//--- bias.mlir
#map = affine_map<(d0) -> (d0 * 64)>
#map1 = affine_map<(d0) -> (d0 * 32)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
func.func @bias(%arg0: memref<128x256xbf16>, %arg1: memref<256x512xbf16>, %arg2: memref<512xf32>, %arg3: memref<128x512xbf16> {tt.name = "between0"}) attributes {tt.kernel} {
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c0 = arith.constant 0 : index
  %cst = arith.constant 3.400000e+38 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  scf.forall (%arg4, %arg5) in (2, 16) {
    %0 = affine.apply #map(%arg4)
    %1 = affine.apply #map1(%arg5)
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<64x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc : memref<64x32xf32>)
    scf.for %arg6 = %c0 to %c256 step %c128 {
      %subview_2 = memref.subview %arg0[%0, %arg6] [64, 128] [1, 1] : memref<128x256xbf16> to memref<64x128xbf16, strided<[256, 1], offset: ?>>
      %subview_3 = memref.subview %arg1[%arg6, %1] [128, 32] [1, 1] : memref<256x512xbf16> to memref<128x32xbf16, strided<[512, 1], offset: ?>>
      linalg.contract indexing_maps = [#map2, #map3, #map4] ins(%subview_2, %subview_3 : memref<64x128xbf16, strided<[256, 1], offset: ?>>, memref<128x32xbf16, strided<[512, 1], offset: ?>>) outs(%alloc : memref<64x32xf32>)
    }
    %subview = memref.subview %arg2[%1] [32] [1] : memref<512xf32> to memref<32xf32, strided<[1], offset: ?>>
    %subview_1 = memref.subview %arg3[%0, %1] [64, 32] [1, 1] : memref<128x512xbf16> to memref<64x32xbf16, strided<[512, 1], offset: ?>>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc, %subview : memref<64x32xf32>, memref<32xf32, strided<[1], offset: ?>>) outs(%subview_1 : memref<64x32xbf16, strided<[512, 1], offset: ?>>) {
    ^bb0(%in: f32, %in_2: f32, %out: bf16):
      %2 = arith.addf %in, %in_2 : f32
      %3 = arith.minimumf %2, %cst : f32
      %4 = arith.maximumf %3, %cst_0 : f32
      %5 = arith.truncf %4 : f32 to bf16
      linalg.yield %5 : bf16
    }
  }
  return
}

//--- slots.mlir
#map = affine_map<(d0) -> (d0 * 32)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map8 = affine_map<(d0) -> (d0 * 64)>
func.func @slots(%arg0: memref<1024x256xbf16> {tt.name = "w_up"}, %arg1: memref<1024xf32> {tt.name = "b_up"}, %arg2: memref<128x256xbf16> {tt.name = "between0"}, %arg3: memref<128x1024xbf16> {tt.name = "between5"}) attributes {tt.kernel} {
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c0 = arith.constant 0 : index
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0.707106829 : f32
  %cst_2 = arith.constant 5.000000e-01 : f32
  scf.forall (%arg4, %arg5) in (2, 32) {
    %0 = affine.apply #map8(%arg4)
    %1 = affine.apply #map(%arg5)
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<64x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc : memref<64x32xf32>)
    scf.for %arg6 = %c0 to %c256 step %c128 {
      %subview_5 = memref.subview %arg2[%0, %arg6] [64, 128] [1, 1] : memref<128x256xbf16> to memref<64x128xbf16, strided<[256, 1], offset: ?>>
      %subview_6 = memref.subview %arg0[%1, %arg6] [32, 128] [1, 1] : memref<1024x256xbf16> to memref<32x128xbf16, strided<[256, 1], offset: ?>>
      linalg.contract indexing_maps = [#map5, #map6, #map7] ins(%subview_5, %subview_6 : memref<64x128xbf16, strided<[256, 1], offset: ?>>, memref<32x128xbf16, strided<[256, 1], offset: ?>>) outs(%alloc : memref<64x32xf32>)
    }
    %subview = memref.subview %arg1[%1] [32] [1] : memref<1024xf32> to memref<32xf32, strided<[1], offset: ?>>
    %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<64x32xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc, %subview : memref<64x32xf32>, memref<32xf32, strided<[1], offset: ?>>) outs(%alloc_3 : memref<64x32xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %2 = arith.addf %in, %in_5 : f32
      linalg.yield %2 : f32
    }
    %subview_4 = memref.subview %arg3[%0, %1] [64, 32] [1, 1] : memref<128x1024xbf16> to memref<64x32xbf16, strided<[1024, 1], offset: ?>>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_3, %alloc_3 : memref<64x32xf32>, memref<64x32xf32>) outs(%subview_4 : memref<64x32xbf16, strided<[1024, 1], offset: ?>>) {
    ^bb0(%in: f32, %in_5: f32, %out: bf16):
      %2 = arith.mulf %in_5, %cst_1 : f32
      %3 = math.erf %2 : f32
      %4 = arith.addf %3, %cst : f32
      %5 = arith.mulf %in, %4 : f32
      %6 = arith.mulf %5, %cst_2 : f32
      %7 = arith.truncf %6 : f32 to bf16
      linalg.yield %7 : bf16
    }
  }
  return
}
