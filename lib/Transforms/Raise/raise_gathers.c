/*===- raise_gathers.c - --tt-raise-gathers ----------------------------------------------------===
 *
 * Turns ops whose bodies load elements at indices of a tensor into copies of rows.
 *
 *   before  linalg.generic (i, j) ins(%ids: (i)) outs(%out: (i, j)) {
 *             ^bb0(%id, %old):  %r = arith.index_cast %id   %j = linalg.index 1
 *                               %x = memref.load %table[%r, %j]   linalg.yield %x }
 *   after   scf.for %i = 0 to 32 {
 *             %id = memref.load %ids[%i]   %r = arith.index_cast %id
 *             memref.copy %table[%r, 0] [1, 64], %out[%i, 0] [1, 64] }
 *
 * Of the loops, the innermost is the row where the last index adds it to what it does not change,
 * as affine.apply and affine.linearize_index do, too, and no other index depends on it; else one
 * element is copied at a time. What --tt-load-indices makes of the loads is next.
 *
 * Requires nothing. Leaves other ops as they are.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kept_dims.h"
#include "Analysis/kernel.h"
#include "Analysis/made_of.h"
#include "Passes/passes_decl.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/Dialect/Linalg.h"

typedef struct Gather {
  TtArena *arena;
  MlirOperation op, load;
  intptr_t loops, inputs;
  bool by_row;               /* the last loop is a row, which is copied whole */
  int64_t size[TT_MAX_RANK]; /* negative where it is dynamic */
} Gather;

static MlirAffineMap map_of(MlirOperation op, intptr_t i) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(tt_op_attr(op, "indexing_maps"), i));
}

static bool is_in_body(const void *g, MlirOperation op) {
  return mlirBlockEqual(mlirOperationGetBlock(op), tt_body(((const Gather *)g)->op));
}

/* Whether argument `i` of the body is an element that the last loop moves. */
static bool moves_with_row(const Gather *g, intptr_t i) {
  MlirAffineMap map = map_of(g->op, i);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, r), g->loops - 1)) return true;
  return false;
}

/* Whether `value` depends on the last loop. */
static bool depends_on_row(const Gather *g, MlirValue value) {
  TtValues all = tt_made_of(g->arena, value, is_in_body, g);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (mlirOperationIsNull(op)) {
      bool own = mlirBlockEqual(mlirBlockArgumentGetOwner(all.data[i]), tt_body(g->op));
      if (own && moves_with_row(g, mlirBlockArgumentGetArgNumber(all.data[i]))) return true;
    } else if (is_in_body(g, op) && tt_op_is(op, "linalg.index") &&
               tt_int(tt_op_attr(op, "dim")) == g->loops - 1) {
      return true;
    }
  }
  return false;
}

/* How often `e` has a dimension, or a symbol: false where that is no number. */
static bool coefficient(MlirAffineExpr e, bool symbol, intptr_t at, int64_t *n) {
  *n = 0;
  if (mlirAffineExprIsAConstant(e)) return true;
  if (mlirAffineExprIsADim(e)) return *n = !symbol && mlirAffineDimExprGetPosition(e) == at, true;
  if (mlirAffineExprIsASymbol(e))
    return *n = symbol && mlirAffineSymbolExprGetPosition(e) == at, true;
  if (!mlirAffineExprIsABinary(e)) return false;
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(e);
  int64_t x, y;
  if (!coefficient(mlirAffineBinaryOpExprGetLHS(e), symbol, at, &x) ||
      !coefficient(right, symbol, at, &y))
    return false;
  if (mlirAffineExprIsAAdd(e)) return !__builtin_add_overflow(x, y, n);
  if (x == 0 && y == 0) return true;
  return mlirAffineExprIsAMul(e) && mlirAffineExprIsAConstant(right) &&
         !__builtin_mul_overflow(x, mlirAffineConstantExprGetValue(right), n);
}

/* Whether `op`, a sum of affine terms, has its operand `i` once, and no factor before it. */
static bool adds_operand(MlirOperation op, intptr_t i) {
  if (tt_op_is(op, "affine.linearize_index")) { /* those of the basis are behind the last index */
    MlirAttribute sizes = tt_op_attr(op, "operandSegmentSizes");
    return !mlirAttributeIsNull(sizes) && mlirDenseI32ArrayGetElement(sizes, 0) == i + 1;
  }
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
  intptr_t dims = mlirAffineMapGetNumDims(map);
  int64_t n;
  return mlirAffineMapGetNumResults(map) == 1 &&
         coefficient(mlirAffineMapGetResult(map, 0), i >= dims, i >= dims ? i - dims : i, &n) &&
         n == 1;
}

static bool is_last_loop(const Gather *g, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  return !mlirOperationIsNull(op) && tt_op_is(op, "linalg.index") && is_in_body(g, op) &&
         tt_int(tt_op_attr(op, "dim")) == g->loops - 1;
}

