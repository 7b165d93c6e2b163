// RUN: split-file %s %t && cd %t
// RUN: tt-run embed.mlir --check
// RUN: %if all %{ tt-run embed.mlir --check --arch=blackhole --metalium-api=2025 --optimize=none %}
// RUN: %if all %{ tt-run rows.mlir --check --metalium-api=2026-03 %}
// RUN: %if all %{ tt-run wide.mlir --check %}
// RUN: %if all %{ tt-run host.mlir --check %}
// RUN: tt-opt --tt-pipeline wide.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=WIDE
// RUN: sed 's/memref.copy %A.*/linalg.add ins(%A, %A : memref<40x64xi64>, memref<40x64xi64>) outs(%C : memref<40x64xi64>)/' copy.mlir > sum.mlir
// RUN: tt-opt --tt-pipeline sum.mlir 2>/dev/null | tt-translate --emit-metalium | FileCheck %s --check-prefix=SUM
// RUN: python3 %S/Inputs/large_integers.py 1073741823 fits.npy && python3 %S/Inputs/large_integers.py 1073741824 large.npy
// RUN: python3 %S/Inputs/large_integers.py 4294967296 wide.npy
// RUN: tt-run sum.mlir --check --input A=fits.npy
// RUN: not tt-run sum.mlir --input A=large.npy 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not tt-run sum.mlir --input A=wide.npy 2>&1 | FileCheck %s --check-prefix=LONG
// LARGE: warning: tensor 'A' is taken to hold nothing below -1073741824 and above 1073741823
// LARGE: error: --input A: holds 1073741824, but its tt.range is -1073741824 to 1073741823
// LONG: error: wide.npy: holds an integer of more than the 32 bits that the device has
// RUN: %if all %{ tt-run copy.mlir --check --arch=blackhole %}
// RUN: %if all %{ tt-run scatter.mlir --check --arch=blackhole --metalium-api=2025 %}
// RUN: tt-opt embed.mlir --tt-raise-gathers | FileCheck %s

// A loop over 16 or 32 indices stays in one tile of them, which is fetched once.
// RUN: tt-opt --tt-pipeline embed.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=ONCE
// RUN: tt-opt --tt-pipeline rows.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=ONCE
// ONCE: cb_wait_front(cb_load_I, 1);
// ONCE-NEXT: cb_load_I_read_ptr = get_read_ptr(cb_load_I);
// ONCE-NEXT: for (uint32_t
// ONCE-NOT: cb_load_I,
// ONCE: load_integer<uint32_t>(cb_load_I_read_ptr
// ONCE: }
// ONCE: cb_pop_front(cb_load_I, 1);

// Rows that a list of indices names: an embedding as TOSA's gather leaves it, and row by row.
// CHECK: scf.for %[[N:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c16
// CHECK: %[[ID:.*]] = memref.load %{{.*}}[%[[N]], %[[I]]]
// CHECK: %[[R:.*]] = arith.index_cast %[[ID]]
// CHECK: memref.subview %{{.*}}[%[[R]], %{{.*}}] [1, 64] [1, 1] : memref<100x64xf32> to memref<64xf32, strided<[1], offset: ?>>
// CHECK: memref.copy
// CHECK-NOT: linalg.generic

// Integers of 64 bits have 32 on the device: what does not fit is refused by the host program.
// WIDE: std::vector<uint32_t> narrow_integers(const std::vector<int64_t>& from, int64_t least, int64_t most) {
// WIDE: resize(narrow_integers(read_file<int64_t>(argv[2], 2 * 32), {{0, 99|-2147483648, 2147483647}}), 1, 2, 32, 32, 32)
// SUM: narrow_integers(read_file<int64_t>(argv[1], 40 * 64), -1073741824, 1073741823)

