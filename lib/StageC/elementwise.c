/*===- elementwise.c - scalar bodies to tile intrinsics -----------------------------===
 *
 * The body of an elementwise op is an expression over blocks. Each node becomes
 * one tile intrinsic, in the order of the body:
 *
 *   x op y, both in circular buffers  = tt.fpu.op
 *   f(x)                              = x in DST, then tt.sfpu.unary "f"
 *   x                                 = tt.copy_to_dst
 *   an operand that is itself a node  = packed to an intermediate circular buffer
 *
 * A node that is used twice is computed once. Casts between float types are
 * what unpacker and packer do, and need nothing.
 *
 *===----------------------------------------------------------------------===*/

#include "elementwise.h"

#include "block.h"

#include "mlir-c/Dialect/Linalg.h"

typedef struct Node {
  MlirValue scalar, cb;
} Node;

typedef struct Body {
  TtElementwise *e;
  MlirOperation op;
  TtBuilder b;
  MlirLocation loc;
  MlirBlock block;   /* null for memref.copy */
  Node *done;        /* nodes that are in a circular buffer */
  intptr_t n;
  MlirType shape;    /* circular buffer type of the result */
} Body;

typedef enum Kind { CAST, BINARY, UNARY } Kind;

typedef struct Rule {
  const char *scalar_op;
  Kind kind;
  const char *intrinsic; /* of tt.fpu or tt.sfpu.unary */
} Rule;

static const Rule rules[] = {
    {"arith.addf", BINARY, "add"}, {"arith.subf", BINARY, "sub"}, {"arith.mulf", BINARY, "mul"},
    {"arith.extf", CAST, ""},      {"arith.truncf", CAST, ""},    {"math.exp", UNARY, "exp"},
    {"math.sqrt", UNARY, "sqrt"},  {"math.tanh", UNARY, "tanh"},  {"math.absf", UNARY, "abs"},
};

static const Rule *rule_of(MlirOperation op) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (tt_op_is(op, rules[i].scalar_op)) return &rules[i];
  return NULL;
}

static bool to_dst(Body *body, MlirValue scalar, MlirValue out);

/* The block argument's circular buffer. */
static bool leaf(Body *body, MlirValue scalar, MlirValue *cb) {
  intptr_t i = mlirBlockArgumentGetArgNumber(scalar);
  MlirValue memref = mlirOperationGetOperand(body->op, i);
  if (!tt_is_memref(mlirValueGetType(memref)))
    return tt_error(body->op,
                    "operand %jd is a scalar; scalars in elementwise ops are not supported",
                    (intmax_t)i);
  if (i >= tt_linalg_num_inputs(body->op))
    return tt_error(body->op,
                    "reads the buffer that it writes; write the result to a buffer of its "
                    "own");
  *cb = body->e->cb_of(body->e->data, memref);
  if (tt_is_null_value(*cb))
    return tt_error(body->op, "operand %jd is no buffer of the core", (intmax_t)i);
  return true;
}

static bool to_cb(Body *body, MlirValue scalar, MlirValue *cb) {
  if (mlirValueIsABlockArgument(scalar)) return leaf(body, scalar, cb);
  MlirOperation op = tt_defining_op(scalar);
  const Rule *rule = rule_of(op);
  if (rule && rule->kind == CAST) return to_cb(body, mlirOperationGetOperand(op, 0), cb);
  for (intptr_t i = 0; i < body->n; ++i)
    if (tt_value_eq(body->done[i].scalar, scalar)) return *cb = body->done[i].cb, true;
  MlirType type = mlirValueGetType(scalar);
  TtDType dtype;
  if (!rule || !tt_dtype_of(type, &dtype)) return to_dst(body, scalar, (MlirValue){NULL});
  int64_t tiles[2] = {tt_cb_rows(body->shape), tt_cb_cols(body->shape)};
  MlirType cb_type = tt_cb_type_get(body->b.context, 2, tiles, type);
  *cb = body->e->new_cb(body->e->data, &body->b, body->loc, cb_type);
  if (!to_dst(body, scalar, *cb)) return false;
  body->done[body->n++] = (Node){scalar, *cb};
  return true;
}

