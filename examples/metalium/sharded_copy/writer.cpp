// Results are where they belong when they are packed.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    constexpr uint32_t tiles = get_compile_time_arg_val(0);
    cb_wait_front(16, tiles);
    cb_pop_front(16, tiles);
}
