/* Lowering of elementwise bodies to tile intrinsics. */
#ifndef TILEWRIGHT_ELEMENTWISE_H
#define TILEWRIGHT_ELEMENTWISE_H

#include "tilewright/kernel.h"

typedef struct TtElementwise {
  TtArena *arena;
  void *data;
  int64_t dst_tiles; /* that a section has */
  /* The circular buffer that holds a memref's block, or null. */
  MlirValue (*cb_of)(void *data, MlirValue memref);
  /* A new intermediate circular buffer. */
  MlirValue (*new_cb)(void *data, TtBuilder *b, MlirLocation loc, MlirType type);
} TtElementwise;

/* Replaces a linalg op (or memref.copy) whose maps are all the identity. False
 * after an error at the op that says what is in the way. */
bool tt_lower_elementwise(TtElementwise *e, MlirOperation op);

#endif
