// RUN: tt-opt %s --tt-generalize-integers | FileCheck %s

// Products of integers, with zero points as well, are generic; so are ops on flags. Floats, windows and moves are not.
// RUN: rm -rf %t && split-file %s %t
// CHECK-LABEL: func.func @product
// CHECK: linalg.fill
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: arith.extsi
// CHECK: arith.muli
// CHECK-LABEL: func.func @zeros
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : memref<64x64xi8>, memref<64x64xi8>)
// CHECK: arith.subi %{{.*}}, %c3_i32
// CHECK-LABEL: func.func @vector
// CHECK: linalg.generic {{.*}} ["parallel", "reduction"]
// CHECK-LABEL: func.func @choice
// CHECK: linalg.generic {{.*}} ["parallel", "parallel"]
// CHECK: arith.select
// CHECK-LABEL: func.func @others
// CHECK: linalg.matmul
// CHECK: linalg.copy
// CHECK: linalg.pooling_nhwc_max

//--- product.mlir
// RUN: %if all %{ tt-run %t/product.mlir --check --strict %}
// RUN: %if all %{ tt-run %t/product.mlir --check --strict --arch=blackhole %}
func.func @product(%A: memref<64x64xi8> {tt.name = "A"}, %B: memref<64x64xi8> {tt.name = "B"}, %C: memref<64x64xi32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%C : memref<64x64xi32>)
  linalg.matmul ins(%A, %B : memref<64x64xi8>, memref<64x64xi8>) outs(%C : memref<64x64xi32>)
  return
}

//--- zeros.mlir
// RUN: %if all %{ tt-run %t/zeros.mlir --check --strict %}
func.func @zeros(%A: memref<64x64xi8> {tt.name = "A"}, %B: memref<64x64xi8> {tt.name = "B"}, %C: memref<64x64xi32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  %a = arith.constant 3 : i32
  %b = arith.constant -5 : i32
  linalg.fill ins(%zero : i32) outs(%C : memref<64x64xi32>)
  linalg.quantized_matmul ins(%A, %B, %a, %b : memref<64x64xi8>, memref<64x64xi8>, i32, i32) outs(%C : memref<64x64xi32>)
  return
}

// Onto what the output holds, as a column that becomes a row: all bits of the sum.
//--- vector.mlir
// RUN: tt-run %t/vector.mlir --check --strict
// RUN: %if all %{ tt-run %t/vector.mlir --check --strict --arch=blackhole %}
func.func @vector(%A: memref<50x64xi8> {tt.name = "A"}, %B: memref<64xi8> {tt.name = "B"}, %C: memref<50xi32> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.matvec ins(%A, %B : memref<50x64xi8>, memref<64xi8>) outs(%C : memref<50xi32>)
  return
}

//--- choice.mlir
// RUN: %if all %{ tt-run %t/choice.mlir --check --strict --arch=blackhole %}
func.func @choice(%P: memref<64x64xi1> {tt.name = "P"}, %A: memref<64x64xf32> {tt.name = "A"}, %B: memref<64x64xf32> {tt.name = "B"}, %C: memref<64x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.select ins(%P, %A, %B : memref<64x64xi1>, memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}

//--- others.mlir
func.func @others(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>, %D: memref<64x64xi32>, %E: memref<64x64xi32>,
                  %X: memref<1x8x8x32xi32>, %W: memref<2x2xi32>, %Y: memref<1x4x4x32xi32>) attributes {tt.kernel} {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  linalg.copy ins(%D : memref<64x64xi32>) outs(%E : memref<64x64xi32>)
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%X, %W : memref<1x8x8x32xi32>, memref<2x2xi32>) outs(%Y : memref<1x4x4x32xi32>)
  return
}
