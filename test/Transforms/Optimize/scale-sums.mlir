// RUN: tt-opt --tt-pipeline=optimize=join-sections,scale-sums --canonicalize --cse %examples/layer_norm.mlir --remarks-filter=tt-scale-sums 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE-COUNT-2: the sum multiplies by its scale, and not by ones

// The mean is a sum of tiles times 1/256; the ones are filled no longer, since nothing takes them.
// CHECK: tt.kernel @compute
// CHECK-NOT: scalar = 1.000000e+00
// CHECK: metalium.sfpu_tile fill, %c0 scalar = 3.906250e-03
// CHECK: metalium.pack_tile %c0, %[[SCALE:.*]] : !tt.cb<1x1xbf16>
// CHECK-NOT: scalar = 1.000000e+00
// CHECK: metalium.matmul_tiles %{{.*}}, %[[SCALE]],
// CHECK-NOT: mul_scalar

// The same bits, since a power of two changes exponents only; and right where another scale stays behind the sum.
// RUN: tt-run %examples/layer_norm.mlir --optimize=join-sections,scale-sums --output Y=%t.scaled.npy --output rstd=%t.scaled.rstd.npy
// RUN: tt-run %examples/layer_norm.mlir --optimize=join-sections --output Y=%t.plain.npy --output rstd=%t.plain.rstd.npy
// RUN: cmp %t.scaled.npy %t.plain.npy && cmp %t.scaled.rstd.npy %t.plain.rstd.npy
// RUN: sed 's/256/96/g; s/0.00390625/0.010416667/' %examples/layer_norm.mlir > %t.96.mlir
// RUN: tt-opt --tt-pipeline=optimize=join-sections,scale-sums --canonicalize --cse %t.96.mlir --remarks-filter=tt-scale-sums 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: a sum is scaled behind it: the scale is no power of two, of which a source register keeps all bits
// OTHER: mul_scalar
// RUN: %if all %{ tt-run --check %t.96.mlir %}

// Where four cores have a row together, each scales its part: their sums are added in two steps, and have the same bits.
// RUN: sed 's/256/1024/g; s/0.00390625/0.0009765625/' %examples/layer_norm.mlir > %t.1024.mlir
// RUN: tt-opt --tt-pipeline=optimize=split-rows,join-sections,scale-sums --canonicalize --cse %t.1024.mlir | FileCheck %s --check-prefix=PARTS
// PARTS: tt.kernel @compute
// PARTS: metalium.sfpu_tile fill, %c0 scalar = 9.765625E-4
// PARTS: metalium.pack_tile %c0, %[[SCALE:.*]] : !tt.cb<1x1xbf16>
// PARTS: metalium.matmul_tiles %{{.*}}, %[[SCALE]],
// PARTS: metalium.sfpu_tiles add, %c0, %c1, %c0
// PARTS: metalium.sfpu_tiles add, %c0, %c1, %c0
// PARTS-NOT: mul_scalar
// RUN: %if all %{ tt-run %t.1024.mlir --optimize=split-rows,join-sections,scale-sums --output Y=%t.parts.npy --output rstd=%t.parts.rstd.npy %}
// RUN: %if all %{ tt-run %t.1024.mlir --optimize=split-rows,join-sections --output Y=%t.behind.npy --output rstd=%t.behind.rstd.npy %}
// RUN: %if all %{ cmp %t.parts.npy %t.behind.npy && cmp %t.parts.rstd.npy %t.behind.rstd.npy %}

// Numbers with the exponents of f16 would get too small.
// RUN: sed 's/bf16/f16/g' %examples/layer_norm.mlir | tt-opt --tt-pipeline=optimize=join-sections,scale-sums --canonicalize --cse --remarks-filter=tt-scale-sums 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: numbers with the exponents of f16 may get too small

// What the scale filled may be made behind the sum, which fills it now.
// RUN: tt-opt --tt-model --tt-pipeline=arch=blackhole %examples/models/gpt.mlir --remarks-filter=tt-scale-sums -o %t.gpt.mlir 2>&1 | FileCheck %s --check-prefix=DONE

// Alone, on what stage C leaves.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c=optimize=join-sections %examples/layer_norm.mlir --mlir-print-ir-before=tt-keep-sums -o /dev/null 2> %t.dump
// RUN: awk '/IR Dump/ {n++; next} n == 1' %t.dump | tt-opt --tt-scale-sums | FileCheck %s --check-prefix=ALONE
// ALONE: tt.sfpu.unary fill, dst = 0 scalar = 3.906250e-03 -> %{{.*}} : !tt.cb<1x1x
// ALONE: tt.fpu.reduce sum_row, %{{.*}}, %{{.*}}, dst = 0 -> %[[MEAN:[0-9]+]] :
// ALONE-NOT: mul_scalar
