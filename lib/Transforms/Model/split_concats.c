/*===- split_concats.c - --tt-split-concats --------------------------------------------------===
 *
 * Elementwise ops on tensors that are put together from parts work on the parts, and parts of
 * tensors that are only moved are taken before the move: rotary embeddings, gates that come as
 * halves of one product, and caches that grow need no tensor that only holds others.
 *
 *   before  %c = tensor.insert_slice %b into (tensor.insert_slice %a into %e [0, 0]) [0, 32]
 *           %y = linalg.generic ins(%c, %x) { addf }
 *   after   %x0 = tensor.extract_slice %x [0, 0]   %x1 = tensor.extract_slice %x [0, 32]
 *           %y0 = linalg.generic ins(%a, %x0) { addf }   %y1 = linalg.generic ins(%b, %x1) { addf }
 *           %y = tensor.insert_slice %y1 into (tensor.insert_slice %y0 into %e [0, 0]) [0, 32]
 *
 * Parts follow each other along one dimension, and fill it.
 *
 * Requires --tt-drop-unit-dims.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

#include "mlir-c/AffineExpr.h"

/*===- Concatenations ------------------------------------------------------------------------===*/

enum { MAX_PARTS = 16 };

typedef struct Concat {
  intptr_t dim, n;
  MlirValue parts[MAX_PARTS]; /* in their order */
  int64_t at[MAX_PARTS], size[MAX_PARTS];
} Concat;

/* The dimension along which `slice` is a part of its whole; -1 where it is one along none, or
 * along several, or where numbers are not constant. */
static intptr_t part_dim(const TtSlice *slice) {
  MlirType type = mlirValueGetType(slice->whole);
  intptr_t dim = -1;
  for (intptr_t d = 0; d < slice->rank; ++d) {
    if (!tt_is_null_value(slice->offset[d].value) || !tt_is_null_value(slice->size[d].value))
      return -1;
    if (slice->offset[d].number == 0 && slice->size[d].number == mlirShapedTypeGetDimSize(type, d))
      continue;
    if (dim >= 0) return -1;
    dim = d;
  }
  return dim;
}

static void add_part(Concat *c, const TtSlice *slice) {
  intptr_t i = c->n++;
  int64_t at = slice->offset[c->dim].number;
  for (; i > 0 && c->at[i - 1] > at; --i) {
    c->parts[i] = c->parts[i - 1];
    c->at[i] = c->at[i - 1];
    c->size[i] = c->size[i - 1];
  }
  c->parts[i] = slice->part;
  c->at[i] = at;
  c->size[i] = slice->size[c->dim].number;
}

/* Whether `value` is put together from parts. */
static bool read_concat(MlirValue value, Concat *c) {
  *c = (Concat){.dim = -1};
  MlirType type = mlirValueGetType(value);
  for (MlirOperation op = tt_defining_op(value); tt_op_is(op, "tensor.insert_slice");
       op = tt_defining_op(mlirOperationGetOperand(op, 1))) {
    TtSlice slice;
    if (c->n == MAX_PARTS || !tt_slice_read(op, &slice)) return false;
    intptr_t dim = part_dim(&slice);
    bool same_rank = mlirShapedTypeGetRank(mlirValueGetType(slice.part)) == slice.rank;
    if (dim < 0 || (c->dim >= 0 && c->dim != dim) || !same_rank) return false;
    c->dim = dim;
    add_part(c, &slice);
  }
  int64_t next = 0;
  for (intptr_t i = 0; i < c->n; next += c->size[i++])
    if (c->at[i] != next) return false;
  return c->n > 0 && next == mlirShapedTypeGetDimSize(type, c->dim);
}

/*===- Slices ------------------------------------------------------------------------------===*/

static MlirType with_size(MlirType type, intptr_t dim, int64_t size) {
  int64_t shape[TT_SLICE_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; ++d)
    shape[d] = d == dim ? size : mlirShapedTypeGetDimSize(type, d);
  return mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

static TtSlice range_of(MlirValue whole, intptr_t dim, int64_t at, int64_t size) {
  MlirType type = mlirValueGetType(whole);
  TtSlice slice = {.whole = whole, .rank = mlirShapedTypeGetRank(type)};
  for (intptr_t d = 0; d < slice.rank; ++d)
    slice.size[d].number = d == dim ? size : mlirShapedTypeGetDimSize(type, d);
  slice.offset[dim].number = at;
  return slice;
}

static MlirValue extract(TtBuilder *b, MlirLocation loc, MlirValue whole, intptr_t dim, int64_t at,
                         int64_t size) {
  TtSlice slice = range_of(whole, dim, at, size);
  return tt_slice_create(b, loc, "tensor.extract_slice", &slice,
                         with_size(mlirValueGetType(whole), dim, size));
}

/*===- Elementwise ops ----------------------------------------------------------------------===*/

static bool is_map(MlirOperation op) {
  if (!tt_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) != 1) return false;
  intptr_t inputs = tt_linalg_num_inputs(op);
  for (intptr_t i = 0; i < inputs; ++i)
    if (!mlirAffineMapIsProjectedPermutation(tt_indexing_map(op, i))) return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  return mlirAffineMapIsPermutation(tt_indexing_map(op, inputs)) &&
         mlirShapedTypeHasStaticShape(type) && mlirShapedTypeGetRank(type) <= TT_SLICE_RANK &&
         !tt_has_uses(mlirBlockGetArgument(tt_body(op), inputs));
}

