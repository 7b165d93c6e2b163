// The data movement API: pointers, accessors, transfers and semaphores.
#pragma once

#ifndef TTEMU_DATA_MOVEMENT
#error "dataflow_api.h is for data movement kernels"
#endif

#include "ttemu/api/dataflow/addresses.h"
#include "ttemu/api/dataflow/stream_registers.h"

#ifdef ARCH_BLACKHOLE
inline constexpr uint32_t NOC_MAX_BURST_SIZE = 16384;
#else
inline constexpr uint32_t NOC_MAX_BURST_SIZE = 8192;
#endif
inline constexpr uint32_t NOC_UNICAST_WRITE_VC = 1, write_cmd_buf = 0, read_cmd_buf = 1,
                          write_reg_cmd_buf = 2, write_at_cmd_buf = 3,
                          NOC_CLEAR_OUTSTANDING_REQ_MASK = 0xffffffff;
enum class ProgrammableCoreType { TENSIX = 0 };
enum class InlineWriteDst { DEFAULT, L1, REG };

inline uint32_t get_write_ptr(uint32_t cb, TTEMU_LINE) { return ttemu_cb_write_ptr(cb, line); }
inline uint32_t get_read_ptr(uint32_t cb, TTEMU_LINE) { return ttemu_cb_read_ptr(cb, line); }
inline bool cb_pages_reservable_at_back(std::int32_t cb, std::int32_t n, TTEMU_LINE) {
  return ttemu_cb_has(static_cast<uint32_t>(cb), static_cast<uint32_t>(n), true, line);
}
inline bool cb_pages_available_at_front(std::int32_t cb, std::int32_t n, TTEMU_LINE) {
  return ttemu_cb_has(static_cast<uint32_t>(cb), static_cast<uint32_t>(n), false, line);
}
inline uint32_t get_num_threads() { return 1; }
inline uint32_t get_my_thread_id() { return 0; }
inline void RISC_POST_HEARTBEAT(uint32_t &heartbeat) { ++heartbeat; }
inline void wait_for_sync_register_value(uintptr_t address, std::int32_t value, TTEMU_LINE) {
  while (*reinterpret_cast<const volatile std::int32_t *>(address) != value) ttemu_poll(line);
}

namespace ttemu {
inline void in_one_packet(uint32_t size, uint32_t line) {
  if (size > NOC_MAX_BURST_SIZE) ttemu_noc_large_packet(size, NOC_MAX_BURST_SIZE, line);
}
} // namespace ttemu

// Transfers of bytes. One packet or many: the device tells them apart by what one may have.
template <uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1, bool tTrace = true>
inline void noc_async_read(uint64_t from, uint32_t l1, uint32_t size, uint8_t noc = noc_index,
                           uint32_t = 0, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_read(from, l1, size, line);
}
template <bool tTrace = true>
inline void noc_async_read_one_packet(uint64_t from, uint32_t l1, uint32_t size,
                                      uint8_t noc = noc_index, uint32_t = 0, TTEMU_LINE) {
  ttemu::in_one_packet(size, line);
  ttemu_noc_choose(noc);
  ttemu_noc_read(from, l1, size, line);
}
template <uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1, bool tTrace = true, bool tPosted = false>
inline void noc_async_write(uint32_t l1, uint64_t to, uint32_t size, uint8_t noc = noc_index,
                            uint32_t = 0, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_write(l1, to, size, 1, false, line);
}
template <bool tTrace = true, bool tPosted = false>
inline void noc_async_write_one_packet(uint32_t l1, uint64_t to, uint32_t size,
                                       uint8_t noc = noc_index, uint32_t = 0, TTEMU_LINE) {
  ttemu::in_one_packet(size, line);
  ttemu_noc_choose(noc);
  ttemu_noc_write(l1, to, size, 1, false, line);
}
template <uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1>
inline void noc_async_write_multicast(uint32_t l1, uint64_t to, uint32_t size, uint32_t num_dests,
                                      bool linked = false, uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_link(linked);
  ttemu_noc_write(l1, to, size, num_dests, false, line);
}
template <bool tTrace = true>
inline void noc_async_write_multicast_one_packet(uint32_t l1, uint64_t to, uint32_t size,
                                                 uint32_t num_dests, bool linked = false,
                                                 uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu::in_one_packet(size, line);
  ttemu_noc_choose(noc);
  ttemu_noc_link(linked);
  ttemu_noc_write(l1, to, size, num_dests, false, line);
}
inline void noc_async_write_multicast_loopback_src(uint32_t l1, uint64_t to, uint32_t size,
                                                   uint32_t num_dests, bool linked = false,
                                                   uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_link(linked);
  ttemu_noc_write(l1, to, size, num_dests, true, line);
}
template <InlineWriteDst tKind = InlineWriteDst::DEFAULT, bool tPosted = false, bool tFlush = true>
inline void noc_inline_dw_write(uint64_t to, uint32_t value, uint8_t = 0xF, uint8_t noc = noc_index,
                                uint8_t = 0, uint32_t = 0, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_write_word(to, value, line);
}

