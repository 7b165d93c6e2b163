// What kernels of attention do: the fast exp, with the scale of its init, on a tile, a face and
// with small inputs raised; tiles packed in place of those that were unpacked; and a page that is
// told of by a semaphore of the engine.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/tile_move_copy.h"

void move(uint32_t from, uint32_t tile, uint32_t to) {
  tile_regs_acquire();
  copy_tile(from, tile, 0);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, to);
  tile_regs_release();
}

void kernel_main() {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 4);
  cb_reserve_back(1, 4);
  for (uint32_t t = 0; t < 4; ++t) move(0, t, 1);
  cb_push_back(1, 4);
  cb_pop_front(0, 4);

  cb_wait_front(1, 4);
  tile_regs_acquire();
  for (uint32_t t = 0; t < 4; ++t) copy_tile(1, t, t);
  exp_tile_init<true, true, 0x3f000000, InputClamping::None>(); // of half of x
  exp_tile<true, true, false, false, InputClamping::None, 32>(0, (int)VectorMode::None);
  exp_tile<true, true, false, false, InputClamping::None, 8>(1, (int)VectorMode::None);
  exp_tile_init<true, true>();
  exp_tile<true, true>(2);
  tile_regs_commit();
  tile_regs_wait();
  for (uint32_t t = 0; t < 4; ++t) pack_tile(t, 1);
  PACK((semaphore_post(semaphore::MATH_DONE)));
  tile_regs_release();
  UNPACK((TTI_SEMWAIT(p_stall::STALL_UNPACK, semaphore::t6_sem(semaphore::MATH_DONE),
                      p_stall::STALL_ON_ZERO)));
  cb_pop_front(1, 4);
  // A pointer may be outside as long as nobody uses it.
  PACK(get_local_cb_interface(1).fifo_wr_ptr -= get_local_cb_interface(1).fifo_size);
  PACK(get_local_cb_interface(1).fifo_wr_ptr += get_local_cb_interface(1).fifo_size);
  cb_reserve_back(1, 4);
  cb_push_back(1, 4);

  cb_wait_front(1, 4);
  cb_reserve_back(24, 1);
  move(1, 0, 24);
  cb_push_back(24, 1);
  PACK((t6_semaphore_post<p_stall::NONE>(semaphore::FPU_SFPU)));
  cb_reserve_back(16, 4);
  for (uint32_t t = 0; t < 3; ++t) move(1, t, 16);
  UNPACK((t6_semaphore_wait_on_zero<p_stall::STALL_UNPACK>(semaphore::FPU_SFPU)));
  UNPACK((t6_semaphore_get(semaphore::FPU_SFPU)));
  move(24, 0, 16);
  cb_push_back(16, 4);
  cb_pop_front(1, 4);
  cb_wait_front(24, 1);
  cb_pop_front(24, 1);
}
