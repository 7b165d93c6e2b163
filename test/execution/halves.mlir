// RUN: tt-opt %s --tt-pipeline=optimize=none | FileCheck %s --check-prefix=WIDE
// RUN: tt-run %s --check | FileCheck %s
// RUN: sed 's/tt.kernel}/tt.kernel, tt.fp32_dest_acc = false}/' %s | tt-run --check - | FileCheck %s --check-prefix=NARROW

// Kernels of f16 compute in DST of 32 bits: 16 bits hold either f16 or bf16. Who asks for 16 bits
// gets them, and what the vector unit leaves there is rounded to f16.
// WIDE: tt.fp32_dest_acc = true
// CHECK: C: max abs error {{.*}} (at most 0.0051), {{.*}}: ok
// NARROW-NOT: max abs error 0,
// NARROW: C: max abs error {{.*}} (at most 0.012), {{.*}}: ok

// Masks and indices are f16 as well: a kernel is built for exponents of one width. Float32 goes
// with both.
// RUN: split-file %S/Inputs/halves %t && tt-opt %t/sums.mlir --tt-pipeline | tt-translate --emit-metalium | FileCheck %s --check-prefix=INDEX
// INDEX: // Element (r, c) of a tile of halves becomes r * rows + c * cols.
// INDEX-NOT: Float16_b
// RUN: tt-run %t/sums.mlir --check | FileCheck %s --check-prefix=SUMS
// RUN: tt-run %t/sums.mlir --check --arch=blackhole | FileCheck %s --check-prefix=SUMS
// SUMS: S: {{.*}}: ok
// RUN: not tt-opt %t/mixed.mlir --tt-pipeline 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: error: [rule 12] tensor 'A' is stored as fp16 and 'B' as bf16, but kernels are built for exponents of one width; store one of them as fp32, which goes with both: tt.layout = {dtype = "fp32"} at the argument
// RUN: sed 's/{tt.name = "B"}/{tt.name = "B", tt.layout = {dtype = "fp32"}}/' %t/mixed.mlir | tt-run --check - | FileCheck %s --check-prefix=STORED
// STORED: C: {{.*}}: ok
// RUN: tt-opt %t/sums.mlir --tt-pipeline | sed '/@cb_intermed0 /s/ float16/ bfloat16/' | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=IR
// IR: error: [rule 12] its core (0, 0) has @{{.*}} of float16 and @cb_intermed0 of bfloat16, but kernels are built for exponents of one width; make one of them float32, which goes with both
// RUN: tt-run %t/sums.mlir --keep %t > /dev/null && cd %t/sums && sed -i '0,/DataFormat::Float16)/s//DataFormat::Float16_b)/' main.cpp && not tt-run main.cpp 0.bin %t/S.bin 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: [rule 12] core (0, 0) has circular buffer {{[0-9]+}} of Float16_b and {{[0-9]+}} of Float16, but its compute kernel is built for exponents of one width; Float32 goes with both
#id = affine_map<(i, j) -> (i, j)>
func.func @halves(%A: memref<64x50xf16> {tt.name = "A"}, %B: memref<64x50xf16> {tt.name = "B"},
                  %C: memref<64x50xf16> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A, %B : memref<64x50xf16>, memref<64x50xf16>) outs(%C : memref<64x50xf16>) {
    ^bb0(%a: f16, %b: f16, %old: f16):
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %b : f16 to f32
      %t = math.tanh %x : f32
      %d = arith.subf %y, %t : f32
      %c = math.cos %d : f32
      %h = arith.truncf %c : f32 to f16
      linalg.yield %h : f16
  }
  return
}
