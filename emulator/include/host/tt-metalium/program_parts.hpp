// What a program is made of: its kernels and semaphores, as the host described them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <tt-metalium/circular_buffer.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/hal_types.hpp>
#include <tt-metalium/kernel_types.hpp>
#include <tt-metalium/program.hpp>
#include <tt-metalium/runtime_args_data.hpp>

namespace ll_api {
class memory;
}

namespace tt::tt_metal {

// A file, or a text.
struct KernelSource {
  enum SourceType { FILE_PATH, SOURCE_CODE };
  std::string source_;
  SourceType source_type_ = FILE_PATH;
  std::string name() const {
    if (source_type_ == SOURCE_CODE) return "Kernel_Source_Code";
    const std::size_t start = source_.rfind('/') + 1;
    return source_.substr(start, source_.rfind('.') - start);
  }
};

namespace detail {
struct KernelMeta {
  std::string name, source;
  HalProcessorClassType processor_class;
};
} // namespace detail

class Kernel {
public:
  using Config = std::variant<DataMovementConfig, ComputeConfig, EthernetConfig>;
  Kernel(ttemu_program *program, KernelHandle handle, KernelSource source,
         const CoreRangeSet &cores, Config config)
      : program_(program), handle_(handle), source_(std::move(source)), cores_(cores),
        config_(std::move(config)) {
    for (const CoreCoord &core : corerange_to_cores(cores_)) logical_.insert(core);
  }
  std::string name() const { return source_.name(); }
  // With the form that it was compiled to last.
  std::string get_full_kernel_name() const {
    return name() + "/" + std::to_string(form_ ? form_ : compute_hash()) + "/";
  }
  // Puts what it is compiled to where the runtime would, once; what its buffers are counts, too.
  void build(const std::string &buffers);
  // A file for each of its processors.
  std::vector<const ll_api::memory *> binaries(uint64_t build_key) const;
  const KernelSource &kernel_source() const { return source_; }
  detail::KernelMeta meta(const void * = nullptr) const {
    const bool is_file = source_.source_type_ == KernelSource::FILE_PATH;
    return {name(), is_file ? source_.source_ : "Inline source", get_kernel_processor_class()};
  }
  Config config() const { return config_; }
  const CoreRangeSet &core_range_set() const { return cores_; }
  const std::set<CoreCoord> &logical_cores() const { return logical_; }
  std::vector<CoreRange> logical_coreranges() const {
    return {cores_.ranges().begin(), cores_.ranges().end()};
  }
  bool is_on_logical_core(const CoreCoord &core) const { return logical_.contains(core); }
  std::vector<uint32_t> compile_time_args() const {
    return std::visit([](const auto &c) { return c.compile_args; }, config_);
  }
  std::unordered_map<std::string, uint32_t> named_compile_time_args() const {
    return std::visit([](const auto &c) { return c.named_compile_args; }, config_);
  }
  std::map<std::string, std::string> defines() const {
    return std::visit([](const auto &c) { return c.defines; }, config_);
  }
  // Of all cores that have any.
  std::set<CoreCoord> cores_with_runtime_args() const {
    std::set<CoreCoord> with;
    for (const CoreCoord &core : logical_)
      if (!runtime_args(core).empty()) with.insert(core);
    return with;
  }
  std::vector<uint32_t> runtime_args(const CoreCoord &core) const {
    std::size_t n = 0;
    const uint32_t *args =
        ttemu_kernel_args_of(program_, handle_, uint32_t(core.x), uint32_t(core.y), &n);
    return {args, args + n};
  }
  std::vector<uint32_t> common_runtime_args() const {
    std::size_t n = 0;
    const uint32_t *args = ttemu_kernel_common_args_of(program_, handle_, &n);
    return {args, args + n};
  }
  HalProgrammableCoreType get_kernel_programmable_core_type() const {
    return HalProgrammableCoreType::TENSIX;
  }
  CoreType get_kernel_core_type() const { return CoreType::WORKER; }
  HalProcessorClassType get_kernel_processor_class() const {
    return std::holds_alternative<ComputeConfig>(config_) ? HalProcessorClassType::COMPUTE
                                                          : HalProcessorClassType::DM;
  }
  uint32_t get_kernel_processor_type(int part) const {
    const auto *moves = std::get_if<DataMovementConfig>(&config_);
    return moves ? static_cast<uint32_t>(moves->processor) : static_cast<uint32_t>(part);
  }
  uint8_t expected_num_binaries() const {
    return get_kernel_processor_class() == HalProcessorClassType::COMPUTE ? 3 : 1;
  }
  // Of all that it is compiled from; equal for equal kernels.
  std::size_t compute_hash() const {
    std::string all = source_.source_ + std::to_string(config_.index());
    const auto add = [&](uint64_t value) { all += ' ' + std::to_string(value); };
    for (const uint32_t arg : compile_time_args()) add(arg);
    const auto named = named_compile_time_args();
    for (const auto &[name, value] : std::map(named.begin(), named.end())) all += name, add(value);
    for (const auto &[name, value] : defines()) all += ' ' + name + '=' + value;
    if (const auto *moves = std::get_if<DataMovementConfig>(&config_))
      add(uint64_t(moves->processor)), add(moves->noc), add(moves->noc_mode);
    if (const auto *compute = std::get_if<ComputeConfig>(&config_)) {
      add(uint64_t(compute->math_fidelity)), add(compute->fp32_dest_acc_en);
      add(compute->dst_full_sync_en), add(compute->math_approx_mode);
      for (const UnpackToDestMode mode : compute->unpack_to_dest_mode) add(uint64_t(mode));
    }
    return std::hash<std::string>()(all);
  }

private:
  ttemu_program *program_;
  KernelHandle handle_;
  KernelSource source_;
  CoreRangeSet cores_;
  std::set<CoreCoord> logical_;
  Config config_;
  std::size_t form_ = 0;
};

inline constexpr uint32_t NUM_SEMAPHORES = 16; // of a core

class Semaphore {
public:
  Semaphore(const CoreRangeSet &cores, uint32_t id, uint32_t initial_value)
      : cores_(cores), id_(id), initial_value_(initial_value) {}
  uint32_t id() const { return id_; }
  uint32_t initial_value() const { return initial_value_; }
  uint32_t offset() const { return ttemu_semaphore_address(id_) - ttemu_semaphore_address(0); }
  CoreType core_type() const { return CoreType::WORKER; }
  const CoreRangeSet &core_range_set() const { return cores_; }
  bool initialized_on_logical_core(const CoreCoord &core) const { return cores_.contains(core); }

private:
  CoreRangeSet cores_;
  uint32_t id_, initial_value_;
};

namespace detail {
inline ProgramImpl::ProgramImpl()
    : semaphore_list(std::make_shared<std::vector<Semaphore>>()), handle_(ttemu_program_create()) {}
inline std::shared_ptr<CircularBuffer> ProgramImpl::get_circular_buffer(uintptr_t handle) const {
  for (const auto &cb : cbs)
    if (cb->id() == handle) return cb;
  TT_THROW("the program has no circular buffer with handle {}", handle);
}
inline std::vector<std::shared_ptr<CircularBuffer>>
ProgramImpl::circular_buffers_on_core(const CoreCoord &core) const {
  return circular_buffers_on_corerange(CoreRange(core));
}
inline std::vector<std::shared_ptr<CircularBuffer>>
ProgramImpl::circular_buffers_on_corerange(const CoreRange &range) const {
  std::vector<std::shared_ptr<CircularBuffer>> there;
  for (const auto &cb : cbs)
    if (cb->is_on_logical_corerange(range)) there.push_back(cb);
  return there;
}
inline KernelGroup *ProgramImpl::kernels_on_core(const CoreCoord &core, uint32_t) {
  KernelGroup &group = groups_[core];
  group.kernel_ids.clear();
  for (KernelHandle k = 0; k < kernels.size(); ++k)
    if (kernels[k]->is_on_logical_core(core)) group.kernel_ids.push_back(k);
  return group.kernel_ids.empty() ? nullptr : &group;
}
inline void ProgramImpl::validate_circular_buffer_region(const void *) const {
  const uint32_t lowest = ttemu_l1_lowest();
  const std::vector<CoreCoord> cores = logical_cores()[0];
  for (const CoreCoord &core : cores) {
    const uint32_t end = ttemu_program_cb_end(handle_, uint32_t(core.x), uint32_t(core.y));
    TT_FATAL(!lowest || end <= lowest,
             "the circular buffers of core {} end at {}, in a buffer that starts at {}", core.str(),
             end, lowest);
  }
}
inline uint32_t ProgramImpl::get_sem_size(const void *, const CoreCoord &core, CoreType) const {
  uint32_t n = 0;
  for (const Semaphore &s : *semaphore_list)
    if (s.initialized_on_logical_core(core)) n = std::max(n, s.id() + 1);
  return n * (ttemu_semaphore_address(1) - ttemu_semaphore_address(0));
}
inline std::size_t ProgramImpl::num_semaphores() const { return semaphore_list->size(); }
inline std::vector<std::reference_wrapper<const Semaphore>>
ProgramImpl::semaphores_on_core(const CoreCoord &core, CoreType) const {
  std::vector<std::reference_wrapper<const Semaphore>> there;
  for (const Semaphore &s : *semaphore_list)
    if (s.initialized_on_logical_core(core)) there.emplace_back(s);
  return there;
}
inline uint32_t ProgramImpl::get_cb_size(const void *, const CoreCoord &core, CoreType type) const {
  uint32_t n = 0;
  if (type == CoreType::WORKER)
    for (const auto &cb : circular_buffers_on_core(core))
      for (const uint8_t index : cb->buffer_indices()) n = std::max(n, index + 1u);
  return n * UINT32_WORDS_PER_LOCAL_CIRCULAR_BUFFER_CONFIG * sizeof(uint32_t);
}
inline std::vector<CoreRange> ProgramImpl::circular_buffers_unique_coreranges() const {
  std::vector<CoreRange> ranges;
  for (const auto &cb : cbs)
    for (const CoreRange &range : cb->core_ranges().ranges())
      if (std::find(ranges.begin(), ranges.end(), range) == ranges.end()) ranges.push_back(range);
  return ranges;
}
#if defined(TTEMU_API) && TTEMU_API < 202603
inline std::shared_ptr<Kernel> GetKernel(const Program &program, KernelHandle kernel) {
  return program.impl().get_kernel(kernel);
}
inline std::shared_ptr<CircularBuffer> GetCircularBuffer(const Program &program, CBHandle cb) {
  return program.impl().get_circular_buffer(cb);
}
#endif
} // namespace detail

} // namespace tt::tt_metal
