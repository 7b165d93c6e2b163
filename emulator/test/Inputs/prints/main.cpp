// What kernels print goes where the runtime's options say: main WHAT.
#include <cstdio>
#include <fstream>
#include <string>

#include <impl/context/metal_context.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

using namespace tt::tt_metal;
using namespace tt::llrt;

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "", file = "prints.log";
  auto &context = MetalContext::instance();
  auto &options = context.rtoptions();
  const auto feature = RunTimeDebugFeatureDprint;
  options.set_feature_enabled(feature, what != "off");
  options.set_feature_all_chips(feature, true);
  options.set_feature_cores(feature, {{CoreType::WORKER, {{0, 0}, {1, 0}}}});
  options.set_feature_file_name(feature, file);
  options.set_feature_prepend_device_core_risc(feature, what == "names");
  options.set_feature_one_file_per_risc(feature, what == "each");
  if (what == "all") options.set_feature_all_cores(feature, CoreType::WORKER, RunTimeDebugClassAll);
  if (what == "part") {
    HalProcessorSet math;
    math.add(HalProgrammableCoreType::TENSIX, 3);
    options.set_feature_processors(feature, math);
  }
  context.dprint_server()->set_mute(what == "mute");

  auto device = distributed::MeshDevice::create_unit_mesh(0);
  Program program = CreateProgram();
  const CoreRange cores({0, 0}, {0, 1}); // of which one is not among those
  if (what == "forms")
    CreateCircularBuffer(
        program, cores,
        CircularBufferConfig(2048, {{0, tt::DataFormat::Float16_b}}).set_page_size(0, 2048));
  CreateKernel(program, what == "forms" ? "forms.cpp" : "say.cpp", cores, DataMovementConfig{});
  if (what != "forms")
    CreateKernel(program, "say.cpp", cores, ComputeConfig{.defines = {{"COMPUTE", "1"}}});
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(device->mesh_command_queue(), workload, true);
  context.dprint_server()->await();
  device->close();
  if (what == "cleared") context.dprint_server()->clear_log_file();
  context.dprint_server()->detach_devices();

  std::string line;
  int lines = 0;
  for (std::ifstream in(file); std::getline(in, line); ++lines)
    if (lines < 20) std::printf("%s| %s\n", what.c_str(), line.c_str());
  std::printf("%s: %d lines\n", what.c_str(), lines);
  return 0;
}
