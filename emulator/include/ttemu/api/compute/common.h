// Every compute kernel: arguments, circular buffers, DST, and packing in order.
#pragma once

#ifndef TTEMU_COMPUTE
#error "this header is for compute kernels"
#endif

#include "ttemu/kernel.hpp"

#define UNPACK(x)                                                                                  \
  do {                                                                                             \
    if (ttemu_role() == 2) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)
#define MATH(x)                                                                                    \
  do {                                                                                             \
    if (ttemu_role() == 3) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)
#define PACK(x)                                                                                    \
  do {                                                                                             \
    if (ttemu_role() == 4) {                                                                       \
      x;                                                                                           \
    }                                                                                              \
  } while (0)

#include "ttemu/api/compute/cb_api.h"
#include "ttemu/api/compute/pack.h"
#include "ttemu/api/compute/reg_api.h"
#if TTEMU_API >= 202608
#include "ttemu/api/compute/compute_kernel_hw_startup.h"
#include "ttemu/api/compute/reconfig_data_format.h"
#endif
