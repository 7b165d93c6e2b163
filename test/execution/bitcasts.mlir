// The bits of floats of 32 bits as integers, and back: exponents and fractions, a first guess at a root, and bits that only pass.
// RUN: split-file %s %t
// RUN: tt-run %t/parts.mlir --check --strict 2>&1 | FileCheck %s --check-prefixes=BITS,FLOATS
// RUN: tt-run %t/plain.mlir --check --strict --arch=blackhole 2>&1 | FileCheck %s --check-prefixes=BITS,FLOATS
// RUN: tt-run %t/root.mlir --check --strict 2>&1 | FileCheck %s --check-prefix=FLOATS
// RUN: %if all %{ tt-run %t/parts.mlir --check --strict --arch=blackhole 2>&1 | FileCheck %s --check-prefixes=BITS,FLOATS %}
// RUN: %if all %{ tt-run %t/plain.mlir --check --strict 2>&1 | FileCheck %s --check-prefixes=BITS,FLOATS %}
// RUN: %if all %{ tt-run %t/root.mlir --check --strict --arch=blackhole 2>&1 | FileCheck %s --check-prefix=FLOATS %}
// RUN: not tt-run %t/halves.mlir --check 2>&1 | FileCheck %s --check-prefix=HALVES
// BITS: Y: equal: ok
// FLOATS: max abs error 0,
// HALVES: error: arith.bitcast of what has not 32 bits has no tile intrinsic

//--- parts.mlir
func.func @bitcasts(%X: memref<20x40xf32> {tt.name = "X"}, %Y: memref<20x40xi32> {tt.name = "Y"}, %Z: memref<20x40xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 20 : index
  %v3 = arith.constant 1 : index
  scf.for %i_4 = %v1 to %v2 step %v3 {
    %v5 = arith.constant 0 : index
    %v6 = arith.constant 40 : index
    %v7 = arith.constant 1 : index
    scf.for %j_8 = %v5 to %v6 step %v7 {
      %v9 = memref.load %X[%i_4, %j_8] : memref<20x40xf32>
      %v10 = arith.bitcast %v9 : f32 to i32
      %v11 = arith.constant 23 : i32
      %v12 = arith.shrsi %v10, %v11 : i32
      %v13 = arith.constant 255 : i32
      %v14 = arith.andi %v12, %v13 : i32
      memref.store %v14, %Y[%i_4, %j_8] : memref<20x40xi32>
      %v15 = arith.constant 8388607 : i32
      %v16 = arith.andi %v10, %v15 : i32
      %v17 = arith.constant 1065353216 : i32
      %v18 = arith.ori %v16, %v17 : i32
      %v19 = arith.bitcast %v18 : i32 to f32
      memref.store %v19, %Z[%i_4, %j_8] : memref<20x40xf32>
    }
  }
  return
}

//--- plain.mlir
#m = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (j)>
func.func @plain(%X: memref<20x40xf32> {tt.name = "X"}, %I: memref<20x40xi32> {tt.name = "I", tt.range = [1000000000, 1100000000]}, %Y: memref<20x40xi32> {tt.name = "Y"}, %Z: memref<20x40xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%X : memref<20x40xf32>) outs(%Y : memref<20x40xi32>) {
  ^bb0(%a: f32, %o: i32):
    %b = arith.bitcast %a : f32 to i32
    linalg.yield %b : i32
  }
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%I : memref<20x40xi32>) outs(%Z : memref<20x40xf32>) {
  ^bb0(%a: i32, %o: f32):
    %b = arith.bitcast %a : i32 to f32
    linalg.yield %b : f32
  }
  return
}

//--- root.mlir
#m = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (j)>
func.func @rsqrt(%X: memref<32x64xf32> {tt.name = "X"}, %R: memref<64xf32> {tt.name = "R"}, %Y: memref<32x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %m = arith.constant 1597463007 : i32
  %one = arith.constant 1 : i32
  %h = arith.constant 0.5 : f32
  %t = arith.constant 1.5 : f32
  linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%X, %R : memref<32x64xf32>, memref<64xf32>) outs(%Y : memref<32x64xf32>) {
  ^bb0(%x0: f32, %r: f32, %o: f32):
    %p = arith.mulf %x0, %x0 : f32
    %r2 = arith.mulf %r, %r : f32
    %p1 = arith.addf %p, %h : f32
    %x = arith.addf %p1, %r2 : f32
    %i = arith.bitcast %x : f32 to i32
    %s = arith.shrsi %i, %one : i32
    %d = arith.subi %m, %s : i32
    %y = arith.bitcast %d : i32 to f32
    %x2 = arith.mulf %x, %h : f32
    %yy = arith.mulf %y, %y : f32
    %q = arith.mulf %x2, %yy : f32
    %e = arith.subf %t, %q : f32
    %z = arith.mulf %y, %e : f32
    linalg.yield %z : f32
  }
  return
}

//--- halves.mlir
#m = affine_map<(i, j) -> (i, j)>
func.func @halves(%X: memref<20x40xbf16> {tt.name = "X"}, %Y: memref<20x40xi16> {tt.name = "Y"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%X : memref<20x40xbf16>) outs(%Y : memref<20x40xi16>) {
  ^bb0(%a: bf16, %o: i16):
    %b = arith.bitcast %a : bf16 to i16
    linalg.yield %b : i16
  }
  return
}
