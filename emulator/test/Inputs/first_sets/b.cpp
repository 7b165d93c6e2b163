// Adds after a while, which it counts by the clock, and when that has each of some remainders.
#include "api/dataflow/dataflow_api.h"

static uint32_t clock_now() { return reg_read(RISCV_DEBUG_REG_WALL_CLOCK_L); }

void kernel_main() {
  for (uint32_t end = clock_now() + 2000; clock_now() < end;) {
  }
  for (uint32_t of = 2; of < 64; of += 7)
    for (uint32_t n = 0; n < of; ++n)
      while (clock_now() % of != n) {
      }
  for (uint32_t i = 5; i < 7; ++i)
    noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3),
                                   get_semaphore(get_arg_val<uint32_t>(i))),
                      1);
  noc_async_atomic_barrier();
}
