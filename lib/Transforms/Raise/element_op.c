/*===- element_op.c - one store in a nest of loops, as a linalg op ------------------------------===
 *
 *   for %i { for %j { store f(load %A[%i, %j], load %B[%j]), %C[%i, %j] } }
 * = linalg.generic (i, j) -> (i, j), (j), (i, j)
 *
 *   for %i { for %k { store load %C[%i] + load %A[%i, %k], %C[%i] } }
 * = linalg.generic (i, k) -> (i, k), (i), with k a reduction
 *
 * A loop that only slides along with others, as one of a window without weights, has an operand of
 * its extent that the body does not take, as linalg's poolings have.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/made_of.h"
#include "Transforms/Raise/elements.h"

enum { MAX_OPERANDS = 12 };

typedef struct Maker {
  const TtNest *nest;
  MlirOperation store;
  TtElement out, in[MAX_OPERANDS];
  intptr_t num_in;
  bool reads_out, makes, slides[TT_NEST_LOOPS];
  /* While the body is made: what values of the nest are there. */
  TtValueMap known;
  TtValues made;
  MlirBlock body;
} Maker;

/*===- Values ---------------------------------------------------------------------------------===*/

static MlirValue place_of(Maker *m, TtBuilder *b, MlirValue value);

/* `value` of the nest is `made` in the body. */
static void learn(Maker *m, MlirValue value, MlirValue made) {
  tt_value_map_set(m->nest->arena, &m->known, value, (int)m->made.n);
  tt_values_add(m->nest->arena, &m->made, made);
}

/* The value in the body of the op that `value` is in the loops. */
static MlirValue place_of(Maker *m, TtBuilder *b, MlirValue value) {
  int known = tt_value_map_get(&m->known, value);
  if (known >= 0) return m->made.data[known];
  MlirValue result = value;
  MlirLocation loc = mlirOperationGetLocation(m->store);
  int loop = tt_loop_of(m->nest, value);
  if (loop >= 0) {
    TtOpState s = tt_op_state("linalg.index", loc);
    tt_op_state_attr(&s, b->context, "dim", tt_i64_attr(b->context, loop));
    tt_op_state_result(&s, mlirIndexTypeGet(b->context));
    result = mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
    result = tt_add(b, loc, result, tt_index(b, loc, m->nest->lower[loop]));
  } else if (tt_is_of_nest(m->nest, value)) {
    MlirOperation op = tt_defining_op(value), copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      mlirOperationSetOperand(copy, i, place_of(m, b, mlirOperationGetOperand(op, i)));
    result = mlirOperationGetResult(tt_builder_insert(b, copy), mlirOpResultGetResultNumber(value));
  }
  learn(m, value, result);
  return result;
}

static bool goes_on(const void *nest, MlirOperation op) {
  return mlirOperationGetNumRegions(op) == 0 && !tt_op_is(op, "memref.load") &&
         tt_is_of_nest((const TtNest *)nest, mlirOperationGetResult(op, 0));
}

/* Notes a load. NULL, or what is in the way. */
static const char *take_load(Maker *m, MlirOperation load) {
  TtElement e;
  const char *why = tt_element_of(m->nest, load, &e);
  if (why) return why;
  if (tt_same_element(m->nest, &e, &m->out)) return m->reads_out = true, NULL;
  if (tt_value_eq(e.memref, m->out.memref) && !tt_never_meet(m->nest, &e, &m->out))
    return "a step reads elements that other steps write";
  for (intptr_t i = 0; i < m->num_in; ++i)
    if (tt_same_element(m->nest, &e, &m->in[i])) return NULL;
  if (m->num_in == MAX_OPERANDS) return "a store has too many operands";
  m->in[m->num_in++] = e;
  return NULL;
}

