/*===- step_outer_dims.c - --tt-step-outer-dims --------------------------------------------===
 *
 * Ops and copies of more than two dimensions go over the outer ones step by step: a block is a
 * part of one matrix.
 *
 * A window that slides over an operand is stepped, too: one loop of its index stays, so that a step
 * of a convolution is a product of a row of the image and the weights at one place.
 *
 *   before  linalg.batch_matmul ins(%q, %k : 2x32x64, 2x64x32) outs(%c : 2x32x32)
 *   after   scf.for %b = 0 to 2 { linalg.generic (m, n, k) …
 *                                   ins(%q[%b], %k[%b]) outs(%c[%b]) }
 *
 * A sum, or an extreme, over three loops that is no product, as over distances of all pairs, goes
 * over the loop that is summed: each step adds a block of two sides to the output.
 *
 * A reduction by mulf, muli, andi, ori or xori, which nothing combines within a tile, goes over the
 * lines of its block: each is one whole row or column of tiles to the vector unit.
 *
 *   before  linalg.reduce { arith.xori } ins(%x : 40x72) outs(%y : 72) dimensions = [0]
 *   after   scf.for %i = 0 to 40 { linalg.generic (j) ins(%x[%i]) outs(%y) { arith.xori … } }
 *
 * Where one is a buffer of the core, the steps stand one after the other, and each step of the
 * buffer is a buffer of its own. One of (row, head, element) of which views take heads is held as
 * (head, row, element), as is what stands beside it (turn_buffers.c). Views that collapse or expand
 * dimensions become views of what they view, first (slices.c).
 *
 * Requires raised loops. Leaves operands of at most two dimensions, and what it cannot step.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/outer_steps.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Tile/block.h"

#include "mlir-c/Dialect/Linalg.h"

static bool keeps_dim(const TtOuterSteps *s, intptr_t i, intptr_t d) {
  int window = s->index[i][d].window;
  return window < 0 ? false : !s->stepped[window];
}

/* Operand `i` at a step. */
static MlirValue slice_of(const TtOuterSteps *s, TtBuilder *b, intptr_t i, const MlirValue *at) {
  MlirLocation loc = mlirOperationGetLocation(s->op);
  MlirValue memref = mlirOperationGetOperand(s->op, i), from[TT_MAX_RANK];
  MlirType type = mlirValueGetType(memref);
  int64_t sizes[TT_MAX_RANK], steps[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK], less = false;
  if (!tt_is_memref(type)) return memref;
  for (intptr_t d = 0; d < tt_step_rank(s, i); ++d) {
    const TtStepIndex *x = &s->index[i][d];
    from[d] = tt_index(b, loc, x->constant);
    for (int l = 0; l < TT_STEP_LOOPS; ++l)
      if (x->factor[l] != 0 && s->stepped[l])
        from[d] = tt_add(b, loc, from[d], tt_mul(b, loc, at[l], tt_index(b, loc, x->factor[l])));
    keeps[d] = keeps_dim(s, i, d);
    bool whole = keeps[d] && tt_lone_loop(x) >= 0;
    sizes[d] = !keeps[d] ? 1 : whole ? mlirShapedTypeGetDimSize(type, d) : s->extent[x->window];
    steps[d] = keeps[d] ? x->factor[x->window] : 1;
    less |= !whole;
  }
  return less ? tt_strided_subview(b, loc, memref, from, sizes, steps, keeps) : memref;
}

/* The map of operand `i` without the loops that are stepped, and without what they move. */
static MlirAttribute map_without(const TtOuterSteps *s, intptr_t i) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(s->op);
  MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr dims[TT_STEP_LOOPS], results[TT_MAX_RANK];
  intptr_t loops = 0, n = 0;
  for (intptr_t l = 0; l < mlirAffineMapGetNumDims(map); ++l)
    dims[l] = mlirAffineDimExprGet(context, s->stepped[l] ? 0 : loops++);
  for (intptr_t d = 0; d < tt_step_rank(s, i); ++d)
    if (keeps_dim(s, i, d)) results[n++] = dims[s->index[i][d].window];
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, loops, 0, n, results));
}

/* linalg.index of a loop is its step, or has another number. */
static void renumber(TtArena *arena, const TtOuterSteps *s, MlirOperation generic,
                     const MlirValue *at) {
  TtOps ops = tt_collect(arena, generic, "linalg.index");
  for (intptr_t i = 0; i < ops.n; ++i) {
    int64_t dim = tt_int(tt_op_attr(ops.data[i], "dim")), before = 0;
    for (int64_t l = 0; l < dim; ++l) before += s->stepped[l];
    if (s->stepped[dim]) tt_replace(ops.data[i], at[dim]);
    else
      mlirOperationSetInherentAttributeByName(
          ops.data[i], tt_str("dim"), tt_i64_attr(mlirOperationGetContext(generic), dim - before));
  }
}

