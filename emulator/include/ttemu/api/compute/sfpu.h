// What the headers of SFPU functions are made of.
#pragma once
#include "ttemu/api/compute/common.h"
#include "ttemu/api/compute/not_emulated.h"

namespace ckernel {
namespace sfpu {
inline void _init_sfpu_config_reg() {}
} // namespace sfpu
// Which faces of a tile a function works on.
#if TTEMU_API < 202608
enum VectorMode : int {
#else
enum class VectorMode : int {
#endif
  None = TTEMU_VECTOR_NONE,
  R = TTEMU_VECTOR_R,
  C = TTEMU_VECTOR_C,
  RC = TTEMU_VECTOR_RC
};
} // namespace ckernel
namespace ttemu {
#if TTEMU_API < 202608
using mode_type = int;
inline constexpr int RC = TTEMU_VECTOR_RC;
#else
using mode_type = VectorMode;
inline constexpr VectorMode RC = VectorMode::RC;
#endif
constexpr bool is_integer(DataFormat f) {
  return f == DataFormat::Int32 || f == DataFormat::UInt32 || f == DataFormat::UInt16 ||
         f == DataFormat::UInt8 || f == DataFormat::Int8;
}
constexpr ttemu_sfpu_call by_pack(ttemu_sfpu op, uint32_t dst, uint32_t scalar, int mode) {
  return {op, 1, {dst}, dst, {scalar}, mode, true};
}
} // namespace ttemu
namespace ckernel {

#define TTEMU_RUN(op, inputs, in, out, scalars)                                                    \
  ttemu_sfpu_run({op, inputs, in, out, scalars, TTEMU_VECTOR_RC}, line)
#define TTEMU_LIST(...) {__VA_ARGS__}

#define TTEMU_SFPU_INIT(name, op)                                                                  \
  inline void name(TTEMU_LINE) { ttemu_sfpu_init(op, line); }
#define TTEMU_SFPU_INIT_SCALARS2(name, op)                                                         \
  inline void name(uint32_t, uint32_t, TTEMU_LINE) { ttemu_sfpu_init(op, line); }
#define TTEMU_SFPU_ONE(name, op)                                                                   \
  inline void name(uint32_t dst, TTEMU_LINE) { TTEMU_RUN(op, 1, {dst}, dst, {}); }
// The same from the packer's processor.
#define TTEMU_SFPU_ONE_PACK(name, op)                                                              \
  inline void name(uint32_t dst, TTEMU_LINE) {                                                     \
    PACK(ttemu_sfpu_run(ttemu::by_pack(op, dst, 0, TTEMU_VECTOR_RC), line));                       \
  }
#define TTEMU_SFPU_SCALAR(name, op)                                                                \
  inline void name(uint32_t dst, uint32_t scalar, TTEMU_LINE) {                                    \
    TTEMU_RUN(op, 1, {dst}, dst, {scalar});                                                        \
  }
#define TTEMU_SFPU_SCALAR_MODE(name, op)                                                           \
  inline void name(uint32_t dst, uint32_t scalar, ttemu::mode_type mode = ttemu::RC, TTEMU_LINE) { \
    ttemu_sfpu_run({op, 1, {dst}, dst, {scalar}, static_cast<int>(mode)}, line);                   \
  }
#define TTEMU_SFPU_SCALARS2(name, op)                                                              \
  inline void name(uint32_t dst, uint32_t p, uint32_t q, TTEMU_LINE) {                             \
    TTEMU_RUN(op, 1, {dst}, dst, TTEMU_LIST(p, q));                                                \
  }
#define TTEMU_SFPU_SCALARS3(name, op)                                                              \
  inline void name(uint32_t dst, uint32_t p, uint32_t q, uint32_t r, TTEMU_LINE) {                 \
    TTEMU_RUN(op, 1, {dst}, dst, TTEMU_LIST(p, q, r));                                             \
  }
#define TTEMU_SFPU_TWO(name, op)                                                                   \
  inline void name(uint32_t a, uint32_t b, uint32_t out, TTEMU_LINE) {                             \
    TTEMU_RUN(op, 2, TTEMU_LIST(a, b), out, {});                                                   \
  }
// To the end of 2025 their format is in their name (older_sfpu.h), and they have no mode.
#if TTEMU_API < 202603
#define TTEMU_SFPU_TWO_MODE TTEMU_SFPU_TWO
#define TTEMU_SFPU_INIT_OF_FORMAT(name, op)
#define TTEMU_SFPU_TWO_OF_FORMAT(name, op)
#else
#define TTEMU_SFPU_TWO_MODE(name, op)                                                              \
  inline void name(uint32_t a, uint32_t b, uint32_t out, ttemu::mode_type mode = ttemu::RC,        \
                   TTEMU_LINE) {                                                                   \
    ttemu_sfpu_run({op, 2, {a, b}, out, {}, static_cast<int>(mode)}, line);                        \
  }
#define TTEMU_SFPU_INIT_OF_FORMAT(name, op)                                                        \
  template <DataFormat tFormat> inline void name(TTEMU_LINE) { ttemu_sfpu_init(op, line); }
#define TTEMU_SFPU_TWO_OF_FORMAT(name, op) template <DataFormat tFormat> TTEMU_SFPU_TWO(name, op)
#endif
#define TTEMU_SFPU_THREE(name, op)                                                                 \
  template <DataFormat tFormat>                                                                    \
  inline void name(uint32_t a, uint32_t b, uint32_t c, uint32_t out, TTEMU_LINE) {                 \
    TTEMU_RUN(op, 3, TTEMU_LIST(a, b, c), out, {});                                                \
  }
#define TTEMU_SFPU_THREE_SCALAR(name, op)                                                          \
  template <DataFormat tFormat>                                                                    \
  inline void name(uint32_t a, uint32_t b, uint32_t c, uint32_t out, uint32_t scalar,              \
                   TTEMU_LINE) {                                                                   \
    TTEMU_RUN(op, 3, TTEMU_LIST(a, b, c), out, {scalar});                                          \
  }
// Functions with a form that is faster and less exact.
#define TTEMU_SFPU_APPROX_INIT(name, op, fast)                                                     \
  template <bool tFast = fast> inline void name(TTEMU_LINE) { ttemu_sfpu_init(op, line); }
#define TTEMU_SFPU_APPROX(name, op, approx, fast)                                                  \
  template <bool tFast = fast> inline void name(uint32_t dst, TTEMU_LINE) {                        \
    TTEMU_RUN(tFast ? approx : op, 1, {dst}, dst, {});                                             \
  }
} // namespace ckernel
using namespace ckernel;

#if TTEMU_API < 202603
#include "ttemu/api/compute/older_sfpu.h"
#endif

// Kernels may program the vector unit; math does, though pack compiles the same functions.
#if defined(TTEMU_ROLE) && TTEMU_ROLE != 2
#include "ttemu/sfpi/params.h"
#endif
