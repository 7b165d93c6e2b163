// Programs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tt-metalium/core_coord.hpp>

#include "ttemu/device.h"

namespace tt::tt_metal {

using ProgramId = std::uint64_t;

namespace detail {
// What the runtime's inside, and so its tests, ask of a program.
class ProgramImpl {
public:
  ProgramImpl(ttemu_program *handle, ProgramId id) : handle_(handle), id_(id) {}
  ProgramId get_id() const { return id_; }
  std::size_t num_kernels() const { return ttemu_program_kernels(handle_); }
  // By the kind of core; there are worker cores alone.
  std::vector<std::vector<CoreCoord>> logical_cores() const {
    std::vector<std::vector<CoreCoord>> cores(1);
    for (uint32_t y = 0; y < ttemu_grid_y(); ++y)
      for (uint32_t x = 0; x < ttemu_grid_x(); ++x)
        if (ttemu_program_uses(handle_, x, y)) cores[0].emplace_back(x, y);
    return cores;
  }

private:
  ttemu_program *handle_;
  ProgramId id_;
};
} // namespace detail

struct ProgramDescriptor;

// Owns what the emulated device knows of a program.
class Program {
public:
  explicit Program(const ProgramDescriptor &descriptor); // tt-metalium/program_descriptors.hpp
  Program() : handle_(ttemu_program_create()) {}
  Program(Program &&other) noexcept
      : remotes(std::move(other.remotes)), handle_(std::exchange(other.handle_, nullptr)),
        kept_(std::move(other.kept_)) {}
  Program &operator=(Program &&other) noexcept {
    std::swap(handle_, other.handle_), std::swap(kept_, other.kept_);
    std::swap(remotes, other.remotes);
    return *this;
  }
  ~Program() { ttemu_program_destroy(handle_); }
  ttemu_program *handle() const { return handle_; }
  void set_runtime_id(ProgramId id) { id_ = id; }
  ProgramId get_runtime_id() const { return id_; }
#if defined(TTEMU_API) && TTEMU_API < 202603
  ProgramId get_id() const { return id_; }
#endif
  detail::ProgramImpl impl() const { return {handle_, id_}; }
  // Its parts in circular buffers across cores, by their handle.
  struct Remote {
    CoreRangeSet cores;
    std::optional<uint32_t> local, remote;
  };
  std::map<uintptr_t, Remote> remotes;
  // Lives as long as the program does.
  void keep(std::shared_ptr<void> object) { kept_.push_back(std::move(object)); }

private:
  ttemu_program *handle_;
  ProgramId id_ = 0;
  std::vector<std::shared_ptr<void>> kept_;
};

} // namespace tt::tt_metal