static bool check_shape(Body *body, MlirValue cb) {
  MlirType type = mlirValueGetType(cb);
  if (tt_cb_rows(type) == tt_cb_rows(body->shape) && tt_cb_cols(type) == tt_cb_cols(body->shape))
    return true;
  return tt_error(body->op, "operands differ in shape");
}

static bool binary_to_dst(Body *body, MlirOperation op, const char *name, MlirValue out) {
  MlirValue x, y;
  if (!to_cb(body, mlirOperationGetOperand(op, 0), &x) ||
      !to_cb(body, mlirOperationGetOperand(op, 1), &y) || !check_shape(body, x) ||
      !check_shape(body, y))
    return false;
  TtBuilder *b = &body->b;
  if (name[0] == 'a') tt_fpu_add_create(b, body->loc, x, y, 0, out);
  else if (name[0] == 's') tt_fpu_sub_create(b, body->loc, x, y, 0, out);
  else tt_fpu_mul_create(b, body->loc, x, y, 0, out);
  return true;
}

static bool to_dst(Body *body, MlirValue scalar, MlirValue out) {
  if (mlirValueIsABlockArgument(scalar)) {
    MlirValue cb;
    if (!leaf(body, scalar, &cb) || !check_shape(body, cb)) return false;
    tt_copy_to_dst_create(&body->b, body->loc, cb, 0, out);
    return true;
  }
  MlirOperation op = tt_defining_op(scalar);
  const Rule *rule = rule_of(op);
  MlirStringRef name = tt_op_name(op);
  if (!rule)
    return tt_error(body->op, "%.*s has no tile intrinsic; there are addf, subf, mulf, exp, sqrt, "
                              "tanh, absf and casts between floats", (int)name.length, name.data);
  if (rule->kind == CAST) return to_dst(body, mlirOperationGetOperand(op, 0), out);
  if (rule->kind == BINARY) return binary_to_dst(body, op, rule->intrinsic, out);
  MlirValue none = {NULL};
  if (!to_dst(body, mlirOperationGetOperand(op, 0), none)) return false;
  tt_sfpu_unary_create(&body->b, body->loc, rule->intrinsic, 0, out);
  return true;
}

static bool check_maps(MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  MlirStringRef name = tt_op_name(op);
  bool identity = !mlirAttributeIsNull(maps) && mlirOperationGetNumRegions(op) == 1;
  for (intptr_t i = 0; identity && i < mlirArrayAttrGetNumElements(maps); ++i)
    identity = mlirAffineMapIsIdentity(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i)));
  if (identity) return true;
  return tt_error(op,
                  "%.*s is neither a matrix product nor elementwise with identity maps; there is "
                  "no tile intrinsic for it",
                  (int)name.length, name.data);
}

bool tt_lower_elementwise(TtElementwise *e, MlirOperation op) {
  bool copy = tt_op_is(op, "memref.copy");
  intptr_t inputs = copy ? 1 : tt_linalg_num_inputs(op);
  intptr_t outputs = mlirOperationGetNumOperands(op) - inputs;
  if (!copy && !check_maps(op)) return false;
  Body body = {.e = e, .op = op, .b = tt_builder_before(op), .loc = mlirOperationGetLocation(op)};
  if (!copy) body.block = tt_body(op);
  TtOps all = tt_collect(e->arena, op, NULL);
  body.done = tt_arena_alloc(e->arena, (size_t)(all.n + 1) * sizeof *body.done);
  for (intptr_t i = 0; i < outputs; ++i) {
    MlirValue out = e->cb_of(e->data, mlirOperationGetOperand(op, inputs + i));
    if (tt_is_null_value(out))
      return tt_error(op, "writes something that is no buffer of the core");
    body.shape = mlirValueGetType(out);
    if (copy) {
      MlirValue from = e->cb_of(e->data, mlirOperationGetOperand(op, 0));
      if (tt_is_null_value(from))
        return tt_error(op, "copies something that is no buffer of the core");
      tt_copy_to_dst_create(&body.b, body.loc, from, 0, out);
    } else if (!to_dst(&body, mlirOperationGetOperand(mlirBlockGetTerminator(body.block), i),
                       out)) {
      return false;
    }
  }
  mlirOperationDestroy(op);
  return true;
}
