// Arguments of a kernel that were set, to be read and changed.
#pragma once

#include <cstdint>

#include <tt-metalium/assert.hpp>

namespace tt::tt_metal {

class RuntimeArgsData {
public:
  RuntimeArgsData(uint32_t *data, std::size_t n) : data_(data), n_(n) {}
  std::size_t size() const { return n_; }
  uint32_t *data() const { return data_; }
  uint32_t *begin() const { return data_; }
  uint32_t *end() const { return data_ + n_; }
  uint32_t &operator[](std::size_t i) const { return at(i); }
  uint32_t &at(std::size_t i) const {
    TT_FATAL(i < n_, "runtime argument {}: {} were set", i, n_);
    return data_[i];
  }

private:
  uint32_t *data_;
  std::size_t n_;
};

} // namespace tt::tt_metal
