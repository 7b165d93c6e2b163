// Upstream cleanups between any two stages break no kernel: the result still
// matches the reference, or (level 2) still compiles to a program that runs.
// RUN: tt-opt %inputs/gemm.mlir --tt-stage-a --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --tt-stage-b --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --tt-lower-shared-to-cb --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --tt-lower-tile-intrinsics --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --tt-build-tile-dfg --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --tt-split-device-kernel --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --tt-configure-tensor-accessor --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --tt-lower-cb-intrinsics --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --tt-insert-compute-init --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --tt-insert-dst-management --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --tt-stage-e --canonicalize --cse --loop-invariant-code-motion --tt-verify-ir -o %t.mlir
// RUN: tt-run %t.mlir --seed 5 --output C=%t.clean.npy
// RUN: tt-run %inputs/gemm.mlir --check --seed 5 --output C=%t.plain.npy | FileCheck %s
// RUN: cmp %t.clean.npy %t.plain.npy

// CHECK: C: {{.*}}: ok
