// Moves the tile in, twice, and the sum out on the first core; on the other one, zeros. What
// dataflow_api.h has comes along with others, as does printing.
#include <tt-metalium/constants.hpp>

#include "api/debug/device_print.h"
#include "experimental/circular_buffer.h"
#include "experimental/core_local_mem.h"
#include "experimental/endpoints.h"
#include "experimental/noc.h"
#include "experimental/noc_semaphore.h"

constexpr uint32_t bytes = get_tile_size(0);
static_assert(bytes == 2 * tt::constants::TILE_HW && VALID != INVALID);
static_assert(get_dataformat(tt::CB::c_in0) == DataFormat::Float16_b);
static_assert(kernel_compile_time_args.size() >= 2);
static_assert(NOC_DRAM_READ_ALIGNMENT_BYTES % 32 == 0 && bytes % MEM_ZEROS_SIZE == 0);

void kernel_main() {
  constexpr auto in_args = TensorAccessorArgs<0>();
  constexpr auto out_args = TensorAccessorArgs<in_args.next_compile_time_args_offset()>();
  const auto in = TensorAccessor(in_args, get_arg_val<uint32_t>(0), bytes);
  const auto out = TensorAccessor(out_args, get_arg_val<uint32_t>(1), bytes);
  const uint first = get_arg_val<uint>(2);
  for (uint8_t cb : {uint8_t(tt::CB::c_in0), uint8_t(tt::CBIndex::c_1)}) {
    cb_reserve_back(cb, 1);
    if (first) noc_async_read_tile(0, in, get_write_ptr(cb));
    const uint32_t x = DYNAMIC_NOC_X(noc_index, my_x[noc_index]);
    const uint32_t y = DYNAMIC_NOC_Y(noc_index, my_y[noc_index]);
    for (uint32_t at = 0; !first && at < bytes; at += MEM_ZEROS_SIZE)
      noc_async_read(get_noc_addr(x, y, MEM_ZEROS_BASE), get_write_ptr(cb) + at, MEM_ZEROS_SIZE);
    noc_async_read_barrier();
    cb_push_back(cb, 1);
  }
  cb_wait_front(16, 1);
  DPRINT << "base " << bank_to_dram_offset[0] - bank_to_dram_offset[0] << ENDL();
  DEVICE_PRINT("first {}\n", first);
  const uint32_t page = get_local_cb_interface(16).fifo_rd_ptr;
  auto *words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(page);
  for (uint32_t i = 0; !first && i < bytes / 4; ++i) ASSERT(words[i] == 0);
  if (first) noc_async_write_tile(0, out, page);
  noc_async_write_barrier();
  cb_pop_front(16, 1);
}
