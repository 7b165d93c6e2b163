// What a kernel was compiled to, as words: on the emulated device the library that runs in its
// place, in one span.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <tt-metalium/assert.hpp>

namespace ll_api {

class memory {
public:
  using address_t = std::uint64_t;
  using word_t = std::uint32_t;
  enum class Loading : std::uint8_t { DISCRETE, CONTIGUOUS, CONTIGUOUS_XIP };

  memory() = default;
  memory(const std::string &path, Loading loading) : loading_(loading) {
    std::ifstream file(path, std::ios::binary);
    TT_FATAL(bool(file), "there is no compiled kernel '{}'", path);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    data_.resize((bytes.size() + sizeof(word_t) - 1) / sizeof(word_t));
    std::memcpy(data_.data(), bytes.data(), bytes.size());
  }
  memory(const memory &) = delete;
  memory &operator=(const memory &) = delete;
  memory(memory &&) = default;
  memory &operator=(memory &&) = default;

  const std::vector<word_t> &data() const { return data_; }
  bool operator==(const memory &other) const { return data_ == other.data_; }
  Loading get_loading() const { return loading_; }
  uint32_t get_text_size() const { return get_packed_size(); }
  uint32_t get_packed_size() const { return uint32_t(data_.size() * sizeof(word_t)); }
  uint32_t get_text_addr() const { return text_addr_; }
  void set_text_addr(const uint32_t &address) { text_addr_ = address; }
  std::size_t size() const { return data_.size(); }
  std::size_t num_spans() const { return data_.empty() ? 0 : 1; }
  void process_spans(const std::function<void(std::vector<uint32_t>::const_iterator, uint64_t,
                                              uint32_t)> &callback) const {
    if (!data_.empty()) callback(data_.cbegin(), text_addr_, uint32_t(size()));
  }

private:
  std::vector<word_t> data_;
  uint32_t text_addr_ = 0;
  Loading loading_ = Loading::DISCRETE;
};

} // namespace ll_api
