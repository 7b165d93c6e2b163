/*===- kernel.h - what a kernel does with its arguments -------------------------===
 *
 * Answers come from data flow: a tensor is an output because it is written.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_KERNEL_H
#define TILEWRIGHT_KERNEL_H

#include "tilewright/ir.h"
#include "tilewright/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One argument of a kernel (or, after D1, of a program). */
typedef struct TtArg {
  char *name; /* tt.name or argN */
  MlirValue value;
  MlirType type;
  bool is_tensor; /* a memref; else a scalar */
  bool read, written;
  int64_t depth; /* blocks in flight: tt.num_stages of the loop around, else 2 */
} TtArg;

typedef struct TtArgs {
  TtArg *data;
  intptr_t n;
} TtArgs;

enum { TT_DEFAULT_DEPTH = 2 };

/* All arguments of `func` in order. */
TtArgs tt_kernel_args(TtArena *arena, MlirOperation func);
/* The argument that `value` is, or is a view of; NULL where it is none. */
TtArg *tt_arg_of(TtArgs args, MlirValue value);
/* `value` through memref.subview, memref.cast and the like to what it views. */
MlirValue tt_view_root(MlirValue value);
/* tt.num_stages of the nearest loop around `op`, else 2. */
int64_t tt_stages_around(MlirOperation op);
/* Names of tensors that are written, in order; the first decides the grid. */
const TtArg *tt_first_output(TtArgs args);
/* Whether argument `tensor` of a kernel holds what the host gave it, in every call by a host
 * function, and nothing that a kernel has written: its padding is zero. */
bool tt_is_filled_by_host(TtArena *arena, MlirOperation func, MlirValue tensor);
/* Number of `ins` of a linalg op. */
intptr_t tt_linalg_num_inputs(MlirOperation op);
bool tt_is_linalg(MlirOperation op);
/* A linalg op that sums products, named or generic, and is one matrix product. */
bool tt_is_contraction(MlirOperation op);

/* The sizes of a tt.mm.mma in tiles: an r x k by a k x c block. `inner_b` is k as
 * b has it, which a verified op has the same as a. */
typedef struct TtProductShape {
  int64_t r, k, c, inner_b;
} TtProductShape;
TtProductShape tt_product_shape(MlirOperation mma);

/* Which tile of an operand an op of level 2 takes for tile (i, j) of its result. */
typedef enum TtAccess {
  TT_ACCESS_FULL,        /* (i, j) */
  TT_ACCESS_ROWS,        /* (0, j), the first row of it for all rows */
  TT_ACCESS_COLS,        /* (i, 0), the first column of it for all columns */
  TT_ACCESS_SCALAR,      /* (0, 0), the first element of it for all */
  TT_ACCESS_TURNED,      /* (j, i), transposed */
  TT_ACCESS_REDUCED_ROW, /* (i, l) for all l */
  TT_ACCESS_REDUCED_COL, /* (l, j) for all l */
  TT_ACCESS_CONSTANT     /* (0, 0), the same tile for all */
} TtAccess;
/* That of operand `i`, for ops that are no products. */
TtAccess tt_access(MlirOperation op, intptr_t i);
/* "rows", "cols" or "scalar". NULL for an access that is no broadcast. */
const char *tt_access_bcast(TtAccess access);

enum { TT_MAX_RANK = 8 };
/* A tensor as its last two dimensions, one matrix for each step of the others. A vector is
 * one row, a scalar one element. Negative where dynamic. */
typedef struct TtMatrices {
  int64_t count, rows, cols;
} TtMatrices;
TtMatrices tt_matrices(MlirType memref);
/* The tiles that a tensor takes, each matrix padded to whole ones. */
int64_t tt_tensor_tiles(MlirType memref);
/* An error at `op` where elements of a tensor of that type cannot be stored as `stored`. */
bool tt_check_stored_as(MlirOperation op, const char *tensor, MlirType memref, TtDType stored);

/* The number of tiles that a dimension of `elements` takes. */
int64_t tt_tiles(int64_t elements);

/* DST: true where tiles are 32 bits wide (design: f32 or i32 accumulation, a
 * compute operand stored in 32 bits, or tt.fp32_dest_acc). */
bool tt_dst_is_32bit(MlirOperation func_or_program);
int64_t tt_dst_capacity(MlirOperation func_or_program);

#ifdef __cplusplus
}
#endif
#endif