// Transfers whose other end, and size, are set once. Each processor has its own; an address may
// come with its node, which must be the one that was set.
inline void noc_async_read_set_state(uint64_t from, uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_set_state(read_cmd_buf, from, 0, 0, line);
}
template <bool tCount = true>
inline void noc_async_read_with_state(uint64_t from, uint32_t l1, uint32_t size,
                                      uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_read(ttemu_noc_from_state(read_cmd_buf, from, line), l1, size, line);
}
template <bool tVc = false>
inline void noc_async_read_one_packet_set_state(uint64_t from, uint32_t size, uint32_t = 0,
                                                uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_set_state(read_cmd_buf, from, size, 0, line);
}
namespace ttemu {
inline void read_packet_with_state(uint64_t from, uint32_t l1, uint8_t noc, uint32_t line) {
  ttemu_noc_choose(noc);
  const uint32_t size = ttemu_noc_state_bytes(read_cmd_buf, 0, line);
  in_one_packet(size, line);
  ttemu_noc_read(ttemu_noc_from_state(read_cmd_buf, from, line), l1, size, line);
}
} // namespace ttemu
template <bool tCount = true, bool tVc = false>
inline void noc_async_read_one_packet_with_state(uint64_t from, uint32_t l1, uint32_t = 0,
                                                 uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu::read_packet_with_state(from, l1, noc, line);
}
inline void noc_async_read_inc_num_issued(uint32_t, uint8_t = noc_index) {} // they are counted
template <bool tPosted = false>
inline void noc_async_write_one_packet_set_state(uint64_t to, uint32_t size,
                                                 uint8_t noc = noc_index, uint8_t = 0, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_set_state(write_cmd_buf, to, size, 0, line);
}
template <bool tPosted = false>
inline void noc_async_write_one_packet_with_state(uint32_t l1, uint64_t to, uint8_t noc = noc_index,
                                                  TTEMU_LINE) {
  ttemu_noc_choose(noc);
  const uint32_t size = ttemu_noc_state_bytes(write_cmd_buf, 0, line);
  ttemu::in_one_packet(size, line);
  ttemu_noc_write(l1, ttemu_noc_from_state(write_cmd_buf, to, line), size, 1, false, line);
}
template <bool tPosted = false, bool tSetValue = false>
inline void noc_inline_dw_write_set_state(uint64_t to, uint32_t value = 0, uint8_t = 0xF,
                                          uint8_t buffer = write_at_cmd_buf,
                                          uint8_t noc = noc_index, uint8_t = 0, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_set_state(buffer, to, 4, value, line);
}
template <bool tLow = false, bool tCounter = true, bool tPosted = false, bool tHigh = false,
          bool tValue = false, InlineWriteDst tKind = InlineWriteDst::DEFAULT>
inline void noc_inline_dw_write_with_state(uint32_t value, uint32_t address = 0,
                                           uint8_t buffer = write_at_cmd_buf,
                                           uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  const uint64_t at =
      tLow ? ttemu_noc_from_state(buffer, address, line) : ttemu_noc_state_address(buffer, line);
  if (!tValue) value = ttemu_noc_state_value(buffer);
  ttemu_noc_buffer(buffer);
  ttemu_noc_write_word(at, value, line);
}

