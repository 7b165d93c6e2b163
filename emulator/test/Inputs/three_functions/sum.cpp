// A sum in three functions, one for each processor of the engine, with the layer below the API as
// 2024 has it: unpack sets the formats, and math has nothing to configure.
#include <cstdint>

#include "compute_kernel_api.h"
#include "compute_kernel_api/eltwise_binary.h"

namespace NAMESPACE {

#ifdef TRISC_UNPACK
#include "llk_unpack_AB_api.h"
#include "llk_unpack_common_api.h"
void unpack_main() {
  llk_setup_operands();
  llk_unpack_AB_init<BroadcastType::NONE>(0, 1);
  llk_unpack_AB_hw_configure_disaggregated<BroadcastType::NONE>(0, 1);
  llk_wait_tiles(0, 1);
  llk_wait_tiles(1, 1);
  llk_unpack_AB(0, 1, 0, 0);
  llk_pop_tiles(0, 1);
  llk_pop_tiles(1, 1);
}
#endif

#ifdef TRISC_MATH
#include "llk_math_binary_api.h"
#include "llk_math_common.h"
void math_main() {
  MATH((llk_math_eltwise_binary_init<ELWADD, NONE>()));
  llk_math_pack_sync_init();
  llk_math_wait_for_dest_available();
  llk_math_eltwise_binary<ELWADD, NONE, MATH_FIDELITY, EltwiseBinaryReuseDestType::NONE>(0);
  llk_math_dest_section_done();
}
#endif

#ifdef TRISC_PACK
#include "llk_pack.h"
#include "llk_pack_common.h"
void pack_main() {
  llk_pack_init();
  llk_pack_hw_configure_disaggregated<false>(16);
  llk_setup_outputs();
  llk_pack_dest_init<DstTileFaceLayout::RowMajor, false>();
  llk_packer_wait_for_math_done();
  llk_wait_for_free_tiles<false, false, false>(16, 1);
  llk_pack<false, false>(0, 16);
  llk_push_tiles<false, false>(16, 1);
  llk_pack_dest_section_done();
}
#endif

} // namespace NAMESPACE
