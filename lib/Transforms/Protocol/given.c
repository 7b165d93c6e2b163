/*===- given.c - what cores are given, and signal with ----------------------------------------===*/

#include "Transforms/Protocol/given.h"

void tt_give_cores(TtArena *arena, MlirOperation program, intptr_t n, const char *const *names,
                   const MlirValue *values) {
  MlirOperation op = tt_program_core_args(program), yield = mlirBlockGetTerminator(tt_body(op));
  TtBuilder b = tt_builder_before(yield);
  intptr_t before = mlirOperationGetNumOperands(yield);
  MlirAttribute old = tt_core_args_names(op);
  MlirValue *all = tt_arena_alloc(arena, (size_t)(before + n + 1) * sizeof *all);
  const char **texts = tt_arena_alloc(arena, (size_t)(before + n + 1) * sizeof *texts);
  for (intptr_t i = 0; i < before; ++i) {
    all[i] = mlirOperationGetOperand(yield, i);
    texts[i] = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(old, i)));
  }
  for (intptr_t i = 0; i < n; ++i) all[before + i] = values[i], texts[before + i] = names[i];
  tt_yield_create(&b, mlirOperationGetLocation(yield), before + n, all);
  mlirOperationDestroy(yield);
  mlirOperationSetInherentAttributeByName(op, tt_str("names"),
                                          tt_strings_attr(arena, b.context, before + n, texts));
}

MlirValue tt_take_given(TtBuilder *top, MlirLocation loc, const char *name) {
  MlirOperation op = tt_runtime_arg_create(top, loc, name, mlirAttributeGetNull());
  tt_name_hint(op, name);
  return mlirOperationGetResult(op, 0);
}

MlirValue tt_add_semaphore(MlirOperation program, MlirOperation kernel, TtBuilder *top,
                           MlirLocation loc, const char *name) {
  TtBuilder members = tt_builder_before(tt_program_core_args(program));
  tt_semaphore_create(&members, loc, name, tt_kernel_cores(kernel), 0);
  return metalium_get_semaphore_addr(metalium_get_semaphore_create(
      top, loc, mlirFlatSymbolRefAttrGet(top->context, tt_str(name))));
}

TtBuilder tt_top_of_kernel(MlirOperation kernel) {
  MlirOperation op = mlirBlockGetFirstOperation(tt_body(kernel));
  while (tt_get_cb_isa(op) || metalium_tensor_accessor_isa(op) || metalium_get_tile_size_isa(op) ||
         metalium_get_semaphore_isa(op) || tt_runtime_arg_isa(op))
    op = tt_next(op);
  return tt_builder_before(op);
}

MlirValue tt_flag_of(TtBuilder *b, MlirLocation loc, MlirValue condition) {
  MlirValue yes = tt_index(b, loc, 1);
  return tt_select(b, loc, condition, yes, tt_index(b, loc, 0));
}

MlirValue tt_equal(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  int64_t k, l;
  if (tt_value_eq(x, y) || (tt_constant(x, &k) && tt_constant(y, &l) && k == l))
    return (MlirValue){NULL};
  TtOpState s = tt_op_state("arith.cmpi", loc);
  tt_op_state_operand(&s, x);
  tt_op_state_operand(&s, y);
  tt_op_state_attr(&s, b->context, "predicate", tt_i64_attr(b->context, 0)); /* eq */
  tt_op_state_result(&s, mlirIntegerTypeGet(b->context, 1));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}
