/*===- element_cells.c - grids over elements --------------------------------------------------===
 *
 *   scf.parallel (%i, %j) = … to (64, 100) { store load %A[%i, %j], %C[%i, %j] }
 * = scf.forall (%bi, %bj) = … step (32, 32) {
 *     scf.for %i = 0 to 32 { scf.for %j = 0 to min(32, 100 - %bj) { … %bi + %i, %bj + %j … } } }
 *
 * What each thread keeps, at most a vector, is a buffer with an element, or a row, for each of
 * them:
 *
 *   scf.parallel (%i) = … to (64) { %x = alloc() : memref<12xf32>   … %x[%j] … }
 * = scf.forall (%bi) = … step (32) { %x = alloc() : memref<32x12xf32>
 *     scf.for %i = 0 to 32 { … %x[%i, %j] … } }
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/element_cells.h"

#include "Analysis/index_expr.h"
#include "Analysis/made_of.h"
#include "Dialect/shapes.h"
#include "Transforms/Raise/elements.h"

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
static bool sums_for_rows(TtArena *arena, const TtParallel *nest, const TtOps *accesses,
                          MlirValue iv) {
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
static bool is_of_elements(TtArena *arena, const TtParallel *nest, const TtOps *accesses,
                           intptr_t d) {
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

static bool is_plain(const void *none, MlirOperation op) {
  (void)none;
  return mlirOperationGetNumRegions(op) == 0;
}

/* Whether `index` is made of what a list has at a place that `iv` says. */
static bool is_listed(TtArena *arena, MlirValue index, MlirValue iv) {
  int64_t factor;
  TtValues all = tt_made_of(arena, index, is_plain, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_value_eq(all.data[i], iv))
      return !tt_index_factor(arena, index, iv, &factor) || factor == 0;
  return false;
}

/* Whether every access moves steadily with `iv`, so that a block of its steps may be one op. */
static bool moves_steadily(TtArena *arena, const TtOps *accesses, MlirValue iv) {
  int64_t factor;
  for (intptr_t i = 0; i < accesses->n; ++i)
    for (intptr_t d = 0; d < mlirOperationGetNumOperands(accesses->data[i]); ++d) {
      MlirValue index = mlirOperationGetOperand(accesses->data[i], d);
      if (mlirTypeIsAIndex(mlirValueGetType(index)) &&
          (!tt_index_factor(arena, index, iv, &factor) || is_listed(arena, index, iv)))
        return false;
    }
  return true;
}

/* Whether a loop of a thread walks through matrices of which `iv` is a row or a column, as over the
 * keys of a head in (T, H, D): a thread's own are a matrix then, and those of several are none. */
static bool walks_through(TtArena *arena, const TtParallel *nest, const TtOps *accesses,
                          MlirValue iv) {
  TtOps loops = tt_collect(arena, nest->op, "scf.for");
  for (intptr_t i = 0; i < accesses->n; ++i) {
    MlirOperation op = accesses->data[i];
    intptr_t n = mlirOperationGetNumOperands(op), rank = n - 1 - tt_op_is(op, "memref.store");
    for (intptr_t d = 0; d < (rank - 2) * loops.n && follows(arena, op, iv); ++d) {
      int64_t factor;
      MlirValue index = mlirOperationGetOperand(op, n - rank + d / loops.n);
      if (tt_index_factor(arena, index, tt_for_iv(loops.data[d % loops.n]), &factor) && factor != 0)
        return true;
    }
  }
  return false;
}

/* One buffer for all threads of a block, whose variables are `ivs`: before `outer`, which goes over
 * them, an element of it for each of them, of which there are `sizes`. */
static void widen(MlirOperation alloc, MlirOperation outer, const MlirValue *ivs,
                  const MlirValue *sizes, intptr_t n) {
  enum { MOST = 3 };
  MlirValue old = mlirOperationGetResult(alloc, 0), operands[2 + MOST];
  MlirType type = mlirValueGetType(old);
  int64_t shape[MOST];
  intptr_t rank = mlirShapedTypeGetRank(type);
  int32_t open = 0;
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(alloc));
  for (intptr_t d = 0; d < n; ++d) {
    if (tt_constant(sizes[d], &shape[d])) continue;
    shape[d] = INT64_MIN, ++open;
    tt_op_state_operand(&s, sizes[d]);
  }
  for (intptr_t d = 0; d < rank; ++d) shape[n + d] = mlirShapedTypeGetDimSize(type, d);
  TtBuilder b = tt_builder_before(outer);
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){open, 0}));
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

void tt_take_blocks(TtArena *arena, TtParallel *nest) {
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
  bool over[TT_PARALLEL_DIMS];
  for (intptr_t d = 0; d < nest->dims; ++d) {
    MlirValue iv = mlirBlockGetArgument(body, d);
    n += over[d] = is_of_elements(arena, nest, &accesses, d) &&
                   (own.n == 0 || (moves_steadily(arena, &accesses, iv) &&
                                   !walks_through(arena, nest, &accesses, iv)));
  }
  for (intptr_t i = 0, r; i < own.n; ++i) {
    r = mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(own.data[i], 0)));
    if (r > rank) rank = r;
  }
  if (n == 0 || n + rank > 2) return;
  MlirOperation end = mlirBlockGetTerminator(body), first = mlirBlockGetFirstOperation(body);
  TtBuilder b = tt_builder_before(first);
  MlirOperation outer = {NULL}, loop = {NULL};
  MlirValue ivs[TT_PARALLEL_DIMS];
  MlirValue sizes[TT_PARALLEL_DIMS];
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
    ivs[n] = tt_for_iv(loop), sizes[n++] = size;
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
  for (intptr_t i = 0; i < own.n; ++i) widen(own.data[i], outer, ivs, sizes, n);
}
