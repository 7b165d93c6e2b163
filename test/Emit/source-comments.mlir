// With --source-comments a kernel says where in the source its calls come from. Locations
// survive a pipe with --mlir-print-debuginfo.
// RUN: tt-opt --tt-pipeline=optimize=none --mlir-print-debuginfo %examples/matmul.mlir | tt-translate --emit-metalium --source-comments | FileCheck %s
// RUN: tt-opt --tt-pipeline=optimize=none --mlir-print-debuginfo %examples/matmul.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=NONE
// RUN: tt-opt --tt-pipeline=optimize=none --mlir-print-debuginfo %examples/matmul.mlir | sed 's/matmul.mlir"/mat\\0Amul.mlir"/' | tt-translate --emit-metalium --source-comments | FileCheck %s --check-prefix=LINE
// CHECK: //--- matmul/reader.cpp
// CHECK: // {{.*}}matmul.mlir:19:7
// CHECK-NEXT: cb_reserve_back(cb_in0, 1);
// CHECK: // {{.*}}matmul.mlir:23:7
// CHECK-NEXT: noc_async_read_page({{.*}}, B,
// CHECK: cb_push_back(cb_in1, 1);
// CHECK: //--- matmul/compute.cpp
// CHECK: // {{.*}}matmul.mlir:25:7
// CHECK-NEXT: compute_kernel_hw_startup
// CHECK: // {{.*}}matmul.mlir:25:7
// CHECK-NEXT: cb_wait_front(cb_in0, 1);
// CHECK: matmul_tiles(cb_in0, cb_in1, 0, 0, 0);
// CHECK: // {{.*}}matmul.mlir:31:5
// CHECK-NEXT: cb_reserve_back(cb_out0, 1);
// NONE-NOT: matmul.mlir:
// A comment is one line, whatever the name of the file.
// LINE: // {{.*}}mat?mul.mlir:25:7
