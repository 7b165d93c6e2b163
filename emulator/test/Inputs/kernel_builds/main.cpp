// Where compiled kernels are: a form of a kernel is put there once, another form beside it.
#include <cstdio>
#include <filesystem>

#include <impl/kernels/kernel.hpp>
#include <impl/program/program_impl.hpp>
#include <jit_build/build_env_manager.hpp>
#include <llrt.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>

using namespace tt::tt_metal;
namespace fs = std::filesystem;

namespace {
const std::string &root() {
  return BuildEnvManager::get_instance()
      .get_device_build_env(0)
      .build_env.get_out_kernel_root_path();
}
std::size_t forms(const std::string &kernel) {
  return fs::exists(root() + kernel)
             ? std::size_t(std::distance(fs::directory_iterator(root() + kernel), {}))
             : 0;
}
struct Built {
  Program program;
  std::shared_ptr<Kernel> moves, computes;
};
Built build(IDevice *device, uint32_t arg, tt::DataFormat format, NOC noc = NOC::NOC_0) {
  Built b{CreateProgram(), nullptr, nullptr};
  const CoreCoord core(1, 2);
  CreateCircularBuffer(b.program, core,
                       CircularBufferConfig(2048, {{0, format}}).set_page_size(0, 1024));
  CreateKernel(b.program, "move.cpp", core, DataMovementConfig{.noc = noc});
  CreateKernel(b.program, "compute.cpp", core, ComputeConfig{.compile_args = {arg}});
  detail::CompileProgram(device, b.program);
  const KernelGroup *group = b.program.impl().kernels_on_core(core, 0);
  if (!group || group->kernel_ids.size() != 2 || b.program.impl().kernels_on_core({0, 0}, 0))
    std::printf("the kernels on a core are wrong\n");
  b.moves = b.program.impl().get_kernel(0), b.computes = b.program.impl().get_kernels(0).at(1);
  return b;
}
} // namespace

int main() {
  IDevice *device = CreateDevice(0);
  const auto bf16 = tt::DataFormat::Float16_b;
  int wrong = forms("move") + forms("compute");
  const Built first = build(device, 1, bf16);
  wrong += forms("move") != 1 || forms("compute") != 1;
  const Built again = build(device, 1, bf16);
  wrong += forms("move") != 1 || forms("compute") != 1;
  const Built other = build(device, 2, bf16); // another argument of compute
  wrong += forms("move") != 1 || forms("compute") != 2;
  build(device, 2, bf16, NOC::NOC_1);
  wrong += forms("move") != 2 || forms("compute") != 2;
  build(device, 1, tt::DataFormat::Bfp8_b); // what a circular buffer holds counts for both
  wrong += forms("move") != 3 || forms("compute") != 3;

  wrong += first.moves->binaries(0) != again.moves->binaries(0);
  wrong += first.computes->binaries(0).size() != 3 || first.moves->binaries(0).size() != 1;
  wrong += *first.computes->binaries(0)[1] == *other.computes->binaries(0)[1];
  const std::string file = BuildEnvManager::get_instance()
                               .get_kernel_build_state(0, 0, 1, 2)
                               .get_target_out_path(other.computes->get_full_kernel_name());
  wrong += !fs::exists(file) || &tt::llrt::get_risc_binary(file) != other.computes->binaries(0)[2];

  fs::remove_all(root() + "move"); // it is not looked for until the process is told to
  build(device, 1, bf16);
  wrong += forms("move") != 0;
  jit_build_cache_clear();
  build(device, 1, bf16);
  wrong += forms("move") != 1;
  CloseDevice(device);
  std::printf("compiled kernels: %d wrong\n", wrong);
  return wrong;
}
