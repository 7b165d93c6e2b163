// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2026-03 | FileCheck %s %}

// Integers of tensors: exact, whatever their size; casts between them and floats; bytes with
// and without a sign; a kernel-wide value that is updated.
// CHECK: Z: equal: ok
// CHECK: F: max abs error 0, {{.*}}: ok
// CHECK: G: max abs error 0, {{.*}}: ok
// CHECK: U: equal: ok
// CHECK: N: equal: ok
#id = affine_map<(i, j) -> (i, j)>
func.func @integers(%X: memref<64x96xi32> {tt.name = "X"}, %Y: memref<64x96xi32> {tt.name = "Y"},
                    %W: memref<64x96xi8> {tt.name = "W"}, %Z: memref<64x96xi32> {tt.name = "Z"},
                    %F: memref<64x96xf32> {tt.name = "F"}, %G: memref<64x96xbf16> {tt.name = "G"},
                    %U: memref<64x96xi8> {tt.name = "U"}, %N: memref<64x96xi32> {tt.name = "N"})
    attributes {tt.kernel} {
  %large = arith.constant 70000001 : i32
  %seven = arith.constant 7 : i32
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X, %Y, %W : memref<64x96xi32>, memref<64x96xi32>, memref<64x96xi8>)
      outs(%Z, %F, %G : memref<64x96xi32>, memref<64x96xf32>, memref<64x96xbf16>) {
    ^bb0(%x: i32, %y: i32, %w: i8, %o: i32, %p: f32, %q: bf16):
      %m = arith.muli %x, %large : i32
      %a = arith.subi %m, %y : i32
      %greater = arith.cmpi sgt, %x, %y : i32
      %not_greater = arith.cmpi sle, %x, %y : i32
      %n = arith.maxsi %x, %y : i32
      %r = arith.select %greater, %a, %n : i32
      %f = arith.sitofp %x : i32 to f32
      %g = arith.uitofp %w : i8 to f32
      %h = arith.addf %f, %g : f32
      %zero = arith.constant 0.0 : f32
      %k = arith.select %not_greater, %h, %zero : f32
      %s = arith.sitofp %w : i8 to bf16
      linalg.yield %r, %k, %s : i32, f32, bf16
  }
  linalg.copy ins(%W : memref<64x96xi8>) outs(%U : memref<64x96xi8>)
  %sum = memref.alloc() : memref<64x96xi32>
  linalg.fill ins(%seven : i32) outs(%sum : memref<64x96xi32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<64x96xi32>) outs(%sum : memref<64x96xi32>) {
    ^bb0(%x: i32, %old: i32):
      %i = linalg.index 0 : index
      %row = arith.index_cast %i : index to i32
      %b = math.absi %x : i32
      %c = arith.addi %b, %row : i32
      %r = arith.addi %old, %c : i32
      linalg.yield %r : i32
  }
  memref.copy %sum, %N : memref<64x96xi32> to memref<64x96xi32>
  return
}
