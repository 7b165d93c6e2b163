/*===- stream_read.c - which ops of a model are an attention ---------------------------------===
 *
 * Read from a product back to another one, by what is computed: its weights are e / l, or
 * e * (1 / l), where l sums e along the rows; e is exp(t - m), where m is the largest of each row
 * of t; and t is computed element by element of a product. Which of these are one op does not
 * matter, and neither do casts between them.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/stream_softmax.h"

/*===- Values across elementwise ops ---------------------------------------------------------===*/

/* A value of the body of an elementwise op; or a tensor, where there is no op. */
typedef struct At {
  MlirOperation op;
  MlirValue value;
} At;

static const At nowhere = {{NULL}, {NULL}};

static MlirOperation input_op(MlirOperation op, intptr_t i) {
  return tt_defining_op(mlirOperationGetOperand(op, i));
}

static MlirValue result_of(MlirOperation op) { return mlirOperationGetResult(op, 0); }

static MlirValue yielded(MlirOperation op) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(op)), 0);
}

/* Whether operand `i` of `op` is read by its first loops, all in order. */
static bool is_read_in_order(MlirOperation op, intptr_t i) {
  MlirAffineMap map = tt_indexing_map(op, i);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (tt_map_loop(map, r) != r) return false;
  return true;
}

static bool is_generic(MlirOperation op) {
  return tt_op_is(op, "linalg.generic") && mlirOperationGetNumResults(op) == 1 &&
         mlirOperationGetNumOperands(op) == tt_linalg_num_inputs(op) + 1;
}

/* Elementwise, its loops those of its result. */
static bool is_map(MlirOperation op) {
  return is_generic(op) && tt_linalg_num_inputs(op) > 0 &&
         mlirAffineMapIsIdentity(tt_indexing_map(op, tt_linalg_num_inputs(op)));
}

static bool rounds(MlirOperation op) {
  return tt_op_is(op, "arith.truncf") || tt_op_is(op, "arith.extf");
}

/* The input of `at.op` that `at` is, or -1. */
static intptr_t argument(At at) {
  if (mlirOperationIsNull(at.op) || !mlirValueIsABlockArgument(at.value)) return -1;
  for (intptr_t i = 0; i < tt_linalg_num_inputs(at.op); ++i)
    if (tt_value_eq(at.value, mlirBlockGetArgument(tt_body(at.op), i))) return i;
  return -1;
}

/* What `at` is computed of, across casts and from one elementwise op to the one before, as far as
 * the tensor `stop`, or a value that is computed. */
static At source_of(At at, MlirValue stop) {
  for (;;) {
    if (mlirOperationIsNull(at.op)) {
      if (!tt_is_null_value(stop) && tt_value_eq(at.value, stop)) return at;
      MlirOperation by = tt_defining_op(at.value);
      if (mlirOperationIsNull(by) || !is_map(by)) return at;
      at = (At){by, yielded(by)};
    } else if (rounds(tt_defining_op(at.value))) {
      at.value = mlirOperationGetOperand(tt_defining_op(at.value), 0);
    } else {
      intptr_t i = argument(at);
      if (i < 0) return at;
      if (!is_read_in_order(at.op, i)) return nowhere;
      at = (At){{NULL}, mlirOperationGetOperand(at.op, i)};
    }
  }
}

static const MlirValue no_value = {NULL};

/* The op of a body that gives `at`. */
static MlirOperation op_at(At at) {
  return mlirOperationIsNull(at.op) ? at.op : tt_defining_op(at.value);
}

static At operand_at(At at, intptr_t i, MlirValue stop) {
  return source_of((At){at.op, mlirOperationGetOperand(op_at(at), i)}, stop);
}

static bool is_tensor(At at, MlirValue tensor) {
  return mlirOperationIsNull(at.op) && !tt_is_null_value(at.value) && tt_value_eq(at.value, tensor);
}

static bool is_number(At at, double number) {
  MlirOperation constant = op_at(at);
  if (!tt_op_is(constant, "arith.constant")) return false;
  MlirAttribute value = tt_op_attr(constant, "value");
  return mlirAttributeIsAFloat(value) && mlirFloatAttrGetValueDouble(value) == number;
}

/*===- Softmax -------------------------------------------------------------------------------===*/