static void copy(TtBuilder *b, MlirLocation loc, MlirValue from, MlirValue to) {
  TtOpState s = tt_op_state("memref.copy", loc);
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

static void make_step(TtArena *arena, const TtOuterSteps *s, TtBuilder *b, const MlirValue *at) {
  MlirLocation loc = mlirOperationGetLocation(s->op);
  MlirValue slices[TT_STEP_OPERANDS];
  for (intptr_t i = 0; i < s->operands; ++i)
    slices[i] = i + 1 == s->operands && !tt_is_null_value(s->out) ? s->out
                : tt_is_unused_operand(s, i) ? mlirOperationGetOperand(s->op, i)
                                             : slice_of(s, b, i, at);
  if (s->copy && tt_op_is(s->op, "linalg.copy")) {
    tt_linalg_copy(b, loc, slices[0], slices[1]);
    return;
  }
  if (s->copy) {
    copy(b, loc, slices[0], slices[1]);
    return;
  }
  TtOpState op = tt_op_state("linalg.generic", loc);
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(s->op), own[TT_STEP_OPERANDS],
                kinds[TT_STEP_LOOPS];
  intptr_t inputs = 0, n = 0, loops = 0,
           all =
               mlirAffineMapGetNumDims(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 0)));
  for (intptr_t i = 0; i < s->operands; ++i) {
    if (tt_is_unused_operand(s, i)) continue;
    inputs += i < tt_linalg_num_inputs(s->op);
    tt_op_state_operand(&op, slices[i]);
    own[n++] = map_without(s, i);
  }
  for (int l = 0; l < all && l < TT_STEP_LOOPS; ++l)
    if (!s->stepped[l])
      kinds[loops++] = mlirAttributeParseGet(
          b->context, tt_str(tt_is_parallel_step(s, l) ? "#linalg.iterator_type<parallel>"
                                                       : "#linalg.iterator_type<reduction>"));
  tt_op_state_attr(&op, b->context, "indexing_maps", mlirArrayAttrGet(b->context, n, own));
  tt_op_state_attr(&op, b->context, "iterator_types", mlirArrayAttrGet(b->context, loops, kinds));
  tt_op_state_attr(
      &op, b->context, "operandSegmentSizes",
      mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){(int32_t)inputs, (int32_t)(n - inputs)}));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&op, 1, &region);
  MlirOperation generic = tt_builder_insert(b, tt_op_state_finish(&op)),
                copy = mlirOperationClone(s->op);
  mlirRegionTakeBody(mlirOperationGetRegion(generic, 0), mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  for (intptr_t i = s->operands; i-- > 0;)
    if (tt_is_unused_operand(s, i)) mlirBlockEraseArgument(tt_body(generic), (unsigned)i);
  renumber(arena, s, generic, at);
}

/* Before the steps of a sum, which are all onto one block: what it starts from. */
static void fill_step(TtOuterSteps *s, TtBuilder *b, const MlirValue *at) {
  bool sums = false;
  for (int l = 0; l < TT_STEP_LOOPS; ++l) sums |= s->stepped[l] && !tt_is_parallel_step(s, l);
  if (mlirOperationIsNull(s->fill)) {
    if (sums) s->out = slice_of(s, b, s->operands - 1, at);
    return;
  }
  s->out = slice_of(s, b, s->operands - 1, at);
  MlirOperation fill = mlirOperationClone(s->fill);
  mlirOperationSetOperand(fill, 1, s->out);
  tt_builder_insert(b, fill);
}

/* All steps of the loops from `l` on: first those that move the output, then those of sums. */
static void make_steps(TtArena *arena, TtOuterSteps *s, TtBuilder b, int l, MlirValue *at) {
  MlirLocation loc = mlirOperationGetLocation(s->op);
  if (l == TT_STEP_LOOPS) fill_step(s, &b, at);
  while (l < 2 * TT_STEP_LOOPS &&
         !(s->stepped[l % TT_STEP_LOOPS] &&
           tt_is_parallel_step(s, l % TT_STEP_LOOPS) == (l < TT_STEP_LOOPS))) {
    if (++l == TT_STEP_LOOPS) fill_step(s, &b, at);
  }
  if (l == 2 * TT_STEP_LOOPS) {
    make_step(arena, s, &b, at);
    return;
  }
  int loop = l % TT_STEP_LOOPS;
  if (s->unrolled) {
    for (int64_t i = 0; i < s->extent[loop]; ++i) {
      at[loop] = tt_index(&b, loc, i);
      make_steps(arena, s, b, l + 1, at);
    }
    return;
  }
  at[loop] = tt_counted_loop(&b, loc, s->extent[loop], NULL);
  make_steps(arena, s, b, l + 1, at);
}

