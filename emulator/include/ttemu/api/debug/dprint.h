// DPRINT: what a kernel says, with its core and processor.
#pragma once

#include <charconv>
#include <string>
#include <type_traits>
#include <utility>

#include "ttemu/api/debug/format_spec.h"
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

// How numbers look, which holds from statement to statement, of each processor.
struct number_style {
  int base = 10, precision = 6;
  std::chars_format format = std::chars_format::general;
};
inline number_style style;

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
  // The rows of a tile have ended a line already.
  printer &operator<<(end_of_line) { return text_.ends_with('\n') && rows_ ? *this : put("\n"); }
  printer &rows_end() { return rows_ = true, *this; }
  printer &operator<<(number_base b) { return style.base = b.base, *this; }
  printer &operator<<(number_width w) { return width_ = w.n, *this; }
  printer &operator<<(number_format f) { return style.format = f.format, *this; }
  printer &operator<<(number_precision p) { return style.precision = p.n, *this; }
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  printer &operator<<(T value) {
    char buffer[64];
    char *end = buffer;
    if constexpr (std::is_enum_v<T>) return *this << static_cast<std::underlying_type_t<T>>(value);
    else if constexpr (std::is_floating_point_v<T>)
      end = std::to_chars(buffer, buffer + 63, value, style.format, style.precision).ptr;
    else end = std::to_chars(buffer, buffer + 63, +value, style.base).ptr;
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
    width_ = 0, rows_ = false;
    text_ += text;
    return *this;
  }
  std::string text_;
  bool on_, rows_ = false;
  uint32_t line_;
  int width_ = 0;
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
    for (std::size_t index = 0, at; (at = rest.find('{')) != rest.npos; ++index) {
      const std::size_t end = rest.find('}', at);
      if (end == rest.npos) break;
      std::string_view spec = rest.substr(at + 1, end - at - 1);
      out << std::string(rest.substr(0, at));
      std::size_t which = index, n = 0;
      if (!spec.empty() && spec[0] >= '0' && spec[0] <= '9') which = format_spec::number(spec);
      if (!spec.empty() && spec[0] == ':') spec.remove_prefix(1);
      ((n++ == which ? put(out, spec, values) : void()), ...);
      rest.remove_prefix(end + 1);
    }
    out << std::string(rest);
  }

private:
  template <typename T> static void put(printer &out, std::string_view spec, const T &value) {
    std::string text;
    if constexpr (requires { value.shown(); }) put(out, spec, value.shown());
    else if (format_value(spec, value, text)) out << text;
    else out << value;
  }
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
#if TTEMU_API < 202603
// How processors take turns to print, where the runtime prints. Here each prints when it does.
struct RAISE {
  uint32_t code;
  RAISE(uint32_t value) : code(value) {}
};
struct WAIT {
  uint32_t code;
  WAIT(uint32_t value) : code(value) {}
};
namespace ttemu {
inline printer &operator<<(printer &out, RAISE) { return out; }
inline printer &operator<<(printer &out, WAIT) { return out; }
} // namespace ttemu
#endif

#include "ttemu/api/debug/dprint_tile.h"
