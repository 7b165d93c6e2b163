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
 * Where one is a buffer of the core, the steps stand one after the other, and each step of the
 * buffer is a buffer of its own. Views that collapse or expand dimensions become views of what
 * they view, first (slices.c).
 *
 * Requires raised loops. Leaves operands of at most two dimensions, and what it cannot step.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Tile/block.h"

#include "mlir-c/Dialect/Linalg.h"

enum { MAX_LOOPS = 12, MAX_OPERANDS = 16 };

/* An index of an operand: a sum of loops times constants. Of those that are not stepped, one is
 * left at most, times 1, or, of a tensor, times a stride: the dimension is then a window of its
 * extent. */
typedef struct Index {
  int64_t factor[MAX_LOOPS], constant;
  int window; /* that loop, or -1 */
} Index;

typedef struct Step {
  MlirOperation op;
  intptr_t loops, operands;
  bool copy, stepped[MAX_LOOPS], unrolled;
  int64_t extent[MAX_LOOPS];
  Index index[MAX_OPERANDS][TT_MAX_RANK]; /* along each dimension of an operand */
  MlirOperation fill; /* where not null, what the output starts from, in each step */
  MlirValue out;      /* the output at that step, once it is filled */
} Step;

static bool is_core_buffer(MlirValue memref) {
  MlirOperation op = tt_defining_op(tt_view_root(memref));
  return tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca");
}

/* Adds `by` times an expression; false where it is no sum of loops. */
static bool add_expr(Index *x, MlirAffineExpr e, int64_t by) {
  if (mlirAffineExprIsADim(e)) {
    intptr_t loop = mlirAffineDimExprGetPosition(e);
    if (loop < MAX_LOOPS) x->factor[loop] += by;
    return loop < MAX_LOOPS;
  }
  if (mlirAffineExprIsAConstant(e)) {
    x->constant += by * mlirAffineConstantExprGetValue(e);
    return true;
  }
  bool sum = mlirAffineExprIsAAdd(e);
  if (!sum && !mlirAffineExprIsAMul(e)) return false;
  MlirAffineExpr a = mlirAffineBinaryOpExprGetLHS(e), b = mlirAffineBinaryOpExprGetRHS(e);
  if (sum) return add_expr(x, a, by) && add_expr(x, b, by);
  return mlirAffineExprIsAConstant(b) && add_expr(x, a, by * mlirAffineConstantExprGetValue(b));
}

static bool read_index(Step *s, intptr_t i, intptr_t d) {
  Index *x = &s->index[i][d];
  *x = (Index){.window = -1};
  if (s->copy) {
    x->factor[d] = 1;
    return true;
  }
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(s->op);
  MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
  return add_expr(x, mlirAffineMapGetResult(map, d), 1);
}

static bool has_maps(MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  return !mlirAttributeIsNull(maps) && mlirArrayAttrGetNumElements(maps) > 0 &&
         mlirOperationGetNumRegions(op) == 1 &&
         mlirArrayAttrGetNumElements(maps) == mlirOperationGetNumOperands(op);
}

static intptr_t rank_of(const Step *s, intptr_t i) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(s->op, i));
  return tt_is_memref(type) ? mlirShapedTypeGetRank(type) : 0;
}

/* The loop that an index is, alone, or -1. */
static int lone_loop(const Index *x) {
  int loop = -1;
  for (int l = 0; l < MAX_LOOPS; ++l) {
    if (x->factor[l] == 0) continue;
    if (x->factor[l] != 1 || loop >= 0) return -1;
    loop = l;
  }
  return x->constant == 0 ? loop : -1;
}

/* Reads the indices of all operands and the extents of loops; false where an index is no sum. */
static bool read_indices(Step *s) {
  for (intptr_t i = 0; i < s->operands; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(s->op, i));
    if (rank_of(s, i) > TT_MAX_RANK) return false;
    for (intptr_t d = 0; d < rank_of(s, i); ++d) {
      if (!read_index(s, i, d)) return false;
      int loop = lone_loop(&s->index[i][d]);
      if (loop >= 0 && !mlirShapedTypeIsDynamicDim(type, d))
        s->extent[loop] = mlirShapedTypeGetDimSize(type, d);
    }
  }
  return true;
}

static bool is_parallel(const Step *s, int loop) {
  for (intptr_t i = tt_linalg_num_inputs(s->op); i < s->operands; ++i)
    for (intptr_t d = 0; d < rank_of(s, i); ++d)
      if (s->index[i][d].factor[loop] != 0) return true;
  return false;
}

/* Where an index has several loops, one of them may slide along: the first that moves the output,
 * by one, or by several elements of a tensor. The others are stepped. */
