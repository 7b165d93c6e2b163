// Experimental.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_NOT_EMULATED(pack_block_init_custom, "experimental functions are not emulated")
