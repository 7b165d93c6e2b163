/*===- raise_loops.c - --tt-raise-loops -----------------------------------------------------===
 *
 * Turns loops as other dialects write them into a grid and counted loops.
 *
 *   scf.parallel, affine.parallel, around all     scf.forall, the grid
 *   the same, and scf.forall, inside              scf.for: a core takes one step after the other
 *   affine.for, affine.if                         scf.for, scf.if
 *   affine.load, affine.store                     memref.load, memref.store
 *   scf.while (%i) { condition (%i < %n) } …     scf.for (while_loops.c)
 *   uses of %k / 2 and %k % 2 in elements         %k = %q * 2 + %r (split_quotients.c)
 *   for %k iter_args(%i = %a) { yield %i + %s }   %i = %a + %k's count * %s
 *
 * Requires nothing. Leaves what it cannot see through to the passes that refuse it.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/affine_loops.h"
#include "Transforms/Raise/carried.h"
#include "Transforms/Raise/elements.h"
#include "Transforms/Raise/while_loops.h"

enum { MAX_DIMS = 8 };

/* Bounds of a nest of loops, and the block that has its variables first. */
typedef struct Nest {
  MlirOperation op;
  intptr_t dims;
  MlirValue lower[MAX_DIMS], upper[MAX_DIMS], step[MAX_DIMS];
} Nest;

/*===- Small things -------------------------------------------------------------------------===*/

static void move_body(MlirBlock from, MlirOperation before) {
  MlirOperation end = mlirBlockGetTerminator(from);
  for (MlirOperation op = mlirBlockGetFirstOperation(from), next; !tt_op_eq(op, end); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, before);
  }
}

static MlirAffineMap map_attr(MlirOperation op, const char *name) {
  return mlirAffineMapAttrGetValue(tt_op_attr(op, name));
}

/*===- Bounds ---------------------------------------------------------------------------------===*/

static bool too_deep(MlirOperation op, intptr_t dims) {
  return tt_error(op, "a loop of %jd dimensions; there are at most %d", (intmax_t)dims, MAX_DIMS);
}

static bool bounds_of_parallel(MlirOperation op, Nest *nest) {
  if (mlirOperationGetNumResults(op) > 0)
    return tt_error(op, "a parallel loop that reduces to values; write the sum to a buffer in an "
                        "scf.for, or as linalg.reduce");
  nest->dims = mlirBlockGetNumArguments(tt_body(op));
  if (nest->dims > MAX_DIMS) return too_deep(op, nest->dims);
  for (intptr_t d = 0; d < nest->dims; ++d) {
    nest->lower[d] = mlirOperationGetOperand(op, d);
    nest->upper[d] = mlirOperationGetOperand(op, nest->dims + d);
    nest->step[d] = mlirOperationGetOperand(op, 2 * nest->dims + d);
  }
  return true;
}

/* Bounds of an affine.parallel are groups of results of which each is the greatest (least). */
static bool one_bound_each(MlirOperation op, const char *groups) {
  MlirAttribute sizes = tt_op_attr(op, groups);
  if (mlirAttributeIsNull(sizes)) return true;
  for (intptr_t i = 0; i < mlirElementsAttrGetNumElements(sizes); ++i)
    if (mlirDenseElementsAttrGetInt32Value(sizes, i) != 1) return false;
  return true;
}

static bool bounds_of_affine_parallel(MlirOperation op, Nest *nest) {
  TtBuilder b = tt_builder_before(op);
  MlirAffineMap lower = map_attr(op, "lowerBoundsMap"), upper = map_attr(op, "upperBoundsMap");
  MlirAttribute steps = tt_op_attr(op, "steps");
  if (mlirOperationGetNumResults(op) > 0)
    return tt_error(op, "a parallel loop that reduces to values; write the sum to a buffer in an "
                        "affine.for, or as linalg.reduce");
  nest->dims = mlirBlockGetNumArguments(tt_body(op));
  if (nest->dims > MAX_DIMS) return too_deep(op, nest->dims);
  if (!one_bound_each(op, "lowerBoundsGroups") || !one_bound_each(op, "upperBoundsGroups"))
    return tt_error(op, "a bound of this loop is a max or a min of several; compute it before, by "
                        "affine.max or affine.min");
  for (intptr_t d = 0; d < nest->dims; ++d) {
    nest->lower[d] = tt_apply_map(&b, op, lower, d, 0);
    nest->upper[d] = tt_apply_map(&b, op, upper, d, mlirAffineMapGetNumInputs(lower));
    nest->step[d] =
        tt_index(&b, mlirOperationGetLocation(op), tt_int(mlirArrayAttrGetElement(steps, d)));
  }
  return true;
}

