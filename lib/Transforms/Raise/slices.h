/* Views without some of the dimensions of a memref (slices.c). */
#ifndef TILEWRIGHT_SLICES_H
#define TILEWRIGHT_SLICES_H

#include "Analysis/kernel.h"

/* What to take of a dimension: all of it (`all`), or one step, at `at` (a null value: at 0), of
 * which nothing is left in the view. */
typedef struct TtTake {
  bool all;
  MlirValue at;
} TtTake;

/* memref.subview with those offsets (null values: 0) and sizes; `keeps` says which dimensions the
 * view has. */
MlirValue tt_subview(TtBuilder *b, MlirLocation loc, MlirValue memref, const MlirValue *at,
                     const int64_t *sizes, const bool *keeps);
/* The same, of elements that are `steps` apart; 1 where `steps` is null. */
MlirValue tt_strided_subview(TtBuilder *b, MlirLocation loc, MlirValue memref, const MlirValue *at,
                             const int64_t *sizes, const int64_t *steps, const bool *keeps);
/* The same, where dimensions of open size (INT64_MIN) have the `given` one, unless that is null. */
MlirValue tt_open_subview(TtBuilder *b, MlirLocation loc, MlirValue memref, const MlirValue *at,
                          const int64_t *sizes, const MlirValue *given, const bool *keeps);
/* Whether it is a tensor, or a part of one: memref.subview, perhaps of another one. */
bool tt_is_part_of_tensor(MlirValue memref);
/* Whether a view of a core's buffer takes all of dimension `d`, whose size is open. */
bool tt_takes_open_side(MlirOperation view, intptr_t d);
/* The size of dimension `d`, which is not constant. */
MlirValue tt_dynamic_size(TtBuilder *b, MlirLocation loc, MlirValue memref, intptr_t d);
/* memref.subview of `memref`, with a TtTake for each of its dimensions. */
MlirValue tt_slice(TtBuilder *b, MlirLocation loc, MlirValue memref, const TtTake *takes);
/* Buffers of more than two dimensions lose those of one element (squeeze.c); views of them do not
 * notice. */
void tt_squeeze_buffers(TtArena *arena, MlirOperation kernel);
/* Buffers of three dimensions of which views take steps of the middle one are held with these
 * outside (turn_buffers.c). */
void tt_turn_buffers(TtArena *arena, MlirOperation kernel);
/* Makes steps of transposed memrefs steps of the memrefs, where they can be (turn_buffers.c). */
void tt_fold_steps(TtArena *arena, MlirOperation kernel);
/* Makes buffers of more than two dimensions, of which ops take steps, buffers of two
 * (split_buffers.c). */
void tt_split_buffers(TtArena *arena, MlirOperation kernel);
/* The most steps that stand one after the other, and have buffers of their own. */
enum { TT_MAX_UNROLLED = 64 };
/* Takes blocks of open size of collapsed tensors from the tensors (open_views.c). */
void tt_open_views(TtArena *arena, MlirOperation kernel);
/* Takes blocks of several whole steps of dimensions that are collapsed from the tensors
 * (open_views.c). */
void tt_take_whole_steps(TtArena *arena, MlirOperation kernel);
/* Says sizes of views, memref.dim, by those of what they view (view_dims.c). */
void tt_name_view_dims(TtArena *arena, MlirOperation kernel);
/* Makes views that only add or drop dimensions of one element, and views of groups of dimensions,
 * memref.subviews of what they view. */
void tt_fold_reshapes(TtArena *arena, MlirOperation kernel);

#endif