/* Whether `op` is the next to work on what `fill` fills, with one output. */
bool tt_starts_sum(MlirOperation fill, MlirOperation op) {
  return tt_op_is(fill, "linalg.fill") && tt_is_linalg(op) && !tt_op_is(op, "linalg.fill") &&
         mlirBlockEqual(mlirOperationGetBlock(fill), mlirOperationGetBlock(op)) &&
         mlirOperationGetNumOperands(op) == tt_linalg_num_inputs(op) + 1 &&
         tt_value_eq(mlirOperationGetOperand(fill, 1),
                     mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1));
}

static bool touches(TtArena *arena, MlirOperation op, MlirValue root) {
  TtOps all = tt_collect(arena, op, NULL);
  tt_ops_add(arena, &all, op);
  for (intptr_t i = 0; i < all.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(all.data[i]); ++j) {
      MlirValue operand = mlirOperationGetOperand(all.data[i], j);
      if (tt_is_memref(mlirValueGetType(operand)) && tt_value_eq(tt_view_root(operand), root))
        return true;
    }
  return false;
}

/* A tensor's block that is filled is so right before the sum onto it. */
void tt_sink_fills(TtArena *arena, MlirOperation kernel) {
  TtOps fills = tt_collect(arena, kernel, "linalg.fill");
  for (intptr_t i = 0; i < fills.n; ++i) {
    MlirValue root = tt_view_root(mlirOperationGetOperand(fills.data[i], 1));
    MlirOperation op = tt_next(fills.data[i]);
    if (!mlirValueIsABlockArgument(root)) continue;
    while (!mlirOperationIsNull(op) && !(tt_is_linalg(op) && touches(arena, op, root)) &&
           (mlirOperationGetNumResults(op) > 0 || !touches(arena, op, root)))
      op = tt_next(op);
    if (!mlirOperationIsNull(op) && tt_starts_sum(fills.data[i], op))
      mlirOperationMoveBefore(fills.data[i], op);
  }
}

/* The outermost of the loops around `op` in all of which it adds to the one block `out`, that
 * nothing else in them touches; `op` where there is none. */
static MlirOperation loops_of_sum(TtArena *arena, MlirOperation op, MlirValue out) {
  MlirValue root = tt_view_root(out);
  for (MlirOperation loop = tt_parent(op); tt_op_is(loop, "scf.for"); loop = tt_parent(loop)) {
    bool others = mlirOperationGetNumResults(loop) > 0 || tt_is_defined_in(loop, out);
    for (MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(loop));
         !others && !mlirOperationIsNull(in); in = tt_next(in))
      others = !tt_op_eq(in, op) && mlirOperationGetNumResults(in) == 0 && touches(arena, in, root);
    if (others) return op;
    op = loop;
  }
  return op;
}

/* The fill of all of `out` that stands before `op`, and nothing that touches it between; or null.
 */
static MlirOperation fill_of(TtArena *arena, MlirOperation op, MlirValue out) {
  MlirOperation found = {NULL};
  for (MlirOperation p = mlirBlockGetFirstOperation(mlirOperationGetBlock(op)); !tt_op_eq(p, op);
       p = tt_next(p)) {
    if (mlirOperationGetNumResults(p) > 0 || !touches(arena, p, tt_view_root(out))) continue;
    bool fills = tt_op_is(p, "linalg.fill") && tt_value_eq(mlirOperationGetOperand(p, 1), out);
    found = fills ? p : (MlirOperation){NULL};
  }
  return found;
}

/* A sum that goes on in steps is one of a buffer of the core, where its output is a tensor's: also
 * through loops around it, as over the places of a window. */