//--- embed.mlir
func.func @embed(%A: memref<100x64xf32> {tt.name = "A"}, %I: memref<2x32xi32> {tt.name = "I", tt.range = [0, 99]}, %C: memref<2x32x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  scf.forall (%n, %h) in (2, 2) {
    %at = affine.apply affine_map<(d0) -> (d0 * 16)>(%h)
    %ids = memref.subview %I[%n, %at] [1, 16] [1, 1] : memref<2x32xi32> to memref<1x16xi32, strided<[32, 1], offset: ?>>
    %out = memref.subview %C[%n, %at, 0] [1, 16, 64] [1, 1, 1] : memref<2x32x64xf32> to memref<1x16x64xf32, strided<[2048, 64, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (n, i)>, affine_map<(n, i, j) -> (n, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%ids : memref<1x16xi32, strided<[32, 1], offset: ?>>) outs(%out : memref<1x16x64xf32, strided<[2048, 64, 1], offset: ?>>) {
      ^bb0(%id: i32, %old: f32):
        %r = arith.index_cast %id : i32 to index
        %j = linalg.index 2 : index
        %x = memref.load %A[%r, %j] : memref<100x64xf32>
        linalg.yield %x : f32
    }
  }
  return
}
//--- rows.mlir
func.func @rows(%A: memref<100x64xf32> {tt.name = "A"}, %I: memref<64xi32> {tt.name = "I", tt.range = [0, 99]}, %C: memref<64x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    scf.for %i = %c0 to %c32 step %c1 {
      %at = arith.addi %m, %i : index
      %v = memref.load %I[%at] : memref<64xi32>
      %r = arith.index_cast %v : i32 to index
      %a = memref.subview %A[%r, 0] [1, 64] [1, 1] : memref<100x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
      %c = memref.subview %C[%at, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
      memref.copy %a, %c : memref<1x64xf32, strided<[64, 1], offset: ?>> to memref<1x64xf32, strided<[64, 1], offset: ?>>
    }
  }
  return
}
//--- wide.mlir
func.func @embed(%A: memref<100x64xf32> {tt.name = "A"}, %I: memref<2x32xi64> {tt.name = "I", tt.range = [0, 99]}, %C: memref<2x32x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  scf.forall (%n, %h) in (2, 2) {
    %at = affine.apply affine_map<(d0) -> (d0 * 16)>(%h)
    %ids = memref.subview %I[%n, %at] [1, 16] [1, 1] : memref<2x32xi64> to memref<1x16xi64, strided<[32, 1], offset: ?>>
    %out = memref.subview %C[%n, %at, 0] [1, 16, 64] [1, 1, 1] : memref<2x32x64xf32> to memref<1x16x64xf32, strided<[2048, 64, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (n, i)>, affine_map<(n, i, j) -> (n, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%ids : memref<1x16xi64, strided<[32, 1], offset: ?>>) outs(%out : memref<1x16x64xf32, strided<[2048, 64, 1], offset: ?>>) {
      ^bb0(%id: i64, %old: f32):
        %r = arith.index_cast %id : i64 to index
        %j = linalg.index 2 : index
        %x = memref.load %A[%r, %j] : memref<100x64xf32>
        linalg.yield %x : f32
    }
  }
  return
}
//--- copy.mlir
func.func @sum(%A: memref<40x64xi64> {tt.name = "A"}, %C: memref<40x64xi64> {tt.name = "C"}) attributes {tt.kernel} {
  memref.copy %A, %C : memref<40x64xi64> to memref<40x64xi64>
  return
}
//--- host.mlir
// A host function whose kernel says what the list holds.
func.func @rows(%A: memref<100x64xf32> {tt.name = "A"}, %I: memref<4xi32> {tt.name = "I", tt.range = [40, 99]}, %C: memref<4x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%I : memref<4xi32>) outs(%C : memref<4x64xf32>) {
    ^bb0(%id: i32, %old: f32):
      %r = arith.index_cast %id : i32 to index
      %j = linalg.index 1 : index
      %x = memref.load %A[%r, %j] : memref<100x64xf32>
      linalg.yield %x : f32
  }
  return
}
func.func @embed(%A: memref<100x64xf32> {tt.name = "A"}, %I: memref<4xi32> {tt.name = "ids"}) -> memref<4x64xf32> attributes {tt.host} {
  %c = memref.alloc() : memref<4x64xf32>
  func.call @rows(%A, %I, %c) : (memref<100x64xf32>, memref<4xi32>, memref<4x64xf32>) -> ()
  return %c : memref<4x64xf32>
}

// Rows go where a list says, each times a number of its own.
//--- scatter.mlir
func.func @scatter(%X: memref<16x64xf32>, %T: memref<16xi32> {tt.range = [0, 31]}, %G: memref<16xf32>, %Y: memref<32x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.for %i = 0 to 16 {
    %t = affine.load %T[%i] : memref<16xi32>
    %at = arith.index_cast %t : i32 to index
    %g = affine.load %G[%i] : memref<16xf32>
    affine.for %j = 0 to 64 {
      %x = affine.load %X[%i, %j] : memref<16x64xf32>
      %y = arith.mulf %x, %g : f32
      memref.store %y, %Y[%at, %j] : memref<32x64xf32>
    }
  }
  return
}
