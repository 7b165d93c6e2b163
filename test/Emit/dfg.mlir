// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c %examples/gemm.mlir | tt-translate --emit-dfg | FileCheck %s
// RUN: tt-opt --tt-pipeline=optimize=none %examples/gemm.mlir | tt-translate --emit-dfg | FileCheck %s
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c %examples/matmul.mlir | tt-translate --emit-dfg | FileCheck %s --check-prefix=DST
// RUN: not tt-translate --emit-dfg %examples/gemm.mlir 2>&1 | FileCheck %s --check-prefix=MISSING

// CHECK: digraph "gemm" {
// CHECK: "load0" [shape = box];
// CHECK: "matmul0" [shape = ellipse];
// CHECK: "matmul0" -> "matmul0" [label = "cb_intermed0", style = dashed];
// CHECK: "load0" -> "matmul0" [label = "cb_in0"];
// CHECK: "load1" -> "matmul0" [label = "cb_in1"];
// CHECK: "matmul0" -> "store0" [label = "cb_out0"];

// DST: "matmul0" -> "matmul0" [label = "DST", style = bold];

// MISSING: error: no kernel has a tile dataflow graph: run --tt-stage-c (--tt-build-tile-dfg) first
