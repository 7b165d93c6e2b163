/*===- joint_reductions.c - linalg ops that become loops over elements ------------------------===
 *
 *   linalg.generic (i, j) ins(%x: (i, j)) outs(%m: (i), %at: (i)) {
 *     %g = cmpf ogt, %x, %m   yield (select %g, %x, %m), (select %g, %j, %at) }
 * = for %i { %r:2 = for %j iter_args(%a = load %m[%i], %b = load %at[%i]) { … }
 *            store %r#0, %m[%i]   store %r#1, %at[%i] }
 *
 * What one result becomes depends on another one, as a largest element and where it is:
 * --tt-raise-elements makes ops on rows of it. So are ops of which an operand's map divides,
 *
 *   linalg.generic (i, j) ins(%x: (i, (j mod 8) floordiv 2)) outs(%y: (i, j))
 *
 * as loops whose variable is divided are taken apart (split_quotients.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/joint_reductions.h"

#include "Analysis/made_of.h"
#include "Transforms/Raise/quotient_parts.h"

#include "mlir-c/Dialect/Linalg.h"

enum { MAX_DIMS = 6, MAX_OPERANDS = 12 };

typedef struct Joint {
  MlirOperation op;
  MlirBlock body;
  intptr_t inputs, n, dims, sum; /* `n` operands; the loop that sums, or -1 */
  MlirAffineMap maps[MAX_OPERANDS];
  int64_t extent[MAX_DIMS];
} Joint;

static bool is_own(const Joint *j, MlirValue value, intptr_t *arg) {
  bool own =
      mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), j->body);
  if (own) *arg = mlirBlockArgumentGetArgNumber(value);
  return own;
}

static bool is_in_body(const void *j, MlirOperation op) {
  return mlirBlockEqual(mlirOperationGetBlock(op), ((const Joint *)j)->body);
}

/* Whether result `i` is made of old results other than its own. */
static bool needs_others(TtArena *arena, const Joint *j, MlirValue value, intptr_t i) {
  TtValues all = tt_made_of(arena, value, is_in_body, j);
  for (intptr_t k = 0; k < all.n; ++k) {
    intptr_t arg = -1;
    if (is_own(j, all.data[k], &arg) && arg >= j->inputs && arg != j->inputs + i) return true;
  }
  return false;
}

/* Whether an expression has a quotient or a rest in it. */
static bool divides(MlirAffineExpr e) {
  if (tt_is_quotient(e)) return true;
  bool two = mlirAffineExprIsAAdd(e) || mlirAffineExprIsAMul(e);
  return two &&
         (divides(mlirAffineBinaryOpExprGetLHS(e)) || divides(mlirAffineBinaryOpExprGetRHS(e)));
}

static bool read_joint(TtArena *arena, Joint *j, MlirOperation op) {
  MlirAttribute kinds = tt_op_attr(op, "iterator_types"),
                sum = mlirAttributeParseGet(mlirOperationGetContext(op),
                                            tt_str("#linalg.iterator_type<reduction>"));
  *j = (Joint){.op = op, .body = tt_body(op), .inputs = tt_linalg_num_inputs(op), .sum = -1};
  j->n = mlirOperationGetNumOperands(op), j->dims = mlirArrayAttrGetNumElements(kinds);
  bool joint = false, quotients = false;
  if (j->n > MAX_OPERANDS || j->dims > MAX_DIMS || mlirOperationGetNumResults(op) > 0) return false;
  for (intptr_t d = 0; d < j->dims; ++d) {
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(kinds, d), sum)) continue;
    if (j->sum >= 0) return false;
    j->sum = d;
  }
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  for (intptr_t i = 0; i < j->n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    j->maps[i] = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    if (!tt_is_memref(type)) return false;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(j->maps[i]); ++r) {
      MlirAffineExpr e = mlirAffineMapGetResult(j->maps[i], r);
      quotients |= divides(e);
      if (mlirAffineExprIsADim(e))
        j->extent[mlirAffineDimExprGetPosition(e)] = mlirShapedTypeGetDimSize(type, r);
    }
  }
  for (intptr_t d = 0; d < j->dims; ++d)
    if (j->extent[d] <= 0) return false;
  MlirOperation yield = mlirBlockGetTerminator(j->body);
  for (intptr_t i = 0; i < j->n - j->inputs; ++i)
    joint |= needs_others(arena, j, mlirOperationGetOperand(yield, i), i);
  return quotients || (joint && j->sum >= 0);
}

/* Operand `i` at the step of `ivs`: a load, or a store of `value`. */
static MlirValue access(TtBuilder *b, const Joint *j, intptr_t i, const MlirValue *ivs,
                        MlirValue value) {
  MlirLocation loc = mlirOperationGetLocation(j->op);
  bool store = !tt_is_null_value(value);
  MlirValue memref = mlirOperationGetOperand(j->op, i), at[TT_MAX_RANK];
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(j->maps[i]); ++r) {
    MlirAffineExpr e = mlirAffineMapGetResult(j->maps[i], r);
    if (mlirAffineExprIsADim(e)) {
      at[r] = ivs[mlirAffineDimExprGetPosition(e)];
      continue;
    }
    TtOpState s = tt_op_state("affine.apply", loc);
    tt_op_state_attr(&s, b->context, "map",
                     mlirAffineMapAttrGet(mlirAffineMapGet(b->context, j->dims, 0, 1, &e)));
    for (intptr_t d = 0; d < j->dims; ++d) tt_op_state_operand(&s, ivs[d]);
    tt_op_state_result(&s, mlirIndexTypeGet(b->context));
    at[r] = mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
  }
  TtOpState s = tt_op_state(store ? "memref.store" : "memref.load", loc);
  if (store) tt_op_state_operand(&s, value);
  tt_op_state_operand(&s, memref);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(j->maps[i]); ++r)
    tt_op_state_operand(&s, at[r]);
  if (!store) tt_op_state_result(&s, mlirShapedTypeGetElementType(mlirValueGetType(memref)));
  MlirOperation op = tt_builder_insert(b, tt_op_state_finish(&s));
  return store ? value : mlirOperationGetResult(op, 0);
}

