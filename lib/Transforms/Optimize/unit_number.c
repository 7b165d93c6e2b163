/*===- unit_number.c - the number of a unit where a kernel had one ------------------------------===
 *
 *   before  tt.read_to_cb …; tt.mm.mma …; tt.write_from_cb …                              (no grid)
 *   after   %start = tt.runtime_arg "start_id"   %count = tt.runtime_arg "count"
 *           scf.for %i = 0 to %count step 1 {
 *             %tid = %start + %i
 *             tt.read_to_cb …; tt.mm.mma …; tt.write_from_cb …
 *           }
 *
 * The loop is there where the kernel has a grid of one cell (B2), which does not ask for %start.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/unit_number.h"

#include "Dialect/op_info.h"

/* The runtime argument of this name; null where the kernel does not ask for it. */
static MlirOperation arg_named(TtArena *arena, MlirOperation func, const char *name) {
  TtOps args = tt_collect(arena, func, "tt.runtime_arg");
  for (intptr_t i = 0; i < args.n; ++i)
    if (tt_str_eq(tt_string(tt_runtime_arg_name(args.data[i])), name)) return args.data[i];
  return (MlirOperation){NULL};
}

/* The loop over units; null where there is none. */
static MlirOperation loop_over_units(TtArena *arena, MlirOperation func) {
  MlirOperation count = arg_named(arena, func, "count");
  if (mlirOperationIsNull(count)) return count;
  MlirOpOperand use = mlirValueGetFirstUse(tt_runtime_arg_value(count));
  if (mlirOpOperandIsNull(use) || !tt_op_is(mlirOpOperandGetOwner(use), "scf.for"))
    return (MlirOperation){NULL};
  return mlirOpOperandGetOwner(use);
}

bool tt_can_number_unit(TtArena *arena, MlirOperation func) {
  if (!mlirOperationIsNull(arg_named(arena, func, "start_id"))) return false;
  return mlirOperationIsNull(arg_named(arena, func, "count")) ||
         !mlirOperationIsNull(loop_over_units(arena, func));
}

static MlirValue make_arg(TtBuilder *b, MlirLocation loc, const char *name) {
  MlirOperation arg = tt_runtime_arg_create(b, loc, name, mlirAttributeGetNull());
  tt_name_hint(arg, name);
  return tt_runtime_arg_value(arg);
}

/* Arguments, constants and circular buffers are the same for all units. */
static bool is_of_all_units(MlirOperation op) {
  return tt_runtime_arg_isa(op) || tt_alloc_cb_isa(op) || tt_op_is(op, "arith.constant");
}

/* A loop around what a kernel does. */
static MlirOperation make_loop(MlirOperation func) {
  MlirBlock body = tt_body(func);
  MlirLocation loc = mlirOperationGetLocation(func);
  MlirOperation end = mlirBlockGetTerminator(body);
  TtBuilder top = tt_builder_at_start(body);
  MlirValue count = make_arg(&top, loc, "count");
  TtBuilder b = tt_builder_before(end);
  MlirOperation loop = tt_for(&b, loc, tt_index(&b, loc, 0), count, tt_index(&b, loc, 1), "unit");
  MlirOperation last = mlirBlockGetTerminator(tt_for_body(loop));
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !tt_op_eq(op, loop); op = next) {
    next = tt_next(op);
    if (!is_of_all_units(op)) mlirOperationMoveBefore(op, last);
  }
  return loop;
}

MlirValue tt_number_unit(TtArena *arena, MlirOperation func) {
  MlirOperation loop = loop_over_units(arena, func);
  if (mlirOperationIsNull(loop)) loop = make_loop(func);
  MlirLocation loc = mlirOperationGetLocation(loop);
  TtBuilder top = tt_builder_at_start(tt_body(func)), b = tt_builder_at_start(tt_for_body(loop));
  MlirValue unit = tt_add(&b, loc, make_arg(&top, loc, "start_id"), tt_for_iv(loop));
  tt_name_hint(tt_defining_op(unit), "tid");
  return unit;
}
