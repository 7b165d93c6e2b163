// The watcher looks for faults while kernels run. It is not emulated: what it looks for, the device
// checks itself. Programs that have it among others compile, and stop where they ask for it.
#pragma once

#include <cstdint>
#include <string>

#include <tt-metalium/assert.hpp>

namespace tt::tt_metal {

class WatcherServer {
public:
  void init_devices() {}
  void attach_devices() {}
  void detach_devices() {}
  void clear_log() { refuse(); }
  std::string log_file_name() const { return refuse(), std::string(); }
  bool killed_due_to_error() const { return false; }
  void set_killed_due_to_error_flag(bool) {}
  std::string exception_message() const { return {}; }
  void set_exception_message(const std::string &) {}
  int dump_count() const { return refuse(), 0; }

  static void refuse() {
    TT_THROW("the watcher is not emulated: what it looks for, the device checks itself");
  }
};

} // namespace tt::tt_metal

#if defined(TTEMU_API) && TTEMU_API < 202603
namespace tt { // to the middle of 2025
inline void watcher_clear_log() { tt_metal::WatcherServer::refuse(); }
inline std::string watcher_get_log_file_name() { return tt_metal::WatcherServer().log_file_name(); }
inline int watcher_get_dump_count() { return tt_metal::WatcherServer().dump_count(); }
inline bool watcher_server_killed_due_to_error() { return false; }
inline void watcher_server_set_error_flag(bool) {}
inline std::string get_watcher_exception_message() { return {}; }
} // namespace tt
#endif
