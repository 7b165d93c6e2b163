// A mixture of experts: each token goes to the two that its gate likes most, which are computed densely and weighted with what the gate says.
// Written by examples/models/make.py.
func.func @experts(%x: tensor<1x64x64xbf16> {tt.name = "x"}, %w_gate: tensor<4x64xbf16> {tt.name = "w_gate"}, %w_up: tensor<4x64x128xbf16> {tt.name = "w_up"}, %w_down: tensor<4x128x64xbf16> {tt.name = "w_down"}) -> (tensor<1x64x64xf32>) attributes {tt.model} {
  %1 = tosa.transpose %w_gate {perms = array<i32: 1, 0>} : (tensor<4x64xbf16>) -> tensor<64x4xbf16>
  %2 = tosa.const_shape {values = dense<[1, 64, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %3 = tosa.reshape %1, %2 : (tensor<64x4xbf16>, !tosa.shape<3>) -> tensor<1x64x4xbf16>
  %4 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %5 = tosa.matmul %x, %3, %4, %4 : (tensor<1x64x64xbf16>, tensor<1x64x4xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x64x4xf32>
  %6 = tosa.reduce_max %5 {axis = 2 : i32} : (tensor<1x64x4xf32>) -> tensor<1x64x1xf32>
  %7 = tosa.sub %5, %6 : (tensor<1x64x4xf32>, tensor<1x64x1xf32>) -> tensor<1x64x4xf32>
  %8 = tosa.exp %7 : (tensor<1x64x4xf32>) -> tensor<1x64x4xf32>
  %9 = tosa.reduce_sum %8 {axis = 2 : i32} : (tensor<1x64x4xf32>) -> tensor<1x64x1xf32>
  %10 = tosa.reciprocal %9 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
  %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %12 = tosa.mul %8, %10, %11 : (tensor<1x64x4xf32>, tensor<1x64x1xf32>, tensor<1xi8>) -> tensor<1x64x4xf32>
  %13 = tosa.reduce_max %12 {axis = 2 : i32} : (tensor<1x64x4xf32>) -> tensor<1x64x1xf32>
  %14 = tosa.greater_equal %12, %13 : (tensor<1x64x4xf32>, tensor<1x64x1xf32>) -> tensor<1x64x4xi1>
  %15 = "tosa.const"() <{values = dense<0.0> : tensor<1x64x4xf32>}> : () -> tensor<1x64x4xf32>
  %16 = tosa.select %14, %15, %12 : (tensor<1x64x4xi1>, tensor<1x64x4xf32>, tensor<1x64x4xf32>) -> tensor<1x64x4xf32>
  %17 = tosa.reduce_max %16 {axis = 2 : i32} : (tensor<1x64x4xf32>) -> tensor<1x64x1xf32>
  %18 = tosa.greater_equal %12, %17 : (tensor<1x64x4xf32>, tensor<1x64x1xf32>) -> tensor<1x64x4xi1>
  %19 = tosa.select %18, %12, %15 : (tensor<1x64x4xi1>, tensor<1x64x4xf32>, tensor<1x64x4xf32>) -> tensor<1x64x4xf32>
  %20 = tosa.reduce_sum %19 {axis = 2 : i32} : (tensor<1x64x4xf32>) -> tensor<1x64x1xf32>
  %21 = tosa.reciprocal %20 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
  %22 = tosa.mul %19, %21, %11 : (tensor<1x64x4xf32>, tensor<1x64x1xf32>, tensor<1xi8>) -> tensor<1x64x4xf32>
  %23 = tosa.const_shape {values = dense<[4, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %24 = tosa.tile %x, %23 : (tensor<1x64x64xbf16>, !tosa.shape<3>) -> tensor<4x64x64xbf16>
  %25 = tosa.matmul %24, %w_up, %4, %4 : (tensor<4x64x64xbf16>, tensor<4x64x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x64x128xf32>
  %26 = tosa.sigmoid %25 : (tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
  %27 = tosa.mul %25, %26, %11 : (tensor<4x64x128xf32>, tensor<4x64x128xf32>, tensor<1xi8>) -> tensor<4x64x128xf32>
  %28 = tosa.cast %27 : (tensor<4x64x128xf32>) -> tensor<4x64x128xbf16>
  %29 = tosa.matmul %28, %w_down, %4, %4 : (tensor<4x64x128xbf16>, tensor<4x128x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x64x64xf32>
  %30 = tosa.transpose %22 {perms = array<i32: 2, 1, 0>} : (tensor<1x64x4xf32>) -> tensor<4x64x1xf32>
  %31 = tosa.mul %29, %30, %11 : (tensor<4x64x64xf32>, tensor<4x64x1xf32>, tensor<1xi8>) -> tensor<4x64x64xf32>
  %32 = tosa.reduce_sum %31 {axis = 0 : i32} : (tensor<4x64x64xf32>) -> tensor<1x64x64xf32>
  return %32 : tensor<1x64x64xf32>
}
