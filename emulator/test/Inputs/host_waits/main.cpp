// Kernels that wait for what the host writes while they run, and for programs on other sub-devices.
#include <array>
#include <cstdio>
#include <cstring>
#include <vector>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/global_semaphore.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/sub_device.hpp>
#include <tt-metalium/tt_metal.hpp>

using namespace tt::tt_metal;

static distributed::MeshWorkload workload(distributed::MeshDevice &mesh, const char *kernel,
                                          CoreCoord core, const std::vector<uint32_t> &args,
                                          uint32_t way) {
  Program program = CreateProgram();
  const KernelHandle made = CreateKernel(
      program, kernel, core,
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_0, .compile_args = {way}});
  SetRuntimeArgs(program, made, core, args);
  distributed::MeshWorkload all;
  all.add_program(distributed::MeshCoordinateRange(mesh.shape()), std::move(program));
  return all;
}

static uint32_t word(IDevice *device, CoreCoord core, uint32_t at) {
  std::vector<uint32_t> data;
  detail::ReadFromDeviceL1(device, core, at, 4, data);
  return data[0];
}

static void tell(IDevice *device, CoreCoord core, uint32_t at, uint32_t value) {
  std::vector<uint32_t> data{value};
  detail::WriteToDeviceL1(device, core, at, data);
}

// A question and an answer, several times, while the kernel runs.
static int ask(distributed::MeshDevice &mesh, uint32_t way, uint32_t rounds, uint32_t told) {
  const CoreCoord core{1, 0};
  IDevice *device = mesh.get_devices()[0];
  auto flag = CreateGlobalSemaphore(&mesh, CoreRangeSet(CoreRange(core)), 0);
  auto answer = CreateGlobalSemaphore(&mesh, CoreRangeSet(CoreRange(core)), 0);
  const uint32_t at = uint32_t(flag.address()), there = uint32_t(answer.address());
  auto asked = workload(mesh, "answer.cpp", core, {at, there, rounds}, way);
  distributed::EnqueueMeshWorkload(mesh.mesh_command_queue(), asked, false);
  const auto event = mesh.mesh_command_queue().enqueue_record_event_to_host();
  if (distributed::EventQuery(event)) return std::printf("the event has not come\n"), 1;
  for (uint32_t i = 1; i <= told; ++i) {
    tell(device, core, at, i);
    if (word(device, core, there) != 10 * i) return std::printf("round %u: wrong\n", i), 1;
  }
  if (told == rounds && !distributed::EventQuery(event))
    return std::printf("it has not ended\n"), 1;
  const distributed::MeshEvent later(99, &mesh, 0, distributed::MeshCoordinateRange(mesh.shape()));
  if (distributed::EventQuery(later)) return std::printf("nobody has put it there\n"), 1;
  distributed::Finish(mesh.mesh_command_queue());
  return std::printf("%u rounds are right\n", told), 0;
}

// One program waits for another, which starts later, on cores of its own, and for the next one.
static int beside(distributed::MeshDevice &mesh, bool apart) {
  const CoreCoord left{0, 0}, right{2, 2};
  IDevice *device = mesh.get_devices()[0];
  if (apart) {
    const auto manager = mesh.create_sub_device_manager(
        {SubDevice(std::array{CoreRangeSet(CoreRange(left))}),
         SubDevice(std::array{CoreRangeSet(CoreRange({1, 1}, {3, 3}))})},
        0);
    mesh.load_sub_device_manager(manager);
    mesh.set_sub_device_stall_group(std::array{SubDeviceId{1}});
  }
  auto flag = CreateGlobalSemaphore(&mesh, CoreRangeSet(CoreRange(left)), 0);
  auto answer = CreateGlobalSemaphore(&mesh, CoreRangeSet(CoreRange(left)), 0);
  const CoreCoord node = device->worker_core_from_logical_core(left);
  const std::vector<uint32_t> args{uint32_t(node.x), uint32_t(node.y), uint32_t(flag.address())};
  auto waits = workload(mesh, "answer.cpp", left,
                        {uint32_t(flag.address()), uint32_t(answer.address()), 2}, 0);
  distributed::EnqueueMeshWorkload(mesh.mesh_command_queue(), waits, false);
  for (int i = 0; i < 2; ++i) {
    auto adds = workload(mesh, "add.cpp", right, args, 0);
    distributed::EnqueueMeshWorkload(mesh.mesh_command_queue(), adds, false);
    distributed::Finish(mesh.mesh_command_queue()); // of the stall group alone
  }
  mesh.reset_sub_device_stall_group();
  distributed::Finish(mesh.mesh_command_queue());
  const uint32_t said = word(device, left, uint32_t(answer.address()));
  return std::printf("beside: %s\n", said == 20 ? "right" : "wrong"), said != 20;
}

int main(int argc, char **argv) {
  auto mesh = distributed::MeshDevice::create_unit_mesh(0);
  const char *what = argc > 1 ? argv[1] : "wait";
  int wrong = 0;
  if (!std::strcmp(what, "wait")) wrong = ask(*mesh, 0, 3, 3);
  if (!std::strcmp(what, "look")) wrong = ask(*mesh, 1, 3, 3);
  if (!std::strcmp(what, "never")) wrong = ask(*mesh, 0, 3, 2);
  if (!std::strcmp(what, "beside")) wrong = beside(*mesh, true);
  if (!std::strcmp(what, "behind")) wrong = beside(*mesh, false);
  mesh->close();
  return wrong;
}
