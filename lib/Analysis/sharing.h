/* Which cores read the same blocks of a tensor at the same steps. */
#ifndef TILEWRIGHT_SHARING_H
#define TILEWRIGHT_SHARING_H

#include "Analysis/core_boxes.h"
#include "Target/chips.h"

/* The cores of a program, in groups that read the same: rectangles, all of one size; or two of any
 * size, where all cores read the same. */
typedef struct TtSharing {
  const char *reason;    /* why there are no such groups; NULL where there are */
  const int64_t *same;   /* for each core, the number of what it reads; NULL where not known */
  int64_t width, height; /* of a group, or the larger one; at least one of them is more than 1 */
  bool apart;            /* no cores beside each other read the same, which is the reason */
  bool is_cut;           /* the two groups are those of `cut` */
  TtCoreCut cut;
  const TtCore *cores;
  const TtCore *first; /* for each core, the least of its group */
  int64_t n;
} TtSharing;

/* Groups the cores of `table`, which are given what it says, by what they read with `read`, a
 * tt.read_to_cb in a function or kernel. It follows from the offsets as affine expressions of
 * loops and of the cores' arguments. */
TtSharing tt_find_sharing(TtArena *arena, const TtCoreTable *table, MlirOperation read);
/* Why cores of a line along x, or y, read different blocks with `read`, as "its offset depends on
 * %bx"; NULL where they read the same, where there is no such line, and where it is not known what
 * they read. */
const char *tt_why_read_apart(TtArena *arena, const TtCoreTable *table, const TtSharing *sharing,
                              MlirOperation read, bool vertical);
/* Where the groups lie along a side: `least` is the first core's, and the next is the side of a
 * group on, unless they are cut. False where they are elsewhere. */
bool tt_lie_side_by_side(const TtSharing *sharing, bool vertical, int64_t *least);
/* The cores of a program of known sizes and what they are given, or those of a kernel of level 2
 * that stage B gave units in mode "global". False where it is none, and nothing said. */
bool tt_program_cores(TtArena *arena, MlirOperation program, TtCoreTable *table);
bool tt_unit_cores(TtArena *arena, MlirOperation func, TtCoreTable *table);

/* What a block of so many tiles costs in clk, all cores together: where each reads it, and where
 * one of each group does and multicasts it. */
typedef struct TtSharingCost {
  double plain, shared;
} TtSharingCost;
TtSharingCost tt_sharing_cost(const TtChip *chip, const TtSharing *sharing, int64_t tiles,
                              int64_t page_bytes);
/* A block that cores share, one of those that a unit brings. */
typedef struct TtSharedBlock {
  TtSharing sharing;
  int64_t tiles, page_bytes;
  int64_t steps;        /* that bring it, one block each */
  intptr_t place, step; /* it is brought in a block of IR with others, and taken with some */
} TtSharedBlock;
/* What n of them take, in the order of their places and steps: where each of two processors fetches
 * some of them and sends them on, or, unless it is `two`, one does all of that; and where one
 * fetches all, and the other one sends (relay_cost.c). */
typedef struct TtRelayCost {
  double apart, relayed;
} TtRelayCost;
TtRelayCost tt_relay_cost(const TtChip *chip, const TtSharedBlock *blocks, intptr_t n, bool two);
/* Whether sharing, or relaying, is cheaper by more than the tenth that these figures may be wrong
 * by. */
bool tt_sharing_pays(TtSharingCost cost);
bool tt_relaying_pays(TtRelayCost cost);

#endif
