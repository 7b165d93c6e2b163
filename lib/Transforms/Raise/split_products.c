/*===- split_products.c - --tt-split-products ---------------------------------------------------===
 *
 * What is computed of an operand of a matrix product before it is multiplied gets a buffer of its
 * own, so that the matrix engine takes it:
 *
 *   before  linalg.generic (i, j, k) ins(%x: (i, k), %w: (k, j), %s: (j)) outs(%c: (i, j)) {
 *             … %f = sitofp %w   %g = mulf %f, %s   %p = mulf %x, %g   %r = addf %c, %p … }
 *   after   %t = memref.alloc()
 *           linalg.generic (k, j) ins(%w: (k, j), %s: (j)) outs(%t: (k, j)) { … mulf %f, %s … }
 *           linalg.generic (i, j, k) ins(%x: (i, k), %t: (k, j)) outs(%c: (i, j)) {
 *             … %p = mulf %x, %t   %r = addf %c, %p … }
 *
 * product_factors.c says which of them. A long sum goes on in steps of STEP, so that a buffer holds
 * as much.
 *
 * Integers of 8 bits, or these less a zero point, are multiplied as bf16, which holds them, and
 * summed in f32, which holds sums below 2^24: exactly. Sums of several steps are added as integers.
 * Wider ones stay a sum of the vector unit, with a warning.
 *
 * Requires raised loops. Leaves other reductions, and products whose sizes are dynamic.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Analysis/made_of.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/product_factors.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Raise/window_products.h"

#include "mlir-c/Dialect/Linalg.h"

enum { STEP = 128 };

/*===- Ops -----------------------------------------------------------------------------------===*/

/* Loop `d` of the product in an op that has the loops `dims`, in the order of `order`. */
typedef struct Loops {
  intptr_t order[TT_MOST_DIMS], n;
} Loops;

static MlirAffineMap moved_map(const TtProduct *p, const Loops *loops, MlirAffineMap map) {
  MlirContext context = mlirOperationGetContext(p->op);
  MlirAffineExpr with[TT_MOST_DIMS], results[TT_MAX_RANK];
  for (intptr_t d = 0; d < p->num_dims; ++d) with[d] = mlirAffineConstantExprGet(context, 0);
  for (intptr_t i = 0; i < loops->n; ++i) with[loops->order[i]] = mlirAffineDimExprGet(context, i);
  MlirAffineMap by = mlirAffineMapGet(context, loops->n, 0, p->num_dims, with);
  intptr_t n = mlirAffineMapGetNumResults(map);
  for (intptr_t r = 0; r < n; ++r)
    results[r] = mlirAffineExprCompose(mlirAffineMapGetResult(map, r), by);
  return mlirAffineMapGet(context, loops->n, 0, n, results);
}

static MlirAffineMap own_map(const TtProduct *p, const Loops *loops, const Loops *of) {
  MlirContext context = mlirOperationGetContext(p->op);
  MlirAffineExpr results[TT_MOST_DIMS];
  for (intptr_t i = 0; i < of->n; ++i) results[i] = mlirAffineDimExprGet(context, of->order[i]);
  return moved_map(p, loops, mlirAffineMapGet(context, p->num_dims, 0, of->n, results));
}

/* A linalg.generic with an empty body; `sum`: the loop that sums, or -1. */
static MlirOperation generic(TtBuilder *b, const TtProduct *p, const Loops *loops, intptr_t sum,
                             intptr_t n, const MlirValue *operands, const MlirAffineMap *maps) {
  MlirLocation loc = mlirOperationGetLocation(p->op), locs[TT_MOST_INPUTS + 2];
  MlirAttribute all[TT_MOST_INPUTS + 2], kinds[TT_MOST_DIMS];
  MlirType types[TT_MOST_INPUTS + 2];
  TtOpState s = tt_op_state("linalg.generic", loc);
  for (intptr_t i = 0; i < n; ++i) {
    tt_op_state_operand(&s, operands[i]);
    all[i] = mlirAffineMapAttrGet(maps[i]), locs[i] = loc;
    types[i] = mlirShapedTypeGetElementType(mlirValueGetType(operands[i]));
  }
  for (intptr_t i = 0; i < loops->n; ++i)
    kinds[i] = mlirAttributeParseGet(b->context, tt_str(loops->order[i] == sum
                                                            ? "#linalg.iterator_type<reduction>"
                                                            : "#linalg.iterator_type<parallel>"));
  tt_op_state_attr(&s, b->context, "indexing_maps", mlirArrayAttrGet(b->context, n, all));
  tt_op_state_attr(&s, b->context, "iterator_types", mlirArrayAttrGet(b->context, loops->n, kinds));
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){(int32_t)n - 1, 1}));
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(n, types, locs));
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  return tt_builder_insert(b, tt_op_state_finish(&s));
}

