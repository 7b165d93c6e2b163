// Compile-time arguments that tell a kernel how a tensor is laid out.
#pragma once

#include <tt-metalium/distributed.hpp>

namespace tt::tt_metal {

class TensorAccessorArgs {
public:
  TensorAccessorArgs() = default;
  explicit TensorAccessorArgs(const Buffer &buffer)
      : args_{buffer.is_dram() ? 2u : 0u, uint32_t(buffer.page_size())} {
    const uint32_t *shards = ttemu_buffer_shards(buffer.handle());
    if (!shards) return;
    TT_FATAL(buffer.buffer_distribution_spec(),
             "an accessor takes a sharded buffer without a BufferDistributionSpec for an "
             "interleaved one; make the buffer with BufferShardingArgs(BufferDistributionSpec(…), "
             "…)");
    args_[0] |= 1;
    args_.insert(args_.end(), shards, shards + 2 + 2 * shards[0] + shards[1]);
  }
  explicit TensorAccessorArgs(const Buffer *buffer) : TensorAccessorArgs(*buffer) {}
  explicit TensorAccessorArgs(const std::shared_ptr<Buffer> &buffer)
      : TensorAccessorArgs(*buffer) {}
  explicit TensorAccessorArgs(const distributed::MeshBuffer *buffer)
      : TensorAccessorArgs(*buffer) {}
  explicit TensorAccessorArgs(const distributed::MeshBuffer &buffer)
      : TensorAccessorArgs(*buffer.get_backing_buffer()) {}
  explicit TensorAccessorArgs(const std::shared_ptr<distributed::MeshBuffer> &buffer)
      : TensorAccessorArgs(*buffer) {}
  // Of any interleaved tensor: how large its pages are is said in the kernel.
  static TensorAccessorArgs create_dram_interleaved() { return interleaved(2); }
  static TensorAccessorArgs create_l1_interleaved() { return interleaved(0); }
  void append_to(std::vector<uint32_t> &compile_args) const {
    compile_args.insert(compile_args.end(), args_.begin(), args_.end());
  }
  void append_to(std::vector<uint32_t> &compile_args, std::vector<uint32_t> &) const {
    append_to(compile_args);
  }
  std::vector<uint32_t> get_compile_time_args() const { return args_; }
  std::vector<uint32_t> get_common_runtime_args() const { return {}; }

private:
  static TensorAccessorArgs interleaved(uint32_t kind) {
    TensorAccessorArgs args;
    args.args_ = {kind, 0};
    return args;
  }
  std::vector<uint32_t> args_;
};

} // namespace tt::tt_metal
