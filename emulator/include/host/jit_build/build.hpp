// Where compiled kernels are, as tests of the runtime's cache look for them: a folder for each
// kernel's name, in it one for each of its forms, and in that a file for each processor, which
// stands for what the emulated device compiled and runs.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <unistd.h>
#include <utility>

#include <tt-metalium/hal_types.hpp>

namespace tt::tt_metal {

class JitBuildEnv {
public:
  // Below TT_METAL_CACHE; without it, of this process, which takes it away.
  JitBuildEnv() {
    const char *cache = std::getenv("TT_METAL_CACHE");
    own_ = !cache || !*cache;
    const std::filesystem::path root = own_ ? std::filesystem::temp_directory_path() /
                                                  ("ttemu-kernels-" + std::to_string(getpid()))
                                            : std::filesystem::path(cache) / "ttemu";
    out_root_ = root.string() + "/";
    out_kernel_root_ = out_root_ + "kernels/";
  }
  JitBuildEnv(const JitBuildEnv &) = delete;
  JitBuildEnv &operator=(const JitBuildEnv &) = delete;
  ~JitBuildEnv() {
    std::error_code ignored;
    if (own_) std::filesystem::remove_all(out_root_, ignored);
  }
  const std::string &get_out_root_path() const { return out_root_; }
  const std::string &get_out_kernel_root_path() const { return out_kernel_root_; }
  uint64_t get_build_key() const { return 0; } // one build: all emulated devices are alike

private:
  std::string out_root_, out_kernel_root_;
  bool own_;
};

// What one processor's kernels are compiled to.
class JitBuildState {
public:
  JitBuildState(const JitBuildEnv &env, std::string target)
      : env_(&env), target_(std::move(target)) {}
  const std::string &get_out_path() const { return env_->get_out_kernel_root_path(); }
  const std::string &get_target_name() const { return target_; }
  std::string get_target_full_path() const { return "/" + target_ + "/" + target_ + ".elf"; }
  std::string get_target_out_path(const std::string &kernel_name) const {
    return get_out_path() + kernel_name + get_target_full_path();
  }

private:
  const JitBuildEnv *env_;
  std::string target_;
};

namespace detail {
// The forms of kernels that this process has put there, and does not look for again.
struct Built {
  std::mutex mutex;
  std::set<std::string> names;
};
inline Built &built() {
  static Built all;
  return all;
}
} // namespace detail

inline void jit_build_cache_clear() {
  const std::lock_guard<std::mutex> lock(detail::built().mutex);
  detail::built().names.clear();
}

} // namespace tt::tt_metal
