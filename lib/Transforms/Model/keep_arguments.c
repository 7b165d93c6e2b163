/*===- keep_arguments.c - --tt-keep-arguments ------------------------------------------------===
 *
 * Says that what a model is given stays as it is, so that bufferization copies what is updated
 * before it updates it.
 *
 *   before  func.func @f(%cache: tensor<64x32xf32>) attributes {tt.model}
 *   after   func.func @f(%cache: tensor<64x32xf32> {bufferization.writable = false}) …
 *
 * Requires nothing. Bufferization takes the attribute away.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

static bool keep_arguments(TtArena *arena, MlirOperation func) {
  (void)arena;
  for (intptr_t i = 0; i < tt_num_args(func); ++i)
    if (mlirTypeIsATensor(mlirValueGetType(tt_arg(func, i))))
      tt_set_arg_attr(func, i, "bufferization.writable",
                      mlirBoolAttrGet(mlirOperationGetContext(func), false));
  return true;
}

bool tt_run_keep_arguments(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, keep_arguments);
}
