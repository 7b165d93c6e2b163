/*===- model.c - functions on tensors, and linalg ops in them -----------------------------===*/

#include "Transforms/Model/model.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

bool tt_is_model(MlirOperation func) {
  return tt_op_is(func, "func.func") && !mlirAttributeIsNull(tt_get_attr(func, "tt.model")) &&
         !mlirBlockIsNull(tt_body(func));
}

bool tt_for_each_model(MlirOperation module, bool (*run)(TtArena *, MlirOperation)) {
  TtArena *arena = tt_arena_create();
  TtOps funcs = tt_collect(arena, module, "func.func");
  bool ok = true;
  for (intptr_t i = 0; ok && i < funcs.n; ++i)
    if (tt_is_model(funcs.data[i])) ok = run(arena, funcs.data[i]);
  tt_arena_destroy(arena);
  return ok;
}

MlirAffineMap tt_indexing_map(MlirOperation linalg, intptr_t i) {
  return mlirAffineMapAttrGetValue(
      mlirArrayAttrGetElement(mlirLinalgGetIndexingMapsAttribute(linalg), i));
}

void tt_set_indexing_map(MlirOperation linalg, intptr_t i, MlirAffineMap map) {
  MlirAttribute old = tt_op_attr(linalg, "indexing_maps"), maps[32];
  intptr_t n = mlirArrayAttrGetNumElements(old);
  for (intptr_t j = 0; j < n && j < 32; ++j)
    maps[j] = j == i ? mlirAffineMapAttrGet(map) : mlirArrayAttrGetElement(old, j);
  mlirOperationSetInherentAttributeByName(
      linalg, tt_str("indexing_maps"), mlirArrayAttrGet(mlirOperationGetContext(linalg), n, maps));
}

int64_t tt_map_loop(MlirAffineMap map, intptr_t i) {
  MlirAffineExpr expr = mlirAffineMapGetResult(map, i);
  return mlirAffineExprIsADim(expr) ? (int64_t)mlirAffineDimExprGetPosition(expr) : -1;
}

bool tt_is_parallel_loop(MlirOperation linalg, intptr_t i) {
  MlirAttribute kinds = tt_op_attr(linalg, "iterator_types");
  if (mlirAttributeIsNull(kinds)) return false;
  /* An array of #linalg.iterator_type, for which mlir-c has no accessor. */
  MlirAttribute kind = mlirArrayAttrGetElement(kinds, i);
  MlirAttribute parallel = mlirAttributeParseGet(mlirOperationGetContext(linalg),
                                                 tt_str("#linalg.iterator_type<parallel>"));
  return mlirAttributeEqual(kind, parallel);
}
