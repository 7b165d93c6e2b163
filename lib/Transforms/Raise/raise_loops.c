/*===- raise_loops.c - --tt-raise-loops -----------------------------------------------------===
 *
 * Turns loops as other dialects write them into a grid and counted loops.
 *
 *   scf.parallel, affine.parallel, around all     scf.forall, the grid (element_cells.c; of a part
 *                                                 of a result: onto_tiles.c)
 *   the same, and scf.forall, inside              scf.for: a core takes one step after the other
 *   affine.for, affine.if                         scf.for, scf.if
 *   affine.load, affine.store                     memref.load, memref.store
 *   a loop beside a grid                          a grid of one cell, with the loop
 *   stores of few cells: scf.if (%j == 3)         a grid of their own (split_guarded.c)
 *   scf.while (%i) { condition (%i < %n) } …     scf.for (while_loops.c)
 *   uses of (%k + 9) mod 40, floor(%k * 0.5)      loops that end there (split_ranges.c)
 *
 *   uses of %k / 2 and %k % 2 in elements         %k = %q * 2 + %r (split_quotients.c)
 *
 *   for %k iter_args(%i = %a) { yield %i + %s }   %i = %a + %k's count * %s
 *   buffers that change places, as iter_args      copies between them (carried_buffers.c)
 *   sizes of views                                sizes of tensors (view_dims.c)
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
#include "Transforms/Raise/element_cells.h"
#include "Transforms/Raise/elements.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Raise/split_guarded.h"
#include "Transforms/Raise/while_loops.h"

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
  return tt_error(op, "a loop of %jd dimensions; there are at most %d", (intmax_t)dims,
                  TT_PARALLEL_DIMS);
}

static bool bounds_of_parallel(MlirOperation op, TtParallel *nest) {
  if (mlirOperationGetNumResults(op) > 0)
    return tt_error(op, "a parallel loop that reduces to values; write the sum to a buffer in an "
                        "scf.for, or as linalg.reduce");
  nest->dims = mlirBlockGetNumArguments(tt_body(op));
  if (nest->dims > TT_PARALLEL_DIMS) return too_deep(op, nest->dims);
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

static bool bounds_of_affine_parallel(MlirOperation op, TtParallel *nest) {
  TtBuilder b = tt_builder_before(op);
  MlirAffineMap lower = map_attr(op, "lowerBoundsMap"), upper = map_attr(op, "upperBoundsMap");
  MlirAttribute steps = tt_op_attr(op, "steps");
  if (mlirOperationGetNumResults(op) > 0)
    return tt_error(op, "a parallel loop that reduces to values; write the sum to a buffer in an "
                        "affine.for, or as linalg.reduce");
  nest->dims = mlirBlockGetNumArguments(tt_body(op));
  if (nest->dims > TT_PARALLEL_DIMS) return too_deep(op, nest->dims);
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

static bool bounds_of_forall(MlirOperation op, TtParallel *nest) {
  TtBuilder b = tt_builder_before(op);
  intptr_t operand = 0;
  nest->dims = mlirDenseArrayGetNumElements(tt_op_attr(op, "staticStep"));
  if (mlirOperationGetNumResults(op) > 0)
    return tt_error(op, "a loop that returns tensors; run bufferization first");
  if (nest->dims > TT_PARALLEL_DIMS) return too_deep(op, nest->dims);
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
static void make_counted(const TtParallel *nest) {
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
static void make_grid(const TtParallel *nest) {
  TtBuilder b = tt_builder_before(nest->op);
  MlirContext context = b.context;
  MlirLocation loc = mlirOperationGetLocation(nest->op), locs[TT_PARALLEL_DIMS];
  MlirType index[TT_PARALLEL_DIMS];
  MlirValue start[TT_PARALLEL_DIMS];
  int64_t lower[TT_PARALLEL_DIMS], upper[TT_PARALLEL_DIMS], step[TT_PARALLEL_DIMS];
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

/*===- Grids ----------------------------------------------------------------------------------===*/

