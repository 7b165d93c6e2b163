// Sizes of the vendor's profiler buffers, which none are here: as many launches and marks as
// programs of 2024 fill them with.
#pragma once
#include <cstdint>

namespace kernel_profiler {
inline constexpr uint32_t PROFILER_L1_PROGRAM_ID_COUNT = 2;
inline constexpr uint32_t PROFILER_L1_GUARANTEED_MARKER_COUNT = 4;
inline constexpr uint32_t PROFILER_L1_OPTIONAL_MARKER_COUNT = 250;
} // namespace kernel_profiler
#if defined(TTEMU_API) && TTEMU_API < 202603
// Until the middle of 2024 they were in no namespace.
using kernel_profiler::PROFILER_L1_GUARANTEED_MARKER_COUNT;
using kernel_profiler::PROFILER_L1_OPTIONAL_MARKER_COUNT;
using kernel_profiler::PROFILER_L1_PROGRAM_ID_COUNT;
#endif
inline constexpr uint32_t PROFILER_OP_SUPPORT_COUNT = 1000;
