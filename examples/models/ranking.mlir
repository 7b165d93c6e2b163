// A model that ranks: rows of several tables and an MLP of what is no row, the products of each two of these, and an MLP on all of it.
// Written by examples/models/make.py.
func.func @ranking(%x: tensor<1x64x13xbf16> {tt.name = "x"}, %w_dense1: tensor<64x13xbf16> {tt.name = "w_dense1"}, %b_dense1: tensor<1x1x64xf32> {tt.name = "b_dense1"}, %w_dense2: tensor<32x64xbf16> {tt.name = "w_dense2"}, %b_dense2: tensor<1x1x32xf32> {tt.name = "b_dense2"}, %ids0: tensor<1x64xi32> {tt.name = "ids0", tt.range = [0, 499]}, %w_table0: tensor<1x500x32xf32> {tt.name = "w_table0"}, %ids1: tensor<1x64xi32> {tt.name = "ids1", tt.range = [0, 499]}, %w_table1: tensor<1x500x32xf32> {tt.name = "w_table1"}, %ids2: tensor<1x64xi32> {tt.name = "ids2", tt.range = [0, 499]}, %w_table2: tensor<1x500x32xf32> {tt.name = "w_table2"}, %w_top1: tensor<64x38xbf16> {tt.name = "w_top1"}, %b_top1: tensor<1x1x64xf32> {tt.name = "b_top1"}, %w_top2: tensor<1x64xbf16> {tt.name = "w_top2"}, %b_top2: tensor<1x1x1xf32> {tt.name = "b_top2"}) -> (tensor<1x64x1xf32>) attributes {tt.model} {
  %1 = tosa.transpose %w_dense1 {perms = array<i32: 1, 0>} : (tensor<64x13xbf16>) -> tensor<13x64xbf16>
  %2 = tosa.const_shape {values = dense<[1, 13, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %3 = tosa.reshape %1, %2 : (tensor<13x64xbf16>, !tosa.shape<3>) -> tensor<1x13x64xbf16>
  %4 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %5 = tosa.matmul %x, %3, %4, %4 : (tensor<1x64x13xbf16>, tensor<1x13x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x64x64xf32>
  %6 = tosa.add %5, %b_dense1 : (tensor<1x64x64xf32>, tensor<1x1x64xf32>) -> tensor<1x64x64xf32>
  %7 = tosa.clamp %6 {min_val = 0.0 : f32, max_val = 3.4e38 : f32} : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
  %8 = tosa.cast %7 : (tensor<1x64x64xf32>) -> tensor<1x64x64xbf16>
  %9 = tosa.transpose %w_dense2 {perms = array<i32: 1, 0>} : (tensor<32x64xbf16>) -> tensor<64x32xbf16>
  %10 = tosa.const_shape {values = dense<[1, 64, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %11 = tosa.reshape %9, %10 : (tensor<64x32xbf16>, !tosa.shape<3>) -> tensor<1x64x32xbf16>
  %12 = tosa.matmul %8, %11, %4, %4 : (tensor<1x64x64xbf16>, tensor<1x64x32xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x64x32xf32>
  %13 = tosa.add %12, %b_dense2 : (tensor<1x64x32xf32>, tensor<1x1x32xf32>) -> tensor<1x64x32xf32>
  %14 = tosa.clamp %13 {min_val = 0.0 : f32, max_val = 3.4e38 : f32} : (tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
  %15 = tosa.const_shape {values = dense<[64, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %16 = tosa.reshape %14, %15 : (tensor<1x64x32xf32>, !tosa.shape<3>) -> tensor<64x1x32xf32>
  %17 = tosa.gather %w_table0, %ids0 : (tensor<1x500x32xf32>, tensor<1x64xi32>) -> tensor<1x64x32xf32>
  %18 = tosa.reshape %17, %15 : (tensor<1x64x32xf32>, !tosa.shape<3>) -> tensor<64x1x32xf32>
  %19 = tosa.gather %w_table1, %ids1 : (tensor<1x500x32xf32>, tensor<1x64xi32>) -> tensor<1x64x32xf32>
  %20 = tosa.reshape %19, %15 : (tensor<1x64x32xf32>, !tosa.shape<3>) -> tensor<64x1x32xf32>
  %21 = tosa.gather %w_table2, %ids2 : (tensor<1x500x32xf32>, tensor<1x64xi32>) -> tensor<1x64x32xf32>
  %22 = tosa.reshape %21, %15 : (tensor<1x64x32xf32>, !tosa.shape<3>) -> tensor<64x1x32xf32>
  %23 = tosa.concat %16, %18, %20, %22 {axis = 1 : i32} : (tensor<64x1x32xf32>, tensor<64x1x32xf32>, tensor<64x1x32xf32>, tensor<64x1x32xf32>) -> tensor<64x4x32xf32>
  %24 = tosa.cast %23 : (tensor<64x4x32xf32>) -> tensor<64x4x32xbf16>
  %25 = tosa.transpose %24 {perms = array<i32: 0, 2, 1>} : (tensor<64x4x32xbf16>) -> tensor<64x32x4xbf16>
  %26 = tosa.matmul %24, %25, %4, %4 : (tensor<64x4x32xbf16>, tensor<64x32x4xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<64x4x4xf32>
  %27 = tosa.const_shape {values = dense<[0, 1, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %28 = tosa.const_shape {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %29 = tosa.slice %26, %27, %28 : (tensor<64x4x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<64x1x1xf32>
  %30 = tosa.const_shape {values = dense<[64, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %31 = tosa.reshape %29, %30 : (tensor<64x1x1xf32>, !tosa.shape<2>) -> tensor<64x1xf32>
  %32 = tosa.const_shape {values = dense<[0, 2, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %33 = tosa.const_shape {values = dense<[64, 1, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %34 = tosa.slice %26, %32, %33 : (tensor<64x4x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<64x1x2xf32>
  %35 = tosa.const_shape {values = dense<[64, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %36 = tosa.reshape %34, %35 : (tensor<64x1x2xf32>, !tosa.shape<2>) -> tensor<64x2xf32>
  %37 = tosa.const_shape {values = dense<[0, 3, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %38 = tosa.const_shape {values = dense<[64, 1, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %39 = tosa.slice %26, %37, %38 : (tensor<64x4x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<64x1x3xf32>
  %40 = tosa.const_shape {values = dense<[64, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %41 = tosa.reshape %39, %40 : (tensor<64x1x3xf32>, !tosa.shape<2>) -> tensor<64x3xf32>
  %42 = tosa.const_shape {values = dense<[64, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %43 = tosa.reshape %14, %42 : (tensor<1x64x32xf32>, !tosa.shape<2>) -> tensor<64x32xf32>
  %44 = tosa.concat %31, %36, %41 {axis = 1 : i32} : (tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x3xf32>) -> tensor<64x6xf32>
  %45 = tosa.concat %43, %44 {axis = 1 : i32} : (tensor<64x32xf32>, tensor<64x6xf32>) -> tensor<64x38xf32>
  %46 = tosa.cast %45 : (tensor<64x38xf32>) -> tensor<64x38xbf16>
  %47 = tosa.const_shape {values = dense<[1, 64, 38]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %48 = tosa.reshape %46, %47 : (tensor<64x38xbf16>, !tosa.shape<3>) -> tensor<1x64x38xbf16>
  %49 = tosa.transpose %w_top1 {perms = array<i32: 1, 0>} : (tensor<64x38xbf16>) -> tensor<38x64xbf16>
  %50 = tosa.const_shape {values = dense<[1, 38, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %51 = tosa.reshape %49, %50 : (tensor<38x64xbf16>, !tosa.shape<3>) -> tensor<1x38x64xbf16>
  %52 = tosa.matmul %48, %51, %4, %4 : (tensor<1x64x38xbf16>, tensor<1x38x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x64x64xf32>
  %53 = tosa.add %52, %b_top1 : (tensor<1x64x64xf32>, tensor<1x1x64xf32>) -> tensor<1x64x64xf32>
  %54 = tosa.clamp %53 {min_val = 0.0 : f32, max_val = 3.4e38 : f32} : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
  %55 = tosa.cast %54 : (tensor<1x64x64xf32>) -> tensor<1x64x64xbf16>
  %56 = tosa.transpose %w_top2 {perms = array<i32: 1, 0>} : (tensor<1x64xbf16>) -> tensor<64x1xbf16>
  %57 = tosa.const_shape {values = dense<[1, 64, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %58 = tosa.reshape %56, %57 : (tensor<64x1xbf16>, !tosa.shape<3>) -> tensor<1x64x1xbf16>
  %59 = tosa.matmul %55, %58, %4, %4 : (tensor<1x64x64xbf16>, tensor<1x64x1xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x64x1xf32>
  %60 = tosa.add %59, %b_top2 : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
  %61 = tosa.sigmoid %60 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
  return %61 : tensor<1x64x1xf32>
}