/* Bound `d` of an scf.forall, whose dynamic ones are operands from `*operand` on. */
static MlirValue forall_bound(TtBuilder *b, MlirOperation op, const char *name, intptr_t d,
                              intptr_t *operand) {
  int64_t value = mlirDenseI64ArrayGetElement(tt_op_attr(op, name), d);
  return value == INT64_MIN ? mlirOperationGetOperand(op, (*operand)++)
                            : tt_index(b, mlirOperationGetLocation(op), value);
}

static bool bounds_of_forall(MlirOperation op, Nest *nest) {
  TtBuilder b = tt_builder_before(op);
  intptr_t operand = 0;
  nest->dims = mlirDenseArrayGetNumElements(tt_op_attr(op, "staticStep"));
  if (mlirOperationGetNumResults(op) > 0)
    return tt_error(op, "a loop that returns tensors; run bufferization first");
  if (nest->dims > MAX_DIMS) return too_deep(op, nest->dims);
  for (intptr_t d = 0; d < nest->dims; ++d)
    nest->lower[d] = forall_bound(&b, op, "staticLowerBound", d, &operand);
  for (intptr_t d = 0; d < nest->dims; ++d)
    nest->upper[d] = forall_bound(&b, op, "staticUpperBound", d, &operand);
  for (intptr_t d = 0; d < nest->dims; ++d)
    nest->step[d] = forall_bound(&b, op, "staticStep", d, &operand);
  return true;
}

/*===- Nests of loops ------------------------------------------------------------------------===*/

/* One scf.for in another: what a core does by itself has an order, any of which is right. */
static void make_counted(const Nest *nest) {
  TtBuilder b = tt_builder_before(nest->op);
  MlirLocation loc = mlirOperationGetLocation(nest->op);
  MlirBlock body = tt_body(nest->op);
  for (intptr_t d = 0; d < nest->dims; ++d) {
    MlirOperation loop = tt_for(&b, loc, nest->lower[d], nest->upper[d], nest->step[d], NULL);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, d), tt_for_iv(loop));
    b = tt_builder_at_terminator(tt_for_body(loop));
  }
  move_body(body, nest->dims ? b.before : nest->op);
  mlirOperationDestroy(nest->op);
}

/* The grid. What starts at a value starts at 0, and the value is added. */
static void make_grid(const Nest *nest) {
  TtBuilder b = tt_builder_before(nest->op);
  MlirContext context = b.context;
  MlirLocation loc = mlirOperationGetLocation(nest->op), locs[MAX_DIMS];
  MlirType index[MAX_DIMS];
  MlirValue start[MAX_DIMS];
  int64_t lower[MAX_DIMS], upper[MAX_DIMS], step[MAX_DIMS];
  int32_t segments[4] = {0, 0, 0, 0};
  TtOpState s = tt_op_state("scf.forall", loc);
  for (intptr_t d = 0; d < nest->dims; ++d) {
    start[d] = (MlirValue){NULL}, index[d] = mlirIndexTypeGet(context), locs[d] = loc;
    if (!tt_constant(nest->lower[d], &lower[d])) start[d] = nest->lower[d], lower[d] = 0;
    if (!tt_constant(nest->step[d], &step[d])) step[d] = INT64_MIN;
    MlirValue end = nest->upper[d];
    if (!tt_is_null_value(start[d])) end = tt_sub(&b, loc, end, start[d]);
    if (tt_constant(end, &upper[d])) continue;
    upper[d] = INT64_MIN;
    tt_op_state_operand(&s, end), ++segments[1];
  }
  for (intptr_t d = 0; d < nest->dims; ++d)
    if (step[d] == INT64_MIN) tt_op_state_operand(&s, nest->step[d]), ++segments[2];
  tt_op_state_attr(&s, context, "staticLowerBound",
                   mlirDenseI64ArrayGet(context, nest->dims, lower));
  tt_op_state_attr(&s, context, "staticUpperBound",
                   mlirDenseI64ArrayGet(context, nest->dims, upper));
  tt_op_state_attr(&s, context, "staticStep", mlirDenseI64ArrayGet(context, nest->dims, step));
  tt_op_state_attr(&s, context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments));
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(nest->dims, index, locs), old = tt_body(nest->op);
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  TtOpState end = tt_op_state("scf.forall.in_parallel", loc);
  tt_op_state_region(&end);
  mlirBlockAppendOwnedOperation(body, tt_op_state_finish(&end));
  tt_copy_attributes(nest->op, tt_builder_insert(&b, tt_op_state_finish(&s)));
  TtBuilder in = tt_builder_at_terminator(body);
  for (intptr_t d = 0; d < nest->dims; ++d) {
    MlirValue iv = mlirBlockGetArgument(body, d);
    if (!tt_is_null_value(start[d])) iv = tt_add(&in, loc, iv, start[d]);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(old, d), iv);
  }
  move_body(old, mlirBlockGetTerminator(body));
  mlirOperationDestroy(nest->op);
}

