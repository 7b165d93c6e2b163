/* The rectangle of cores that the units of a grid fill row by row (unit_rectangle.c). */
#ifndef TILEWRIGHT_UNIT_RECTANGLE_H
#define TILEWRIGHT_UNIT_RECTANGLE_H

#include "Dialect/target.h"

/* `beside` rectangles of `down` rows of `across` cores, with `each` units. */
typedef struct TtUnitRectangle {
  int64_t across, down, beside, each;
} TtUnitRectangle;

/* Of a grid of `cells` units along x, y and z, of which a core has `each`, one after the other
 * along x. A row that is longer than one of cores is folded; rows that are too many stand beside
 * the first. False where they do not divide so. */
bool tt_unit_rectangle(const int64_t cells[3], int64_t each, TtTarget target, TtUnitRectangle *r);

#endif
