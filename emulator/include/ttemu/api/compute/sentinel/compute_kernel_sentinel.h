// What the SDK sets again by itself where a build asks for it: nothing here, as in a build that
// does not.
#pragma once

#include "ttemu/api/compute/common_globals.h"

#ifdef TT_METAL_COMPUTE_KERNEL_SENTINEL_ENABLED
#error                                                                                             \
    "settings that the SDK makes by itself (TT_METAL_COMPUTE_KERNEL_SENTINEL_ENABLED) are not emulated"
#endif
#define SET_CALLED_RECONFIG(calls)
#define TEST_RECONFIG_CALLS(calls) false
