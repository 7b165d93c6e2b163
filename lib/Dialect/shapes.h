/*===- shapes.h - tiles of tensors and of blocks ------------------------------------------===*/

#ifndef TILEWRIGHT_SHAPES_H
#define TILEWRIGHT_SHAPES_H

#include "Dialect/target.h"
#include "tilewright/ir.h"

/* The sizes of a tt.mm.mma in tiles: an r x k by a k x c block. `inner_b` is k as
 * b has it, which a verified op has the same as a. */
typedef struct TtProductShape {
  int64_t r, k, c, inner_b;
} TtProductShape;
TtProductShape tt_product_shape(MlirOperation mma);

/* Which tile of an operand an op of level 2 takes for tile (i, j) of its result. */
typedef enum TtAccess {
  TT_ACCESS_FULL, /* (i, j) */
  /* in the order of TtBcast */
  TT_ACCESS_ROWS,        /* (0, j), the first row of it for all rows */
  TT_ACCESS_COLS,        /* (i, 0), the first column of it for all columns */
  TT_ACCESS_SCALAR,      /* (0, 0), the first element of it for all */
  TT_ACCESS_TURNED,      /* (j, i), transposed */
  TT_ACCESS_REDUCED_ROW, /* (i, l) for all l */
  TT_ACCESS_REDUCED_COL, /* (l, j) for all l */
  TT_ACCESS_CONSTANT,    /* (0, 0), the same tile for all */
  TT_ACCESS_PART,        /* (row + i, col + j) */
  TT_ACCESS_INSET        /* (i - row, j - col), where there is one */
} TtAccess;
/* That of operand `i`, for ops that are no products. */
TtAccess tt_access(MlirOperation op, intptr_t i);
/* The broadcast that an access is; false where it is none. */
bool tt_access_bcast(TtAccess access, TtBcast *bcast);

enum { TT_MAX_RANK = 8 };
/* A tensor as its last two dimensions, one matrix for each step of the others. A vector is
 * one row, a scalar one element. Negative where dynamic. */
typedef struct TtMatrices {
  int64_t count, rows, cols;
} TtMatrices;
TtMatrices tt_matrices(MlirType memref);
/* The tiles that a tensor takes, each matrix padded to whole ones. */
int64_t tt_tensor_tiles(MlirType memref);
/* The number of tiles that a dimension of `elements` takes. */
int64_t tt_tiles(int64_t elements);

/* Whether `name` has the form of a dynamic dimension's name, "A_d0". */
bool tt_is_dim_name(MlirStringRef name);

#endif
