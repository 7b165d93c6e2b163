// Tiles to rows by unpack, with calls of the layer below the API; and a function of the vector unit
// whose init a transposition in DST leaves alone.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/cumsum.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/transpose_wh_dest.h"
#ifdef TRISC_UNPACK
#include "llk_unpack_untilize_api.h"
#endif
#ifdef TRISC_MATH
#include "llk_math_unary_datacopy_api.h"
#endif

void keep() {
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
}

void kernel_main() {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 2);
  cb_reserve_back(16, 4);
  UNPACK((llk_unpack_untilize_init(0)));
  MATH((llk_math_eltwise_unary_datacopy_init<A2D, DST_ACCUM_MODE, NONE>(0)));
  UNPACK((llk_unpack_untilize(0, 2)));
  for (uint32_t t = 0; t < 2; ++t) {
    tile_regs_acquire();
    MATH((llk_math_eltwise_unary_datacopy<A2D, DST_ACCUM_MODE, NONE>(0)));
    keep();
  }
  UNPACK((llk_unpack_untilize_uninit()));

  cumsum_tile_init();
  for (uint32_t t = 0; t < 2; ++t) {
    copy_tile_to_dst_init_short(0);
    tile_regs_acquire();
    copy_tile(0, t, 0);
    cumsum_tile(0, true);
    transpose_wh_dest_init_short();
    transpose_wh_dest(0);
    keep();
  }
  cb_push_back(16, 4);
  cb_pop_front(0, 2);
}
