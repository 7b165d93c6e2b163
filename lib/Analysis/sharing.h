/* Which cores read the same blocks of a tensor at the same steps. */
#ifndef TILEWRIGHT_SHARING_H
#define TILEWRIGHT_SHARING_H

#include "Analysis/core_args.h"

/* The cores of a program, in groups that read the same: rectangles, all of one size. */
typedef struct TtSharing {
  const char *reason;    /* why there are no such groups; NULL where there are */
  int64_t width, height; /* of a group; at least one of them is more than 1 */
  const TtCore *cores;
  const TtCore *first; /* for each core, the least of its group */
  int64_t n;
} TtSharing;

/* Groups the cores on which `read`, a tt.read_to_cb in a kernel of `program`, runs. They are
 * found from the offsets as affine expressions of loops and of the cores' arguments. */
TtSharing tt_find_sharing(TtArena *arena, MlirOperation program, MlirOperation read);

#endif
