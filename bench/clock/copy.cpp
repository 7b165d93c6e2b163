// A copy of a square of bf16, N x N, interleaved over DRAM, on all cores: `copy.cpp [N]`.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

using namespace tt;
using namespace tt::tt_metal;

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? std::atoi(argv[1]) : 2048, tiles = n / 32 * (n / 32);
    const uint32_t tile_bytes = 2048, batch = 8;
    auto device = distributed::MeshDevice::create_unit_mesh(0);
    auto& cq = device->mesh_command_queue();
    const CoreCoord grid = device->compute_with_storage_grid_size();
    const distributed::DeviceLocalBufferConfig local{.page_size = tile_bytes,
                                                     .buffer_type = BufferType::DRAM};
    const distributed::ReplicatedBufferConfig whole{.size = uint64_t{tiles} * tile_bytes};
    auto from = distributed::MeshBuffer::create(whole, local, device.get());
    auto to = distributed::MeshBuffer::create(whole, local, device.get());
    Program program = CreateProgram();
    const CoreRange cores({0, 0}, {grid.x - 1, grid.y - 1});
    CreateCircularBuffer(
        program, cores,
        CircularBufferConfig(2 * batch * tile_bytes, {{CBIndex::c_0, DataFormat::Float16_b}})
            .set_page_size(CBIndex::c_0, tile_bytes));
    std::vector<uint32_t> read_args = {batch}, write_args = {batch};
    TensorAccessorArgs(*from).append_to(read_args);
    TensorAccessorArgs(*to).append_to(write_args);
    const auto reader = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "copy_reader.cpp", cores,
                                     ReaderDataMovementConfig(read_args));
    const auto writer = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "copy_writer.cpp", cores,
                                     WriterDataMovementConfig(write_args));
    const uint32_t count = grid.x * grid.y, share = tiles / count;
    for (uint32_t i = 0; i < count; ++i) {
        const CoreCoord core(i % grid.x, i / grid.x);
        SetRuntimeArgs(program, reader, core, {uint32_t(from->address()), i * share, share});
        SetRuntimeArgs(program, writer, core, {uint32_t(to->address()), i * share, share});
    }
    std::vector<uint32_t> data(n * n / 2), back;
    for (uint32_t i = 0; i < data.size(); ++i) {
        data[i] = i;
    }
    distributed::EnqueueWriteMeshBuffer(cq, from, data, true);
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
    distributed::EnqueueMeshWorkload(cq, workload, true);
    distributed::EnqueueReadMeshBuffer(cq, back, to, true);
    return device->close() && back == data ? 0 : 1;
}
