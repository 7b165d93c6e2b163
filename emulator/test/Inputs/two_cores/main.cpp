// Two cores that run the kernels of one case: main DIR, with DIR/a.cpp on data movement 1 of core
// (0, 0), DIR/b.cpp on that of core (1, 0), and DIR/c.cpp, if it is there, on data movement 0 of
// core (0, 0). Arguments: NoC coordinates of the own core, and of the other; where both have 4096
// bytes that nobody else has; three semaphores; where there are 4096 bytes in bank 0 of DRAM.
// With BOTH_NOCS in the environment, they may use either NoC.
#include <tt-metalium/host_api.hpp>

#include <tt-metalium/distributed.hpp>

#include <cstdlib>
#include <filesystem>

using namespace tt::tt_metal;

int main(int, char **argv) {
  const std::string folder = argv[1];
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto buffer = distributed::MeshBuffer::create(
      distributed::ReplicatedBufferConfig{.size = 64 * 4096},
      distributed::DeviceLocalBufferConfig{.page_size = 4096, .buffer_type = BufferType::L1},
      device.get());
  auto dram = distributed::MeshBuffer::create(
      distributed::ReplicatedBufferConfig{.size = 4096},
      distributed::DeviceLocalBufferConfig{.page_size = 4096, .buffer_type = BufferType::DRAM},
      device.get());
  Program program = CreateProgram();
  const CoreRange both({0, 0}, {1, 0});
  const uint32_t semaphores[] = {CreateSemaphore(program, both, 0),
                                 CreateSemaphore(program, both, 0),
                                 CreateSemaphore(program, both, 0)};
  for (uint32_t i = 0; i < 3; ++i) {
    const std::string path = folder + "/" + "abc"[i] + ".cpp";
    const CoreCoord core(i == 1, 0);
    if (!std::filesystem::exists(path)) continue;
    const bool second = i == 2;
    const KernelHandle kernel = CreateKernel(
        program, path, core,
        DataMovementConfig{.processor = second ? DataMovementProcessor::RISCV_0
                                               : DataMovementProcessor::RISCV_1,
                           .noc = second ? NOC::NOC_1 : NOC::NOC_0,
                           .noc_mode = std::getenv("BOTH_NOCS") ? NOC_MODE::DM_DYNAMIC_NOC
                                                                : NOC_MODE::DM_DEDICATED_NOC});
    const CoreCoord me = device->worker_core_from_logical_core(core);
    const CoreCoord other = device->worker_core_from_logical_core(CoreCoord(i != 1, 0));
    SetRuntimeArgs(program, kernel, core,
                   {uint32_t(me.x), uint32_t(me.y), uint32_t(other.x), uint32_t(other.y),
                    uint32_t(buffer->address()), semaphores[0], semaphores[1], semaphores[2],
                    uint32_t(dram->address())});
  }
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(device->mesh_command_queue(), workload, true);
  device->close();
}
