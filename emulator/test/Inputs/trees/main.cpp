// Cores that send at the same time: a case a line of standard input, N  X Y X0 Y0 X1 Y1 …
// Core (X, Y) multicasts to the cores from (X0, Y0) to (X1, Y1), on NoC 0.
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

using namespace tt;
using namespace tt::tt_metal;

int main() {
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  const CoreRange all({0, 0}, {7, 7});
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    Program program = CreateProgram();
    const CircularBufferConfig config(8192, {{CBIndex::c_0, DataFormat::Float16_b}});
    CreateCircularBuffer(program, all,
                         CircularBufferConfig(config).set_page_size(CBIndex::c_0, 8192));
    for (uint32_t x, y, x0, y0, x1, y1; words >> x >> y >> x0 >> y0 >> x1 >> y1;) {
      const auto sender = CreateKernel(
          program, OVERRIDE_KERNEL_PREFIX "sender.cpp", CoreCoord(x, y),
          DataMovementConfig{.processor = DataMovementProcessor::RISCV_0, .noc = NOC::NOC_0});
      const CoreCoord first = device->worker_core_from_logical_core({x0, y0}),
                      last = device->worker_core_from_logical_core({x1, y1});
      SetRuntimeArgs(program, sender, CoreCoord(x, y),
                     {uint32_t(first.x), uint32_t(first.y), uint32_t(last.x), uint32_t(last.y),
                      (x1 - x0 + 1) * (y1 - y0 + 1)});
    }
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
    distributed::EnqueueMeshWorkload(device->mesh_command_queue(), workload, true);
  }
  return device->close() ? 0 : 1;
}
