/* Boxes of tensors that are no whole tiles of one matrix, and are assembled of elements (box.c). */
#ifndef TILEWRIGHT_BOX_H
#define TILEWRIGHT_BOX_H

#include "Dialect/op_info.h"
#include "Dialect/shapes.h"
#include "tilewright/ir.h"

typedef struct TtBox {
  intptr_t rank;
  int64_t size[TT_MAX_RANK];                    /* elements along each dimension of the tensor */
  int64_t stride[TT_MAX_RANK];                  /* how far apart they are in the tensor */
  int64_t rows[TT_MAX_RANK], cols[TT_MAX_RANK]; /* how far down and right a step along it goes */
  int64_t row_tiles, col_tiles; /* tiles of a matrix that it may lie in, down and across */
  intptr_t outer;   /* where `row_tiles` is 1: the last outer dimension with steps, or -1 */
  int64_t together; /* rows of tiles, or steps of `outer`, that are brought at once */
} TtBox;

/* On a read of a box in a tensor that the kernel writes: of its tiles, only its rows are read.
 * Other cells may write the others at the same time. */
#define TT_ROWS_ALONE "tt.rows_alone"
/* On a read of a row of a face: the page that it goes to was filled before, all of it. */
#define TT_PAGE_FILLED "tt.page_filled"
/* The box of a tt.read_to_cb or tt.write_from_cb; false where it moves whole tiles. */
bool tt_box_of(MlirOperation move, TtBox *box);
/* The tiles of the tensor that are in L1 at once while it is read. */
int64_t tt_box_scratch(const TtBox *box);
/* Whether all of its tiles are in L1 at once. */
bool tt_box_is_whole(const TtBox *box);
/* Whether the elements of a write can go to the tensor as they are, in runs that the NoC writes:
 * multiples of its alignment, at such places. `bytes` is the size of an element. */
bool tt_box_has_runs(TtArena *arena, MlirOperation write, const TtBox *box, int64_t bytes);
/* Elements that such runs are multiples of. */
int64_t tt_box_unit(MlirOperation op, int64_t bytes);

#endif
