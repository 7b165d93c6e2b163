// A register of a stream counts what another core has left here; another one holds a word.
#include "api/dataflow/dataflow_api.h"
#include <cstdint>

void kernel_main() {
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto c_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto c = TensorAccessor(c_args, get_arg_val<uint32_t>(1));
  const uint32_t x = get_arg_val<uint32_t>(2), y = get_arg_val<uint32_t>(3);
  const uint32_t l1 = get_write_ptr(0), ready = get_semaphore(get_arg_val<uint32_t>(6));
  auto words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1);
  constexpr uint32_t stream = 5, mask = (1 << REMOTE_DEST_WORDS_FREE_WIDTH) - 1;
  if (get_absolute_logical_x() == 0) {
    NOC_STREAM_WRITE_REG(stream, STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX, 4);
    noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(4), get_arg_val<uint32_t>(5), ready), 1);
    while ((NOC_STREAM_READ_REG(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX) & mask) !=
           7) {
    }
    noc_async_write(l1, c.get_noc_addr(0), 2048);
    noc_async_write_barrier();
    noc_async_atomic_barrier();
  } else {
    noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t *>(ready), 1);
    const uint64_t word =
        NOC_XY_ADDR(x, y, STREAM_REG_ADDR(stream, STREAM_REMOTE_DEST_BUF_START_REG_INDEX));
    noc_inline_dw_write<InlineWriteDst::REG>(word, 9);
    noc_async_write_barrier();
    noc_async_read(word, l1 + 2048, 4);
    noc_async_read_barrier();
    for (uint32_t i = 0; i < 512; ++i) words[i] = words[512];
    noc_async_write(l1, get_noc_addr(x, y, l1), 2048);
    noc_async_write_barrier();
    const uint32_t update =
        STREAM_REG_ADDR(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX);
    noc_inline_dw_write<InlineWriteDst::REG>(NOC_XY_ADDR(x, y, update),
                                             3 << REMOTE_DEST_BUF_WORDS_FREE_INC);
    noc_async_write_barrier();
  }
}
