/*===- check_grids.c - --tt-check-grids ------------------------------------------------------===
 *
 * Refuses a model with ops that are in no grid, and so would run on no core: those for which the
 * passes before have no form. The error names the op of the model that they come from.
 *
 *   before  func.func @f(%x, %y) attributes {tt.model} { linalg.generic … }
 *   after   error: 'linalg.generic' has no form on the device …
 *
 * Requires a bufferized model. Changes nothing.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Support/input_op.h"
#include "Transforms/Model/grids.h"

#include <string.h>

/* A grid, tensors and views of them, and numbers. */
static bool may_be_outside(MlirOperation op) {
  static const char *const names[] = {"scf.forall",
                                      "memref.alloc",
                                      "memref.dealloc",
                                      "memref.get_global",
                                      "memref.expand_shape",
                                      "memref.subview",
                                      "memref.cast",
                                      "memref.reinterpret_cast",
                                      "memref.collapse_shape",
                                      "memref.dim",
                                      "memref.copy",
                                      "scf.for",
                                      "scf.yield",
                                      "func.return"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tt_op_is(op, names[i])) return true;
  if (mlirOperationGetNumRegions(op) > 0 || mlirOperationGetNumResults(op) == 0) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, i)))) return false;
  return true;
}

static bool refuse(MlirOperation op) {
  MlirStringRef name = tt_op_name(op), was = tt_input_op(mlirOperationGetLocation(op));
  if (was.length == 0) was = name;
  return tt_error_at(mlirOperationGetLocation(op),
                     "'%.*s' has no form on the device: it became a %.*s for which no kernel was "
                     "found; docs/models.md lists what has one",
                     (int)was.length, was.data, (int)name.length, name.data);
}

static bool check(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_host_ops(arena, func);
  bool grids = false;
  for (intptr_t i = 0; i < ops.n; ++i) {
    grids |= tt_op_is(ops.data[i], "scf.forall");
    if (!may_be_outside(ops.data[i])) return refuse(ops.data[i]);
  }
  return grids || tt_error(func, "this model computes nothing that a core could do");
}

bool tt_run_check_grids(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, check);
}
