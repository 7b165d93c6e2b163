/* What D1 leaves, and finding one's way in it. */
#ifndef TILEWRIGHT_PROGRAM_H
#define TILEWRIGHT_PROGRAM_H

#include "Analysis/sums.h"
#include "Dialect/members.h"

/* How an r x c block of results is cut so that a piece fits DST: pieces of
 * rows x cols tiles that divide it and follow each other row by row. */
typedef struct TtSubBlock {
  int64_t rows, cols;
} TtSubBlock;
TtSubBlock tt_sub_block(int64_t r, int64_t c, int64_t capacity);
/* The part in which such a block is moved: tt_sub_block(), or, where that is short, as of a prime
 * number of tiles, more of them, up to `most`, in whole rows or within one; then those that are
 * left, of each row or of the block, are a part of their own. */
TtSubBlock tt_part_of(int64_t r, int64_t c, int64_t most);
/* How many parts that makes. */
int64_t tt_num_parts(int64_t r, int64_t c, TtSubBlock part);
/* The least that --tt-join-parts makes of it. */
TtSubBlock tt_joined_part(int64_t r, int64_t c, int64_t capacity);

/* The tt.kernels of a program, in order; those of one role. */
TtOps tt_program_kernels(TtArena *arena, MlirOperation program);
TtOps tt_program_kernels_of(TtArena *arena, MlirOperation program, TtKernelRole role);
TtKernelRole tt_role_of(MlirOperation kernel);
/* Of a tt.circular_buffer: its format, and the bytes of L1 that it takes for itself. */
TtDataFormat tt_cb_format(MlirOperation cb);
int64_t tt_cb_bytes(MlirOperation cb);
/* What the tensors of a program take of each core's L1; and what they and its circular buffers
 * leave. */
int64_t tt_program_tensor_bytes(TtArena *arena, MlirOperation program);
int64_t tt_program_l1_left(TtArena *arena, MlirOperation program);
/* The tt.circular_buffer that a !tt.cb value names, or null. */
MlirOperation tt_cb_decl(MlirOperation program, MlirValue cb);
/* The tt.semaphores that a kernel uses, in their order in the program: its first compile-time
 * arguments. */
TtOps tt_kernel_semaphores(TtArena *arena, MlirOperation program, MlirOperation kernel);
/* The NoC that a kernel moves data on: 0 or 1. */
int tt_kernel_noc_of(MlirOperation kernel);
/* The program that a tt.launch names, or null. */
MlirOperation tt_launched_program(MlirOperation launch);
/* The programs that are launched below `root`, each once, in the order of their first launch. */
TtOps tt_launched_programs(TtArena *arena, MlirOperation root);
/* Whether a program reads and writes its argument `name`. */
typedef struct TtUse {
  bool read, written;
} TtUse;
TtUse tt_program_use(TtArena *arena, MlirOperation program, const char *name);
/* Every function of every program, or an error that D1 has not run. */
bool tt_require_programs(MlirOperation module);

/* Ops of level 3 that use math: they compute in DST. */
bool tt_is_tile_math(MlirOperation op);
/* Those of the vector unit. */
bool tt_is_sfpu_tile(MlirOperation op);

#endif
