// RUN: tt-opt --tt-pipeline=optimize=none %examples/two_kernels.mlir -o %t.mlir
// RUN: tt-translate --emit-metalium %t.mlir | FileCheck %s
// RUN: tt-translate --emit-metalium %t.mlir --output-dir=%t.dir
// RUN: python3 %root/test/Emit/check_plan.py %root/docs/plan.schema.json %t.dir/row_softmax/tt.plan.json | FileCheck %s --check-prefix=PLAN
// RUN: ls %t.dir/row_softmax/exponents %t.dir/row_softmax/quotients | FileCheck %s --check-prefix=FILES

// A host function is one program: a function for each kernel, and what it does in order.
// CHECK-NOT: //--- exponents
// CHECK: //--- row_softmax/exponents/reader.cpp
// CHECK: //--- row_softmax/quotients/compute.cpp
// CHECK: //--- row_softmax/main.cpp
// CHECK-NEXT: // row_softmax: host program.
// CHECK-NEXT: //   main X.bin Y.bin
// CHECK: static void run_exponents(const std::shared_ptr<distributed::MeshDevice>& device, distributed::MeshCommandQueue& cq,
// CHECK-NEXT: const std::shared_ptr<distributed::MeshBuffer>& X,
// CHECK: OVERRIDE_KERNEL_PREFIX "exponents/compute.cpp"
// CHECK: static void run_quotients(
// CHECK: int main(int argc, char** argv) {
// CHECK: auto X = make_buffer(32, 2048, BufferType::DRAM);
// CHECK: auto E = make_sharded_buffer({8, 4}, {1, 4}, 2048, BufferType::L1,
// CHECK: auto S = make_buffer(8, 4096, BufferType::DRAM);
// CHECK-NEXT: run_exponents(device, cq, X, E, S);
// CHECK-NEXT: run_quotients(device, cq, E, S, Y);
// CHECK-NEXT: E->deallocate();
// CHECK-NEXT: S->deallocate();
// CHECK-NEXT: distributed::Finish(cq);
// CHECK: write_file(argv[2],

// PLAN: valid: row_softmax, 2 launches: exponents, quotients
// FILES: exponents:
// FILES-DAG: compute.cpp
// FILES: quotients:
