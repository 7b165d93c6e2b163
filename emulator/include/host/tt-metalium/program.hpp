// Programs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/core_coord.hpp>

#include "ttemu/host_calls.h"

namespace tt::tt_metal {

using ProgramId = std::uint64_t;

class Kernel;
class CircularBuffer;
class Semaphore;

// What runs together on a core.
struct KernelGroup {
  std::vector<uint32_t> kernel_ids;
};

namespace detail {
// What the runtime's inside, and so its tests, ask of a program.
class ProgramImpl {
public:
  ProgramImpl();
  ProgramImpl(const ProgramImpl &) = delete;
  ProgramImpl &operator=(const ProgramImpl &) = delete;
  ~ProgramImpl() { ttemu_program_destroy(handle_); }
  ttemu_program *handle() const { return handle_; }
  ProgramId get_id() const { return id; }
  std::size_t num_kernels() const { return kernels.size(); }
  std::shared_ptr<Kernel> get_kernel(std::size_t handle) const {
    TT_FATAL(handle < kernels.size(), "kernel {} of a program that has {}", handle, kernels.size());
    return kernels[handle];
  }
  std::unordered_map<uint32_t, std::shared_ptr<Kernel>> get_kernels(uint32_t) const {
    std::unordered_map<uint32_t, std::shared_ptr<Kernel>> all;
    for (uint32_t k = 0; k < kernels.size(); ++k) all[k] = kernels[k];
    return all;
  }
  const std::vector<std::shared_ptr<CircularBuffer>> &circular_buffers() const { return cbs; }
  KernelGroup *kernels_on_core(const CoreCoord &core, uint32_t core_type);
  // Their definitions are in tt-metalium/host_api.hpp, as those of what they return are.
  std::shared_ptr<CircularBuffer> get_circular_buffer(uintptr_t handle) const;
  std::vector<std::shared_ptr<CircularBuffer>> circular_buffers_on_core(const CoreCoord &) const;
  std::vector<std::shared_ptr<CircularBuffer>>
  circular_buffers_on_corerange(const CoreRange &) const;
  const std::vector<Semaphore> &semaphores() const { return *semaphore_list; }
  uint32_t get_cb_base_addr(const void *, const CoreCoord &, CoreType) const {
    return ttemu_l1_base_asked();
  }
  uint32_t get_sem_base_addr(const void *, const CoreCoord &, CoreType) const {
    return ttemu_semaphore_address(0);
  }
  uint32_t get_sem_size(const void *, const CoreCoord &, CoreType) const;
  std::vector<std::reference_wrapper<const Semaphore>> semaphores_on_core(const CoreCoord &,
                                                                          CoreType) const;
  std::size_t num_semaphores() const;
  // Of the words that would describe them, up to the last one of the core.
  uint32_t get_cb_size(const void *, const CoreCoord &, CoreType) const;
  std::vector<CoreRange> circular_buffers_unique_coreranges() const;
  // Nothing is laid out before a program runs but what these ask for.
  bool is_finalized() const { return true; }
  void set_finalized() {}
  void finalize_offsets(const void *) const {}
  void invalidate_circular_buffer_allocation() {}
  void invalidate_compile() {}
  // Circular buffers have their places from when they are made on.
  void allocate_circular_buffers(const void *) const {}
  // An error where they reach into a buffer.
  void validate_circular_buffer_region(const void *) const;
  // By the kind of core; there are worker cores alone.
  std::vector<std::vector<CoreCoord>> logical_cores() const {
    std::vector<std::vector<CoreCoord>> cores(1);
    for (uint32_t y = 0; y < ttemu_grid_y(); ++y)
      for (uint32_t x = 0; x < ttemu_grid_x(); ++x)
        if (ttemu_program_uses(handle_, x, y)) cores[0].emplace_back(x, y);
    return cores;
  }

