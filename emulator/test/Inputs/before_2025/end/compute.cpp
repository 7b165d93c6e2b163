// C = A B, twice: then the init alone says whether B is transposed.
#include "compute_kernel_api/matmul.h"
#include "llk_math_common_api.h"
#include "mod_div_lib.h"

namespace NAMESPACE {
void MAIN {
  mm_init(0, 1, 16);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  tile_regs_acquire();
  for (uint32_t i = 0; i < mulsi3(1, 2); ++i) matmul_tiles(0, 1, 0, 0, 0);
  tile_regs_commit();
  cb_reserve_back(16, 1);
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  cb_push_back(16, 1);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
} // namespace NAMESPACE
