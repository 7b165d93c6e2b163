// Programs.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ttemu/device.h"

namespace tt::tt_metal {

using ProgramId = std::uint64_t;

// Owns what the emulated device knows of a program.
class Program {
public:
  Program() : handle_(ttemu_program_create()) {}
  Program(Program &&other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), kept_(std::move(other.kept_)) {}
  Program &operator=(Program &&other) noexcept {
    std::swap(handle_, other.handle_), std::swap(kept_, other.kept_);
    return *this;
  }
  ~Program() { ttemu_program_destroy(handle_); }
  ttemu_program *handle() const { return handle_; }
  void set_runtime_id(ProgramId id) { id_ = id; }
  ProgramId get_runtime_id() const { return id_; }
  // Lives as long as the program does.
  void keep(std::shared_ptr<void> object) { kept_.push_back(std::move(object)); }

private:
  ttemu_program *handle_;
  ProgramId id_ = 0;
  std::vector<std::shared_ptr<void>> kept_;
};

} // namespace tt::tt_metal