/* The loop that sums, with what it carries. */
static MlirOperation summing_loop(TtBuilder *b, const Joint *j, const MlirValue *ivs) {
  MlirLocation loc = mlirOperationGetLocation(j->op), locs[MAX_OPERANDS + 1];
  MlirType types[MAX_OPERANDS + 1];
  MlirValue first[MAX_OPERANDS];
  intptr_t outs = j->n - j->inputs;
  for (intptr_t i = 0; i < outs; ++i)
    first[i] = access(b, j, j->inputs + i, ivs, (MlirValue){NULL});
  TtOpState s = tt_op_state("scf.for", loc);
  tt_op_state_operand(&s, tt_index(b, loc, 0));
  tt_op_state_operand(&s, tt_index(b, loc, j->extent[j->sum]));
  tt_op_state_operand(&s, tt_index(b, loc, 1));
  types[0] = mlirIndexTypeGet(b->context), locs[0] = loc;
  for (intptr_t i = 0; i < outs; ++i) {
    tt_op_state_operand(&s, first[i]);
    tt_op_state_result(&s, types[i + 1] = mlirValueGetType(first[i]));
    locs[i + 1] = loc;
  }
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(outs + 1, types, locs));
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  return tt_builder_insert(b, tt_op_state_finish(&s));
}

/* The ops of the body go before `end`. */
static void move_body(const Joint *j, const MlirValue *ivs, MlirOperation end) {
  MlirOperation yield = mlirBlockGetTerminator(j->body);
  for (MlirOperation op = mlirBlockGetFirstOperation(j->body), next; !tt_op_eq(op, yield);
       op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, end);
    if (!tt_op_is(op, "linalg.index")) continue;
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                  ivs[tt_int(tt_op_attr(op, "dim"))]);
    mlirOperationDestroy(op);
  }
}

/* The ops of the body go into the loop. */
static void fill_loop(const Joint *j, MlirOperation loop, MlirValue *ivs) {
  MlirBlock body = tt_for_body(loop);
  TtBuilder in = tt_builder_at_end(body);
  MlirOperation end = mlirBlockGetTerminator(j->body);
  TtOpState y = tt_op_state("scf.yield", mlirOperationGetLocation(j->op));
  ivs[j->sum] = tt_for_iv(loop);
  for (intptr_t i = 0; i < j->n; ++i) {
    MlirValue to = i < j->inputs ? access(&in, j, i, ivs, (MlirValue){NULL})
                                 : mlirBlockGetArgument(body, i - j->inputs + 1);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(j->body, i), to);
  }
  for (intptr_t i = 0; i < j->n - j->inputs; ++i)
    tt_op_state_operand(&y, mlirOperationGetOperand(end, i));
  move_body(j, ivs, tt_builder_insert(&in, tt_op_state_finish(&y)));
}

/* A map: loads, the ops of the body, and stores. */
static void fill_step(const Joint *j, TtBuilder *b, const MlirValue *ivs) {
  for (intptr_t i = 0; i < j->n; ++i) {
    MlirValue arg = mlirBlockGetArgument(j->body, i);
    if (tt_has_uses(arg))
      mlirValueReplaceAllUsesOfWith(arg, access(b, j, i, ivs, (MlirValue){NULL}));
  }
  MlirOperation yield = mlirBlockGetTerminator(j->body);
  move_body(j, ivs, b->before);
  for (intptr_t i = j->inputs; i < j->n; ++i)
    access(b, j, i, ivs, mlirOperationGetOperand(yield, i - j->inputs));
}

void tt_loop_joint_reductions(TtArena *arena, MlirOperation kernel) {
  TtOps all = tt_collect(arena, kernel, "linalg.generic");
  for (intptr_t i = 0; i < all.n; ++i) {
    Joint j;
    if (!read_joint(arena, &j, all.data[i])) continue;
    MlirLocation loc = mlirOperationGetLocation(j.op);
    MlirValue ivs[MAX_DIMS];
    TtBuilder b = tt_builder_before(j.op);
    for (intptr_t d = 0; d < j.dims; ++d) {
      if (d == j.sum) continue;
      MlirOperation loop = tt_for(&b, loc, tt_index(&b, loc, 0), tt_index(&b, loc, j.extent[d]),
                                  tt_index(&b, loc, 1), NULL);
      ivs[d] = tt_for_iv(loop), b = tt_builder_at_terminator(tt_for_body(loop));
    }
    if (j.sum < 0) {
      fill_step(&j, &b, ivs);
      mlirOperationDestroy(j.op);
      continue;
    }
    MlirOperation loop = summing_loop(&b, &j, ivs);
    fill_loop(&j, loop, ivs);
    for (intptr_t k = j.inputs; k < j.n; ++k)
      access(&b, &j, k, ivs, mlirOperationGetResult(loop, k - j.inputs));
    mlirOperationDestroy(j.op);
  }
}
