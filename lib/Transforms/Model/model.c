/*===- model.c - functions on tensors, and linalg ops in them -----------------------------===*/

#include "Transforms/Model/grids.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/Dialect/Linalg.h"

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

bool tt_loop_extents(MlirOperation op, intptr_t loops, int64_t *extents) {
  for (intptr_t d = 0; d < loops; ++d) extents[d] = -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirAffineMap map = tt_indexing_map(op, i);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
      if (tt_map_loop(map, r) >= 0)
        extents[tt_map_loop(map, r)] = mlirShapedTypeGetDimSize(type, r);
  }
  for (intptr_t d = 0; d < loops; ++d)
    if (extents[d] <= 0) return false;
  return true;
}

/* `value`, or what it is an extension of. */
static MlirValue unextended(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  bool extends = tt_op_is(op, "arith.extf") || tt_op_is(op, "arith.extsi");
  return extends ? mlirOperationGetOperand(op, 0) : value;
}

bool tt_sums_products(MlirOperation op) {
  if (tt_op_is(op, "linalg.contract")) return true;
  if (!tt_op_is(op, "linalg.generic") || tt_linalg_num_inputs(op) != 2) return false;
  MlirBlock body = tt_body(op);
  MlirValue x = mlirBlockGetArgument(body, 0), y = mlirBlockGetArgument(body, 1),
            old = mlirBlockGetArgument(body, 2);
  MlirOperation sum = tt_defining_op(mlirOperationGetOperand(mlirBlockGetTerminator(body), 0));
  bool integers = tt_op_is(sum, "arith.addi");
  if (!integers && !tt_op_is(sum, "arith.addf")) return false;
  for (int i = 0; i < 2; ++i) {
    MlirOperation product = tt_defining_op(mlirOperationGetOperand(sum, i));
    if (!tt_value_eq(mlirOperationGetOperand(sum, 1 - i), old) ||
        !tt_op_is(product, integers ? "arith.muli" : "arith.mulf"))
      continue;
    MlirValue a = unextended(mlirOperationGetOperand(product, 0)),
              b = unextended(mlirOperationGetOperand(product, 1));
    return (tt_value_eq(a, x) && tt_value_eq(b, y)) || (tt_value_eq(a, y) && tt_value_eq(b, x));
  }
  return false;
}

/* Whether one operand has a parallel loop that the other has not. */
static bool has_own_loop(MlirOperation op, intptr_t operand) {
  MlirAffineMap own = tt_indexing_map(op, operand), other = tt_indexing_map(op, 1 - operand),
                out = tt_indexing_map(op, 2);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(out); ++r) {
    int64_t loop = tt_map_loop(out, r);
    bool in_own = false, in_other = false;
    for (intptr_t i = 0; i < mlirAffineMapGetNumResults(own); ++i)
      in_own = in_own || tt_map_loop(own, i) == loop;
    for (intptr_t i = 0; i < mlirAffineMapGetNumResults(other); ++i)
      in_other = in_other || tt_map_loop(other, i) == loop;
    if (in_own && !in_other) return true;
  }
  return false;
}

/* Whether the sum goes along a side of the matrices that `operand` is made of. */
static bool sums_side(MlirOperation op, intptr_t operand) {
  MlirAffineMap map = tt_indexing_map(op, operand), out = tt_indexing_map(op, 2);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  for (intptr_t r = rank > 2 ? rank - 2 : 0; r < rank; ++r) {
    bool kept = false;
    for (intptr_t i = 0; i < mlirAffineMapGetNumResults(out); ++i)
      kept = kept || tt_map_loop(out, i) == tt_map_loop(map, r);
    if (!kept) return true;
  }
  return false;
}

bool tt_is_product(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || !tt_sums_products(op)) return false;
  bool own[] = {has_own_loop(op, 0), has_own_loop(op, 1)};
  if (own[0] && own[1]) return true;
  return (own[0] && sums_side(op, 0)) || (own[1] && sums_side(op, 1));
}

bool tt_loads_elements(TtArena *arena, MlirOperation linalg) {
  return tt_collect(arena, linalg, "tensor.extract").n > 0;
}

bool tt_fills(MlirOperation op) {
  if (!tt_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) != 1 ||
      tt_linalg_num_inputs(op) != 1)
    return false;
  MlirBlock body = tt_body(op);
  MlirOperation yield = mlirBlockGetFirstOperation(body);
  return tt_op_is(yield, "linalg.yield") &&
         tt_value_eq(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(body, 0)) &&
         !mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, 0)));
}

static void add_host_ops(TtArena *arena, MlirBlock block, TtOps *ops) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    if (tt_op_is(op, "scf.for")) add_host_ops(arena, tt_body(op), ops);
    tt_ops_add(arena, ops, op);
  }
}

TtOps tt_host_ops(TtArena *arena, MlirOperation func) {
  TtOps ops = {NULL, 0, 0};
  add_host_ops(arena, tt_body(func), &ops);
  return ops;
}

bool tt_is_whole(MlirValue memref) {
  MlirType type = mlirValueGetType(memref);
  return tt_is_memref(type) && !tt_op_is(tt_defining_op(memref), "memref.subview") &&
         mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

bool tt_needs_host(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_host_ops(arena, func);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "scf.for") || tt_op_is(ops.data[i], "memref.copy")) return true;
  return false;
}
