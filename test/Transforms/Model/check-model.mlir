// RUN: tt-opt --tt-check-model --split-input-file --verify-diagnostics %s
// What no later pass takes is refused where it stands in the input.

// expected-error @below {{argument 0 has no rank; a model is of tensors of known rank (export it with shapes)}}
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> attributes {tt.model} {
  %r = tosa.exp %x : (tensor<*xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----
// expected-error @below {{argument 0 has elements of a type that the device does not compute with (f64, complex and quantized ones)}}
func.func @doubles(%x: tensor<64x64xf64>) -> tensor<64x64xf64> attributes {tt.model} {
  %r = math.exp %x : tensor<64x64xf64>
  return %r : tensor<64x64xf64>
}

// -----
// expected-error @below {{argument 0 has elements of a type that the device does not compute with}}
func.func @quantized(%x: tensor<64x!quant.uniform<i8:f32, 0.5>>) -> tensor<64x!quant.uniform<i8:f32, 0.5>> attributes {tt.model} {
  return %x : tensor<64x!quant.uniform<i8:f32, 0.5>>
}

// -----
func.func @quantized_inside(%x: tensor<64xi8>) -> tensor<64xi8> attributes {tt.model} {
  // expected-error @below {{this tensor has elements of a type that the device does not compute with}}
  %q = tosa.cast %x : (tensor<64xi8>) -> tensor<64x!quant.uniform<i8:f32, 0.5>>
  %r = tosa.cast %q : (tensor<64x!quant.uniform<i8:f32, 0.5>>) -> tensor<64xi8>
  return %r : tensor<64xi8>
}

// -----
// expected-error @below {{argument 1 has elements for which there is no storage format; use bf16, f16, f32, f8E4M3FN, f8E5M2, i32, i16 or i8}}
func.func @odd(%x: tensor<64xf32>, %i: tensor<64xi5>) -> tensor<64xf32> attributes {tt.model} {
  %r = math.exp %x : tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----
// expected-error @below {{argument 0 has no elements, since dimension 1 is 0; leave it out}}
func.func @empty(%x: tensor<64x0xf32>) -> tensor<64x0xf32> attributes {tt.model} {
  %r = math.exp %x : tensor<64x0xf32>
  return %r : tensor<64x0xf32>
}

// -----
func.func @empty_inside(%x: tensor<64xf32>) -> tensor<64xf32> attributes {tt.model} {
  // expected-error @below {{this tensor has no elements, since dimension 0 is 0; leave it out}}
  %e = tensor.extract_slice %x[0] [0] [1] : tensor<64xf32> to tensor<0xf32>
  %r = math.exp %x : tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----
func.func @huge(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  // expected-error @below {{this tensor takes 40000000000 bytes, more than the 12884901888 of the device's DRAM}}
  %w = arith.constant dense<1.0> : tensor<100000x100000xf32>
  %r = math.exp %x : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @missing(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  // expected-error @below {{this constant has a value whose elements are not in this module; give it as dense<…> or dense_resource}}
  %w = arith.constant dense_resource<weights> : tensor<64x64xf32>
  %r = arith.addf %x, %w : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @short(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tt.model} {
  // expected-error @below {{this constant takes 16 bytes, but its resource has 8}}
  %w = "tosa.const"() <{values = dense_resource<short> : tensor<4xf32>}> : () -> tensor<4xf32>
  %r = tosa.add %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
{-#
  dialect_resources: { builtin: { short: "0x040000000000803F00000040" } }
#-}

// -----
// expected-error @below {{this model has no results, so that it has no effect}}
func.func @nothing(%x: tensor<64x64xf32>) attributes {tt.model} {
  return
}

// -----
// expected-error @below {{this model has no body; give it one, or drop tt.model}}
func.func private @declared(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model}

// -----
// expected-error @below {{argument 0 has 9 dimensions, and tensors have at most 8; collapse some}}
func.func @nine(%x: tensor<2x1x2x1x2x1x2x32x32xf32>) -> tensor<2x1x2x1x2x1x2x32x32xf32> attributes {tt.model} {
  %r = math.exp %x : tensor<2x1x2x1x2x1x2x32x32xf32>
  return %r : tensor<2x1x2x1x2x1x2x32x32xf32>
}

// -----
// expected-error @below {{argument 0 is no tensor; a model takes and gives tensors, and kernels take memrefs}}
func.func @memref(%x: memref<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> attributes {tt.model} {
  %r = math.exp %y : tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----
func.func @custom(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  // expected-error @below {{'tosa.custom' has no form in a model, whose ops are those of TOSA, linalg, tensor, arith and math}}
  %r = tosa.custom %x {operator_name = "foo", domain_name = "d", implementation_attrs = ""} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @vector(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  // expected-error @below {{'vector.transfer_read' has no form in a model}}
  %e = vector.transfer_read %x[%c0, %c0], %z : tensor<64x64xf32>, vector<64x64xf32>
  %r = vector.transfer_write %e, %x[%c0, %c0] : vector<64x64xf32>, tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @loop(%x: tensor<64x64xf32>, %c: i1) -> tensor<64x64xf32> attributes {tt.model} {
  // expected-error @below {{'scf.if' gives a tensor, but a model computes all of its tensors, in scf.for loops too; choose between elements with a select, or have a host function (tt.host) call kernels in it}}
  %r = scf.if %c -> (tensor<64x64xf32>) {
    %b = math.exp %x : tensor<64x64xf32>
    scf.yield %b : tensor<64x64xf32>
  } else {
    %b = math.tanh %x : tensor<64x64xf32>
    scf.yield %b : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----
func.func @counts(%x: tensor<64x64xf32>, %n: i32) -> tensor<64x64xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @below {{this loop counts in i32, and loops of a model count in index; cast its bounds with arith.index_cast}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<64x64xf32>) : i32 {
    %b = math.exp %a : tensor<64x64xf32>
    scf.yield %b : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----
func.func @branch(%x: tensor<64x64xf32>, %c: i1) -> tensor<64x64xf32> attributes {tt.model} {
  // expected-error @below {{a model has no branches between blocks (cf); what it computes does not depend on the values of its tensors}}
  cf.cond_br %c, ^a, ^b
^a:
  %r = math.exp %x : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
^b:
  %s = math.tanh %x : tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

// -----
// Functions without tt.model are left alone.
func.func @other(%x: tensor<*xf64>) -> tensor<*xf64> {
  return %x : tensor<*xf64>
}

// -----
func.func @resized(%x: tensor<1x4x32x32xbf16>) -> tensor<1x8x64x32xbf16> attributes {tt.model} {
  %s = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @below {{'tosa.resize' is taken as NEAREST_NEIGHBOR by whole factors, as to twice the height and width, and as BILINEAR of floats, but this one is neither}}
  %r = tosa.resize %x, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x4x32x32xbf16>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x64x32xbf16>
  return %r : tensor<1x8x64x32xbf16>
}

// -----
// In any function of the module: all of them are canonicalized.
func.func @kernel(%x: memref<?x64xf32>) -> index {
  %last = arith.constant -1 : index
  // expected-error @below {{asks for dimension -1 of 2, which are counted from 0}}
  %n = memref.dim %x, %last : memref<?x64xf32>
  return %n : index
}

// -----
func.func @points(%x: tensor<1x32x64xi8>, %w: tensor<1x64x40xi8>, %z: tensor<1xi8>) -> tensor<1x32x40xi32> attributes {tt.model} {
  %n = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @below {{'tosa.matmul' has zero points that are no constants, which its sums are corrected by; make them constants}}
  %r = tosa.matmul %x, %w, %z, %n : (tensor<1x32x64xi8>, tensor<1x64x40xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x32x40xi32>
  return %r : tensor<1x32x40xi32>
}
