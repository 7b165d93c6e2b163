/*===- core_boxes.c - cores that are no rectangle, as two ---------------------------------------===
 *
 *   44 cores, by rows of 8      x x x x x x x x          33 cores       x x x x x x x x
 *   = 8 x 5 and 4 x 1           …                        = 1 x 5        …
 *                               x x x x x x x x            and 7 x 4    x x x x x x x x
 *                               x x x x                                 x
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/core_boxes.h"

#include "Target/chips.h"

int64_t tt_box_cores(const TtCoreBox *box) {
  return (box->last.x - box->first.x + 1) * (box->last.y - box->first.y + 1);
}

static void grow(TtCoreBox *box, TtCore core) {
  if (core.x < box->first.x) box->first.x = core.x;
  if (core.y < box->first.y) box->first.y = core.y;
  if (core.x > box->last.x) box->last.x = core.x;
  if (core.y > box->last.y) box->last.y = core.y;
}

/* Whether the cores before `cut->from` are a rectangle, and the others as well. */
static bool are_boxes(const TtCore *cores, int64_t n, TtCoreCut *cut) {
  int64_t in[2] = {0, 0};
  for (int64_t c = 0; c < n; ++c) {
    int part = (cut->columns ? cores[c].x : cores[c].y) >= cut->from;
    if (in[part]++ == 0) cut->boxes[part] = (TtCoreBox){cores[c], cores[c]};
    grow(&cut->boxes[part], cores[c]);
  }
  for (int i = 0; i < 2; ++i)
    if (in[i] < 2 || in[i] != tt_box_cores(&cut->boxes[i])) return false;
  return true;
}

bool tt_cut_cores(const TtCore *cores, int64_t n, TtCoreCut *cut) {
  for (int columns = 0; columns < 2; ++columns)
    for (int64_t from = 1; from < TT_MAX_SIDE; ++from) {
      *cut = (TtCoreCut){.columns = columns, .from = from};
      if (are_boxes(cores, n, cut)) return true;
    }
  return false;
}
