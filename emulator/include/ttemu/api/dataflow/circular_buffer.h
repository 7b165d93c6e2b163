// A circular buffer as an object.
#pragma once

#if TTEMU_DATA_MOVEMENT
#include "ttemu/api/dataflow/dataflow_api.h"
#else
#include "ttemu/api/compute/common.h"
#endif

TTEMU_OBJECTS
class CircularBuffer {
public:
  enum class AddrSelector { WRITE_PTR, READ_PTR };
  explicit CircularBuffer(uint32_t cb) : cb_(cb) {}
  uint32_t get_cb_id() const { return cb_; }
  void reserve_back(std::int32_t n, TTEMU_LINE) {
    cb_reserve_back(cb_, static_cast<uint32_t>(n), line);
  }
  void push_back(std::int32_t n, TTEMU_LINE) { cb_push_back(cb_, static_cast<uint32_t>(n), line); }
  void wait_front(std::int32_t n, TTEMU_LINE) {
    cb_wait_front(cb_, static_cast<uint32_t>(n), line);
  }
  void pop_front(std::int32_t n, TTEMU_LINE) { cb_pop_front(cb_, static_cast<uint32_t>(n), line); }
#if TTEMU_DATA_MOVEMENT
  uint32_t get_tile_size(TTEMU_LINE) const { return ttemu_cb_tile_bytes(cb_, line); }
  uint32_t get_tile_hw(TTEMU_LINE) const { return ::get_tile_hw(std::int32_t(cb_), line); }
  DataFormat get_dataformat(TTEMU_LINE) const {
    return static_cast<DataFormat>(ttemu_cb_format(cb_, line));
  }
  bool pages_reservable_at_back(std::int32_t n, TTEMU_LINE) const {
    return ttemu_cb_has(cb_, static_cast<uint32_t>(n), true, line);
  }
  bool pages_available_at_front(std::int32_t n, TTEMU_LINE) const {
    return ttemu_cb_has(cb_, static_cast<uint32_t>(n), false, line);
  }
#else
  uint32_t get_tile_address(uint32_t tile, TTEMU_LINE) {
    return ::get_tile_address(cb_, tile, line);
  }
  uint32_t read_tile_value(uint32_t tile, uint32_t element, TTEMU_LINE) {
    return ::read_tile_value(cb_, tile, element, line);
  }
#endif
  uint32_t get_write_ptr(TTEMU_LINE) const { return ttemu_cb_write_ptr(cb_, line); }
  uint32_t get_read_ptr(TTEMU_LINE) const { return ttemu_cb_read_ptr(cb_, line); }
  [[nodiscard]] auto scoped_lock() { return 0; }

private:
  uint32_t cb_;
};

// A circular buffer of which transfers take the pointer that is named.
template <CircularBuffer::AddrSelector tSelector> struct CircularBufferView {
  const CircularBuffer &cb;
};
template <CircularBuffer::AddrSelector tSelector>
constexpr CircularBufferView<tSelector> use(const CircularBuffer &cb) {
  return {cb};
}
TTEMU_OBJECTS_END
