/*===- schedule_model.c - --tt-schedule-model ------------------------------------------------===
 *
 * Applies a schedule to the models of a module: that of a file, or what --tt-plan-model left at
 * the module's end. A schedule is a transform.named_sequence @tt_schedule of the module, in
 * which upstream's transforms find ops by their labels.
 *
 *   before  linalg.contract {tt.label = "product0"} …   transform.named_sequence @tt_schedule …
 *   after   scf.forall (%i, %j) … { scf.for … { linalg.contract … } }
 *
 * Requires --tt-plan-model, for the labels. Leaves none of them, and no schedule.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Transforms/Model/model.h"
#include "Transforms/Model/schedule.h"

#include "mlir-c/Dialect/Transform/Interpreter.h"

/* A module with a copy of the module's own schedule. */
static MlirModule own_schedule(MlirOperation sequence) {
  MlirModule schedule = mlirModuleCreateEmpty(mlirOperationGetLocation(sequence));
  TtBuilder b = tt_builder_at_end(mlirModuleGetBody(schedule));
  tt_builder_insert(&b, mlirOperationClone(sequence));
  tt_set_attr(mlirModuleGetOperation(schedule), "transform.with_named_sequence",
              mlirUnitAttrGet(mlirOperationGetContext(sequence)));
  return schedule;
}

static bool has_size(MlirOperation op, const char *name) {
  MlirAttribute sizes = tt_op_attr(op, name);
  for (intptr_t i = 0; !mlirAttributeIsNull(sizes) && i < mlirDenseArrayGetNumElements(sizes); ++i)
    if (mlirDenseI64ArrayGetElement(sizes, i) != 0) return true;
  return false;
}

/* Grids of no dimension, which upstream takes for loops that are there. */
static bool check_grids(TtArena *arena, MlirOperation sequence) {
  TtOps grids = tt_collect(arena, sequence, "transform.structured.tile_using_forall");
  for (intptr_t i = 0; i < grids.n; ++i) {
    MlirOperation op = grids.data[i];
    if (mlirOperationGetNumOperands(op) == 1 && !has_size(op, "static_tile_sizes") &&
        !has_size(op, "static_num_threads"))
      return tt_error(op, "this grid has no dimension, since all its sizes are 0; give one of them "
                          "at least the elements of a block");
  }
  return true;
}

static bool apply(TtArena *arena, MlirOperation module, MlirModule schedule, const char *path) {
  MlirOperation holder = mlirModuleGetOperation(schedule),
                sequence = tt_find_schedule(arena, holder);
  if (mlirOperationIsNull(sequence))
    return tt_error(module, "the schedule '%s' has no transform.named_sequence @%s", path,
                    tt_schedule_name);
  if (!check_grids(arena, sequence)) return false;
  MlirTransformOptions options = mlirTransformOptionsCreate();
  bool ok = mlirLogicalResultIsSuccess(
      mlirTransformApplyNamedSequence(module, sequence, holder, options));
  mlirTransformOptionsDestroy(options);
  return ok;
}

static bool remove_labels(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) tt_remove_attr(ops.data[i], "tt.label");
  return true;
}

bool tt_run_schedule_model(MlirOperation module, const TtPassOptions *options) {
  TtArena *arena = tt_arena_create();
  const char *path = options->values[0];
  MlirOperation own = tt_find_schedule(arena, module);
  bool ok = true;
  if (*path || !mlirOperationIsNull(own)) {
    MlirModule schedule = *path ? tt_load_schedule(module, path) : own_schedule(own);
    ok = !mlirModuleIsNull(schedule);
    if (!mlirOperationIsNull(own)) mlirOperationDestroy(own);
    tt_remove_attr(module, "transform.with_named_sequence");
    ok = ok && apply(arena, module, schedule, path) && tt_for_each_model(module, remove_labels);
    if (!mlirModuleIsNull(schedule)) mlirModuleDestroy(schedule);
  }
  tt_arena_destroy(arena);
  return ok;
}
