// C = A B with a core for each tile of C; operands are multicast along rows and columns of cores.
//   tt-run examples/metalium/matmul_multicast/main.cpp [ROWS COLS K], in tiles
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>

using namespace tt;
using namespace tt::tt_metal;

int main(int argc, char** argv) {
    const uint32_t mt = argc > 1 ? std::atoi(argv[1]) : 4, nt = argc > 2 ? std::atoi(argv[2]) : 3;
    const uint32_t kt = argc > 3 ? std::atoi(argv[3]) : 2, tile_bytes = 2048;
    auto device = distributed::MeshDevice::create_unit_mesh(0);
    auto& cq = device->mesh_command_queue();
    const CoreCoord grid = device->compute_with_storage_grid_size();
    TT_FATAL(mt >= 1 && nt >= 1 && kt >= 1 && mt <= grid.y && nt <= grid.x, "a core for each tile");
    Program program = CreateProgram();
    const CoreRange cores({0, 0}, {nt - 1, mt - 1});

    const auto make_buffer = [&](uint32_t tiles) {
        const distributed::DeviceLocalBufferConfig local{.page_size = tile_bytes,
                                                         .buffer_type = BufferType::DRAM};
        return distributed::MeshBuffer::create(
            distributed::ReplicatedBufferConfig{.size = uint64_t{tiles} * tile_bytes}, local,
            device.get());
    };
    auto a = make_buffer(mt * kt), b = make_buffer(kt * nt), c = make_buffer(mt * nt);
    const auto make_cb = [&](CBIndex index, uint32_t pages) {
        CreateCircularBuffer(
            program, cores,
            CircularBufferConfig(pages * tile_bytes, {{index, DataFormat::Float16_b}})
                .set_page_size(index, tile_bytes));
    };
    make_cb(CBIndex::c_0, 2);
    make_cb(CBIndex::c_1, 2);
    make_cb(CBIndex::c_16, 1);

    std::vector<uint32_t> reader_args, writer_args;
    for (int i = 0; i < 4; ++i) {  // ready and valid, of A and of B
        reader_args.push_back(CreateSemaphore(program, cores, 0));
    }
    TensorAccessorArgs(*a).append_to(reader_args);
    TensorAccessorArgs(*b).append_to(reader_args);
    TensorAccessorArgs(*c).append_to(writer_args);
    // NoC 0 goes right and down, as its multicasts do from their first corner on.
    const auto reader = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "reader.cpp", cores,
                                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                                        .noc = NOC::NOC_0,
                                                        .compile_args = reader_args});
    const auto writer = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "writer.cpp", cores,
                                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                                                        .noc = NOC::NOC_1,
                                                        .compile_args = writer_args});
    const auto compute =
        CreateKernel(program, OVERRIDE_KERNEL_PREFIX "compute.cpp", cores, ComputeConfig{});

    const CoreCoord first = device->worker_core_from_logical_core({0, 0});
    const CoreCoord last = device->worker_core_from_logical_core({nt - 1, mt - 1});
    SetCommonRuntimeArgs(
        program, reader,
        {kt, nt, uint32_t(first.x), uint32_t(first.y), uint32_t(last.x), uint32_t(last.y)});
    SetCommonRuntimeArgs(program, compute, {kt});
    for (uint32_t row = 0; row < mt; ++row) {
        for (uint32_t col = 0; col < nt; ++col) {
            const CoreCoord core(col, row);
            SetRuntimeArgs(program, reader, core,
                           {uint32_t(a->address()), uint32_t(b->address()), row, col});
            SetRuntimeArgs(program, writer, core, {uint32_t(c->address()), row * nt + col});
        }
    }

    // Small integers: every sum is exact, in any order.
    const uint32_t m = mt * 32, n = nt * 32, k = kt * 32;
    std::vector<bfloat16> a_data(m * k), b_data(k * n), c_data;
    for (uint32_t i = 0; i < m * k; ++i) {
        a_data[i] = bfloat16(float(int(i * 7 % 3) - 1));
    }
    for (uint32_t i = 0; i < k * n; ++i) {
        b_data[i] = bfloat16(float(int(i * 5 % 11 % 3) - 1));
    }
    distributed::EnqueueWriteMeshBuffer(cq, a, tilize_nfaces(a_data, m, k), false);
    distributed::EnqueueWriteMeshBuffer(cq, b, tilize_nfaces(b_data, k, n), false);
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
    distributed::EnqueueMeshWorkload(cq, workload, false);
    distributed::EnqueueReadMeshBuffer(cq, c_data, c, true);
    c_data = untilize_nfaces(c_data, m, n);

    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            float sum = 0;
            for (uint32_t l = 0; l < k; ++l) {
                sum += float(a_data[i * k + l]) * float(b_data[l * n + j]);
            }
            if (float(c_data[i * n + j]) != sum) {
                std::printf("C[%u, %u] is %g, expected %g\n", i, j, float(c_data[i * n + j]), sum);
                return 1;
            }
        }
    }
    std::printf("%ux%ux%u on %u cores: all of C is right\n", m, n, k, mt * nt);
    return device->close() ? 0 : 1;
}
