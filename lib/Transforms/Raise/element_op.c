/*===- element_op.c - one store in a nest of loops, as a linalg op ------------------------------===
 *
 *   for %i { for %j { store f(load %A[%i, %j], load %B[%j]), %C[%i, %j] } }
 * = linalg.generic (i, j) -> (i, j), (j), (i, j)
 *
 *   for %i { for %k { store load %C[%i] + load %A[%i, %k], %C[%i] } }
 * = linalg.generic (i, k) -> (i, k), (i), with k a reduction
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

#include "Analysis/index_expr.h"

#include "mlir-c/Dialect/Linalg.h"

enum { MAX_OPERANDS = 12 };

typedef struct Maker {
  const TtNest *nest;
  MlirOperation store;
  TtElement out, in[MAX_OPERANDS];
  intptr_t num_in;
  bool reads_out, makes;
  /* While the body is made: what values of the nest are there. */
  MlirValue from[256], to[256];
  int known;
  MlirBlock body;
} Maker;

/*===- Loops and places ----------------------------------------------------------------------===*/

static bool is_in(MlirOperation top, MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = tt_parent(op))
    if (tt_op_eq(op, top)) return true;
  return false;
}

static bool is_defined_in(MlirOperation top, MlirValue value) {
  return is_in(top, mlirValueIsABlockArgument(value)
                        ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                        : tt_defining_op(value));
}

const char *tt_nest_around(TtArena *arena, MlirOperation top, MlirOperation op, TtNest *nest) {
  *nest = (TtNest){.arena = arena, .top = top};
  TtOps around = {NULL, 0, 0};
  for (MlirOperation p = tt_parent(op);; p = tt_parent(p)) {
    tt_ops_add(arena, &around, p);
    if (tt_op_eq(p, top)) break;
  }
  if (around.n > TT_NEST_LOOPS) return "there are too many loops in each other";
  for (intptr_t i = around.n; i-- > 0;) {
    MlirOperation loop = around.data[i];
    int64_t upper, step;
    intptr_t at = nest->n++;
    if (!tt_op_is(loop, "scf.for")) return "something other than a counted loop is around a store";
    nest->loops[at] = loop;
    MlirValue end = mlirOperationGetOperand(loop, 1);
    if (!tt_constant(mlirOperationGetOperand(loop, 0), &nest->lower[at]))
      return "a loop starts at no constant";
    if (!tt_constant(mlirOperationGetOperand(loop, 2), &step) || step != 1)
      return "a loop does not go on by 1";
    nest->size[at] = (MlirValue){NULL};
    if (tt_constant(end, &upper)) nest->extent[at] = upper - nest->lower[at];
    else if (nest->lower[at] != 0 || is_defined_in(top, end)) return "the size of a loop changes";
    else nest->extent[at] = -1, nest->size[at] = end;
    if (nest->extent[at] == 0) return "a loop has no step";
  }
  return NULL;
}

/* Dimension `d` of a load (store) is its index there. */
static MlirValue index_at(MlirOperation op, intptr_t d) {
  return mlirOperationGetOperand(op, d + 1 + tt_op_is(op, "memref.store"));
}

const char *tt_element_of(const TtNest *nest, MlirOperation op, TtElement *e) {
  *e = (TtElement){.op = op, .memref = mlirOperationGetOperand(op, tt_op_is(op, "memref.store"))};
  e->rank = mlirShapedTypeGetRank(mlirValueGetType(e->memref));
  if (e->rank > TT_MAX_RANK) return "a tensor has too many dimensions";
  if (is_defined_in(nest->top, e->memref)) return "a buffer or view is made inside of the loops";
  bool used[TT_NEST_LOOPS] = {false};
  for (intptr_t d = 0; d < e->rank; ++d) {
    e->loop[d] = -1;
    for (intptr_t i = 0; i < nest->n; ++i) {
      int64_t factor;
      if (!tt_index_factor(nest->arena, index_at(op, d), tt_for_iv(nest->loops[i]), &factor))
        return "an index is no sum of loop variables";
      if (factor == 0) continue;
      if (factor != 1) return "an index goes on by more than 1";
      if (e->loop[d] >= 0) return "an index is a sum of two loop variables";
      if (used[i]) return "two dimensions follow one loop variable";
      e->loop[d] = (int)i, used[i] = true;
    }
  }
  return NULL;
}

