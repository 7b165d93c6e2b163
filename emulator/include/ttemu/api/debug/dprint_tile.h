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
inline bool is_integer(uint32_t format) {
  switch (static_cast<DataFormat>(format)) {
  case DataFormat::Int8:
  case DataFormat::UInt8:
  case DataFormat::UInt16:
  case DataFormat::Int32:
  case DataFormat::UInt32: return true;
  default: return false;
  }
}
// Elements of block formats come with their exponents.
inline uint32_t bytes_in_slice(uint32_t format) {
  switch (static_cast<DataFormat>(format)) {
  case DataFormat::Int8:
  case DataFormat::UInt8: return 1;
  case DataFormat::Float32:
  case DataFormat::Int32:
  case DataFormat::UInt32: return 4;
  default: return 2;
  }
}
// The name of a format that the chip does not print.
inline const char *unsupported(uint32_t format) {
  switch (static_cast<DataFormat>(format)) {
  case DataFormat::Float16: return "Float16";
  case DataFormat::Bfp8: return "Bfp8";
  case DataFormat::Bfp4: return "Bfp4";
  case DataFormat::Bfp2: return "Bfp2";
  case DataFormat::Bfp2_b: return "Bfp2_b";
  case DataFormat::Invalid: return "Invalid";
  default: return nullptr;
  }
}
template <int tMaxBytes> printer &operator<<(printer &out, const TileSlice<tMaxBytes> &s) {
  if (ttemu_role() == 3)
    return (out << "Warning: MATH core does not support TileSlice printing, omitting print...\n")
        .rows_end();
  const char *name = unsupported(ttemu_cb_known_format(s.cb));
  if (name)
    return (out << "Tried printing CBIndex::c_" << s.cb << ": Unsupported data format (" << name
                << ")\n")
        .rows_end();
  const uint32_t base = ttemu_cb_get(s.cb,
                                     s.at_read ? TTEMU_CB_READ_POINTER : TTEMU_CB_WRITE_POINTER, 0),
                 bytes = ttemu_cb_tile_bytes(s.cb, 0);
  const uint32_t format = ttemu_cb_format(s.cb, 0), most = tMaxBytes / bytes_in_slice(format);
  uint32_t n = 0;
  for (uint32_t h = s.range.h0; h < s.range.h1; h += s.range.hs) {
    for (uint32_t w = s.range.w0; w < s.range.w1; w += s.range.ws) {
      if (n++ == most)
        return (out << "<TileSlice data truncated due to exceeding max count (" << most << ")>\n")
            .rows_end();
      // Of bytes with a sign, what two's complement makes of them.
      const bool is_byte = format == static_cast<uint32_t>(DataFormat::Int8);
      double value =
          ttemu_element(base + static_cast<uint32_t>(s.tile) * bytes,
                        is_byte ? static_cast<uint32_t>(DataFormat::UInt8) : format, h, w, s.tiled);
      if (is_byte && value > 127) value -= 256;
      if (w != s.range.w0) out << " ";
      is_integer(format) ? out << static_cast<int64_t>(value) : out << value;
    }
    if (s.lines) out << "\n";
  }
  return s.lines ? out.rows_end() : out;
}
template <int tMaxBytes> printer &&operator<<(printer &&out, const TileSlice<tMaxBytes> &s) {
  out << s;
  return std::move(out);
}
} // namespace ttemu
