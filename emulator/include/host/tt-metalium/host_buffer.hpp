// Memory of the host with elements of one type: its own, or somebody else's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/memory_pin.hpp>

namespace tt::tt_metal {

class HostBuffer {
public:
  HostBuffer() : HostBuffer(std::vector<std::byte>()) {}
  template <typename T>
  explicit HostBuffer(const std::shared_ptr<std::vector<T>> &data)
      : HostBuffer(std::span<T>(*data), MemoryPin(data)) {}
  template <typename T>
  explicit HostBuffer(std::vector<T> &&data)
      : HostBuffer(std::make_shared<std::vector<T>>(std::move(data))) {}
  template <typename T>
  explicit HostBuffer(const std::vector<T> &data)
      : HostBuffer(std::make_shared<std::vector<T>>(data)) {}
  template <typename T>
  HostBuffer(std::span<T> borrowed, MemoryPin pin)
      : pin_(std::move(pin)), bytes_(std::as_writable_bytes(borrowed)), type_(&typeid(T)) {}
  std::span<std::byte> view_bytes() & noexcept { return bytes_; }
  std::span<const std::byte> view_bytes() const & noexcept { return bytes_; }
  std::span<const std::byte> view_bytes() const && noexcept = delete;
  template <typename T> std::span<T> view_as() & {
    check<T>();
    return {reinterpret_cast<T *>(bytes_.data()), bytes_.size() / sizeof(T)};
  }
  template <typename T> std::span<const T> view_as() const & {
    check<T>();
    return {reinterpret_cast<const T *>(bytes_.data()), bytes_.size() / sizeof(T)};
  }
  template <typename T> std::span<const T> view_as() const && = delete;
  MemoryPin pin() const { return pin_; }
  void swap(HostBuffer &other) noexcept { std::swap(*this, other); }
  friend bool operator==(const HostBuffer &a, const HostBuffer &b) noexcept {
    return std::ranges::equal(a.bytes_, b.bytes_);
  }

private:
  template <typename T> void check() const {
    TT_FATAL(*type_ == typeid(T), "the elements of a host buffer are of another type");
  }
  MemoryPin pin_;
  std::span<std::byte> bytes_;
  const std::type_info *type_;
};

} // namespace tt::tt_metal
