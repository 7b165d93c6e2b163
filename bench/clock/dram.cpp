// Cores that each read from, or write to, one bank of DRAM: a case a line of standard input,
//   read|write NOC static|dynamic N  X Y BANK  …  (N cores)
// Each moves 1 MiB in packets of 8 KiB. tt-run prints the clk of each case.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

using namespace tt;
using namespace tt::tt_metal;

int main() {
    const uint32_t packet = 8192, packets = 128, banks = 12;
    auto device = distributed::MeshDevice::create_unit_mesh(0);
    auto& cq = device->mesh_command_queue();
    const distributed::DeviceLocalBufferConfig local{.page_size = packet,
                                                     .buffer_type = BufferType::DRAM};
    const uint64_t bytes = uint64_t{packet} * packets * banks;
    auto data = distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = bytes},
                                                local, device.get());
    std::vector<uint32_t> values(bytes / 4, 7);
    distributed::EnqueueWriteMeshBuffer(cq, data, values, true);
    std::string way, channel;
    for (uint32_t noc, n; std::cin >> way >> noc >> channel >> n;) {
        Program program = CreateProgram();
        const bool reads = way == "read";
        for (uint32_t i = 0; i < n; ++i) {
            uint32_t x, y, bank;
            std::cin >> x >> y >> bank;
            const CoreCoord core(x, y);
            const CircularBufferConfig config(packet, {{CBIndex::c_0, DataFormat::Float16_b}});
            CreateCircularBuffer(program, core,
                                 CircularBufferConfig(config).set_page_size(CBIndex::c_0, packet));
            std::vector<uint32_t> args = {packet, packets, banks, reads, channel == "dynamic"};
            TensorAccessorArgs(*data).append_to(args);
            const auto kernel =
                CreateKernel(program, OVERRIDE_KERNEL_PREFIX "dram_kernel.cpp", core,
                             DataMovementConfig{.processor = reads ? DataMovementProcessor::RISCV_1
                                                                   : DataMovementProcessor::RISCV_0,
                                                .noc = noc == 0 ? NOC::NOC_0 : NOC::NOC_1,
                                                .compile_args = args});
            SetRuntimeArgs(program, kernel, core, {uint32_t(data->address()), bank});
        }
        distributed::MeshWorkload workload;
        workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
        distributed::EnqueueMeshWorkload(cq, workload, true);
    }
    return device->close() ? 0 : 1;
}
