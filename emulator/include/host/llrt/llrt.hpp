// Compiled kernels, read once for each file.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

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

} // namespace tt::llrt