/* Finds the loads that `value` is made of; NULL, or what is in the way. */
static const char *find_loads(Maker *m, MlirValue value) {
  const char *why = NULL;
  TtValues all = tt_made_of(m->nest->arena, value, goes_on, m->nest);
  for (intptr_t i = 0; !why && i < all.n; ++i) {
    if (!tt_is_of_nest(m->nest, all.data[i]) || tt_loop_of(m->nest, all.data[i]) >= 0) continue;
    MlirOperation op = tt_defining_op(all.data[i]);
    if (mlirOperationIsNull(op)) why = "a number is carried from step to step";
    else if (mlirOperationGetNumRegions(op) > 0) why = "a number comes from a loop inside";
    else if (tt_op_is(op, "memref.load")) why = take_load(m, op);
  }
  return why;
}

/*===- Ops ------------------------------------------------------------------------------------===*/

/* A sum, or an extreme, of what is there and a term without it. */
static bool is_combination(Maker *m, MlirValue value) {
  static const char *const names[] = {
      "arith.addf", "arith.maximumf", "arith.maxnumf", "arith.minimumf", "arith.minnumf",
      "arith.addi", "arith.maxsi",    "arith.minsi",   "arith.maxui",    "arith.minui"};
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
    return !find_loads(&term, mlirOperationGetOperand(op, 1 - i)) && !term.reads_out;
  }
  return false;
}

/* Whether an index follows that loop, and no other one. */
static bool moves_alone(const TtElement *e, int loop) {
  for (intptr_t d = 0; d < e->rank; ++d)
    if (tt_only_loop(e, d) == loop) return true;
  return false;
}

/* Whether a loop of a sum slides over a window of each element of a block: where it moves an index,
 * a loop of the output does so as well, and no other one. */
static bool slides(const Maker *m, int loop) {
  int sides = 0;
  for (int i = 0; i < m->nest->n; ++i) sides += tt_runs_along(&m->out, i);
  if (sides > 2 || m->nest->extent[loop] <= 0) return false;
  for (intptr_t j = 0; j < m->num_in; ++j)
    for (intptr_t d = 0; d < m->in[j].rank; ++d) {
      if (m->in[j].factor[d][loop] == 0) continue;
      int others = 0;
      for (int i = 0; i < m->nest->n; ++i) {
        if (i == loop || m->in[j].factor[d][i] == 0) continue;
        if (!tt_runs_along(&m->out, i)) return false;
        ++others;
      }
      if (others != 1) return false;
    }
  return true;
}

static const char *check(Maker *m, MlirValue value) {
  const char *why = tt_element_of(m->nest, m->store, &m->out);
  if (!why) why = find_loads(m, value);
  if (why) return why;
  for (int i = 0; i < m->nest->n; ++i) {
    bool along = tt_runs_along(&m->out, i), any = along;
    for (intptr_t j = 0; j < m->num_in; ++j) any |= tt_runs_along(&m->in[j], i);
    if (!along && !is_combination(m, value))
      return "steps of a loop write the same element, and not as a sum or an extreme of all";
    if (!any) return "a loop moves no operand";
    bool alone = moves_alone(&m->out, i);
    for (intptr_t j = 0; j < m->num_in; ++j) alone |= moves_alone(&m->in[j], i);
    m->slides[i] = !alone;
    if (!alone && !slides(m, i)) return "a loop moves indices with other loops only";
  }
  return NULL;
}

static void make_fill(Maker *m, TtBuilder *b, MlirValue value, MlirValue out) {
  tt_named_op(b, mlirOperationGetLocation(m->store), "linalg.fill", 1, (MlirValue[]){value, out});
}

/* Whether the op only moves elements, each to where it is: between a tensor and a buffer, a copy.
 */
static bool is_move(const Maker *m, MlirValue value) {
  MlirType from = m->num_in ? mlirValueGetType(m->in[0].memref) : (MlirType){NULL};
  if (m->num_in != 1 || m->reads_out || !tt_op_is(tt_defining_op(value), "memref.load") ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(from),
                     mlirShapedTypeGetElementType(mlirValueGetType(m->out.memref))))
    return false;
  return tt_same_loops(&m->in[0], &m->out);
}

