// Tiles of block floats of 8 or 4 bits: 64 exponents, one for 16 numbers of a row of a face, then
// the numbers, a sign and the other bits each, the first one lowest.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/tile.hpp>
#include <tt_stl/span.hpp>

namespace ttemu {
enum { BFP_TILE = 1024, BFP_EXPONENTS = 64 };
constexpr uint32_t bfp_words(uint32_t bits) { return (BFP_TILE * bits / 8 + BFP_EXPONENTS) / 4; }

// Where number i of the memory is in its tile: in faces, or in rows.
constexpr uint32_t bfp_place(uint32_t i, bool in_rows) {
  if (!in_rows) return i;
  return (i / 512 * 16 + i % 256 / 16) * 32 + i / 256 % 2 * 16 + i % 16;
}
// A number of fp32 whose exponent has 5 bits (`is_exp_a`): too large ones are the largest, too
// small ones have no fraction.
inline uint32_t bfp_rebias(uint32_t number, bool is_exp_a) {
  const uint32_t sign = number & 0x80000000u;
  const int32_t exp = int32_t(number >> 23 & 255) - 127 + 15;
  if (!is_exp_a || (number >> 23 & 255) == 0) return number;
  if (exp > 31) return sign | 31u << 23 | 0x7fffffu;
  return exp < 0 ? sign : sign | uint32_t(exp) << 23 | (number & 0x7fffffu);
}
// To nearest even; what the shift to the block's exponent drops is gone before. `number` is
// rebiased.
template <uint32_t tBits> uint8_t bfp_of(uint32_t number, uint32_t shared, bool is_zero) {
  constexpr uint32_t dropped = 24 - (tBits - 1), half = 1u << (dropped - 1);
  constexpr uint32_t largest = (1u << (tBits - 1)) - 1;
  const uint32_t exp = number >> 23 & 255, distance = shared - exp;
  if (is_zero || distance > 23) return 0;
  const uint32_t magnitude = ((number & 0x7fffffu) | 0x800000u) >> distance;
  const uint32_t rest = magnitude & (2 * half - 1);
  uint32_t rounded = magnitude >> dropped;
  rounded += rest > half || (rest == half && (rounded & 1));
  if (rounded > largest) rounded = largest;
  return static_cast<uint8_t>(rounded ? number >> 31 << (tBits - 1) | rounded : 0);
}
inline void check_bfp(const std::optional<tt::tt_metal::Tile> &tile) {
  TT_FATAL(!tile || (tile->get_tile_shape()[0] == 32 && tile->get_tile_shape()[1] == 32),
           "tiles have 32x32 elements here");
}

template <uint32_t tBits, typename T>
std::vector<uint32_t> pack_bfp(std::span<const T> data, bool in_rows, bool is_exp_a,
                               const std::optional<tt::tt_metal::Tile> &tile) {
  check_bfp(tile);
  TT_FATAL(data.size() % BFP_TILE == 0, "{} numbers are no whole tiles", data.size());
  std::vector<uint32_t> packed(data.size() / BFP_TILE * bfp_words(tBits));
  for (std::size_t t = 0; t * BFP_TILE < data.size(); ++t) {
    uint8_t *out = reinterpret_cast<uint8_t *>(packed.data() + t * bfp_words(tBits));
    uint8_t *numbers = out + BFP_EXPONENTS;
    for (uint32_t row = 0; row < BFP_EXPONENTS; ++row) {
      uint32_t bits[16];
      bool zero[16];
      for (uint32_t i = 0; i < 16; ++i) {
        const uint32_t at = bfp_place(row * 16 + i, in_rows);
        bits[i] = __builtin_bit_cast(uint32_t, static_cast<float>(data[t * BFP_TILE + at]));
        zero[i] = (bits[i] >> 23 & 255) == 0;
        bits[i] = bfp_rebias(bits[i], is_exp_a);
        if ((bits[i] >> 23 & 255) > out[row]) out[row] = static_cast<uint8_t>(bits[i] >> 23);
      }
      for (uint32_t i = 0; i < 16; ++i) {
        const uint32_t bit = (row * 16 + i) * tBits;
        numbers[bit / 8] |=
            static_cast<uint8_t>(bfp_of<tBits>(bits[i], out[row], zero[i]) << bit % 8);
      }
    }
  }
  return packed;
}

template <uint32_t tBits>
std::vector<float> unpack_bfp(std::span<const uint32_t> tiles, bool in_rows, bool is_exp_a,
                              const std::optional<tt::tt_metal::Tile> &tile) {
  check_bfp(tile);
  const int bias = is_exp_a ? 15 : 127;
  TT_FATAL(tiles.size() % bfp_words(tBits) == 0, "{} words are no whole tiles", tiles.size());
  std::vector<float> numbers(tiles.size() / bfp_words(tBits) * BFP_TILE);
  for (std::size_t t = 0; t * bfp_words(tBits) < tiles.size(); ++t) {
    const uint8_t *in = reinterpret_cast<const uint8_t *>(tiles.data() + t * bfp_words(tBits));
    for (uint32_t i = 0; i < BFP_TILE; ++i) {
      const uint32_t bits = in[BFP_EXPONENTS + i * tBits / 8] >> i * tBits % 8;
      const uint32_t magnitude = bits & ((1u << (tBits - 1)) - 1);
      const float value =
          __builtin_ldexpf(float(magnitude), int(in[i / 16]) - bias - int(tBits - 2));
      numbers[t * BFP_TILE + bfp_place(i, in_rows)] = bits >> (tBits - 1) & 1 ? -value : value;
    }
  }
  return numbers;
}

// Tiles of `bytes` with numbers from `offset` to `range` above it.
template <uint32_t tBits>
std::vector<uint32_t> random_bfp(uint32_t bytes, bool is_exp_a, float range, int seed,
                                 float offset) {
  TT_FATAL(bytes % (bfp_words(tBits) * 4) == 0, "{} bytes are no whole tiles", bytes);
  std::mt19937 engine(static_cast<uint32_t>(seed));
  std::uniform_real_distribution<float> values(0.0f, range);
  std::vector<float> data(std::size_t(bytes) / 4 / bfp_words(tBits) * BFP_TILE);
  for (float &x : data) x = values(engine) + offset;
  return pack_bfp<tBits, float>(data, true, is_exp_a, std::nullopt);
}
} // namespace ttemu
