/*===- graph.c - linalg ops of a model ----------------------------------------------------===*/

#include "Transforms/Model/graph.h"

#include "mlir-c/Dialect/Linalg.h"

static void find_extents(TtModelOp *row) {
  for (intptr_t d = 0; d < row->loops; ++d) row->extent[d] = mlirShapedTypeGetDynamicSize();
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(row->op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(row->op, i));
    MlirAffineMap map = tt_indexing_map(row->op, i);
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      int64_t loop = tt_map_loop(map, r);
      if (loop >= 0) row->extent[loop] = mlirShapedTypeGetDimSize(type, r);
    }
  }
}

static TtModelKind kind_of(TtArena *arena, MlirOperation op, const TtModelOp *row) {
  if (tt_op_is(op, "linalg.fill")) return TT_MODEL_FILL;
  if (tt_is_product(op)) return TT_MODEL_PRODUCT;
  if (tt_loads_elements(arena, op)) return TT_MODEL_GATHER;
  for (intptr_t d = 0; d < row->loops; ++d)
    if (!row->parallel[d]) return TT_MODEL_REDUCTION;
  return TT_MODEL_MAP;
}

static void describe(TtArena *arena, MlirOperation op, intptr_t index, TtModelOp *row) {
  static const char *const words[] = {"fill", "map", "gather", "reduction", "product"};
  row->op = op;
  row->loops = mlirAffineMapGetNumDims(tt_indexing_map(op, 0));
  MlirAffineMap out = tt_indexing_map(op, tt_linalg_num_inputs(op));
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(out); ++r)
    if (tt_map_loop(out, r) >= 0) row->parallel[tt_map_loop(out, r)] = true;
  find_extents(row);
  row->kind = kind_of(arena, op, row);
  row->label = tt_arena_printf(arena, "%s%jd", words[row->kind], (intmax_t)index);
}

/* One tensor, or two of the same elements (--tt-part-products). */
static bool has_results(MlirOperation op) {
  intptr_t results = mlirOperationGetNumResults(op), out = tt_linalg_num_inputs(op);
  if (results != 2) return results == 1;
  MlirAffineMap map = tt_indexing_map(op, out);
  return tt_op_is(op, "linalg.generic") && mlirAffineMapIsPermutation(map) &&
         mlirAffineMapEqual(map, tt_indexing_map(op, out + 1)) &&
         !tt_has_uses(mlirBlockGetArgument(tt_body(op), out)) &&
         !tt_has_uses(mlirBlockGetArgument(tt_body(op), out + 1));
}

/* Whether `op` is in a grid that is there before there is a plan (--tt-stream-softmax). */
static bool is_in_grid(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tt_op_is(op, "scf.forall")) op = tt_parent(op);
  return !mlirOperationIsNull(op);
}

/* Of loops that a row has room for; --tt-check-grids refuses the others. */
static bool is_row(MlirOperation op) {
  return tt_is_linalg(op) && !tt_op_is(op, "linalg.index") && has_results(op) && !is_in_grid(op) &&
         !mlirAttributeIsNull(mlirLinalgGetIndexingMapsAttribute(op)) &&
         mlirAffineMapGetNumDims(tt_indexing_map(op, 0)) <= TT_MODEL_LOOPS;
}

int64_t tt_model_usable_l1(MlirOperation func) {
  enum { TAKEN = 3, PARTS = 4 };
  return tt_usable_l1(tt_target_of(func).chip) / PARTS * TAKEN;
}

TtModelGraph tt_model_graph(TtArena *arena, MlirOperation func, intptr_t first, int64_t l1_bytes) {
  TtModelGraph graph = {.func = func,
                        .target = tt_target_of(func),
                        .l1_bytes = l1_bytes,
                        .splits_rows = true,
                        .launch_clk = TT_MODEL_LAUNCH_CLK};
  TtOps all = tt_collect(arena, func, NULL);
  graph.ops = tt_arena_alloc(arena, (size_t)(all.n + 1) * sizeof *graph.ops);
  graph.before = tt_arena_alloc(arena, (size_t)(all.n + 1) * sizeof *graph.before);
  graph.groups = tt_arena_alloc(arena, (size_t)(all.n + 1) * sizeof *graph.groups);
  for (intptr_t i = 0; i < all.n; ++i)
    if (is_row(all.data[i])) {
      describe(arena, all.data[i], first + graph.n, &graph.ops[graph.n]);
      ++graph.n;
    }
  return graph;
}

