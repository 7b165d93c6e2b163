// Integers added on a data movement core: buffers in DRAM and L1, pointers into L1.
//   tt-run examples/metalium/add_integers/main.cpp
#include <cstdio>
#include <vector>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

using namespace tt;
using namespace tt::tt_metal;

int main() {
    constexpr uint32_t count = 256, page_bytes = count * sizeof(uint32_t);
    auto device = distributed::MeshDevice::create_unit_mesh(0);
    auto& cq = device->mesh_command_queue();
    Program program = CreateProgram();
    const CoreCoord core(0, 0);

    const auto make_buffer = [&](uint32_t pages, BufferType type) {
        const distributed::DeviceLocalBufferConfig local{.page_size = pages * page_bytes,
                                                         .buffer_type = type};
        return distributed::MeshBuffer::create(
            distributed::ReplicatedBufferConfig{.size = uint64_t{pages} * page_bytes}, local,
            device.get());
    };
    auto x = make_buffer(1, BufferType::DRAM), y = make_buffer(1, BufferType::DRAM),
         z = make_buffer(1, BufferType::DRAM);
    auto scratch = make_buffer(3, BufferType::L1);

    std::vector<uint32_t> args = {page_bytes};
    for (const auto& buffer : {x, y, z}) {
        TensorAccessorArgs(*buffer).append_to(args);
    }
    const KernelHandle kernel =
        CreateKernel(program, OVERRIDE_KERNEL_PREFIX "add.cpp", core,
                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                                        .noc = NOC::RISCV_0_default,
                                        .compile_args = args});
    SetRuntimeArgs(
        program, kernel, core,
        {static_cast<uint32_t>(x->address()), static_cast<uint32_t>(y->address()),
         static_cast<uint32_t>(z->address()), static_cast<uint32_t>(scratch->address())});

    std::vector<uint32_t> a(count), b(count), sum;
    for (uint32_t i = 0; i < count; ++i) {
        a[i] = i * i;
        b[i] = 1000 - i;
    }
    distributed::EnqueueWriteMeshBuffer(cq, x, a, false);
    distributed::EnqueueWriteMeshBuffer(cq, y, b, false);
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
    distributed::EnqueueMeshWorkload(cq, workload, false);
    distributed::EnqueueReadMeshBuffer(cq, sum, z, true);

    for (uint32_t i = 0; i < count; ++i) {
        if (sum[i] != a[i] + b[i]) {
            std::printf("element %u is %u, expected %u\n", i, sum[i], a[i] + b[i]);
            return 1;
        }
    }
    std::printf("%u sums are right\n", count);
    return device->close() ? 0 : 1;
}
