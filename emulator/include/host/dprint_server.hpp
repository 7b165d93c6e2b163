// What kernels print, by the functions of 2024 and 2025.
#pragma once
#include <impl/context/metal_context.hpp>

#if defined(TTEMU_API) && TTEMU_API < 202603
namespace tt::tt_metal {
inline DPrintServer &dprint() { return *MetalContext::instance().dprint_server(); }
inline void DprintServerAttach(ChipId) { dprint().attach_devices(); }
inline void DprintServerDetach(ChipId) { dprint().detach_devices(); }
inline void DprintServerSetProfilerState(bool) {}
inline bool DprintServerIsRunning() { return true; }
inline void DprintServerSetMute(bool mute) { dprint().set_mute(mute); }
inline void DprintServerAwait() { dprint().await(); }
inline bool DPrintServerHangDetected() { return dprint().hang_detected(); }
inline void DPrintServerClearLogFile() { dprint().clear_log_file(); }
inline void DPrintServerClearSignals() {}
inline bool DPrintServerReadsDispatchCores(ChipId chip) {
  return dprint().reads_dispatch_cores(chip);
}
} // namespace tt::tt_metal
namespace tt { // to March 2025
using tt_metal::DprintServerAttach, tt_metal::DprintServerAwait, tt_metal::DprintServerDetach;
using tt_metal::DPrintServerClearLogFile, tt_metal::DPrintServerClearSignals;
using tt_metal::DPrintServerHangDetected, tt_metal::DPrintServerReadsDispatchCores;
using tt_metal::DprintServerIsRunning, tt_metal::DprintServerSetMute;
} // namespace tt
#endif