/*===- Grids over elements ----------------------------------------------------------------------===
 *
 *   scf.parallel (%i, %j) = … to (64, 100) { store load %A[%i, %j], %C[%i, %j] }
 * = scf.forall (%bi, %bj) = … step (32, 32) {
 *     scf.for %i = 0 to 32 { scf.for %j = 0 to min(32, 100 - %bj) { … %bi + %i, %bj + %j … } } }
 */

/* How far apart elements are that a cell goes over. */
enum { FAR = 8 };

/* Whether an index follows one variable only. */
static bool is_alone(TtArena *arena, MlirValue index) {
  MlirAffineMap map;
  const MlirValue *leaves;
  intptr_t n;
  return tt_index_map(arena, &index, 1, &map, &leaves, &n) && n == 1;
}

/* Whether an access goes over elements of a matrix, or a vector, with variable `iv`: one of its
 * last two indices follows it step by step. */
static bool follows(TtArena *arena, MlirOperation op, MlirValue iv) {
  intptr_t n = mlirOperationGetNumOperands(op), rank = n - 1 - tt_op_is(op, "memref.store");
  for (intptr_t d = rank > 2 ? rank - 2 : 0; d < rank; ++d) {
    int64_t factor;
    MlirValue index = mlirOperationGetOperand(op, n - rank + d);
    if (tt_index_factor(arena, index, iv, &factor) &&
        (factor == 1 || (factor > 1 && factor <= FAR && is_alone(arena, index))))
      return true;
  }
  return false;
}

/* Whether a parallel loop goes over elements with variable `iv`: stores say so, and loads where no
 * store moves with it. What is an outer dimension of the results stays one of the grid. */
static bool goes_over_elements(TtArena *arena, const TtOps *accesses, MlirValue iv) {
  bool stored = false, loaded = false;
  for (intptr_t i = 0; i < accesses->n; ++i) {
    MlirOperation op = accesses->data[i];
    if (!tt_op_is(op, "memref.store")) {
      loaded |= follows(arena, op, iv);
      continue;
    }
    if (follows(arena, op, iv)) return true;
    for (intptr_t d = 2; d < mlirOperationGetNumOperands(op); ++d) {
      int64_t factor;
      stored |= !tt_index_factor(arena, mlirOperationGetOperand(op, d), iv, &factor) || factor != 0;
    }
  }
  return loaded && !stored;
}

