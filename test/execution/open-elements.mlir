// Loops over the elements of tensors whose sizes only a run knows: they go over them in blocks, with rows and columns
// that do not divide these.
// RUN: split-file %s %t
// RUN: tt-run %t/norm.mlir --check --shape A=33x300 --shape W=300 --shape Y=33x300 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/norm.mlir --check --arch=blackhole --optimize=none --shape A=70x1 --shape W=1 --shape Y=70x1 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/softmax.mlir --check --shape A=70x300 --shape Y=70x300 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/softmax.mlir --check --arch=blackhole --metalium-api=2025 --shape A=5x128 --shape Y=5x128 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/product.mlir --check --shape A=70x300 --shape B=300x90 --shape Y=70x90 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/product.mlir --check --arch=blackhole --optimize=none --shape A=1x129 --shape B=129x33 --shape Y=1x33 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/vector.mlir --check --metalium-api=2026-03 --shape A=70x260 --shape X=260 --shape Y=70 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/columns.mlir --check --arch=blackhole --shape A=260x70 --shape Y=70 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/causal.mlir --check --shape A=70x260 --shape Y=70x260 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/scaled.mlir --check --arch=blackhole --shape A=40x260 --shape Y=40x260 2>&1 | FileCheck %s %}
// CHECK: Y: max abs error {{.*}}: ok

//--- norm.mlir
// A row divided by the root of the sum of its squares, times weights.
func.func @norm(%A: memref<?x?xf32> {tt.name = "A"}, %W: memref<?xf32> {tt.name = "W"}, %C: memref<?x?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  scf.parallel (%i) = (%c0) to (%m) step (%c1) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %x = memref.load %A[%i, %j] : memref<?x?xf32>
      %q = arith.mulf %x, %x : f32
      %t = arith.addf %a, %q : f32
      scf.yield %t : f32
    }
    %r = math.rsqrt %s : f32
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %A[%i, %j] : memref<?x?xf32>
      %w = memref.load %W[%j] : memref<?xf32>
      %q = arith.mulf %x, %r : f32
      %t = arith.mulf %q, %w : f32
      memref.store %t, %C[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

//--- softmax.mlir
func.func @softmax(%A: memref<?x?xf32> {tt.name = "A"}, %C: memref<?x?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  scf.parallel (%i) = (%c0) to (%m) step (%c1) {
    %mx = scf.for %j = %c0 to %n step %c1 iter_args(%a = %low) -> (f32) {
      %x = memref.load %A[%i, %j] : memref<?x?xf32>
      %t = arith.maximumf %a, %x : f32
      scf.yield %t : f32
    }
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %x = memref.load %A[%i, %j] : memref<?x?xf32>
      %d = arith.subf %x, %mx : f32
      %e = math.exp %d : f32
      %t = arith.addf %a, %e : f32
      scf.yield %t : f32
    }
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %A[%i, %j] : memref<?x?xf32>
      %d = arith.subf %x, %mx : f32
      %e = math.exp %d : f32
      %q = arith.divf %e, %s : f32
      memref.store %q, %C[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

//--- product.mlir
// All three sizes of a product are open.
func.func @product(%A: memref<?x?xf32> {tt.name = "A"}, %B: memref<?x?xf32> {tt.name = "B"}, %C: memref<?x?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %k = memref.dim %A, %c1 : memref<?x?xf32>
  %n = memref.dim %B, %c1 : memref<?x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = scf.for %e = %c0 to %k step %c1 iter_args(%a = %zero) -> (f32) {
      %x = memref.load %A[%i, %e] : memref<?x?xf32>
      %y = memref.load %B[%e, %j] : memref<?x?xf32>
      %q = arith.mulf %x, %y : f32
      %t = arith.addf %a, %q : f32
      scf.yield %t : f32
    }
    memref.store %s, %C[%i, %j] : memref<?x?xf32>
  }
  return
}

//--- vector.mlir
func.func @vector(%A: memref<?x?xbf16> {tt.name = "A"}, %X: memref<?xbf16> {tt.name = "X"}, %C: memref<?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xbf16>
  %n = memref.dim %A, %c1 : memref<?x?xbf16>
  scf.parallel (%i) = (%c0) to (%m) step (%c1) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %x = memref.load %A[%i, %j] : memref<?x?xbf16>
      %y = memref.load %X[%j] : memref<?xbf16>
      %xw = arith.extf %x : bf16 to f32
      %yw = arith.extf %y : bf16 to f32
      %p = arith.mulf %xw, %yw : f32
      %t = arith.addf %a, %p : f32
      scf.yield %t : f32
    }
    memref.store %s, %C[%i] : memref<?xf32>
  }
  return
}

//--- columns.mlir
// Sums of columns: the loop that goes by blocks is over rows.
func.func @columns(%A: memref<?x?xf32> {tt.name = "A"}, %C: memref<?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  scf.parallel (%j) = (%c0) to (%n) step (%c1) {
    %s = scf.for %i = %c0 to %m step %c1 iter_args(%a = %zero) -> (f32) {
      %x = memref.load %A[%i, %j] : memref<?x?xf32>
      %t = arith.addf %a, %x : f32
      scf.yield %t : f32
    }
    memref.store %s, %C[%j] : memref<?xf32>
  }
  return
}

//--- causal.mlir
// Indices of the loop are places in the whole row.
func.func @causal(%A: memref<?x?xbf16> {tt.name = "A"}, %C: memref<?x?xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xbf16>
  %n = memref.dim %A, %c1 : memref<?x?xbf16>
  scf.parallel (%i) = (%c0) to (%m) step (%c1) {
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %A[%i, %j] : memref<?x?xbf16>
      %k = arith.cmpi ule, %j, %i : index
      %q = arith.select %k, %x, %zero : bf16
      memref.store %q, %C[%i, %j] : memref<?x?xbf16>
    }
  }
  return
}

//--- scaled.mlir
// The size is a number as well, made before the grid.
func.func @scaled(%A: memref<40x?xf32> {tt.name = "A"}, %C: memref<40x?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %n = memref.dim %A, %c1 : memref<40x?xf32>
  %ni = arith.index_cast %n : index to i32
  %nf = arith.sitofp %ni : i32 to f32
  scf.parallel (%i) = (%c0) to (%c40) step (%c1) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %x = memref.load %A[%i, %j] : memref<40x?xf32>
      %t = arith.addf %a, %x : f32
      scf.yield %t : f32
    }
    %mu = arith.divf %s, %nf : f32
    %v = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %x = memref.load %A[%i, %j] : memref<40x?xf32>
      %d = arith.subf %x, %mu : f32
      %q = arith.mulf %d, %d : f32
      %t = arith.addf %a, %q : f32
      scf.yield %t : f32
    }
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %A[%i, %j] : memref<40x?xf32>
      %d = arith.subf %x, %mu : f32
      %q = arith.divf %v, %nf : f32
      %r = math.rsqrt %q : f32
      %t = arith.mulf %d, %r : f32
      memref.store %t, %C[%i, %j] : memref<40x?xf32>
    }
  }
  return
}

