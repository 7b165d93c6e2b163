/*===- step_outer_dims.c - --tt-step-outer-dims --------------------------------------------===
 *
 * Ops and copies of more than two dimensions go over the outer ones step by step: a block is a
 * part of one matrix.
 *
 *   before  linalg.batch_matmul ins(%q, %k : 2x32x64, 2x64x32) outs(%c : 2x32x32)
 *   after   scf.for %b = 0 to 2 { linalg.generic (m, n, k) …
 *                                   ins(%q[%b], %k[%b]) outs(%c[%b]) }
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

enum { MAX_LOOPS = 8, MAX_OPERANDS = 16, MAX_UNROLLED = 64 };

typedef struct Step {
  MlirOperation op;
  intptr_t loops, operands;
  bool copy, stepped[MAX_LOOPS], unrolled;
  int64_t extent[MAX_LOOPS];
  int results[MAX_OPERANDS][TT_MAX_RANK]; /* the loop along each dimension of an operand */
  MlirOperation fill; /* where not null, what the output starts from, in each step */
  MlirValue out;      /* the output at that step, once it is filled */
} Step;

static bool is_core_buffer(MlirValue memref) {
  MlirOperation op = tt_defining_op(tt_view_root(memref));
  return tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca");
}

/* The loop along dimension `d` of operand `i`, or -1. */
static int loop_along(MlirOperation op, bool copy, intptr_t i, intptr_t d) {
  if (copy) return (int)d;
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
  MlirAffineExpr e = mlirAffineMapGetResult(map, d);
  return mlirAffineExprIsADim(e) ? (int)mlirAffineDimExprGetPosition(e) : -1;
}

static bool has_maps(MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  return !mlirAttributeIsNull(maps) && mlirArrayAttrGetNumElements(maps) > 0 &&
         mlirOperationGetNumRegions(op) == 1 &&
         mlirArrayAttrGetNumElements(maps) == mlirOperationGetNumOperands(op);
}

/* Which loops of `op` are stepped; false where none is, or not all can be. */
static bool find_steps(MlirOperation op, Step *s) {
  *s = (Step){.op = op, .copy = tt_is_copy(op), .operands = mlirOperationGetNumOperands(op)};
  bool any = false;
  int64_t steps = 1;
  if (s->operands > MAX_OPERANDS || (!s->copy && !has_maps(op))) return false;
  for (intptr_t i = 0; i < s->operands; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    if (!tt_is_memref(type)) continue;
    intptr_t rank = mlirShapedTypeGetRank(type);
    if (rank > TT_MAX_RANK) return false;
    for (intptr_t d = 0; d < rank; ++d) {
      int loop = s->results[i][d] = loop_along(op, s->copy, i, d);
      bool outer = d < rank - 2;
      if (loop >= MAX_LOOPS || (outer && loop < 0)) return false;
      if (loop < 0) continue;
      if (!mlirShapedTypeIsDynamicDim(type, d)) s->extent[loop] = mlirShapedTypeGetDimSize(type, d);
      s->stepped[loop] |= outer, any |= outer;
    }
  }
  for (intptr_t i = 0; i < s->operands;
       ++i) { /* a buffer that is taken in steps has one for each */
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    for (intptr_t d = 0; tt_is_memref(type) && d < mlirShapedTypeGetRank(type); ++d)
      s->unrolled |=
          s->results[i][d] >= 0 && s->stepped[s->results[i][d]] && is_core_buffer(operand);
  }
  for (int l = 0; l < MAX_LOOPS && any; ++l) {
    if (!s->stepped[l]) continue;
    if (s->extent[l] <= 0) return false;
    steps *= s->extent[l];
  }
  return any && !(s->unrolled && steps > MAX_UNROLLED);
}

/* Operand `i` at a step. */
static MlirValue slice_of(const Step *s, TtBuilder *b, intptr_t i, const MlirValue *at) {
  MlirValue memref = mlirOperationGetOperand(s->op, i);
  MlirType type = mlirValueGetType(memref);
  TtTake takes[TT_MAX_RANK];
  bool less = false;
  if (!tt_is_memref(type)) return memref;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    int loop = s->results[i][d];
    bool one = loop >= 0 && s->stepped[loop];
    takes[d] = (TtTake){!one, one ? at[loop] : (MlirValue){NULL}};
    less |= one;
  }
  return less ? tt_slice(b, mlirOperationGetLocation(s->op), memref, takes) : memref;
}