// Transfers with a number, and barriers for those that have it.
inline void noc_async_read_set_trid(uint32_t trid = 0, uint8_t = noc_index, TTEMU_LINE) {
  ttemu_noc_set_trid(false, trid, line);
}
inline void noc_async_write_set_trid(uint32_t trid = 0, uint8_t = noc_index, TTEMU_LINE) {
  ttemu_noc_set_trid(true, trid, line);
}
inline void ncrisc_noc_set_transaction_id(uint32_t, uint32_t buffer, uint32_t trid, TTEMU_LINE) {
  ttemu_noc_set_trid(buffer != read_cmd_buf, trid, line);
}
template <bool tSkipPointer = false, bool tSkipCheck = false>
inline void noc_async_read_one_packet_with_state_with_trid(uint32_t base, uint32_t from,
                                                           uint32_t l1, uint32_t trid = 0,
                                                           uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_set_trid(false, trid, line);
  ttemu::read_packet_with_state(base + from, l1, noc, line);
}
inline void noc_async_read_barrier_with_trid(uint32_t trid, uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_barrier_of(TTEMU_READS, trid, line);
}
template <bool tCounter = true, bool tPosted = false>
inline void noc_async_write_one_packet_with_trid(uint32_t l1, uint64_t to, uint32_t size,
                                                 uint32_t trid, uint8_t buffer = write_cmd_buf,
                                                 uint8_t noc = noc_index, uint8_t = 0, TTEMU_LINE) {
  ttemu::in_one_packet(size, line);
  ttemu_noc_set_trid(true, trid, line);
  ttemu_noc_choose(noc);
  ttemu_noc_buffer(buffer);
  ttemu_noc_write(l1, to, size, 1, false, line);
}
template <bool tPosted = false>
inline void
noc_async_write_one_packet_with_trid_set_state(uint64_t to, uint8_t buffer = write_cmd_buf,
                                               uint8_t noc = noc_index, uint8_t = 0, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_set_state(buffer, to, 0, 0, line);
}
template <bool tCounter = true, bool tPosted = false>
inline void noc_async_write_one_packet_with_trid_with_state(uint32_t l1, uint64_t to, uint32_t size,
                                                            uint32_t trid,
                                                            uint8_t buffer = write_cmd_buf,
                                                            uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu::in_one_packet(size, line);
  ttemu_noc_set_trid(true, trid, line);
  ttemu_noc_choose(noc);
  to = ttemu_noc_from_state(buffer, to, line);
  ttemu_noc_buffer(buffer);
  ttemu_noc_write(l1, to, size, 1, false, line);
}
inline void noc_async_write_barrier_with_trid(uint32_t trid, uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_barrier_of(TTEMU_WRITES, trid, line);
}
inline void noc_async_write_flushed_with_trid(uint32_t trid, uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_barrier_of(TTEMU_WRITES_SENT, trid, line);
}
inline bool ncrisc_noc_read_with_transaction_id_flushed(uint32_t noc, uint32_t trid, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  return ttemu_noc_reads_done(trid, line);
}
inline void reset_noc_trid_barrier_counter(uint32_t = NOC_CLEAR_OUTSTANDING_REQ_MASK,
                                           uint32_t = noc_index) {}

#if TTEMU_API < 202603
// Reads of a DRAM bank whose core is set once; what they return is added to each address.
template <bool tVc = false>
inline uint32_t noc_async_read_tile_dram_sharded_set_state(uint32_t base, uint32_t bytes,
                                                           uint32_t bank = 0, uint32_t = 0,
                                                           uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_set_state(read_cmd_buf, ttemu_bank_address(true, bank, base, line), bytes, 0, line);
  return base;
}
template <uint32_t tBytes, bool tVc>
inline uint32_t noc_async_read_tile_dram_sharded_set_state(uint32_t base, uint32_t bank = 0,
                                                           uint32_t = 0, TTEMU_LINE) {
  ttemu_noc_set_state(read_cmd_buf, ttemu_bank_address(true, bank, base, line), tBytes, 0, line);
  return base;
}
inline void noc_async_read_tile_dram_sharded_with_state(uint32_t base, uint32_t from, uint32_t l1,
                                                        uint32_t = 0, uint8_t noc = noc_index,
                                                        TTEMU_LINE) {
  ttemu::read_packet_with_state(base + from, l1, noc, line);
}
inline void noc_async_read_tile_dram_sharded_set_trid(uint32_t trid = 0, uint8_t = noc_index,
                                                      TTEMU_LINE) {
  ttemu_noc_set_trid(false, trid, line);
}
template <bool tSkipPointer = false>
inline void noc_async_read_tile_dram_sharded_with_state_with_trid(uint32_t base, uint32_t from,
                                                                  uint32_t l1, uint32_t trid = 0,
                                                                  uint8_t noc = noc_index,
                                                                  TTEMU_LINE) {
  ttemu_noc_set_trid(false, trid, line);
  noc_async_read_tile_dram_sharded_with_state(base, from, l1, trid, noc, line);
}
template <bool tDram, uint32_t tPage>
inline InterleavedAddrGen<tDram> get_interleaved_addr_gen(uint32_t base) {
  return {base, tPage};
}
constexpr uint32_t MUL_WITH_TILE_SIZE(uint32_t format, uint32_t index) {
  switch (static_cast<DataFormat>(format & 0x1f)) {
  case DataFormat::UInt8: return index * 1024;
  case DataFormat::UInt16:
  case DataFormat::Float16:
  case DataFormat::Float16_b: return index * 2048;
  case DataFormat::Int32:
  case DataFormat::UInt32:
  case DataFormat::Float32: return index * 4096;
  case DataFormat::Bfp2:
  case DataFormat::Bfp2_b: return index * 320;
  case DataFormat::Bfp4:
  case DataFormat::Bfp4_b: return index * 576;
  default: return index * 1088;
  }
}
inline uint32_t align(uint32_t value, uint32_t to) { return (value + to - 1) / to * to; }
#endif

