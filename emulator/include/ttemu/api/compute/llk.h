// The layer below the compute API, which some kernels call: each call is one processor's part.
#pragma once
#include "ttemu/api/compute/common.h"
#include "ttemu/api/compute/eltwise_types.h"
#include "ttemu/api/compute/reduce_types.h"

// The library's own conditions, which builds leave out.
#ifndef LLK_ASSERT
#define LLK_ASSERT(condition, message) ((void)0)
#endif

namespace ckernel {
inline constexpr DataCopyType A2D = DataCopyType::A2D, B2D = DataCopyType::B2D;
} // namespace ckernel
namespace ttemu {
inline constexpr uint32_t any = TTEMU_ANY_CB;
// Of a function's template arguments, the one of this type.
template <typename T, auto tDefault, auto... tArgs> constexpr T one_of() {
  T found = tDefault;
  const auto look = [&](auto value) {
    if constexpr (std::is_same_v<decltype(value), T>) found = value;
  };
  (look(tArgs), ...);
  return found;
}
template <auto tFirst = false, auto tSecond = false, auto...> constexpr bool second_of() {
  if constexpr (std::is_same_v<decltype(tSecond), bool>) return tSecond;
  return false;
}
template <auto... tArgs> constexpr int bcast_of() {
  return static_cast<int>(one_of<BroadcastType, BroadcastType::NONE, tArgs...>());
}
template <auto... tArgs> constexpr ttemu_binary op_of() {
  return static_cast<ttemu_binary>(
      one_of<EltwiseBinaryType, EltwiseBinaryType::ELWADD, tArgs...>());
}
} // namespace ttemu
namespace ckernel {
// Settings.
template <auto...> inline void llk_unpack_hw_configure(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_startup(a, b, a, false, line);
}
template <auto...>
inline void llk_unpack_hw_configure(uint32_t a, ttemu::call_line at = ttemu::here()) {
  ttemu_startup(a, a, a, false, at.line);
}
template <auto...> inline void llk_math_hw_configure(uint32_t a, uint32_t b, TTEMU_LINE) {
#if TTEMU_API < 202603 // llk_math_pack_sync_init has
  ttemu_startup_once(a, b, a, line);
#else
  ttemu_startup(a, b, a, false, line);
#endif
}
template <auto...> inline void llk_pack_hw_configure(uint32_t out, TTEMU_LINE) {
  ttemu_startup(out, out, out, false, line);
}
#if TTEMU_API >= 202603
template <auto...> inline void llk_math_pack_sync_init() {}
#endif
template <auto...> inline void llk_pack_init(uint32_t = 0) {}
template <auto...> inline void llk_pack_dest_init(uint32_t = 0) {}
template <bool tUntilize = false> inline void llk_init_packer_dest_offset_registers(uint32_t = 16) {
  static_assert(!tUntilize, "offsets of rows are those of pack_untilize_init alone");
}
template <auto...> inline void llk_pack_mop_config(uint32_t, uint32_t = 1) {}
inline void llk_math_reconfig_remap(bool) {}
#if TTEMU_API < 202608
// Where UInt16 lies in DST of 32 bits: here a tile of DST holds values, wherever they are.
inline void llk_unpack_dbg_feature_disable(TTEMU_LINE) { ttemu_poll(line); }
#endif
inline void tensix_sync(TTEMU_LINE) { ttemu_poll(line); }
// Of their template arguments, the second one says that the engine is told of integers.
#define TTEMU_LLK_INTEGERS(a, b, line)                                                             \
  if constexpr (TTEMU_API >= 202608 || ttemu::second_of<tOptions...>())                            \
  ttemu_reconfig_integers(a, b, TTEMU_API < 202608, line)
template <auto... tOptions>
inline void llk_unpack_reconfig_data_format(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_reconfig_srca(a, line), ttemu_reconfig_srcb(b, line);
  TTEMU_LLK_INTEGERS(a, b, line);
}
template <auto... tOptions>
inline void llk_unpack_reconfig_data_format(uint32_t, uint32_t a, uint32_t, uint32_t b,
                                            ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srca(a, at.line), ttemu_reconfig_srcb(b, at.line);
  TTEMU_LLK_INTEGERS(a, b, at.line);
}
template <auto... tOptions>
inline void llk_math_reconfig_data_format(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_reconfig_srca(a, line), ttemu_reconfig_srcb(b, line);
  TTEMU_LLK_INTEGERS(a, b, line);
}
template <auto... tOptions>
inline void llk_math_reconfig_data_format(uint32_t, uint32_t a, uint32_t, uint32_t b,
                                          ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srca(a, at.line), ttemu_reconfig_srcb(b, at.line);
  TTEMU_LLK_INTEGERS(a, b, at.line);
}
template <auto... tOptions>
inline void llk_unpack_reconfig_data_format_srca(uint32_t a, ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srca(a, at.line);
  TTEMU_LLK_INTEGERS(a, a, at.line);
}
template <auto... tOptions>
inline void llk_unpack_reconfig_data_format_srcb(uint32_t b, ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srcb(b, at.line);
  TTEMU_LLK_INTEGERS(b, b, at.line);
}
inline void llk_pack_reconfig_l1_acc(uint32_t on, TTEMU_LINE) { ttemu_pack_onto_l1(on != 0, line); }
inline void llk_pack_relu_config(ReluType type, TTEMU_LINE) {
  ttemu_pack_relu(type != ReluType::NO_RELU, line);
}
// The mode in the low half, a threshold in the upper one, which must be zero here.
inline void llk_pack_relu_config(uint32_t config, TTEMU_LINE) {
  if (config >> 16)
    ttemu_kernel_failure("llk_pack_relu_config: thresholds other than 0 are not emulated", line);
  ttemu_pack_relu((config & 3) != 0, line);
}

// Circular buffers.
template <auto...> inline void llk_wait_tiles(int cb, int n, TTEMU_LINE) {
  ttemu_cb_wait_front(static_cast<uint32_t>(cb), static_cast<uint32_t>(n), line);
}
template <auto...> inline void llk_pop_tiles(int cb, int n, int = 0, TTEMU_LINE) {
  ttemu_cb_pop_front(static_cast<uint32_t>(cb), static_cast<uint32_t>(n), line);
}
template <auto...> inline void llk_wait_for_free_tiles(int cb, int n, TTEMU_LINE) {
  ttemu_cb_reserve_back(static_cast<uint32_t>(cb), static_cast<uint32_t>(n), line);
}
template <auto...> inline void llk_push_tiles(int cb, int n, TTEMU_LINE) {
  ttemu_cb_push_back(static_cast<uint32_t>(cb), static_cast<uint32_t>(n), line);
}

// DST.
inline void llk_math_wait_for_dest_available(TTEMU_LINE) { ttemu_dst_acquire(line); }
template <auto...> inline void llk_math_dest_section_done(TTEMU_LINE) { ttemu_dst_commit(line); }
inline void llk_packer_wait_for_math_done(TTEMU_LINE) { ttemu_dst_wait(line); }
template <auto...> inline void llk_pack_dest_section_done(TTEMU_LINE) { ttemu_dst_release(line); }
// Trees to the middle of 2025 have what is first here last; it is true only where the host says so.
template <bool tFp32 = false, bool tOutOfOrder = false, bool tUntilize = false>
inline void llk_pack(uint32_t dst, uint32_t cb, uint32_t place = 0, TTEMU_LINE) {
  static_assert(!tUntilize, "llk_pack: untilizing is not emulated; use pack_untilize_dest");
  constexpr bool ooo = tOutOfOrder || (tFp32 && !TTEMU_FP32_DEST);
  ttemu_pack_tile(dst, cb, ooo ? static_cast<int>(place) : TTEMU_IN_ORDER, line);
}

// Copies.
template <auto... tArgs>
inline void llk_unpack_A_init(uint32_t transpose = 0, uint32_t = 0, uint32_t cb = ttemu::any,
                              TTEMU_LINE) {
  ttemu_by_parts();
  if (transpose) ttemu_copy_init(cb, true, line);
  else ttemu_unary_bcast_init(static_cast<ttemu_bcast>(ttemu::bcast_of<tArgs...>()), cb, line);
}
template <auto... tArgs> inline void llk_unpack_A(uint32_t cb, uint32_t tile, TTEMU_LINE) {
  ttemu_unary_bcast(static_cast<ttemu_bcast>(ttemu::bcast_of<tArgs...>()), cb, tile, 0, line);
}
template <auto... tArgs>
inline void llk_math_eltwise_unary_datacopy_init(uint32_t cb = ttemu::any,
                                                 ttemu::call_line at = ttemu::here()) {
  ttemu_by_parts();
  ttemu_unary_bcast_init(static_cast<ttemu_bcast>(ttemu::bcast_of<tArgs...>()), cb, at.line);
}
template <auto... tArgs>
inline void llk_math_eltwise_unary_datacopy(uint32_t dst, uint32_t cb = ttemu::any, TTEMU_LINE) {
  ttemu_unary_bcast(static_cast<ttemu_bcast>(ttemu::bcast_of<tArgs...>()), cb, 0, dst, line);
}

// Two operands: unpack does not know what math makes of them.
template <auto... tArgs>
inline void llk_unpack_AB_init(uint32_t a = ttemu::any, uint32_t b = ttemu::any, uint32_t = 0,
                               TTEMU_LINE) {
  ttemu_by_parts();
  ttemu_binary_init(TTEMU_ADD, ttemu::bcast_of<tArgs...>(), a, b, line);
}
template <auto... tArgs>
inline void llk_unpack_AB(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t row = 0,
                          TTEMU_LINE) {
  ttemu_unpack_two(static_cast<ttemu_bcast>(ttemu::bcast_of<tArgs...>()), a, b, ia, ib, row, line);
}
template <auto... tArgs>
inline void llk_math_eltwise_binary_init(uint32_t = 0, uint32_t = 0, uint32_t onto = 0,
                                         TTEMU_LINE) {
  ttemu_by_parts();
  ttemu_binary_init(ttemu::op_of<tArgs...>(), ttemu::bcast_of<tArgs...>(), ttemu::any, ttemu::any,
                    line);
  if (onto) ttemu_binary_onto(line);
}
template <auto... tArgs>
inline void llk_math_eltwise_binary_init_with_operands(uint32_t a, uint32_t b, uint32_t onto = 0,
                                                       TTEMU_LINE) {
  llk_math_eltwise_binary_init<tArgs...>(a, b, onto, line);
}
template <auto... tArgs>
inline void llk_math_eltwise_binary(uint32_t dst, bool = true, TTEMU_LINE) {
  ttemu_binary_tiles(ttemu::op_of<tArgs...>(), ttemu::bcast_of<tArgs...>(), ttemu::any, ttemu::any,
                     0, 0, dst, 0, line);
}
template <auto... tArgs>
inline void llk_math_eltwise_binary(uint32_t, uint32_t, uint32_t dst, bool,
                                    ttemu::call_line at = ttemu::here()) {
  llk_math_eltwise_binary<tArgs...>(dst, true, at.line);
}
template <auto... tArgs>
inline void llk_unpack_AB_matmul_init(uint32_t a = ttemu::any, uint32_t b = ttemu::any,
                                      uint32_t transpose = 0, uint32_t = 1, uint32_t = 1,
                                      uint32_t = 1, TTEMU_LINE) {
  ttemu_by_parts();
  ttemu_binary_init(TTEMU_MATMUL, transpose != 0, a, b, line);
}
template <auto... tArgs>
inline void llk_math_matmul_init(uint32_t = 0, uint32_t = 0, uint32_t transpose = 0, uint32_t = 1,
                                 uint32_t = 1, TTEMU_LINE) {
  ttemu_by_parts();
  ttemu_binary_init(TTEMU_MATMUL, transpose != 0, ttemu::any, ttemu::any, line);
}
template <auto... tArgs>
inline void llk_unpack_AB_matmul(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t ct = 1,
                                 uint32_t rt = 1, uint32_t kt = 1, TTEMU_LINE) {
  for (uint32_t r = 0; r < rt; ++r)
    for (uint32_t c = 0; c < ct; ++c)
      ttemu_binary_tiles(TTEMU_MATMUL, 0, a, b, ia + r * kt, ib + c, 0, 0, line);
}
template <auto... tArgs>
inline void llk_math_matmul(uint32_t dst, uint32_t ct = 1, uint32_t rt = 1, TTEMU_LINE) {
  for (uint32_t i = 0; i < ct * rt; ++i)
    ttemu_binary_tiles(TTEMU_MATMUL, 0, ttemu::any, ttemu::any, 0, 0, dst + i, 0, line);
}

template <auto... tArgs>
inline void llk_unpack_tilizeA_B_init(uint32_t, uint32_t, uint32_t, uint32_t = 4, uint32_t = 16,
                                      uint32_t = 16, TTEMU_LINE) {
  ttemu_by_parts();
  ttemu_tilize_two_init(line);
}

// Tiles to rows by unpack.
inline void llk_unpack_untilize_init(uint32_t cb, TTEMU_LINE) {
  ttemu_by_parts();
  ttemu_copy_init(cb, false, line);
}
template <auto...> inline void llk_unpack_untilize(uint32_t cb, uint32_t width, TTEMU_LINE) {
  ttemu_unpack_untilize(cb, width, line);
}
inline void llk_unpack_untilize_uninit(uint32_t = 0, uint32_t = 0) {}
// The packer, to rows.
template <auto... tArgs>
inline void llk_pack_untilize_init(uint32_t, uint32_t = 16, uint32_t = 4, TTEMU_LINE) {
  ttemu_pack_untilize_init(true, line);
}

// Reductions.
#if defined(REDUCE_OP) && defined(REDUCE_DIM)
#define TTEMU_REDUCTION PoolType tPool = REDUCE_OP, ReduceDim tDim = REDUCE_DIM, auto... tArgs
#else
#define TTEMU_REDUCTION                                                                            \
  PoolType tPool = PoolType::SUM, ReduceDim tDim = ReduceDim::REDUCE_ROW, auto... tArgs
#endif
template <TTEMU_REDUCTION>
inline void llk_unpack_AB_reduce_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_by_parts();
  ttemu_reduce_init(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim), a, b,
                    line);
}
template <TTEMU_REDUCTION>
inline void llk_unpack_AB_reduce(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, TTEMU_LINE) {
  ttemu_reduce_tile(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim), a, b, ia,
                    ib, 0, line);
}
#undef TTEMU_REDUCTION
template <PoolType tPool, ReduceDim tDim, auto... tArgs>
inline void llk_math_reduce_init(TTEMU_LINE) {
  ttemu_by_parts();
  ttemu_reduce_init_again(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim),
                          line);
}
template <PoolType tPool, ReduceDim tDim, auto... tArgs>
inline void llk_math_reduce(uint32_t dst, uint32_t = 4, TTEMU_LINE) {
  ttemu_reduce_tile(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim), ttemu::any,
                    ttemu::any, 0, 0, dst, line);
}
} // namespace ckernel
using namespace ckernel;
#if TTEMU_API < 202603
#include "ttemu/api/compute/older_llk.h"
#endif
