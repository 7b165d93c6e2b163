/*===- unit_rectangle.c - the cores that the units of a grid fill row by row ------------------===
 *
 *   12 x 4 units, two a core, on 8 x 8 cores   = 4 rows of 6 cores
 *   16 x 4 units, one a core                   = 8 rows of 8, each row of units folded
 *   4 x 16 units, one a core                   = 8 rows of 4, and 8 rows beside them
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/unit_rectangle.h"

bool tt_unit_rectangle(const int64_t cells[3], int64_t each, TtTarget target, TtUnitRectangle *r) {
  if (each == 0 || cells[0] % each != 0) return false;
  int64_t across = cells[0] / each, rows = cells[1] * cells[2], fold = 1;
  while (across % fold != 0 || across / fold > target.grid_x)
    if (++fold > across) return false;
  rows *= fold;
  *r = (TtUnitRectangle){.across = across / fold, .each = each, .beside = 1};
  while (rows % r->beside != 0 || rows / r->beside > target.grid_y)
    if (++r->beside > rows) return false;
  r->down = rows / r->beside;
  return r->across * r->beside <= target.grid_x;
}
