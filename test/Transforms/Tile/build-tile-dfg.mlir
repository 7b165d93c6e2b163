// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-stage-c | FileCheck %s
// RUN: tt-opt %inputs/chain.mlir --tt-stage-a --tt-stage-b --tt-stage-c | FileCheck %s --check-prefix=CHAIN
// RUN: not tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-build-tile-dfg 2>&1 | FileCheck %s --check-prefix=ORDER

// CHECK: tt.tile_dfg = #tt.tile_dfg<nodes = [
// CHECK-SAME: #tt.dfg_node<id = "load0", type = load, inputs = [], outputs = ["cb_in0"], role = producer>
// CHECK-SAME: #tt.dfg_node<id = "load1", type = load, inputs = [], outputs = ["cb_in1"], role = producer>
// CHECK-SAME: #tt.dfg_node<id = "matmul0", type = matmul, inputs = ["cb_in0", "cb_in1"], outputs = [], role = compute>
// CHECK-SAME: #tt.dfg_node<id = "pack0", type = pack, inputs = [], outputs = ["cb_out0"], role = compute>
// CHECK-SAME: #tt.dfg_node<id = "store0", type = store, inputs = ["cb_out0"], outputs = [], role = consumer>
// CHECK-SAME: edges = [#tt.dfg_edge<from = "load0", to = "matmul0", cb = "cb_in0">, #tt.dfg_edge<from = "load1", to = "matmul0", cb = "cb_in1">, #tt.dfg_edge<from = "pack0", to = "store0", cb = "cb_out0">]
// CHECK-SAME: cb_assignments = [#tt.dfg_cb<name = "cb_in0", id = 0, role = input, slot = "input_a", first = 0, last = 2, reuse = "">
// CHECK-SAME: #tt.dfg_cb<name = "cb_out0", id = 16, role = output, slot = "output"
// CHECK-SAME: total_cbs = 3, max_allowed = 32>

// Intermediate results have ids from 24 on.
// CHAIN: #tt.dfg_cb<name = "cb_intermed0", id = 24, role = intermediate, slot = "intermediate", first = 2, last = 4, reuse = "">
// CHAIN-SAME: #tt.dfg_cb<name = "cb_intermed1", id = 25,

// ORDER: error: this is no tile intrinsic yet: run --tt-lower-tile-intrinsics (after --tt-lower-shared-to-cb) first
