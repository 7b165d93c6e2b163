// Compile-time arguments that tell a kernel how a tensor is laid out.
#pragma once

#include <tt-metalium/distributed.hpp>

namespace tt::tt_metal {

class TensorAccessorArgs {
public:
  explicit TensorAccessorArgs(const distributed::MeshBuffer &buffer)
      : kind_(buffer.is_dram() ? 2u : 0u), page_size_(buffer.page_size()) {}
  void append_to(std::vector<uint32_t> &compile_args) const {
    compile_args.push_back(kind_);
    compile_args.push_back(page_size_);
  }

private:
  uint32_t kind_, page_size_;
};

}  // namespace tt::tt_metal
