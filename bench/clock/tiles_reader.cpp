// Eight tiles of zeros in circular buffers 0 and 1.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    for (uint32_t cb = 0; cb < 2; ++cb) {
        cb_reserve_back(cb, 8);
        auto* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(cb));
        const uint32_t size = 8 * get_tile_size(cb) / sizeof(*words);
        for (uint32_t i = 0; i < size; ++i) {
            words[i] = 0;
        }
        cb_push_back(cb, 8);
    }
}
