// What a kernel has without an include, as on the chip: the firmware comes before it.
#pragma once

#ifdef TTEMU_COMPUTE
#include "ttemu/api/compute/common_globals.h"
#else
#include "ttemu/api/dataflow/dataflow_api.h"
#endif
#ifdef TTEMU_PRINTS
#include "ttemu/api/debug/dprint.h"
#endif
