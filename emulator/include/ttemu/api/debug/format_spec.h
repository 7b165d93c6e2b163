// Values in formats with {}, {2} and {:*^#08.3x}: position, fill, alignment, sign, prefix of the
// base, width, precision, type.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace ttemu {
struct format_spec {
  char fill = ' ', align = 0, sign = '-', type = 0;
  bool prefix = false, zeros = false;
  std::size_t width = 0;
  int precision = -1;

  static bool aligns(char c) { return c == '<' || c == '>' || c == '^'; }
  static std::size_t number(std::string_view &s) {
    std::size_t n = 0;
    for (; !s.empty() && s[0] >= '0' && s[0] <= '9'; s.remove_prefix(1))
      n = n * 10 + static_cast<std::size_t>(s[0] - '0');
    return n;
  }
  static bool take(std::string_view &s, char c) {
    const bool is = !s.empty() && s[0] == c;
    if (is) s.remove_prefix(1);
    return is;
  }
  explicit format_spec(std::string_view s) {
    if (s.size() > 1 && aligns(s[1])) fill = s[0], s.remove_prefix(1);
    if (!s.empty() && aligns(s[0])) align = s[0], s.remove_prefix(1);
    if (!s.empty() && (s[0] == '+' || s[0] == '-' || s[0] == ' ')) sign = s[0], s.remove_prefix(1);
    prefix = take(s, '#');
    zeros = take(s, '0');
    width = number(s);
    if (take(s, '.')) precision = static_cast<int>(number(s));
    if (!s.empty()) type = s[0];
  }

  // A sign, a prefix and digits, padded.
  std::string padded(std::string before, std::string digits, char usual) const {
    const std::size_t n = before.size() + digits.size(), pad = width > n ? width - n : 0;
    if (zeros && !align) return before + std::string(pad, '0') + digits;
    const char side = align ? align : usual;
    const std::size_t left = side == '>' ? pad : side == '^' ? pad / 2 : 0;
    return std::string(left, fill) + before + digits + std::string(pad - left, fill);
  }
  std::string sign_of(bool negative) const {
    return negative ? "-" : sign == '-' ? "" : std::string(1, sign);
  }

  template <typename T> std::string integer(T value) const {
    const bool negative = value < 0;
    const char lower = static_cast<char>(type | 0x20);
    const int base = lower == 'x' ? 16 : lower == 'b' ? 2 : lower == 'o' ? 8 : 10;
    char buffer[72];
    const uint64_t bits = static_cast<uint64_t>(value), size = negative ? 0 - bits : bits;
    std::string digits(buffer, std::to_chars(buffer, buffer + 71, size, base).ptr);
    std::string before = sign_of(negative);
    if (prefix && base != 10) before += base == 8 ? "0" : std::string("0") + type;
    if (type == 'X')
      for (char &c : digits) c = c >= 'a' ? static_cast<char>(c - 32) : c;
    return padded(before, digits, '>');
  }
  std::string real(double value, bool is_float) const {
    const bool negative = value < 0;
    const double size = negative ? -value : value;
    const std::chars_format how = type == 'f'   ? std::chars_format::fixed
                                  : type == 'e' ? std::chars_format::scientific
                                                : std::chars_format::general;
    char buffer[400];
    char *const end = buffer + 399;
    const auto done = precision < 0 && !type
                          ? is_float ? std::to_chars(buffer, end, static_cast<float>(size))
                                     : std::to_chars(buffer, end, size)
                          : std::to_chars(buffer, end, size, how, precision < 0 ? 6 : precision);
    return padded(sign_of(negative), std::string(buffer, done.ptr), '>');
  }
};

// Text of a value; empty, with `false`, if it is of a type that has a way of its own.
template <typename T> bool format_value(std::string_view spec, const T &value, std::string &text) {
  const format_spec how(spec);
  if constexpr (std::is_same_v<T, bool>) text = how.padded("", value ? "true" : "false", '<');
  else if constexpr (std::is_same_v<T, char>) text = how.padded("", std::string(1, value), '<');
  else if constexpr (std::is_integral_v<T>) text = how.integer(value);
  else if constexpr (std::is_floating_point_v<T>) text = how.real(value, sizeof(T) == 4);
  else if constexpr (std::is_convertible_v<T, std::string>) text = how.padded("", value, '<');
  else return false;
  return true;
}
} // namespace ttemu
