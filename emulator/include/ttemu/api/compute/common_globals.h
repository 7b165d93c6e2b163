// What compute kernels have without naming it: who runs them, and how the host set up the engine.
#pragma once

#ifndef TTEMU_COMPUTE
#error "this header is for compute kernels"
#endif

#include "ttemu/api/circular_buffer_interface.h"
#include "ttemu/api/hardware.h"
#include "ttemu/api/scalar_unit.h"
#include "ttemu/api/tokens.h"

// A kernel that tells its three processors apart is compiled for each of them; others are compiled
// once, and ask which one they are.
#ifdef TTEMU_ROLE
#if TTEMU_ROLE == 2
#define UNPACK(x) x
#define TRISC_UNPACK 1
#define UCK_CHLKC_UNPACK 1
#else
#define UNPACK(x)
#endif
#if TTEMU_ROLE == 3
#define MATH(x) x
#define TRISC_MATH 1
#define UCK_CHLKC_MATH 1
#else
#define MATH(x)
#endif
#if TTEMU_ROLE == 4
#define PACK(x) x
#define TRISC_PACK 1
#define UCK_CHLKC_PACK 1
#else
#define PACK(x)
#endif
#else
#define UNPACK(x)                                                                                  \
  do {                                                                                             \
    if (ttemu_role() == 2) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)
#define MATH(x)                                                                                    \
  do {                                                                                             \
    if (ttemu_role() == 3) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)
#define PACK(x)                                                                                    \
  do {                                                                                             \
    if (ttemu_role() == 4) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)
#endif

#ifndef TTEMU_PHASES
#define TTEMU_PHASES 4
#define TTEMU_FP32_DEST false
#define TTEMU_APPROX false
#define TTEMU_FULL_SYNC false
#endif

namespace ckernel {
enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };
enum class DstSync : uint8_t { SyncHalf, SyncFull };
enum class DataCopyType : uint8_t { A2D, B2D };
enum class DataLayout : uint8_t { TILE, ROW_MAJOR };
enum class ReluType : uint8_t { NO_RELU, ZERO_RELU, MIN_THRESHOLD_RELU, MAX_THRESHOLD_RELU };
} // namespace ckernel
using namespace ckernel;
namespace ckernel {
inline void init_prng_seed(uint32_t seed, TTEMU_LINE) { ttemu_seed_random(seed, line); }
} // namespace ckernel

#define TTI_NOP (void)0

// As the host set them.
inline constexpr MathFidelity MATH_FIDELITY =
    TTEMU_PHASES == 1 ? MathFidelity::LoFi : static_cast<MathFidelity>(TTEMU_PHASES);
// A host program may define the name of one of these as well.
#pragma push_macro("DST_ACCUM_MODE")
#undef DST_ACCUM_MODE
inline constexpr bool DST_ACCUM_MODE = TTEMU_FP32_DEST, APPROX = TTEMU_APPROX;
#pragma pop_macro("DST_ACCUM_MODE")
inline constexpr DstSync DST_SYNC_MODE = TTEMU_FULL_SYNC ? DstSync::SyncFull : DstSync::SyncHalf;
inline constexpr bool UnpackToDestEn = true, UnpackToDestDis = false;
inline constexpr int MM_THROTTLE = 0;
