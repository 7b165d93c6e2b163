/* Cores that have a unit of work together, side by side in a row of the grid (core_groups.c). */
#ifndef TILEWRIGHT_CORE_GROUPS_H
#define TILEWRIGHT_CORE_GROUPS_H

#include "Dialect/target.h"
#include "tilewright/ir.h"

/* More cores for a unit than these wait longer for each other than they save. */
enum { TT_MOST_PARTS = 8 };

/* `parts` cores a unit, on `width` x `height` cores of `each` units: in a row of the grid, where
 * all of the rectangle is taken, or, `down`, one below the other, where the last groups of the
 * rectangle may be none. `cores`: how many there are. `clk`: what it takes, as the pass sees it. */
typedef struct TtGroups {
  int64_t parts, width, height, each, cores;
  bool down;
  double clk;
} TtGroups;

/* The time of a kernel whose units are on such groups. */
typedef double TtGroupsClk(const void *kernel, const TtGroups *groups);
/* The best of all groups of as many cores as divide `pieces`, that make `units` fill a rectangle
 * of the cores, or, with `down`, stand in columns where they fill none; false where none has a
 * part. Of two that are as fast the wider one: more columns of links bring operands, and take
 * results away. */
bool tt_find_groups(TtTarget target, int64_t units, int64_t pieces, bool down, TtGroupsClk *clk,
                    const void *kernel, TtGroups *best);
/* The units as they are: a core each, or several units a core. */
TtGroups tt_without_groups(TtTarget target, int64_t units, TtGroupsClk *clk, const void *kernel);

/* The part of a core with this `number` of a unit, as cores count them, and the `unit` of its
 * group.
 */
MlirValue tt_part_of_unit(TtBuilder *b, MlirLocation loc, MlirValue number, const TtGroups *groups,
                          MlirValue *unit);
/* The same where the loop over units computes `unit`, which is replaced. Returns the part. */
MlirValue tt_set_group_unit(MlirValue unit, const TtGroups *groups);

/* The bytes of a tile of a circular buffer, as its elements are stored. */
int64_t tt_tile_bytes(MlirValue cb);
/* A circular buffer of `n` blocks, declared at the start of a kernel: one below the other, or a row
 * of tiles where they are such. */
MlirValue tt_new_blocks(MlirOperation func, MlirLocation loc, const char *name, MlirType like,
                        int64_t n);
/* Gathers what each core of a group has in %own, a block, as many at a time as the prime factors of
 * their number say, and puts it together: each step reads the fewest tiles, and all cores come to
 * the same bits where these are 2. Returns the blocks of the last step, which are not put together
 * yet; `number` tells several such sums of a kernel apart. */
MlirValue tt_gather_groups(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirOperation func,
                           MlirValue own, bool max, const TtGroups *groups, intptr_t number);
/* The tiles of L1 that it takes for each of a block. */
int64_t tt_gather_tiles(const TtGroups *groups);
/* The sum or the maximum of blocks like `part`: in tile `dst` of DST, where tile `next` is free,
 * and packed to `out` unless that is null. */
void tt_combine_blocks(TtBuilder *b, MlirLocation loc, MlirValue all, MlirType part, bool max,
                       int64_t dst, int64_t next, MlirValue out);
/* What tt_gather_groups() and tt_combine_blocks() take for blocks of so many tiles: in each step,
 * one is packed, goes to the others, and theirs are waited for, unpacked and put together. */
double tt_gather_clk(const TtChip *chip, bool wide, bool max, int64_t tiles, int64_t parts);

#endif