/* How many steps dimension `d` has, as a value; where they are constant, `*number` is, else -1. A
 * null value where the step may be below one. */
static MlirValue count_steps(TtBuilder *b, const TtParallel *nest, intptr_t d, int64_t *number) {
  MlirLocation loc = mlirOperationGetLocation(nest->op);
  int64_t step;
  if (!tt_constant(nest->step[d], &step) || step < 1) return (MlirValue){NULL};
  MlirValue length = tt_sub(b, loc, nest->upper[d], nest->lower[d]),
            cells = tt_div(b, loc, tt_add(b, loc, length, tt_index(b, loc, step - 1)),
                           tt_index(b, loc, step));
  if (!tt_constant(cells, number)) *number = -1;
  return cells;
}

/* Makes dimensions `d` and `d` + 1 one, of which that with a constant number of steps, `inner`,
 * goes round first. */
static void join_dims(TtParallel *nest, intptr_t d, const MlirValue *cells, intptr_t inner) {
  TtBuilder before = tt_builder_before(nest->op);
  MlirLocation loc = mlirOperationGetLocation(nest->op);
  MlirBlock body = tt_body(nest->op);
  TtBuilder in = tt_builder_at_start(body); /* before those of the last turn, which take them */
  MlirValue both = mlirBlockInsertArgument(body, d, mlirIndexTypeGet(before.context), loc), at[2];
  at[!inner] = tt_div(&in, loc, both, cells[inner]);
  at[inner] = tt_rem(&in, loc, both, cells[inner]);
  for (int i = 0; i < 2; ++i) {
    at[i] = tt_mul(&in, loc, at[i], nest->step[d + i]);
    at[i] = tt_add(&in, loc, at[i], nest->lower[d + i]);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, d + 1 + i), at[i]);
  }
  mlirBlockEraseArgument(body, d + 2);
  mlirBlockEraseArgument(body, d + 1);
  nest->lower[d] = tt_index(&before, loc, 0), nest->step[d] = tt_index(&before, loc, 1);
  nest->upper[d] = tt_mul(&before, loc, cells[0], cells[1]);
  for (intptr_t i = d + 1; i + 1 < nest->dims; ++i)
    nest->lower[i] = nest->lower[i + 1], nest->upper[i] = nest->upper[i + 1],
    nest->step[i] = nest->step[i + 1];
  --nest->dims;
}

/* A grid has three dimensions: the outer ones of more become one, at most one of them of open
 * size, so that the host program can count the cells. */
static void join_outer(TtParallel *nest) {
  for (intptr_t d = 0; nest->dims > 3 && d + 1 < nest->dims;) {
    TtBuilder before = tt_builder_before(nest->op);
    int64_t numbers[2];
    MlirValue cells[2] = {count_steps(&before, nest, d, &numbers[0]),
                          count_steps(&before, nest, d + 1, &numbers[1])};
    bool counted = !tt_is_null_value(cells[0]) && !tt_is_null_value(cells[1]) &&
                   (numbers[0] > 0 || numbers[1] > 0);
    if (counted) join_dims(nest, d, cells, numbers[1] > 0);
    else ++d;
  }
}

static bool raise_parallel(TtArena *arena, MlirOperation kernel, MlirOperation op) {
  bool forall = tt_op_is(op, "scf.forall"), outermost = tt_op_eq(tt_parent(op), kernel);
  TtParallel nest = {.op = op};
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
  tt_move_onto_tiles(arena, &nest);
  tt_take_blocks(arena, &nest);
  join_outer(&nest);
  make_grid(&nest);
  return true;
}

/* A grid of one cell before `before`. */
static MlirOperation one_cell(MlirOperation before) {
  TtBuilder b = tt_builder_before(before);
  TtOpState s = tt_op_state("scf.forall", mlirOperationGetLocation(before)),
            end = tt_op_state("scf.forall.in_parallel", mlirOperationGetLocation(before));
  MlirType index = mlirIndexTypeGet(b.context);
  MlirLocation loc = mlirOperationGetLocation(before);
  static const char *const names[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
  for (int64_t i = 0; i < 3; ++i) {
    int64_t value = i > 0;
    tt_op_state_attr(&s, b.context, names[i], mlirDenseI64ArrayGet(b.context, 1, &value));
  }
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 4, (int32_t[]){0, 0, 0, 0}));
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(1, &index, &loc);
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  tt_op_state_region(&end);
  mlirBlockAppendOwnedOperation(body, tt_op_state_finish(&end));
  return tt_builder_insert(&b, tt_op_state_finish(&s));
}

