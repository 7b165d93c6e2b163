/*===- fuse_maps.c - --tt-fuse-maps ---------------------------------------------------------===
 *
 * An elementwise op with one user becomes a part of the body of that user, where it computes no
 * element more often than before: never into products, and no row's function for each of its
 * elements. Constants that are one number stand in bodies.
 *
 *   before  %a = linalg.generic ins(%x, %c) { mulf }   %b = linalg.generic ins(%a, %y) { addf }
 *   after   %b = linalg.generic ins(%y, %x) { mulf, addf }
 *
 * Upstream's fusion has no control of this from outside: it pulls what precedes a product into it,
 * and expands shapes on its way.
 *
 * Requires --tt-name-contractions, so that products are none of its ops.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

/*===- Operands ---------------------------------------------------------------------------===*/

/* An input that only says how far loops go, as others do. */
static bool drop_unused(TtArena *arena, MlirOperation op, intptr_t i) {
  if (tt_has_uses(mlirBlockGetArgument(tt_body(op), i)) || !tt_is_bound_without(op, i))
    return false;
  tt_drop_input(arena, op, i);
  return true;
}

/* The number that `op` gives for each element, if it is a constant. */
static MlirValue number_of(MlirOperation op, MlirOperation user) {
  if (tt_op_is(op, "arith.constant")) return tt_number_constant(op, user);
  if (!tt_op_is(op, "linalg.fill")) return (MlirValue){NULL};
  MlirValue number = mlirOperationGetOperand(op, 0);
  return tt_op_is(tt_defining_op(number), "arith.constant") ? number : (MlirValue){NULL};
}

/* An input that is one number becomes a constant of the body. */
static bool inline_constant(TtArena *arena, MlirOperation op, intptr_t i) {
  MlirOperation from = tt_defining_op(mlirOperationGetOperand(op, i));
  if (mlirOperationIsNull(from) || !tt_is_bound_without(op, i)) return false;
  MlirValue number = number_of(from, op);
  if (tt_is_null_value(number)) return false;
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(tt_body(op), i), number);
  tt_drop_input(arena, op, i);
  return true;
}

/*===- Fusion ------------------------------------------------------------------------------===*/

static bool has_one_user(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use)) return false;
  MlirOperation user = mlirOpOperandGetOwner(use);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!tt_op_eq(mlirOpOperandGetOwner(use), user)) return false;
  return true;
}

/* Elementwise, and its output's old value does not matter. */
static bool is_map(MlirOperation op) {
  if (!tt_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) != 1) return false;
  intptr_t inputs = tt_linalg_num_inputs(op);
  MlirAffineMap out = tt_indexing_map(op, inputs);
  return mlirAffineMapIsPermutation(out) && !tt_has_uses(mlirBlockGetArgument(tt_body(op), inputs));
}

/* Bodies that ask for the index of a loop keep their own loops, and so do those that load. */
static bool asks_index(TtArena *arena, MlirOperation op) {
  return tt_collect(arena, op, "linalg.index").n > 0 || tt_loads_elements(arena, op);
}

/* Whether `producer` may go into `op`: where that loads elements, only what computes at which
 * indices, since its rows are copied as they are. */
static bool suits(TtArena *arena, MlirOperation op, MlirOperation producer) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(producer, 0));
  return mlirTypeIsAInteger(mlirShapedTypeGetElementType(type)) || !tt_loads_elements(arena, op);
}