static bool step_sums(Step *s) {
  bool any = false;
  for (intptr_t i = 0; i < s->operands; ++i)
    for (intptr_t d = 0; d < rank_of(s, i); ++d) {
      Index *x = &s->index[i][d];
      int window = lone_loop(x);
      bool tensor = !is_core_buffer(mlirOperationGetOperand(s->op, i));
      for (int strided = 0; strided < 2 && window < 0; ++strided) /* rather side by side */
        for (int l = 0; l < MAX_LOOPS && window < 0; ++l)
          if ((strided ? tensor && x->factor[l] > 1 : x->factor[l] == 1) && !s->stepped[l] &&
              is_parallel(s, l))
            window = l;
      for (int l = 0; l < MAX_LOOPS; ++l)
        if (x->factor[l] != 0 && l != window) s->stepped[l] = any = true;
      x->window = window;
      any |= window >= 0 && x->factor[window] > 1; /* a view with a stride */
    }
  return any;
}

/* Whether more than two dimensions of operand `i` are not stepped: the first of them, rather of
 * constant size. */
static int first_of_many(const Step *s, intptr_t i) {
  int first = -1, n = 0;
  for (intptr_t d = 0; d < rank_of(s, i); ++d) {
    int window = s->index[i][d].window;
    if (window < 0 || s->stepped[window]) continue;
    if (n++ == 0 || s->extent[first] <= 0) first = window;
  }
  return n > 2 ? first : -1;
}

/* Of a dimension that is expanded to several, all but the innermost are stepped: a view of a step
 * is then one of what is expanded. */
static bool step_expanded(Step *s) {
  bool any = false;
  for (intptr_t i = 0; i < s->operands; ++i) {
    MlirOperation expand = tt_defining_op(mlirOperationGetOperand(s->op, i));
    if (!tt_op_is(expand, "memref.expand_shape")) continue;
    MlirAttribute groups = tt_op_attr(expand, "reassociation");
    for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
      MlirAttribute group = mlirArrayAttrGetElement(groups, g);
      bool inner = false;
      for (intptr_t k = mlirArrayAttrGetNumElements(group); k-- > 0;) {
        int loop = s->index[i][tt_int(mlirArrayAttrGetElement(group, k))].window;
        if (loop < 0 || s->extent[loop] == 1) continue;
        if (inner && !s->stepped[loop]) s->stepped[loop] = any = true;
        inner = true;
      }
    }
  }
  return any;
}

/* An input that is there for its shape: the window of a pooling. */
static bool is_unused(const Step *s, intptr_t i) {
  return !s->copy && i < tt_linalg_num_inputs(s->op) &&
         !tt_has_uses(mlirBlockGetArgument(tt_body(s->op), i));
}

/* Blocks have two sides: of a sum, or an extreme, that is no product and goes over more, as over
 * distances of all pairs, steps of the sum are taken one by one. They add up in the output. */
static bool step_deep_sum(Step *s) {
  if (s->copy || tt_is_contraction(s->op)) return false;
  int live = 0;
  bool any = false;
  for (int l = 0; l < MAX_LOOPS; ++l) /* 0: what only a run knows, or no loop */
    live += !s->stepped[l] && (s->extent[l] > 1 || (s->extent[l] <= 0 && is_parallel(s, l)));
  for (int l = 0; l < MAX_LOOPS && live > 2; ++l)
    if (!s->stepped[l] && s->extent[l] > 1 && !is_parallel(s, l))
      s->stepped[l] = any = true, --live;
  return any;
}