/* min(32, upper - start), as affine.min */
static MlirValue size_of_block(TtBuilder *b, MlirLocation loc, MlirValue upper, MlirValue start,
                               int64_t block) {
  int64_t end = 0;
  MlirContext context = b->context;
  bool constant = tt_constant(upper, &end);
  if (constant && end % block == 0) return tt_index(b, loc, block);
  MlirAffineExpr at = mlirAffineDimExprGet(context, 0),
                 minus = mlirAffineMulExprGet(at, mlirAffineConstantExprGet(context, -1));
  MlirAffineExpr whole = constant ? mlirAffineConstantExprGet(context, end)
                                  : mlirAffineDimExprGet(context, 1),
                 terms[2] = {mlirAffineConstantExprGet(context, block),
                             mlirAffineAddExprGet(minus, whole)};
  TtOpState s = tt_op_state("affine.min", loc);
  tt_op_state_attr(&s, context, "map",
                   mlirAffineMapAttrGet(mlirAffineMapGet(context, constant ? 1 : 2, 0, 2, terms)));
  tt_op_state_operand(&s, start);
  if (!constant) tt_op_state_operand(&s, upper);
  tt_op_state_result(&s, mlirIndexTypeGet(context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* The size of a tensor, or the argument, that `value` is; null where it is something else. */
static MlirValue size_named(TtArena *arena, MlirValue value) {
  MlirAffineMap map;
  const MlirValue *leaves;
  intptr_t n;
  if (!tt_index_map(arena, &value, 1, &map, &leaves, &n) || n != 1 ||
      !mlirAffineExprIsADim(mlirAffineMapGetResult(map, 0)))
    return (MlirValue){NULL};
  bool size =
      mlirValueIsABlockArgument(leaves[0]) || tt_op_is(tt_defining_op(leaves[0]), "memref.dim");
  return size ? leaves[0] : (MlirValue){NULL};
}

/* Whether numbers that loops carry, sums mostly, are stored to rows that `iv` numbers, but are made
 * of what lies elsewhere, as the sum over a dimension in the middle, or over the rows of a class.
 * One cell takes one row then: in a buffer for several they would lie in each other's tiles. */
static bool sums_for_rows(TtArena *arena, const Nest *nest, const TtOps *accesses, MlirValue iv) {
  TtOps loops = tt_collect(arena, nest->op, "scf.for");
  bool carries = false;
  for (intptr_t i = 0; i < loops.n; ++i) carries |= tt_carries_numbers(loops.data[i]);
  for (intptr_t i = 0; carries && i < accesses->n; ++i) {
    MlirOperation op = accesses->data[i];
    intptr_t n = mlirOperationGetNumOperands(op), rank = n - 1;
    int64_t factor;
    if (!tt_op_is(op, "memref.store")) {
      if (rank > 0 && follows(arena, op, iv)) return false;
    } else if (--rank < 2 ||
               !tt_index_factor(arena, mlirOperationGetOperand(op, n - 1), iv, &factor) ||
               factor != 0) {
      return false;
    }
  }
  return carries;
}

/* Whether dimension `d` of a loop from 0 on, one by one, goes over elements. */
static bool is_of_elements(TtArena *arena, const Nest *nest, const TtOps *accesses, intptr_t d) {
  int64_t lower, upper, step;
  MlirValue iv = mlirBlockGetArgument(tt_body(nest->op), d);
  return tt_constant(nest->lower[d], &lower) && lower == 0 &&
         (tt_constant(nest->upper[d], &upper) ||
          !tt_is_null_value(size_named(arena, nest->upper[d]))) &&
         tt_constant(nest->step[d], &step) && step == 1 &&
         goes_over_elements(arena, accesses, iv) && !sums_for_rows(arena, nest, accesses, iv);
}

/* Whether `alloc`, in a cell, is what a thread keeps numbers in: at most a vector, of constant
 * size, whose elements are loaded and stored one by one. */
static bool is_of_thread(MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  MlirType type = mlirValueGetType(buffer);
  if (!mlirShapedTypeHasStaticShape(type) || mlirShapedTypeGetRank(type) > 1) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool stores = tt_op_is(op, "memref.store") && mlirOpOperandGetOperandNumber(use) == 1;
    if (!stores && !tt_op_is(op, "memref.load") && !tt_op_is(op, "memref.dealloc")) return false;
  }
  return true;
}

/* Whether every access moves steadily with `iv`, so that a block of its steps may be one op. */
static bool moves_steadily(TtArena *arena, const TtOps *accesses, MlirValue iv) {
  int64_t factor;
  for (intptr_t i = 0; i < accesses->n; ++i)
    for (intptr_t d = 0; d < mlirOperationGetNumOperands(accesses->data[i]); ++d) {
      MlirValue index = mlirOperationGetOperand(accesses->data[i], d);
      if (mlirTypeIsAIndex(mlirValueGetType(index)) && !tt_index_factor(arena, index, iv, &factor))
        return false;
    }
  return true;
}

/* One buffer for all threads of a block, whose variables are `ivs`: before `outer`, which goes over
 * them, an element of it for each of them. */
static void widen(MlirOperation alloc, MlirOperation outer, const MlirValue *ivs,
                  const int64_t *blocks, intptr_t n) {
  enum { MOST = 3 };
  MlirValue old = mlirOperationGetResult(alloc, 0), operands[2 + MOST];
  MlirType type = mlirValueGetType(old);
  int64_t shape[MOST];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < n; ++d) shape[d] = blocks[d];
  for (intptr_t d = 0; d < rank; ++d) shape[n + d] = mlirShapedTypeGetDimSize(type, d);
  TtBuilder b = tt_builder_before(outer);
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(alloc));
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){0, 0}));
  tt_op_state_result(&s, mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), n + rank,
                                                     shape, mlirMemRefTypeGetMemorySpace(type)));
  MlirValue wide = mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
  for (MlirOpOperand use; !mlirOpOperandIsNull(use = mlirValueGetFirstUse(old));) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_is(op, "memref.dealloc")) {
      mlirOperationDestroy(op);
      continue;
    }
    intptr_t first = tt_op_is(op, "memref.store"), m = 0;
    if (first) operands[m++] = mlirOperationGetOperand(op, 0);
    operands[m++] = wide;
    for (intptr_t d = 0; d < n; ++d) operands[m++] = ivs[d];
    for (intptr_t d = 0; d < rank; ++d) operands[m++] = mlirOperationGetOperand(op, first + 1 + d);
    mlirOperationSetOperands(op, m, operands);
  }
  mlirOperationDestroy(alloc);
}

