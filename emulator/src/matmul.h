/*===- matmul.h - exact products of tiles, as hosts can make them
 * ------------------------------===*/

#ifndef TTEMU_MATMUL_H
#define TTEMU_MATMUL_H

#include "emu.h"

enum { N = 32, LANES = 8 };

/* What differs between modes of DST and sources; fpu.c has the reasons. */
typedef struct Rounding {
  int32_t bits, lowest, too_large, wide_zero;
  uint32_t largest;
  bool narrow, wormhole;
} Rounding;
Rounding emu_rounding_of(DstMode mode);

#ifdef EMU_CLONES
EmuMatmul emu_matmul_avx512, emu_matmul_avx2;
#endif

#endif
