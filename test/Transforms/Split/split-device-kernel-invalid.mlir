// RUN: tt-opt %s --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel --split-input-file --verify-diagnostics
// RUN: not tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-d 2>&1 | FileCheck %s --check-prefix=L1
// RUN: not tt-opt %examples/gemm_monolithic.mlir --tt-stage-d 2>&1 | FileCheck %s --check-prefix=NOA

// What stage A left may have been changed.
// RUN: tt-opt %examples/eadd_tiles.mlir --tt-stage-a | sed '/tt.cb.A = /{s/tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 2, data_format = bfloat16>/tt.cb.A = #tt.cb<cb_id = 0, page_size = 4096, depth = 2, data_format = float32>/}' | not tt-opt --tt-stage-d 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: tt.cb.A has data_format = float32, but the tensor is stored as bfloat16

// L1: gemm.mlir:14:3: error: scf.forall is not lowered to tile intrinsics: run --tt-stage-b and --tt-stage-c first
// NOA: error: tensor 'A' has no tt.tensor_accessor.A: run --tt-stage-a (--tt-attach-tensor-accessor) first

// expected-error @below {{[rule 8] with cb_in0 (2048 pages of 2048 bytes) the circular buffers need 4194304 bytes, but L1 has 1395424; use smaller blocks or a lower tt.num_stages}}
func.func @large(%A: memref<1024x1024xbf16>, %B: memref<1024x1024xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<32x32xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<1024x1024xbf16>, !tt.cb<32x32xbf16>
  tt.write_from_cb %a, %B[%c0, %c0] : !tt.cb<32x32xbf16>, memref<1024x1024xbf16>
  return
}
// -----
func.func @accumulate(%A: memref<32x64xbf16>, %B: memref<64x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %true = arith.constant true
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xbf16>
  scf.for %k = %c0 to %c64 step %c32 {
    tt.read_to_cb %A[%c0, %k], %a : memref<32x64xbf16>, !tt.cb<1x1xbf16>
    tt.read_to_cb %B[%k, %c0], %b : memref<64x32xbf16>, !tt.cb<1x1xbf16>
    // expected-error @below {{'accumulate' does not fit the 1 loop(s) that this product sums over: it must be false in their first step only}}
    tt.mm.mma %a, %b, dst = 0, accumulate = %true : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  }
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
// expected-error @below {{tensor 'A' is stored as uint8, but its elements are bf16; floats are stored as bf16, fp16, fp32, bfp8_b or bfp4_b, i32 and i8 as int32 or uint8}}
func.func @other_format(%A: memref<32x32xbf16> {tt.name = "A", tt.layout = {dtype = "uint8"}}, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %a, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
func.func @formats(%A: memref<32x32xbf16> {tt.name = "A", tt.layout = {dtype = "bfp8_b"}}, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  // expected-error @below {{moves blocks of tensor 'A', stored as bfp8_b, to 'arg1', stored as bf16, as they are; bring them to another circular buffer with tt.copy_to_dst}}
  tt.write_from_cb %a, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
func.func @protocol(%A: memref<32x32xbf16>) attributes {tt.kernel} {
  // expected-error @below {{tt.dst.acquire is a protocol op; before stage D there are none}}
  tt.dst.acquire
  return
}
// -----
func.func @order(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  // expected-error @below {{[rule 6] reads circular buffer 'cb_in0' at a place that the op filling it does not reach first}}
  tt.write_from_cb %a, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  return
}
// -----
// What one op writes, another reads back.
func.func @reads_back(%A: memref<64x96xbf16>, %B: memref<64x96xbf16>, %C: memref<64x96xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<2x3xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<2x3xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<64x96xbf16>, !tt.cb<2x3xbf16>
  tt.write_from_cb %a, %B[%c0, %c0] : !tt.cb<2x3xbf16>, memref<64x96xbf16>
  // expected-error @below {{reads tensor 'arg1', which the kernel writes as well; only a block that is read and then written at the same place may be updated in place. Write to another tensor, or use two kernels}}
  tt.read_to_cb %B[%c0, %c0], %b : memref<64x96xbf16>, !tt.cb<2x3xbf16>
  tt.write_from_cb %b, %C[%c0, %c0] : !tt.cb<2x3xbf16>, memref<64x96xbf16>
  return
}
// -----
// In place, but the same block in every step: the second would have to see the first.
func.func @same_block(%A: memref<64x96xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below {{reads tensor 'arg0', which the kernel writes as well}}
    tt.read_to_cb %A[%c0, %c0], %a : memref<64x96xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %a, %A[%c0, %c0] : !tt.cb<1x1xbf16>, memref<64x96xbf16>
  }
  return
}
// -----
// As many steps as a tensor has rows are those of a core, and no grid's.
func.func @same_block_of_steps(%A: memref<64x96xbf16>, %X: memref<?x32xbf16> {tt.name = "X"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = tt.runtime_arg "X_d0" : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %n step %c32 {
    // expected-error @below {{reads tensor 'arg0', which the kernel writes as well}}
    tt.read_to_cb %A[%c0, %c0], %a : memref<64x96xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %a, %A[%c0, %c0] : !tt.cb<1x1xbf16>, memref<64x96xbf16>
  }
  return
}
// -----
// A step reads what the one before has written, though each reads first.
func.func @all_blocks(%A: memref<64x96xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %c64 step %c32 {
    // expected-error @below {{reads tensor 'arg0', which the kernel writes as well}}
    tt.read_to_cb %A[%c0, %c0], %a : memref<64x96xbf16>, !tt.cb<1x1xbf16>
    tt.copy_to_dst %a, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %b, %A[%i, %c0] : !tt.cb<1x1xbf16>, memref<64x96xbf16>
  }
  return
}
// -----
// Blocks are read in an earlier loop, and what is written is there before that loop begins.
func.func @filled_before(%A: memref<64x96xbf16>, %V: memref<32x32xbf16>, %S: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %v = tt.alloc_cb "v" : !tt.cb<1x1xbf16>
  %z = tt.alloc_cb "z" : !tt.cb<1x1xbf16>
  tt.read_to_cb %V[%c0, %c0], %v : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %v, dst = 0 -> %z : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %c96 step %c32 {
    %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
    %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
    // expected-error @below {{reads tensor 'arg0', which the kernel writes as well}}
    tt.read_to_cb %A[%c0, %i], %a : memref<64x96xbf16>, !tt.cb<1x1xbf16>
    tt.copy_to_dst %a, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %b, %S[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  }
  tt.write_from_cb %z, %A[%c0, %c0] : !tt.cb<1x1xbf16>, memref<64x96xbf16>
  return
}
// -----
// Another block than the one that is written.
func.func @shifted(%A: memref<64x96xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %c64 step %c32 {
    %next = arith.addi %i, %c32 : index
    // expected-error @below {{reads tensor 'arg0', which the kernel writes as well}}
    tt.read_to_cb %A[%c0, %i], %a : memref<64x96xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %a, %A[%c0, %next] : !tt.cb<1x1xbf16>, memref<64x96xbf16>
  }
  return
}
// -----
// Two steps a block.
func.func @twice_each(%A: memref<64x128xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %c4 step %c1 {
    %h = arith.divui %i, %c2 : index
    %n = arith.muli %h, %c32 : index
    // expected-error @below {{reads tensor 'arg0', which the kernel writes as well}}
    tt.read_to_cb %A[%c0, %n], %a : memref<64x128xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %a, %A[%c0, %n] : !tt.cb<1x1xbf16>, memref<64x128xbf16>
  }
  return
}
// -----
// In place, of rows that DRAM does not give alone on Blackhole.
module attributes {tt.target = #tt.target<arch = blackhole, grid = 8x8>} {
func.func @odd_rows(%A: memref<96x32xbf16>) attributes {tt.kernel} {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %c32 step %c1 {
    %at = arith.muli %i, %c3 : index
    // expected-error @below {{updates parts of tiles of tensor 'arg0' in place, which begin at any row; a read takes 2 of them at once here, of which other steps write some meanwhile. Let the parts begin at multiples of 2 rows, or write to another tensor}}
    tt.read_to_cb %A[%at, %c0], %a box = [3, 32] rows = [1, 0] cols = [0, 1] : memref<96x32xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %a, %A[%at, %c0] box = [3, 32] rows = [1, 0] cols = [0, 1] : !tt.cb<1x1xbf16>, memref<96x32xbf16>
  }
  return
}
}

// -----

func.func @rows(%A: memref<32x64xbf16> {tt.name = "A", tt.layout = {storage = "row_major"}},
    %B: memref<32x64xbf16> {tt.name = "B"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x2xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x2xbf16>
  // expected-error @below {{moves tiles of tensor 'A', which is stored row by row and has none; say which of its elements by a box, as box = [32, 64] rows = [1, 0] cols = [0, 1]}}
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  tt.copy_to_dst %a, dst = 0 -> %b : !tt.cb<1x2xbf16>, !tt.cb<1x2xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x2xbf16>, memref<32x64xbf16>
  return
}
