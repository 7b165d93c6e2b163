// Drops what is packed.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t sections = get_arg_val<uint32_t>(0);
    constexpr uint32_t packs = get_compile_time_arg_val(0);
    for (uint32_t s = 0; s < sections; ++s) {
        cb_wait_front(16, packs);
        cb_pop_front(16, packs);
    }
}