  // What was made of it, in order.
  std::vector<std::shared_ptr<Kernel>> kernels;
  std::vector<std::shared_ptr<CircularBuffer>> cbs;
  std::shared_ptr<std::vector<Semaphore>> semaphore_list;
  ProgramId id = 0;

private:
  ttemu_program *handle_;
  std::map<CoreCoord, KernelGroup> groups_;
};
} // namespace detail

struct ProgramDescriptor;

// Owns what the emulated device knows of a program.
class Program {
public:
  explicit Program(const ProgramDescriptor &descriptor); // tt-metalium/program_descriptors.hpp
  Program() : impl_(std::make_shared<detail::ProgramImpl>()) {}
  Program(Program &&) noexcept = default;
  Program &operator=(Program &&) noexcept = default;
  ttemu_program *handle() const { return impl_->handle(); }
  void set_runtime_id(ProgramId id) {
    impl_->id = id;
    ttemu_program_number(handle(), id);
  }
  ProgramId get_runtime_id() const { return impl_->id; }
#if defined(TTEMU_API) && TTEMU_API < 202603
  // A program's inside was the program's own, to the middle of 2025.
  ProgramId get_id() const { return impl_->id; }
  std::size_t num_kernels() const { return impl_->num_kernels(); }
  std::shared_ptr<Kernel> get_kernel(std::size_t kernel) const { return impl_->get_kernel(kernel); }
  auto get_kernels(uint32_t type) const { return impl_->get_kernels(type); }
  KernelGroup *kernels_on_core(const CoreCoord &core, uint32_t type) {
    return impl_->kernels_on_core(core, type);
  }
  std::vector<std::shared_ptr<CircularBuffer>> circular_buffers_on_core(const CoreCoord &c) const {
    return impl_->circular_buffers_on_core(c);
  }
  std::vector<std::shared_ptr<CircularBuffer>>
  circular_buffers_on_corerange(const CoreRange &range) const {
    return impl_->circular_buffers_on_corerange(range);
  }
  std::vector<CoreRange> circular_buffers_unique_coreranges() const {
    return impl_->circular_buffers_unique_coreranges();
  }
  const std::vector<Semaphore> &semaphores() const { return impl_->semaphores(); }
  std::vector<std::reference_wrapper<const Semaphore>> semaphores_on_core(const CoreCoord &core,
                                                                          CoreType type) const {
    return impl_->semaphores_on_core(core, type);
  }
  std::size_t num_semaphores() const { return impl_->num_semaphores(); }
  std::vector<std::vector<CoreCoord>> logical_cores() const { return impl_->logical_cores(); }
  void allocate_circular_buffers(const void *device) const {
    impl_->allocate_circular_buffers(device);
  }
  void invalidate_circular_buffer_allocation() {}
  void invalidate_compile() {}
  bool is_finalized() const { return true; }
  void set_finalized() {}
  void finalize_offsets(const void *) const {}
  uint32_t get_cb_base_addr(const void *device, const CoreCoord &core, CoreType type) const {
    return impl_->get_cb_base_addr(device, core, type);
  }
  uint32_t get_cb_size(const void *device, const CoreCoord &core, CoreType type) const {
    return impl_->get_cb_size(device, core, type);
  }
  uint32_t get_sem_base_addr(const void *device, const CoreCoord &core, CoreType type) const {
    return impl_->get_sem_base_addr(device, core, type);
  }
  uint32_t get_sem_size(const void *device, const CoreCoord &core, CoreType type) const {
    return impl_->get_sem_size(device, core, type);
  }
#endif
  detail::ProgramImpl &impl() { return *impl_; }
  const detail::ProgramImpl &impl() const { return *impl_; }
  std::vector<std::shared_ptr<CircularBuffer>> circular_buffers() const { return impl_->cbs; }
  // Its parts in circular buffers across cores, by their handle.
  struct Remote {
    CoreRangeSet cores;
    std::optional<uint32_t> local, remote;
  };
  std::map<uintptr_t, Remote> remotes;
  // Lives as long as the program does.
  void keep(std::shared_ptr<void> object) { kept_.push_back(std::move(object)); }

private:
  std::shared_ptr<detail::ProgramImpl> impl_;
  std::vector<std::shared_ptr<void>> kept_;
};

} // namespace tt::tt_metal