/* Map `in` of the producer, over the consumer's loops. */
static MlirAffineMap over_consumer(TtArena *arena, MlirAffineMap in, MlirAffineMap out,
                                   MlirAffineMap use) {
  intptr_t loops = mlirAffineMapGetNumDims(out);
  MlirAffineExpr *replacement = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *replacement);
  for (intptr_t p = 0; p < loops; ++p)
    replacement[tt_map_loop(out, p)] = mlirAffineMapGetResult(use, p);
  intptr_t rank = mlirAffineMapGetNumResults(in);
  MlirAffineExpr *results = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *results);
  MlirAffineMap by = mlirAffineMapGet(mlirAffineMapGetContext(in), mlirAffineMapGetNumDims(use), 0,
                                      loops, replacement);
  for (intptr_t r = 0; r < rank; ++r)
    results[r] = mlirAffineExprCompose(mlirAffineMapGetResult(in, r), by);
  return mlirAffineMapGet(mlirAffineMapGetContext(in), mlirAffineMapGetNumDims(use), 0, rank,
                          results);
}

/* Copies the producer's body to the start of the consumer's block, with these arguments;
 * returns what it yields. */
static MlirValue copy_body(MlirOperation producer, MlirBlock block, intptr_t first_arg) {
  MlirOperation clone = mlirOperationClone(producer); /* a body to take apart */
  MlirBlock body = tt_body(clone);
  for (intptr_t i = 0; i < tt_linalg_num_inputs(producer); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i),
                                  mlirBlockGetArgument(block, first_arg + i));
  MlirOperation before = mlirBlockGetFirstOperation(block), yield = mlirBlockGetTerminator(body);
  MlirValue value = mlirOperationGetOperand(yield, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !tt_op_eq(op, yield); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, before);
  }
  mlirOperationDestroy(clone);
  return value;
}

static bool fuse(TtArena *arena, MlirOperation op, intptr_t i) {
  MlirOperation producer = tt_defining_op(mlirOperationGetOperand(op, i));
  if (mlirOperationIsNull(producer) ||
      !mlirBlockEqual(mlirOperationGetBlock(producer), mlirOperationGetBlock(op)) ||
      !is_map(producer) || asks_index(arena, producer) || !suits(arena, op, producer) ||
      !has_one_user(mlirOperationGetResult(producer, 0)))
    return false;
  MlirAffineMap use = tt_indexing_map(op, i),
                out = tt_indexing_map(producer, tt_linalg_num_inputs(producer));
  bool indices = tt_loads_elements(arena, op); /* one for each row, which is copied whole */
  if (!(indices ? mlirAffineMapIsProjectedPermutation(use) : mlirAffineMapIsPermutation(use)))
    return false; /* would compute elements again */
  intptr_t own = tt_linalg_num_inputs(op), theirs = tt_linalg_num_inputs(producer);
  MlirValue *inputs = tt_arena_alloc(arena, (size_t)(own + theirs) * sizeof *inputs);
  MlirAffineMap *maps = tt_arena_alloc(arena, (size_t)(own + theirs) * sizeof *maps);
  MlirBlock block = tt_body(op);
  for (intptr_t j = 0; j < own; ++j) {
    inputs[j] = mlirOperationGetOperand(op, j);
    maps[j] = tt_indexing_map(op, j);
  }
  for (intptr_t j = 0; j < theirs; ++j) {
    inputs[own + j] = mlirOperationGetOperand(producer, j);
    maps[own + j] = over_consumer(arena, tt_indexing_map(producer, j), out, use);
    MlirType type = mlirValueGetType(mlirBlockGetArgument(tt_body(producer), j));
    mlirBlockInsertArgument(block, own + j, type, mlirOperationGetLocation(producer));
  }
  MlirValue value = copy_body(producer, block, own);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(block, i), value);
  tt_set_inputs(arena, op, own + theirs, inputs, maps);
  tt_drop_input(arena, op, i);
  return true;
}

static bool fuse_all(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (tt_is_product(op) || mlirOperationGetNumResults(op) != 1) continue;
    for (intptr_t j = 0; j < tt_linalg_num_inputs(op);) {
      bool done = drop_unused(arena, op, j) || inline_constant(arena, op, j) || fuse(arena, op, j);
      j = done ? 0 : j + 1;
    }
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_fuse_maps(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, fuse_all);
}
