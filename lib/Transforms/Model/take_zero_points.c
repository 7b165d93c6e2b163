/*===- take_zero_points.c - --tt-take-zero-points ----------------------------------------------===
 *
 * Products of integers of 8 bits with zero points are those of the integers as they are stored,
 * which the matrix engine multiplies exactly, and sums of each operand:
 *
 *   sum over k of (x - a) (w - b)  =  sum x w  -  a sum w  -  b sum x  +  K a b
 *
 *   before  linalg.generic (m, k), (k, n), (), () -> (m, n) ins(%x, %w, %a, %b) {
 *             subi extsi %x, %a   subi extsi %w, %b   muli   addi }
 *   after   %p = linalg.generic (m, k), (k, n) -> (m, n) { extsi, extsi, muli, addi }
 *           %sw = linalg.generic (k, n) -> (n) { extsi, addi }   %sx = (m, k) -> (m) { … }
 *           linalg.generic ins(%p, %sw, %sx) { %p - a * %sw - b * %sx + K a b }
 *
 * Differences have 9 bits, of which f32 sums 258 products exactly; what is stored has 8, sums of
 * 1024 are exact, and longer ones are added as integers, as all of these are: for any K, also where
 * i32 wraps around. A zero point of 0 leaves its sum out. Windows of a convolution sum x so, too,
 * and where they hang over its edge it has been padded with the zero point.
 *
 * Requires generalized ops on tensors. Leaves other ops.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Transforms/Model/model.h"
#include "Transforms/Raise/inline_text.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/Dialect/Linalg.h"

enum { MOST_LOOPS = 16 };

typedef struct Quantized {
  TtArena *arena;
  MlirOperation op;
  MlirBlock body;
  intptr_t loops, inputs;
  int64_t extents[MOST_LOOPS], zero[2]; /* of x, of w */
  const char *ext[2];                   /* arith.extsi or arith.extui */
  bool sums[MOST_LOOPS];                /* over a loop */
} Quantized;

/*===- Reading ------------------------------------------------------------------------------===*/

/* A zero point: a constant of the body's outside, or an input that is one. */
static bool read_zero(const Quantized *q, MlirValue value, int64_t *zero) {
  if (mlirValueIsABlockArgument(value)) {
    intptr_t i = mlirBlockArgumentGetArgNumber(value);
    if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), q->body) || i >= q->inputs) return false;
    value = mlirOperationGetOperand(q->op, i);
  }
  return mlirTypeIsAInteger(mlirValueGetType(value)) && tt_constant(value, zero);
}

/* ext x, or ext x - zero, of input `i`, which has 8 bits. */
static bool read_factor(Quantized *q, MlirValue value, intptr_t i) {
  MlirOperation op = tt_defining_op(value);
  q->zero[i] = 0;
  if (tt_op_is(op, "arith.subi")) {
    if (!read_zero(q, mlirOperationGetOperand(op, 1), &q->zero[i])) return false;
    op = tt_defining_op(mlirOperationGetOperand(op, 0));
  }
  bool sign = tt_op_is(op, "arith.extsi");
  if (!sign && !tt_op_is(op, "arith.extui")) return false;
  MlirValue from = mlirOperationGetOperand(op, 0);
  q->ext[i] = sign ? "arith.extsi" : "arith.extui";
  return tt_value_eq(from, mlirBlockGetArgument(q->body, i)) &&
         mlirIntegerTypeGetWidth(mlirValueGetType(from)) <= 8;
}

static bool read(Quantized *q) {
  MlirOperation op = q->op;
  if (mlirOperationGetNumResults(op) != 1 || q->inputs < 2 ||
      mlirOperationGetNumOperands(op) != q->inputs + 1)
    return false;
  for (intptr_t i = 2; i < q->inputs; ++i)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, i)))) return false;
  MlirOperation sum = tt_defining_op(mlirOperationGetOperand(mlirBlockGetTerminator(q->body), 0));
  if (!tt_op_is(sum, "arith.addi") ||
      !tt_value_eq(mlirOperationGetOperand(sum, 0), mlirBlockGetArgument(q->body, q->inputs)))
    return false;
  MlirOperation product = tt_defining_op(mlirOperationGetOperand(sum, 1));
  MlirType i32 = mlirValueGetType(mlirOperationGetResult(sum, 0));
  if (!tt_op_is(product, "arith.muli") || !mlirTypeIsAInteger(i32) ||
      mlirIntegerTypeGetWidth(i32) != 32 ||
      !read_factor(q, mlirOperationGetOperand(product, 0), 0) ||
      !read_factor(q, mlirOperationGetOperand(product, 1), 1))
    return false;
  MlirAttribute kinds = tt_op_attr(op, "iterator_types"),
                reduction = mlirAttributeParseGet(mlirOperationGetContext(op),
                                                  tt_str("#linalg.iterator_type<reduction>"));
  q->loops = mlirArrayAttrGetNumElements(kinds);
  for (intptr_t d = 0; d < q->loops && d < MOST_LOOPS; ++d)
    q->sums[d] = mlirAttributeEqual(mlirArrayAttrGetElement(kinds, d), reduction);
  for (intptr_t i = 0; i < 2; ++i)
    if (mlirAffineMapGetNumResults(tt_indexing_map(op, i)) > MOST_LOOPS) return false;
  return q->loops <= MOST_LOOPS && tt_loop_extents(op, q->loops, q->extents);
}

