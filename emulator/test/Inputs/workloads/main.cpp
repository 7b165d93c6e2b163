// Two workloads on two cores, one of them twice: z = x + y, x = z + y, z = x + y.
#include <cstdio>
#include <vector>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

using namespace tt;
using namespace tt::tt_metal;
using Shared = std::shared_ptr<distributed::MeshBuffer>;

static Program adding(const Shared &a, const Shared &b, const Shared &c, const Shared &scratch,
                      CoreCoord core) {
  Program program = CreateProgram();
  std::vector<uint32_t> args = {1024};
  for (const Shared &buffer : {a, b, c}) TensorAccessorArgs(*buffer).append_to(args);
  const auto kernel =
      CreateKernel(program, "add.cpp", core, DataMovementConfig{.compile_args = args});
  SetRuntimeArgs(program, kernel, core,
                 {uint32_t(a->address()), uint32_t(b->address()), uint32_t(c->address()),
                  uint32_t(scratch->address())});
  return program;
}

int main() {
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto &cq = device->mesh_command_queue();
  const auto make = [&](uint32_t pages, BufferType type) {
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = uint64_t{pages} * 1024},
        distributed::DeviceLocalBufferConfig{.page_size = pages * 1024, .buffer_type = type},
        device.get());
  };
  const Shared x = make(1, BufferType::DRAM), y = make(1, BufferType::DRAM),
               z = make(1, BufferType::DRAM);
  const Shared scratch = make(3, BufferType::L1);
  distributed::MeshWorkload first, second;
  first.add_program(distributed::MeshCoordinateRange(device->shape()),
                    adding(x, y, z, scratch, {0, 0}));
  second.add_program(distributed::MeshCoordinateRange(device->shape()),
                     adding(z, y, x, scratch, {3, 5}));
  std::vector<uint32_t> fives(256, 5), sevens(256, 7), result;
  distributed::EnqueueWriteMeshBuffer(cq, x, fives, false);
  distributed::EnqueueWriteMeshBuffer(cq, y, sevens, false);
  distributed::EnqueueMeshWorkload(cq, first, false);
  distributed::EnqueueMeshWorkload(cq, second, false);
  distributed::EnqueueMeshWorkload(cq, first, false);
  distributed::EnqueueReadMeshBuffer(cq, result, z, true);
  for (uint32_t value : result)
    if (value != 26) return std::printf("%u, expected 26\n", value), 1;
  std::printf("5 + 7 + 7 + 7 is 26\n");
}
