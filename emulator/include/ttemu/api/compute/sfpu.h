// What the headers of SFPU functions are made of.
#pragma once
#include "ttemu/api/compute/common.h"

#define TTEMU_SFPU_INIT(name, op) \
  inline void name(TTEMU_LINE) { ttemu_sfpu_init(op, line); }
#define TTEMU_SFPU_ONE(name, op) \
  inline void name(uint32_t dst, TTEMU_LINE) { ttemu_sfpu_tile(op, dst, 0, line); }
#define TTEMU_SFPU_SCALAR(name, op) \
  inline void name(uint32_t dst, uint32_t scalar, TTEMU_LINE) { ttemu_sfpu_tile(op, dst, scalar, line); }
#define TTEMU_SFPU_TWO(name, op) \
  inline void name(uint32_t a, uint32_t b, uint32_t out, TTEMU_LINE) { ttemu_sfpu_tiles(op, a, b, out, line); }