TtModelGroup *tt_model_kernel(TtModelGraph *graph, intptr_t i) {
  return &graph->groups[graph->num_groups - 1 - i];
}

intptr_t tt_model_producer(const TtModelGraph *graph, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  for (intptr_t i = 0; i < graph->n; ++i)
    if (tt_op_eq(graph->ops[i].op, op)) return i;
  return -1;
}

bool tt_model_is_last(const TtModelOp *op, intptr_t loop) {
  for (intptr_t d = loop + 1; d < op->loops; ++d)
    if (!op->parallel[d]) return false;
  return !op->parallel[loop];
}

int64_t tt_model_block(const TtModelGraph *graph, const TtModelOp *op, intptr_t loop) {
  const TtModelGroup *group = &graph->groups[op->group];
  int64_t extent = op->extent[loop], step = 0;
  if (op->follows[loop] != TT_WHOLE && !group->whole[op->follows[loop]])
    return group->tile[op->follows[loop]];
  if (!op->parallel[loop]) step = tt_model_step(graph, op);
  if (step && !tt_model_is_last(op, loop)) step = 1;
  return step && (extent < 0 || step < extent) ? step : extent;
}

/* The op that gives an operand another shape, or sees a result in one: of an output, where it is
 * the only user; null where there is none. */
static MlirOperation reshape_of(const TtModelOp *op, intptr_t operand) {
  MlirOperation none = {NULL}, other;
  if (operand < tt_linalg_num_inputs(op->op)) {
    other = tt_defining_op(mlirOperationGetOperand(op->op, operand));
    return tt_op_is(other, "tensor.expand_shape") ? other : none;
  }
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) return none;
  other = mlirOpOperandGetOwner(use);
  return tt_op_is(other, "tensor.collapse_shape") ? other : none;
}

void tt_model_matrix_dims(const TtModelOp *op, intptr_t i, intptr_t rank, intptr_t *dims) {
  dims[0] = rank - 1, dims[1] = rank - 2;
  MlirOperation reshape = reshape_of(op, i);
  if (mlirOperationIsNull(reshape)) return;
  MlirAttribute groups = tt_op_attr(reshape, "reassociation");
  intptr_t n = mlirArrayAttrGetNumElements(groups);
  if (n >= 2) dims[1] -= mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, n - 1)) - 1;
}

intptr_t tt_model_row_loops(const TtModelOp *op) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
  intptr_t n = 1;
  if (!mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) &&
      tt_op_is(mlirOpOperandGetOwner(use), "tensor.collapse_shape")) {
    MlirAttribute groups = tt_op_attr(mlirOpOperandGetOwner(use), "reassociation");
    intptr_t last = mlirArrayAttrGetNumElements(groups) - 1;
    if (last >= 0) n = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, last));
  }
  return n < op->loops ? n : op->loops;
}

/* Whether `user`, as it sums, goes through its operand `i` column by column, or row by row, since
 * another of its operands has that loop outside of its matrices: a buffer of the core has no such
 * parts. */
static bool takes_slices(const TtModelOp *user, intptr_t i) {
  MlirAffineMap map = tt_indexing_map(user->op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(user->op); ++j) {
    MlirAffineMap other = tt_indexing_map(user->op, j);
    intptr_t dims[2], results = mlirAffineMapGetNumResults(other);
    tt_model_matrix_dims(user, j, results, dims);
    for (intptr_t r = 0; r < results; ++r)
      for (intptr_t d = rank > 2 ? rank - 2 : 0; d < rank; ++d)
        if (r != dims[0] && r != dims[1] && tt_map_loop(map, d) >= 0 &&
            !user->parallel[tt_map_loop(map, d)] && tt_map_loop(map, d) == tt_map_loop(other, r))
          return true;
  }
  return false;
}

/* Whether a product sums over several loops, of which one is outside of the matrices of its operand
 * `i`, as the lines of an image are: steps go through these one by one, and what the kernel
 * computes itself is there at once. */
static bool sums_outside(const TtModelOp *user, intptr_t i) {
  MlirAffineMap map = tt_indexing_map(user->op, i);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map) - 2; ++r) {
    int64_t loop = tt_map_loop(map, r);
    if (loop >= 0 && !user->parallel[loop] && user->extent[loop] != 1) return true;
  }
  return false;
}

bool tt_model_takes_parts(const TtModelOp *user, intptr_t i) {
  return takes_slices(user, i) || (user->kind == TT_MODEL_PRODUCT && sums_outside(user, i));
}