// Transfers of pages, and of whole shards.
template <typename Tensor, bool tTrace = true>
inline void noc_async_read_page(uint32_t id, const Tensor &tensor, uint32_t l1, uint32_t offset = 0,
                                uint8_t noc = noc_index, TTEMU_LINE) {
  const ttemu_page page = tensor.page(id);
  const uint32_t bytes = page.page_bytes - offset;
  ttemu_noc_choose(noc);
  ttemu_noc_read(ttemu_noc_address(page, offset, bytes, line), l1, bytes, line);
}
template <typename Tensor, bool tTrace = true, bool tPosted = false>
inline void noc_async_write_page(uint32_t id, const Tensor &tensor, uint32_t l1, uint32_t size = 0,
                                 uint32_t offset = 0, uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  const ttemu_page page = tensor.page(id);
  const uint32_t bytes = size ? size : page.page_bytes - offset;
  ttemu_noc_write(l1, ttemu_noc_address(page, offset, bytes, line), bytes, 1, false, line);
}
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
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
template <typename Tensor>
inline void noc_async_read_shard(uint32_t shard, const Tensor &tensor, uint32_t l1,
                                 uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_read(tensor.get_shard_noc_addr(shard, 0, noc_index, line), l1, tensor.shard_bytes(),
                 line);
}
template <typename Tensor, bool tPosted = false>
inline void noc_async_write_shard(uint32_t shard, const Tensor &tensor, uint32_t l1,
                                  uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_write(l1, tensor.get_shard_noc_addr(shard, 0, noc_index, line), tensor.shard_bytes(), 1,
                  false, line);
}

inline void noc_async_read_barrier(uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_read_barrier(line);
}
inline void noc_async_write_barrier(uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_write_barrier(line);
}
inline void noc_async_writes_flushed(uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_writes_flushed(line);
}
inline void noc_async_posted_writes_flushed(uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_writes_flushed(line);
}
inline void noc_async_atomic_barrier(uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_atomic_barrier(line);
}
inline void noc_async_full_barrier(uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_read_barrier(line);
  ttemu_noc_choose(noc);
  ttemu_noc_write_barrier(line);
  ttemu_noc_choose(noc);
  ttemu_noc_atomic_barrier(line);
}

// Semaphores: words in L1, at one address on all cores.
template <ProgrammableCoreType tType = ProgrammableCoreType::TENSIX>
inline uint32_t get_semaphore(uint32_t id, TTEMU_LINE) {
  return ttemu_semaphore(id, line);
}
inline void noc_semaphore_wait(volatile tt_l1_ptr uint32_t *semaphore, uint32_t value, TTEMU_LINE) {
  ttemu_semaphore_wait(semaphore, value, false, line);
}
inline void noc_semaphore_wait_min(volatile tt_l1_ptr uint32_t *semaphore, uint32_t value,
                                   TTEMU_LINE) {
  ttemu_semaphore_wait(semaphore, value, true, line);
}
inline void noc_semaphore_set(volatile tt_l1_ptr uint32_t *semaphore, uint32_t value, TTEMU_LINE) {
  ttemu_semaphore_set(semaphore, value, line);
}
template <bool tPosted = false>
inline void noc_semaphore_inc(uint64_t semaphore, uint32_t by, uint8_t noc = noc_index, uint8_t = 0,
                              TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_semaphore_add(semaphore, by, 1, tPosted, line);
}
template <bool tPosted = false>
inline void noc_semaphore_inc_multicast(uint64_t semaphore, uint32_t by, uint32_t num_dests,
                                        uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_semaphore_add(semaphore, by, num_dests, tPosted, line);
}
inline void noc_semaphore_set_remote(uint32_t from, uint64_t to, uint8_t noc = noc_index,
                                     TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_semaphore_send(from, to, 1, false, line);
}
inline void noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t num_dests,
                                        bool linked = false, uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_link(linked);
  ttemu_semaphore_send(from, to, num_dests, false, line);
}
inline void noc_semaphore_set_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t num_dests,
                                                     bool linked = false, uint8_t noc = noc_index,
                                                     TTEMU_LINE) {
  ttemu_noc_choose(noc);
  ttemu_noc_link(linked);
  ttemu_semaphore_send(from, to, num_dests, true, line);
}
// The counts that barriers go by, set to what the NoC has counted: here they never differ.
inline void ncrisc_noc_counters_init() {}
inline void dynamic_noc_local_state_init() {}
