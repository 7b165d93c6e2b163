// C = A B over many cores; each computes a block of C, and gets each block of A and B once: from
// DRAM or, with `multicast`, from the first core of its row or column.
//   tt-run bench/baseline/matmul_reuse/main.cpp [M N K], in elements, [multicast]
//   [LoFi|HiFi2|HiFi3|HiFi4]
// What emitted products are measured against: stays as it is, whatever becomes of the example.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>

using namespace tt;
using namespace tt::tt_metal;

// The largest divisor of n that is at most `most`.
static uint32_t divisor(uint32_t n, uint32_t most) {
    while (n % most != 0) {
        --most;
    }
    return most;
}

int main(int argc, char** argv) {
    const uint32_t m = argc > 1 ? std::atoi(argv[1]) : 512, n = argc > 2 ? std::atoi(argv[2]) : 512;
    const uint32_t k = argc > 3 ? std::atoi(argv[3]) : 512, tile_bytes = 2048;
    TT_FATAL(m >= 32 && n >= 32 && k >= 32 && m % 32 == 0 && n % 32 == 0 && k % 32 == 0,
             "M, N and K are multiples of 32");
    bool multicast = false;
    MathFidelity fidelity = MathFidelity::HiFi4;
    for (int i = 4; i < argc; ++i) {
        const std::string word = argv[i];
        multicast |= word == "multicast";
        fidelity = word == "LoFi"    ? MathFidelity::LoFi
                   : word == "HiFi2" ? MathFidelity::HiFi2
                   : word == "HiFi3" ? MathFidelity::HiFi3
                                     : fidelity;
    }
    const uint32_t mt = m / 32, nt = n / 32, kt = k / 32;
    auto device = distributed::MeshDevice::create_unit_mesh(0);
    auto& cq = device->mesh_command_queue();
    const CoreCoord grid = device->compute_with_storage_grid_size();
    const uint32_t rows = divisor(mt, grid.y), cols = divisor(nt, grid.x);  // of cores
    const uint32_t rt = mt / rows, ct = nt / cols, kb = divisor(kt, 4);     // tiles of a block
    const uint32_t part_cols = divisor(ct, 8),
                   part_rows = divisor(rt, 8 / part_cols);  // what DST holds at once
    const uint32_t part = part_rows * part_cols;
    Program program = CreateProgram();
    const CoreRange cores({0, 0}, {cols - 1, rows - 1});

    const auto make_buffer = [&](uint32_t tiles) {
        const distributed::DeviceLocalBufferConfig local{.page_size = tile_bytes,
                                                         .buffer_type = BufferType::DRAM};
        const distributed::ReplicatedBufferConfig replicated{.size = uint64_t{tiles} * tile_bytes};
        return distributed::MeshBuffer::create(replicated, local, device.get());
    };
    auto a = make_buffer(mt * kt), b = make_buffer(kt * nt), c = make_buffer(mt * nt);
    const auto make_cb = [&](CBIndex index, uint32_t pages) {
        const CircularBufferConfig config(pages * tile_bytes, {{index, DataFormat::Float16_b}});
        CreateCircularBuffer(program, cores,
                             CircularBufferConfig(config).set_page_size(index, tile_bytes));
    };
    make_cb(CBIndex::c_0, 2 * rt * kb);
    make_cb(CBIndex::c_1, 2 * kb * ct);
    make_cb(CBIndex::c_16, 2 * part);
    make_cb(CBIndex::c_24, rt * ct);

    std::vector<uint32_t> reader_args = {rt, ct, kb, kt, nt},
                          writer_args = {rt, ct, nt, part_rows, part_cols};
    TensorAccessorArgs(*a).append_to(reader_args);
    TensorAccessorArgs(*b).append_to(reader_args);
    TensorAccessorArgs(*c).append_to(writer_args);
    const auto reader = CreateKernel(program,
                                     multicast ? OVERRIDE_KERNEL_PREFIX "reader_multicast.cpp"
                                               : OVERRIDE_KERNEL_PREFIX "reader.cpp",
                                     cores,
                                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                                        .noc = NOC::NOC_0,
                                                        .compile_args = reader_args});
    for (int i = 0; i < 4; ++i) {
        CreateSemaphore(program, cores, 0);
    }
    const CoreCoord first = device->worker_core_from_logical_core({0, 0});
    const CoreCoord last = device->worker_core_from_logical_core({cols - 1, rows - 1});
    SetCommonRuntimeArgs(
        program, reader,
        {uint32_t(first.x), uint32_t(first.y), uint32_t(last.x), uint32_t(last.y)});
    const auto writer = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "writer.cpp", cores,
                                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                                                        .noc = NOC::NOC_1,
                                                        .compile_args = writer_args});
    CreateKernel(program, OVERRIDE_KERNEL_PREFIX "compute.cpp", cores,
                 ComputeConfig{.math_fidelity = fidelity,
                               .compile_args = {rt, ct, kb, kt / kb, part_rows, part_cols}});
    for (uint32_t row = 0; row < rows; ++row) {
        for (uint32_t col = 0; col < cols; ++col) {
            const CoreCoord core(col, row);
            SetRuntimeArgs(program, reader, core,
                           {uint32_t(a->address()), uint32_t(b->address()), row * rt, col * ct});
            SetRuntimeArgs(program, writer, core, {uint32_t(c->address()), row * rt, col * ct});
        }
    }

    std::vector<bfloat16> a_data = create_random_vector_of_bfloat16_native(m * k * 2, 2, 1, -1),
                          c_data;
    std::vector<bfloat16> b_data = create_random_vector_of_bfloat16_native(k * n * 2, 2, 2, -1);
    distributed::EnqueueWriteMeshBuffer(cq, a, tilize_nfaces(a_data, m, k), false);
    distributed::EnqueueWriteMeshBuffer(cq, b, tilize_nfaces(b_data, k, n), false);
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
    distributed::EnqueueMeshWorkload(cq, workload, false);
    distributed::EnqueueReadMeshBuffer(cq, c_data, c, true);
    c_data = untilize_nfaces(c_data, m, n);

    double error = 0, size = 0;  // on some elements of each tile
    for (uint32_t i = 5; i < m; i += 17) {
        for (uint32_t j = 3; j < n; j += 13) {
            double sum = 0;
            for (uint32_t l = 0; l < k; ++l) {
                sum += double(float(a_data[i * k + l])) * double(float(b_data[l * n + j]));
            }
            error += (sum - float(c_data[i * n + j])) * (sum - float(c_data[i * n + j]));
            size += sum * sum;
        }
    }
    const double relative = std::sqrt(error / size),
                 limit = (fidelity == MathFidelity::LoFi ? 0.06 : 0.03) * std::sqrt(1 + k / 1024.0);
    std::printf("%ux%ux%u on %u cores: relative error %.4f, %s\n", m, n, k, rows * cols, relative,
                relative < limit ? "ok" : "wrong");
    return device->close() && relative < limit ? 0 : 1;
}