/* Whether `tensor` is reduced from another one, along its last dimension, by `name` or `other`. */
static bool is_reduced(MlirValue tensor, const char *name, const char *other) {
  MlirOperation op = tt_defining_op(tensor);
  if (mlirOperationIsNull(op) || !is_generic(op) || tt_linalg_num_inputs(op) != 1 ||
      !is_read_in_order(op, 0) || !is_read_in_order(op, 1))
    return false;
  MlirAffineMap in = tt_indexing_map(op, 0), out = tt_indexing_map(op, 1);
  if (mlirAffineMapGetNumResults(in) != mlirAffineMapGetNumDims(in) ||
      mlirAffineMapGetNumResults(out) + 1 != mlirAffineMapGetNumDims(in))
    return false;
  At by = {op, yielded(op)};
  while (rounds(op_at(by))) by.value = mlirOperationGetOperand(op_at(by), 0);
  if (!tt_op_is(op_at(by), name) && !tt_op_is(op_at(by), other)) return false;
  bool has[2] = {false, false};
  for (intptr_t i = 0; i < 2; ++i) {
    At x = {op, mlirOperationGetOperand(op_at(by), i)};
    while (rounds(op_at(x))) x.value = mlirOperationGetOperand(op_at(x), 0);
    for (intptr_t j = 0; j < 2; ++j)
      has[j] |= tt_value_eq(x.value, mlirBlockGetArgument(tt_body(op), j));
  }
  return has[0] && has[1];
}

static bool fills_zero(MlirOperation fill) {
  return tt_op_is(fill, "linalg.fill") &&
         is_number((At){fill, mlirOperationGetOperand(fill, 0)}, 0);
}

/* The sum that `at` is one over, or is. */
static bool read_sum(TtStream *s, At at) {
  if (!mlirOperationIsNull(at.op) || tt_is_null_value(at.value) ||
      !is_reduced(at.value, "arith.addf", "arith.addf"))
    return false;
  s->sum = tt_defining_op(at.value);
  return fills_zero(input_op(s->sum, 1));
}

/* The weights: e * (1 / l) or e / l. */
static bool read_norm(TtStream *s, MlirValue weights) {
  At at = source_of((At){{NULL}, weights}, no_value);
  s->norm = at.op;
  if (tt_op_is(op_at(at), "arith.divf"))
    return read_sum(s, operand_at(at, 1, no_value)) &&
           is_tensor(operand_at(at, 0, mlirOperationGetOperand(s->sum, 0)),
                     mlirOperationGetOperand(s->sum, 0));
  if (!tt_op_is(op_at(at), "arith.mulf")) return false;
  for (intptr_t i = 0; i < 2; ++i) {
    At over = operand_at(at, i, no_value);
    if (tt_op_is(op_at(over), "arith.divf") && is_number(operand_at(over, 0, no_value), 1) &&
        read_sum(s, operand_at(over, 1, no_value)))
      return is_tensor(operand_at(at, 1 - i, mlirOperationGetOperand(s->sum, 0)),
                       mlirOperationGetOperand(s->sum, 0));
  }
  return false;
}

/* The exponentials, of scores from which the largest of their rows is taken. */
static bool read_exps(TtStream *s) {
  At exp = source_of((At){{NULL}, mlirOperationGetOperand(s->sum, 0)}, no_value);
  if (!tt_op_is(op_at(exp), "math.exp")) return false;
  s->exps = exp.op;
  At less = operand_at(exp, 0, no_value);
  if (!tt_op_is(op_at(less), "arith.subf")) return false;
  At most = operand_at(less, 1, no_value);
  if (!mlirOperationIsNull(most.op) || tt_is_null_value(most.value) ||
      !is_reduced(most.value, "arith.maximumf", "arith.maxnumf"))
    return false;
  s->most = tt_defining_op(most.value);
  s->scores = mlirOperationGetOperand(s->most, 0);
  return is_tensor(operand_at(less, 0, s->scores), s->scores);
}

/*===- Scores --------------------------------------------------------------------------------===*/

static intptr_t num_uses(MlirValue value) {
  intptr_t n = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    n += !tt_op_is(mlirOpOperandGetOwner(use), "tensor.dim");
  return n;
}

/* Scores as they are, or computed element by element of a product's. */
static bool read_scores(TtStream *s) {
  MlirOperation product = tt_defining_op(s->scores);
  if (mlirOperationIsNull(product)) return false;
  if (tt_op_is(product, "linalg.generic") && is_map(product)) {
    s->map = product, s->from = -1;
    for (intptr_t i = 0; i < tt_linalg_num_inputs(s->map); ++i)
      if (tt_stream_is_product(input_op(s->map, i)) &&
          mlirAffineMapIsIdentity(tt_indexing_map(s->map, i)) &&
          num_uses(mlirOperationGetOperand(s->map, i)) == 1)
        s->from = i;
    if (s->from < 0) return false;
    product = input_op(s->map, s->from);
  }
  s->product = product;
  return tt_stream_is_product(product) && fills_zero(input_op(product, 2));
}

