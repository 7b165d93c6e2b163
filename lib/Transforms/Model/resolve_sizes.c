/*===- resolve_sizes.c - --tt-resolve-sizes --------------------------------------------------===
 *
 * Says open sizes of a model by those of its arguments. A reshape to [-1, 2, 32], as exporters
 * write heads, becomes a flat tensor, and a quotient of its size:
 *
 *   before  %flat = tensor.collapse_shape %y [[0, 1]]                     of ?x64
 *           %n = arith.divsi (tensor.dim %flat, 0), 64
 *           %h = tensor.expand_shape %y … output_shape [%n, 2, 32]
 *           %e = tensor.empty(tensor.dim %h, 0)
 *   after   %n = tensor.dim %x, 1                                         of the argument
 *           %h = tensor.expand_shape %y … output_shape [%n, 2, 32]
 *           %e = tensor.empty(%n)
 *
 * A size is a number times sizes of arguments; quotients that leave no remainder are taken. The
 * host program can compute such, and two that are the same are seen to be.
 *
 * Two arguments' sizes that an op takes as one, as those of a loop of a linalg op, or of what is
 * expanded and what it is expanded to, are equal: tt.equal_dims of the model says so, and the host
 * program checks it.
 *
 * Requires linalg on tensors.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/kernel.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

/* A number times sizes of arguments, in the order of these. */
enum { MOST_FACTORS = 6, DEEPEST = 32 };
typedef struct Size {
  int64_t number;
  int n;
  struct {
    intptr_t arg, dim;
  } of[MOST_FACTORS];
} Size;

static bool resolve(MlirBlock body, MlirValue value, int depth, Size *size);

static bool times(Size *a, const Size *b) {
  if (a->n + b->n > MOST_FACTORS || __builtin_mul_overflow(a->number, b->number, &a->number))
    return false;
  for (int i = 0; i < b->n; ++i) {
    int at = a->n++;
    for (; at > 0 && (a->of[at - 1].arg > b->of[i].arg ||
                      (a->of[at - 1].arg == b->of[i].arg && a->of[at - 1].dim > b->of[i].dim));
         --at)
      a->of[at] = a->of[at - 1];
    a->of[at].arg = b->of[i].arg, a->of[at].dim = b->of[i].dim;
  }
  return true;
}

/* False where that leaves a remainder, or may. */
static bool divided(Size *a, const Size *b) {
  if (b->number <= 0 || a->number % b->number != 0) return false;
  a->number /= b->number;
  for (int i = 0; i < b->n; ++i) {
    int at = 0;
    while (at < a->n && (a->of[at].arg != b->of[i].arg || a->of[at].dim != b->of[i].dim)) ++at;
    if (at == a->n) return false;
    for (--a->n; at < a->n; ++at) a->of[at] = a->of[at + 1];
  }
  return true;
}

/* The operand that is the `dim`-th size of a tensor, of an op with static sizes `name`, whose
 * operands from `first` on are those that these leave open. */
static bool listed(MlirBlock body, MlirOperation op, const char *name, intptr_t first, intptr_t dim,
                   int depth, Size *size) {
  MlirAttribute sizes = tt_op_attr(op, name);
  for (intptr_t d = 0; d < dim; ++d)
    first += mlirDenseI64ArrayGetElement(sizes, d) == mlirShapedTypeGetDynamicSize();
  int64_t known = mlirDenseI64ArrayGetElement(sizes, dim);
  *size = (Size){.number = known};
  return known != mlirShapedTypeGetDynamicSize() ||
         resolve(body, mlirOperationGetOperand(op, first), depth, size);
}

/* Size `dim` of a tensor. */
static bool size_of(MlirBlock body, MlirValue tensor, intptr_t dim, int depth, Size *size) {
  MlirType type = mlirValueGetType(tensor);
  if (depth == 0 || !mlirTypeIsARankedTensor(type) || dim >= mlirShapedTypeGetRank(type))
    return false;
  *size = (Size){.number = mlirShapedTypeGetDimSize(type, dim)};
  if (!mlirShapedTypeIsDynamicDim(type, dim)) return true;
  if (mlirValueIsABlockArgument(tensor)) {
    *size = (Size){.number = 1, .n = 1};
    size->of[0].arg = mlirBlockArgumentGetArgNumber(tensor), size->of[0].dim = dim;
    return mlirBlockEqual(mlirBlockArgumentGetOwner(tensor), body);
  }
  MlirOperation op = tt_defining_op(tensor);
  if (tt_op_is(op, "tensor.cast"))
    return size_of(body, mlirOperationGetOperand(op, 0), dim, depth - 1, size);
  if (tt_is_linalg(op)) {
    intptr_t out = tt_linalg_num_inputs(op) + mlirOpResultGetResultNumber(tensor);
    return out < mlirOperationGetNumOperands(op) &&
           size_of(body, mlirOperationGetOperand(op, out), dim, depth - 1, size);
  }
  if (tt_op_is(op, "tensor.empty")) {
    intptr_t operand = 0;
    for (intptr_t d = 0; d < dim; ++d) operand += mlirShapedTypeIsDynamicDim(type, d);
    return resolve(body, mlirOperationGetOperand(op, operand), depth - 1, size);
  }
  if (tt_op_is(op, "tensor.expand_shape"))
    return listed(body, op, "static_output_shape", 1, dim, depth - 1, size);
  if (!tt_op_is(op, "tensor.collapse_shape")) return false;
  MlirAttribute group = mlirArrayAttrGetElement(tt_op_attr(op, "reassociation"), dim);
  *size = (Size){.number = 1};
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i) {
    Size part;
    intptr_t d = (intptr_t)mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, i));
    if (!size_of(body, mlirOperationGetOperand(op, 0), d, depth - 1, &part) || !times(size, &part))
      return false;
  }
  return true;
}

