// Packets from one bank of DRAM to L1, or from L1 to the bank.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0), bank = get_arg_val<uint32_t>(1);
    constexpr uint32_t packet = get_compile_time_arg_val(0), packets = get_compile_time_arg_val(1),
                       banks = get_compile_time_arg_val(2);
    constexpr bool reads = get_compile_time_arg_val(3) != 0,
                   dynamic = get_compile_time_arg_val(4) != 0;
    constexpr auto args = TensorAccessorArgs<5>();
    const auto data = TensorAccessor(args, address, packet);
    cb_reserve_back(0, 1);
    const uint32_t l1 = get_write_ptr(0);
    ttemu_noc_dynamic(dynamic);  // of the emulated device: the API has no call for it
    if (!reads) {
        noc_async_read(data.get_noc_addr(bank), l1, packet);
        noc_async_read_barrier();
    }
    for (uint32_t i = 0; i < packets; ++i) {
        if (reads) {
            noc_async_read(data.get_noc_addr(bank + i * banks), l1, packet);
        } else {
            noc_async_write(l1, data.get_noc_addr(bank + i * banks), packet);
        }
    }
    if (reads) {
        noc_async_read_barrier();
    } else {
        noc_async_write_barrier();
    }
    cb_push_back(0, 1);
    cb_pop_front(0, 1);
}
