/* Parts of a core's buffer that are no whole tiles (select_lines.c, select_windows.c). */
#ifndef TILEWRIGHT_SELECT_LINES_H
#define TILEWRIGHT_SELECT_LINES_H

#include "Analysis/kernel.h"

/* A copy between a line of a buffer and a whole one. */
typedef struct TtLine {
  MlirOperation copy, view;
  MlirValue buffer, own; /* all of it; what has the shape of the line */
  MlirType element;
  intptr_t rank, dim; /* of the buffer; that of which the line has one element */
  intptr_t other;     /* of a single element the other one; else -1 */
  bool keeps[TT_MAX_RANK], writes;
} TtLine;

/* Whether `copy` is one between a part of a buffer and a whole one; fills in all but `dim` and
 * `other`. */
bool tt_is_part_of_buffer(MlirOperation copy, TtLine *l);
/* Has the buffer hold zeros where nothing fills it before the copy writes a part of it. */
void tt_fill_at_first(const TtLine *l);
/* A buffer of that shape, in the space that the other side of the copy has; a copy. */
MlirValue tt_alloc_between(TtBuilder *b, const TtLine *l, intptr_t rank, const int64_t *shape);
void tt_copy_part(TtBuilder *b, const TtLine *l, MlirValue from, MlirValue to);
/* Makes copies of parts that are less than all along two dimensions copies of parts along one
 * each, but those that --tt-select-lines or the tiles take as they are. */
void tt_split_windows(TtArena *arena, MlirOperation kernel);

#endif
