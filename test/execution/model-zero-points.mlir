// Products of integers of 8 bits with zero points, as quantized models have them, are exact: also where K is long, is no multiple of
// what f32 sums exactly, and where windows hang over an edge.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/batches.mlir --strict --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/batches.mlir --strict --check --arch=blackhole --optimize=none 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/long.mlir --strict --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/long.mlir --strict --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: tt-run %t/conv.mlir --strict --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/conv.mlir --strict --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/depthwise.mlir --strict --check 2>&1 | FileCheck %s %}
// RUN: tt-run %t/depthwise.mlir --strict --check --arch=blackhole --optimize=none 2>&1 | FileCheck %s
// RUN: tt-run %t/weights.mlir --strict --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/weights.mlir --strict --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/strided.mlir --strict --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/strided.mlir --strict --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/named.mlir --strict --check 2>&1 | FileCheck %s %}
// RUN: tt-run %t/layer.mlir --strict --check --arch=blackhole 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/layer.mlir --strict --check 2>&1 | FileCheck %s %}
// CHECK: result: equal: ok

//--- batches.mlir
func.func @zb(%x: tensor<3x24x64xi8> {tt.name = "x"}, %w: tensor<3x64x40xi8> {tt.name = "w"}) -> (tensor<3x24x40xi32>) attributes {tt.model} {
  %1 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %2 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %3 = tosa.matmul %x, %w, %1, %2 : (tensor<3x24x64xi8>, tensor<3x64x40xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x24x40xi32>
  return %3 : tensor<3x24x40xi32>
}

// 1100 terms of up to 255 x 255, which is more than 2^24.
//--- long.mlir
func.func @long(%x: tensor<1x24x1100xi8> {tt.name = "x"}, %w: tensor<1x1100x40xi8> {tt.name = "w"}) -> (tensor<1x24x40xi32>) attributes {tt.model} {
  %1 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %2 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %3 = tosa.matmul %x, %w, %1, %2 : (tensor<1x24x1100xi8>, tensor<1x1100x40xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x24x40xi32>
  return %3 : tensor<1x24x40xi32>
}

//--- conv.mlir
func.func @conv(%x: tensor<1x9x9x8xi8> {tt.name = "x"}, %w: tensor<16x3x3x8xi8> {tt.name = "w"}, %b: tensor<16xi32> {tt.name = "b", tt.range = [-1000, 1000]}) -> (tensor<1x9x9x16xi32>) attributes {tt.model} {
  %zx = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x8xi8>, tensor<16x3x3x8xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x16xi32>
  return %r : tensor<1x9x9x16xi32>
}

// Weights with a zero point: windows over all channels are summed as well.
//--- weights.mlir
func.func @weights(%x: tensor<3x9x9x8xi8>, %w: tensor<13x3x3x8xi8>, %b: tensor<13xi32> {tt.range = [-1000, 1000]}) -> tensor<3x9x9x13xi32> attributes {tt.model} {
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<3x9x9x8xi8>, tensor<13x3x3x8xi8>, tensor<13xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x9x9x13xi32>
  return %r : tensor<3x9x9x13xi32>
}

//--- strided.mlir
func.func @strided(%x: tensor<1x10x10x8xi8>, %w: tensor<13x3x3x8xi8>, %b: tensor<13xi32> {tt.range = [-1000, 1000]}) -> tensor<1x5x5x13xi32> attributes {tt.model} {
  %xz = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x10x10x8xi8>, tensor<13x3x3x8xi8>, tensor<13xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x13xi32>
  return %r : tensor<1x5x5x13xi32>
}

//--- depthwise.mlir
func.func @dw(%x: tensor<1x9x9x8xi8> {tt.name = "x"}, %w: tensor<3x3x8x1xi8> {tt.name = "w"}, %b: tensor<8xi32> {tt.name = "b", tt.range = [-1000, 1000]}) -> (tensor<1x9x9x8xi32>) attributes {tt.model} {
  %zx = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.depthwise_conv2d %x, %w, %b, %zx, %zw {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x8xi8>, tensor<3x3x8x1xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x8xi32>
  return %r : tensor<1x9x9x8xi32>
}

//--- named.mlir
func.func @lq(%x: tensor<40x96xi8> {tt.name = "x"}, %w: tensor<96x64xi8> {tt.name = "w"}) -> (tensor<40x64xi32>) attributes {tt.model} {
  %z = arith.constant 0 : i32
  %zx = arith.constant 11 : i32
  %zw = arith.constant -128 : i32
  %e = tensor.empty() : tensor<40x64xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<40x64xi32>) -> tensor<40x64xi32>
  %r = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<40x96xi8>, tensor<96x64xi8>, i32, i32) outs(%f : tensor<40x64xi32>) -> tensor<40x64xi32>
  return %r : tensor<40x64xi32>
}

// A layer of a quantized model: what is scaled back to 8 bits is that of the reference, bit for bit.
//--- layer.mlir
func.func @int8fc(%x: tensor<1x24x64xi8> {tt.name = "x"}, %w: tensor<1x64x40xi8> {tt.name = "w"}, %bias: tensor<1x1x40xi32> {tt.name = "bias", tt.range = [-1000, 1000]}) -> (tensor<1x24x40xi8>) attributes {tt.model} {
  %1 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %3 = tosa.matmul %x, %w, %1, %2 : (tensor<1x24x64xi8>, tensor<1x64x40xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x24x40xi32>
  %4 = tosa.add %3, %bias : (tensor<1x24x40xi32>, tensor<1x1x40xi32>) -> tensor<1x24x40xi32>
  %5 = "tosa.const"() <{values = dense<1431655765> : tensor<1xi32>}> : () -> tensor<1xi32>
  %6 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %8 = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %9 = tosa.rescale %4, %5, %6, %7, %8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x24x40xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x24x40xi8>
  %10 = tosa.clamp %9 {min_val = -5 : i8, max_val = 127 : i8} : (tensor<1x24x40xi8>) -> tensor<1x24x40xi8>
  return %10 : tensor<1x24x40xi8>
}
