// The other ends of transfers: cores, and banks of buffers.
#pragma once

#include "ttemu/api/dataflow/addresses.h"

TTEMU_OBJECTS
struct UnicastEndpoint {
  uint64_t get_noc_unicast_addr(uint32_t x, uint32_t y, uint32_t address,
                                uint8_t = noc_index) const {
    return get_noc_addr(x, y, address);
  }
};
struct MulticastEndpoint {
  uint64_t get_noc_multicast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                                  uint32_t address, uint8_t = noc_index) const {
    return ::get_noc_multicast_addr(x0, y0, x1, y1, address);
  }
};
#if TTEMU_API >= 202608
enum class AllocatorBankType { L1, DRAM };
#else
enum AllocatorBankType { L1, DRAM };
#endif
template <AllocatorBankType tType> struct AllocatorBank {
  uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t address, uint8_t = noc_index,
                                     TTEMU_LINE) const {
    return ttemu_bank_address(tType == AllocatorBankType::DRAM, bank, address, line);
  }
};
TTEMU_OBJECTS_END