/* A buffer of the extents of loops that slide, or null; `*map` of those loops. */
static MlirValue shape_of_slides(const Maker *m, TtBuilder *b, MlirType element,
                                 MlirAttribute *map) {
  int64_t shape[TT_NEST_LOOPS];
  MlirAffineExpr loops[TT_NEST_LOOPS];
  intptr_t n = 0;
  for (int i = 0; i < m->nest->n; ++i) {
    if (!m->slides[i]) continue;
    loops[n] = mlirAffineDimExprGet(b->context, i);
    shape[n++] = m->nest->extent[i];
  }
  if (n == 0) return (MlirValue){NULL};
  *map = mlirAffineMapAttrGet(mlirAffineMapGet(b->context, m->nest->n, 0, n, loops));
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(m->store));
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){0, 0}));
  MlirAttribute space = mlirAttributeParseGet(b->context, tt_str("#gpu.address_space<private>"));
  tt_op_state_result(&s, mlirMemRefTypeContiguousGet(element, n, shape, space));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static void make(Maker *m, MlirValue value) {
  const TtNest *nest = m->nest;
  TtBuilder b = tt_builder_before(nest->top);
  MlirContext context = b.context;
  MlirLocation loc = mlirOperationGetLocation(m->store), locs[MAX_OPERANDS + 2];
  MlirType types[MAX_OPERANDS + 2];
  MlirAttribute maps[MAX_OPERANDS + 2], kinds[TT_NEST_LOOPS];
  MlirOperation constant = tt_defining_op(value);
  MlirValue out = tt_view_of(nest, &b, &m->out);
  bool given = mlirOperationIsNull(constant) || tt_op_is(constant, "arith.constant");
  if (!tt_is_of_nest(nest, value) && given) {
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
    tt_op_state_operand(&copy, tt_view_of(nest, &b, &m->in[0]));
    tt_op_state_operand(&copy, out);
    tt_builder_insert(&b, tt_op_state_finish(&copy));
    return;
  }
  TtOpState s = tt_op_state("linalg.generic", loc);
  MlirType own = mlirShapedTypeGetElementType(mlirValueGetType(m->out.memref));
  intptr_t n = 0, shapes = 0;
  for (intptr_t i = 0; i < m->num_in; ++i, ++n) {
    tt_op_state_operand(&s, tt_view_of(nest, &b, &m->in[i]));
    maps[n] = tt_map_of(nest, context, &m->in[i]);
    types[n] = mlirShapedTypeGetElementType(mlirValueGetType(m->in[i].memref));
  }
  MlirValue shape = shape_of_slides(m, &b, own, &maps[n]);
  if (!tt_is_null_value(shape)) tt_op_state_operand(&s, shape), types[n++] = own, shapes = 1;
  tt_op_state_operand(&s, out);
  maps[n] = tt_map_of(nest, context, &m->out), types[n++] = own;
  for (intptr_t i = 0; i < n; ++i) locs[i] = loc;
  for (int i = 0; i < nest->n; ++i)
    kinds[i] = mlirAttributeParseGet(context, tt_str(tt_runs_along(&m->out, i)
                                                         ? "#linalg.iterator_type<parallel>"
                                                         : "#linalg.iterator_type<reduction>"));
  tt_op_state_attr(&s, context, "indexing_maps", mlirArrayAttrGet(context, n, maps));
  tt_op_state_attr(&s, context, "iterator_types", mlirArrayAttrGet(context, nest->n, kinds));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){(int32_t)(n - 1), 1}));
  MlirRegion region = mlirRegionCreate();
  m->body = mlirBlockCreate(n, types, locs);
  mlirRegionAppendOwnedBlock(region, m->body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  tt_builder_insert(&b, tt_op_state_finish(&s));
  TtBuilder in = tt_builder_at_end(m->body);
  TtOps loads = tt_collect(nest->arena, nest->top, "memref.load");
  for (intptr_t i = 0; i < loads.n; ++i) { /* are arguments of the body */
    TtElement e;
    if (tt_element_of(nest, loads.data[i], &e)) continue;
    for (intptr_t j = 0; j <= m->num_in; ++j) {
      if (!tt_same_element(nest, &e, j < m->num_in ? &m->in[j] : &m->out)) continue;
      learn(m, mlirOperationGetResult(loads.data[i], 0),
            mlirBlockGetArgument(m->body, j + (j == m->num_in ? shapes : 0)));
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
