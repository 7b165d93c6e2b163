/*===- model_to_kernels.c - --tt-model-to-kernels --------------------------------------------===
 *
 * A bufferized model becomes a kernel of several grids, which --tt-split-grids makes a kernel
 * each; one of a single grid a kernel and the host function that calls it.
 *
 *   before  func.func @f(%x, %y) attributes {tt.model} { scf.forall … }
 *   after   func.func @f_0(%x, %y) attributes {tt.kernel} { scf.forall … }
 *           func.func @f(%x, %y) attributes {tt.host} { call @f_0(%x, %y) }
 *
 * Requires --tt-write-results.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/grids.h"

static MlirOperation first_grid(MlirOperation func) {
  MlirOperation op = mlirBlockGetFirstOperation(tt_body(func));
  while (!tt_op_is(op, "scf.forall")) op = tt_next(op);
  return op;
}

/* Calls `kernel` from a host function of its name, with its arguments. */
static void wrap(TtArena *arena, MlirOperation kernel) {
  MlirContext context = mlirOperationGetContext(kernel);
  char *name = tt_arena_str(arena, tt_symbol_name(kernel)),
       *inner = tt_arena_printf(arena, "%s_0", name);
  TtBuilder after = tt_builder_after(kernel);
  MlirOperation host = tt_builder_insert(&after, mlirOperationClone(kernel));
  MlirBlock body = tt_body(host);
  TtOps old = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !tt_op_is(op, "func.return");
       op = tt_next(op))
    tt_ops_add(arena, &old, op);
  for (intptr_t i = old.n; i-- > 0;) mlirOperationDestroy(old.data[i]);
  inner = tt_take_grid_notes(arena, first_grid(kernel), kernel, inner);
  tt_remove_attr(host, "tt.kernel");
  tt_set_attr(host, "tt.host", mlirUnitAttrGet(context));
  mlirOperationSetInherentAttributeByName(kernel, tt_str("sym_name"),
                                          tt_string_attr(context, inner));
  TtOpState call = tt_op_state("func.call", mlirOperationGetLocation(kernel));
  tt_op_state_attr(&call, context, "callee", mlirFlatSymbolRefAttrGet(context, tt_str(inner)));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    tt_op_state_operand(&call, mlirBlockGetArgument(body, i));
  TtBuilder b = tt_builder_at_terminator(body);
  tt_builder_insert(&b, tt_op_state_finish(&call));
}

static intptr_t num_grids(MlirOperation func) {
  intptr_t n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(func)); !mlirOperationIsNull(op);
       op = tt_next(op))
    n += tt_op_is(op, "scf.forall");
  return n;
}

/* Whether ops only write `view`, several of them one after the other, or one that fills it: what
 * they leave there meanwhile belongs into the core. */
static bool is_built_up(MlirValue view) {
  intptr_t users = 0;
  bool fills = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(view); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use), ++users) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tt_is_linalg(user) || mlirOpOperandGetOperandNumber(use) < tt_linalg_num_inputs(user))
      return false;
    fills = fills || tt_op_is(user, "linalg.fill");
  }
  return users > 1 || fills;
}

/* The op of the grid in which `view` is used last. */
static MlirOperation last_use(MlirOperation grid, MlirValue view) {
  MlirOperation last = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(view); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation at = tt_ancestor_in(tt_body(grid), mlirOpOperandGetOwner(use));
    if (mlirOperationIsNull(last) || tt_is_before(last, at)) last = at;
  }
  return last;
}

/* A buffer of the core for what is built up in a block of a tensor, which is copied there when it
 * is complete. Blocks of dynamic sizes stay as they are. */
static void build_in_core(TtArena *arena, MlirOperation grid) {
  TtOps views = tt_collect(arena, grid, "memref.subview");
  for (intptr_t i = 0; i < views.n; ++i) {
    MlirOperation subview = views.data[i];
    MlirLocation loc = mlirOperationGetLocation(subview);
    MlirValue view = mlirOperationGetResult(subview, 0);
    MlirType type = mlirValueGetType(view);
    intptr_t rank = mlirShapedTypeGetRank(type);
    if (!tt_op_eq(tt_parent(subview), grid) || !mlirShapedTypeHasStaticShape(type) ||
        !is_built_up(view))
      continue;
    int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
    for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
    TtBuilder after = tt_builder_after(subview), end = tt_builder_after(last_use(grid, view));
    TtOpState alloc = tt_op_state("memref.alloc", loc);
    tt_op_state_attr(&alloc, after.context, "operandSegmentSizes",
                     mlirDenseI32ArrayGet(after.context, 2, (int32_t[]){0, 0}));
    tt_op_state_result(&alloc, mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank,
                                                           shape, mlirAttributeGetNull()));
    MlirOperation buffer = tt_builder_insert(&after, tt_op_state_finish(&alloc));
    mlirValueReplaceAllUsesOfWith(view, mlirOperationGetResult(buffer, 0));
    TtOpState copy = tt_op_state("memref.copy", loc);
    tt_op_state_operand(&copy, mlirOperationGetResult(buffer, 0));
    tt_op_state_operand(&copy, view);
    tt_builder_insert(&end, tt_op_state_finish(&copy));
  }
}

void tt_prepare_grid(TtArena *arena, MlirOperation grid) {
  if (!mlirAttributeIsNull(tt_op_attr(grid, "mapping"))) /* the compiler places grids itself */
    mlirOperationSetInherentAttributeByName(grid, tt_str("mapping"), mlirAttributeGetNull());
  build_in_core(arena, grid);
}

static bool convert(TtArena *arena, MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  if (mlirFunctionTypeGetNumResults(mlirTypeAttrGetValue(tt_op_attr(func, "function_type"))) > 0)
    return tt_error(func, "a kernel returns nothing, but this model returns values; run "
                          "--tt-write-results before --tt-model-to-kernels");
  TtOps grids = tt_collect(arena, func, "scf.forall");
  for (intptr_t i = 0; i < grids.n; ++i) tt_prepare_grid(arena, grids.data[i]);
  tt_erase_dead(func);
  tt_remove_attr(func, "tt.model");
  tt_set_attr(func, "tt.kernel", mlirUnitAttrGet(context));
  if (num_grids(func) == 1 && tt_collect(arena, func, "memref.get_global").n == 0)
    wrap(arena, func); /* constants have --tt-split-grids make a host function */
  return true;
}

bool tt_run_model_to_kernels(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, convert);
}