bool tt_same_element(const TtNest *nest, const TtElement *a, const TtElement *b) {
  if (!tt_value_eq(a->memref, b->memref)) return false;
  for (intptr_t d = 0; d < a->rank; ++d)
    if (!tt_same_index(nest->arena, index_at(a->op, d), index_at(b->op, d))) return false;
  return true;
}

/*===- Values ---------------------------------------------------------------------------------===*/

static MlirValue place_of(Maker *m, TtBuilder *b, MlirValue value);

/* The loop of which `value` is the variable, or -1. */
static int loop_of(const TtNest *nest, MlirValue value) {
  for (int i = 0; i < nest->n; ++i)
    if (tt_value_eq(tt_for_iv(nest->loops[i]), value)) return i;
  return -1;
}

/* Index `value` before the nest, in the first step of all loops. */
static MlirValue first_value(const TtNest *nest, TtBuilder *b, MlirValue value) {
  int loop = loop_of(nest, value);
  if (loop >= 0) return tt_index(b, mlirOperationGetLocation(nest->top), nest->lower[loop]);
  if (!is_defined_in(nest->top, value)) return value;
  MlirOperation op = tt_defining_op(value), copy = mlirOperationClone(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, first_value(nest, b, mlirOperationGetOperand(op, i)));
  if (tt_op_is(op, "arith.addi") && mlirTypeIsAIndex(mlirValueGetType(value))) {
    MlirValue x = mlirOperationGetOperand(copy, 0), y = mlirOperationGetOperand(copy, 1);
    mlirOperationDestroy(copy);
    return tt_add(b, loc, x, y);
  }
  return mlirOperationGetResult(tt_builder_insert(b, copy), 0);
}

/* The value in the body of the op that `value` is in the loops. */
static MlirValue place_of(Maker *m, TtBuilder *b, MlirValue value) {
  for (int i = 0; i < m->known; ++i)
    if (tt_value_eq(m->from[i], value)) return m->to[i];
  MlirValue result = value;
  MlirLocation loc = mlirOperationGetLocation(m->store);
  int loop = loop_of(m->nest, value);
  if (loop >= 0) {
    TtOpState s = tt_op_state("linalg.index", loc);
    tt_op_state_attr(&s, b->context, "dim", tt_i64_attr(b->context, loop));
    tt_op_state_result(&s, mlirIndexTypeGet(b->context));
    result = mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
    result = tt_add(b, loc, result, tt_index(b, loc, m->nest->lower[loop]));
  } else if (is_defined_in(m->nest->top, value)) {
    MlirOperation op = tt_defining_op(value), copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      mlirOperationSetOperand(copy, i, place_of(m, b, mlirOperationGetOperand(op, i)));
    result = mlirOperationGetResult(tt_builder_insert(b, copy), 0);
  }
  if (m->known < 256) m->from[m->known] = value, m->to[m->known++] = result;
  return result;
}

/* Finds the loads that `value` is made of; NULL, or what is in the way. */
static const char *find_loads(Maker *m, MlirValue value, int depth) {
  if (!is_defined_in(m->nest->top, value) || loop_of(m->nest, value) >= 0) return NULL;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) return "a number is carried from step to step";
  if (depth > 64 || mlirOperationGetNumRegions(op) > 0) return "a number comes from a loop inside";
  if (!tt_op_is(op, "memref.load")) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      const char *why = find_loads(m, mlirOperationGetOperand(op, i), depth + 1);
      if (why) return why;
    }
    return NULL;
  }
  TtElement e;
  const char *why = tt_element_of(m->nest, op, &e);
  if (why) return why;
  if (tt_same_element(m->nest, &e, &m->out)) return m->reads_out = true, NULL;
  if (tt_value_eq(e.memref, m->out.memref)) return "a step reads elements that other steps write";
  for (intptr_t i = 0; i < m->num_in; ++i)
    if (tt_same_element(m->nest, &e, &m->in[i])) return NULL;
  if (m->num_in == MAX_OPERANDS) return "a store has too many operands";
  m->in[m->num_in++] = e;
  return NULL;
}