static bool is_float(MlirValue tensor) {
  MlirType type = mlirShapedTypeGetElementType(mlirValueGetType(tensor));
  return mlirTypeIsAF32(type) || mlirTypeIsABF16(type) || mlirTypeIsAF16(type);
}

static bool has_floats(const TtStream *s) {
  for (intptr_t i = 0; i < 3; ++i)
    if (!is_float(mlirOperationGetOperand(s->product, i)) ||
        !is_float(mlirOperationGetOperand(s->last, i)))
      return false;
  return is_float(s->scores);
}

/* Whether each input beside the product's is a block of rows, of keys, or of both. */
static bool has_blocks(const TtStream *s) {
  for (intptr_t i = 0; i < tt_linalg_num_inputs(s->map); ++i) {
    MlirAffineMap map = tt_indexing_map(s->map, i);
    bool block = false;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      int64_t loop = tt_map_loop(map, r);
      block |= loop == s->row || loop == s->rank - 1;
    }
    if (!block || !mlirAffineMapIsProjectedPermutation(map)) return false;
  }
  return true;
}

/* Whether an input without rows has a batch of open size: a row of a matrix, of which there may be
 * more than protocols are proven for. */
static bool has_open_rows(const TtStream *s) {
  for (intptr_t i = 0; i < tt_linalg_num_inputs(s->map); ++i) {
    MlirAffineMap map = tt_indexing_map(s->map, i);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(s->map, i));
    bool rows = false, open = false;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      int64_t loop = tt_map_loop(map, r);
      rows |= loop == s->row && !s->alone;
      open |= loop != s->rank - 1 && mlirShapedTypeIsDynamicDim(type, r);
    }
    if (open && !rows) return true;
  }
  return false;
}

/* Whether nothing but `last` needs what `op` gives, by ops between that it, and that, are apart. */
static bool leads_to(MlirOperation op, MlirOperation last, int apart) {
  if (apart == 0 || mlirOperationGetNumResults(op) != 1) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(result_of(op)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tt_op_is(user, "tensor.dim") && !tt_op_eq(user, last) && !leads_to(user, last, apart - 1))
      return false;
  }
  return true;
}

/* Whether `op`, which may be null, computes of its inputs alone, not of what its output held. */
static bool is_of_inputs(MlirOperation op) {
  return mlirOperationIsNull(op) ||
         !tt_has_uses(mlirBlockGetArgument(tt_body(op), tt_linalg_num_inputs(op)));
}

/* What takes the result alone, element by element. */
static void read_after(TtStream *s) {
  MlirValue result = result_of(s->last);
  if (num_uses(result) != 1) return;
  for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_is(op, "tensor.dim")) continue;
    if (is_map(op) && tt_linalg_num_inputs(op) == 1 && mlirOpOperandGetOperandNumber(use) == 0 &&
        mlirAffineMapIsIdentity(tt_indexing_map(op, 0)) && is_float(result_of(op)) &&
        is_of_inputs(op))
      s->after = op;
  }
}

bool tt_stream_read(TtArena *arena, MlirOperation last, TtStream *s, const char **why) {
  *why = NULL;
  bool found = false;
  for (intptr_t p = 0; p < 2 && !found; ++p) {
    *s = (TtStream){.last = last, .p = p, .v = 1 - p};
    MlirValue weights = mlirOperationGetOperand(last, p);
    s->rank = mlirShapedTypeGetRank(mlirValueGetType(weights));
    found = s->rank >= 2 && read_norm(s, weights) && read_exps(s) && read_scores(s);
  }
  if (!found || !fills_zero(input_op(last, 2))) return false;
  enum { APART = 12 };
  bool map = !mlirOperationIsNull(s->map);
  if (!is_of_inputs(s->map)) return false;
  if (s->rank > TT_STREAM_RANK) *why = "its scores have too many dimensions";
  else if (!has_floats(s)) *why = "it is not of f32, bf16 or f16";
  else if (!leads_to(s->product, last, APART))
    *why = "its scores, or its weights, are needed elsewhere";
  else if (!tt_stream_read_products(s))
    *why = "keys or values are wide, of open width, or lie otherwise";
  else if (map && tt_loads_elements(arena, s->map)) *why = "what it adds to scores is loaded";
  else if (map && (tt_linalg_num_inputs(s->map) > TT_STREAM_INPUTS || !has_blocks(s)))
    *why = "what it adds to scores has neither rows nor keys";
  else if (map && has_open_rows(s)) *why = "what it adds to scores has a row for each of a batch";
  if (*why) return false;
  read_after(s);
  return true;
}
