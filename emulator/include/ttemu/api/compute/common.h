// Every compute kernel: arguments, circular buffers, DST, the formats of the engine, and packing.
#pragma once

#include "ttemu/api/compute/common_globals.h"

#include "ttemu/api/compute/cb_api.h"
#include "ttemu/api/compute/compute_kernel_hw_startup.h"
#include "ttemu/api/compute/pack.h"
#include "ttemu/api/compute/reconfig_data_format.h"
#include "ttemu/api/compute/reg_api.h"
// Who names a processor may call the layer below.
#ifdef TTEMU_ROLE
#include "ttemu/api/compute/llk.h"
#endif
