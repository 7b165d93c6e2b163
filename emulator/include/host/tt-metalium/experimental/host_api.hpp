// Kernels of a chip that is not emulated, so that programs which ask for the chip first compile.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <tt-metalium/host_api.hpp>

namespace tt::tt_metal::experimental::quasar {

inline constexpr uint32_t QUASAR_NUM_DM_CORES_PER_CLUSTER = 8;
inline constexpr uint32_t QUASAR_NUM_TENSIX_ENGINES_PER_CLUSTER = 4;

struct QuasarDataMovementConfig {
  uint32_t num_threads_per_cluster = QUASAR_NUM_DM_CORES_PER_CLUSTER;
  std::vector<uint32_t> compile_args;
  std::map<std::string, std::string> defines;
  std::unordered_map<std::string, uint32_t> named_compile_args;
  bool is_legacy_kernel = false;
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
};
struct QuasarComputeConfig {
  uint32_t num_threads_per_cluster = QUASAR_NUM_TENSIX_ENGINES_PER_CLUSTER;
  MathFidelity math_fidelity = MathFidelity::HiFi4;
  bool fp32_dest_acc_en = false;
  bool dst_full_sync_en = false;
  std::vector<UnpackToDestMode> unpack_to_dest_mode;
  bool bfp8_pack_precise = false;
  bool math_approx_mode = false;
  std::vector<uint32_t> compile_args;
  std::map<std::string, std::string> defines;
  std::unordered_map<std::string, uint32_t> named_compile_args;
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O3;
};
inline KernelHandle CreateKernel(Program &, const std::string &path, const detail::AnyCores &,
                                 const QuasarDataMovementConfig &) {
  TT_THROW("kernel '{}' is for Quasar, which is not emulated", path);
}
inline KernelHandle CreateKernel(Program &, const std::string &path, const detail::AnyCores &,
                                 const QuasarComputeConfig &) {
  TT_THROW("kernel '{}' is for Quasar, which is not emulated", path);
}

} // namespace tt::tt_metal::experimental::quasar
