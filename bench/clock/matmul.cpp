// A product of N x N x N on 8 x 8 cores as hand-tuned libraries write it:
//   matmul.cpp N [LoFi|HiFi2|HiFi3|HiFi4] [bf16|bfp8] [sharded|interleaved]
// One data movement processor brings A and multicasts it along rows of cores, the other brings B,
// multicasts it down columns, and writes C; sums of all steps of K but the last add up in L1. With
// `sharded`, A and C are in L1, a block a core, and each core of a row sends its block in its turn;
// otherwise the first core of a row reads A from DRAM, and C is computed in four parts.
#include "../../examples/metalium/common.hpp"

#include <cstring>

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? std::atoi(argv[1]) : 512, side = 8;
    MathFidelity fidelity = MathFidelity::HiFi4;
    bool bfp8 = false, sharded = n <= 2048;
    for (int i = 2; i < argc; ++i) {
        const std::string word = argv[i];
        fidelity = word == "LoFi"    ? MathFidelity::LoFi
                   : word == "HiFi2" ? MathFidelity::HiFi2
                   : word == "HiFi3" ? MathFidelity::HiFi3
                                     : fidelity;
        bfp8 |= word == "bfp8";
        sharded = word == "sharded" || (sharded && word != "interleaved");
    }
    const DataFormat format = bfp8 ? DataFormat::Bfp8_b : DataFormat::Float16_b;
    const uint32_t bytes = bfp8 ? 1088 : 2048, nt = n / 32;  // tiles of a side
    const uint32_t parts = sharded ? 1 : 2;                  // of a core's block, along each side
    const uint32_t rt = nt / side / parts, ct = rt;          // tiles of a part
    const uint32_t kb = nt / side, steps = nt / kb;          // of K
    const uint32_t cols = ct < 8 ? ct : 8, rows = 8 / cols < rt ? 8 / cols : rt;  // in DST
    const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
    const CoreRange cores({0, 0}, {side - 1, side - 1});

    const ShardSpecBuffer block(cores, {n / side, n / side}, ShardOrientation::ROW_MAJOR, {32, 32},
                                {nt, nt});
    const distributed::DeviceLocalBufferConfig in_dram{.page_size = bytes,
                                                       .buffer_type = BufferType::DRAM};
    const distributed::DeviceLocalBufferConfig in_l1{
        .page_size = bytes,
        .buffer_type = BufferType::L1,
        .sharding_args = BufferShardingArgs(block, TensorMemoryLayout::BLOCK_SHARDED)};
    const distributed::ReplicatedBufferConfig whole{.size = uint64_t{nt} * nt * bytes};
    const auto make = [&](const auto& local) {
        return distributed::MeshBuffer::create(whole, local, device.get());
    };
    const Tensor a = make(sharded ? in_l1 : in_dram), b = make(in_dram),
                 c = make(sharded ? in_l1 : in_dram);

    Program program = CreateProgram();
    const auto cb = [&](CBIndex index, uint32_t tiles, const Tensor* tensor) {
        CircularBufferConfig config(tiles * bytes, {{index, format}});
        config.set_page_size(index, bytes);
        if (tensor) {
            config.set_globally_allocated_address(*(*tensor)->get_backing_buffer());
        }
        CreateCircularBuffer(program, cores, config);
    };
    cb(CBIndex::c_0, 2 * rt * kb, nullptr);
    cb(CBIndex::c_1, 2 * kb * ct, nullptr);
    if (sharded) {
        cb(CBIndex::c_2, rt * kb, &a);
    }
    cb(CBIndex::c_16, rt * ct, sharded ? &c : nullptr);
    make_cb(program, cores, CBIndex::c_24, rt * ct);  // sums in bf16
    for (int i = 0; i < 4; ++i) {
        CreateSemaphore(program, cores, 0);
    }
    const CoreCoord first = device->worker_core_from_logical_core({0, 0});
    const std::vector<uint32_t> sizes = {
        rt,   ct,   kb,   steps,   nt,  parts, uint32_t(first.x), uint32_t(first.y),
        side, rows, cols, sharded, bfp8};
    const auto mover = [&](const char* path, DataMovementProcessor processor, NOC noc,
                           const std::vector<Tensor>& tensors) {
        return CreateKernel(program, path, cores,
                            DataMovementConfig{.processor = processor,
                                               .noc = noc,
                                               .compile_args = with_accessors(sizes, tensors)});
    };
    const auto in0 = mover(OVERRIDE_KERNEL_PREFIX "matmul_a.cpp", DataMovementProcessor::RISCV_1,
                           NOC::NOC_1, {sharded ? b : a});
    const auto in1 = mover(OVERRIDE_KERNEL_PREFIX "matmul_b.cpp", DataMovementProcessor::RISCV_0,
                           NOC::NOC_0, {b, sharded ? b : c});
    CreateKernel(program, OVERRIDE_KERNEL_PREFIX "matmul_compute.cpp", cores,
                 ComputeConfig{.math_fidelity = fidelity, .compile_args = sizes});
    for (uint32_t y = 0; y < side; ++y) {
        for (uint32_t x = 0; x < side; ++x) {
            SetRuntimeArgs(program, in0, CoreCoord(x, y), {uint32_t(a->address()), x, y});
            SetRuntimeArgs(program, in1, CoreCoord(x, y),
                           {uint32_t(b->address()), uint32_t(c->address()), x, y});
        }
    }

    Values left = random_values(n * n, 1), right = random_values(n * n, 2);
    if (bfp8) {  // zeros do: the clk are the same
        std::vector<uint32_t> zeros(uint64_t{nt} * nt * bytes / 4);
        distributed::EnqueueWriteMeshBuffer(device->mesh_command_queue(), a, zeros, true);
        distributed::EnqueueWriteMeshBuffer(device->mesh_command_queue(), b, zeros, true);
        run(device, std::move(program));
        return device->close() ? 0 : 1;
    }
    write(device, a, left, n, n);
    write(device, b, right, n, n);
    run(device, std::move(program));
    const Values result = read(device, c, n, n);
    double error = 0, size = 0;  // on some elements of each tile
    for (uint32_t i = 5; i < n; i += 37) {
        for (uint32_t j = 3; j < n; j += 29) {
            double sum = 0;
            for (uint32_t k = 0; k < n; ++k) {
                sum += double(float(left[i * n + k])) * double(float(right[k * n + j]));
            }
            error += (sum - float(result[i * n + j])) * (sum - float(result[i * n + j]));
            size += sum * sum;
        }
    }
    const double relative = std::sqrt(error / size);
    std::printf("%u: relative error %.4f\n", n, relative);
    return device->close() && relative < 0.1 ? 0 : 1;
}
