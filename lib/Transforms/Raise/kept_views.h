/* Blocks of results that a core keeps, and parts of them (kept_views.c). */
#ifndef TILEWRIGHT_KEPT_VIEWS_H
#define TILEWRIGHT_KEPT_VIEWS_H

#include "Analysis/kernel.h"

typedef struct TtKept {
  TtArena *arena;
  MlirBlock cell;
  MlirValue tensor, block; /* a view of the tensor that has all others in it, or itself */
  bool is_joint;           /* the view was made for this */
  TtOps users;             /* in their order */
} TtKept;

/* Whether two views are of the same place and size. */
bool tt_same_view(TtArena *arena, MlirValue x, MlirValue y);
/* Whether the operands of a view are there wherever the block of the cell goes on. */
bool tt_is_of_cell(const TtKept *k, MlirValue view);
/* Whether all uses, which are of `view`, stand in one loop of the cell, each step of which, and of
 * those around it, has a block of its own: the cell is then the step. */
bool tt_is_of_step(TtKept *k, MlirValue view);
/* Whether steps of a loop around `user` have parts of `view` that meet, and are not the same. */
bool tt_steps_overlap(const TtKept *k, MlirOperation user, MlirValue view);
/* Whether `view` lies in `block`: along each dimension it is as that is, or a part of all of it. */
bool tt_is_part_of_block(const TtKept *k, MlirValue block, MlirValue view);
/* Whether steps of the cell have views that begin at other columns, which no face of a tile does:
 * a read of one takes along what others write. */
bool tt_begins_at_any_column(const TtKept *k, MlirValue view);
/* What `view` is of the buffer that has the block, before `user`. */
MlirValue tt_part_of_block(const TtKept *k, MlirOperation user, MlirValue view, MlirValue buffer);
/* A view of all that those at `views` are of: along each dimension as they all are, or all of it.
 * Null where another cell may write to it as well. */
MlirValue tt_joint_view(const TtKept *k, const MlirValue *views, intptr_t n);

#endif
