// Softmax along the rows of a matrix, whose rows of tiles are split over the cores.
//   tt-run examples/metalium/softmax/main.cpp [ROWS COLS], in tiles
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <tt-metalium/work_split.hpp>

using namespace tt;
using namespace tt::tt_metal;

int main(int argc, char** argv) {
    const uint32_t mt = argc > 1 ? std::atoi(argv[1]) : 70, nt = argc > 2 ? std::atoi(argv[2]) : 3;
    constexpr uint32_t tile_bytes = 2048;
    TT_FATAL(mt >= 1 && nt >= 1 && nt <= 64, "between 1 and 64 tiles a row");
    auto device = distributed::MeshDevice::create_unit_mesh(0);
    auto& cq = device->mesh_command_queue();
    Program program = CreateProgram();

    const auto grid = device->compute_with_storage_grid_size();
    const auto [num_cores, cores, more, less, rows_of_more, rows_of_less] =
        split_work_to_cores(grid, mt, true);

    const distributed::DeviceLocalBufferConfig local{.page_size = tile_bytes,
                                                     .buffer_type = BufferType::DRAM};
    const distributed::ReplicatedBufferConfig size{.size = uint64_t{mt} * nt * tile_bytes};
    auto x = distributed::MeshBuffer::create(size, local, device.get());
    auto y = distributed::MeshBuffer::create(size, local, device.get());
    const auto make_cb = [&](CBIndex index, uint32_t pages) {
        CreateCircularBuffer(
            program, cores,
            CircularBufferConfig(pages * tile_bytes, {{index, DataFormat::Float16_b}})
                .set_page_size(index, tile_bytes));
    };
    make_cb(CBIndex::c_0, 2);
    make_cb(CBIndex::c_1, 1);
    make_cb(CBIndex::c_16, 2);
    make_cb(CBIndex::c_24, nt);
    make_cb(CBIndex::c_25, 1);

    std::vector<uint32_t> reader_args, writer_args;
    TensorAccessorArgs(*x).append_to(reader_args);
    TensorAccessorArgs(*y).append_to(writer_args);
    const auto reader = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "reader.cpp", cores,
                                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                                        .noc = NOC::RISCV_1_default,
                                                        .compile_args = reader_args});
    const auto writer = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "writer.cpp", cores,
                                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                                                        .noc = NOC::RISCV_0_default,
                                                        .compile_args = writer_args});
    const auto compute =
        CreateKernel(program, OVERRIDE_KERNEL_PREFIX "compute.cpp", cores, ComputeConfig{});
    SetCommonRuntimeArgs(program, compute, {nt});
    for (uint32_t i = 0, first = 0; i < num_cores; ++i) {
        const CoreCoord core(i % grid.x, i / grid.x);
        const uint32_t rows = more.contains(core) ? rows_of_more : rows_of_less;
        SetRuntimeArgs(program, reader, core, {uint32_t(x->address()), first * nt, rows * nt});
        SetRuntimeArgs(program, writer, core, {uint32_t(y->address()), first * nt, rows * nt});
        SetRuntimeArgs(program, compute, core, {rows});
        first += rows;
    }

    const uint32_t m = mt * 32, n = nt * 32;
    std::vector<bfloat16> input(m * n), output;
    for (uint32_t i = 0; i < m * n; ++i) {
        input[i] = bfloat16(float(i * 37 % 101) / 25.0f - 2.0f);
    }
    distributed::EnqueueWriteMeshBuffer(cq, x, tilize_nfaces(input, m, n), false);
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
    distributed::EnqueueMeshWorkload(cq, workload, false);
    distributed::EnqueueReadMeshBuffer(cq, output, y, true);
    output = untilize_nfaces(output, m, n);

    double worst = 0;
    for (uint32_t i = 0; i < m; ++i) {
        double sum = 0;
        for (uint32_t j = 0; j < n; ++j) {
            sum += std::exp(double(float(input[i * n + j])));
        }
        for (uint32_t j = 0; j < n; ++j) {
            const double expected = std::exp(double(float(input[i * n + j]))) / sum;
            worst =
                std::fmax(worst, std::fabs(double(float(output[i * n + j])) - expected) / expected);
        }
    }
    const bool ok = worst < 0.03;  // four roundings to bf16
    std::printf("%ux%u on %u cores: largest relative error %.4f, %s\n", m, n, num_cores, worst,
                ok ? "ok" : "too much");
    return device->close() && ok ? 0 : 1;
}
