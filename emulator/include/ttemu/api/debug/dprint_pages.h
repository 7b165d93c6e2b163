// Pages of L1, printed.
#pragma once

#include "ttemu/api/debug/dprint.h"
#include "ttemu/api/debug/dprint_tile.h"

inline void print_cb_details(uint32_t cb) {
  const LocalCBInterface &i = get_local_cb_interface(cb);
  DPRINT << "cb_id " << cb << ": { size: " << uint32_t(i.fifo_size)
         << ", limit: " << uint32_t(i.fifo_limit) << ", page_size: " << uint32_t(i.fifo_page_size)
         << ", num_pages: " << uint32_t(i.fifo_num_pages) << ", rd_ptr: " << uint32_t(i.fifo_rd_ptr)
         << ", wr_ptr: " << uint32_t(i.fifo_wr_ptr)
         << ", wr_tile_ptr: " << uint32_t(i.fifo_wr_tile_ptr) << " }" << ENDL();
}

namespace ttemu {
template <typename T, typename Print>
void print_pages(uint32_t l1, uint32_t elements, uint32_t pages, uint32_t start, Print print) {
  const volatile T *at = reinterpret_cast<const volatile T *>(uintptr_t{l1}) + start * elements;
  for (uint32_t page = 0; page < pages; ++page) {
    DPRINT << start + page << ": ";
    for (uint32_t i = 0; i < elements; ++i) DPRINT << print(*at++) << " ";
    DPRINT << ENDL();
  }
}
} // namespace ttemu
namespace tt::data_movement::common {
inline void print_bf16_pages(uint32_t l1, uint32_t elements, uint32_t pages, uint32_t start = 0) {
  ttemu::print_pages<uint16_t>(l1, elements, pages, start, [](uint16_t v) { return BF16(v); });
}
inline void print_f32_pages(uint32_t l1, uint32_t elements, uint32_t pages, uint32_t start = 0) {
  ttemu::print_pages<uint32_t>(l1, elements, pages, start,
                               [](uint32_t v) { return __builtin_bit_cast(float, v); });
}
inline void print_u8_pages(uint32_t l1, uint32_t elements, uint32_t pages, uint32_t start = 0) {
  ttemu::print_pages<uint8_t>(l1, elements, pages, start, [](uint8_t v) { return uint32_t{v}; });
}
inline void print_u16_pages(uint32_t l1, uint32_t elements, uint32_t pages, uint32_t start = 0) {
  ttemu::print_pages<uint16_t>(l1, elements, pages, start, [](uint16_t v) { return uint32_t{v}; });
}
inline void print_u32_pages(uint32_t l1, uint32_t elements, uint32_t pages, uint32_t start = 0) {
  ttemu::print_pages<uint32_t>(l1, elements, pages, start, [](uint32_t v) { return v; });
}
} // namespace tt::data_movement::common
#ifdef TTEMU_COMPUTE
namespace tt::compute::common {
inline void print_tile_rows(uint32_t cb, uint32_t tile, bool untilize = false, uint16_t first = 0,
                            uint16_t last = 32, uint8_t start = 0, uint8_t end = 32) {
  DPRINT << "cb_idx: " << cb << " tile_idx: " << tile << ENDL() << "======" << ENDL();
  for (uint16_t r = first; r < last; ++r)
    DPRINT << r << " : "
           << TSLICE(cb, static_cast<int>(tile),
                     SliceRange{uint8_t(r), uint8_t(r + 1), 1, start, end, 1}, true, untilize);
  DPRINT << "++++++" << ENDL();
}
inline void print_full_tile(uint32_t cb, uint32_t tile = 0, bool untilize = false) {
  print_tile_rows(cb, tile, untilize);
}
} // namespace tt::compute::common
#endif
