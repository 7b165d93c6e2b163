// What outputs hold counts: reductions onto outputs that nothing fills, a grid that begins and ends inside of its tensor, of which
// the rest keeps its values, a copy of integers of 16 bits, and a mask by an index argument.
// RUN: python3 %S/Inputs/halfwords.py %t.npy
// RUN: tt-run %s --check --input n=37 --input H=%t.npy | FileCheck %s
// RUN: %if all %{ tt-run %s --check --input n=96 --input H=%t.npy --arch=blackhole --optimize=none --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --input n=0 --metalium-api=2026-03 | FileCheck %s %}
// CHECK: S: {{.*}}: ok
// CHECK-NEXT: M: max abs error 0,{{.*}}: ok
// CHECK-NEXT: N: equal: ok
// CHECK-NEXT: C: equal: ok
// CHECK-NEXT: L: max abs error 0,{{.*}}: ok
// CHECK: D: {{.*}}: ok
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @onto_outputs(%X: memref<64x96xf32> {tt.name = "X"}, %Z: memref<64x96xi32>, %H: memref<64x96xi16>,
                %S: memref<64xf32> {tt.name = "S"}, %M: memref<64xf32> {tt.name = "M"}, %N: memref<64xi32> {tt.name = "N"},
                %C: memref<64x96xi16> {tt.name = "C"}, %L: memref<64x96xf32> {tt.name = "L"}, %n: index {tt.name = "n", tt.range = [0, 96]}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%X : memref<64x96xf32>) outs(%S : memref<64xf32>) {
    ^bb0(%x: f32, %o: f32):
      %r = arith.addf %x, %o : f32
      linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%X : memref<64x96xf32>) outs(%M : memref<64xf32>) {
    ^bb0(%x: f32, %o: f32):
      %r = arith.maximumf %x, %o : f32
      linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%Z : memref<64x96xi32>) outs(%N : memref<64xi32>) {
    ^bb0(%x: i32, %o: i32):
      %r = arith.addi %x, %o : i32
      linalg.yield %r : i32
  }
  %b = memref.alloc() : memref<64x96xi16>
  memref.copy %H, %b : memref<64x96xi16> to memref<64x96xi16>
  memref.copy %b, %C : memref<64x96xi16> to memref<64x96xi16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%X : memref<64x96xf32>) outs(%L : memref<64x96xf32>) {
    ^bb0(%x: f32, %o: f32):
      %j = linalg.index 1 : index
      %in = arith.cmpi ult, %j, %n : index
      %r = arith.select %in, %x, %zero : f32
      linalg.yield %r : f32
  }
  return
}

func.func @middle(%A: memref<128x64xf32> {tt.name = "A"}, %C: memref<128x64xf32> {tt.name = "D"}) attributes {tt.kernel} {
  scf.forall (%i, %j) = (32, 32) to (96, 64) step (32, 32) {
    %a = memref.subview %A[%i, %j] [32, 32] [1, 1] : memref<128x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    %c = memref.subview %C[%i, %j] [32, 32] [1, 1] : memref<128x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x32xf32, strided<[64, 1], offset: ?>>) outs(%c : memref<32x32xf32, strided<[64, 1], offset: ?>>)
  }
  return
}

func.func @both(%X: memref<64x96xf32> {tt.name = "X"}, %Z: memref<64x96xi32> {tt.name = "Z"}, %H: memref<64x96xi16> {tt.name = "H"},
                %S: memref<64xf32> {tt.name = "S"}, %M: memref<64xf32> {tt.name = "M"}, %N: memref<64xi32> {tt.name = "N"},
                %C: memref<64x96xi16> {tt.name = "C"}, %L: memref<64x96xf32> {tt.name = "L"},
                %A: memref<128x64xf32> {tt.name = "A"}, %D: memref<128x64xf32> {tt.name = "D"},
                %n: index {tt.name = "n", tt.range = [0, 96]}) attributes {tt.host} {
  func.call @onto_outputs(%X, %Z, %H, %S, %M, %N, %C, %L, %n) : (memref<64x96xf32>, memref<64x96xi32>, memref<64x96xi16>, memref<64xf32>, memref<64xf32>, memref<64xi32>, memref<64x96xi16>, memref<64x96xf32>, index) -> ()
  func.call @middle(%A, %D) : (memref<128x64xf32>, memref<128x64xf32>) -> ()
  return
}