void tt_give_cells(TtArena *arena, MlirOperation kernel) {
  (void)arena;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(kernel)), next;
       !mlirOperationIsNull(op); op = next) {
    next = tt_next(op);
    if (!tt_op_is(op, "scf.for") || mlirOperationGetNumResults(op) > 0) continue;
    mlirOperationMoveBefore(op, mlirBlockGetTerminator(tt_body(one_cell(op))));
  }
}

bool tt_is_one_loop(MlirOperation kernel) {
  intptr_t loops = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(kernel)); !tt_is_terminator(op);
       op = tt_next(op)) {
    bool loop = tt_op_is(op, "scf.for") && mlirOperationGetNumResults(op) == 0;
    loops += loop;
    if (!loop && (mlirOperationGetNumRegions(op) > 0 || tt_op_is(op, "memref.alloc") ||
                  tt_op_is(op, "memref.store") || tt_op_is(op, "memref.copy")))
      return false;
  }
  return loops == 1;
}

/* Whether grids stand beside loops that are in none. */
static bool has_loops_beside(MlirOperation kernel) {
  bool grid = false, loop = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(kernel)); !mlirOperationIsNull(op);
       op = tt_next(op))
    grid |= tt_op_is(op, "scf.forall"), loop |= tt_op_is(op, "scf.for");
  return grid && loop;
}

static bool is_parallel(MlirOperation op) {
  return tt_op_is(op, "scf.parallel") || tt_op_is(op, "affine.parallel") ||
         tt_op_is(op, "scf.forall");
}

/* What lies on a stack, as numbers of a thread do, is a buffer of the core as any other. */
static void take_from_stack(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, "memref.alloca");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    TtBuilder b = tt_builder_before(op);
    TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(op));
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j)
      tt_op_state_operand(&s, mlirOperationGetOperand(op, j));
    tt_op_state_attr(&s, b.context, "operandSegmentSizes", tt_op_attr(op, "operandSegmentSizes"));
    tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(op, 0)));
    tt_replace(op, mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0));
  }
}

bool tt_raise_kernel_loops(TtArena *arena, MlirOperation kernel) {
  enum { MOST_ROUNDS = 4 };
  int rounds = 0;
  take_from_stack(arena, kernel);
  tt_name_view_dims(arena, kernel);
  tt_raise_affine(arena, kernel);
  tt_count_while_loops(arena, kernel);
  if (!tt_expand_atomics(arena, kernel)) return false;
  tt_take_loads_apart(arena, kernel);
  tt_split_ranges(arena, kernel);
  do tt_split_quotients(arena, kernel); /* which may leave other quotients in other loops */
  while (tt_split_ranges(arena, kernel) && ++rounds < MOST_ROUNDS);
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(kernel)), next; !tt_is_terminator(op);
       op = next) {
    next = tt_next(op);
    if (is_parallel(op)) tt_split_moves(arena, op);
    next = tt_next(op);
    if (is_parallel(op)) tt_split_guarded(arena, op);
  }
  TtOps parallel = {NULL, 0, 0}, ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (is_parallel(ops.data[i])) tt_ops_add(arena, &parallel, ops.data[i]);
  for (intptr_t i = 0; i < parallel.n; ++i)
    if (!raise_parallel(arena, kernel, parallel.data[i])) return false;
  if (!tt_settle_buffers(arena, kernel)) return false;
  tt_expand_carried(arena, kernel);
  if (has_loops_beside(kernel)) tt_give_cells(arena, kernel);
  return true;
}

bool tt_run_raise_loops(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, tt_raise_kernel_loops);
}
