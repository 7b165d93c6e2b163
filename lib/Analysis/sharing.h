/* Which cores read the same blocks of a tensor at the same steps. */
#ifndef TILEWRIGHT_SHARING_H
#define TILEWRIGHT_SHARING_H

#include "Analysis/core_args.h"
#include "Target/chips.h"

/* A rectangle of cores; both corners are in it. */
typedef struct TtCoreBox {
  TtCore first, last;
} TtCoreBox;

/* Groups of cores that read the same: rectangles of one size, side by side in `box`. */
typedef struct TtSharingPart {
  TtCoreBox box;
  int64_t cores;         /* of all groups */
  int64_t width, height; /* of a group */
} TtSharingPart;

/* The cores of a program, in such groups; or in those on either side of one cut through all of
 * them. */
typedef struct TtSharing {
  const char *reason;  /* why there are no such groups; NULL where there are */
  const int64_t *same; /* for each core, the number of what it reads; NULL where not known */
  TtSharingPart parts[2];
  int num_parts;
  bool columns; /* the second part begins at column `from`, or else at that row */
  int64_t from;
  int64_t width, height; /* the most columns and rows of a group; one of them is more than 1 */
  bool apart;            /* no cores beside each other read the same, which is the reason */
  const TtCore *cores;
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
/* Groups the cores of `table`, of which core c reads what has the number same[c], from 0 to `num`
 * (sharing_groups.c). */
TtSharing tt_group_cores(TtArena *arena, const TtCoreTable *table, const int64_t *same,
                         int64_t num);
/* How many groups there are, each of which has one core that reads for it. */
int64_t tt_sharing_groups(const TtSharing *sharing);
/* How many hops a block goes within a group, at most. */
int64_t tt_sharing_hops(const TtSharing *sharing);
/* Each core for itself, as far as costs go. */
TtSharing tt_without_sharing(const TtCoreTable *table);
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