/* A map without the loops that are stepped, and without what they move. */
static MlirAttribute map_without(const Step *s, MlirAffineMap map) {
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr dims[MAX_LOOPS], results[TT_MAX_RANK];
  intptr_t loops = 0, n = 0;
  for (intptr_t l = 0; l < mlirAffineMapGetNumDims(map); ++l)
    dims[l] = mlirAffineDimExprGet(context, s->stepped[l] ? 0 : loops++);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); ++d) {
    MlirAffineExpr e = mlirAffineMapGetResult(map, d);
    if (!mlirAffineExprIsADim(e)) results[n++] = e;
    else if (!s->stepped[mlirAffineDimExprGetPosition(e)])
      results[n++] = dims[mlirAffineDimExprGetPosition(e)];
  }
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, loops, 0, n, results));
}

static bool is_parallel(const Step *s, int loop) {
  for (intptr_t i = tt_linalg_num_inputs(s->op); i < s->operands; ++i)
    for (intptr_t d = 0;
         d < mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(s->op, i))); ++d)
      if (s->results[i][d] == loop) return true;
  return false;
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

static void make_step(TtArena *arena, const Step *s, TtBuilder *b, const MlirValue *at) {
  MlirLocation loc = mlirOperationGetLocation(s->op);
  TtOpState op = tt_op_state(s->copy ? "memref.copy" : "linalg.generic", loc);
  MlirValue slices[MAX_OPERANDS];
  for (intptr_t i = 0; i < s->operands; ++i)
    slices[i] = i + 1 == s->operands && !tt_is_null_value(s->out) ? s->out : slice_of(s, b, i, at);
  if (s->copy && tt_op_is(s->op, "linalg.copy")) {
    tt_linalg_copy(b, loc, slices[0], slices[1]);
    return;
  }
  for (intptr_t i = 0; i < s->operands; ++i) tt_op_state_operand(&op, slices[i]);
  if (s->copy) {
    tt_builder_insert(b, tt_op_state_finish(&op));
    return;
  }
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(s->op), own[MAX_OPERANDS],
                kinds[MAX_LOOPS];
  intptr_t inputs = tt_linalg_num_inputs(s->op), loops = 0,
           all =
               mlirAffineMapGetNumDims(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 0)));
  for (intptr_t i = 0; i < s->operands; ++i)
    own[i] = map_without(s, mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i)));
  for (int l = 0; l < all && l < MAX_LOOPS; ++l)
    if (!s->stepped[l])
      kinds[loops++] = mlirAttributeParseGet(
          b->context, tt_str(is_parallel(s, l) ? "#linalg.iterator_type<parallel>"
                                               : "#linalg.iterator_type<reduction>"));
  tt_op_state_attr(&op, b->context, "indexing_maps",
                   mlirArrayAttrGet(b->context, s->operands, own));
  tt_op_state_attr(&op, b->context, "iterator_types", mlirArrayAttrGet(b->context, loops, kinds));
  tt_op_state_attr(
      &op, b->context, "operandSegmentSizes",
      mlirDenseI32ArrayGet(b->context, 2,
                           (int32_t[]){(int32_t)inputs, (int32_t)(s->operands - inputs)}));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&op, 1, &region);
  MlirOperation generic = tt_builder_insert(b, tt_op_state_finish(&op)),
                copy = mlirOperationClone(s->op);
  mlirRegionTakeBody(mlirOperationGetRegion(generic, 0), mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
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

/*===- Buffers --------------------------------------------------------------------------------===*/

/* The step that a view of a buffer takes, or takes a part of, at constants, where it drops the
 * first `outer` dimensions; -1 where it does not. */
static int64_t step_of(MlirOperation view, MlirType type, intptr_t outer) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t step = 0;
  if (!tt_op_is(view, "memref.subview") ||
      mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(view, 0))) != rank - outer)
    return -1;
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t offset = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_offsets"), d),
            size = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_sizes"), d);
    if (offset == INT64_MIN || size == INT64_MIN || (d < outer && size != 1)) return -1;
    if (d < outer) step = step * mlirShapedTypeGetDimSize(type, d) + offset;
  }
  return step;
}