static bool only_moves(MlirOperation map) {
  return tt_op_is(mlirBlockGetFirstOperation(tt_body(map)), "linalg.yield");
}

/* The dimension of operand `i` that loop `loop` goes over, or -1. */
static intptr_t dim_of_loop(MlirOperation op, intptr_t i, int64_t loop) {
  MlirAffineMap map = tt_indexing_map(op, i);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (tt_map_loop(map, r) == loop) return r;
  return -1;
}

/* A copy of elementwise op `op` on [at, at + size) of loop `loop`. `part` is what operand `whole`
 * has there, where it is known. */
static MlirValue on_range(TtBuilder *b, MlirOperation op, int64_t loop, int64_t at, int64_t size,
                          intptr_t whole, MlirValue part) {
  MlirLocation loc = mlirOperationGetLocation(op);
  intptr_t inputs = tt_linalg_num_inputs(op);
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < inputs; ++i) {
    intptr_t dim = dim_of_loop(op, i, loop);
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (dim < 0) continue;
    mlirOperationSetOperand(copy, i, i == whole ? part : extract(b, loc, operand, dim, at, size));
  }
  MlirType type = with_size(mlirValueGetType(mlirOperationGetResult(op, 0)),
                            dim_of_loop(op, inputs, loop), size);
  mlirOperationSetOperand(copy, inputs, tt_empty(b, loc, type));
  mlirValueSetType(mlirOperationGetResult(copy, 0), type);
  TtBuilder at_op = *b;
  MlirOperation index = mlirBlockGetFirstOperation(tt_body(copy));
  for (; !mlirOperationIsNull(index); index = tt_next(index)) {
    if (!tt_op_is(index, "linalg.index") || tt_int(tt_op_attr(index, "dim")) != loop || at == 0)
      continue;
    TtBuilder in = tt_builder_after(index);
    MlirValue moved = tt_add(&in, loc, mlirOperationGetResult(index, 0), tt_index(&in, loc, at));
    MlirOperation sum = tt_defining_op(moved);
    mlirValueReplaceAllUsesExcept(mlirOperationGetResult(index, 0), moved, 1, &sum);
    index = sum;
  }
  return mlirOperationGetResult(tt_builder_insert(&at_op, copy), 0);
}

static bool split_map(MlirOperation op, intptr_t operand) {
  Concat c;
  if (!read_concat(mlirOperationGetOperand(op, operand), &c)) return false;
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(op);
  int64_t loop = tt_map_loop(tt_indexing_map(op, operand), c.dim);
  intptr_t dim = dim_of_loop(op, tt_linalg_num_inputs(op), loop);
  MlirValue whole = tt_empty(&b, loc, mlirValueGetType(mlirOperationGetResult(op, 0)));
  for (intptr_t i = 0; i < c.n; ++i) {
    MlirValue part = on_range(&b, op, loop, c.at[i], c.size[i], operand, c.parts[i]);
    TtSlice slice = range_of(whole, dim, c.at[i], c.size[i]);
    slice.part = part;
    whole = tt_slice_create(&b, loc, "tensor.insert_slice", &slice, mlirValueGetType(whole));
  }
  tt_replace(op, whole);
  return true;
}

/* Whether nobody needs all of `value`, but parts along `dim`. */
static bool is_taken_in_parts(MlirValue value, intptr_t dim) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    TtSlice slice;
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tt_is_extraction(user) || !tt_slice_read(user, &slice) || part_dim(&slice) != dim)
      return false;
  }
  return true;
}

/* A slice of what an op only moves, or is only needed in parts, is taken before it; a slice of
 * parts is a part. */
static bool slice_before(MlirOperation op) {
  TtSlice slice;
  if (!tt_slice_read(op, &slice)) return false;
  MlirOperation source = tt_defining_op(slice.whole);
  intptr_t dim = part_dim(&slice);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (dim < 0 || mlirShapedTypeGetRank(type) != slice.rank) return false;
  Concat c;
  if (read_concat(slice.whole, &c) && c.dim == dim)
    for (intptr_t i = 0; i < c.n; ++i)
      if (c.at[i] == slice.offset[dim].number && c.size[i] == slice.size[dim].number) {
        tt_replace(op, c.parts[i]);
        return true;
      }
  if (mlirOperationIsNull(source) || !is_map(source) ||
      !(only_moves(source) || is_taken_in_parts(slice.whole, dim)))
    return false;
  TtBuilder b = tt_builder_before(op);
  int64_t loop = tt_map_loop(tt_indexing_map(source, tt_linalg_num_inputs(source)), dim);
  tt_replace(op, on_range(&b, source, loop, slice.offset[dim].number, slice.size[dim].number, -1,
                          (MlirValue){NULL}));
  return true;
}

static bool split(TtArena *arena, MlirOperation func) {
  for (bool changed = true; changed;) {
    changed = false;
    TtOps ops = tt_collect(arena, func, NULL);
    for (intptr_t i = 0; i < ops.n && !changed; ++i) {
      MlirOperation op = ops.data[i];
      if (tt_is_extraction(op)) changed = slice_before(op);
      else if (is_map(op) && !only_moves(op))
        for (intptr_t j = 0; !changed && j < tt_linalg_num_inputs(op); ++j)
          changed = split_map(op, j);
    }
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_split_concats(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, split);
}
