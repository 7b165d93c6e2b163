/*===- split_loads.c - --tt-split-loads ---------------------------------------------------------===
 *
 * What is computed of floats that a body loads is an op after the one that loads them: kernels
 * load elements from tensor to tensor.
 *
 *   before  %y = linalg.generic ins(%ids) outs(%e) {
 *             %v = tensor.extract %table[%i, %j]   %s = arith.mulf %v, %scale   linalg.yield %s }
 *   after   %l = linalg.generic ins(%ids) outs(%0) { tensor.extract %table[%i, %j]   linalg.yield }
 *           %y = linalg.generic ins(%ids, %l) outs(%e) { arith.mulf   linalg.yield }
 *
 * Where a body loads at several places, each is an op of its own; so is what a sum goes over, as
 * the rows that a bag of words adds up. Integers that are loaded are indices of other loads.
 *
 * Requires generalized ops on tensors. Ops whose loops have open sizes stay as they are.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

/* Whether all that a result needs are the loaded elements themselves, of all loops. */
static bool only_loads(MlirOperation op, MlirOperation load) {
  MlirOperation yield = mlirBlockGetTerminator(tt_body(op));
  intptr_t inputs = tt_linalg_num_inputs(op);
  return mlirOperationGetNumOperands(yield) == 1 &&
         tt_value_eq(mlirOperationGetOperand(yield, 0), mlirOperationGetResult(load, 0)) &&
         mlirAffineMapIsPermutation(tt_indexing_map(op, inputs));
}

/* Whether `value` needs what the outputs of `op` held, by `left` values at most. */
static bool needs_output(MlirOperation op, MlirValue value, int *left) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(op)) &&
           mlirBlockArgumentGetArgNumber(value) >= tt_linalg_num_inputs(op);
  MlirOperation from = tt_defining_op(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(from), tt_body(op))) return false;
  if (--*left < 0) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(from); ++i)
    if (needs_output(op, mlirOperationGetOperand(from, i), left)) return true;
  return false;
}

/* The first float that the body loads and goes on with; null where there is none. */
static MlirOperation find_load(TtArena *arena, MlirOperation op) {
  enum { MOST = 1000 };
  TtOps loads = tt_collect(arena, op, "tensor.extract");
  for (intptr_t i = 0; i < loads.n; ++i) {
    int left = MOST;
    MlirValue value = mlirOperationGetResult(loads.data[i], 0);
    if (mlirTypeIsAFloat(mlirValueGetType(value)) && !only_loads(op, loads.data[i]) &&
        !needs_output(op, value, &left))
      return loads.data[i];
  }
  return (MlirOperation){NULL};
}

/* The loads of a body, in order, tell one from the same in a copy of it. */
static MlirOperation same_in(TtArena *arena, MlirOperation copy, MlirOperation op,
                             MlirOperation load) {
  TtOps theirs = tt_collect(arena, op, "tensor.extract"),
        own = tt_collect(arena, copy, "tensor.extract");
  intptr_t i = 0;
  while (!tt_op_eq(theirs.data[i], load)) ++i;
  return own.data[i];
}

/* Moves what a copy of `op` computes for `load` to `block`, whose arguments are the inputs. */
static void take_body(TtArena *arena, MlirOperation op, MlirOperation load, MlirBlock block) {
  MlirOperation copy = mlirOperationClone(op);
  MlirOperation own = same_in(arena, copy, op, load), yield = mlirBlockGetTerminator(tt_body(copy));
  mlirOperationSetOperands(yield, 1, (MlirValue[]){mlirOperationGetResult(own, 0)});
  tt_erase_dead(copy);
  for (intptr_t i = 0; i < tt_linalg_num_inputs(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(tt_body(copy), i),
                                  mlirBlockGetArgument(block, i));
  for (MlirOperation in = mlirBlockGetFirstOperation(tt_body(copy)), next; !mlirOperationIsNull(in);
       in = next) {
    next = tt_next(in);
    mlirOperationRemoveFromParent(in);
    mlirBlockAppendOwnedOperation(block, in);
  }
  mlirOperationDestroy(copy);
}

/* The loops of `op` as dimensions of what is loaded: those that a sum goes over first, then those
 * of the result, so that rows are rows. */
static MlirAffineMap order_of(TtArena *arena, MlirOperation op, intptr_t loops) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAffineMap out = tt_indexing_map(op, tt_linalg_num_inputs(op));
  MlirAffineExpr *dims = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *dims);
  bool *given = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *given);
  intptr_t n = 0, rank = mlirAffineMapGetNumResults(out);
  for (intptr_t r = 0; r < rank; ++r)
    if (tt_map_loop(out, r) >= 0) given[tt_map_loop(out, r)] = true;
  for (intptr_t d = 0; d < loops; ++d)
    if (!given[d]) dims[n++] = mlirAffineDimExprGet(context, d);
  for (intptr_t r = 0; r < rank; ++r)
    if (tt_map_loop(out, r) >= 0) dims[n++] = mlirAffineMapGetResult(out, r);
  return mlirAffineMapGet(context, loops, 0, n, dims);
}

