// What host programs log and throw: values in the place of {}, as fmt writes them, which need not
// be installed.
//
//   fill_in("{} of {:#06x}: {:.2f}%", 3, 255, 12.345)   "3 of 0x00ff: 12.35%"
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace ttemu {
template <typename T> std::string text_of(const T &value) {
  if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
  else if constexpr (std::is_same_v<T, char>) return std::string(1, value);
  else if constexpr (std::is_enum_v<T>) return std::to_string(static_cast<long long>(value));
  else if constexpr (std::is_floating_point_v<T>) { // as few digits as say which it is
    char digits[64];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  } else if constexpr (std::is_arithmetic_v<T>) return std::to_string(value);
  else if constexpr (std::is_convertible_v<const T &, std::string_view>)
    return std::string(std::string_view(value));
  else if constexpr (requires { value.str(); }) return value.str();
  else return "…";
}

// [[fill]align][sign][#][0][width][.precision][type]
struct format_spec {
  char fill = ' ', align = 0, sign = 0, type = 0;
  bool prefix = false, zeros = false;
  int width = 0, precision = -1;

  explicit format_spec(std::string_view s) {
    const auto is_align = [](char c) { return c == '<' || c == '>' || c == '^'; };
    const auto take = [&](std::string_view any) {
      if (s.empty() || any.find(s.front()) == any.npos) return '\0';
      const char c = s.front();
      s.remove_prefix(1);
      return c;
    };
    const auto number = [&] {
      int n = 0;
      while (!s.empty() && s.front() >= '0' && s.front() <= '9' && n < 1000)
        n = 10 * n + take("0123456789") - '0';
      return n;
    };
    if (s.size() > 1 && is_align(s[1])) fill = s[0], s.remove_prefix(1);
    align = take("<>^");
    sign = take("+- ");
    prefix = take("#");
    zeros = take("0");
    width = number();
    if (take(".")) precision = number();
    type = s.empty() ? '\0' : s.front();
  }
};

template <typename T> std::string digits_of(const T &value, const format_spec &spec) {
  if constexpr (std::is_floating_point_v<T>) {
    if (spec.precision < 0 && !spec.type) return text_of(value);
    char format[16], text[512];
    std::snprintf(format, sizeof format, spec.precision < 0 ? "%%%c" : "%%.*%c",
                  spec.type ? spec.type : 'g');
    if (spec.precision < 0) std::snprintf(text, sizeof text, format, double(value));
    else std::snprintf(text, sizeof text, format, spec.precision, double(value));
    return text;
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    const char type = spec.type;
    const int base = type == 'x' || type == 'X'   ? 16
                     : type == 'b' || type == 'B' ? 2
                     : type == 'o'                ? 8
                                                  : 10;
    if (base == 10 && type != 'd') return text_of(value);
    char digits[80];
    std::string text(digits, std::to_chars(digits, digits + sizeof digits, +value, base).ptr);
    if (type == 'X')
      for (char &c : text)
        if (c >= 'a') c = char(c - 'a' + 'A');
    const std::string before = base == 16 ? "0x" : base == 2 ? "0b" : base == 8 ? "0" : "";
    return spec.prefix ? text.insert(text[0] == '-', before) : text;
  } else {
    std::string text = text_of(value);
    if (spec.precision >= 0 && text.size() > std::size_t(spec.precision))
      text.resize(std::size_t(spec.precision));
    return text;
  }
}

template <typename T> std::string text_of(const T &value, const format_spec &spec) {
  constexpr bool is_number =
      std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char>;
  std::string text = digits_of(value, spec);
  if (is_number && spec.sign && spec.sign != '-' && text[0] != '-') text.insert(0, 1, spec.sign);
  if (text.size() >= std::size_t(spec.width)) return text;
  const std::size_t gap = std::size_t(spec.width) - text.size();
  if (is_number && spec.zeros && !spec.align) {
    std::size_t at = text[0] == '-' || text[0] == '+' || text[0] == ' ';
    if (spec.prefix && (spec.type == 'x' || spec.type == 'X' || spec.type == 'b')) at += 2;
    return text.insert(at, gap, '0');
  }
  const char align = spec.align ? spec.align : is_number ? '>' : '<';
  const std::size_t left = align == '>' ? gap : align == '^' ? gap / 2 : 0;
  return std::string(left, spec.fill) + text + std::string(gap - left, spec.fill);
}

// As far as there are values; {{ and }} are braces.
template <typename... Values>
std::string fill_in(std::string_view format, const Values &...values) {
  std::string text;
  std::size_t next = 0;
  while (!format.empty()) {
    const char c = format.front();
    const std::size_t end = format.find('}');
    if ((c == '{' || c == '}') && format.size() > 1 && format[1] == c) {
      text += c;
      format.remove_prefix(2);
    } else if (c == '{' && end != format.npos) {
      const std::string_view inside = format.substr(1, end - 1);
      const std::size_t colon = inside.find(':');
      std::size_t which = next, i = 0;
      if (!inside.empty() && inside[0] >= '0' && inside[0] <= '9')
        which = std::size_t(inside[0] - '0');
      else ++next;
      const format_spec spec(colon == inside.npos ? std::string_view() : inside.substr(colon + 1));
      ((i++ == which ? void(text += text_of(values, spec)) : void()), ...);
      if (which >= sizeof...(values)) text += format.substr(0, end + 1);
      format.remove_prefix(end + 1);
    } else {
      text += c;
      format.remove_prefix(1);
    }
  }
  return text;
}
inline std::string fill_in() { return {}; }
} // namespace ttemu
