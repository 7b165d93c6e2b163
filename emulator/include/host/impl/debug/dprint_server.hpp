// What kernels print (DPRINT), as the runtime's options say: of which chips, cores and processors,
// to which file, and with what before each line. Without the feature, the device prints by itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <tuple>

#include "ttemu/host_calls.h"
#include <llrt/rtoptions.hpp>
#include <tt-metalium/assert.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/hal_types.hpp>

namespace tt::tt_metal {

class DPrintServer {
public:
  explicit DPrintServer(llrt::RunTimeOptions &options) : options_(options) {}
  ~DPrintServer() { detach_devices(); }
  void set_mute(bool mute) { muted_ = mute; }
  // All is there when a program has ended.
  void await() {}
  void attach_devices() {}
  // A last line may have no end.
  void detach_devices() {
    for (auto &[who, text] : parts_)
      if (!text.empty()) write(who, text), text.clear();
    files_.clear();
  }
  void clear_log_file() {
    detach_devices();
    if (const std::string name = file_name(); !name.empty()) open(name);
  }
  bool reads_dispatch_cores(int) const { return false; }
  bool hang_detected() const { return false; } // a kernel that hangs ends the run with an error

  // Whether it takes the text, of a logical core and of a processor, by its number.
  bool take(uint32_t device, uint32_t x, uint32_t y, int processor, const char *text) {
    const llrt::TargetSelection targets = options_.get_feature_targets(feature);
    if (!targets.enabled) return false;
    const bool wanted =
        targets.has_chip(int(device)) && targets.has_worker(CoreCoord(x, y)) &&
        targets.processors.contains(HalProgrammableCoreType::TENSIX, uint32_t(processor));
    if (muted_ || !wanted) return true;
    const Who who{device, x, y, processor};
    std::string &part = parts_[who];
    part += text;
    for (std::size_t end; (end = part.find('\n')) != part.npos; part.erase(0, end + 1))
      write(who, part.substr(0, end + 1));
    return true;
  }

private:
  using Who = std::tuple<uint32_t, uint32_t, uint32_t, int>;
  static constexpr auto feature = llrt::RunTimeDebugFeatureDprint;

  std::string file_name() const { return options_.get_feature_file_name(feature); }

  std::ofstream &open(const std::string &name) {
    std::ofstream &file = files_[name];
    if (!file.is_open()) file.open(name);
    TT_FATAL(file.is_open(), "'{}' cannot be opened, where kernels print to", name);
    return file;
  }

  void write(const Who &who, const std::string &line) {
    static const char *const names[] = {"BR", "NC", "TR0", "TR1", "TR2"};
    static const char *const long_names[] = {"BRISC", "NCRISC", "TRISC0", "TRISC1", "TRISC2"};
    const auto [device, x, y, processor] = who;
    std::string before, name = file_name();
    if (options_.get_feature_one_file_per_risc(feature)) {
      const std::string folder = options_.get_logs_dir() + "generated/dprint/";
      std::filesystem::create_directories(folder);
      name = folder + "device-" + std::to_string(device) + "_worker-core-" + std::to_string(x) +
             "-" + std::to_string(y) + "_" + long_names[processor] + ".txt";
    } else if (options_.get_feature_prepend_device_core_risc(feature)) {
      before = std::to_string(device) + ":" + CoreCoord(x, y).str() + ":" + names[processor] + ": ";
    }
    std::ostream &out = name.empty() ? std::cout : open(name);
    out << before << line << std::flush;
  }

  llrt::RunTimeOptions &options_;
  bool muted_ = false;
  std::map<Who, std::string> parts_; // of lines that have not ended
  std::map<std::string, std::ofstream> files_;
};

} // namespace tt::tt_metal
