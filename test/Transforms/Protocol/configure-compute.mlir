// RUN: tt-opt %examples/matmul.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-stage-d -o %t.mlir
// RUN: tt-opt %t.mlir --tt-configure-compute -o %t.done.mlir && FileCheck %s --input-file=%t.done.mlir
// RUN: FileCheck %s --check-prefix=ONCE --input-file=%t.mlir
// RUN: tt-opt %t.done.mlir --tt-configure-compute | diff %t.done.mlir -
// RUN: sed '/tt.kernel @compute/s/processor = compute/& config = <math_fidelity = LoFi, fp32_dest_acc = false, math_approx = true>/' %t.mlir | tt-opt --tt-configure-compute | FileCheck %s --check-prefix=STAYS
// RUN: sed 's/{tt.kernel}/{tt.kernel, tt.math_fidelity = "HiFi2", tt.math_approx}/' %examples/eadd.mlir | tt-opt --tt-pipeline=optimize=none | FileCheck %s --check-prefix=ASKED
// RUN: tt-opt %examples/gemm.mlir --tt-pipeline=optimize=none | FileCheck %s --check-prefix=WIDE
// RUN: not tt-opt %examples/matmul.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-compute 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not tt-opt %examples/matmul.mlir --tt-configure-compute 2>&1 | FileCheck %s --check-prefix=SPLIT

// Without a wish, products are exact; the first init repeats the startup.
// CHECK: tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = {{true|false}}, math_approx = false> attributes
// CHECK: tt.engine.init_common matmul
// CHECK: tt.fpu.matmul_init {{.*}} {tt.in_startup} :
// CHECK-NOT: tt.in_startup
// CHECK-NOT: config =

// Stage D leaves it to this pass.
// ONCE-NOT: config =
// ONCE-NOT: tt.in_startup

// What is there stays.
// STAYS: processor = compute config = <math_fidelity = LoFi, fp32_dest_acc = false, math_approx = true> attributes

// ASKED: processor = compute config = <math_fidelity = HiFi2, fp32_dest_acc = false, math_approx = true> attributes

// Partial sums are 32 bits wide, and only copied back: all of them come to DST. Products are
// initialized again after each copy, so no init repeats the startup.
// WIDE: processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = true, math_approx = false, unpack_to_dest = [@cb_intermed0]> attributes
// WIDE-NOT: tt.in_startup

// ORDER: error: this is no protocol op: run --tt-stage-d first
// SPLIT: error: the kernel is not split into reader, compute and writer: run --tt-split-device-kernel first
