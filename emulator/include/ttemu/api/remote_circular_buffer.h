// Circular buffers whose producer is on another core than its consumers: a global circular buffer
// of the host. Each core has the same bytes for it, and for each receiver two counters, of what was
// sent and what was taken, in units of 16 bytes; both sides count them up for each other.
//
//   config, a page on each core: is sender, receivers, start, size, pointer, nodes, counters
#pragma once

#include "ttemu/api/circular_buffer_interface.h"
#ifndef TTEMU_COMPUTE
#include "ttemu/api/dataflow/dataflow_api.h"
#include "ttemu/api/experimental/noc.h"
#endif

#ifndef TTEMU_COMPUTE
namespace ttemu {
// One receiver's counters on the sender, and where both are on the NoC.
struct receiver_link {
  volatile uint32_t *sent, *acked;
  uint64_t remote_sent;
};
inline receiver_link link_to(const RemoteSenderCBInterface &cb, uint32_t i) {
  const uint32_t at = cb.aligned_pages_sent_ptr + 2 * counter_bytes * i;
  const volatile uint32_t *node = word_at(cb.receiver_noc_xy_ptr) + 2 * i;
  return {word_at(at), word_at(at + counter_bytes), get_noc_addr(node[0], node[1], at)};
}
inline void count_sent(const RemoteSenderCBInterface &cb, uint32_t i, uint32_t units, uint8_t noc,
                       uint32_t line) {
  const receiver_link link = link_to(cb, i);
  *link.sent = *link.sent + units;
  noc_semaphore_inc(link.remote_sent, units, noc, 0, line);
}
inline volatile uint32_t *sent_of(const RemoteReceiverCBInterface &cb) {
  return word_at(cb.aligned_pages_acked_ptr - counter_bytes);
}
inline void count_acked(const RemoteReceiverCBInterface &cb, uint32_t units, uint8_t noc,
                        uint32_t line) {
  volatile uint32_t *acked = word_at(cb.aligned_pages_acked_ptr);
  *acked = *acked + units;
  noc_semaphore_inc(get_noc_addr(cb.sender_noc_x, cb.sender_noc_y, cb.aligned_pages_acked_ptr),
                    units, noc, 0, line);
}
inline void wait_for_units(const RemoteReceiverCBInterface &cb, uint32_t units, uint32_t line) {
  noc_semaphore_wait_min(sent_of(cb), *word_at(cb.aligned_pages_acked_ptr) + units, line);
}
} // namespace ttemu
#endif