/* What `view` takes of the part of a buffer that its step is. */
static MlirValue part_of(MlirOperation view, MlirValue own, intptr_t outer) {
  TtBuilder b = tt_builder_before(view);
  MlirLocation loc = mlirOperationGetLocation(view);
  MlirAttribute offsets = tt_op_attr(view, "static_offsets"),
                all = tt_op_attr(view, "static_sizes");
  MlirValue at[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK], whole = true;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(own)); ++d) {
    int64_t offset = mlirDenseI64ArrayGetElement(offsets, outer + d);
    at[d] = tt_index(&b, loc, offset), sizes[d] = mlirDenseI64ArrayGetElement(all, outer + d);
    keeps[d] = true;
    whole &= offset == 0 && sizes[d] == mlirShapedTypeGetDimSize(mlirValueGetType(own), d);
  }
  return whole ? own : tt_subview(&b, loc, own, at, sizes, keeps);
}

/* The views of a buffer, which all take steps of its first `*outer` dimensions; none where other
 * ops use it as well. */
static TtOps views_of(TtArena *arena, MlirValue buffer, intptr_t *outer) {
  MlirType type = mlirValueGetType(buffer);
  TtOps views = {NULL, 0, 0}, none = {NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (views.n == 0 && tt_op_is(view, "memref.subview"))
      *outer = mlirShapedTypeGetRank(type) -
               mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(view, 0)));
    if (*outer < 1 || step_of(view, type, *outer) < 0) return none;
    tt_ops_add(arena, &views, view);
  }
  return views;
}

/* A buffer of which each op takes a step becomes one for each step. */
static void split_buffer(TtArena *arena, MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  MlirType type = mlirValueGetType(buffer);
  intptr_t rank = mlirShapedTypeGetRank(type), outer = 0;
  int64_t shape[TT_MAX_RANK], steps = 1;
  if (rank < 2 || rank > TT_MAX_RANK || !mlirShapedTypeHasStaticShape(type)) return;
  TtOps views = views_of(arena, buffer, &outer);
  if (views.n == 0 || rank - outer > 2) return;
  for (intptr_t d = 0; d < outer; ++d) steps *= mlirShapedTypeGetDimSize(type, d);
  for (intptr_t d = outer; d < rank; ++d) shape[d - outer] = mlirShapedTypeGetDimSize(type, d);
  if (steps > MAX_UNROLLED) return;
  MlirType part = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank - outer,
                                              shape, mlirMemRefTypeGetMemorySpace(type));
  MlirValue *own = tt_arena_alloc(arena, (size_t)(steps + 1) * sizeof *own);
  TtBuilder b = tt_builder_before(alloc);
  for (int64_t i = 0; i < steps; ++i)
    own[i] = tt_static_alloc(&b, mlirOperationGetLocation(alloc), part);
  for (intptr_t i = 0; i < views.n; ++i) {
    MlirOperation view = views.data[i];
    tt_replace(view, part_of(view, own[step_of(view, type, outer)], outer));
  }
  mlirOperationDestroy(alloc);
}

/* Whether `op` is the next to work on what `fill` fills, with one output. */
static bool starts_sum(MlirOperation fill, MlirOperation op) {
  return tt_op_is(fill, "linalg.fill") && tt_is_linalg(op) && !tt_op_is(op, "linalg.fill") &&
         mlirBlockEqual(mlirOperationGetBlock(fill), mlirOperationGetBlock(op)) &&
         mlirOperationGetNumOperands(op) == tt_linalg_num_inputs(op) + 1 &&
         tt_value_eq(mlirOperationGetOperand(fill, 1),
                     mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1));
}

static bool step(TtArena *arena, MlirOperation kernel) {
  tt_fold_reshapes(arena, kernel);
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
    if (!find_steps(work.data[i], &s)) continue;
    s.fill = fill;
    make_steps(arena, &s, tt_builder_before(work.data[i]), 0, at);
    mlirOperationDestroy(work.data[i]);
    if (!mlirOperationIsNull(fill)) mlirOperationDestroy(fill);
  }
  TtOps allocs = tt_collect(arena, kernel, "memref.alloc");
  for (intptr_t i = 0; i < allocs.n; ++i) split_buffer(arena, allocs.data[i]);
  return true;
}

bool tt_run_step_outer_dims(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, step);
}