/* A map of the loops of `op` over those of what is loaded. */
static MlirAffineMap over_loaded(TtArena *arena, MlirAffineMap map, MlirAffineMap order) {
  MlirContext context = mlirAffineMapGetContext(map);
  intptr_t loops = mlirAffineMapGetNumDims(order), rank = mlirAffineMapGetNumResults(map);
  MlirAffineExpr *dims = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *dims),
                 *results = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *results);
  for (intptr_t d = 0; d < loops; ++d)
    dims[tt_map_loop(order, d)] = mlirAffineDimExprGet(context, d);
  MlirAffineMap to = mlirAffineMapGet(context, loops, 0, loops, dims);
  for (intptr_t r = 0; r < rank; ++r)
    results[r] = mlirAffineExprCompose(mlirAffineMapGetResult(map, r), to);
  return mlirAffineMapGet(context, loops, 0, rank, results);
}

static void renumber_indices(TtArena *arena, MlirOperation op, MlirAffineMap order) {
  TtOps indices = tt_collect(arena, op, "linalg.index");
  for (intptr_t i = 0; i < indices.n; ++i) {
    intptr_t loop = (intptr_t)tt_int(tt_op_attr(indices.data[i], "dim")), at = 0;
    while (tt_map_loop(order, at) != loop) ++at;
    mlirOperationSetInherentAttributeByName(indices.data[i], tt_str("dim"),
                                            tt_i64_attr(mlirOperationGetContext(op), at));
  }
}

/* The op that loads: its result has a dimension for each loop of `op`, in that order. */
static MlirValue load_apart(TtArena *arena, MlirOperation op, MlirOperation load,
                            MlirAffineMap order, const int64_t *extents) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(load);
  intptr_t inputs = tt_linalg_num_inputs(op), loops = mlirAffineMapGetNumDims(order);
  int64_t *shape = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *shape);
  for (intptr_t d = 0; d < loops; ++d) shape[d] = extents[tt_map_loop(order, d)];
  MlirType element = mlirValueGetType(mlirOperationGetResult(load, 0)),
           type = mlirRankedTensorTypeGet(loops, shape, element, mlirAttributeGetNull());
  MlirAttribute *maps = tt_arena_alloc(arena, (size_t)(inputs + 1) * sizeof *maps),
                *kinds = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *kinds);
  MlirType *types = tt_arena_alloc(arena, (size_t)(inputs + 1) * sizeof *types);
  MlirLocation *locs = tt_arena_alloc(arena, (size_t)(inputs + 1) * sizeof *locs);
  TtOpState s = tt_op_state("linalg.generic", mlirOperationGetLocation(op));
  for (intptr_t i = 0; i <= inputs; ++i) locs[i] = loc;
  for (intptr_t i = 0; i < inputs; ++i) {
    tt_op_state_operand(&s, mlirOperationGetOperand(op, i));
    maps[i] = mlirAffineMapAttrGet(over_loaded(arena, tt_indexing_map(op, i), order));
    types[i] = mlirValueGetType(mlirBlockGetArgument(tt_body(op), i));
  }
  tt_op_state_operand(&s, tt_empty(&b, loc, type));
  maps[inputs] = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(b.context, loops));
  types[inputs] = element;
  for (intptr_t d = 0; d < loops; ++d)
    kinds[d] = mlirAttributeParseGet(b.context, tt_str("#linalg.iterator_type<parallel>"));
  tt_op_state_attr(&s, b.context, "indexing_maps", mlirArrayAttrGet(b.context, inputs + 1, maps));
  tt_op_state_attr(&s, b.context, "iterator_types", mlirArrayAttrGet(b.context, loops, kinds));
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){(int32_t)inputs, 1}));
  tt_op_state_result(&s, type);
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(inputs + 1, types, locs);
  mlirRegionAppendOwnedBlock(region, body);
  take_body(arena, op, load, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation made = tt_builder_insert(&b, tt_op_state_finish(&s));
  renumber_indices(arena, made, order);
  return mlirOperationGetResult(made, 0);
}

/* `op` takes `loaded` as its last input, in the place of what it loads. */
static void take_loaded(TtArena *arena, MlirOperation op, MlirOperation load, MlirAffineMap order,
                        MlirValue loaded) {
  intptr_t n = tt_linalg_num_inputs(op);
  MlirValue *inputs = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *inputs);
  MlirAffineMap *maps = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *maps);
  for (intptr_t i = 0; i < n; ++i) {
    inputs[i] = mlirOperationGetOperand(op, i);
    maps[i] = tt_indexing_map(op, i);
  }
  inputs[n] = loaded;
  maps[n] = order;
  MlirValue element = mlirOperationGetResult(load, 0);
  MlirValue arg = mlirBlockInsertArgument(tt_body(op), n, mlirValueGetType(element),
                                          mlirOperationGetLocation(load));
  tt_replace(load, arg);
  tt_set_inputs(arena, op, n + 1, inputs, maps);
}

static bool split_loads(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i], load;
    intptr_t loops = mlirAffineMapGetNumDims(tt_indexing_map(op, 0));
    int64_t *extents = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *extents);
    if (loops == 0 || !tt_loop_extents(op, loops, extents)) continue;
    MlirAffineMap order = order_of(arena, op, loops);
    if (mlirAffineMapGetNumResults(order) != loops) continue;
    while (load = find_load(arena, op), !mlirOperationIsNull(load))
      take_loaded(arena, op, load, order, load_apart(arena, op, load, order, extents));
    tt_erase_dead(op);
  }
  return true;
}

bool tt_run_split_loads(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, split_loads);
}
