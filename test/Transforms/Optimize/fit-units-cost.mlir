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
