/*===- view.c - what a view of a tensor argument covers ----------------------------------------===
 *
 *   memref.subview %Q[%b, %m, %h, 0] [1, 64, 1, 40]       : rows are dimension 1, columns
 *   : memref<2x128x8x40xbf16> to memref<64x40xbf16, …>      dimension 3
 *
 * A view is a box of the tensor: so many elements of each dimension, from an offset on. Each
 * dimension of the view runs over some of the tensor's, of which the last one moves fastest:
 * several, where they were collapsed, none, where one of one element was added.
 *
 * Where rows and columns are the last two dimensions, and the box begins and ends with tiles, the
 * block is the tiles themselves. Any other box is assembled, element by element (`boxed`).
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_expr.h"
#include "Analysis/kept_dims.h"
#include "Analysis/shards.h"
#include "Dialect/verify.h"
#include "Transforms/Tile/block.h"
#include "Transforms/Tile/partial.h"

/* The dimensions of the tensor that a dimension of a view runs over, the slowest first. */
typedef struct Side {
  intptr_t n, dims[TT_MAX_RANK];
} Side;

typedef struct View {
  MlirOperation user;
  TtBuilder *b;
  TtBlock *block;
  intptr_t rank;
  Side sides[TT_MAX_RANK];
} View;

static bool refuse(const View *v, MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return tt_error(v->user,
                  "moves a block that is viewed through %.*s, so that it is no box of the tensor; "
                  "use memref.subview",
                  (int)name.length, name.data);
}

/*===- Subviews -------------------------------------------------------------------------------===*/

/* A part of a dimension of the view, which is one of the tensor's, or all of it. */
static bool narrow_side(View *v, intptr_t i, MlirValue start, int64_t size, int64_t stride) {
  MlirLocation loc = mlirOperationGetLocation(v->user);
  const Side *side = &v->sides[i];
  int64_t at, all = 1;
  if (side->n == 1) {
    intptr_t d = side->dims[0];
    MlirValue by = tt_index(v->b, loc, v->block->strides[d]);
    v->block->offsets[d] = tt_add(v->b, loc, v->block->offsets[d], tt_mul(v->b, loc, start, by));
    v->block->sizes[d] = size == INT64_MIN ? -1 : size;
    v->block->strides[d] *= stride;
    return true;
  }
  for (intptr_t k = 0; k < side->n; ++k) all *= v->block->sizes[side->dims[k]];
  if (tt_constant(start, &at) && at == 0 && size == all && stride == 1) return true;
  return tt_error(v->user,
                  "moves a part of dimensions that are collapsed into one; take the part of each "
                  "of them before");
}

/* Narrows a block to one memref.subview of it. */
static bool narrow(View *v, MlirOperation subview) {
  MlirLocation loc = mlirOperationGetLocation(v->user);
  MlirAttribute starts = tt_op_attr(subview, "static_offsets"),
                sizes = tt_op_attr(subview, "static_sizes"),
                steps = tt_op_attr(subview, "static_strides");
  intptr_t operand = 1, kept = 0; /* the dynamic offsets follow the source */
  bool keeps[TT_MAX_RANK];
  if (!tt_subview_keeps(subview, keeps)) return refuse(v, subview);
  for (intptr_t i = 0; i < v->rank; ++i) {
    int64_t stride = mlirDenseI64ArrayGetElement(steps, i);
    if (stride < 1 || stride > INT32_MAX)
      return tt_error(v->user,
                      "moves a block whose stride in dimension %jd is no positive constant",
                      (intmax_t)i);
    int64_t start = mlirDenseI64ArrayGetElement(starts, i);
    MlirValue value = start == INT64_MIN ? mlirOperationGetOperand(subview, operand++)
                                         : tt_index(v->b, loc, start);
    if (!narrow_side(v, i, value, mlirDenseI64ArrayGetElement(sizes, i), stride)) return false;
  }
  for (intptr_t i = 0; i < v->rank; ++i)
    if (keeps[i]) v->sides[kept++] = v->sides[i];
  v->rank = kept;
  return true;
}

/*===- Other views ----------------------------------------------------------------------------===*/

static void collapse(View *v, MlirAttribute groups) {
  Side old[TT_MAX_RANK];
  for (intptr_t i = 0; i < v->rank; ++i) old[i] = v->sides[i];
  v->rank = mlirArrayAttrGetNumElements(groups);
  for (intptr_t g = 0; g < v->rank; ++g) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    Side side = {0};
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i) {
      const Side *from = &old[tt_int(mlirArrayAttrGetElement(group, i))];
      for (intptr_t k = 0; k < from->n; ++k)
        if (v->block->sizes[from->dims[k]] != 1) side.dims[side.n++] = from->dims[k];
    }
    v->sides[g] = side;
  }
}

/* Gives the dimensions of a side to those that it is expanded to; false where one is cut. */
static bool expand(View *v, MlirOperation op) {
  MlirAttribute groups = tt_op_attr(op, "reassociation");
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  Side old[TT_MAX_RANK];
  for (intptr_t i = 0; i < v->rank; ++i) old[i] = v->sides[i];
  if (mlirShapedTypeGetRank(type) > TT_MAX_RANK) return false;
  v->rank = mlirShapedTypeGetRank(type);
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    intptr_t k = 0;
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i) {
      intptr_t d = (intptr_t)tt_int(mlirArrayAttrGetElement(group, i));
      int64_t size = mlirShapedTypeGetDimSize(type, d), taken = 1;
      Side side = {0};
      for (; k < old[g].n && taken != size && taken > 0; ++k)
        if (v->block->sizes[old[g].dims[k]] != 1) {
          taken *= v->block->sizes[old[g].dims[k]];
          side.dims[side.n++] = old[g].dims[k];
        }
      if (taken != size && !(taken < 0 && side.n == 1)) return false;
      v->sides[d] = side;
    }
  }
  return true;
}

