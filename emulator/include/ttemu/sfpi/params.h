// How a function of lanes is run on tiles of DST: once for each face that the mode names, with
// dst_reg[0] at the face's first vector.
#pragma once

#include "ttemu/api/compute/sfpu.h"
#include "ttemu/sfpi/instructions.h"
#include "ttemu/sfpi/lines.h"
#include "ttemu/sfpi/registers.h"
#include "ttemu/sfpi/steps.h"

enum class SfpuType { unused, other };

namespace ttemu {
inline constexpr uint32_t vectors_of_tile = 32, vectors_of_face = 8;
template <typename Function, typename... Args>
inline void on_faces(uint32_t tile, int mode, Function &&function, Args &&...args) {
  const uint32_t step = mode == TTEMU_VECTOR_C ? 2 : 1, faces = mode == TTEMU_VECTOR_RC     ? 4
                                                                : mode == TTEMU_VECTOR_NONE ? 1
                                                                                            : 2;
  for (uint32_t i = 0; i < faces; ++i) {
    sfpi::impl::vector = tile * vectors_of_tile + i * step * vectors_of_face;
    function(args...);
  }
  sfpi::impl::vector = 0;
}
} // namespace ttemu

#if TTEMU_API < 202608
// Where kernels set the unit up themselves: the tile at which dst_reg starts. It needs no base of
// address modes here.
namespace ckernel {
enum DstTileLayout : uint8_t { Default, Interleaved };
enum DstTileShape : uint8_t { Tile32x32, Tile32x16, Tile16x16 };
} // namespace ckernel
namespace ckernel::math {
template <auto... tArgs> inline void set_dst_write_addr(uint32_t tile) {
  uint32_t shape = 0; // each is half as large
  ((shape |= std::is_same_v<decltype(tArgs), DstTileShape> ? uint32_t(tArgs) : 0), ...);
  sfpi::impl::vector = tile * (ttemu::vectors_of_tile >> shape);
}
inline void clear_dst_reg_addr() { sfpi::impl::vector = 0; }
inline void set_addr_mod_base() {}
inline void clear_addr_mod_base() {}
} // namespace ckernel::math
#endif

namespace ckernel {
// On one tile; on tiles that the function itself names; Modes are numbers, or a VectorMode.
template <bool tApprox, typename Function, typename Mode = VectorMode, typename... Args>
inline void _llk_math_eltwise_unary_sfpu_params_(Function &&function, uint32_t dst,
                                                 Mode mode = VectorMode::RC, Args &&...args) {
  ttemu::on_faces(dst, static_cast<int>(mode), function, args...);
}
#if TTEMU_API < 202603 // which has two forms
#define TTEMU_TAKES(...) requires std::is_invocable_v<Function, __VA_ARGS__, Args &...>
#else
#define TTEMU_TAKES(...)
#endif
template <bool tApprox, typename Function, typename Mode = VectorMode, typename... Args>
TTEMU_TAKES(uint32_t &, uint32_t &, uint32_t &)
inline void _llk_math_eltwise_binary_sfpu_params_(Function &&function, uint32_t a, uint32_t b,
                                                  uint32_t out, Mode mode = VectorMode::RC,
                                                  Args &&...args) {
  ttemu::on_faces(0, static_cast<int>(mode), function, a, b, out, args...);
}
#if TTEMU_API < 202603
// To August 2025: the function is told how far the second tile is from the first one.
template <bool tApprox, typename Function, typename Mode = VectorMode, typename... Args>
TTEMU_TAKES(uint32_t &)
inline void _llk_math_eltwise_binary_sfpu_params_(Function &&function, uint32_t a, uint32_t b,
                                                  Mode mode = VectorMode::RC, Args &&...args) {
  const uint32_t first = a < b ? a : b;
  ttemu::on_faces(first, static_cast<int>(mode), function, (a < b ? b : a) - first, args...);
}
#endif
#undef TTEMU_TAKES
#if TTEMU_API >= 202608 // where nothing is approximate here
template <typename Function, typename Mode = VectorMode, typename... Args>
inline void _llk_math_eltwise_unary_sfpu_params_(Function &&function, uint32_t dst,
                                                 Mode mode = VectorMode::RC, Args &&...args) {
  _llk_math_eltwise_unary_sfpu_params_<false>(function, dst, mode, args...);
}
template <typename Function, typename Mode = VectorMode, typename... Args>
inline void _llk_math_eltwise_binary_sfpu_params_(Function &&function, uint32_t a, uint32_t b,
                                                  uint32_t out, Mode mode = VectorMode::RC,
                                                  Args &&...args) {
  _llk_math_eltwise_binary_sfpu_params_<false>(function, a, b, out, mode, args...);
}
#endif
template <bool tApprox, typename Function, typename Mode = VectorMode, typename... Args>
inline void _llk_math_eltwise_ternary_sfpu_params_(Function &&function, uint32_t a, uint32_t b,
                                                   uint32_t c, uint32_t out,
                                                   Mode mode = VectorMode::RC, Args &&...args) {
  ttemu::on_faces(0, static_cast<int>(mode), function, a, b, c, out, args...);
}
template <bool tApprox, typename Function, typename Mode = VectorMode, typename... Args>
inline void llk_math_eltwise_unary_sfpu_params(Function &&function, uint32_t dst,
                                               Mode mode = VectorMode::RC, Args &&...args) {
  ttemu::on_faces(dst, static_cast<int>(mode), function, args...);
}
// Arithmetic with a scalar, given by its bits.
enum { ADD_UNARY, SUB_UNARY, MUL_UNARY, DIV_UNARY, RSUB_UNARY };
template <bool tApprox, int tOp>
inline void llk_math_eltwise_unary_sfpu_binop_with_scalar(uint32_t dst, uint32_t scalar,
                                                          int mode = TTEMU_VECTOR_RC, TTEMU_LINE) {
  static_assert(tOp >= ADD_UNARY && tOp <= RSUB_UNARY);
  constexpr ttemu_sfpu ops[] = {TTEMU_ADD_SCALAR, TTEMU_SUB_SCALAR, TTEMU_MUL_SCALAR,
                                TTEMU_DIV_SCALAR, TTEMU_RSUB_SCALAR};
  ttemu_sfpu_init(ops[tOp], line);
  ttemu_sfpu_run({ops[tOp], 1, {dst}, dst, {scalar}, mode}, line);
}
template <SfpuType tType = SfpuType::unused, bool tApprox = false, typename... Args>
inline void llk_math_eltwise_unary_sfpu_init(Args &&...args) {
  if constexpr (sizeof...(Args) > 0)
    [](auto &&function, auto &&...rest) { function(rest...); }(args...);
}
template <SfpuType tType = SfpuType::unused> inline void _llk_math_eltwise_unary_sfpu_init_() {}
template <SfpuType tType = SfpuType::unused, bool tApprox = false, typename... Args>
inline void llk_math_eltwise_binary_sfpu_init(Args &&...args) {
  llk_math_eltwise_unary_sfpu_init<tType, tApprox>(args...);
}
template <SfpuType tType = SfpuType::unused> inline void _llk_math_eltwise_binary_sfpu_init_() {}
} // namespace ckernel
using namespace ckernel;
using namespace sfpi;