static MlirValue op_of(TtBuilder *b, MlirLocation loc, const char *name, MlirType type, MlirValue x,
                       MlirValue y) {
  TtOpState s = tt_op_state(name, loc);
  tt_op_state_operand(&s, x);
  tt_op_state_operand(&s, y);
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static void yield(TtBuilder *b, MlirLocation loc, MlirValue value) {
  TtOpState s = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&s, value);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/* How values of the old body come into a new one, of which argument args[i] is input i. */
typedef struct Copying {
  const TtProduct *p;
  TtBuilder in;
  const Loops *loops;
  const intptr_t *args;
  TtValueMap known; /* what is copied: its place in `copies` */
  TtValues copies;
} Copying;

static MlirValue copied(Copying *c, MlirValue value) {
  intptr_t arg = tt_factor_argument_of(c->p, value);
  if (arg >= 0) return mlirBlockGetArgument(c->in.block, c->args[arg]);
  MlirOperation op = tt_defining_op(value);
  int known = tt_value_map_get(&c->known, value);
  if (known >= 0) return c->copies.data[known];
  if (!tt_factor_is_in_body(c->p, op)) return value;
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, copied(c, mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; tt_op_is(op, "linalg.index") && i < c->loops->n; ++i)
    if (c->loops->order[i] == tt_int(tt_op_attr(op, "dim")))
      mlirOperationSetInherentAttributeByName(copy, tt_str("dim"), tt_i64_attr(c->in.context, i));
  MlirValue made = mlirOperationGetResult(tt_builder_insert(&c->in, copy), 0);
  tt_value_map_set(c->p->arena, &c->known, value, (int)c->copies.n);
  tt_values_add(c->p->arena, &c->copies, made);
  return made;
}

static bool goes_on(const void *p, MlirOperation op) {
  return tt_factor_is_in_body((const TtProduct *)p, op);
}

static void note_inputs(const TtProduct *p, MlirValue value, bool *used) {
  TtValues all = tt_made_of(p->arena, value, goes_on, p);
  for (intptr_t i = 0; i < all.n; ++i) {
    intptr_t arg = tt_factor_argument_of(p, all.data[i]);
    if (arg >= 0) used[arg] = true;
  }
}

/*===- The product ---------------------------------------------------------------------------===*/

/* The loops of a group: those of the result, and the one that sums last, or first. */
static Loops loops_of(const TtProduct *p, unsigned dims, bool sum_first) {
  Loops loops = {.n = 0};
  if (sum_first) { /* batches stay in front */
    unsigned both = p->group[0].dims & p->group[1].dims & ~p->sums;
    for (intptr_t d = 0; d < p->num_dims; ++d)
      if (dims & both & 1u << d) loops.order[loops.n++] = d;
    loops.order[loops.n++] = p->k;
    for (intptr_t d = 0; d < p->num_dims; ++d)
      if (dims & ~both & ~p->sums & 1u << d) loops.order[loops.n++] = d;
    return loops;
  }
  for (intptr_t d = 0; d < p->num_dims; ++d)
    if (dims & ~p->sums & 1u << d) loops.order[loops.n++] = d;
  loops.order[loops.n++] = p->k;
  return loops;
}

static MlirValue buffer(TtBuilder *b, const TtProduct *p, const Loops *loops, MlirType element) {
  int64_t shape[TT_MOST_DIMS];
  int32_t sizes = 0;
  MlirAttribute space = mlirAttributeParseGet(b->context, tt_str("#gpu.address_space<private>"));
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(p->op));
  for (intptr_t i = 0; i < loops->n; ++i) {
    shape[i] = p->extent[loops->order[i]];
    if (shape[i] == INT64_MIN) tt_op_state_operand(&s, p->size[loops->order[i]]), ++sizes;
  }
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){sizes, 0}));
  tt_op_state_result(&s, mlirMemRefTypeContiguousGet(element, loops->n, shape, space));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* One factor as bf16: integers of 8 bits, or these less a zero point. */
