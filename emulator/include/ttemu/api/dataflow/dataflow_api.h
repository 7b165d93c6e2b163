// The data movement API: pointers, accessors and transfers.
#pragma once

#ifndef TTEMU_DATA_MOVEMENT
#error "dataflow_api.h is for data movement kernels"
#endif

#include "ttemu/kernel.hpp"

inline uint32_t get_write_ptr(uint32_t cb, TTEMU_LINE) { return ttemu_cb_write_ptr(cb, line); }
inline uint32_t get_read_ptr(uint32_t cb, TTEMU_LINE) { return ttemu_cb_read_ptr(cb, line); }
inline std::int32_t get_tile_size(std::int32_t cb, TTEMU_LINE) {
  return static_cast<std::int32_t>(ttemu_cb_tile_bytes(static_cast<uint32_t>(cb), line));
}

// Compile-time arguments of an interleaved tensor: its kind, and its page size.
template <uint32_t CTA_OFFSET>
struct TensorAccessorArgs {
  static constexpr uint32_t kind = ttemu::compile_arg(CTA_OFFSET);
  static constexpr bool is_dram = (kind & 2) != 0;
  static constexpr uint32_t get_aligned_page_size() { return ttemu::compile_arg(CTA_OFFSET + 1); }
  static constexpr uint32_t num_compile_time_args() { return 2; }
  static constexpr uint32_t next_compile_time_args_offset() { return CTA_OFFSET + 2; }
};

template <typename Args>
class TensorAccessor {
public:
  constexpr TensorAccessor(const Args &, uint32_t address,
                           uint32_t page_bytes = Args::get_aligned_page_size())
      : page_bytes(page_bytes), address(address) {}
  ttemu_page page(uint32_t id) const { return {address, id, page_bytes, Args::is_dram}; }
  const uint32_t page_bytes;

private:
  const uint32_t address;
};

#if TTEMU_API < 202608
template <typename Args>
inline void noc_async_read_tile(uint32_t id, const TensorAccessor<Args> &tensor, uint32_t l1,
                                uint32_t offset = 0, TTEMU_LINE) {
  ttemu_noc_read_page(tensor.page(id), offset, l1, tensor.page_bytes - offset, line);
}
template <typename Args>
inline void noc_async_write_tile(uint32_t id, const TensorAccessor<Args> &tensor, uint32_t l1,
                                 TTEMU_LINE) {
  ttemu_noc_write_page(tensor.page(id), 0, l1, tensor.page_bytes, line);
}
#endif
template <typename Args>
inline void noc_async_read_page(uint32_t id, const TensorAccessor<Args> &tensor, uint32_t l1,
                                uint32_t offset = 0, TTEMU_LINE) {
  ttemu_noc_read_page(tensor.page(id), offset, l1, tensor.page_bytes - offset, line);
}
template <typename Args>
inline void noc_async_write_page(uint32_t id, const TensorAccessor<Args> &tensor, uint32_t l1,
                                 uint32_t size = 0, uint32_t offset = 0, TTEMU_LINE) {
  ttemu_noc_write_page(tensor.page(id), offset, l1, size ? size : tensor.page_bytes - offset, line);
}
inline void noc_async_read_barrier(TTEMU_LINE) { ttemu_noc_read_barrier(line); }
inline void noc_async_write_barrier(TTEMU_LINE) { ttemu_noc_write_barrier(line); }
inline void noc_async_writes_flushed(TTEMU_LINE) { ttemu_noc_writes_flushed(line); }