namespace experimental {
namespace detail {
#ifndef TTEMU_COMPUTE
inline constexpr uint8_t default_noc_mode = 0, default_cmd_buf = write_at_cmd_buf;
#else
inline constexpr uint8_t default_noc_mode = 0, default_cmd_buf = 0;
#endif
} // namespace detail

// With `tTell`, the other side is told of the bytes that are left out.
template <bool tTell = false>
inline void resize_remote_sender_cb_interface(uint32_t cb, uint32_t page_size, uint8_t noc,
                                              uint8_t = detail::default_noc_mode, bool = true,
                                              uint8_t = detail::default_cmd_buf, TTEMU_LINE) {
  ttemu::remote_cb &r = ttemu::remote(cb, line);
  [[maybe_unused]] const uint32_t units = ttemu::resize(r, page_size) / ttemu::remote_unit;
#ifndef TTEMU_COMPUTE
  for (uint32_t i = 0; tTell && units && i < r.sender.num_receivers; ++i)
    ttemu::count_sent(r.sender, i, units, noc, line);
#endif
}
template <bool tTell = false>
inline void resize_remote_receiver_cb_interface(uint32_t cb, uint32_t page_size, uint8_t noc,
                                                uint8_t = detail::default_noc_mode, bool = true,
                                                uint8_t = detail::default_cmd_buf, TTEMU_LINE) {
  ttemu::remote_cb &r = ttemu::remote(cb, line);
  [[maybe_unused]] const uint32_t units = ttemu::resize(r, page_size) / ttemu::remote_unit;
#ifndef TTEMU_COMPUTE
  if (!tTell || !units) return;
  ttemu::wait_for_units(r.receiver, units, line);
  ttemu::count_acked(r.receiver, units, noc, line);
#endif
}

#ifndef TTEMU_COMPUTE
inline void remote_cb_wait_front(uint32_t cb, uint32_t n, TTEMU_LINE) {
  const ttemu::remote_cb &r = ttemu::remote(cb, line);
  const uint32_t bytes = ttemu::with_rest(r, n * r.receiver.fifo_page_size);
  ttemu::wait_for_units(r.receiver, bytes / ttemu::remote_unit, line);
}
inline void remote_cb_pop_front(uint32_t cb, uint32_t n, uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu::remote_cb &r = ttemu::remote(cb, line);
  RemoteReceiverCBInterface &of = r.receiver;
  const uint32_t bytes = n * of.fifo_page_size, all = ttemu::with_rest(r, bytes);
  of.fifo_rd_ptr += bytes;
  if (of.fifo_rd_ptr >= of.fifo_limit_page_aligned)
    of.fifo_rd_ptr -= of.fifo_limit_page_aligned - of.fifo_start_addr;
  ttemu::count_acked(of, all / ttemu::remote_unit, noc, line);
}
inline void remote_cb_reserve_back(uint32_t cb, uint32_t n, TTEMU_LINE) {
  const ttemu::remote_cb &r = ttemu::remote(cb, line);
  const uint32_t bytes = ttemu::with_rest(r, n * r.sender.fifo_page_size);
  for (uint32_t i = 0; i < r.sender.num_receivers; ++i) {
    const ttemu::receiver_link link = ttemu::link_to(r.sender, i);
    const uint32_t after = *link.sent + bytes / ttemu::remote_unit,
                   room = ttemu::size_of(r) / ttemu::remote_unit;
    if (after > room) noc_semaphore_wait_min(link.acked, after - room, line);
  }
}
// Until all was taken.
inline void remote_cb_sender_barrier(uint32_t cb, TTEMU_LINE) {
  const RemoteSenderCBInterface &of = ttemu::remote(cb, line).sender;
  for (uint32_t i = 0; i < of.num_receivers; ++i) {
    const ttemu::receiver_link link = ttemu::link_to(of, i);
    noc_semaphore_wait_min(link.acked, *link.sent, line);
  }
}
// Of `rows` rows of pages each receiver takes so many in a row, one receiver after the other. What
// is sent arrives before its count does: on the chip both take one way, here there is a barrier.
template <bool tKeepPointer = true>
inline void remote_cb_push_back_and_write_pages(uint32_t cb, uint32_t l1, uint32_t n, uint32_t rows,
                                                uint32_t pages_of_row, uint32_t page_bytes,
                                                uint8_t noc = noc_index, TTEMU_LINE) {
  ttemu::remote_cb &r = ttemu::remote(cb, line);
  RemoteSenderCBInterface &of = r.sender;
  const uint32_t all = ttemu::with_rest(r, n * of.fifo_page_size), row = pages_of_row * page_bytes;
  for (uint32_t i = 0; i < of.num_receivers; ++i) {
    const volatile uint32_t *node = ttemu::word_at(of.receiver_noc_xy_ptr) + 2 * i;
    for (uint32_t h = 0; h < rows; ++h)
      for (uint32_t w = 0; w < pages_of_row; ++w)
        noc_async_write(l1 + (h * of.num_receivers + i) * row + w * page_bytes,
                        get_noc_addr(node[0], node[1], of.fifo_wr_ptr + h * row + w * page_bytes),
                        page_bytes, noc);
  }
  noc_async_write_barrier(noc, line);
  for (uint32_t i = 0; i < of.num_receivers; ++i)
    ttemu::count_sent(of, i, all / ttemu::remote_unit, noc, line);
  of.fifo_wr_ptr += rows * row;
  if (of.fifo_wr_ptr == of.fifo_limit_page_aligned) of.fifo_wr_ptr = of.fifo_start_addr;
}
#endif

// Local circular buffers on the same memory start where it is now.
template <uint32_t tN>
inline void align_local_cbs_to_remote_cb(uint32_t cb, const uint32_t (&local)[tN], TTEMU_LINE) {
  const RemoteReceiverCBInterface &of = ttemu::remote(cb, line).receiver;
  for (const uint32_t index : local)
    ttemu_cb_place(index, of.fifo_start_addr, of.fifo_limit_page_aligned - of.fifo_start_addr,
                   of.fifo_rd_ptr, line);
}
// The pointer, for the programs after this one.
inline void update_remote_cb_config_in_l1(uint32_t cb, TTEMU_LINE) {
  const RemoteReceiverCBInterface &of = ttemu::remote(cb, line).receiver;
  ttemu::word_at(of.config_ptr)[ttemu::CONFIG_POINTER] = of.fifo_rd_ptr;
}

#if !defined(TTEMU_COMPUTE) && TTEMU_API == 202603
class RemoteCircularBuffer {
public:
  enum class RemotePointerUpdate { SKIP, UPDATE_OVER_NOC };
  explicit RemoteCircularBuffer(uint32_t cb) : cb_(cb) {}
  void reserve_back(uint32_t n, TTEMU_LINE) { remote_cb_reserve_back(cb_, n, line); }
  void wait_front(uint32_t n, TTEMU_LINE) { remote_cb_wait_front(cb_, n, line); }
  void pop_front(const Noc &noc, uint32_t n, TTEMU_LINE) {
    remote_cb_pop_front(cb_, n, noc.get_noc_id(), line);
  }
  template <typename Src, RemotePointerUpdate tUpdate = RemotePointerUpdate::UPDATE_OVER_NOC>
  void push_back(const Noc &noc, const Src &src, uint32_t n, uint32_t rows, uint32_t pages_of_row,
                 uint32_t page_bytes, const src_args_t<Src> &from = {}, TTEMU_LINE) {
    remote_cb_push_back_and_write_pages(cb_, noc_traits_t<Src>::local_src(src, from, line), n, rows,
                                        pages_of_row, page_bytes, noc.get_noc_id(), line);
  }
  // In the SDK, the receiver's pointer is what the sender's function sets, and the other way round.
  template <RemotePointerUpdate tUpdate = RemotePointerUpdate::UPDATE_OVER_NOC>
  void set_sender_page_size(const Noc &noc, uint32_t bytes, uint8_t = 0, bool = true, uint8_t = 0,
                            TTEMU_LINE) {
    resize_remote_receiver_cb_interface<tUpdate == RemotePointerUpdate::UPDATE_OVER_NOC>(
        cb_, bytes, noc.get_noc_id(), 0, true, 0, line);
  }
  template <RemotePointerUpdate tUpdate = RemotePointerUpdate::UPDATE_OVER_NOC>
  void set_receiver_page_size(const Noc &noc, uint32_t bytes, uint8_t = 0,
                              Noc::ResponseMode = Noc::ResponseMode::POSTED, uint8_t = 0,
                              TTEMU_LINE) {
    resize_remote_sender_cb_interface<tUpdate == RemotePointerUpdate::UPDATE_OVER_NOC>(
        cb_, bytes, noc.get_noc_id(), 0, true, 0, line);
  }
  void barrier(TTEMU_LINE) { remote_cb_sender_barrier(cb_, line); }
  void commit(TTEMU_LINE) { update_remote_cb_config_in_l1(cb_, line); }
  [[nodiscard]] auto scoped_lock() {
    return Lock([] {});
  }

private:
  uint32_t cb_;
};
#endif
} // namespace experimental