static MlirValue as_float(Copying *c, MlirValue factor) {
  bool sign = !tt_op_is(tt_defining_op(factor), "arith.extui");
  TtOpState s =
      tt_op_state(sign ? "arith.sitofp" : "arith.uitofp", mlirOperationGetLocation(c->p->op));
  tt_op_state_operand(&s, copied(c, tt_factor_narrow_of(c->p, factor)));
  tt_op_state_result(&s, mlirBF16TypeGet(c->in.context));
  return mlirOperationGetResult(tt_builder_insert(&c->in, tt_op_state_finish(&s)), 0);
}

/* Computes a group into a buffer. */
static MlirValue compute_group(TtBuilder *b, const TtProduct *p, const TtFactors *g,
                               const Loops *loops) {
  bool used[TT_MOST_INPUTS + 1] = {false};
  intptr_t args[TT_MOST_INPUTS + 1], n = 0;
  MlirValue operands[TT_MOST_INPUTS + 1];
  MlirAffineMap maps[TT_MOST_INPUTS + 1];
  MlirLocation loc = mlirOperationGetLocation(p->op);
  for (intptr_t i = 0; i < g->n; ++i) note_inputs(p, g->factors[i], used);
  for (intptr_t i = 0; i < p->inputs; ++i) {
    if (!used[i]) continue;
    operands[n] = p->operands[i], maps[n] = moved_map(p, loops, p->maps[i]), args[i] = n++;
  }
  MlirType type = p->integers ? mlirBF16TypeGet(b->context) : mlirValueGetType(g->factors[0]);
  MlirValue to = buffer(b, p, loops, type);
  operands[n] = to, maps[n++] = own_map(p, loops, loops);
  MlirOperation op = generic(b, p, loops, -1, n, operands, maps);
  Copying c = {.p = p, .in = tt_builder_at_end(tt_body(op)), .loops = loops, .args = args};
  MlirValue value = p->integers ? as_float(&c, g->factors[0]) : copied(&c, g->factors[0]);
  for (intptr_t i = 1; i < g->n; ++i)
    value = op_of(&c.in, loc, "arith.mulf", type, value, copied(&c, g->factors[i]));
  yield(&c.in, loc, value);
  return to;
}

/* %out += fptosi %sum */
static void add_sum(TtBuilder *b, const TtProduct *p, const Loops *out, MlirValue sum) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  MlirAffineMap map = own_map(p, out, out), to = moved_map(p, out, p->maps[p->inputs]);
  MlirOperation op = generic(b, p, out, -1, 2, (MlirValue[]){sum, p->operands[p->inputs]},
                             (MlirAffineMap[]){map, to});
  TtBuilder in = tt_builder_at_end(tt_body(op));
  TtOpState s = tt_op_state("arith.fptosi", loc);
  MlirType type = mlirIntegerTypeGet(b->context, 32);
  tt_op_state_operand(&s, mlirBlockGetArgument(tt_body(op), 0));
  tt_op_state_result(&s, type);
  MlirValue whole = mlirOperationGetResult(tt_builder_insert(&in, tt_op_state_finish(&s)), 0);
  yield(&in, loc, op_of(&in, loc, "arith.addi", type, mlirBlockGetArgument(tt_body(op), 1), whole));
}

