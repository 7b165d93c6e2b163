// One way to move or compute on four tiles.
#include <cstdint>

#include "api/compute/add_int_sfpu.h"
#include "api/compute/bcast.h"
#include "api/compute/binary_comp.h"
#include "api/compute/binary_max_min.h"
#include "api/compute/binary_shift.h"
#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/copy_dest_values.h"
#include "api/compute/cumsum.h"
#include "api/compute/div_int32_floor.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/eltwise_unary/bitwise_xor.h"
#include "api/compute/eltwise_unary/comp.h"
#include "api/compute/eltwise_unary/fill.h"
#include "api/compute/eltwise_unary/negative.h"
#include "api/compute/eltwise_unary/rounding.h"
#include "api/compute/eltwise_unary/typecast.h"
#include "api/compute/eltwise_unary/where.h"
#include "api/compute/mul_int_sfpu.h"
#include "api/compute/pack_untilize.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/tilize.h"
#include "api/compute/transpose_dest.h"
#include "api/compute/untilize.h"

enum {
  TILIZE,
  UNTILIZE,
  PACK_UNTILIZE,
  FROM_DST,
  INTEGERS,
  CHOICE,
  CASTS,
  COLUMNS,
  SUMS,
  TURNED,
  COPY,
  BYTES
};

void kernel_main() {
  compute_kernel_hw_startup(0, 16);
  cb_wait_front(0, 4);
  cb_reserve_back(16, 4);
  if constexpr (MODE == TILIZE) {
    tilize_init(0, 4, 16);
    tilize_block(0, 4, 16);
    tilize_uninit(0, 16);
  } else if constexpr (MODE == UNTILIZE) {
    untilize_init(0);
    untilize_block<4>(0, 4, 16);
    untilize_uninit(0);
  } else if constexpr (MODE == PACK_UNTILIZE) {
    pack_untilize_init<4>(0, 16);
    pack_untilize_block<4>(0, 1, 16);
    pack_untilize_uninit(16);
  } else if constexpr (MODE == FROM_DST) {
    copy_init(0);
    pack_untilize_dest_init<4>(16);
    tile_regs_acquire();
    for (uint32_t t = 0; t < 4; ++t) copy_tile(0, t, t);
    tile_regs_commit();
    tile_regs_wait();
    pack_untilize_dest<4>(16);
    tile_regs_release();
    pack_untilize_uninit(16);
  } else {
    if constexpr (MODE == COLUMNS) unary_bcast_init<BroadcastType::COL>(0);
    else copy_init(0);
    for (uint32_t t = 0; t < 4; ++t) {
      tile_regs_acquire();
      if constexpr (MODE == COLUMNS) unary_bcast<BroadcastType::COL>(0, t, 0);
      else copy_tile(0, t, 0);
      if constexpr (MODE ==
                    INTEGERS) { // (x * x + 3) ^ 5, then floor(that / 7), shifted left by one
        copy_dest_values_init();
        copy_dest_values<DataFormat::Int32>(0, 1);
        mul_int_tile_init<DataFormat::Int32>();
        mul_int_tile<DataFormat::Int32>(0, 1, 0);
        fill_tile_init();
        fill_tile_int<DataFormat::Int32>(1, 3);
        add_int_tile_init();
        add_int_tile<DataFormat::Int32>(0, 1, 0);
        bitwise_xor_tile_init();
        bitwise_xor_tile(0, 5);
        fill_tile_init();
        fill_tile_int<DataFormat::Int32>(1, 7);
        div_int32_floor_tile_init();
        div_int32_floor_tile(0, 1, 0);
        fill_tile_init();
        fill_tile_int<DataFormat::Int32>(1, 1);
        binary_shift_tile_init();
        binary_left_shift_tile<DataFormat::Int32>(0, 1, 0);
      } else if constexpr (MODE == CHOICE) { // x > 10 ? -x : max(x, -5)
        copy_dest_values_init();
        copy_dest_values<DataFormat::Int32>(0, 1);
        copy_dest_values<DataFormat::Int32>(0, 2);
        unary_gt_tile_init();
        unary_gt_tile_int32(0, 10);
        negative_tile_init();
        negative_tile_int32(1);
        unary_max_int32_tile_init();
        unary_max_int32_tile(2, uint32_t(-5));
        where_tile_init();
        where_tile<DataFormat::Int32>(0, 1, 2, 0);
      } else if constexpr (MODE == CASTS) { // truncated quarters
        constexpr uint32_t i32 = uint32_t(DataFormat::Int32), f32 = uint32_t(DataFormat::Float32);
        typecast_tile_init<i32, f32>();
        typecast_tile<i32, f32>(0);
        fill_tile_init();
        fill_tile(1, 0.25f);
        mul_binary_tile_init();
        mul_binary_tile(0, 1, 0);
        typecast_tile_init<f32, i32>();
        typecast_tile<f32, i32>(0);
      } else if constexpr (MODE == BYTES) { // of 64ths
        constexpr uint32_t i32 = uint32_t(DataFormat::Int32), f32 = uint32_t(DataFormat::Float32),
                           u8 = uint32_t(DataFormat::UInt8);
        typecast_tile_init<i32, f32>();
        typecast_tile<i32, f32>(0);
        fill_tile_init();
        fill_tile(1, 0.015625f);
        mul_binary_tile_init();
        mul_binary_tile(0, 1, 0);
        typecast_tile_init<f32, u8>();
        typecast_tile<f32, u8>(0);
      } else if constexpr (MODE == SUMS) {
        cumsum_tile_init();
        cumsum_tile(0, t == 0);
      } else if constexpr (MODE == TURNED) {
        transpose_dest_init();
        transpose_dest(0);
      }
      tile_regs_commit();
      tile_regs_wait();
      pack_tile(0, 16);
      tile_regs_release();
    }
  }
  cb_push_back(16, 4);
  cb_pop_front(0, 4);
}
