/*===- chips.h - limits and costs of the chips ------------------------------------------===
 *
 * One table, chips.def, for the compiler and the emulated device. Nothing of LLVM here.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_CHIPS_H
#define TILEWRIGHT_CHIPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TT_MAX_CBS = 64 };        /* circular buffers a core, of the chip that has most */
enum { TT_MAX_SEMAPHORES = 16 }; /* a core */
enum { TT_MAX_BANKS = 12, TT_MAX_SIDE = 16 };
/* Whom a read goes to. */
enum { TT_READ_OWN, TT_READ_COLUMN, TT_READ_ROW, TT_READ_OTHER, TT_NUM_READS };

/* A node of the NoC, on the chip. */
typedef struct TtNocPoint {
  uint8_t x, y;
} TtNocPoint;

typedef struct TtChip {
  const char *name, *define; /* the macro that kernels see */
  /* limits */
  uint32_t grid_x, grid_y;   /* the largest worker grid, which is the default */
  uint32_t l1_size, l1_base; /* L1 of a core, and where what programs may use starts */
  uint32_t cbs;              /* circular buffers a core */
  uint32_t dst_tiles_16;     /* DST tiles, half-sync, 16-bit */
  uint32_t dst_tiles_32;     /* the same with 32-bit DST */
  uint32_t noc_read_align;   /* bytes: of reads from DRAM, and of its pages */
  uint32_t noc_write_align;  /* bytes: of writes to DRAM, and of all that goes to or from L1 */
  uint32_t runtime_args;     /* 32-bit runtime arguments a kernel */
  uint32_t mover_bytes, compute_bytes; /* of a processor's own memory: variables and stack */
  uint32_t dram_banks, dram_bytes;     /* bytes of a bank */
  /* costs */
  double clock_ghz;
  uint32_t noc_x, noc_y;                                /* nodes of the NoC */
  uint8_t worker_x[TT_MAX_SIDE], worker_y[TT_MAX_SIDE]; /* where the cores are among them */
  TtNocPoint bank_at[TT_MAX_BANKS];
  uint64_t read_latency[TT_NUM_READS], write_latency, write_hop; /* clk */
  uint64_t noc_bytes_per_clk, noc_issue; /* clk that the smallest transfer takes */
  /* Percent that a write takes longer on a link where it meets those of two cores or more, by
   * virtual channel. */
  uint64_t mixed_static, mixed_dynamic;
  uint64_t bank_bytes_per_clk, bank_turn; /* clk between a read and a write */
  uint64_t unpack_bytes_per_clk;          /* of all operands together */
  uint64_t call;                          /* clk of a call of the API */
  /* ways of its own */
  bool separate_buffers; /* words may overtake data on their way */
  bool adjoining_cores;  /* what the host converts to differs by one for cores side by side */
  bool caches_loads;     /* of L1, until a kernel invalidates what it has */
  bool odd_sums;         /* a sum of -1 is normalized as if its top bit were set */
  bool fills_step; /* fill_tile_int goes by an address mode that ops of the FPU leave behind */
} TtChip;

extern const TtChip tt_chips[];
extern const int tt_num_chips;

/* The chip of this name, or NULL. */
const TtChip *tt_chip_named(const char *name);
/* The chips' names, for messages: "wormhole_b0 and blackhole". */
const char *tt_chip_names(void);
/* For help: "chip, the first by default: wormhole_b0 blackhole". */
extern const char tt_chip_help[];
/* Bytes of L1 that circular buffers and tensors of a core share. */
uint32_t tt_usable_l1(const TtChip *chip);

#endif
