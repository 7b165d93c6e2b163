/* Blocks of tensors: what a subview of an argument covers. */
#ifndef TILEWRIGHT_BLOCK_H
#define TILEWRIGHT_BLOCK_H

#include "tilewright/kernel.h"

/* `value` as a block of a tensor argument: its offsets, in elements, as index
 * values made at `b`. False, after an error at `user`, where it is none that a
 * circular buffer can carry. */
bool tt_block_offsets(TtBuilder *b, MlirOperation user, MlirValue value, MlirValue offsets[2]);
/* The circular buffer type of a memref's elements, a whole number of tiles. */
bool tt_cb_type_of(MlirOperation user, MlirType memref, MlirType element, MlirType *cb);
/* A copy: memref.copy or linalg.copy of one buffer to one. */
bool tt_is_copy(MlirOperation op);

#endif