/* Which loops of `op` are stepped; false where none is, or not all can be. */
static bool find_steps(MlirOperation op, bool deep_sums, Step *s) {
  *s = (Step){.op = op, .copy = tt_is_copy(op), .operands = mlirOperationGetNumOperands(op)};
  bool any = false, deep = false;
  int64_t steps = 1;
  if (s->operands > MAX_OPERANDS || (!s->copy && !has_maps(op)) || !read_indices(s)) return false;
  any = step_sums(s);
  any |= step_expanded(s);
  for (intptr_t i = 0; i < s->operands; ++i) deep |= rank_of(s, i) > 2;
  for (int l = 0; l < MAX_LOOPS && deep; ++l) /* they take no side */
    if (s->extent[l] == 1) s->stepped[l] = any = true;
  for (intptr_t i = s->operands; i-- > 0;) /* the output decides which dimensions are sides */
    for (int l; (l = first_of_many(s, i)) >= 0;) s->stepped[l] = any = true;
  any |= deep_sums && step_deep_sum(s);
  for (intptr_t i = 0; i < s->operands; ++i) /* a buffer that is taken in steps has one for each */
    for (intptr_t d = 0; d < rank_of(s, i); ++d)
      for (int l = 0; l < MAX_LOOPS; ++l)
        s->unrolled |= s->index[i][d].factor[l] != 0 && s->stepped[l] && s->extent[l] != 1 &&
                       !is_unused(s, i) && is_core_buffer(mlirOperationGetOperand(op, i));
  for (intptr_t i = 0; i < s->operands; ++i)
    for (intptr_t d = 0; d < rank_of(s, i); ++d) {
      int window = s->index[i][d].window;
      bool whole = !s->unrolled && lone_loop(&s->index[i][d]) >= 0;
      if (window >= 0 && s->extent[window] <= 0 && !whole) return false;
    }
  for (int l = 0; l < MAX_LOOPS && any; ++l) {
    if (!s->stepped[l]) continue;
    if (s->extent[l] <= 0) return false;
    steps *= s->extent[l];
  }
  return any && !(s->unrolled && steps > TT_MAX_UNROLLED);
}

static bool keeps_dim(const Step *s, intptr_t i, intptr_t d) {
  int window = s->index[i][d].window;
  return window < 0 ? false : !s->stepped[window];
}

/* Operand `i` at a step. */
static MlirValue slice_of(const Step *s, TtBuilder *b, intptr_t i, const MlirValue *at) {
  MlirLocation loc = mlirOperationGetLocation(s->op);
  MlirValue memref = mlirOperationGetOperand(s->op, i), from[TT_MAX_RANK];
  MlirType type = mlirValueGetType(memref);
  int64_t sizes[TT_MAX_RANK], steps[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK], less = false;
  if (!tt_is_memref(type)) return memref;
  for (intptr_t d = 0; d < rank_of(s, i); ++d) {
    const Index *x = &s->index[i][d];
    from[d] = tt_index(b, loc, x->constant);
    for (int l = 0; l < MAX_LOOPS; ++l)
      if (x->factor[l] != 0 && s->stepped[l])
        from[d] = tt_add(b, loc, from[d], tt_mul(b, loc, at[l], tt_index(b, loc, x->factor[l])));
    keeps[d] = keeps_dim(s, i, d);
    bool whole = keeps[d] && lone_loop(x) >= 0;
    sizes[d] = !keeps[d] ? 1 : whole ? mlirShapedTypeGetDimSize(type, d) : s->extent[x->window];
    steps[d] = keeps[d] ? x->factor[x->window] : 1;
    less |= !whole;
  }
  return less ? tt_strided_subview(b, loc, memref, from, sizes, steps, keeps) : memref;
}

/* The map of operand `i` without the loops that are stepped, and without what they move. */
static MlirAttribute map_without(const Step *s, intptr_t i) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(s->op);
  MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr dims[MAX_LOOPS], results[TT_MAX_RANK];
  intptr_t loops = 0, n = 0;
  for (intptr_t l = 0; l < mlirAffineMapGetNumDims(map); ++l)
    dims[l] = mlirAffineDimExprGet(context, s->stepped[l] ? 0 : loops++);
  for (intptr_t d = 0; d < rank_of(s, i); ++d)
    if (keeps_dim(s, i, d)) results[n++] = dims[s->index[i][d].window];
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, loops, 0, n, results));
}

