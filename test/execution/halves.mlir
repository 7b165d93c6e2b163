// RUN: tt-opt %s --tt-pipeline=optimize=none | FileCheck %s --check-prefix=NARROW
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole | FileCheck %s %}
// RUN: %if all %{ sed 's/tt.kernel}/tt.kernel, tt.fp32_dest_acc}/' %s | tt-run --check - | \
// RUN:   FileCheck %s --check-prefix=WIDE %}

// Kernels of f16 compute in DST of 16 bits, which keep all of f16. Who asks for 32 bits gets them,
// and the 8 bits that the packer leaves: its errors are in the third digit, not the fourth.
// NARROW: tt.fp32_dest_acc = false
// CHECK: C: max abs error {{.*}}, relative RMS 0.000{{.*}} (at most 0.012), {{.*}}: ok
// WIDE: C: max abs error {{.*}}, relative RMS 0.001{{.*}} (at most 0.0051), {{.*}}: ok

// Who computes in f32 amid a body has its range, which fp16 has not: exp of 20 is 4.9e8.
// RUN: split-file %S/Inputs/halves %t && tt-opt %t/range.mlir --tt-pipeline=optimize=none | FileCheck %s --check-prefix=RANGE
// RUN: %if all %{ tt-run %t/range.mlir --check | FileCheck %s --check-prefix=KEPT %}
// RANGE: tt.fp32_dest_acc = true
// KEPT: C: max abs error {{.*}} (at most 0.0051), {{.*}}: ok

// Masks and indices are f16 as well: a kernel is built for exponents of one width. Float32 goes
// with both.
// RUN: tt-opt %t/sums.mlir --tt-pipeline | tt-translate --emit-metalium | FileCheck %s --check-prefix=INDEX
// INDEX: // Element (r, c) of a tile of halves becomes r * rows + c * cols.
// INDEX-NOT: tt::DataFormat::Float16_b
// RUN: %if all %{ tt-run %t/sums.mlir --check | FileCheck %s --check-prefix=SUMS %}
// RUN: %if all %{ tt-run %t/sums.mlir --check --arch=blackhole | \
// RUN:   FileCheck %s --check-prefix=SUMS %}
// SUMS: S: {{.*}}: ok
// RUN: not tt-opt %t/mixed.mlir --tt-pipeline 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: error: [rule 12] tensor 'A' is stored as fp16 and 'B' as bf16, but kernels are built for exponents of one width; store one of them as fp32, which goes with both: tt.layout = {dtype = "fp32"} at the argument
// RUN: %if all %{ sed 's/{tt.name = "B"}/{tt.name = "B", tt.layout = {dtype = "fp32"}}/' %t/mixed.mlir | tt-run --check - | FileCheck %s --check-prefix=STORED %}
// STORED: C: {{.*}}: ok
// RUN: tt-opt %t/sums.mlir --tt-pipeline | sed '/@cb_intermed0 /s/ float16/ bfloat16/' | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=IR
// IR: error: [rule 12] its core (0, 0) has @{{.*}} of float16 and @cb_intermed0 of bfloat16, but kernels are built for exponents of one width; make one of them float32, which goes with both
// RUN: %if all %{ tt-run %t/sums.mlir --keep %t > /dev/null && cd %t/sums && sed -i '0,/DataFormat::Float16)/s//DataFormat::Float16_b)/' main.cpp && not tt-run main.cpp 0.bin %t/S.bin 2>&1 | FileCheck %s --check-prefix=DEVICE %}
// DEVICE: error: [rule 12] core (0, 0) has circular buffer {{[0-9]+}} of Float16_b and {{[0-9]+}} of Float16, but its compute kernel is built for exponents of one width; Float32 goes with both
#id = affine_map<(i, j) -> (i, j)>
func.func @halves(%A: memref<64x50xf16> {tt.name = "A"}, %B: memref<64x50xf16> {tt.name = "B"},
                  %C: memref<64x50xf16> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A, %B : memref<64x50xf16>, memref<64x50xf16>) outs(%C : memref<64x50xf16>) {
    ^bb0(%a: f16, %b: f16, %old: f16):
      %p = arith.mulf %a, %b : f16
      %s = arith.addf %p, %a : f16
      linalg.yield %s : f16
  }
  return
}
