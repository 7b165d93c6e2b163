// Compiled kernels where the runtime would put them; see jit_build/build.hpp.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include <jit_build/build_env_manager.hpp>
#include <llrt/llrt.hpp>
#include <tt-metalium/program_parts.hpp>

namespace tt::tt_metal {

inline void Kernel::build(const std::string &buffers) {
  form_ = std::hash<std::string>()(std::to_string(compute_hash()) + buffers);
  const std::lock_guard<std::mutex> lock(detail::built().mutex);
  if (!detail::built().names.insert(get_full_kernel_name()).second) return;
  const auto type = static_cast<uint32_t>(get_kernel_processor_class());
  for (uint32_t part = 0; part < expected_num_binaries(); ++part) {
    const std::filesystem::path to =
        BuildEnvManager::get_instance()
            .get_kernel_build_state(0, 0, type, int(get_kernel_processor_type(int(part))))
            .get_target_out_path(get_full_kernel_name());
    if (std::filesystem::exists(to)) continue;
    std::filesystem::create_directories(to.parent_path());
    std::filesystem::copy_file(ttemu_kernel_object(program_, handle_, part), to);
  }
}

inline std::vector<const ll_api::memory *> Kernel::binaries(uint64_t) const {
  std::vector<const ll_api::memory *> all;
  const auto type = static_cast<uint32_t>(get_kernel_processor_class());
  for (uint32_t part = 0; part < expected_num_binaries(); ++part)
    all.push_back(&llrt::get_risc_binary(
        BuildEnvManager::get_instance()
            .get_kernel_build_state(0, 0, type, int(get_kernel_processor_type(int(part))))
            .get_target_out_path(get_full_kernel_name())));
  return all;
}

namespace detail {
// Kernels are compiled when they are created; their files are put where the runtime puts them.
inline void CompileProgram(IDevice *, Program &program, bool = false) {
  std::string buffers;
  for (const auto &cb : program.impl().cbs)
    for (const auto &formats : {cb->config().formats(), cb->config().remotes()})
      for (const auto &[index, format] : formats)
        buffers += ' ' + std::to_string(index) + ':' + std::to_string(static_cast<int>(format));
  for (const auto &kernel : program.impl().kernels) kernel->build(buffers);
}
} // namespace detail

} // namespace tt::tt_metal