/* What an index is. */
static bool resolve(MlirBlock body, MlirValue value, int depth, Size *size) {
  MlirOperation op = tt_defining_op(value);
  Size other;
  int64_t number;
  if (depth == 0 || mlirOperationIsNull(op)) return false;
  if (tt_constant(value, &number)) {
    *size = (Size){.number = number};
    return true;
  }
  if (tt_op_is(op, "tensor.dim"))
    return tt_constant(mlirOperationGetOperand(op, 1), &number) && number >= 0 &&
           size_of(body, mlirOperationGetOperand(op, 0), (intptr_t)number, depth - 1, size);
  bool product = tt_op_is(op, "arith.muli"),
       quotient = tt_op_is(op, "arith.divsi") || tt_op_is(op, "arith.divui");
  if ((!product && !quotient) || !resolve(body, mlirOperationGetOperand(op, 0), depth - 1, size) ||
      !resolve(body, mlirOperationGetOperand(op, 1), depth - 1, &other))
    return false;
  return product ? times(size, &other) : divided(size, &other);
}

/* The same by arguments, at the start of the model. */
static MlirValue write(MlirBlock body, MlirLocation loc, const Size *size) {
  TtBuilder b = tt_builder_at_start(body);
  MlirValue product = {NULL};
  for (int i = 0; i < size->n; ++i) {
    MlirValue dim =
        tt_tensor_dim(&b, loc, mlirBlockGetArgument(body, size->of[i].arg), size->of[i].dim);
    product = tt_is_null_value(product) ? dim : tt_mul(&b, loc, product, dim);
  }
  if (tt_is_null_value(product)) return tt_index(&b, loc, size->number);
  return size->number == 1 ? product : tt_mul(&b, loc, product, tt_index(&b, loc, size->number));
}

static bool is_of_argument(MlirBlock body, MlirOperation op) {
  return tt_op_is(op, "tensor.dim") && mlirValueIsABlockArgument(mlirOperationGetOperand(op, 0)) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(mlirOperationGetOperand(op, 0)), body);
}

/*===- Sizes that are equal -----------------------------------------------------------------===*/

static const char *name_of(TtArena *arena, MlirOperation func, const Size *size) {
  return tt_dim_name(arena, tt_arg_name(arena, func, size->of[0].arg), size->of[0].dim);
}

/* Of two sizes that an op takes as one: the same number times a size of an argument each. */
static void assume_equal(TtArena *arena, MlirOperation func, const Size *a, const Size *b) {
  if (a->n != 1 || b->n != 1 || a->number != b->number) return;
  const char *names[] = {name_of(arena, func, a), name_of(arena, func, b)};
  if (strcmp(names[0], names[1]) != 0) tt_assume_equal_dims(arena, func, names[0], names[1]);
}

static void note_loops(TtArena *arena, MlirOperation func, MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  intptr_t loops =
      mlirAttributeIsNull(maps) ? 0 : mlirAffineMapGetNumInputs(tt_indexing_map(op, 0));
  for (intptr_t loop = 0; loop < loops; ++loop) {
    Size first = {.n = 0}, size;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      MlirAffineMap map = tt_indexing_map(op, i);
      for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); ++d) {
        if (tt_map_loop(map, d) != loop || !size_of(tt_body(func), operand, d, DEEPEST, &size) ||
            size.n != 1)
          continue;
        if (first.n == 0) first = size;
        else assume_equal(arena, func, &first, &size);
      }
    }
  }
}

static void note_expanded(TtArena *arena, MlirOperation func, MlirOperation expand) {
  MlirAttribute groups = tt_op_attr(expand, "reassociation");
  MlirBlock body = tt_body(func);
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    Size whole, parts = {.number = 1}, part;
    bool known = size_of(body, mlirOperationGetOperand(expand, 0), g, DEEPEST, &whole);
    for (intptr_t i = 0; known && i < mlirArrayAttrGetNumElements(group); ++i) {
      intptr_t d = (intptr_t)mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, i));
      known = size_of(body, mlirOperationGetResult(expand, 0), d, DEEPEST, &part) &&
              times(&parts, &part);
    }
    if (known) assume_equal(arena, func, &whole, &parts);
  }
}

static bool resolve_sizes(TtArena *arena, MlirOperation func) {
  MlirBlock body = tt_body(func);
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    Size size;
    bool computes = tt_op_is(op, "tensor.dim") || tt_op_is(op, "arith.muli") ||
                    tt_op_is(op, "arith.divsi") || tt_op_is(op, "arith.divui");
    if (!computes || is_of_argument(body, op) ||
        !mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0))) ||
        !resolve(body, mlirOperationGetResult(op, 0), DEEPEST, &size))
      continue;
    tt_replace(op, write(body, mlirOperationGetLocation(op), &size));
  }
  ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_linalg(ops.data[i])) note_loops(arena, func, ops.data[i]);
    else if (tt_op_is(ops.data[i], "tensor.expand_shape")) note_expanded(arena, func, ops.data[i]);
  return true;
}

bool tt_run_resolve_sizes(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, resolve_sizes);
}
