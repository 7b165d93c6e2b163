// Writes the core's tile of C.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const auto c = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
    cb_wait_front(16, 1);
    noc_async_write_page(get_arg_val<uint32_t>(1), c, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
}