/*===- Views ----------------------------------------------------------------------------------===*/

/* An equal view before `view` in its block, instead of it: ops on one block see that it is one. */
static MlirValue known_view(TtArena *arena, MlirOperation view) {
  static const char *const sizes[] = {"static_offsets", "static_sizes"};
  intptr_t n = mlirOperationGetNumOperands(view);
  MlirValue own = mlirOperationGetResult(view, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(view));
       !tt_op_eq(op, view); op = tt_next(op)) {
    bool same =
        tt_op_is(op, "memref.subview") && mlirOperationGetNumOperands(op) == n &&
        mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), mlirValueGetType(own));
    for (int i = 0; same && i < 2; ++i)
      same = mlirAttributeEqual(tt_op_attr(op, sizes[i]), tt_op_attr(view, sizes[i]));
    for (intptr_t i = 0; same && i < n; ++i) {
      MlirValue a = mlirOperationGetOperand(op, i), b = mlirOperationGetOperand(view, i);
      same = tt_value_eq(a, b) || (i > 0 && tt_same_index(arena, a, b));
    }
    if (!same) continue;
    mlirOperationDestroy(view);
    return mlirOperationGetResult(op, 0);
  }
  return own;
}

/* What an element goes over, as a view of its memref. */
static MlirValue view_of(const TtNest *nest, TtBuilder *b, const TtElement *e) {
  MlirType type = mlirValueGetType(e->memref);
  MlirLocation loc = mlirOperationGetLocation(e->op);
  int64_t offsets[TT_MAX_RANK], sizes[TT_MAX_RANK], ones[TT_MAX_RANK], kept[TT_MAX_RANK], offset;
  MlirValue starts[TT_MAX_RANK], lengths[TT_MAX_RANK];
  intptr_t rank = 0;
  bool whole = true;
  int32_t segments[4] = {1, 0, 0, 0};
  for (intptr_t d = 0; d < e->rank; ++d) {
    int loop = e->loop[d];
    starts[d] = first_value(nest, b, index_at(e->op, d)), ones[d] = 1;
    offsets[d] = tt_constant(starts[d], &offset) ? offset : INT64_MIN;
    sizes[d] = loop < 0 ? 1 : nest->extent[loop] < 0 ? INT64_MIN : nest->extent[loop];
    lengths[d] = loop < 0 ? (MlirValue){NULL} : nest->size[loop];
    if (loop >= 0) kept[rank++] = sizes[d];
    whole &= offsets[d] == 0 && loop >= 0 && sizes[d] == mlirShapedTypeGetDimSize(type, d) &&
             sizes[d] != INT64_MIN;
  }
  if (whole) return e->memref;
  TtOpState s = tt_op_state("memref.subview", loc);
  tt_op_state_operand(&s, e->memref);
  for (intptr_t d = 0; d < e->rank; ++d)
    if (offsets[d] == INT64_MIN) tt_op_state_operand(&s, starts[d]), ++segments[1];
  for (intptr_t d = 0; d < e->rank; ++d)
    if (sizes[d] == INT64_MIN) tt_op_state_operand(&s, lengths[d]), ++segments[2];
  tt_op_state_attr(&s, b->context, "static_offsets",
                   mlirDenseI64ArrayGet(b->context, e->rank, offsets));
  tt_op_state_attr(&s, b->context, "static_sizes",
                   mlirDenseI64ArrayGet(b->context, e->rank, sizes));
  tt_op_state_attr(&s, b->context, "static_strides",
                   mlirDenseI64ArrayGet(b->context, e->rank, ones));
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 4, segments));
  /* The layout: strides of what is kept, and where it starts. */
  int64_t all[TT_MAX_RANK], strides[TT_MAX_RANK], start, at = 0;
  mlirMemRefTypeGetStridesAndOffset(type, all, &start);
  for (intptr_t d = 0, i = 0; d < e->rank; ++d) {
    bool known =
        at != INT64_MIN && start != INT64_MIN && offsets[d] != INT64_MIN && all[d] != INT64_MIN;
    at = known ? at + offsets[d] * all[d] : offsets[d] == 0 ? at : INT64_MIN;
    if (e->loop[d] >= 0) strides[i++] = all[d];
  }
  if (at != INT64_MIN) at = start == INT64_MIN ? INT64_MIN : at + start;
  tt_op_state_result(&s, mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, kept,
                                           mlirStridedLayoutAttrGet(b->context, at, rank, strides),
                                           mlirMemRefTypeGetMemorySpace(type)));
  return known_view(nest->arena, tt_builder_insert(b, tt_op_state_finish(&s)));
}

