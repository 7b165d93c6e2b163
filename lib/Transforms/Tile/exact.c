/*===- exact.c - which buffers of f32 must keep all of their bits -------------------------------===
 *
 * The sources of the FPU hold 11 bits of a significand. That is what arithmetic on f32 costs, but
 * no choice may: a largest element that lost its low bits equals no element of its row. A
 * buffer keeps its bits if what it holds
 *
 *   - is compared, itself or a sum, a difference, a product or a quotient of it, in the same op or
 *     in one that reads what this one writes,
 *   - or is taken for its bits (arith.bitcast), or for an integer that is computed with: a sum of
 *     products of integers that is added to another,
 *   - or is an angle, or a part of one, in a kernel of f32: a period is as long for large ones,
 *   - or was chosen (an extreme, a select), or is among what is chosen from, and ends, as it is, in
 *     a tensor of f32 or of integers,
 *   - or is a row, a column or an element that is repeated, and ends, as it is, in such a tensor,
 *   - or is carried by the steps of a loop that make it of itself element by element, as a running
 * mean (carried_bits.c): what each step cuts off adds up.
 *
 * On the way there stand copies, casts, signs, choices and extremes, in one op or in several, from
 * buffer to buffer; what products are added to, as a bias before a relu, is no longer as it was.
 * The largest elements that only shift an exponent, as in a softmax, are none of these, and stay
 * with the FPU.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/expression.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/Dialect/Linalg.h"

/* How a value depends on an operand. */
enum { AS_IT_IS = 1, IN_ARITHMETIC = 2, CHOSEN = 4, AS_INTEGER = 8 };

static bool is_one_of(MlirOperation op, const char *const names[], size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

static bool chooses(MlirOperation op) {
  static const char *const names[] = {"arith.select",  "arith.maximumf", "arith.minimumf",
                                      "arith.maxnumf", "arith.minnumf",  "arith.maxsi",
                                      "arith.minsi"};
  return is_one_of(op, names, sizeof names / sizeof *names);
}

static bool keeps_value(MlirOperation op) {
  static const char *const names[] = {"arith.negf",   "math.absf",    "arith.extf",
                                      "arith.fptosi", "arith.sitofp", "arith.extsi"};
  return chooses(op) || is_one_of(op, names, sizeof names / sizeof *names);
}

/* What the vector unit does with all bits of f32. */
static bool is_arithmetic(MlirOperation op) {
  static const char *const names[] = {"arith.addf", "arith.subf", "arith.mulf", "arith.divf"};
  return is_one_of(op, names, sizeof names / sizeof *names);
}

/* What does not forgive an error that grows with its argument. */
static bool is_periodic(MlirOperation op) {
  static const char *const names[] = {"math.sin", "math.cos", "math.tan"};
  return is_one_of(op, names, sizeof names / sizeof *names);
}

typedef struct Flow {
  bool compared;
  uint64_t outputs; /* a bit for each output of the op that yields the operand as it is */
  uint64_t chosen;  /* or chosen */
  uint64_t reached; /* or in any of these ways, or by arithmetic */
} Flow;

static int flags_of(const TtValueMap *flags, MlirValue value) {
  int f = tt_value_map_get(flags, value);
  return f < 0 ? 0 : f;
}

/* Where the value of argument `from` of an op's body ends. */
static Flow flow_of(TtArena *arena, MlirBlock body, MlirValue from, bool of_f32) {
  Flow flow = {false, 0, 0, 0};
  TtValueMap flags = {0};
  tt_value_map_set(arena, &flags, from, AS_IT_IS);
  MlirOperation end = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    int f = 0;
    intptr_t n = mlirOperationGetNumOperands(op);
    for (intptr_t i = tt_op_is(op, "arith.select") ? 1 : 0; i < n; ++i) {
      int of = flags_of(&flags, mlirOperationGetOperand(op, i));
      if (tt_op_eq(op, end) && of & AS_IT_IS && i < 64) flow.outputs |= UINT64_C(1) << i;
      if (tt_op_eq(op, end) && of & CHOSEN && i < 64) flow.chosen |= UINT64_C(1) << i;
      if (tt_op_eq(op, end) && of && i < 64) flow.reached |= UINT64_C(1) << i;
      f |= of;
    }
    if (f && (tt_op_is(op, "arith.cmpf") || tt_op_is(op, "arith.cmpi"))) flow.compared = true;
    flow.compared |= f && of_f32 && is_periodic(op);
    flow.compared |= f && tt_op_is(op, "arith.bitcast"); /* what is asked for are its bits */
    if (!f || mlirOperationGetNumResults(op) != 1) continue;
    flow.compared |= (f & AS_INTEGER) && !keeps_value(op);
    if (f & AS_IT_IS && tt_op_is(op, "arith.fptosi")) f |= AS_INTEGER;
    f = keeps_value(op) ? f : is_arithmetic(op) ? IN_ARITHMETIC : 0;
    if (chooses(op) && f & AS_IT_IS) f |= CHOSEN;
    if (f) tt_value_map_set(arena, &flags, mlirOperationGetResult(op, 0), f);
  }
  return flow;
}

static bool is_wide(MlirType element) {
  return mlirTypeIsAF32(element) ||
         (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) >= 32);
}

static MlirType element_of(const TtBuffer *b) {
  return mlirShapedTypeGetElementType(mlirValueGetType(b->memref));
}

