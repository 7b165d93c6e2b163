/* A buffer in DRAM or in the L1 of cores, for what makes buffers (memory.c) and for what the host
 * reads and writes of them (host_memory.c). */
#ifndef TTEMU_MEMORY_H
#define TTEMU_MEMORY_H

#include "emu.h"

struct ttemu_buffer {
  bool dram, is_view;                  /* a view does not own its memory */
  uint32_t page_bytes, address, share; /* of each bank */
  uint64_t bytes;
  uint32_t *shards; /* see kernel_calls.h; or NULL */
};

#endif
