// Names that the host API had in 2024 and 2025, and that programs of these years use. Comes with
// command_queue.hpp.
#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <common/test_common.hpp>
#include <impl/data_format/bfloat16_utils.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/tt_align.hpp>
#include <tt-metalium/utils.hpp>

using tt::align; // it was in no namespace

struct RelativeCoreCoord {
  long x = 0, y = 0;
};
// Negative ones count from the other side of the grid.
inline CoreCoord get_core_coord_from_relative(const RelativeCoreCoord &at, const CoreCoord &grid) {
  return {at.x + (at.x < 0 ? grid.x : 0), at.y + (at.y < 0 ? grid.y : 0)};
}

namespace tt::tt_metal {

/*===- Traces of one device -------------------------------------------------------------===*/

inline uint32_t BeginTraceCapture(IDevice *device, uint8_t queue) {
  return device->command_queue(queue).begin_trace();
}
inline void EndTraceCapture(IDevice *device, uint8_t queue, uint32_t) {
  device->command_queue(queue).end_trace();
}
inline void ReplayTrace(IDevice *device, uint8_t queue, uint32_t trace, bool) {
  device->command_queue(queue).replay(trace);
}
inline void EnqueueTrace(CommandQueue &queue, uint32_t trace, bool) { queue.replay(trace); }
inline void ReleaseTrace(IDevice *, uint32_t) {}

/*===- Memory ---------------------------------------------------------------------------===*/

namespace detail {
inline CommandQueue &GetCommandQueue(IDevice *device) { return device->command_queue(); }
inline void DeallocateBuffers(IDevice *) {}
inline void DumpDeviceMemoryState(const IDevice *, const std::string & = "") {}
inline void EnableMemoryReports() {}
inline void DisableMemoryReports() {}
inline void EnableCompilationReports() {}
inline void DisableCompilationReports() {}
inline void SetLazyCommandQueueMode(bool) {}
inline void ClearKernelCache() {}
inline void SynchronizeWorkerThreads(const std::vector<IDevice *> &) {}
inline DeviceAddr SizeBytesPerBank(DeviceAddr bytes, DeviceAddr page, uint32_t banks, uint32_t) {
  const DeviceAddr pages = page ? (bytes + page - 1) / page : 0;
  return (pages + banks - 1) / banks * page;
}
} // namespace detail

} // namespace tt::tt_metal
