// Where trees before 2025 have it.
#pragma once
#include <cstdint>

#include "ttemu/host_calls.h"

// Where a kernel's own memory begins.
#define L1_UNRESERVED_BASE ttemu_l1_base()
#define L1_ALIGNMENT 16
#define DRAM_ALIGNMENT 32