static void multiply(TtBuilder *b, const TtProduct *p) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  Loops all = {.n = p->num_dims}, out = {.n = 0};
  for (intptr_t d = 0; d < p->num_dims; ++d) {
    all.order[d] = d;
    if (d != p->k) out.order[out.n++] = d;
  }
  MlirValue operands[3];
  MlirAffineMap maps[3];
  for (int g = 0; g < 2; ++g) {
    intptr_t plain = tt_factor_plain_input(p, &p->group[g]);
    Loops loops = loops_of(p, p->group[g].dims | p->sums, g == 1);
    operands[g] = plain >= 0 ? p->operands[plain] : compute_group(b, p, &p->group[g], &loops);
    maps[g] = plain >= 0 ? p->maps[plain] : own_map(p, &all, &loops);
  }
  MlirType type = p->integers ? mlirF32TypeGet(b->context)
                              : mlirValueGetType(mlirBlockGetArgument(p->body, p->inputs));
  operands[2] = p->operands[p->inputs], maps[2] = p->maps[p->inputs];
  if (p->integers) {
    operands[2] = buffer(b, p, &out, type), maps[2] = own_map(p, &all, &out);
    tt_named_op(b, loc, "linalg.fill", 1,
                (MlirValue[]){tt_zero(b, loc, mlirF32TypeGet(b->context)), operands[2]});
  }
  MlirOperation op = generic(b, p, &all, p->k, 3, operands, maps);
  TtBuilder in = tt_builder_at_end(tt_body(op));
  MlirValue x = tt_cast(&in, loc, "arith.extf", mlirBlockGetArgument(tt_body(op), 0), type),
            y = tt_cast(&in, loc, "arith.extf", mlirBlockGetArgument(tt_body(op), 1), type),
            term = op_of(&in, loc, "arith.mulf", type, x, y);
  yield(&in, loc, op_of(&in, loc, "arith.addf", type, mlirBlockGetArgument(tt_body(op), 2), term));
  if (p->integers) add_sum(b, p, &out, operands[2]);
}

/*===- Steps ---------------------------------------------------------------------------------===*/

/* How many terms are summed at once: all, or so many that a buffer is no larger than it must. Of
 * integers, which are exact in parts only, the last step may have fewer. */
static int64_t step_of(const TtProduct *p) {
  int64_t n = p->extent[p->k];
  for (intptr_t d = 0; d < p->num_dims; ++d)
    if (p->extent[d] == INT64_MIN && (!p->integers || d == p->k)) return n;
  for (intptr_t i = 0; i < p->inputs; ++i) /* an index that is no loop goes nowhere else */
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(p->maps[i]); ++r) {
      MlirAffineExpr e = mlirAffineMapGetResult(p->maps[i], r);
      if (!mlirAffineExprIsADim(e) && mlirAffineExprIsFunctionOfDim(e, p->k)) return n;
    }
  TtOps indices = tt_collect(p->arena, p->op, "linalg.index");
  for (intptr_t i = 0; i < indices.n; ++i)
    if (tt_int(tt_op_attr(indices.data[i], "dim")) == p->k) return n;
  for (int64_t step = STEP; step >= TT_TILE && n > STEP; step /= 2)
    if (n % step == 0) return step;
  return p->integers && n > STEP ? STEP : n;
}

/* The part of each input that a step takes, from `at` on. */
static void take_step(TtProduct *p, TtBuilder *b, MlirValue at, int64_t step) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  for (intptr_t i = 0; i < p->inputs; ++i) {
    MlirType type = mlirValueGetType(p->operands[i]);
    intptr_t rank = mlirShapedTypeGetRank(type);
    MlirValue from[TT_MAX_RANK];
    int64_t sizes[TT_MAX_RANK];
    bool keeps[TT_MAX_RANK], moves = false;
    for (intptr_t r = 0; r < rank; ++r) {
      bool along = mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(p->maps[i], r), p->k);
      from[r] = along ? at : tt_index(b, loc, 0), keeps[r] = true, moves |= along;
      sizes[r] = along ? step : mlirShapedTypeGetDimSize(type, r);
    }
    if (moves) p->operands[i] = tt_open_subview(b, loc, p->operands[i], from, sizes, NULL, keeps);
  }
  p->extent[p->k] = step;
}

