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

#include "ttemu/fill_in.hpp"
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