static bool turn(View *v, MlirOperation transpose) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(transpose, "permutation"));
  Side old[TT_MAX_RANK];
  for (intptr_t i = 0; i < v->rank; ++i) old[i] = v->sides[i];
  for (intptr_t i = 0; i < v->rank; ++i)
    v->sides[i] = old[mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, i))];
  return true;
}

static bool view_of(View *v, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  TtBlock *block = v->block;
  if (mlirOperationIsNull(op)) { /* the tensor itself */
    MlirType type = mlirValueGetType(value);
    block->rank = v->rank = mlirShapedTypeGetRank(type);
    if (block->rank > TT_MAX_RANK)
      return tt_error(v->user, "moves a block of a tensor of %jd dimensions; there are at most %d",
                      (intmax_t)block->rank, TT_MAX_RANK);
    for (intptr_t d = 0; d < block->rank; ++d) {
      v->sides[d] = (Side){1, {d}};
      block->strides[d] = 1;
      block->offsets[d] = tt_index(v->b, mlirOperationGetLocation(v->user), 0);
      block->sizes[d] =
          mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
    }
    return true;
  }
  if (!view_of(v, mlirOperationGetOperand(op, 0))) return false;
  if (tt_op_is(op, "memref.subview")) return narrow(v, op);
  if (tt_op_is(op, "memref.cast") || tt_op_is(op, "memref.memory_space_cast")) return true;
  if (tt_op_is(op, "memref.transpose")) return turn(v, op);
  if (tt_op_is(op, "memref.collapse_shape"))
    return collapse(v, tt_op_attr(op, "reassociation")), true;
  return (tt_op_is(op, "memref.expand_shape") && expand(v, op)) || refuse(v, op);
}

/*===- Blocks ---------------------------------------------------------------------------------===*/

/* Whether a block begins and ends where tiles do, or the tensor. */
static bool is_whole_tiles(TtArena *arena, const View *v, MlirType tensor, intptr_t d,
                           bool partial) {
  const TtBlock *block = v->block;
  int64_t offset, size = block->sizes[d];
  if (!tt_is_multiple(arena, v->b, block->offsets[d], TT_TILE)) return false;
  if (size % TT_TILE == 0) return true;
  if (mlirShapedTypeIsDynamicDim(tensor, d) || !tt_constant(block->offsets[d], &offset))
    return false;
  int64_t behind = offset + size - mlirShapedTypeGetDimSize(tensor, d);
  return partial ? behind >= 0 : behind == 0;
}

/* How far an element of the block is from the one before along each dimension of the tensor. */
static void find_steps(const View *v) {
  TtBlock *block = v->block;
  for (intptr_t d = 0; d < block->rank; ++d) block->rows[d] = block->cols[d] = 0;
  for (intptr_t i = 0; i < v->rank; ++i) {
    int64_t step = 1, *steps = i == v->rank - 1 ? block->cols : block->rows;
    for (intptr_t k = v->sides[i].n; k-- > 0; step *= block->sizes[v->sides[i].dims[k]])
      if (block->sizes[v->sides[i].dims[k]] != 1) steps[v->sides[i].dims[k]] = step;
  }
}

/* Whether the tiles of the tensor are those of the block. */
static bool is_tiles(TtArena *arena, const View *v, MlirType tensor, bool partial) {
  const TtBlock *block = v->block;
  for (intptr_t d = 0; d < block->rank; ++d) {
    intptr_t side = d - block->rank + 2; /* 0: rows, 1: columns */
    bool one = block->sizes[d] == 1;
    if (side < 0 ? !one : !is_whole_tiles(arena, v, tensor, d, partial)) return false;
    if (side >= 0 && !one && (side ? block->cols : block->rows)[d] != 1) return false;
  }
  /* What is one row or column of a larger matrix brings the others along; a vector does not mind.
   */
  return v->rank == (block->rank < 2 ? block->rank : 2);
}

bool tt_block_of(TtArena *arena, TtBuilder *b, MlirOperation user, MlirValue value,
                 TtBlock *block) {
  View view = {.user = user, .b = b, .block = block};
  if (!view_of(&view, value)) return false;
  MlirType tensor = mlirValueGetType(tt_view_root(value));
  if (view.rank > 2)
    return tt_error(user,
                    "moves a block of %jd dimensions; blocks have at most two, so take one "
                    "step of the others (a rank-reducing memref.subview)",
                    (intmax_t)view.rank);
  for (intptr_t d = 0; d < block->rank; ++d)
    if (block->sizes[d] < 0)
      return tt_error(user, "moves a block of dynamic size; make its size constant");
  for (intptr_t d = 0; d < block->rank; ++d)
    if (block->sizes[d] == 1) block->strides[d] = 1;
  find_steps(&view);
  block->boxed = block->sized || tt_is_strided(block) ||
                 tt_lies_in_rows(arena, tt_view_root(value)) ||
                 !is_tiles(arena, &view, tensor, tt_is_partial(value));
  return true;
}

bool tt_is_strided(const TtBlock *block) {
  for (intptr_t d = 0; d < block->rank; ++d)
    if (block->strides[d] != 1) return true;
  return false;
}

MlirAttribute tt_block_attr(const TtBlock *block, const int64_t *numbers) {
  if (!block->boxed) return mlirAttributeGetNull();
  MlirContext context = mlirTypeGetContext(mlirValueGetType(block->offsets[0]));
  return mlirDenseI64ArrayGet(context, block->rank, numbers);
}
