// The data movement API: pointers, accessors, transfers and semaphores.
#pragma once

#ifndef TTEMU_DATA_MOVEMENT
#error "dataflow_api.h is for data movement kernels"
#endif

#include "ttemu/kernel.hpp"

#ifndef TTEMU_NOC
#define TTEMU_NOC 0
#endif

#define tt_l1_ptr

using NocIndex = std::uint8_t;
inline constexpr NocIndex noc_index = TTEMU_NOC;
inline constexpr uint32_t NOC_MAX_BURST_SIZE = 8192;

// NoC coordinates of this core, by NoC.
namespace ttemu {
template <uint32_t (*tLogical)()>
struct coordinate {
  uint8_t operator[](int) const { return static_cast<uint8_t>(tLogical() + TTEMU_NOC_ORIGIN); }
};
constexpr uint64_t corner(uint32_t x, uint32_t y) { return uint64_t(y) << 8 | x; }
}  // namespace ttemu
inline constexpr ttemu::coordinate<ttemu_core_x> my_x;
inline constexpr ttemu::coordinate<ttemu_core_y> my_y;
inline uint8_t get_absolute_logical_x() { return static_cast<uint8_t>(ttemu_core_x()); }
inline uint8_t get_absolute_logical_y() { return static_cast<uint8_t>(ttemu_core_y()); }

inline uint32_t get_write_ptr(uint32_t cb, TTEMU_LINE) { return ttemu_cb_write_ptr(cb, line); }
inline uint32_t get_read_ptr(uint32_t cb, TTEMU_LINE) { return ttemu_cb_read_ptr(cb, line); }
inline std::int32_t get_tile_size(std::int32_t cb, TTEMU_LINE) {
  return static_cast<std::int32_t>(ttemu_cb_tile_bytes(static_cast<uint32_t>(cb), line));
}

// Compile-time arguments of an interleaved tensor: its kind, and its page size.
template <uint32_t tOffset>
struct TensorAccessorArgs {
  static constexpr uint32_t kind = ttemu::compile_arg(tOffset);
  static constexpr bool is_dram = (kind & 2) != 0;
  static constexpr uint32_t get_aligned_page_size() { return ttemu::compile_arg(tOffset + 1); }
  static constexpr uint32_t num_compile_time_args() { return 2; }
  static constexpr uint32_t next_compile_time_args_offset() { return tOffset + 2; }
};

template <typename Args>
class TensorAccessor {
public:
  constexpr TensorAccessor(const Args &, uint32_t address,
                           uint32_t page_bytes = Args::get_aligned_page_size())
      : page_bytes(page_bytes), address(address) {}
  ttemu_page page(uint32_t id) const { return {address, id, page_bytes, Args::is_dram}; }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_noc_address(page(id), offset, 0, line);
  }
  const uint32_t page_bytes;

private:
  const uint32_t address;
};

// The older way to name the pages of an interleaved tensor.
template <bool tDram>
struct InterleavedAddrGen {
  uint32_t bank_base_address;
  uint32_t page_size;
  ttemu_page page(uint32_t id) const { return {bank_base_address, id, page_size, tDram}; }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_noc_address(page(id), offset, 0, line);
  }
};
template <bool tDram, uint32_t tile_hw = 1024>
struct InterleavedAddrGenFast {
  uint32_t bank_base_address;
  uint32_t page_size;
  DataFormat data_format;
  ttemu_page page(uint32_t id) const { return {bank_base_address, id, page_size, tDram}; }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_noc_address(page(id), offset, 0, line);
  }
};

// NoC addresses: of a core, of this core, of a page, of a DRAM bank, of a rectangle of cores.
inline uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t = noc_index) {
  return ttemu::corner(x, y) << 32 | address;
}
inline uint64_t get_noc_addr(uint32_t address, uint8_t noc = noc_index) {
  return get_noc_addr(my_x[noc], my_y[noc], address, noc);
}
template <typename Tensor>
  requires requires(const Tensor &t) { t.page(0u); }
inline uint64_t get_noc_addr(uint32_t id, const Tensor &tensor, uint32_t offset = 0,
                             uint8_t = noc_index, TTEMU_LINE) {
  return ttemu_noc_address(tensor.page(id), offset, 0, line);
}
template <bool tDram>
inline uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t address, uint8_t = noc_index,
                                          TTEMU_LINE) {
  return ttemu_noc_address({address, bank, NOC_MAX_BURST_SIZE, tDram}, 0, 0, line);
}
inline uint64_t get_noc_multicast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                                       uint32_t address, uint8_t = noc_index) {
  return uint64_t{1} << 62 | ttemu::corner(x1, y1) << 48 | ttemu::corner(x0, y0) << 32 | address;
}