/* Gives each cell a block of the elements that a parallel loop goes over. */
static void take_blocks(TtArena *arena, Nest *nest) {
  MlirBlock body = tt_body(nest->op);
  MlirLocation loc = mlirOperationGetLocation(nest->op);
  TtOps accesses = tt_collect(arena, nest->op, "memref.load"),
        stores = tt_collect(arena, nest->op, "memref.store");
  for (intptr_t i = 0; i < stores.n; ++i) tt_ops_add(arena, &accesses, stores.data[i]);
  /* A cell with buffers and blocks of its own is none of so many elements. */
  TtOps all = tt_collect(arena, nest->op, NULL), own = {NULL, 0, 0};
  intptr_t rank = 0, n = 0;
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    if (tt_op_is(op, "memref.alloc") && is_of_thread(op)) tt_ops_add(arena, &own, op);
    else if (tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.copy") ||
             tt_op_is(op, "memref.subview") || tt_op_is(op, "linalg.generic"))
      return;
  }
  bool over[MAX_DIMS];
  for (intptr_t d = 0; d < nest->dims; ++d)
    n += over[d] = is_of_elements(arena, nest, &accesses, d) &&
                   (own.n == 0 || moves_steadily(arena, &accesses, mlirBlockGetArgument(body, d)));
  for (intptr_t i = 0, r; i < own.n; ++i) {
    r = mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(own.data[i], 0)));
    if (r > rank) rank = r;
  }
  if (n == 0 || n + rank > 2) return;
  MlirOperation end = mlirBlockGetTerminator(body), first = mlirBlockGetFirstOperation(body);
  TtBuilder b = tt_builder_before(first);
  MlirOperation outer = {NULL}, loop = {NULL};
  MlirValue ivs[MAX_DIMS];
  int64_t blocks[MAX_DIMS];
  n = 0;
  for (intptr_t d = 0; d < nest->dims; ++d) {
    if (!over[d]) continue;
    MlirValue start = mlirBlockGetArgument(body, d);
    TtBuilder top = mlirOperationIsNull(outer) ? b : tt_builder_before(outer);
    int64_t upper, block = TT_TILE; /* a whole tile, or all there is */
    if (!tt_constant(nest->upper[d], &upper)) nest->upper[d] = size_named(arena, nest->upper[d]);
    else if (upper < block) block = upper;
    MlirValue size = size_of_block(&top, loc, nest->upper[d], start, block);
    loop = tt_for(&b, loc, tt_index(&top, loc, 0), size, tt_index(&top, loc, 1), NULL);
    if (mlirOperationIsNull(outer)) outer = loop;
    ivs[n] = tt_for_iv(loop), blocks[n++] = block;
    b = tt_builder_at_start(tt_for_body(loop));
    MlirValue at = tt_add(&b, loc, start, tt_for_iv(loop));
    MlirOperation sum = tt_defining_op(at);
    mlirValueReplaceAllUsesExcept(start, at, 1, &sum);
    mlirOperationSetOperand(sum, 0, start);
    b = tt_builder_at_terminator(tt_for_body(loop));
    TtBuilder before = tt_builder_before(nest->op);
    nest->step[d] = tt_index(&before, loc, block);
    if (tt_op_is(tt_defining_op(size), "affine.min"))
      mlirOperationSetOperand(tt_defining_op(size), 0, start);
  }
  for (MlirOperation op = first, next; !tt_op_eq(op, end); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, b.before);
  }
  for (intptr_t i = 0; i < own.n; ++i) widen(own.data[i], outer, ivs, blocks, n);
}

