// RUN: tt-opt %examples/gemm_monolithic.mlir --tt-stage-a --tt-build-tile-dfg | FileCheck %s
// RUN: tt-opt %inputs/chain.mlir --tt-stage-a --tt-stage-b --tt-stage-c | FileCheck %s --check-prefix=CHAIN
// RUN: tt-opt %s --tt-build-tile-dfg | FileCheck %s --check-prefix=DST
// RUN: not tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-build-tile-dfg 2>&1 | FileCheck %s --check-prefix=ORDER

// The specification's GEMM. The product has more tiles than DST, so that its sum waits in a circular buffer from one
// step to the next.
// CHECK: tt.tile_dfg = #tt.tile_dfg<nodes = [
// CHECK-SAME: #tt.dfg_node<id = "load0", type = load, cb = "cb_in0", role = producer>,
// CHECK-SAME: #tt.dfg_node<id = "load1", type = load, cb = "cb_in1", role = producer>,
// CHECK-SAME: #tt.dfg_node<id = "matmul0", type = matmul, inputs = ["cb_in0", "cb_in1"], output = "cb_out0", spill = "cb_intermed0", role = compute>,
// CHECK-SAME: #tt.dfg_node<id = "store0", type = store, cb = "cb_out0", role = consumer>], edges = [
// CHECK-SAME: #tt.dfg_edge<from = "matmul0", to = "matmul0", cb = "cb_intermed0", type = partial>,
// CHECK-SAME: #tt.dfg_edge<from = "load0", to = "matmul0", cb = "cb_in0", type = data>,
// CHECK-SAME: #tt.dfg_edge<from = "load1", to = "matmul0", cb = "cb_in1", type = data>,
// CHECK-SAME: #tt.dfg_edge<from = "matmul0", to = "store0", cb = "cb_out0", type = data>], cb_assignments = [
// CHECK-SAME: #tt.dfg_cb<name = "cb_in0", id = 0, role = input, slot = "input_a", block = !tt.cb<4x1xbf16>, depth = 2, tensor = "A", first = 0, last = 2>,
// CHECK-SAME: #tt.dfg_cb<name = "cb_in1", id = 1, role = input, slot = "input_b", block = !tt.cb<1x4xbf16>, depth = 2, tensor = "B", first = 1, last = 2>,
// CHECK-SAME: #tt.dfg_cb<name = "cb_out0", id = 16, role = output, slot = "output", block = !tt.cb<4x4xbf16>, depth = 2, tensor = "C", first = 2, last = 3>,
// CHECK-SAME: #tt.dfg_cb<name = "cb_intermed0", id = 24, role = intermediate, slot = "partial_sums", block = !tt.cb<4x4xbf16>, depth = 1, first = 2, last = 2>], opportunities = [
// CHECK-SAME: #tt.dfg_opportunity<kind = overlap, nodes = ["load0", "load1"]>],
// CHECK-SAME: validation = <total_cbs = 4, max_allowed = 32, status = valid>>
// CHECK: tt.alloc_cb "cb_in0" : !tt.cb<4x1xbf16>
// CHECK: tt.alloc_cb "cb_out0" : !tt.cb<4x4xbf16>

// Blocks that two ops read.
// CHAIN: #tt.dfg_edge<from = "load0", to = "binary1", cb = "cb_in0", type = data>
// CHAIN-SAME: #tt.dfg_cb<name = "cb_intermed0", id = 24, role = intermediate, slot = "intermediate", block = !tt.cb<2x2xbf16>, depth = 1, first = 2, last = 4>
// CHAIN-SAME: #tt.dfg_cb<name = "cb_intermed1", id = 25,
// CHAIN-SAME: #tt.dfg_opportunity<kind = tile_reuse, nodes = ["binary0", "binary1"], cbs = ["cb_in0"]>
// CHAIN-SAME: #tt.dfg_opportunity<kind = tile_reuse, nodes = ["binary1", "binary2"], cbs = ["cb_intermed0"]>

// Values that stay in DST, a sum over a loop, a value that is packed twice, one that a loop changes in place, and blocks
// that are read again: %b in each step, and %x where %b was.
// DST: nodes = [
// DST-SAME: #tt.dfg_node<id = "matmul0", type = matmul, inputs = ["cb_in0", "cb_in1"], role = compute>
// DST-SAME: #tt.dfg_node<id = "unary0", type = unary, inputs = [], output = "cb_intermed0", role = compute>
// DST-SAME: #tt.dfg_node<id = "pack0", type = pack, inputs = [], output = "cb_out1", role = compute>
// DST-SAME: edges = [
// DST-SAME: #tt.dfg_edge<from = "matmul0", to = "matmul0", type = dst>
// DST-SAME: #tt.dfg_edge<from = "matmul0", to = "unary0", type = dst>
// DST-SAME: #tt.dfg_edge<from = "unary0", to = "pack0", type = dst>
// DST-SAME: #tt.dfg_edge<from = "unary0", to = "binary0", cb = "cb_intermed0", type = data>
// DST-SAME: #tt.dfg_edge<from = "binary0", to = "binary0", cb = "cb_intermed0", type = data>
// DST-SAME: #tt.dfg_edge<from = "binary0", to = "copy0", cb = "cb_intermed0", type = data>
// DST-SAME: opportunities = [
// DST-SAME: #tt.dfg_opportunity<kind = tile_reuse, nodes = ["load1"], cbs = ["cb_in1"]>
// DST-SAME: #tt.dfg_opportunity<kind = tile_reuse, nodes = ["load1", "load2"], cbs = ["cb_in1", "cb_in2"]>
// DST-SAME: #tt.dfg_opportunity<kind = overlap, nodes = ["load0", "load1", "load2"]>
func.func @dst(%A: memref<32x128xbf16> {tt.name = "A"}, %B: memref<32x32xbf16> {tt.name = "B"},
               %C: memref<32x32xbf16> {tt.name = "C"}, %D: memref<32x32xbf16> {tt.name = "D"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  %v = tt.alloc_cb "v" depth = 2 : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xbf16>
  %d = tt.alloc_cb "d" : !tt.cb<1x1xbf16>
  scf.for %k = %c0 to %c128 step %c32 {
    tt.read_to_cb %A[%c0, %k], %a : memref<32x128xbf16>, !tt.cb<1x1xbf16>
    tt.read_to_cb %B[%c0, %c0], %b : memref<32x32xbf16>, !tt.cb<1x1xbf16>
    %more = arith.cmpi ne, %k, %c0 : index
    tt.mm.mma %a, %b, dst = 0, accumulate = %more : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  }
  tt.sfpu.unary exp, dst = 0
  tt.pack_to_cb dst = 0 -> %v : !tt.cb<1x1xbf16>
  tt.pack_to_cb dst = 0 -> %d : !tt.cb<1x1xbf16>
  tt.cb_open %v : !tt.cb<1x1xbf16>
  scf.for %k = %c0 to %c128 step %c32 {
    tt.read_to_cb %B[%c0, %c0], %x : memref<32x32xbf16>, !tt.cb<1x1xbf16>
    tt.fpu.add %v, %x, dst = 0 -> %v : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.cb_close %v : !tt.cb<1x1xbf16>
    tt.cb_open %v : !tt.cb<1x1xbf16>
  }
  tt.copy_to_dst %v, dst = 0 -> %c : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_close %v : !tt.cb<1x1xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  tt.write_from_cb %d, %D[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// ORDER: error: this is no tile intrinsic yet: run --tt-lower-tile-intrinsics (after --tt-lower-shared-to-cb) first
