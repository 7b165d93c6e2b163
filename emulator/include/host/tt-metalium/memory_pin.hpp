// What keeps somebody else's memory alive: each copy of it counts once.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace tt::tt_metal {

class MemoryPin {
public:
  MemoryPin() = default;
  MemoryPin(std::function<void()> more, std::function<void()> less)
      : more_(std::move(more)), less_(std::move(less)) {
    count(more_);
  }
  explicit(false) MemoryPin(std::shared_ptr<void> resource) : resource_(std::move(resource)) {}
  MemoryPin(const MemoryPin &other)
      : more_(other.more_), less_(other.less_), resource_(other.resource_) {
    count(more_);
  }
  MemoryPin(MemoryPin &&other) noexcept { swap(other); }
  MemoryPin &operator=(MemoryPin other) noexcept {
    swap(other);
    return *this;
  }
  ~MemoryPin() { count(less_); }
  friend bool operator==(const MemoryPin &pin, std::nullptr_t) noexcept {
    return !pin.more_ && !pin.less_ && !pin.resource_;
  }

private:
  static void count(const std::function<void()> &step) {
    if (step) step();
  }
  void swap(MemoryPin &other) noexcept {
    std::swap(more_, other.more_), std::swap(less_, other.less_);
    std::swap(resource_, other.resource_);
  }
  std::function<void()> more_, less_;
  std::shared_ptr<void> resource_;
};

} // namespace tt::tt_metal
