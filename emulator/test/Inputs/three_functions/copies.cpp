// The same sum as two copies in DST, added by the packer in L1, as 2025 has the layer below the
// API: its functions take whether DST has 32 bits, and math is configured, too. One function that
// all processors run takes what tells them apart in macros.
#include <cstdint>

#include "compute_kernel_api.h"
#include "compute_kernel_api/eltwise_unary/eltwise_unary.h"
#include "compute_kernel_api/tile_move_copy.h"

namespace NAMESPACE {
#ifdef TRISC_UNPACK
inline void unpack_main() {
  llk_unpack_A_hw_configure_disaggregated<DST_ACCUM_MODE>(0);
  UNPACK((llk_unpack_A_init<BroadcastType::NONE, false, EltwiseBinaryReuseDestType::NONE>()));
  for (uint32_t cb = 0; cb < 2; ++cb) {
    llk_wait_tiles(cb, 1);
    llk_unpack_A(cb, 0);
    llk_pop_tiles(cb, 1);
  }
}
#elif defined(TRISC_MATH)
inline void math_main() {
  llk_math_eltwise_unary_datacopy_init<A2D, DST_ACCUM_MODE, BroadcastType::NONE>(0, 0, 0);
  llk_math_pack_sync_init<DST_ACCUM_MODE>();
  llk_math_hw_configure_disaggregated(0, 0);
  for (int i = 0; i < 2; ++i) {
    llk_math_wait_for_dest_available();
    llk_math_eltwise_unary_datacopy<A2D, DST_ACCUM_MODE, BroadcastType::NONE>(0);
    llk_math_dest_section_done<DST_ACCUM_MODE>();
  }
}
#else
inline void pack_main() {
  llk_pack_init();
  llk_pack_hw_configure_disaggregated<DST_ACCUM_MODE, false>(16);
  llk_pack_dest_init<DST_ACCUM_MODE, false>();
  llk_wait_for_free_tiles<false, false, false>(16, 1);
  for (int i = 0; i < 2; ++i) {
    llk_packer_wait_for_math_done();
    llk_pack_reconfig_l1_acc(i);
    llk_pack<DST_ACCUM_MODE, true, false>(0, 16, 0);
    llk_pack_dest_section_done<DST_ACCUM_MODE>();
  }
  llk_pack_reconfig_l1_acc(0);
  llk_push_tiles<false, false>(16, 1);
}
#endif
} // namespace NAMESPACE
