// What host programs log, on standard error.
#pragma once

#include <cstdio>
#include <string_view>

#include <tt-metalium/assert.hpp>

namespace tt {
enum LogType {
  LogAlways,
  LogTest,
  LogTimer,
  LogDevice,
  LogLLRuntime,
  LogLoader,
  LogBuildKernels,
  LogRunningKernels,
  LogVerif,
  LogOp,
  LogDispatch,
  LogFabric,
  LogMetal,
  LogMetalTrace,
  LogInspector,
  LogDistributed,
  LogEmulationDriver,
  LogUMD
};
namespace ttemu_log {
template <typename... Values>
void write(const char *level, std::string_view format, const Values &...values) {
  std::fprintf(stderr, "%s: %s\n", level, ::ttemu::fill_in(format, values...).c_str());
}
} // namespace ttemu_log

// Each with the part of the runtime that it is about, or without.
#define TTEMU_LOG(name, ...)                                                                       \
  template <typename... Values>                                                                    \
  void name(LogType, std::string_view format, const Values &...values) {                           \
    __VA_ARGS__;                                                                                   \
  }                                                                                                \
  template <typename... Values> void name(std::string_view format, const Values &...values) {      \
    __VA_ARGS__;                                                                                   \
  }
TTEMU_LOG(log_info, ttemu_log::write("info", format, values...))
TTEMU_LOG(log_warning, ttemu_log::write("warning", format, values...))
TTEMU_LOG(log_error, ttemu_log::write("error", format, values...))
TTEMU_LOG(log_fatal, ttemu_log::write("fatal", format, values...))
TTEMU_LOG(log_critical, ttemu_log::write("critical", format, values...))
TTEMU_LOG(log_debug, (void)format, ((void)values, ...))
TTEMU_LOG(log_trace, (void)format, ((void)values, ...))
#undef TTEMU_LOG
} // namespace tt
using tt::log_critical;
using tt::log_debug;
using tt::log_error;
using tt::log_fatal;
using tt::log_info;
using tt::log_trace;
using tt::log_warning;
