#include "dataflow_api.h"
#include "third_party/tracy/public/tracy/Tracy.hpp"

void kernel_main() {
  for (uint32_t i = 0; i < 2; ++i) {
    uint64_t from = get_noc_addr(get_arg_val<uint32_t>(3 * i + 1), get_arg_val<uint32_t>(3 * i + 2),
                                 get_arg_val<uint32_t>(3 * i));
    cb_reserve_back(i, 1);
    noc_async_read(from, get_write_ptr(i), get_tile_size(i));
    noc_async_read_barrier();
    cb_push_back(i, 1);
  }
}
