// What a processor keeps of a circular buffer across cores, which kernels may look at.
#pragma once

#include <cstddef>

#include "ttemu/kernel.hpp"

#ifndef REMOTE_CIRCULAR_BUFFER_ALIGNED_PAGE_SIZE
#define REMOTE_CIRCULAR_BUFFER_ALIGNED_PAGE_SIZE 16
#endif

// What a processor keeps of one, and may change; both have the fifo's pointer in one place.
struct RemoteSenderCBInterface {
  uint32_t config_ptr, fifo_start_addr, fifo_limit_page_aligned, fifo_page_size, fifo_wr_ptr;
  uint32_t receiver_noc_xy_ptr, aligned_pages_sent_ptr, num_receivers;
};
struct RemoteReceiverCBInterface {
  uint32_t config_ptr, fifo_start_addr, fifo_limit_page_aligned, fifo_page_size, fifo_rd_ptr;
  uint32_t sender_noc_x, sender_noc_y, aligned_pages_acked_ptr;
};

namespace ttemu {
union remote_cb {
  RemoteSenderCBInterface sender;
  RemoteReceiverCBInterface receiver;
};
inline remote_cb remote_cbs[64];
enum {
  CONFIG_SENDER,
  CONFIG_RECEIVERS,
  CONFIG_START,
  CONFIG_SIZE,
  CONFIG_POINTER,
  CONFIG_NODES,
  CONFIG_COUNTERS
};
inline constexpr uint32_t remote_unit = REMOTE_CIRCULAR_BUFFER_ALIGNED_PAGE_SIZE,
                          counter_bytes = 16;

inline volatile uint32_t *word_at(uint32_t address) {
  return reinterpret_cast<volatile uint32_t *>(uintptr_t{address});
}
inline uint32_t size_of(const remote_cb &r) { return word_at(r.sender.config_ptr)[CONFIG_SIZE]; }

// Pages of another size: the pointer goes to the next one, at the end to the start. Returns the
// bytes that are left out.
inline uint32_t resize(remote_cb &r, uint32_t page_size) {
  RemoteSenderCBInterface &cb = r.sender; // the receiver's has the same there
  const uint32_t start = cb.fifo_start_addr, old = cb.fifo_wr_ptr, size = size_of(r);
  const uint32_t limit = start + size - size % page_size;
  uint32_t next = start + (old - start + page_size - 1) / page_size * page_size;
  uint32_t skipped = next - old;
  if (next >= limit) skipped = start + size - old, next = start;
  cb.fifo_wr_ptr = next, cb.fifo_limit_page_aligned = limit, cb.fifo_page_size = page_size;
  return skipped;
}

// As it is when the kernel starts.
inline remote_cb &remote(uint32_t cb, uint32_t line) {
  remote_cb &r = remote_cbs[cb];
  if (r.sender.config_ptr) return r;
  uint32_t page_size = 0;
  const uint32_t config = ttemu_remote_cb(cb, &page_size, line);
  const volatile uint32_t *words = word_at(config), *nodes = word_at(words[CONFIG_NODES]);
  if (words[CONFIG_SENDER])
    r.sender = {config,
                words[CONFIG_START],
                0,
                0,
                words[CONFIG_POINTER],
                words[CONFIG_NODES],
                words[CONFIG_COUNTERS],
                words[CONFIG_RECEIVERS]};
  else
    r.receiver = {config,
                  words[CONFIG_START],
                  0,
                  0,
                  words[CONFIG_POINTER],
                  nodes[0],
                  nodes[1],
                  words[CONFIG_COUNTERS] + counter_bytes};
  resize(r, page_size);
  return r;
}

// What `bytes` from the pointer on take, with what is left out at the end.
inline uint32_t with_rest(const remote_cb &r, uint32_t bytes) {
  const RemoteSenderCBInterface &cb = r.sender;
  if (cb.fifo_wr_ptr + bytes < cb.fifo_limit_page_aligned) return bytes;
  return bytes + cb.fifo_start_addr + size_of(r) - cb.fifo_limit_page_aligned;
}
} // namespace ttemu

inline RemoteSenderCBInterface &get_remote_sender_cb_interface(uint32_t cb, TTEMU_LINE) {
  return ttemu::remote(cb, line).sender;
}
inline RemoteReceiverCBInterface &get_remote_receiver_cb_interface(uint32_t cb, TTEMU_LINE) {
  return ttemu::remote(cb, line).receiver;
}
