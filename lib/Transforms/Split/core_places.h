/* The units of cores that are not numbered row by row (core_places.c). */
#ifndef TILEWRIGHT_CORE_PLACES_H
#define TILEWRIGHT_CORE_PLACES_H

#include "Dialect/target.h"
#include "tilewright/ir.h"

/* The first unit and the number of units of the core in column `x` and row `y`, as `partition`, a
 * list of tt.work, says; `all_named`: it names all cores of the program, and else the others have
 * no units; `local`: a core numbers its own. */
void tt_follow_places(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y,
                      MlirAttribute partition, bool all_named, bool local, MlirValue *start,
                      MlirValue *count);
/* The same where cores are numbered box by box, each row by row (core_boxes.c); false where they
 * are not. */
bool tt_follow_boxes(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y,
                     MlirAttribute partition, MlirValue *start, MlirValue *count);

#endif
