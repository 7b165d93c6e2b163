// Experimental.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_NOT_EMULATED(copy_tile_custom, "experimental functions are not emulated")
