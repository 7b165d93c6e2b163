// What the host programs of these examples share: a device, buffers, circular buffers and kernels.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <tt-metalium/work_split.hpp>

#ifndef OVERRIDE_KERNEL_PREFIX
#define OVERRIDE_KERNEL_PREFIX ""
#endif

using namespace tt;
using namespace tt::tt_metal;

constexpr uint32_t tile_bytes = 2048;  // of bfloat16

using Mesh = std::shared_ptr<distributed::MeshDevice>;
using Tensor = std::shared_ptr<distributed::MeshBuffer>;
using Values = std::vector<bfloat16>;

inline Tensor make_tensor(const Mesh& device, uint32_t tiles) {
    const distributed::DeviceLocalBufferConfig local{.page_size = tile_bytes,
                                                     .buffer_type = BufferType::DRAM};
    const distributed::ReplicatedBufferConfig replicated{.size = uint64_t{tiles} * tile_bytes};
    return distributed::MeshBuffer::create(replicated, local, device.get());
}

inline void make_cb(Program& program, const CoreRangeSet& cores, CBIndex index, uint32_t pages) {
    CircularBufferConfig config(pages * tile_bytes, {{index, DataFormat::Float16_b}});
    config.set_page_size(index, tile_bytes);
    CreateCircularBuffer(program, cores, config);
}

// Appends what a kernel must know of tensors to its compile-time arguments.
inline std::vector<uint32_t> with_accessors(std::vector<uint32_t> args,
                                            const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors) {
        TensorAccessorArgs(*tensor).append_to(args);
    }
    return args;
}

inline KernelHandle make_reader(Program& program, const CoreRangeSet& cores,
                                const std::string& path, const std::vector<uint32_t>& args) {
    return CreateKernel(
        program, path, cores,
        DataMovementConfig{
            .processor = DataMovementProcessor::RISCV_1, .noc = NOC::NOC_0, .compile_args = args});
}

inline KernelHandle make_writer(Program& program, const CoreRangeSet& cores,
                                const std::string& path, const std::vector<uint32_t>& args) {
    return CreateKernel(
        program, path, cores,
        DataMovementConfig{
            .processor = DataMovementProcessor::RISCV_0, .noc = NOC::NOC_1, .compile_args = args});
}

// Runs programs in order, each as a workload of its own.
inline void run(const Mesh& device, std::vector<Program> programs) {
    for (Program& program : programs) {
        distributed::MeshWorkload workload;
        workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
        distributed::EnqueueMeshWorkload(device->mesh_command_queue(), workload, false);
    }
    distributed::Finish(device->mesh_command_queue());
}

inline void run(const Mesh& device, Program program) {
    std::vector<Program> one;
    one.push_back(std::move(program));
    run(device, std::move(one));
}

inline void write(const Mesh& device, const Tensor& tensor, const Values& matrix, uint32_t rows,
                  uint32_t cols) {
    distributed::EnqueueWriteMeshBuffer(device->mesh_command_queue(), tensor,
                                        tilize_nfaces(matrix, rows, cols), false);
}

inline Values read(const Mesh& device, const Tensor& tensor, uint32_t rows, uint32_t cols) {
    Values tiles;
    distributed::EnqueueReadMeshBuffer(device->mesh_command_queue(), tiles, tensor, true);
    return untilize_nfaces(tiles, rows, cols);
}

inline Values random_values(std::size_t n, int seed, float low = -1, float high = 1) {
    return create_random_vector_of_bfloat16_native(n * sizeof(bfloat16), high - low, seed, low);
}

// Prints how far the results are from expected(i), relative to all of these; returns the exit
// status.
template <typename Expected>
int report(const Mesh& device, const char* what, const Values& results, double limit,
           Expected expected) {
    double error = 0, size = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const double e = expected(i), d = double(float(results[i])) - e;
        error += d * d;
        size += e * e;
    }
    const double relative = std::sqrt(error / (size > 0 ? size : 1));
    const bool ok = relative <= limit;
    std::printf("%s: %zu results, relative error %.4f, %s\n", what, results.size(), relative,
                ok ? "ok" : "wrong");
    return device->close() && ok ? 0 : 1;
}