/*===- Writing ------------------------------------------------------------------------------===*/

static void to_text(MlirStringRef part, void *text) {
  tt_text_printf(text, "%.*s", (int)part.length, part.data);
}

static void print_map(TtText *t, MlirAffineMap map) {
  mlirAttributePrint(mlirAffineMapAttrGet(map), to_text, t);
}

static void print_kinds(TtText *t, const Quantized *q, bool parallel) {
  intptr_t n = parallel ? mlirAffineMapGetNumResults(tt_indexing_map(q->op, q->inputs)) : q->loops;
  tt_text_printf(t, "], iterator_types = [");
  for (intptr_t d = 0; d < n; ++d)
    tt_text_printf(t, "%s\"%s\"", d ? ", " : "",
                   !parallel && q->sums[d] ? "reduction" : "parallel");
  tt_text_printf(t, "]}");
}

static const char *type_of(const Quantized *q, intptr_t operand) {
  return tt_type_text(q->arena, mlirValueGetType(mlirOperationGetOperand(q->op, operand)));
}

static const char *element_of(const Quantized *q, intptr_t operand) {
  return tt_type_text(q->arena, mlirShapedTypeGetElementType(
                                    mlirValueGetType(mlirOperationGetOperand(q->op, operand))));
}

static bool has_loop(MlirAffineMap map, intptr_t d) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, r), d)) return true;
  return false;
}

/* The product of what is stored, %p. */
static void print_product(TtText *t, const Quantized *q) {
  const char *to = type_of(q, q->inputs);
  tt_text_printf(t, "  %%p = linalg.generic {indexing_maps = [");
  for (intptr_t i = 0; i < 3; ++i) {
    if (i) tt_text_printf(t, ", ");
    print_map(t, tt_indexing_map(q->op, i < 2 ? i : q->inputs));
  }
  print_kinds(t, q, false);
  tt_text_printf(t,
                 " ins(%%x0, %%x1 : %s, %s) outs(%%o : %s) {\n  ^bb0(%%a: %s, %%b: %s, %%c: i32):\n"
                 "    %%1 = %s %%a : %s to i32\n    %%2 = %s %%b : %s to i32\n"
                 "    %%3 = arith.muli %%1, %%2 : i32\n    %%4 = arith.addi %%c, %%3 : i32\n"
                 "    linalg.yield %%4 : i32\n  } -> %s\n",
                 type_of(q, 0), type_of(q, 1), to, element_of(q, 0), element_of(q, 1), q->ext[0],
                 element_of(q, 0), q->ext[1], element_of(q, 1), to);
}

/* The loops of operand `i`, in the order of the op. */
static intptr_t own_loops(const Quantized *q, intptr_t i, intptr_t *own) {
  intptr_t n = 0;
  for (intptr_t d = 0; d < q->loops; ++d)
    if (has_loop(tt_indexing_map(q->op, i), d)) own[n++] = d;
  return n;
}

/* `map` over the `n` loops of `own` alone. */
static MlirAffineMap over_own(const Quantized *q, MlirAffineMap map, intptr_t n,
                              const intptr_t *own) {
  MlirContext context = mlirOperationGetContext(q->op);
  MlirAffineExpr with[MOST_LOOPS], results[MOST_LOOPS];
  for (intptr_t d = 0; d < q->loops; ++d) with[d] = mlirAffineConstantExprGet(context, 0);
  for (intptr_t i = 0; i < n; ++i) with[own[i]] = mlirAffineDimExprGet(context, i);
  MlirAffineMap by = mlirAffineMapGet(context, n, 0, q->loops, with);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  for (intptr_t r = 0; r < rank; ++r)
    results[r] = mlirAffineExprCompose(mlirAffineMapGetResult(map, r), by);
  return mlirAffineMapGet(context, n, 0, rank, results);
}