/* An op on buffers with a body: none of those that only say sizes. */
static bool has_body(MlirOperation op) {
  return tt_is_linalg(op) && !tt_is_linalg(tt_parent(op)) && mlirOperationGetNumRegions(op) == 1 &&
         !tt_is_contraction(op);
}

/* Whether rows, columns or single elements of an operand become blocks of an output. */
static bool is_broadcast(MlirOperation op, intptr_t operand, intptr_t output) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (mlirAttributeIsNull(maps)) return false;
  MlirAffineMap from = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, operand)),
                to = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, output));
  for (intptr_t d = 0; d < mlirAffineMapGetNumDims(to); ++d) {
    bool in = false, out = false;
    for (intptr_t i = 0; i < mlirAffineMapGetNumResults(from); ++i)
      in |= mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(from, i), d);
    for (intptr_t i = 0; i < mlirAffineMapGetNumResults(to); ++i)
      out |= mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(to, i), d);
    if (out && !in) return true;
  }
  return false;
}

/* The buffer that an operand is, or is a part of, as where a part of one is copied. */
static TtBuffer *buffer_of(TtLowering *l, MlirValue operand) {
  TtBuffer *b = tt_buffer_of(l, operand);
  bool view = !b && tt_op_is(tt_defining_op(operand), "memref.subview");
  return view ? tt_buffer_of(l, tt_view_root(operand)) : b;
}

/* What an op says of one of its operands, given what is known of its outputs, and of these; true
 * where that was news. */
static bool learn(TtLowering *l, MlirOperation op, intptr_t operand) {
  MlirBlock body = tt_body(op);
  TtBuffer *b = buffer_of(l, mlirOperationGetOperand(op, operand));
  if (!b || !is_wide(element_of(b)) || mlirBlockIsNull(body) ||
      operand >= mlirBlockGetNumArguments(body))
    return false;
  TtBuffer old = *b;
  Flow flow = flow_of(l->arena, body, mlirBlockGetArgument(body, operand), tt_is_of_f32(l->func));
  b->compared |= flow.compared;
  intptr_t inputs = tt_linalg_num_inputs(op), n = mlirOperationGetNumOperands(op);
  bool news = false;
  for (intptr_t o = 0; o < n - inputs && o < 64; ++o) {
    TtBuffer *out = buffer_of(l, mlirOperationGetOperand(op, inputs + o));
    bool whole = flow.outputs >> o & 1, chosen = flow.chosen >> o & 1;
    if (!out) continue;
    if (flow.reached >> o & 1) {
      b->compared |= out->compared;
      b->exact |= out->exact && !out->multiplied;
    }
    if (!whole || out->multiplied) continue;
    b->stored |= out->stored;
    b->exact |= chosen && (out->stored || out->exact);
    bool moved = is_broadcast(op, operand, inputs + o);
    b->exact |= moved && (out->stored || out->exact);
    bool passes = chosen || b->chosen;
    if (passes && !out->chosen) out->chosen = news = true;
  }
  b->exact |= b->compared || (b->stored && b->chosen);
  return news || old.compared != b->compared || old.exact != b->exact || old.stored != b->stored;
}

/* The buffers to which products are added. */
static void mark_multiplied(TtLowering *l, TtOps ops) {
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtBuffer *b = NULL;
    if (tt_is_linalg(ops.data[i]) && tt_is_contraction(ops.data[i]))
      b = buffer_of(l, mlirOperationGetOperand(ops.data[i], tt_linalg_num_inputs(ops.data[i])));
    if (b) b->multiplied = true;
  }
}

/* The tensors of the kernel that ops write. */
static void mark_results(TtLowering *l, TtOps ops) {
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t j = tt_linalg_num_inputs(ops.data[i]);
         j < mlirOperationGetNumOperands(ops.data[i]); ++j) {
      TtBuffer *b = buffer_of(l, mlirOperationGetOperand(ops.data[i], j));
      if (b && is_wide(element_of(b))) b->stored |= tt_cb_view_isa(tt_defining_op(b->memref));
    }
}

void tt_mark_exact(TtLowering *l) {
  TtOps all = tt_collect(l->arena, l->func, NULL), ops = {NULL, 0, 0};
  bool bf16 = mlirTypeIsABF16(tt_narrow_float(l->func));
  if (!tt_dst_is_32bit(l->func) || !bf16) return; /* no bits to keep, or no parts to keep them in */
  for (intptr_t i = 0; i < all.n; ++i)
    if (has_body(all.data[i])) tt_ops_add(l->arena, &ops, all.data[i]);
  mark_results(l, ops);
  mark_multiplied(l, all);
  for (bool news = true; news;) {
    news = false;
    for (intptr_t i = ops.n; i-- > 0;)
      for (intptr_t j = 0; j < mlirOperationGetNumOperands(ops.data[i]); ++j)
        news |= learn(l, ops.data[i], j);
  }
  tt_mark_carried(l);
  for (intptr_t i = 0; i < l->n; ++i)
    if (l->buffers[i].exact && mlirTypeIsAF32(element_of(&l->buffers[i])))
      tt_value_map_set(l->arena, &l->exact, l->buffers[i].cb, 1);
}

bool tt_keeps_bits(const TtLowering *l, MlirValue cb) {
  return tt_value_map_get(&l->exact, cb) >= 0;
}
