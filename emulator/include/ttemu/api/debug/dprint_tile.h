// TSLICE: elements of a tile of a circular buffer, in steps along rows and columns.
#pragma once

#include "ttemu/api/circular_buffer_interface.h"
#include "ttemu/api/debug/dprint.h"

// Rows from h0 on to before h1, each hs-th; columns likewise.
struct SliceRange {
  uint8_t h0, h1, hs, w0, w1, ws;
  static constexpr SliceRange hw0_32_16() { return {0, 32, 16, 0, 32, 16}; }
  static constexpr SliceRange hw0_32_8() { return {0, 32, 8, 0, 32, 8}; }
  static constexpr SliceRange hw0_32_4() { return {0, 32, 4, 0, 32, 4}; }
  static constexpr SliceRange h0_w0_32() { return {0, 1, 1, 0, 32, 1}; }
  static constexpr SliceRange h0_32_w0() { return {0, 32, 1, 0, 1, 1}; }
  static constexpr SliceRange h1_w0_32() { return {1, 2, 1, 0, 32, 1}; }
  static constexpr SliceRange hw041() { return {0, 4, 1, 0, 4, 1}; }
};
#define TSLICE_RD_PTR true
#define TSLICE_WR_PTR false
#define TSLICE_INPUT_CB true
#define TSLICE_OUTPUT_CB false

template <int tMaxBytes = 64> struct TileSlice {
  uint32_t cb;
  int tile;
  SliceRange range;
  bool at_read, lines, tiled;
  TileSlice(uint32_t cb, int tile, const SliceRange &range, bool lines = true, bool tiled = true)
      : cb(cb), tile(tile), range(range), at_read(ttemu_role() <= 2), lines(lines), tiled(tiled) {}
  // In data movement, which pointer the tile is counted from has to be said.
  TileSlice(uint32_t cb, int tile, const SliceRange &range, bool, bool read, bool lines, bool tiled)
      : cb(cb), tile(tile), range(range), at_read(read), lines(lines), tiled(tiled) {}
};
using TSLICE = TileSlice<64>;

namespace ttemu {
template <int tMaxBytes> printer &operator<<(printer &out, const TileSlice<tMaxBytes> &s) {
  if (ttemu_role() == 3) return out << "<math sees no circular buffers>";
  const uint32_t base = ttemu_cb_get(s.cb,
                                     s.at_read ? TTEMU_CB_READ_POINTER : TTEMU_CB_WRITE_POINTER, 0),
                 bytes = ttemu_cb_tile_bytes(s.cb, 0);
  const uint32_t format = ttemu_cb_format(s.cb, 0);
  for (uint32_t h = s.range.h0; h < s.range.h1; h += s.range.hs) {
    for (uint32_t w = s.range.w0; w < s.range.w1; w += s.range.ws) {
      const double value =
          ttemu_element(base + static_cast<uint32_t>(s.tile) * bytes, format, h, w, s.tiled);
      if (w != s.range.w0) out << " ";
      out << value;
    }
    if (s.lines) out << "\n";
  }
  return out;
}
template <int tMaxBytes> printer &&operator<<(printer &&out, const TileSlice<tMaxBytes> &s) {
  out << s;
  return std::move(out);
}
} // namespace ttemu
