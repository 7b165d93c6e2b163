// Checks of host programs: a failed one throws, as do calls of the host API that cannot be done.
// What nobody catches ends the process with its message.
#pragma once

// The vendor's headers bring fmt along, for programs that print with it.
#ifdef TTEMU_FMT
#include <fmt/core.h>
#endif

// Headers of the standard that programs have from the SDK's without naming them.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "ttemu/host_calls.h"

namespace ttemu {
// What was thrown and not caught.
[[noreturn]] inline void end_of_program() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "error: %s\n", e.what());
  } catch (...) {
    std::fprintf(stderr, "error: an exception that is no std::exception\n");
  }
  std::fflush(nullptr);
  std::_Exit(1);
}
[[noreturn]] inline void raise_failure(const char *text) {
  std::set_terminate(end_of_program);
  throw std::runtime_error(text);
}
inline const bool failures_are_raised = (ttemu_on_host_failure(raise_failure), true);

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

// They bring the logger along.
#include <tt-metalium/logger.hpp>
