// Sorts columns of 64 values, whole ones, or the first 4, 8, 16 and 32 by merging.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/tile_move_copy.h"

template <bool tUp, bool tStable> void keep(int k, int log_k) {
  topk_local_sort<tStable>(0, tUp, log_k - 1);
  for (int i = 0; k << i < 64; ++i) {
    topk_merge<tUp, tStable>(0, i, k);
    topk_rebuild<tStable>(0, tUp, i, k, log_k, 0);
  }
}

void kernel_main() {
  compute_kernel_hw_startup(0, 16);
#if TTEMU_API >= 202608
  copy_init(0);
#else
  copy_tile_to_dst_init_short(0);
#endif
  for (int turn = 0; turn < 7; ++turn) {
    cb_wait_front(0, 4);
    cb_reserve_back(16, 4);
    tile_regs_acquire();
    for (uint32_t tile = 0; tile < 4; ++tile) copy_tile(0, tile, tile);
    topk_tile_init();
    if (turn < 2) topk_local_sort(0, turn, 5);
    else if (turn == 4 || turn == 6) keep<true, false>(2 << (turn - 1), turn);
    else keep<false, true>(2 << (turn - 1), turn);
    tile_regs_commit();
    tile_regs_wait();
    for (uint32_t tile = 0; tile < 4; ++tile) pack_tile(tile, 16);
    tile_regs_release();
    cb_push_back(16, 4);
    cb_pop_front(0, 4);
  }
}
