// Checks of host programs: a failed one ends the process with its message.
#pragma once

// The vendor's headers bring fmt along, for programs that print with it.
#ifdef TTEMU_FMT
#include <fmt/core.h>
#endif

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "ttemu/device.h"

namespace ttemu {
template <typename T> std::string text_of(const T &value) {
  if constexpr (std::is_enum_v<T>) return std::to_string(static_cast<long long>(value));
  else if constexpr (std::is_arithmetic_v<T>) return std::to_string(value);
  else if constexpr (std::is_convertible_v<const T &, std::string_view>)
    return std::string(std::string_view(value));
  else if constexpr (requires { value.str(); }) return value.str();
  else return "…";
}

// Values in the place of {}, as far as there are any.
template <typename... Values>
std::string fill_in(std::string_view format, const Values &...values) {
  std::string text;
  const auto next = [&](const std::string &value) {
    const std::size_t at = format.find('{'), end = format.find('}', at);
    if (end == std::string_view::npos) return;
    text += std::string(format.substr(0, at)) + value;
    format.remove_prefix(end + 1);
  };
  (next(text_of(values)), ...);
  return text + std::string(format);
}
inline std::string fill_in() { return {}; }

template <typename... Values>
void fail(const char *file, int line, const char *condition, const Values &...values) {
  ttemu_host_failure(file, line, condition, fill_in(values...).c_str());
}
} // namespace ttemu

#ifdef TTEMU_FMT
namespace ttemu {
// For fmt, what has a str().
template <typename T> struct text_formatter {
  constexpr auto parse(fmt::format_parse_context &context) { return context.begin(); }
  template <typename Context> auto format(const T &value, Context &context) const {
    return fmt::format_to(context.out(), "{}", text_of(value));
  }
};
} // namespace ttemu
#endif

#define TT_FATAL(condition, ...)                                                                   \
  ((condition) ? void() : ttemu::fail(__FILE__, __LINE__, #condition, ##__VA_ARGS__))
#define TT_ASSERT(condition, ...) TT_FATAL(condition, ##__VA_ARGS__)
#define TT_THROW(...) ttemu::fail(__FILE__, __LINE__, "no TT_THROW", ##__VA_ARGS__)
