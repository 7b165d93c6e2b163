/*===- affine_loops.c - loops, branches, loads and stores of the affine dialect ---------------===
 *
 *   affine.for %i = max(…) to min(…)     scf.for %i = affine.max … to affine.min …
 *   affine.if #set(%i, %j)               scf.if of comparisons of its expressions with 0
 *   affine.load %A[%i + 3]               memref.load %A[affine.apply …]
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/affine_loops.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/IntegerSet.h"

void tt_copy_attributes(MlirOperation from, MlirOperation to) {
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(from); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(from, i);
    mlirOperationSetDiscardableAttributeByName(to, mlirIdentifierStr(attr.name), attr.attribute);
  }
}

MlirValue tt_apply_map(TtBuilder *b, MlirOperation op, MlirAffineMap map, intptr_t i,
                       intptr_t first) {
  MlirAffineExpr e = mlirAffineMapGetResult(map, i);
  MlirLocation loc = mlirOperationGetLocation(op);
  if (mlirAffineExprIsAConstant(e)) return tt_index(b, loc, mlirAffineConstantExprGetValue(e));
  if (mlirAffineExprIsADim(e))
    return mlirOperationGetOperand(op, first + mlirAffineDimExprGetPosition(e));
  TtOpState s = tt_op_state("affine.apply", loc);
  MlirAffineMap one = mlirAffineMapGetSubMap(map, 1, &i);
  tt_op_state_attr(&s, b->context, "map", mlirAffineMapAttrGet(one));
  for (intptr_t j = 0; j < mlirAffineMapGetNumInputs(map); ++j)
    tt_op_state_operand(&s, mlirOperationGetOperand(op, first + j));
  tt_op_state_result(&s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* The greatest (least) of the results of a map. */
static MlirValue extreme(TtBuilder *b, MlirOperation op, MlirAffineMap map, intptr_t first,
                         bool greatest) {
  if (mlirAffineMapGetNumResults(map) == 1) return tt_apply_map(b, op, map, 0, first);
  TtOpState s = tt_op_state(greatest ? "affine.max" : "affine.min", mlirOperationGetLocation(op));
  tt_op_state_attr(&s, b->context, "map", mlirAffineMapAttrGet(map));
  for (intptr_t j = 0; j < mlirAffineMapGetNumInputs(map); ++j)
    tt_op_state_operand(&s, mlirOperationGetOperand(op, first + j));
  tt_op_state_result(&s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static MlirAffineMap map_attr(MlirOperation op, const char *name) {
  return mlirAffineMapAttrGetValue(tt_op_attr(op, name));
}

static void raise_for(MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirAffineMap lower = map_attr(op, "lowerBoundMap"), upper = map_attr(op, "upperBoundMap");
  intptr_t first = mlirAffineMapGetNumInputs(lower),
           inits = first + mlirAffineMapGetNumInputs(upper);
  TtOpState s = tt_op_state("scf.for", loc);
  tt_op_state_operand(&s, extreme(&b, op, lower, 0, true));
  tt_op_state_operand(&s, extreme(&b, op, upper, first, false));
  tt_op_state_operand(&s, tt_index(&b, loc, tt_int(tt_op_attr(op, "step"))));
  for (intptr_t i = inits; i < mlirOperationGetNumOperands(op); ++i)
    tt_op_state_operand(&s, mlirOperationGetOperand(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(op, i)));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation loop = tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirRegionTakeBody(mlirOperationGetRegion(loop, 0), mlirOperationGetRegion(op, 0));
  tt_copy_attributes(op, loop);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(loop, i));
  mlirOperationDestroy(op);
}

/* `yield` of an affine op as one of scf. */
static void raise_yield(MlirOperation yield) {
  TtBuilder b = tt_builder_before(yield);
  TtOpState s = tt_op_state("scf.yield", mlirOperationGetLocation(yield));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    tt_op_state_operand(&s, mlirOperationGetOperand(yield, i));
  tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirOperationDestroy(yield);
}

/* Constraint `i` of an integer set: an affine expression of the operands is 0, or not below. */
static MlirValue constraint(TtBuilder *b, MlirOperation op, MlirIntegerSet set, intptr_t i) {
  enum { EQ = 0, SGE = 5 }; /* arith::CmpIPredicate */
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirAffineExpr e = mlirIntegerSetGetConstraint(set, i);
  MlirAffineMap map = mlirAffineMapGet(b->context, mlirIntegerSetGetNumDims(set),
                                       mlirIntegerSetGetNumSymbols(set), 1, &e);
  TtOpState s = tt_op_state("arith.cmpi", loc);
  tt_op_state_operand(&s, tt_apply_map(b, op, map, 0, 0));
  tt_op_state_operand(&s, tt_index(b, loc, 0));
  tt_op_state_attr(&s, b->context, "predicate",
                   tt_i64_attr(b->context, mlirIntegerSetIsConstraintEq(set, i) ? EQ : SGE));
  tt_op_state_result(&s, mlirIntegerTypeGet(b->context, 1));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static void raise_if(MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirIntegerSet set = mlirIntegerSetAttrGetValue(tt_op_attr(op, "condition"));
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue all = {NULL};
  for (intptr_t i = 0; i < mlirIntegerSetGetNumConstraints(set); ++i) {
    MlirValue one = constraint(&b, op, set, i);
    all = i == 0 ? one : tt_and(&b, loc, all, one);
  }
  if (tt_is_null_value(all)) all = tt_bool(&b, loc, true);
  TtOpState s = tt_op_state("scf.if", loc);
  tt_op_state_operand(&s, all);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(op, i)));
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  mlirOperationStateAddOwnedRegions(&s, 2, regions);
  MlirOperation made = tt_builder_insert(&b, tt_op_state_finish(&s));
  for (int i = 0; i < 2; ++i)
    mlirRegionTakeBody(mlirOperationGetRegion(made, i), mlirOperationGetRegion(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(made, i));
  mlirOperationDestroy(op);
}

static void raise_access(MlirOperation op, bool store) {
  TtBuilder b = tt_builder_before(op);
  MlirAffineMap map = map_attr(op, "map");
  TtOpState s = tt_op_state(store ? "memref.store" : "memref.load", mlirOperationGetLocation(op));
  for (intptr_t i = 0; i <= store; ++i) tt_op_state_operand(&s, mlirOperationGetOperand(op, i));
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); ++i)
    tt_op_state_operand(&s, tt_apply_map(&b, op, map, i, 1 + store));
  if (!store) tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(op, 0)));
  MlirOperation made = tt_builder_insert(&b, tt_op_state_finish(&s));
  if (!store)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetResult(made, 0));
  mlirOperationDestroy(op);
}

static void raise_affine(MlirOperation op) {
  if (tt_op_is(op, "affine.for")) raise_for(op);
  else if (tt_op_is(op, "affine.if")) raise_if(op);
  else if (tt_op_is(op, "affine.load")) raise_access(op, false);
  else if (tt_op_is(op, "affine.store")) raise_access(op, true);
  else if (tt_op_is(op, "affine.yield") && !tt_op_is(tt_parent(op), "affine.parallel"))
    raise_yield(op);
}

void tt_raise_affine(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) raise_affine(ops.data[i]);
}
