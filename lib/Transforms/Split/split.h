/* What the files of D1 share. */
#ifndef TILEWRIGHT_SPLIT_H
#define TILEWRIGHT_SPLIT_H

#include "Analysis/program.h"

/* An error where a kernel has ops of level 1 or 3, or lacks stage A's metadata. */
bool tt_require_level_2(TtArena *arena, MlirOperation func);
/* The graph in tt.tile_dfg, with the ops that it is about; an error where it is missing, or
 * says something else than the kernel. */
bool tt_read_dfg(TtArena *arena, MlirOperation func, TtDfg *dfg);
/* Checks that tensors and the circular buffers that carry them agree. */
bool tt_check_formats(TtDfg *dfg);
/* The format of a tensor of a kernel in memory. */
TtDType tt_stored_as(MlirOperation func, const TtArg *tensor);
/* Makes every loop with constant bounds count from 0, one by one. */
void tt_normalize_loops(TtArena *arena, MlirOperation func);
/* Brackets blocks that are used more than once with tt.cb_open and tt.cb_close. */
bool tt_bracket_blocks(TtDfg *dfg);
/* Checks that `accumulate` of every tt.mm.mma is false exactly in the first step
 * of the loops whose sum it is. */
bool tt_check_accumulation(TtArena *arena, MlirOperation func);
/* Checks that no read must see a write of the same kernel, but for updates in place. */
bool tt_check_order(TtArena *arena, MlirOperation func);
/* Whether each step of the loops around a tt.write_from_cb has a block of its own. */
bool tt_writes_own_blocks(TtArena *arena, MlirOperation write);
/* Gives the moves of a kernel that assemble boxes circular buffers of the program for the tiles
 * that these lie in, numbered from `*number` on, and adds what they take of L1 to `*bytes`
 * (scratch.c). False after an error. */
bool tt_add_scratch(TtArena *arena, MlirOperation program, MlirOperation kernel, int64_t *bytes,
                    intptr_t *number);

#endif