/* Whether `value`, of the body, is linalg.index of the last loop, plus what it does not change;
 * that goes to `offset`, which may be made here. */
static bool is_row_index(const Gather *g, MlirValue value, MlirValue *offset) {
  MlirOperation op = tt_defining_op(value);
  *offset = (MlirValue){NULL};
  if (mlirOperationIsNull(op) || !is_in_body(g, op)) return false;
  if (tt_op_is(op, "linalg.index")) return is_last_loop(g, value);
  bool affine = tt_op_is(op, "affine.apply") || tt_op_is(op, "affine.linearize_index");
  if (!affine && !tt_op_is(op, "arith.addi")) return false;
  intptr_t row = -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!depends_on_row(g, operand)) continue;
    if (row >= 0 || !is_last_loop(g, operand) || (affine && !adds_operand(op, i))) return false;
    row = i;
  }
  if (row < 0) return false;
  if (!affine) return *offset = mlirOperationGetOperand(op, 1 - row), true;
  TtBuilder b = tt_builder_before(op);
  MlirOperation rest = tt_builder_insert(&b, mlirOperationClone(op));
  b = tt_builder_before(rest);
  mlirOperationSetOperand(rest, row, tt_index(&b, mlirOperationGetLocation(op), 0));
  *offset = mlirOperationGetResult(rest, 0);
  return true;
}

/* A generic of parallel loops that yields what one load has, and nothing else. */
static bool is_gather(TtArena *arena, MlirOperation op, Gather *g) {
  *g = (Gather){.arena = arena, .op = op, .inputs = tt_linalg_num_inputs(op)};
  if (mlirOperationGetNumOperands(op) != g->inputs + 1) return false;
  MlirOperation yield = mlirBlockGetTerminator(tt_body(op));
  if (mlirOperationGetNumOperands(yield) != 1) return false;
  g->load = tt_defining_op(mlirOperationGetOperand(yield, 0));
  if (mlirOperationIsNull(g->load) || !tt_op_is(g->load, "memref.load")) return false;
  MlirAffineMap out = map_of(op, g->inputs);
  g->loops = mlirAffineMapGetNumDims(out);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, g->inputs));
  if (!mlirAffineMapIsIdentity(out) || g->loops == 0 || g->loops > TT_MAX_RANK) return false;
  for (intptr_t d = 0; d < g->loops; ++d) {
    g->size[d] = mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
  }
  for (intptr_t i = 0; i < g->inputs; ++i)
    if (!mlirAffineMapIsProjectedPermutation(map_of(op, i))) return false;
  intptr_t n = mlirOperationGetNumOperands(g->load) - 1;
  MlirValue offset;
  g->by_row = n > 0 && is_row_index(g, mlirOperationGetOperand(g->load, n), &offset);
  for (intptr_t i = 1; i < n; ++i)
    g->by_row &= !depends_on_row(g, mlirOperationGetOperand(g->load, i));
  return n > 0 && !(g->by_row && g->size[g->loops - 1] < 0);
}

/* How many steps loop `d` has: a constant, what a view of that many elements says, or the
 * tensor's size. */
static MlirValue steps_of(const Gather *g, TtBuilder *b, intptr_t d) {
  MlirLocation loc = mlirOperationGetLocation(g->op);
  if (g->size[d] >= 0) return tt_index(b, loc, g->size[d]);
  MlirValue out = mlirOperationGetOperand(g->op, g->inputs);
  MlirOperation view = tt_defining_op(out);
  bool keeps[TT_MAX_RANK];
  if (tt_op_is(view, "memref.subview") && tt_subview_keeps(view, keeps)) {
    MlirAttribute starts = tt_op_attr(view, "static_offsets"),
                  sizes = tt_op_attr(view, "static_sizes");
    intptr_t n = mlirDenseArrayGetNumElements(sizes), operand = 1, kept = 0;
    for (intptr_t i = 0; i < n; ++i) operand += mlirDenseI64ArrayGetElement(starts, i) == INT64_MIN;
    for (intptr_t i = 0; i < n; ++i) {
      bool dynamic = mlirDenseI64ArrayGetElement(sizes, i) == INT64_MIN;
      if (keeps[i] && kept++ == d && dynamic) return mlirOperationGetOperand(view, operand);
      operand += dynamic;
    }
  }
  if (tt_op_is(view, "memref.expand_shape")) {
    MlirAttribute sizes = tt_op_attr(view, "static_output_shape");
    intptr_t operand = 1;
    for (intptr_t i = 0; i < d; ++i) operand += mlirDenseI64ArrayGetElement(sizes, i) == INT64_MIN;
    return mlirOperationGetOperand(view, operand);
  }
  TtOpState s = tt_op_state("memref.dim", loc);
  tt_op_state_operand(&s, out);
  tt_op_state_operand(&s, tt_index(b, loc, d));
  tt_op_state_result(&s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* A view of one row, or one element, as a memref of one dimension. */
static MlirValue view(TtBuilder *b, MlirLocation loc, MlirValue memref, intptr_t rank,
                      const MlirValue *at, int64_t length) {
  MlirContext context = b->context;
  MlirType type = mlirValueGetType(memref);
  int64_t starts[TT_MAX_RANK], sizes[TT_MAX_RANK], steps[TT_MAX_RANK], dynamic = INT64_MIN, one = 1;
  for (intptr_t d = 0; d < rank; ++d)
    starts[d] = dynamic, sizes[d] = d + 1 == rank ? length : 1, steps[d] = 1;
  TtOpState s = tt_op_state("memref.subview", loc);
  tt_op_state_operand(&s, memref);
  for (intptr_t d = 0; d < rank; ++d) tt_op_state_operand(&s, at[d]);
  tt_op_state_attr(&s, context, "static_offsets", mlirDenseI64ArrayGet(context, rank, starts));
  tt_op_state_attr(&s, context, "static_sizes", mlirDenseI64ArrayGet(context, rank, sizes));
  tt_op_state_attr(&s, context, "static_strides", mlirDenseI64ArrayGet(context, rank, steps));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 4, (int32_t[]){1, (int32_t)rank, 0, 0}));
  MlirAttribute layout = mlirStridedLayoutAttrGet(context, dynamic, 1, &one);
  tt_op_state_result(&s, mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), 1, &length, layout,
                                           mlirMemRefTypeGetMemorySpace(type)));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* Elements of the inputs at the loops' variables, in the place of the body's arguments. */
