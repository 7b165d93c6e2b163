// What host programs log, on standard error.
#pragma once

#include <cstdio>

#include <tt-metalium/assert.hpp>

namespace tt {
enum LogType { LogAlways, LogTest, LogMetal, LogDevice, LogOp, LogVerif, LogTimer };
namespace ttemu_log {
template <typename... Values> void write(const char *level, const Values &...values) {
  std::fprintf(stderr, "%s: %s\n", level, ::ttemu::fill_in(values...).c_str());
}
} // namespace ttemu_log
template <typename... Values> void log_info(LogType, const char *format, const Values &...values) {
  ttemu_log::write("info", format, values...);
}
template <typename... Values>
void log_warning(LogType, const char *format, const Values &...values) {
  ttemu_log::write("warning", format, values...);
}
template <typename... Values> void log_error(LogType, const char *format, const Values &...values) {
  ttemu_log::write("error", format, values...);
}
template <typename... Values> void log_debug(LogType, const char *, const Values &...) {}
template <typename... Values> void log_trace(LogType, const char *, const Values &...) {}
template <typename... Values> void log_fatal(LogType, const char *format, const Values &...values) {
  ttemu_log::write("fatal", format, values...);
}
template <typename... Values> void log_info(const char *format, const Values &...values) {
  ttemu_log::write("info", format, values...);
}
template <typename... Values> void log_error(const char *format, const Values &...values) {
  ttemu_log::write("error", format, values...);
}
} // namespace tt
using tt::log_debug;
using tt::log_error;
using tt::log_fatal;
using tt::log_info;
using tt::log_trace;
using tt::log_warning;
