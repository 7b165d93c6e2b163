// Where trees before 2025 have it.
#pragma once
#include <cstdint>

#include "ttemu/host_calls.h"

// Where a kernel's own memory begins.
inline const uint32_t L1_UNRESERVED_BASE = ttemu_l1_base();
inline constexpr uint32_t L1_ALIGNMENT = 16, DRAM_ALIGNMENT = 32, ALLOCATOR_ALIGNMENT = 32;
// The start of a bank is for barriers of memory.
inline constexpr uint32_t DRAM_BARRIER_BASE = 0, DRAM_BARRIER_SIZE = DRAM_ALIGNMENT;
inline constexpr uint32_t DRAM_UNRESERVED_BASE = DRAM_BARRIER_BASE + DRAM_BARRIER_SIZE;
