/*===- inputs.c - inputs of linalg.generic --------------------------------------------------===*/

#include "Transforms/Model/model.h"

void tt_set_inputs(TtArena *arena, MlirOperation op, intptr_t n, const MlirValue *inputs,
                   const MlirAffineMap *maps) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t old = tt_linalg_num_inputs(op), outputs = mlirOperationGetNumOperands(op) - old;
  MlirValue *operands = tt_arena_alloc(arena, (size_t)(n + outputs) * sizeof *operands);
  MlirAttribute *attrs = tt_arena_alloc(arena, (size_t)(n + outputs) * sizeof *attrs);
  for (intptr_t i = 0; i < n + outputs; ++i) {
    operands[i] = i < n ? inputs[i] : mlirOperationGetOperand(op, old + i - n);
    attrs[i] = mlirAffineMapAttrGet(i < n ? maps[i] : tt_indexing_map(op, old + i - n));
  }
  mlirOperationSetOperands(op, n + outputs, operands);
  mlirOperationSetInherentAttributeByName(op, tt_str("indexing_maps"),
                                          mlirArrayAttrGet(context, n + outputs, attrs));
  int32_t segments[2] = {(int32_t)n, (int32_t)outputs};
  mlirOperationSetInherentAttributeByName(op, tt_str("operandSegmentSizes"),
                                          mlirDenseI32ArrayGet(context, 2, segments));
}

void tt_drop_input(TtArena *arena, MlirOperation op, intptr_t i) {
  intptr_t n = tt_linalg_num_inputs(op);
  MlirValue *inputs = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *inputs);
  MlirAffineMap *maps = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *maps);
  intptr_t kept = 0;
  for (intptr_t j = 0; j < n; ++j) {
    if (j == i) continue;
    inputs[kept] = mlirOperationGetOperand(op, j);
    maps[kept++] = tt_indexing_map(op, j);
  }
  mlirBlockEraseArgument(tt_body(op), (unsigned)i);
  tt_set_inputs(arena, op, kept, inputs, maps);
}

bool tt_is_bound_without(MlirOperation op, intptr_t i) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumDims(tt_indexing_map(op, 0)); ++d) {
    bool bound = false;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirAffineMap map = tt_indexing_map(op, j);
      for (intptr_t r = 0; j != i && !bound && r < mlirAffineMapGetNumResults(map); ++r)
        bound = tt_map_loop(map, r) == d;
    }
    if (!bound) return false;
  }
  return true;
}

MlirValue tt_number_constant(MlirOperation constant, MlirOperation before) {
  MlirAttribute value = tt_op_attr(constant, "value");
  if (mlirTypeIsAShaped(mlirAttributeGetType(value))) {
    if (!mlirAttributeIsADenseElements(value) || !mlirDenseElementsAttrIsSplat(value))
      return (MlirValue){NULL};
    value = mlirDenseElementsAttrGetSplatValue(value);
  }
  TtBuilder b = tt_builder_before(before);
  TtOpState s = tt_op_state("arith.constant", mlirOperationGetLocation(constant));
  tt_op_state_attr(&s, b.context, "value", value);
  tt_op_state_result(&s, mlirAttributeGetType(value));
  return mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
}