/* linalg.index of a loop is its step, or has another number. */
static void renumber(TtArena *arena, const Step *s, MlirOperation generic, const MlirValue *at) {
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

static void make_step(TtArena *arena, const Step *s, TtBuilder *b, const MlirValue *at) {
  MlirLocation loc = mlirOperationGetLocation(s->op);
  MlirValue slices[MAX_OPERANDS];
  for (intptr_t i = 0; i < s->operands; ++i)
    slices[i] = i + 1 == s->operands && !tt_is_null_value(s->out) ? s->out
                : is_unused(s, i) ? mlirOperationGetOperand(s->op, i)
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
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(s->op), own[MAX_OPERANDS],
                kinds[MAX_LOOPS];
  intptr_t inputs = 0, n = 0, loops = 0,
           all =
               mlirAffineMapGetNumDims(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 0)));
  for (intptr_t i = 0; i < s->operands; ++i) {
    if (is_unused(s, i)) continue;
    inputs += i < tt_linalg_num_inputs(s->op);
    tt_op_state_operand(&op, slices[i]);
    own[n++] = map_without(s, i);
  }
  for (int l = 0; l < all && l < MAX_LOOPS; ++l)
    if (!s->stepped[l])
      kinds[loops++] = mlirAttributeParseGet(
          b->context, tt_str(is_parallel(s, l) ? "#linalg.iterator_type<parallel>"
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
    if (is_unused(s, i)) mlirBlockEraseArgument(tt_body(generic), (unsigned)i);
  renumber(arena, s, generic, at);
}

static void fill_step(Step *s, TtBuilder *b, const MlirValue *at) {
  if (mlirOperationIsNull(s->fill)) return;
  s->out = slice_of(s, b, s->operands - 1, at);
  MlirOperation fill = mlirOperationClone(s->fill);
  mlirOperationSetOperand(fill, 1, s->out);
  tt_builder_insert(b, fill);
}

/* All steps of the loops from `l` on: first those that move the output, then those of sums. */
static void make_steps(TtArena *arena, Step *s, TtBuilder b, int l, MlirValue *at) {
  MlirLocation loc = mlirOperationGetLocation(s->op);
  if (l == MAX_LOOPS) fill_step(s, &b, at);
  while (l < 2 * MAX_LOOPS &&
         !(s->stepped[l % MAX_LOOPS] && is_parallel(s, l % MAX_LOOPS) == (l < MAX_LOOPS))) {
    if (++l == MAX_LOOPS) fill_step(s, &b, at);
  }
  if (l == 2 * MAX_LOOPS) {
    make_step(arena, s, &b, at);
    return;
  }
  int loop = l % MAX_LOOPS;
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
static bool starts_sum(MlirOperation fill, MlirOperation op) {
  return tt_op_is(fill, "linalg.fill") && tt_is_linalg(op) && !tt_op_is(op, "linalg.fill") &&
         mlirBlockEqual(mlirOperationGetBlock(fill), mlirOperationGetBlock(op)) &&
         mlirOperationGetNumOperands(op) == tt_linalg_num_inputs(op) + 1 &&
         tt_value_eq(mlirOperationGetOperand(fill, 1),
                     mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1));
}

/* A sum that goes on in steps is one of a buffer of the core, where its output is a tensor's. */
static void sum_in_buffer(MlirOperation op, bool filled) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  MlirValue out = mlirOperationGetOperand(op, last);
  MlirType type = mlirValueGetType(out);
  MlirLocation loc = mlirOperationGetLocation(op);
  if (is_core_buffer(out) || !mlirShapedTypeHasStaticShape(type)) return;
  int64_t shape[TT_MAX_RANK];
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    shape[d] = mlirShapedTypeGetDimSize(type, d);
  TtBuilder b = tt_builder_before(op), after = tt_builder_after(op);
  MlirAttribute space = mlirAttributeParseGet(b.context, tt_str("#gpu.address_space<private>"));
  type = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type),
                                     mlirShapedTypeGetRank(type), shape, space);
  MlirValue buffer = tt_static_alloc(&b, loc, type);
  if (!filled) copy(&b, loc, out, buffer);
  copy(&after, loc, buffer, out);
  mlirOperationSetOperand(op, last, buffer);
}

static void step_ops(TtArena *arena, MlirOperation kernel, bool deep_sums) {
  TtOps ops = tt_collect(arena, kernel, NULL), work = {NULL, 0, 0};
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_copy(ops.data[i]) ||
        (tt_is_linalg(ops.data[i]) && !tt_is_linalg(tt_parent(ops.data[i]))))
      tt_ops_add(arena, &work, ops.data[i]);
  for (intptr_t i = 0; i < work.n; ++i) {
    Step s;
    MlirValue at[MAX_LOOPS];
    MlirOperation fill = {NULL};
    if (i + 1 < work.n && starts_sum(work.data[i], work.data[i + 1])) fill = work.data[i++];
    if (!find_steps(work.data[i], deep_sums, &s)) continue;
    s.fill = fill;
    if (deep_sums) sum_in_buffer(work.data[i], !mlirOperationIsNull(fill));
    make_steps(arena, &s, tt_builder_before(work.data[i]), 0, at);
    mlirOperationDestroy(work.data[i]);
    if (!mlirOperationIsNull(fill)) mlirOperationDestroy(fill);
  }
}

static bool step(TtArena *arena, MlirOperation kernel) {
  tt_squeeze_buffers(arena, kernel);
  tt_fold_reshapes(arena, kernel);
  step_ops(arena, kernel, false);
  step_ops(arena, kernel, true);   /* which of them are products is seen now */
  tt_fold_reshapes(arena, kernel); /* steps of buffers that were squeezed */
  tt_erase_dead(kernel);
  tt_split_buffers(arena, kernel);
  return true;
}

bool tt_run_step_outer_dims(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, step);
}
