/*===- raise_loops.c - --tt-raise-loops -----------------------------------------------------===
 *
 * Turns loops as other dialects write them into a grid and counted loops.
 *
 *   scf.parallel, affine.parallel, around all     scf.forall, the grid
 *   the same, and scf.forall, inside              scf.for: a core takes one step after the other
 *   affine.for, affine.if                         scf.for, scf.if
 *   affine.load, affine.store                     memref.load, memref.store
 *   for %k iter_args(%i = %a) { yield %i + %s }   %i = %a + %k's count * %s
 *
 * Requires nothing. Leaves what it cannot see through to the passes that refuse it.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/carried.h"

#include "mlir-c/IntegerSet.h"

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

static void copy_attributes(MlirOperation from, MlirOperation to) {
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(from); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(from, i);
    mlirOperationSetDiscardableAttributeByName(to, mlirIdentifierStr(attr.name), attr.attribute);
  }
}

/* Result `i` of an affine map on operands from `first` on, as a value. */
static MlirValue apply(TtBuilder *b, MlirOperation op, MlirAffineMap map, intptr_t i,
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
  if (mlirAffineMapGetNumResults(map) == 1) return apply(b, op, map, 0, first);
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
    nest->lower[d] = apply(&b, op, lower, d, 0);
    nest->upper[d] = apply(&b, op, upper, d, mlirAffineMapGetNumInputs(lower));
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
  copy_attributes(nest->op, tt_builder_insert(&b, tt_op_state_finish(&s)));
  TtBuilder in = tt_builder_at_terminator(body);
  for (intptr_t d = 0; d < nest->dims; ++d) {
    MlirValue iv = mlirBlockGetArgument(body, d);
    if (!tt_is_null_value(start[d])) iv = tt_add(&in, loc, iv, start[d]);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(old, d), iv);
  }
  move_body(old, mlirBlockGetTerminator(body));
  mlirOperationDestroy(nest->op);
}

static bool raise_parallel(MlirOperation kernel, MlirOperation op) {
  bool forall = tt_op_is(op, "scf.forall"), outermost = tt_op_eq(tt_parent(op), kernel);
  Nest nest = {.op = op};
  if (forall && outermost) return true;
  bool ok = forall                         ? bounds_of_forall(op, &nest)
            : tt_op_is(op, "scf.parallel") ? bounds_of_parallel(op, &nest)
                                           : bounds_of_affine_parallel(op, &nest);
  if (!ok) return false;
  if (outermost) make_grid(&nest);
  else make_counted(&nest);
  return true;
}

/*===- Affine loops --------------------------------------------------------------------------===*/

static MlirOperation raise_for(MlirOperation op) {
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
  copy_attributes(op, loop);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(loop, i));
  mlirOperationDestroy(op);
  return loop;
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
  tt_op_state_operand(&s, apply(b, op, map, 0, 0));
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
    tt_op_state_operand(&s, apply(&b, op, map, i, 1 + store));
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

static bool raise(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) raise_affine(ops.data[i]);
  ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    bool parallel = tt_op_is(op, "scf.parallel") || tt_op_is(op, "affine.parallel") ||
                    tt_op_is(op, "scf.forall");
    if (parallel && !raise_parallel(kernel, op)) return false;
  }
  tt_expand_carried(arena, kernel);
  return true;
}

bool tt_run_raise_loops(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, raise);
}
