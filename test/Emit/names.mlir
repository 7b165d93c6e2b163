// Emitted names never collide with C++ keywords, API names or one another, whatever
// the MLIR symbols are; and nothing is written outside the output folder.
// RUN: tt-opt --tt-pipeline=optimize=none %s | tt-translate --emit-metalium --output-dir=%t.dir
// RUN: ls %t.dir | FileCheck %s --check-prefix=FOLDERS
// RUN: FileCheck %s < %t.dir/_x2E_x2E_x2Fescape_x2Fk_x22/reader.cpp
// RUN: FileCheck %s --check-prefix=HOST < %t.dir/_x2E_x2E_x2Fescape_x2Fk_x22/main.cpp
// RUN: tt-opt --tt-pipeline=optimize=none %s -o %t.mlir
// RUN: tt-run %t.mlir --metalium-api=2026-03

// FOLDERS: _x2E_x2E_x2Fescape_x2Fk_x22
// CHECK: const uint32_t while_addr
// CHECK: const uint32_t noc_async_read_barrier_addr
// CHECK: const auto while_ = TensorAccessor(
// CHECK: const auto noc_async_read_barrier_1 = TensorAccessor(
// HOST: auto program_1 = make_buffer(
func.func @"../escape/k\22"(%a: memref<32x32xbf16> {tt.name = "while"},
                            %b: memref<32x32xbf16> {tt.name = "noc_async_read_barrier"},
                            %c: memref<32x32xbf16> {tt.name = "program"}) attributes {tt.kernel} {
  linalg.add ins(%a, %b : memref<32x32xbf16>, memref<32x32xbf16>) outs(%c : memref<32x32xbf16>)
  return
}
