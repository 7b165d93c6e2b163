// The vendor's profiler. The emulated device has its own (tt-run --trace, --report); what these
// read is how long launches took (tt-metalium/experimental/profiler.hpp).
#pragma once

#include <optional>
#include <string>

#include <tt-metalium/device.hpp>
#if defined(TTEMU_API) && TTEMU_API < 202603
#include <hostdevcommon/profiler_common.h>
#endif

namespace tt::tt_metal {

enum class ProfilerReadState { NORMAL, ONLY_DISPATCH_CORES, LAST_FD_READ };
enum class ProfilerSyncState { INIT, CLOSE_DEVICE };
struct ProfilerOptionalMetadata {};

namespace distributed {
class MeshDevice;
}
inline void ReadMeshDeviceProfilerResults(distributed::MeshDevice &,
                                          ProfilerReadState = ProfilerReadState::NORMAL,
                                          const std::optional<ProfilerOptionalMetadata> & = {}) {
  ttemu_profile_read();
}

namespace detail {
inline void ClearProfilerControlBuffer(IDevice *) {}
inline void InitDeviceProfiler(IDevice *) {}
inline void ProfilerSync(ProfilerSyncState) {}
inline void ReadDeviceProfilerResults(IDevice *, ProfilerReadState = ProfilerReadState::NORMAL,
                                      const std::optional<ProfilerOptionalMetadata> & = {}) {
  ttemu_profile_read();
}
inline void SetDeviceProfilerDir(const std::string & = "") {}
inline void FreshProfilerDeviceLog() {}
} // namespace detail

#if defined(TTEMU_API) && TTEMU_API < 202603
template <typename... Args> void DumpDeviceProfileResults(IDevice *, const Args &...) {}
namespace detail {
using tt_metal::DumpDeviceProfileResults;
}
#endif

} // namespace tt::tt_metal
