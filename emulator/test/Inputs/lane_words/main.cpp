// Runs words.cpp on the engine of a core, and values.cpp, which looks at what it makes.
#include <cstdio>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
using namespace tt;
using namespace tt::tt_metal;
int main() {
  auto mesh = distributed::MeshDevice::create_unit_mesh(0);
  Program program = CreateProgram();
  const CoreCoord core(0, 0);
  for (uint8_t cb : {0, 1, 16})
    CreateCircularBuffer(
        program, core,
        CircularBufferConfig(8192, {{cb, DataFormat::UInt32}}).set_page_size(cb, 4096));
  CreateKernel(program, "values.cpp", core, DataMovementConfig{});
  CreateKernel(program, "words.cpp", core,
               ComputeConfig{.fp32_dest_acc_en = true, .dst_full_sync_en = true});
  distributed::MeshWorkload work;
  work.add_program(distributed::MeshCoordinateRange(mesh->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(mesh->mesh_command_queue(), work, true);
  std::printf("words: as they should be\n");
  mesh->close();
}