static void load_inputs(const Gather *g, TtBuilder *b, MlirBlock body, const MlirValue *ivs) {
  for (intptr_t i = 0; i < g->inputs; ++i) {
    MlirValue arg = mlirBlockGetArgument(body, i);
    if (!tt_has_uses(arg)) continue;
    MlirAffineMap map = map_of(g->op, i);
    TtOpState s = tt_op_state("memref.load", mlirOperationGetLocation(g->op));
    tt_op_state_operand(&s, mlirOperationGetOperand(g->op, i));
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
      tt_op_state_operand(&s, ivs[mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, r))]);
    tt_op_state_result(&s, mlirValueGetType(arg));
    mlirValueReplaceAllUsesOfWith(
        arg, mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0));
  }
}

static void raise_gather(Gather *g) {
  MlirLocation loc = mlirOperationGetLocation(g->op);
  TtBuilder b = tt_builder_before(g->op);
  intptr_t loops = g->by_row ? g->loops - 1 : g->loops,
           rank = mlirOperationGetNumOperands(g->load) - 1;
  MlirValue ivs[TT_MAX_RANK], at[TT_MAX_RANK], row = {NULL};
  if (g->by_row) is_row_index(g, mlirOperationGetOperand(g->load, rank), &row);
  for (intptr_t d = 0; d < loops; ++d) {
    MlirOperation loop =
        tt_for(&b, loc, tt_index(&b, loc, 0), steps_of(g, &b, d), tt_index(&b, loc, 1), "i");
    ivs[d] = tt_for_iv(loop);
    b = tt_builder_at_terminator(tt_for_body(loop));
  }
  ivs[g->loops - 1] = g->by_row ? tt_index(&b, loc, 0) : ivs[g->loops - 1];
  MlirOperation start = tt_is_null_value(row) ? (MlirOperation){NULL} : tt_defining_op(row);
  if (tt_op_is(start, "linalg.index") && is_in_body(g, start)) /* which goes, below */
    row = ivs[tt_int(tt_op_attr(start, "dim"))];
  MlirBlock body = tt_body(g->op);
  load_inputs(g, &b, body, ivs);
  MlirOperation end = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !tt_op_eq(op, end); op = next) {
    next = tt_next(op);
    if (tt_op_is(op, "linalg.index")) {
      tt_replace(op, ivs[tt_int(tt_op_attr(op, "dim"))]);
      continue;
    }
    mlirOperationRemoveFromParent(op);
    tt_builder_insert(&b, op);
  }
  for (intptr_t i = 0; i < rank; ++i) at[i] = mlirOperationGetOperand(g->load, i + 1);
  if (g->by_row) at[rank - 1] = tt_is_null_value(row) ? tt_index(&b, loc, 0) : row;
  int64_t length = g->by_row ? g->size[g->loops - 1] : 1;
  MlirValue from = view(&b, loc, mlirOperationGetOperand(g->load, 0), rank, at, length),
            to = view(&b, loc, mlirOperationGetOperand(g->op, g->inputs), g->loops, ivs, length);
  TtOpState s = tt_op_state("memref.copy", loc);
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirOperationDestroy(g->op);
}

static bool raise_gathers(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    Gather g;
    if (is_gather(arena, ops.data[i], &g)) raise_gather(&g);
  }
  tt_erase_dead(kernel);
  return true;
}

bool tt_run_raise_gathers(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, raise_gathers);
}
