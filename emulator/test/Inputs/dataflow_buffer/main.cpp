// Twice of each tile, through data flow buffers.
#include <cstdio>

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

using namespace tt;
using namespace tt::tt_metal;

int main() {
  constexpr uint32_t tiles = 6, page = 2048;
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto &cq = device->mesh_command_queue();
  const auto make = [&] {
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = tiles * page},
        distributed::DeviceLocalBufferConfig{.page_size = page}, device.get());
  };
  auto a = make(), b = make();
  Program program = CreateProgram();
  const CoreCoord core(0, 0);
  for (const uint8_t cb : {0, 16})
    CreateCircularBuffer(
        program, core,
        CircularBufferConfig(2 * page, {{cb, DataFormat::Float16_b}}).set_page_size(cb, page));
  std::vector<uint32_t> args;
  TensorAccessorArgs(*a).append_to(args);
  const auto reader = CreateKernel(program, "reader.cpp", core, ReaderDataMovementConfig(args));
  const auto writer = CreateKernel(program, "writer.cpp", core, WriterDataMovementConfig(args));
  CreateKernel(program, "compute.cpp", core, ComputeConfig{.compile_args = {tiles}});
  SetRuntimeArgs(program, reader, core, {uint32_t(a->address()), tiles});
  SetRuntimeArgs(program, writer, core, {uint32_t(b->address()), tiles});

  std::vector<bfloat16> sent, got;
  for (uint32_t i = 0; i < tiles * 1024; ++i) sent.push_back(bfloat16(float(int(i % 200) - 90)));
  distributed::EnqueueWriteMeshBuffer(cq, a, sent, false);
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(cq, workload, true);
  distributed::EnqueueReadMeshBuffer(cq, got, b, true);
  int wrong = 0;
  for (uint32_t i = 0; i < tiles * 1024; ++i)
    wrong += static_cast<float>(got[i]) != 2 * static_cast<float>(sent[i]);
  std::printf("data flow buffers: %d wrong\n", wrong);
  device->close();
  return wrong;
}
