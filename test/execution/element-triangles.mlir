// Loops over elements that go as far as another one's variable says: triangles and bands, of products, of sums in a
// carried number or in memory, of extremes and of stores.
// RUN: split-file %s %t
// RUN: tt-run %t/product.mlir --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/band.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/softmax.mlir --check --arch=blackhole --metalium-api=2025 --optimize=none 2>&1 | FileCheck %s %}
// CHECK: C: max abs error {{.*}}: ok
// RUN: %if all %{ tt-run %t/outside.mlir --check 2>&1 | FileCheck %s %}

// The lower triangle of A, times B.
//--- product.mlir
#tri = affine_map<(d0) -> (d0 + 1)>
func.func @k(%A: memref<64x64xf32> {tt.name = "A"}, %B: memref<64x64xf32> {tt.name = "B"}, %C: memref<64x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (64, 64) {
    %s = affine.for %k = 0 to #tri(%i) iter_args(%t = %zero) -> (f32) {
      %a = affine.load %A[%i, %k] : memref<64x64xf32>
      %b = affine.load %B[%k, %j] : memref<64x64xf32>
      %p = arith.mulf %a, %b : f32
      %n = arith.addf %t, %p : f32
      affine.yield %n : f32
    }
    affine.store %s, %C[%i, %j] : memref<64x64xf32>
  }
  return
}

// Eight elements of each row from the diagonal on, and what is above it.
//--- band.mlir
#lo = affine_map<(d0) -> (d0)>
#hi = affine_map<(d0) -> (d0 + 8)>
func.func @k(%A: memref<40x48xf32> {tt.name = "A"}, %B: memref<48x70xf32> {tt.name = "B"}, %C: memref<40x70xf32> {tt.name = "C"}, %D: memref<40x48xf32> {tt.name = "D"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 70 {
      affine.store %zero, %C[%i, %j] : memref<40x70xf32>
      affine.for %k = #lo(%i) to #hi(%i) {
        %a = affine.load %A[%i, %k] : memref<40x48xf32>
        %b = affine.load %B[%k, %j] : memref<48x70xf32>
        %c = affine.load %C[%i, %j] : memref<40x70xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<40x70xf32>
      }
    }
    affine.for %k = #lo(%i) to 48 {
      %a = affine.load %A[%i, %k] : memref<40x48xf32>
      %e = math.exp %a : f32
      affine.store %e, %D[%i, %k] : memref<40x48xf32>
    }
  }
  return
}

// Causal softmax.
//--- softmax.mlir
#tri = affine_map<(d0, d1) -> (d0 * 32 + d1 + 1)>
func.func @k(%A: memref<64x64xf32> {tt.name = "A"}, %C: memref<64x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  affine.parallel (%b) = (0) to (2) {
    affine.for %i = 0 to 32 {
      %m = affine.for %k = 0 to #tri(%b, %i) iter_args(%t = %ninf) -> (f32) {
        %a = affine.load %A[%b * 32 + %i, %k] : memref<64x64xf32>
        %n = arith.maximumf %t, %a : f32
        affine.yield %n : f32
      }
      %s = affine.for %k = 0 to #tri(%b, %i) iter_args(%t = %zero) -> (f32) {
        %a = affine.load %A[%b * 32 + %i, %k] : memref<64x64xf32>
        %d = arith.subf %a, %m : f32
        %e = math.exp %d : f32
        %n = arith.addf %t, %e : f32
        affine.yield %n : f32
      }
      affine.for %k = 0 to 64 {
        affine.store %zero, %C[%b * 32 + %i, %k] : memref<64x64xf32>
      }
      affine.for %k = 0 to #tri(%b, %i) {
        %a = affine.load %A[%b * 32 + %i, %k] : memref<64x64xf32>
        %d = arith.subf %a, %m : f32
        %e = math.exp %d : f32
        %q = arith.divf %e, %s : f32
        affine.store %q, %C[%b * 32 + %i, %k] : memref<64x64xf32>
      }
    }
  }
  return
}

// With all of the loops' steps, A would be read beyond its end: sums of a part of it, step by step, in blocks.
//--- outside.mlir
#tri = affine_map<(d0) -> (64 - d0)>
func.func @k(%A: memref<64xf32> {tt.name = "A"}, %C: memref<64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %s = affine.for %k = 0 to #tri(%i) iter_args(%t = %zero) -> (f32) {
      %a = affine.load %A[%i + %k] : memref<64xf32>
      %n = arith.addf %t, %a : f32
      affine.yield %n : f32
    }
    affine.store %s, %C[%i] : memref<64xf32>
  }
  return
}