/* The map to those of the own loops that `sums`, or does not. */
static MlirAffineMap map_to(const Quantized *q, intptr_t n, const intptr_t *own, bool sums) {
  MlirAffineExpr results[MOST_LOOPS];
  intptr_t rank = 0;
  for (intptr_t i = 0; i < n; ++i)
    if (q->sums[own[i]] == sums)
      results[rank++] = mlirAffineDimExprGet(mlirOperationGetContext(q->op), i);
  return mlirAffineMapGet(mlirOperationGetContext(q->op), n, 0, rank, results);
}

static void print_shape(TtText *t, const Quantized *q, intptr_t n, const intptr_t *own, bool sums,
                        const char *element) {
  tt_text_printf(t, "tensor<");
  for (intptr_t i = 0; i < n; ++i)
    if (q->sums[own[i]] == sums) tt_text_printf(t, "%jdx", (intmax_t)q->extents[own[i]]);
  tt_text_printf(t, "%s>", element);
}

/* How many loops operand `i` has that are summed. */
static intptr_t summed_loops(const Quantized *q, intptr_t n, const intptr_t *own) {
  intptr_t sums = 0;
  for (intptr_t i = 0; i < n; ++i) sums += q->sums[own[i]];
  return sums;
}

/* The sums %s<i> of operand `i`; a window says how far the loops of a convolution go. Windows over
 * channels are summed as a product with ones, as what is convolved is. */
static void print_sums(TtText *t, const Quantized *q, intptr_t i) {
  intptr_t own[MOST_LOOPS], n = own_loops(q, i, own);
  int at = (int)i;
  MlirAffineMap from = over_own(q, tt_indexing_map(q->op, i), n, own);
  bool window = !mlirAffineMapIsProjectedPermutation(from),
       product = window && summed_loops(q, n, own) > 2;
  const char *factor = product ? element_of(q, i) : "i32";
  TtText to = {NULL, 0, 0}, over = {NULL, 0, 0};
  print_shape(&to, q, n, own, false, "i32");
  print_shape(&over, q, n, own, true, factor);
  tt_text_printf(t, "  %%e%d = tensor.empty() : %s\n", at, to.data);
  tt_text_printf(t, "  %%f%d = linalg.fill ins(%%zero : i32) outs(%%e%d : %s) -> %s\n", at, at,
                 to.data, to.data);
  if (product) tt_text_printf(t, "  %%w%d = arith.constant dense<1> : %s\n", at, over.data);
  else if (window) tt_text_printf(t, "  %%w%d = tensor.empty() : %s\n", at, over.data);
  tt_text_printf(t, "  %%s%d = linalg.generic {indexing_maps = [", at);
  print_map(t, from);
  tt_text_printf(t, ", ");
  if (window) print_map(t, map_to(q, n, own, true)), tt_text_printf(t, ", ");
  print_map(t, map_to(q, n, own, false));
  tt_text_printf(t, "], iterator_types = [");
  for (intptr_t d = 0; d < n; ++d)
    tt_text_printf(t, "%s\"%s\"", d ? ", " : "", q->sums[own[d]] ? "reduction" : "parallel");
  tt_text_printf(t, "]} ins(%%x%d", at);
  if (window) tt_text_printf(t, ", %%w%d", at);
  tt_text_printf(t, " : %s%s%s) outs(%%f%d : %s) {\n  ^bb0(%%a: %s, ", type_of(q, i),
                 window ? ", " : "", window ? over.data : "", at, to.data, element_of(q, i));
  if (window) tt_text_printf(t, "%%b: %s, ", factor);
  tt_text_printf(t, "%%c: i32):\n    %%1 = %s %%a : %s to i32\n", q->ext[i], element_of(q, i));
  if (product)
    tt_text_printf(t, "    %%3 = %s %%b : %s to i32\n    %%4 = arith.muli %%1, %%3 : i32\n",
                   q->ext[i], factor);
  tt_text_printf(t, "    %%2 = arith.addi %%c, %s : i32\n    linalg.yield %%2 : i32\n  } -> %s\n",
                 product ? "%4" : "%1", to.data);
  tt_text_free(&to);
  tt_text_free(&over);
}