/* A grid has three dimensions: the outer ones of more become one. */
static void join_outer(Nest *nest) {
  TtBuilder before = tt_builder_before(nest->op), in = tt_builder_at_start(tt_body(nest->op));
  MlirLocation loc = mlirOperationGetLocation(nest->op);
  MlirBlock body = tt_body(nest->op);
  while (nest->dims > 3) {
    int64_t lower[2], upper[2], step[2], cells[2];
    for (int d = 0; d < 2; ++d) {
      if (!tt_constant(nest->lower[d], &lower[d]) || !tt_constant(nest->upper[d], &upper[d]) ||
          !tt_constant(nest->step[d], &step[d]) || step[d] < 1)
        return;
      cells[d] = (upper[d] - lower[d] + step[d] - 1) / step[d];
    }
    MlirValue both = mlirBlockInsertArgument(body, 0, mlirIndexTypeGet(before.context), loc), at[2];
    at[0] = tt_div(&in, loc, both, tt_index(&in, loc, cells[1]));
    at[1] = tt_rem(&in, loc, both, tt_index(&in, loc, cells[1]));
    for (int d = 0; d < 2; ++d) {
      at[d] = tt_mul(&in, loc, at[d], tt_index(&in, loc, step[d]));
      at[d] = tt_add(&in, loc, at[d], tt_index(&in, loc, lower[d]));
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, d + 1), at[d]);
    }
    mlirBlockEraseArgument(body, 2);
    mlirBlockEraseArgument(body, 1);
    for (intptr_t d = 1; d + 1 < nest->dims; ++d)
      nest->lower[d] = nest->lower[d + 1], nest->upper[d] = nest->upper[d + 1],
      nest->step[d] = nest->step[d + 1];
    nest->lower[0] = tt_index(&before, loc, 0), nest->step[0] = tt_index(&before, loc, 1);
    nest->upper[0] = tt_index(&before, loc, cells[0] * cells[1]);
    --nest->dims;
  }
}

static bool raise_parallel(TtArena *arena, MlirOperation kernel, MlirOperation op) {
  bool forall = tt_op_is(op, "scf.forall"), outermost = tt_op_eq(tt_parent(op), kernel);
  Nest nest = {.op = op};
  bool in_turn = !mlirAttributeIsNull(tt_get_attr(op, TT_IN_TURN));
  tt_remove_attr(op, TT_IN_TURN);
  if (forall && outermost && !in_turn && mlirBlockGetNumArguments(tt_body(op)) <= 3 &&
      tt_collect(arena, op, "memref.store").n == 0)
    return true;
  bool ok = forall                         ? bounds_of_forall(op, &nest)
            : tt_op_is(op, "scf.parallel") ? bounds_of_parallel(op, &nest)
                                           : bounds_of_affine_parallel(op, &nest);
  if (!ok) return false;
  if (!outermost || in_turn) {
    make_counted(&nest);
    return true;
  }
  take_blocks(arena, &nest);
  join_outer(&nest);
  make_grid(&nest);
  return true;
}

bool tt_raise_kernel_loops(TtArena *arena, MlirOperation kernel) {
  tt_raise_affine(arena, kernel);
  tt_count_while_loops(arena, kernel);
  if (!tt_expand_atomics(arena, kernel)) return false;
  tt_split_quotients(arena, kernel);
  TtOps parallel = {NULL, 0, 0}, ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "scf.parallel") || tt_op_is(ops.data[i], "affine.parallel") ||
        tt_op_is(ops.data[i], "scf.forall"))
      tt_ops_add(arena, &parallel, ops.data[i]);
  for (intptr_t i = 0; i < parallel.n; ++i)
    if (!raise_parallel(arena, kernel, parallel.data[i])) return false;
  tt_expand_carried(arena, kernel);
  return true;
}

bool tt_run_raise_loops(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, tt_raise_kernel_loops);
}