// Transfers of bytes. One packet or many: the device does not tell them apart.
inline void noc_async_read(uint64_t from, uint32_t l1, uint32_t size, uint8_t = noc_index,
                           uint32_t = 0, TTEMU_LINE) {
  ttemu_noc_read(from, l1, size, line);
}
inline void noc_async_read_one_packet(uint64_t from, uint32_t l1, uint32_t size,
                                      uint8_t = noc_index, uint32_t = 0, TTEMU_LINE) {
  ttemu_noc_read(from, l1, size, line);
}
inline void noc_async_write(uint32_t l1, uint64_t to, uint32_t size, uint8_t = noc_index,
                            uint32_t = 0, TTEMU_LINE) {
  ttemu_noc_write(l1, to, size, 1, false, line);
}
inline void noc_async_write_one_packet(uint32_t l1, uint64_t to, uint32_t size, uint8_t = noc_index,
                                       uint32_t = 0, TTEMU_LINE) {
  ttemu_noc_write(l1, to, size, 1, false, line);
}
inline void noc_async_write_multicast(uint32_t l1, uint64_t to, uint32_t size, uint32_t num_dests,
                                      bool = false, uint8_t = noc_index, TTEMU_LINE) {
  ttemu_noc_write(l1, to, size, num_dests, false, line);
}
inline void noc_async_write_multicast_one_packet(uint32_t l1, uint64_t to, uint32_t size,
                                                 uint32_t num_dests, bool = false,
                                                 uint8_t = noc_index, TTEMU_LINE) {
  ttemu_noc_write(l1, to, size, num_dests, false, line);
}
inline void noc_async_write_multicast_loopback_src(uint32_t l1, uint64_t to, uint32_t size,
                                                   uint32_t num_dests, bool = false,
                                                   uint8_t = noc_index, TTEMU_LINE) {
  ttemu_noc_write(l1, to, size, num_dests, true, line);
}

// Transfers of pages.
template <typename Tensor>
inline void noc_async_read_page(uint32_t id, const Tensor &tensor, uint32_t l1, uint32_t offset = 0,
                                uint8_t = noc_index, TTEMU_LINE) {
  const ttemu_page page = tensor.page(id);
  const uint32_t bytes = page.page_bytes - offset;
  ttemu_noc_read(ttemu_noc_address(page, offset, bytes, line), l1, bytes, line);
}
template <typename Tensor>
inline void noc_async_write_page(uint32_t id, const Tensor &tensor, uint32_t l1, uint32_t size = 0,
                                 uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) {
  const ttemu_page page = tensor.page(id);
  const uint32_t bytes = size ? size : page.page_bytes - offset;
  ttemu_noc_write(l1, ttemu_noc_address(page, offset, bytes, line), bytes, 1, false, line);
}
#if TTEMU_API < 202608
template <typename Tensor>
inline void noc_async_read_tile(uint32_t id, const Tensor &tensor, uint32_t l1, uint32_t offset = 0,
                                uint8_t noc = noc_index, TTEMU_LINE) {
  noc_async_read_page(id, tensor, l1, offset, noc, line);
}
template <typename Tensor>
inline void noc_async_write_tile(uint32_t id, const Tensor &tensor, uint32_t l1,
                                 uint8_t noc = noc_index, TTEMU_LINE) {
  noc_async_write_page(id, tensor, l1, 0, 0, noc, line);
}
#endif

inline void noc_async_read_barrier(uint8_t = noc_index, TTEMU_LINE) { ttemu_noc_read_barrier(line); }
inline void noc_async_write_barrier(uint8_t = noc_index, TTEMU_LINE) { ttemu_noc_write_barrier(line); }
inline void noc_async_writes_flushed(uint8_t = noc_index, TTEMU_LINE) { ttemu_noc_writes_flushed(line); }
inline void noc_async_atomic_barrier(uint8_t = noc_index, TTEMU_LINE) { ttemu_poll(line); }
inline void noc_async_full_barrier(uint8_t = noc_index, TTEMU_LINE) {
  ttemu_noc_read_barrier(line);
  ttemu_noc_write_barrier(line);
}
inline void invalidate_l1_cache(TTEMU_LINE) { ttemu_poll(line); }

// Semaphores: words in L1, at one address on all cores.
inline uint32_t get_semaphore(uint32_t id, TTEMU_LINE) { return ttemu_semaphore(id, line); }
inline void noc_semaphore_wait(volatile tt_l1_ptr uint32_t *semaphore, uint32_t value, TTEMU_LINE) {
  ttemu_semaphore_wait(semaphore, value, false, line);
}
inline void noc_semaphore_wait_min(volatile tt_l1_ptr uint32_t *semaphore, uint32_t value, TTEMU_LINE) {
  ttemu_semaphore_wait(semaphore, value, true, line);
}
inline void noc_semaphore_set(volatile tt_l1_ptr uint32_t *semaphore, uint32_t value, TTEMU_LINE) {
  ttemu_semaphore_set(semaphore, value, line);
}
inline void noc_semaphore_inc(uint64_t semaphore, uint32_t by, uint8_t = noc_index, uint8_t = 0,
                              TTEMU_LINE) {
  ttemu_semaphore_add(semaphore, by, line);
}
inline void noc_semaphore_set_remote(uint32_t from, uint64_t to, uint8_t = noc_index, TTEMU_LINE) {
  ttemu_semaphore_send(from, to, 1, false, line);
}
inline void noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t num_dests, bool = false,
                                        uint8_t = noc_index, TTEMU_LINE) {
  ttemu_semaphore_send(from, to, num_dests, false, line);
}
inline void noc_semaphore_set_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t num_dests,
                                                     bool = false, uint8_t = noc_index, TTEMU_LINE) {
  ttemu_semaphore_send(from, to, num_dests, true, line);
}