/* The loops of the result, which are those of the last op, take the place of the op's own. */
static MlirAffineMap in_result(const Quantized *q, intptr_t i) {
  intptr_t own[MOST_LOOPS], n = own_loops(q, i, own), rank = 0;
  MlirContext context = mlirOperationGetContext(q->op);
  MlirAffineMap out = tt_indexing_map(q->op, q->inputs);
  MlirAffineExpr results[MOST_LOOPS];
  intptr_t loops = mlirAffineMapGetNumResults(out);
  for (intptr_t d = 0; d < n; ++d)
    for (intptr_t r = 0; r < loops && !q->sums[own[d]]; ++r)
      if (tt_map_loop(out, r) == own[d]) results[rank++] = mlirAffineDimExprGet(context, r);
  return mlirAffineMapGet(context, loops, 0, rank, results);
}

/* %p less the sums of operand i times the zero point of the other one, and all of both. */
static void print_result(TtText *t, const Quantized *q) {
  const char *to = type_of(q, q->inputs);
  uint32_t both = (uint32_t)q->zero[0] * (uint32_t)q->zero[1]; /* i32 wraps around */
  intptr_t rank = mlirAffineMapGetNumResults(tt_indexing_map(q->op, q->inputs));
  MlirAffineMap plain = mlirAffineMapMultiDimIdentityGet(mlirOperationGetContext(q->op), rank);
  for (intptr_t d = 0; d < q->loops; ++d)
    if (q->sums[d]) both *= (uint32_t)q->extents[d];
  tt_text_printf(t, "  %%k = arith.constant %d : i32\n", (int32_t)both);
  tt_text_printf(t, "  %%e = tensor.empty() : %s\n  %%r = linalg.generic {indexing_maps = [", to);
  print_map(t, plain);
  tt_text_printf(t, ", ");
  for (intptr_t i = 0; i < 2; ++i)
    if (q->zero[1 - i]) print_map(t, in_result(q, i)), tt_text_printf(t, ", ");
  print_map(t, plain);
  print_kinds(t, q, true);
  tt_text_printf(t, " ins(%%p");
  for (int i = 0; i < 2; ++i)
    if (q->zero[1 - i]) tt_text_printf(t, ", %%s%d", i);
  tt_text_printf(t, " : %s", to);
  for (intptr_t i = 0; i < 2; ++i) {
    intptr_t own[MOST_LOOPS], n = own_loops(q, i, own);
    if (q->zero[1 - i]) tt_text_printf(t, ", "), print_shape(t, q, n, own, false, "i32");
  }
  tt_text_printf(t, ") outs(%%e : %s) {\n  ^bb0(%%a: i32, ", to);
  for (int i = 0; i < 2; ++i)
    if (q->zero[1 - i]) tt_text_printf(t, "%%b%d: i32, ", i);
  tt_text_printf(t, "%%c: i32):\n    %%t0 = arith.addi %%a, %%k : i32\n");
  int last = 0;
  for (int i = 0; i < 2; ++i) {
    if (!q->zero[1 - i]) continue;
    tt_text_printf(t, "    %%m%d = arith.muli %%b%d, %%z%d : i32\n", i, i, 1 - i);
    tt_text_printf(t, "    %%t%d = arith.subi %%t%d, %%m%d : i32\n", i + 1, last, i);
    last = i + 1;
  }
  tt_text_printf(t, "    linalg.yield %%t%d : i32\n  } -> %s\n  return %%r : %s\n}\n", last, to,
                 to);
}

static bool take(Quantized *q) {
  TtText t = {NULL, 0, 0};
  const char *to = type_of(q, q->inputs);
  tt_text_printf(&t, "func.func @f(%%x0: %s, %%x1: %s", type_of(q, 0), type_of(q, 1));
  for (intptr_t i = 2; i < q->inputs; ++i) tt_text_printf(&t, ", %%n%d: %s", (int)i, type_of(q, i));
  tt_text_printf(&t, ", %%o: %s) -> %s {\n  %%zero = arith.constant 0 : i32\n", to, to);
  for (int i = 0; i < 2; ++i)
    tt_text_printf(&t, "  %%z%d = arith.constant %d : i32\n", i, (int)q->zero[i]);
  print_product(&t, q);
  for (intptr_t i = 0; i < 2; ++i)
    if (q->zero[1 - i]) print_sums(&t, q, i);
  print_result(&t, q);
  bool ok = tt_inline_text(q->arena, q->op, t.data);
  tt_text_free(&t);
  return ok;
}

static bool take_all(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    Quantized q = {.arena = arena,
                   .op = ops.data[i],
                   .body = tt_body(ops.data[i]),
                   .inputs = tt_linalg_num_inputs(ops.data[i])};
    if (read(&q) && (q.zero[0] || q.zero[1] || q.inputs > 2) && !take(&q)) return false;
  }
  return true;
}

bool tt_run_take_zero_points(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, take_all);
}
