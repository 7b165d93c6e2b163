// How kernels are compiled, and where they run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <tt-metalium/base_types.hpp>
#include <umd/device/types/arch.hpp>

namespace tt::tt_metal {

enum class DataMovementProcessor { RISCV_0 = 0, RISCV_1 = 1 };
enum NOC : uint8_t { RISCV_0_default = 0, RISCV_1_default = 1, NOC_0 = 0, NOC_1 = 1 };
enum NOC_MODE : uint8_t { DM_DEDICATED_NOC = 0, DM_DYNAMIC_NOC = 1 };
enum class KernelBuildOptLevel { O0, O1, O2, O3, Os, Ofast, Oz };

struct DataMovementConfig {
  DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
  NOC noc = NOC::RISCV_0_default;
  NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
  std::vector<uint32_t> compile_args;
  std::map<std::string, std::string> defines;
  std::unordered_map<std::string, uint32_t> named_compile_args;
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
};
struct ReaderDataMovementConfig : DataMovementConfig {
  ReaderDataMovementConfig(std::vector<uint32_t> args = {},
                           std::map<std::string, std::string> macros = {},
                           std::unordered_map<std::string, uint32_t> named = {})
      : DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                           .noc = NOC::NOC_0,
                           .compile_args = std::move(args),
                           .defines = std::move(macros),
                           .named_compile_args = std::move(named)} {}
};
struct WriterDataMovementConfig : DataMovementConfig {
  WriterDataMovementConfig(std::vector<uint32_t> args = {},
                           std::map<std::string, std::string> macros = {},
                           std::unordered_map<std::string, uint32_t> named = {})
      : DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                           .noc = NOC::NOC_1,
                           .compile_args = std::move(args),
                           .defines = std::move(macros),
                           .named_compile_args = std::move(named)} {}
};

struct ComputeConfig {
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

// Kernels of the cores that talk to other chips, which are not emulated: no program has cores to
// create one on.
enum class Eth : uint8_t { SENDER = 0, RECEIVER = 1, IDLE = 2 };
struct EthernetConfig {
  Eth eth_mode = Eth::SENDER;
  NOC noc = NOC::NOC_0;
  DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
  std::vector<uint32_t> compile_args;
  std::map<std::string, std::string> defines;
  std::unordered_map<std::string, uint32_t> named_compile_args;
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::Os;
  NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
};

using KernelHandle = uint32_t;
inline constexpr uint32_t max_runtime_args = 341;
inline NOC preferred_noc_for_dram_read(tt::ARCH) { return NOC::NOC_0; }
inline NOC preferred_noc_for_dram_write(tt::ARCH) { return NOC::NOC_1; }

} // namespace tt::tt_metal
