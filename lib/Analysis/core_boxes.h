/* Cores as rectangles (core_boxes.c). */
#ifndef TILEWRIGHT_CORE_BOXES_H
#define TILEWRIGHT_CORE_BOXES_H

#include "Analysis/core_args.h"

/* A rectangle of cores; both corners are in it. */
typedef struct TtCoreBox {
  TtCore first, last;
} TtCoreBox;

/* Two rectangles side by side, or one above the other. */
typedef struct TtCoreCut {
  TtCoreBox boxes[2];
  bool columns; /* the second one begins at column `from`, or else at that row */
  int64_t from;
} TtCoreCut;

/* Cuts `n` cores, all of them different and at most TT_MAX_SIDE along a side, into two rectangles
 * of two cores or more. False where no one cut does. */
bool tt_cut_cores(const TtCore *cores, int64_t n, TtCoreCut *cut);
int64_t tt_box_cores(const TtCoreBox *box);

#endif
