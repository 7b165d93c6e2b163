// Compiled kernels, read once for each file, and memory of cores.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <impl/context/metal_context.hpp>
#include <llrt/tt_memory.h>

namespace tt::llrt {

inline const ll_api::memory &
get_risc_binary(const std::string &path,
                ll_api::memory::Loading loading = ll_api::memory::Loading::DISCRETE,
                const std::function<void(ll_api::memory &)> &update = nullptr) {
  static std::mutex mutex;
  static std::unordered_map<std::string, std::unique_ptr<ll_api::memory>> read;
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<ll_api::memory> &binary = read[path];
  if (!binary) {
    binary = std::make_unique<ll_api::memory>(path, loading);
    if (update) update(*binary);
  }
  return *binary;
}

#if defined(TTEMU_API) && TTEMU_API < 202603
// Memory of a worker core, by its place on the NoC, where trees to the middle of 2025 have it.
using WorkerCore = tt_cxy_pair;
using WorkerCores = std::vector<WorkerCore>;
template <typename T>
void write_hex_vec_to_core(int chip, const CoreCoord &core, const std::vector<T> &data,
                           uint64_t address, bool = false) {
  tt_metal::MetalContext::instance().get_cluster().write_core(
      data.data(), uint32_t(data.size() * sizeof(T)), {std::size_t(chip), core}, address);
}
template <typename T>
void write_hex_vec_to_core(int chip, const CoreCoord &core, std::span<const T> data,
                           uint64_t address, bool = false) {
  tt_metal::MetalContext::instance().get_cluster().write_core(
      data.data(), uint32_t(data.size_bytes()), {std::size_t(chip), core}, address);
}
inline std::vector<uint32_t> read_hex_vec_from_core(int chip, const CoreCoord &core,
                                                    uint64_t address, uint32_t bytes) {
  return tt_metal::MetalContext::instance().get_cluster().read_core(chip, core, address, bytes);
}
#endif

} // namespace tt::llrt