static void sum_in_buffer(TtArena *arena, MlirOperation op, bool filled) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  MlirValue out = mlirOperationGetOperand(op, last), sizes[TT_MAX_RANK];
  MlirType type = mlirValueGetType(out);
  MlirLocation loc = mlirOperationGetLocation(op);
  if (tt_is_core_buffer(out)) return;
  int64_t shape[TT_MAX_RANK];
  int32_t open = 0;
  MlirOperation sum = filled ? op : loops_of_sum(arena, op, out),
                fill = filled ? (MlirOperation){NULL} : fill_of(arena, sum, out);
  TtBuilder b = tt_builder_before(mlirOperationIsNull(fill) ? sum : fill),
            after = tt_builder_after(sum);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    shape[d] = mlirShapedTypeGetDimSize(type, d);
    if (!mlirShapedTypeIsDynamicDim(type, d)) continue;
    sizes[open] = tt_dynamic_size(&b, loc, out, d);
    if (tt_index_bound(sizes[open++]) < 0) return; /* no room is known to do */
  }
  TtOpState s = tt_op_state("memref.alloc", loc);
  for (int32_t i = 0; i < open; ++i) tt_op_state_operand(&s, sizes[i]);
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){open, 0}));
  MlirAttribute space = mlirAttributeParseGet(b.context, tt_str("#gpu.address_space<private>"));
  tt_op_state_result(&s, mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type),
                                                     mlirShapedTypeGetRank(type), shape, space));
  MlirValue buffer = mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
  if (!mlirOperationIsNull(fill)) mlirOperationSetOperand(fill, 1, buffer);
  else if (!filled) copy(&b, loc, out, buffer);
  copy(&after, loc, buffer, out);
  mlirOperationSetOperand(op, last, buffer);
}

bool tt_step_outer(TtArena *arena, MlirOperation op, MlirOperation fill, bool deep_sums) {
  TtOuterSteps s;
  MlirValue at[TT_STEP_LOOPS];
  if (!tt_find_outer_steps(op, deep_sums, &s)) return false;
  s.fill = fill;
  if (deep_sums) sum_in_buffer(arena, op, !mlirOperationIsNull(fill));
  make_steps(arena, &s, tt_builder_before(op), 0, at);
  mlirOperationDestroy(op);
  if (!mlirOperationIsNull(fill)) mlirOperationDestroy(fill);
  return true;
}

static void step_ops(TtArena *arena, MlirOperation kernel, bool deep_sums) {
  TtOps ops = tt_collect(arena, kernel, NULL), work = {NULL, 0, 0};
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_copy(ops.data[i]) ||
        (tt_is_linalg(ops.data[i]) && !tt_is_linalg(tt_parent(ops.data[i]))))
      tt_ops_add(arena, &work, ops.data[i]);
  for (intptr_t i = 0; i < work.n; ++i) {
    MlirOperation fill = {NULL};
    if (i + 1 < work.n && tt_starts_sum(work.data[i], work.data[i + 1])) fill = work.data[i++];
    tt_step_outer(arena, work.data[i], fill, deep_sums);
  }
}

/* Whether no other op in the kernel works on what `op` does. */
static bool is_alone(TtArena *arena, MlirOperation kernel, MlirOperation op, MlirValue root) {
  TtOps all = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation other = all.data[i];
    bool works = tt_is_linalg(other) || mlirOperationGetNumRegions(other) == 0;
    if (works && !tt_op_eq(op, other) && mlirOperationGetNumResults(other) == 0 &&
        touches(arena, other, root))
      return false;
  }
  return true;
}

/* Whether an op without sums adds to what a tensor's block holds, over and over in loops. */
static bool goes_on(TtArena *arena, MlirOperation kernel, MlirOperation op) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  MlirValue out = mlirOperationGetOperand(op, last);
  MlirAttribute kinds = tt_op_attr(op, "iterator_types");
  MlirAttribute sums = mlirAttributeParseGet(mlirOperationGetContext(op),
                                             tt_str("#linalg.iterator_type<reduction>"));
  if (tt_linalg_num_inputs(op) != last || !mlirValueIsABlockArgument(tt_view_root(out)) ||
      !tt_has_uses(mlirBlockGetArgument(tt_body(op), last)))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(kinds); ++i)
    if (mlirAttributeEqual(mlirArrayAttrGetElement(kinds, i), sums)) return false;
  return !tt_op_eq(loops_of_sum(arena, op, out), op) &&
         is_alone(arena, kernel, op, tt_view_root(out));
}

static bool step(TtArena *arena, MlirOperation kernel) {
  tt_squeeze_buffers(arena, kernel);
  tt_fold_reshapes(arena, kernel);
  tt_turn_buffers(arena, kernel);
  tt_sink_fills(arena, kernel);
  step_ops(arena, kernel, false);
  step_ops(arena, kernel, true); /* which of them are products is seen now */
  TtOps generics = tt_collect(arena, kernel, "linalg.generic");
  for (intptr_t i = 0; i < generics.n; ++i)
    if (goes_on(arena, kernel, generics.data[i])) sum_in_buffer(arena, generics.data[i], false);
  tt_fold_steps(arena, kernel);
  tt_fold_reshapes(arena, kernel); /* steps of buffers that were squeezed */
  tt_erase_dead(kernel);
  tt_split_buffers(arena, kernel);
  return true;
}

bool tt_run_step_outer_dims(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, step);
}
