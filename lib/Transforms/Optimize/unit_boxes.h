/* Boxes of cores for lines of units, where one rectangle has no room for all (unit_boxes.c). */
#ifndef TILEWRIGHT_UNIT_BOXES_H
#define TILEWRIGHT_UNIT_BOXES_H

#include "Analysis/core_args.h"
#include "Dialect/target.h"

/* `boxes` of `width` x `height` cores each, `across` of them beside each other, from `first` on. */
typedef struct TtUnitArea {
  TtCore first;
  int64_t width, height, across, boxes;
} TtUnitArea;

/* Lines of `cores` cores: each is a box of one area, or, `halves`, a box of each area. */
typedef struct TtUnitBoxes {
  TtUnitArea areas[2];
  int64_t lines, cores;
  bool halves;
} TtUnitBoxes;

/* Finds room for so many lines of so many cores among those of the target: the fewest boxes, and of
 * these the squarest. False where there is none. */
bool tt_find_unit_boxes(int64_t lines, int64_t cores, TtTarget target, TtUnitBoxes *boxes);
/* The core with the i-th place of a line. */
TtCore tt_core_of_line(const TtUnitBoxes *boxes, int64_t line, int64_t i);

#endif
