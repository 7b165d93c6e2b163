// A program of a larger tree, on a mesh of 2x2 devices: a header of another folder, kernels named
// from the tree's root, fmt without its header, programs for parts of the mesh, a trace.
#include "parts/sizes.hpp"

#include <apps_common.hpp>
#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

using namespace tt::tt_metal;
using namespace tt::tt_metal::distributed;

static Program scaling(const MeshBuffer &buffer, const CoreSpec &core, uint32_t factor) {
  Program program = CreateProgram();
  CreateCircularBuffer(
      program, core,
      CircularBufferConfig(PAGE, {{0, tt::DataFormat::UInt32}}).set_page_size(0, PAGE));
  std::vector<uint32_t> args;
  TensorAccessorArgs(*buffer.get_reference_buffer()).append_to(args);
  KernelHandle kernel =
      CreateKernel(program, "apps/mesh/scale.cpp", core, DataMovementConfig{.compile_args = args});
  SetRuntimeArgs(program, kernel, core, {uint32_t(buffer.address()), factor});
  return program;
}

int main() {
  auto mesh = MeshDevice::create(MeshDeviceConfig(MeshShape(2, 2)));
  MeshCommandQueue &queue = mesh->mesh_command_queue();
  const DeviceLocalBufferConfig local{.page_size = PAGE, .buffer_type = BufferType::DRAM};
  // 2x32 words, cut into a row of 16 for each device.
  auto tensor = MeshBuffer::create(distributed::ShardedBufferConfig{.global_size = 4 * PAGE,
                                                                    .global_buffer_shape = {2, 32},
                                                                    .shard_shape = {1, 16}},
                                   local, mesh.get());
  std::vector<uint32_t> data(4 * WORDS), result;
  for (uint32_t i = 0; i < data.size(); ++i) data[i] = i + 1;
  EnqueueWriteMeshBuffer(queue, tensor, data);

  MeshWorkload rows;
  rows.add_program(MeshCoordinateRange(MeshCoordinate{0, 0}, MeshCoordinate{0, 1}),
                   scaling(*tensor, CoreCoord(0, 0), 2));
  rows.add_program(MeshCoordinateRange(MeshCoordinate{1, 0}, MeshCoordinate{1, 1}),
                   scaling(*tensor, CoreRange({3, 4}), 3));
  EnqueueMeshWorkload(queue, rows, false);
  const MeshTraceId trace = BeginTraceCapture(mesh.get(), 0);
  EnqueueMeshWorkload(queue, rows, false);
  mesh->end_mesh_trace(0, trace);
  mesh->replay_mesh_trace(0, trace, true);
  EnqueueReadMeshBuffer(queue, result, tensor);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < data.size(); ++i) wrong += result[i] != (i + 1) * (i < 32 ? 4 : 9);

  // The shard of the second row and column, and a buffer that all devices have.
  ReadShard(queue, result, tensor, MeshCoordinate(1, 1));
  wrong += result.size() != WORDS || result[0] != 49 * 9;
  auto copy = MeshBuffer::create(ReplicatedBufferConfig{.size = PAGE}, local, mesh.get());
  EnqueueWriteMeshBuffer(queue, copy, std::vector<uint32_t>(WORDS, 5));
  MeshWorkload one;
  one.add_program(MeshCoordinateRange(MeshCoordinate(1, 0)), scaling(*copy, CoreCoord(0, 0), 7));
  EnqueueMeshWorkload(queue, one, true);
  for (const MeshCoordinate &at : MeshCoordinateRange(mesh->shape())) {
    ReadShard(queue, result, copy, at);
    wrong += result[3] != (at == MeshCoordinate(1, 0) ? 35u : 5u);
  }
  wrong += check_bfloat16_vector_pcc({}, {}) != 7;
  fmt::print("{} devices as {}, core {}: {} wrong\n", mesh->num_devices(), mesh->shape(),
             CoreCoord(1, 2), wrong);
  return mesh->close() ? int(wrong) : 1;
}
