// Settings of the packer.
#pragma once
#include "ttemu/api/compute/common.h"

#if TTEMU_API < 202608
inline void pack_reconfig_data_format(uint32_t cb, TTEMU_LINE) { ttemu_reconfig_pack(cb, line); }
#endif
