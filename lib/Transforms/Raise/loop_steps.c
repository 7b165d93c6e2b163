/*===- loop_steps.c - loops over elements that do not begin at a constant, or go on by more ----===
 *
 *   for %j = 2 to 97 step 3 { load %X[%j] }   =   for %q = 0 to 32 { load %X[%q * 3 + 2] }
 *   for %j = %lo to %hi { load %X[%j] }       =   for %q = 0 to max(%hi, %lo) - %lo {
 *                                                   load %X[%lo + %q] }
 *
 * A factor of an index is the stride of a view then; of a loop with steps bounds are constant. What
 * bounds are made of is the same in all steps of the nest, such as offsets that are loaded: these
 * are of a view.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

/* Whether a step of `loop` itself loads or stores, and not only loops inside of it. */
static bool takes_elements(TtArena *arena, MlirOperation loop) {
  TtOps ops = tt_collect(arena, loop, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (!tt_op_is(ops.data[i], "memref.load") && !tt_op_is(ops.data[i], "memref.store")) continue;
    MlirOperation around = tt_parent(ops.data[i]);
    while (!tt_op_is(around, "scf.for")) around = tt_parent(around);
    if (tt_op_eq(around, loop)) return true;
  }
  return false;
}

static void count_by_one(TtArena *arena, MlirOperation loop) {
  int64_t lower, upper, step;
  if (!tt_constant(mlirOperationGetOperand(loop, 0), &lower) ||
      !tt_constant(mlirOperationGetOperand(loop, 1), &upper) ||
      !tt_constant(mlirOperationGetOperand(loop, 2), &step) || step < 2 || upper <= lower ||
      !takes_elements(arena, loop))
    return;
  MlirLocation loc = mlirOperationGetLocation(loop);
  MlirValue iv = tt_for_iv(loop);
  TtBuilder before = tt_builder_before(loop), in = tt_builder_at_start(tt_for_body(loop));
  MlirValue scaled = tt_mul(&in, loc, iv, tt_index(&before, loc, step)),
            old = tt_add(&in, loc, scaled, tt_index(&before, loc, lower));
  MlirOperation scale = tt_defining_op(scaled);
  mlirValueReplaceAllUsesExcept(iv, old, 1, &scale);
  mlirOperationSetOperand(loop, 0, tt_index(&before, loc, 0));
  mlirOperationSetOperand(loop, 1, tt_index(&before, loc, (upper - lower + step - 1) / step));
  mlirOperationSetOperand(loop, 2, tt_index(&before, loc, 1));
}

/* Whether `loop`, in `top` or `top` itself, goes by 1 from what is no constant, but known before
 * `top`. Of what only has loops in it, the steps may be those of the core. */
static bool starts_anywhere(TtArena *arena, MlirOperation top, MlirOperation loop) {
  int64_t lower, step;
  MlirValue from = mlirOperationGetOperand(loop, 0), to = mlirOperationGetOperand(loop, 1);
  bool nested = !tt_op_eq(top, loop) || takes_elements(arena, loop);
  return nested && !tt_constant(from, &lower) && !tt_is_defined_in(top, from) &&
         !tt_is_defined_in(top, to) && tt_constant(mlirOperationGetOperand(loop, 2), &step) &&
         step == 1;
}

static void start_at_zero(MlirOperation top, MlirOperation loop) {
  MlirLocation loc = mlirOperationGetLocation(loop);
  MlirValue iv = tt_for_iv(loop), from = mlirOperationGetOperand(loop, 0),
            to = mlirOperationGetOperand(loop, 1);
  TtBuilder before = tt_builder_before(top), in = tt_builder_at_start(tt_for_body(loop));
  MlirValue size = tt_sub(&before, loc, tt_max(&before, loc, to, from), from),
            old = tt_add(&in, loc, from, iv);
  MlirOperation sum = tt_defining_op(old);
  mlirValueReplaceAllUsesExcept(iv, old, 1, &sum);
  mlirOperationSetOperand(loop, 0, tt_index(&before, loc, 0));
  mlirOperationSetOperand(loop, 1, size);
}

void tt_start_at_zero(TtArena *arena, MlirOperation top) {
  TtOps loops = tt_collect(arena, top, "scf.for");
  tt_ops_add(arena, &loops, top);
  for (intptr_t i = 0; i < loops.n; ++i)
    if (starts_anywhere(arena, top, loops.data[i])) start_at_zero(top, loops.data[i]);
}

void tt_count_by_one(TtArena *arena, MlirOperation top) {
  TtOps loops = tt_collect(arena, top, "scf.for");
  tt_ops_add(arena, &loops, top);
  for (intptr_t i = 0; i < loops.n; ++i) count_by_one(arena, loops.data[i]);
}