static MlirAttribute map_of(const TtNest *nest, MlirContext context, const TtElement *e) {
  MlirAffineExpr results[TT_MAX_RANK];
  intptr_t n = 0;
  for (intptr_t d = 0; d < e->rank; ++d)
    if (e->loop[d] >= 0) results[n++] = mlirAffineDimExprGet(context, e->loop[d]);
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, nest->n, 0, n, results));
}

/*===- Ops ------------------------------------------------------------------------------------===*/

static bool runs_along(const TtElement *e, int loop) {
  for (intptr_t d = 0; d < e->rank; ++d)
    if (e->loop[d] == loop) return true;
  return false;
}

/* A sum, or an extreme, of what is there and a term without it. */
static bool is_combination(Maker *m, MlirValue value) {
  static const char *const names[] = {"arith.addf",     "arith.maximumf", "arith.maxnumf",
                                      "arith.minimumf", "arith.minnumf",  "arith.addi"};
  MlirOperation op = tt_defining_op(value);
  bool known = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) known |= tt_op_is(op, names[i]);
  for (intptr_t i = 0; known && i < 2; ++i) {
    MlirOperation old = tt_defining_op(mlirOperationGetOperand(op, i));
    TtElement e;
    if (!tt_op_is(old, "memref.load") || tt_element_of(m->nest, old, &e) ||
        !tt_same_element(m->nest, &e, &m->out))
      continue;
    Maker term = {.nest = m->nest, .store = m->store, .out = m->out};
    return !find_loads(&term, mlirOperationGetOperand(op, 1 - i), 0) && !term.reads_out;
  }
  return false;
}

static const char *check(Maker *m, MlirValue value) {
  const char *why = tt_element_of(m->nest, m->store, &m->out);
  if (!why) why = find_loads(m, value, 0);
  if (why) return why;
  for (int i = 0; i < m->nest->n; ++i) {
    bool along = runs_along(&m->out, i), any = along;
    for (intptr_t j = 0; j < m->num_in; ++j) any |= runs_along(&m->in[j], i);
    if (!along && !is_combination(m, value))
      return "steps of a loop write the same element, and not as a sum or an extreme of all";
    if (!any) return "a loop moves no operand";
  }
  return NULL;
}

static void make_fill(Maker *m, TtBuilder *b, MlirValue value, MlirValue out) {
  TtOpState s = tt_op_state("linalg.fill", mlirOperationGetLocation(m->store));
  tt_op_state_operand(&s, value);
  tt_op_state_operand(&s, out);
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){1, 1}));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation fill = tt_op_state_finish(&s);
  mlirLinalgFillBuiltinNamedOpRegion(fill);
  tt_builder_insert(b, fill);
}

/* Whether the op only moves elements, each to where it is: between a tensor and a buffer, a copy.
 */
static bool is_move(const Maker *m, MlirValue value) {
  MlirType from = m->num_in ? mlirValueGetType(m->in[0].memref) : (MlirType){NULL};
  if (m->num_in != 1 || m->reads_out || !tt_op_is(tt_defining_op(value), "memref.load") ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(from),
                     mlirShapedTypeGetElementType(mlirValueGetType(m->out.memref))))
    return false;
  int in[TT_MAX_RANK], out[TT_MAX_RANK];
  intptr_t n = 0, k = 0;
  for (intptr_t d = 0; d < m->in[0].rank; ++d)
    if (m->in[0].loop[d] >= 0) in[n++] = m->in[0].loop[d];
  for (intptr_t d = 0; d < m->out.rank; ++d)
    if (m->out.loop[d] >= 0) out[k++] = m->out.loop[d];
  bool same = n == k;
  for (intptr_t i = 0; same && i < n; ++i) same = in[i] == out[i];
  return same;
}

