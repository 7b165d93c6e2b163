// A semaphore that outlives programs: seven from the host, one from a core; and workloads by range.
#include <cstdio>

#include <impl/context/metal_context.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/experimental/host_api.hpp>
#include <tt-metalium/global_semaphore.hpp>
#include <tt-metalium/host_api.hpp>

using namespace tt::tt_metal;

int main() {
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  const CoreRangeSet cores(CoreRange({0, 0}, {1, 0}));
  GlobalSemaphore told = CreateGlobalSemaphore(device.get(), cores, 3);
  const GlobalSemaphore other = CreateGlobalSemaphore(device.get(), cores, 5);
  const auto value = [&](const GlobalSemaphore &semaphore, std::size_t x) {
    return MetalContext::instance().get_cluster().read_core(
        0, device->worker_core_from_logical_core({x, 0}), semaphore.address(), 4)[0];
  };
  int wrong = value(told, 0) != 3 || value(told, 1) != 3 || value(other, 1) != 5;
  told.reset_semaphore_value(7);

  const distributed::MeshCoordinateRange all(device->shape());
  distributed::MeshWorkload workload;
  workload.add_program(all, CreateProgram());
  Program &program = workload.get_programs().at(all);
  const auto kernel = CreateKernel(program, "tell.cpp", cores, DataMovementConfig{});
  const CoreCoord waits = device->worker_core_from_logical_core({1, 0});
  for (uint32_t x = 0; x < 2; ++x)
    SetRuntimeArgs(program, kernel, CoreCoord(x, 0),
                   {uint32_t(told.address()), x == 0, uint32_t(waits.x), uint32_t(waits.y)});
  distributed::EnqueueMeshWorkload(device->mesh_command_queue(), workload, true);
  wrong += value(told, 0) != 7 || value(told, 1) != 8 || value(other, 0) != 5;
  MetalContext::instance().get_cluster().write_core(
      0, device->worker_core_from_logical_core({0, 0}), std::vector<uint32_t>{9}, told.address());
  wrong += value(told, 0) != 9 || workload.get_programs().size() != 1;
  if (device->arch() == tt::ARCH::QUASAR) // what is for another chip compiles
    experimental::quasar::CreateKernel(program, "tell.cpp", CoreCoord(0, 0),
                                       experimental::quasar::QuasarDataMovementConfig{});
  std::printf("global semaphores: %d wrong\n", wrong);
  return wrong;
}
