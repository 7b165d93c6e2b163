// Data flow buffers: on these chips circular buffers, by the name that later ones have for theirs.
#pragma once

#include "ttemu/api/circular_buffer_interface.h"
#include "ttemu/api/core_local_mem.h"
#include "ttemu/api/dataflow/circular_buffer.h"
#if TTEMU_DATA_MOVEMENT
#include "ttemu/api/dataflow/noc.h"
#endif

#if TTEMU_API >= 202608
class DataflowBuffer : public CircularBuffer {
public:
  DataflowBuffer(uint32_t id) : CircularBuffer(id) {}
  uint16_t get_id() const { return static_cast<uint16_t>(get_cb_id()); }
  uint32_t get_entry_size(TTEMU_LINE) const {
    return ttemu_cb_get(get_cb_id(), TTEMU_CB_PAGE_BYTES, line);
  }
  uint32_t get_stride_size(TTEMU_LINE) const { return get_entry_size(line); }
  uint32_t get_total_num_entries(TTEMU_LINE) const {
    return ttemu_cb_get(get_cb_id(), TTEMU_CB_PAGES, line);
  }
  uint32_t get_total_size_bytes(TTEMU_LINE) const {
    return ttemu_cb_get(get_cb_id(), TTEMU_CB_SIZE, line);
  }
  // One counter has all of it here.
  uint32_t get_local_num_entries(TTEMU_LINE) const { return get_total_num_entries(line); }
  uint32_t get_local_size_bytes(TTEMU_LINE) const { return get_total_size_bytes(line); }
  uint32_t get_ring_span_num_entries(TTEMU_LINE) const { return get_total_num_entries(line); }
  uint32_t get_ring_span_bytes(TTEMU_LINE) const { return get_total_size_bytes(line); }
  void finish() {}
#if TTEMU_DATA_MOVEMENT
  void write_barrier(const Noc &noc, TTEMU_LINE) const { noc.async_write_barrier({}, line); }
#endif

  // A pointer to the entries that a kernel has; who else writes there is found without a lock.
  template <bool tWrites> class Lock {
  public:
    explicit Lock(uint32_t at) : at_(at) {}
    template <typename T = uint32_t> auto get_ptr() const {
      return CoreLocalMem<std::conditional_t<tWrites, T, const T>>(at_);
    }

  private:
    uint32_t at_;
  };
  [[nodiscard]] Lock<true> scoped_write_lock(uint16_t = 1, TTEMU_LINE) const {
    return Lock<true>(get_write_ptr(line));
  }
  [[nodiscard]] Lock<false> scoped_read_lock(uint16_t = 1, TTEMU_LINE) const {
    return Lock<false>(get_read_ptr(line));
  }
};

#if TTEMU_DATA_MOVEMENT
template <> struct noc_traits_t<DataflowBuffer> : noc_traits_t<CircularBuffer> {};
#endif
#endif