static void make(Maker *m, MlirValue value) {
  const TtNest *nest = m->nest;
  TtBuilder b = tt_builder_before(nest->top);
  MlirContext context = b.context;
  MlirLocation loc = mlirOperationGetLocation(m->store), locs[MAX_OPERANDS + 1];
  MlirType types[MAX_OPERANDS + 1];
  MlirAttribute maps[MAX_OPERANDS + 1], kinds[TT_NEST_LOOPS];
  MlirOperation constant = tt_defining_op(value);
  MlirValue out = view_of(nest, &b, &m->out);
  bool given = mlirOperationIsNull(constant) || tt_op_is(constant, "arith.constant");
  if (!is_defined_in(nest->top, value) && given) {
    make_fill(m, &b, value, out);
    return;
  }
  if (tt_op_is(constant, "arith.constant")) {
    MlirOperation copy = tt_builder_insert(&b, mlirOperationClone(constant));
    make_fill(m, &b, mlirOperationGetResult(copy, 0), out);
    return;
  }
  if (is_move(m, value)) {
    TtOpState copy = tt_op_state("memref.copy", loc);
    tt_op_state_operand(&copy, view_of(nest, &b, &m->in[0]));
    tt_op_state_operand(&copy, out);
    tt_builder_insert(&b, tt_op_state_finish(&copy));
    return;
  }
  TtOpState s = tt_op_state("linalg.generic", loc);
  for (intptr_t i = 0; i <= m->num_in; ++i) {
    const TtElement *e = i < m->num_in ? &m->in[i] : &m->out;
    tt_op_state_operand(&s, i < m->num_in ? view_of(nest, &b, e) : out);
    maps[i] = map_of(nest, context, e), locs[i] = loc;
    types[i] = mlirShapedTypeGetElementType(mlirValueGetType(e->memref));
  }
  for (int i = 0; i < nest->n; ++i)
    kinds[i] = mlirAttributeParseGet(context, tt_str(runs_along(&m->out, i)
                                                         ? "#linalg.iterator_type<parallel>"
                                                         : "#linalg.iterator_type<reduction>"));
  tt_op_state_attr(&s, context, "indexing_maps", mlirArrayAttrGet(context, m->num_in + 1, maps));
  tt_op_state_attr(&s, context, "iterator_types", mlirArrayAttrGet(context, nest->n, kinds));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){(int32_t)m->num_in, 1}));
  MlirRegion region = mlirRegionCreate();
  m->body = mlirBlockCreate(m->num_in + 1, types, locs);
  mlirRegionAppendOwnedBlock(region, m->body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  tt_builder_insert(&b, tt_op_state_finish(&s));
  TtBuilder in = tt_builder_at_end(m->body);
  TtOps loads = tt_collect(nest->arena, nest->top, "memref.load");
  for (intptr_t i = 0; i < loads.n && m->known < 256; ++i) { /* are arguments of the body */
    TtElement e;
    if (tt_element_of(nest, loads.data[i], &e)) continue;
    for (intptr_t j = 0; j <= m->num_in; ++j) {
      if (!tt_same_element(nest, &e, j < m->num_in ? &m->in[j] : &m->out)) continue;
      m->from[m->known] = mlirOperationGetResult(loads.data[i], 0);
      m->to[m->known++] = mlirBlockGetArgument(m->body, j);
      break;
    }
  }
  TtOpState yield = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&yield, place_of(m, &in, value));
  tt_builder_insert(&in, tt_op_state_finish(&yield));
}

const char *tt_element_op(const TtNest *nest, MlirOperation store, bool makes) {
  Maker m = {.nest = nest, .store = store};
  MlirValue value = mlirOperationGetOperand(store, 0);
  const char *why = check(&m, value);
  if (!why && makes) make(&m, value);
  return why;
}
