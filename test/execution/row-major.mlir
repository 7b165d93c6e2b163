// Tensors that are stored row by row, without tiles: whole, with ragged ends, with strides, by heads, by a list, beside tiles.
// REQUIRES: all
// RUN: split-file %s %t && cd %t
// RUN: tt-run rows.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run rows.mlir --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run rows.mlir --check --arch=blackhole --metalium-api=2026-03 | FileCheck %s %}
// CHECK: C: max abs error 0, {{.*}}: ok
// CHECK: W: max abs error 0, {{.*}}: ok
// CHECK: H: max abs error 0, {{.*}}: ok
// CHECK: P: {{.*}}: ok
// RUN: %if all %{ tt-run gather.mlir --check | FileCheck %s --check-prefix=GATHER %}
// GATHER: Y: max abs error 0, {{.*}}: ok

// A page is a row, padded to 32 elements; its parts are read where they lie, and copied to tiles.
// RUN: tt-opt --tt-pipeline=optimize=none rows.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=TEXT
// TEXT: //--- rows/reader.cpp
// TEXT: inline void read_rows(
// TEXT: noc_async_read(tensor.get_noc_addr(tile / across * 32 + r, tile % across * bytes)
// TEXT: copy_rows<uint16_t, 3, false, 1, 0, 0, 1>(
// TEXT: //--- rows/main.cpp
// TEXT: auto A = make_buffer(12 / 3 * 32, 192, BufferType::DRAM); // rows
// TEXT: auto A_data = resize(read_file<

//--- rows.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @rows(%A: memref<100x70xbf16> {tt.name = "A", tt.layout = {storage = "row_major"}},
                %B: memref<2x64x66xbf16> {tt.name = "B", tt.layout = {storage = "row_major"}},
                %Q: memref<40x3x40xbf16> {tt.name = "Q", tt.layout = {storage = "row_major"}},
                %C: memref<100x70xbf16> {tt.name = "C", tt.layout = {storage = "row_major", memory = "L1"}},
                %W: memref<32x32xbf16> {tt.name = "W", tt.layout = {storage = "row_major"}},
                %H: memref<40x3x40xbf16> {tt.name = "H", tt.layout = {storage = "row_major"}},
                %P: memref<100x100xf32> {tt.name = "P"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<100x70xbf16>) outs(%C : memref<100x70xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %n = arith.negf %a : bf16
    linalg.yield %n : bf16
  }
  %w = memref.subview %B[1, 0, 2] [1, 32, 32] [1, 2, 2] : memref<2x64x66xbf16> to memref<32x32xbf16, strided<[132, 2], offset: 4226>>
  memref.copy %w, %W : memref<32x32xbf16, strided<[132, 2], offset: 4226>> to memref<32x32xbf16>
  scf.for %h = %c0 to %c3 step %c1 {
    %q = memref.subview %Q[0, %h, 0] [40, 1, 40] [1, 1, 1] : memref<40x3x40xbf16> to memref<40x40xbf16, strided<[120, 1], offset: ?>>
    %o = memref.subview %H[0, %h, 0] [40, 1, 40] [1, 1, 1] : memref<40x3x40xbf16> to memref<40x40xbf16, strided<[120, 1], offset: ?>>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%q : memref<40x40xbf16, strided<[120, 1], offset: ?>>) outs(%o : memref<40x40xbf16, strided<[120, 1], offset: ?>>) {
    ^bb0(%a: bf16, %r: bf16):
      %n = math.absf %a : bf16
      linalg.yield %n : bf16
    }
  }
  linalg.fill ins(%zero : f32) outs(%P : memref<100x100xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %A : memref<100x70xbf16>, memref<100x70xbf16>) outs(%P : memref<100x100xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  return
}

//--- gather.mlir
#map = affine_map<(i, j) -> (i, j)>
func.func @embed(%T: memref<100x64xf32> {tt.name = "T", tt.layout = {storage = "row_major"}},
                 %I: memref<2x32xi32> {tt.name = "I", tt.range = [0, 99], tt.layout = {storage = "row_major"}},
                 %Y: memref<64x64xf32> {tt.name = "Y", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} {
  scf.forall (%b) in (2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    scf.for %r = %c0 to %c32 step %c1 {
      %i = memref.load %I[%b, %r] : memref<2x32xi32>
      %at = arith.index_cast %i : i32 to index
      %to = affine.apply affine_map<(b, r) -> (b * 32 + r)>(%b, %r)
      %row = memref.subview %T[%at, 0] [1, 64] [1, 1] : memref<100x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
      %out = memref.subview %Y[%to, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
      memref.copy %row, %out : memref<1x64xf32, strided<[64, 1], offset: ?>> to memref<1x64xf32, strided<[64, 1], offset: ?>>
    }
  }
  return
}