/* Whether all bits of bf16 are multiplied. */
static bool check_fidelity(MlirOperation kernel, MlirOperation op) {
  MlirAttribute asked = tt_get_attr(kernel, "tt.math_fidelity");
  bool less = !mlirAttributeIsNull(asked) &&
              (tt_str_eq(tt_string(asked), "LoFi") || tt_str_eq(tt_string(asked), "HiFi2"));
  return !less || tt_error(op, "a product of integers needs all of their bits, which "
                               "tt.math_fidelity leaves out; make it HiFi3 or HiFi4, or remove it");
}

/* Whether it multiplies integers, in a convolution or a product with rows and columns. */
static bool multiplies_integers(TtArena *arena, MlirOperation op) {
  if (tt_is_window_product(op, mlirLinalgGetIndexingMapsAttribute(op)))
    return tt_collect(arena, op, "arith.muli").n > 0;
  if (!tt_is_integer_contraction(op)) return false;
  MlirLinalgContractionDimensions dims = mlirLinalgInferContractionDimensions(op);
  return !mlirAttributeIsNull(dims.m) && mlirDenseArrayGetNumElements(dims.m) > 0 &&
         mlirDenseArrayGetNumElements(dims.n) > 0;
}

/* Integers that the matrix engine cannot multiply are a sum for the vector unit. */
static void warn_of_wide(TtArena *arena, MlirOperation op) {
  if (!multiplies_integers(arena, op)) return;
  tt_warning(op, "multiplies matrices of integers of more than 8 bits, which the vector unit does, "
                 "one step of the sum after the other: the matrix engine takes integers of 8 bits, "
                 "with sums of 32 (i8 x i8 -> i32). Make the operands i8 where they fit (by "
                 "arith.trunci), or floats (by arith.sitofp)");
}

static bool split(TtArena *arena, MlirOperation kernel, MlirOperation op) {
  TtProduct p = {.arena = arena};
  if (!tt_read_product(&p, op)) {
    warn_of_wide(arena, op);
    return true;
  }
  if (p.integers && !check_fidelity(kernel, op)) return false;
  MlirLocation loc = mlirOperationGetLocation(op);
  int64_t n = p.extent[p.k], step = step_of(&p);
  if (p.integers) {
    enum { EXACT = 1 << 24 };
    int64_t term = tt_factor_size_of_narrow(&p, p.group[0].factors[0]) *
                   tt_factor_size_of_narrow(&p, p.group[1].factors[0]);
    if (step * term > EXACT)
      return tt_error(op,
                      "sums %jd products of integers of 8 bits at once, but f32, in which the "
                      "matrix engine sums them, holds %jd of them exactly; sum fewer in each "
                      "step of a loop",
                      (intmax_t)step, (intmax_t)(EXACT / term));
  }
  TtBuilder b = tt_builder_before(op);
  TtProduct last = p;
  int64_t rest = n % step;
  if (step < n) {
    MlirOperation loop = tt_for(&b, loc, tt_index(&b, loc, 0), tt_index(&b, loc, n - rest),
                                tt_index(&b, loc, step), NULL);
    TtBuilder in = tt_builder_at_terminator(tt_for_body(loop));
    take_step(&p, &in, tt_for_iv(loop), step);
    multiply(&in, &p);
  } else multiply(&b, &p);
  if (rest > 0) {
    TtBuilder after = tt_builder_before(op);
    take_step(&last, &after, tt_index(&after, loc, n - rest), rest);
    multiply(&after, &last);
  }
  mlirOperationDestroy(op);
  return true;
}

static bool run(TtArena *arena, MlirOperation kernel) {
  TtOps generics = tt_collect(arena, kernel, "linalg.generic");
  for (intptr_t i = 0; i < generics.n; ++i)
    if (!split(arena, kernel, generics.data[i])) return false;
  return true;
}

bool tt_run_split_products(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
