/*===- sizes.h - constants that all parts of the emulated device share -----------------------===*/

#ifndef TTEMU_SIZES_H
#define TTEMU_SIZES_H

#include "ttemu/host_calls.h"

#include "Target/chips.h"

/* Loops that are compiled for several kinds of x86, of which the host's runs. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define EMU_CLONES
#define EMU_VECTORIZED                                                                             \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
#else
#define EMU_VECTORIZED
#endif

enum {
  MAX_CBS = TT_MAX_CBS,
  TILE = 1024,
  MAX_DST = 16,
  NUM_RISCS = 5,
  SOURCE_BANKS = 2,
  UNPACK = 2,
  MATH = 3,
  PACK = 4, /* roles; 0 and 1 are data movement */
  FPU_COPY = 4,
  FPU_TRANSPOSE,
  FPU_REDUCE,
  FPU_TILIZE,
  FPU_UNTILIZE, /* beside ttemu_binary */
  NOT_REDUCED = -1,
  FLOAT32_TO_DST = 1 << 16, /* beside ttemu_format: Float32 that goes past the source registers */
  COPY_TRANSPOSED = 8,      /* a shape beside those of ttemu_bcast */
  L1_WINDOW = 2 << 20,
  EMU_STACK_BYTES = 256 * 1024, /* of a kernel on one processor */
  SEMAPHORES = 16,
  SEMAPHORE_BYTES = 16 * SEMAPHORES, /* right below the usable L1 */
  CLOCK_BYTES = 16,                  /* below them: the clock, as a register */
  ZEROS_BYTES = 512,                 /* and zeros that kernels copy from */
  SYSTEM_BYTES = SEMAPHORE_BYTES + CLOCK_BYTES + ZEROS_BYTES
};

#endif
