// The emitted GEMM reads like a hand-written programming example, in each era.
// RUN: tt-opt --tt-pipeline=optimize=none %examples/matmul.mlir -o %t.mlir
// RUN: tt-translate --emit-metalium --metalium-api=2026-03 %t.mlir > %t.2026-03
// RUN: FileCheck %s --check-prefixes=ALL,MARCH < %t.2026-03
// RUN: tt-translate --emit-metalium --metalium-api=2025 %t.mlir | FileCheck %s --check-prefixes=ALL,Y2025
// RUN: tt-translate --emit-metalium %t.mlir | FileCheck %s --check-prefixes=ALL,AUGUST
// RUN: tt-translate --emit-metalium --metalium-api=2026-03 %t.mlir | cmp - %t.2026-03

// ALL: //--- matmul/reader.cpp
// Y2025: #include "dataflow_api.h"
// MARCH: #include "api/dataflow/dataflow_api.h"
// AUGUST: #include "api/dataflow/dataflow_api.h"
// ALL: void kernel_main() {
// ALL-NEXT: const uint32_t A_addr = get_arg_val<uint32_t>(0);
// ALL-NEXT: const uint32_t B_addr = get_arg_val<uint32_t>(1);
// ALL-NEXT: const uint32_t start_id = get_arg_val<uint32_t>(2);
// ALL-NEXT: const uint32_t count = get_arg_val<uint32_t>(3);
// ALL-NEXT: constexpr uint32_t cb_in0 = tt::CBIndex::c_0;
// ALL-NEXT: constexpr uint32_t cb_in1 = tt::CBIndex::c_1;
// ALL: constexpr auto A_args = TensorAccessorArgs<0>();
// MARCH-NEXT: const auto A = TensorAccessor(A_args, A_addr, get_tile_size(cb_in0));
// AUGUST-NEXT: const auto A = TensorAccessor(A_args, A_addr);
// ALL: constexpr auto B_args = TensorAccessorArgs<A_args.next_compile_time_args_offset()>();
// ALL: for (uint32_t unit = 0; unit < count; ++unit) {
// ALL-NEXT: const uint32_t tid = start_id + unit;
// ALL-NEXT: const uint32_t by = tid / 8;
// ALL-NEXT: const uint32_t bx = tid % 8;
// ALL-NEXT: for (uint32_t k = 0; k < 8; ++k) {
// ALL-NEXT: cb_reserve_back(cb_in0, 1);
// ALL-NEXT: cb_reserve_back(cb_in1, 1);
// ALL-NEXT: const uint32_t cb_in0_write_ptr = get_write_ptr(cb_in0);
// Y2025-NEXT: noc_async_read_tile(by * 8 + k, A, cb_in0_write_ptr);
// MARCH-NEXT: noc_async_read_tile(by * 8 + k, A, cb_in0_write_ptr);
// AUGUST-NEXT: noc_async_read_page(by * 8 + k, A, cb_in0_write_ptr);
// ALL: noc_async_read_barrier();
// ALL-NEXT: cb_push_back(cb_in0, 1);
// ALL-NEXT: cb_push_back(cb_in1, 1);

// ALL: //--- matmul/compute.cpp
// Y2025: #include "compute_kernel_api/matmul.h"
// MARCH: #include "api/compute/matmul.h"
// AUGUST: #include "api/compute/compute_kernel_hw_startup.h"
// AUGUST-NEXT: #include "api/compute/matmul.h"
// Y2025: namespace NAMESPACE {
// Y2025-NEXT: void MAIN {
// MARCH-NOT: NAMESPACE
// AUGUST-NOT: NAMESPACE
// MARCH: void kernel_main() {
// AUGUST: void kernel_main() {
// Y2025: mm_init(cb_in0, cb_in1, cb_out0);
// MARCH: mm_init(cb_in0, cb_in1, cb_out0);
// AUGUST: compute_kernel_hw_startup<SrcOrder::Reverse>(cb_in0, cb_in1, cb_out0);
// AUGUST: matmul_init(cb_in0, cb_in1);
// ALL-NOT: mm_init_short
// ALL: tile_regs_acquire();
// ALL-NEXT: for (uint32_t k = 0; k < 8; ++k) {
// ALL-NEXT: // DST += cb_in0 x cb_in1
// ALL-NEXT: cb_wait_front(cb_in0, 1);
// ALL-NEXT: cb_wait_front(cb_in1, 1);
// Y2025-NEXT: matmul_tiles(cb_in0, cb_in1, 0, 0, 0, false);
// MARCH-NEXT: matmul_tiles(cb_in0, cb_in1, 0, 0, 0);
// AUGUST-NEXT: matmul_tiles(cb_in0, cb_in1, 0, 0, 0);
// ALL-NEXT: cb_pop_front(cb_in0, 1);
// ALL-NEXT: cb_pop_front(cb_in1, 1);
// ALL-NEXT: }
// ALL-NEXT: cb_reserve_back(cb_out0, 1);
// ALL-NEXT: tile_regs_commit();
// ALL-NEXT: tile_regs_wait();
// ALL-NEXT: pack_tile(0, cb_out0);
// ALL-NEXT: tile_regs_release();
// ALL-NEXT: cb_push_back(cb_out0, 1);
// Y2025: }  // namespace NAMESPACE

// ALL: //--- matmul/main.cpp
// ALL: if (argc != 4) {
// ALL: distributed::MeshDevice::create_unit_mesh(0);
// ALL: auto A = make_buffer(64, 2048, BufferType::DRAM);
// ALL: tilize_nfaces(read_file<uint16_t>(argv[1], 256 * 256), 256, 256);
// ALL: const CoreRangeSet cores(std::vector<CoreRange>{CoreRange(CoreCoord(0, 0), CoreCoord(7, 7))});
// ALL: make_cb(CBIndex::c_0, 2, 2048, DataFormat::Float16);  // cb_in0
// ALL: DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
// ALL: ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
// ALL: SetRuntimeArgs(program, compute, core, {count});
// ALL: write_file(argv[3], untilize_nfaces(C_result, 256, 256));

// ALL: //--- matmul/tt.plan.json
// ALL: "kernel": "matmul",
// ALL: //--- matmul/CMakeLists.txt
// ALL: find_package(TT-Metalium REQUIRED)
