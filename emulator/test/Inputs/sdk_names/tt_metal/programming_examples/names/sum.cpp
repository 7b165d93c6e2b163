// A sum whose settings are made by the calls below the API, in its namespace and outside of it.
#include "api/compute/bcast.h"
#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_unary/sfpu_split_includes.h"
#include "api/compute/layernorm.h"
#include "api/compute/softmax.h"

static_assert(MATH_FIDELITY == MathFidelity::HiFi3 && !DST_ACCUM_MODE);

namespace ckernel {
ALWI void settle(uint32_t a, uint32_t b, uint32_t out) {
  reconfig_data_format_srca(a, b);
  reconfig_data_format_srcb(b, a);
  reconfig_data_format(a, b);
  pack_reconfig_data_format(b, out);
}
} // namespace ckernel

// What takes a call on two tiles by a pointer tells those with a row from others by how many they
// take.
using of_tile = void(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);
using of_row = void(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);
struct pointed {
  of_tile *tile = nullptr;
  of_row *row = nullptr;
  constexpr pointed(of_tile *call) : tile(call) {}
  constexpr pointed(of_row *call) : row(call) {}
};
static_assert(pointed(mul_tiles_bcast_rows).row && pointed(add_tiles_bcast_rows).row);
static_assert(pointed(add_tiles_bcast_cols).tile && pointed(add_tiles_bcast_scalar).tile);
static_assert(pointed(sub_tiles_bcast_cols).tile && pointed(sub_tiles_bcast_scalar).tile);
static_assert(pointed(mul_tiles_bcast_cols).tile && pointed(mul_tiles_bcast_scalar).tile);
static_assert(pointed(sub_tiles).tile && pointed(mul_tiles).tile);

void kernel_main() {
  compute_kernel_hw_startup(0, 1, 16);
  ckernel::settle(0, 1, 16);
  UNPACK((llk_unpack_AB_init<BroadcastType::NONE>(0, 1)));
  MATH((llk_math_eltwise_binary_init<ELWADD, NONE, MATH_FIDELITY>()));
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  tile_regs_acquire();
  pointed(add_tiles).tile(0, 1, 0, 0, 0);
  tile_regs_commit();
  cb_reserve_back(16, 1);
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  cb_push_back(16, 1);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
