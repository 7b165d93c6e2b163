// A circular buffer as its processor sees it: sizes, and pointers that may be set. Data movement
// counts in bytes, compute in words of 16.
#pragma once

#include <utility>

#include "ttemu/api/remote_interface.h"
#include "ttemu/kernel.hpp"

namespace ttemu {
#ifdef TTEMU_COMPUTE
inline constexpr uint32_t cb_unit = 16;
#else
inline constexpr uint32_t cb_unit = 1;
#endif
// A field that the device keeps.
template <ttemu_cb_field tField> struct cb_field {
  uint32_t cb;
  operator uint32_t() const { return ttemu_cb_get(cb, tField, 0) / cb_unit; }
  const cb_field &operator=(uint32_t value) const {
    ttemu_cb_set(cb, tField, value * cb_unit, 0);
    return *this;
  }
  const cb_field &operator=(const cb_field &other) const { return *this = uint32_t{other}; }
  const cb_field &operator+=(uint32_t by) const { return *this = uint32_t{*this} + by; }
  const cb_field &operator-=(uint32_t by) const { return *this = uint32_t{*this} - by; }
};
template <ttemu_cb_field tField> struct cb_count {
  uint32_t cb;
  operator uint32_t() const { return ttemu_cb_get(cb, tField, 0); }
  const cb_count &operator=(uint32_t value) const {
    ttemu_cb_set(cb, tField, value, 0);
    return *this;
  }
};
} // namespace ttemu

struct LocalCBInterface {
  ttemu::cb_field<TTEMU_CB_SIZE> fifo_size;
  ttemu::cb_field<TTEMU_CB_LIMIT> fifo_limit;
  ttemu::cb_field<TTEMU_CB_PAGE_BYTES> fifo_page_size;
  ttemu::cb_count<TTEMU_CB_PAGES> fifo_num_pages;
  ttemu::cb_field<TTEMU_CB_READ_POINTER> fifo_rd_ptr;
  ttemu::cb_field<TTEMU_CB_WRITE_POINTER> fifo_wr_ptr;
  ttemu::cb_count<TTEMU_CB_ACKED> tiles_acked;
  ttemu::cb_count<TTEMU_CB_RECEIVED> tiles_received;
  ttemu::cb_count<TTEMU_CB_PACKED> fifo_wr_tile_ptr;
};
inline constexpr uint32_t cb_addr_shift = ttemu::cb_unit == 16 ? 4 : 0;

namespace ttemu {
struct cb_interfaces {
  LocalCBInterface of[64];
};
template <uint32_t... tCb>
constexpr cb_interfaces make_interfaces(std::integer_sequence<uint32_t, tCb...>) {
  return {{{{tCb}, {tCb}, {tCb}, {tCb}, {tCb}, {tCb}, {tCb}, {tCb}, {tCb}}...}};
}
inline constinit cb_interfaces interfaces =
    make_interfaces(std::make_integer_sequence<uint32_t, 64>());
} // namespace ttemu
#define CB_RD_PTR(cb) (get_local_cb_interface(cb).fifo_rd_ptr << cb_addr_shift)
#define CB_WR_PTR(cb) (get_local_cb_interface(cb).fifo_wr_ptr << cb_addr_shift)
inline LocalCBInterface &get_local_cb_interface(uint32_t cb) { return ttemu::interfaces.of[cb]; }

// The counters, as pointers to what is only looked at; other processors go on meanwhile.
namespace ttemu {
template <ttemu_cb_field tField> struct counter_of {
  uint32_t cb, line;
  uint32_t operator*() const {
    ttemu_poll(line);
    return ttemu_cb_get(cb, tField, line);
  }
};
} // namespace ttemu
inline ttemu::counter_of<TTEMU_CB_ACKED> get_cb_tiles_acked_ptr(uint32_t cb, TTEMU_LINE) {
  return {cb, line};
}
inline ttemu::counter_of<TTEMU_CB_RECEIVED> get_cb_tiles_received_ptr(uint32_t cb, TTEMU_LINE) {
  return {cb, line};
}
