// Pairs of coordinates.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tt::umd {

struct xy_pair {
  std::size_t x = 0, y = 0;
  constexpr xy_pair() = default;
  constexpr xy_pair(std::size_t x_, std::size_t y_) : x(x_), y(y_) {}
  std::string str() const { return "(x=" + std::to_string(x) + ",y=" + std::to_string(y) + ")"; }
};
constexpr bool operator==(const xy_pair &a, const xy_pair &b) { return a.x == b.x && a.y == b.y; }
constexpr bool operator<(const xy_pair &a, const xy_pair &b) {
  return a.x != b.x ? a.x < b.x : a.y < b.y;
}
constexpr bool operator<=(const xy_pair &a, const xy_pair &b) { return !(b < a); }

// A pair on one chip of several.
struct cxy_pair : xy_pair {
  std::size_t chip = 0;
  constexpr cxy_pair() = default;
  constexpr cxy_pair(std::size_t chip_, xy_pair pair) : xy_pair(pair), chip(chip_) {}
  constexpr cxy_pair(std::size_t chip_, std::size_t x_, std::size_t y_)
      : xy_pair(x_, y_), chip(chip_) {}
};

} // namespace tt::umd

using tt_xy_pair = tt::umd::xy_pair;
using tt_cxy_pair = tt::umd::cxy_pair;

template <> struct std::hash<tt::umd::xy_pair> {
  std::size_t operator()(const tt::umd::xy_pair &p) const {
    return p.x * 0x9e3779b97f4a7c15u + p.y;
  }
};
