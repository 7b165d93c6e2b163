// DPRINT: what a kernel says, with its core and processor.
#pragma once

#include <charconv>
#include <string>
#include <type_traits>
#include <utility>

#include "ttemu/kernel.hpp"

namespace ttemu {
struct end_of_line {};
struct number_base {
  int base;
};
struct number_width {
  int n;
};
struct number_precision {
  int n;
};
struct number_format {
  std::chars_format format;
};

// Collects text and prints it when the statement ends.
class printer {
public:
  printer(bool on, uint32_t line) : on_(on), line_(line) {}
  printer(printer &&other)
      : text_(std::move(other.text_)), on_(std::exchange(other.on_, false)), line_(other.line_) {}
  ~printer() {
    if (on_) ttemu_print(text_.c_str(), line_);
  }
  printer &operator<<(const char *text) { return put(text); }
  printer &operator<<(const std::string &text) { return put(text.c_str()); }
  printer &operator<<(char c) { return put(std::string(1, c).c_str()); }
  printer &operator<<(end_of_line) { return put("\n"); }
  printer &operator<<(number_base b) { return base_ = b.base, *this; }
  printer &operator<<(number_width w) { return width_ = w.n, *this; }
  printer &operator<<(number_format f) { return format_ = f.format, *this; }
  printer &operator<<(number_precision p) { return precision_ = p.n, *this; }
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  printer &operator<<(T value) {
    char buffer[64];
    char *end = buffer;
    if constexpr (std::is_enum_v<T>) return *this << static_cast<std::underlying_type_t<T>>(value);
    else if constexpr (std::is_floating_point_v<T>)
      end = std::to_chars(buffer, buffer + 63, value, format_, precision_).ptr;
    else end = std::to_chars(buffer, buffer + 63, +value, base_).ptr;
    *end = '\0';
    return put(buffer);
  }
  template <typename T> printer &operator<<(T *pointer) {
    return *this << static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer));
  }

private:
  printer &put(const char *text) {
    for (int pad = width_ - static_cast<int>(std::char_traits<char>::length(text)); pad > 0; --pad)
      text_ += ' ';
    width_ = 0;
    text_ += text;
    return *this;
  }
  std::string text_;
  bool on_;
  uint32_t line_;
  int base_ = 10, width_ = 0, precision_ = 6;
  std::chars_format format_ = std::chars_format::general;
};

struct format_and_line {
  std::string_view text;
  uint32_t line;
  template <std::size_t tSize>
  constexpr format_and_line(const char (&format)[tSize], uint32_t at = __builtin_LINE())
      : text(format, tSize - 1), line(at) {}
};

// What the name DPRINT stands for: takes << values, or a format with {} and values.
class print_start {
public:
  explicit print_start(bool on, uint32_t at = __builtin_LINE()) : on_(on), line_(at) {}
  template <typename T> printer operator<<(const T &value) const {
    printer out(on_, line_);
    out << value;
    return out;
  }
  template <typename... Values>
  void operator()(format_and_line format, const Values &...values) const {
    printer out(on_, format.line);
    std::string_view rest = format.text;
    const auto next = [&](const auto &value) {
      const std::size_t at = rest.find('{'), end = rest.find('}', at);
      if (end == std::string_view::npos) return;
      out << std::string(rest.substr(0, at)) << value;
      rest.remove_prefix(end + 1);
    };
    (next(values), ...);
    out << std::string(rest);
  }

private:
  bool on_;
  uint32_t line_;
};
} // namespace ttemu

// Of the chip; here a statement may say more.
inline constexpr uint32_t DPRINT_BUFFER_SIZE = 204;
#define DPRINT ttemu::print_start(true)
#define DPRINT_UNPACK(x)                                                                           \
  do {                                                                                             \
    if (ttemu_role() == 2) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)
#define DPRINT_MATH(x)                                                                             \
  do {                                                                                             \
    if (ttemu_role() == 3) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)
#define DPRINT_PACK(x)                                                                             \
  do {                                                                                             \
    if (ttemu_role() == 4) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)
#define DPRINT_DATA0(x)                                                                            \
  do {                                                                                             \
    if (ttemu_role() == 0) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)
#define DPRINT_DATA1(x)                                                                            \
  do {                                                                                             \
    if (ttemu_role() == 1) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)

inline ttemu::end_of_line ENDL() { return {}; }
inline ttemu::number_base HEX() { return {16}; }
inline ttemu::number_base DEC() { return {10}; }
inline ttemu::number_base OCT() { return {8}; }
inline ttemu::number_width SETW(int n, bool = true) { return {n}; }
inline ttemu::number_precision SETPRECISION(int n) { return {n}; }
inline float F32(float value) { return value; }
inline ttemu::number_format FIXED() { return {std::chars_format::fixed}; }
inline ttemu::number_format DEFAULTFLOAT() { return {std::chars_format::general}; }
// A bfloat16 number by its bits, as it lies in memory.
struct BF16 {
  uint16_t val;
  BF16(uint16_t bits) : val(bits) {}
};
namespace ttemu {
inline printer &operator<<(printer &out, BF16 number) {
  return out << __builtin_bit_cast(float, uint32_t{number.val} << 16);
}
} // namespace ttemu
inline uint32_t U32(uint32_t value) { return value; }

#include "ttemu/api/debug/dprint_tile.h"
