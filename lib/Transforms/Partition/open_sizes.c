/*===- open_sizes.c - numbers for sizes that only a run knows ----------------------------------===
 *
 *   scf.forall (%i) = (0) to (%X_d0) step (32) {                    X: memref<?x32xf32>
 *     memref.copy %x, %C[%i, 0] [32, 32]                            C: memref<?x32xf32>
 *   }
 *
 * = where C_d0 is 41, and X_d0 is 13, rows 32 ... 40 of C are not written
 *
 * What a kernel writes of a tensor of open size is told by example: with each of a few numbers for
 * the sizes, all of the tensor must be written. The examples are chosen such that what a kernel
 * leaves out shows in one of them:
 *
 *   - sizes that blocks do not divide, and an even one: what is written for some rests only;
 *   - a size that is larger than every number that the kernel compares sizes with, or steps up to
 *     them: what is written up to a limit only, as by `if (i < 400)`;
 *   - sizes of one tensor that need not be equal are not: each is once the larger one;
 *   - sizes of other tensors are smaller than those of this one, unless the kernel needs them to be
 *     equal, which the host checks: tt.equal_dims, or a block of this tensor that ends where the
 *     other size says, min(32, %X_d0 - %i), which becomes one of them (partial.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Partition/open_sizes.h"

#include "Analysis/dims.h"
#include "Analysis/index_expr.h"
#include "Dialect/op_info.h"

#include "mlir-c/AffineMap.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL = 41, LARGE = 293 }; /* blocks do not divide them */
enum { DEEP = 12 };               /* ops that a value is followed through */

/*===- Sizes that are equal -----------------------------------------------------------------===*/

/* Names of sizes; those of one number are equal. */
typedef struct Names {
  TtArena *arena;
  const char **name;
  intptr_t *number;
  intptr_t n, capacity;
} Names;

static intptr_t number_of(Names *all, const char *name) {
  for (intptr_t i = 0; i < all->n; ++i)
    if (strcmp(all->name[i], name) == 0) return all->number[i];
  if (all->n == all->capacity) {
    intptr_t capacity = all->capacity ? 2 * all->capacity : 16;
    const char **more = tt_arena_alloc(all->arena, (size_t)capacity * sizeof *more);
    intptr_t *numbers = tt_arena_alloc(all->arena, (size_t)capacity * sizeof *numbers);
    for (intptr_t i = 0; i < all->n; ++i) more[i] = all->name[i], numbers[i] = all->number[i];
    all->name = more, all->number = numbers, all->capacity = capacity;
  }
  all->name[all->n] = name, all->number[all->n] = all->n;
  return all->number[all->n++];
}

static void tie(Names *all, const char *a, const char *b) {
  intptr_t x = number_of(all, a), y = number_of(all, b);
  for (intptr_t i = 0; i < all->n; ++i)
    if (all->number[i] == (x > y ? x : y)) all->number[i] = x > y ? y : x;
}

static void tie_noted(Names *all, MlirOperation func) {
  MlirAttribute equal = tt_get_attr(func, "tt.equal_dims");
  for (intptr_t i = 0; !mlirAttributeIsNull(equal) && i < mlirArrayAttrGetNumElements(equal); ++i) {
    char *a = tt_arena_str(all->arena, tt_string(mlirArrayAttrGetElement(equal, i))),
         *b = strchr(a, '=');
    if (!b) continue;
    *b++ = '\0';
    tie(all, a, b);
  }
}

/* The name of the size that a run gives `value`; NULL where it is none. */
static const char *dim_name(TtArena *arena, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || !tt_runtime_arg_isa(op) ||
      !tt_is_dim_name(tt_string(tt_runtime_arg_name(op))))
    return NULL;
  return tt_arena_str(arena, tt_string(tt_runtime_arg_name(op)));
}

/* Whether a block has along `d` what is left of a size, which goes to `symbol`. */
static bool is_rest(TtArena *arena, const TtTouch *t, intptr_t d, MlirValue *symbol) {
  MlirType type = t->tensor->type;
  int64_t whole = mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
  if (mlirValueIsNull(t->length[d]) || t->start[d] != 0 || t->num_terms[d] > 1) return false;
  *symbol = t->length[d];
  return t->num_terms[d] == 0 || (tt_is_rest(arena, t->length[d], t->terms[d][0], whole, symbol) &&
                                  !mlirValueIsNull(*symbol));
}

/* That size is the one of the tensor. */
static void tie_rest(Names *all, const TtTouch *t, intptr_t d) {
  MlirValue symbol = {NULL};
  if (!mlirShapedTypeIsDynamicDim(t->tensor->type, d) || !is_rest(all->arena, t, d, &symbol))
    return;
  const char *name = dim_name(all->arena, symbol);
  if (name) tie(all, tt_dim_name(all->arena, t->tensor->name, d), name);
}

/*===- Numbers that sizes are compared with -------------------------------------------------===*/

/* Whether `value` is made of a size that only a run knows, or of steps up to one. */
static bool is_by_size(MlirValue value, int left) {
  if (left == 0) return false;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    if (tt_is_function(loop)) return false;
    op = loop; /* whose operands are its bounds */
  }
  if (tt_op_is(op, "tt.runtime_arg")) return tt_is_dim_name(tt_string(tt_runtime_arg_name(op)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_by_size(mlirOperationGetOperand(op, i), left - 1)) return true;
  return false;
}

bool tt_grows(const TtTouch *t) {
  for (intptr_t d = 0; d < t->rank; ++d) {
    if (!mlirShapedTypeIsDynamicDim(t->tensor->type, d)) continue;
    bool by_size = mlirValueIsNull(t->length[d]) ? t->size[d] < 0 : is_by_size(t->length[d], DEEP);
    for (int i = 0; i < t->num_terms[d]; ++i) by_size |= is_by_size(t->terms[d][i], DEEP);
    if (!by_size) return false;
  }
  return true;
}

/* The largest numbers in an expression: of all, and of those that something is divided by; and how
 * far loops of known length go. */
typedef struct Numbers {
  int64_t any, divisor, steps;
} Numbers;

static void note(int64_t *largest, int64_t n) {
  if (n != INT64_MIN && llabs(n) > *largest) *largest = llabs(n);
}

static void numbers_of_expr(Numbers *n, MlirAffineExpr x) {
  if (mlirAffineExprIsAConstant(x)) note(&n->any, mlirAffineConstantExprGetValue(x));
  if (!mlirAffineExprIsABinary(x)) return;
  MlirAffineExpr by = mlirAffineBinaryOpExprGetRHS(x);
  bool divides = mlirAffineExprIsAFloorDiv(x) || mlirAffineExprIsACeilDiv(x);
  numbers_of_expr(n, mlirAffineBinaryOpExprGetLHS(x));
  if (divides && mlirAffineExprIsAConstant(by))
    note(&n->divisor, mlirAffineConstantExprGetValue(by));
  else numbers_of_expr(n, by);
}

static void numbers_of(Numbers *n, MlirValue value, int left);

/* A loop up to a size that is divided has a step for so many elements. */
static void numbers_of_loop(Numbers *n, MlirOperation loop, bool by_size, int left) {
  int64_t upper;
  Numbers bounds = {1, 1, 1};
  for (intptr_t i = 0; by_size && i < mlirOperationGetNumOperands(loop); ++i)
    if (mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(loop, i))))
      numbers_of(&bounds, mlirOperationGetOperand(loop, i), left - 1);
  note(&n->divisor, bounds.divisor);
  if (by_size) return;
  if (tt_op_is(loop, "scf.for") && tt_constant(mlirOperationGetOperand(loop, 1), &upper))
    note(&n->steps, upper);
  if (!tt_op_is(loop, "scf.forall")) return;
  MlirAttribute to = tt_op_attr(loop, "staticUpperBound");
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(to); ++d)
    note(&n->steps, mlirDenseI64ArrayGetElement(to, d));
}

static bool divides(MlirOperation op) {
  return tt_op_is(op, "arith.divui") || tt_op_is(op, "arith.divsi") ||
         tt_op_is(op, "arith.floordivsi") || tt_op_is(op, "arith.ceildivui") ||
         tt_op_is(op, "arith.ceildivsi");
}

static void numbers_of(Numbers *n, MlirValue value, int left) {
  int64_t constant;
  MlirOperation op = tt_defining_op(value);
  if (left == 0) return;
  if (mlirOperationIsNull(op)) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    numbers_of_loop(n, loop, is_by_size(value, DEEP), left);
    return;
  }
  if (tt_constant(value, &constant)) {
    note(&n->any, constant);
    return;
  }
  MlirAttribute map = tt_op_attr(op, "map");
  for (intptr_t i = 0; !mlirAttributeIsNull(map) && mlirAttributeIsAAffineMap(map) &&
                       i < mlirAffineMapGetNumResults(mlirAffineMapAttrGetValue(map));
       ++i)
    numbers_of_expr(n, mlirAffineMapGetResult(mlirAffineMapAttrGetValue(map), i));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    bool by = i == 1 && tt_constant(mlirOperationGetOperand(op, i), &constant);
    if (by && divides(op)) note(&n->divisor, constant);
    else if (by && tt_op_is(op, "arith.shrui") && constant >= 0 && constant < 32)
      note(&n->divisor, INT64_C(1) << constant);
    else numbers_of(n, mlirOperationGetOperand(op, i), left - 1);
  }
}

static bool has_mod(MlirAffineExpr x) {
  if (!mlirAffineExprIsABinary(x)) return false;
  return mlirAffineExprIsAMod(x) || has_mod(mlirAffineBinaryOpExprGetLHS(x)) ||
         has_mod(mlirAffineBinaryOpExprGetRHS(x));
}

static bool is_comparison(MlirOperation op) {
  static const char *const names[] = {"arith.cmpi",  "arith.minui", "arith.minsi",
                                      "arith.maxui", "arith.maxsi", "arith.remui",
                                      "arith.remsi", "affine.min",  "affine.max"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tt_op_is(op, names[i])) return true;
  return tt_op_is(op, "affine.apply") &&
         has_mod(mlirAffineMapGetResult(mlirAffineMapAttrGetValue(tt_op_attr(op, "map")), 0));
}

/* Whether `value` says where blocks end at the end of a tensor: that is so for all sizes. */
static bool is_any_rest(TtArena *arena, const TtTouches *all, MlirValue value) {
  MlirValue symbol;
  for (intptr_t i = 0; i < all->n; ++i)
    for (intptr_t d = 0; d < all->data[i].rank; ++d)
      if (!mlirValueIsNull(all->data[i].length[d]) && tt_value_eq(all->data[i].length[d], value) &&
          is_rest(arena, &all->data[i], d, &symbol))
        return true;
  return false;
}

/* The largest block of a dimension of open size, rounded up to an even size. */
static int64_t largest_block(const TtWritten *w) {
  int64_t block = 1;
  for (intptr_t i = 0; i < w->touches->n; ++i)
    for (intptr_t d = 0; d < w->touches->data[i].rank; ++d)
      if (mlirShapedTypeIsDynamicDim(w->touches->data[i].tensor->type, d))
        note(&block, w->touches->data[i].size[d]);
  return (block + 1) / 2 * 2;
}

/* What the kernel compares sizes, and steps up to them, with, at most. */
static int64_t largest_compared(const TtWritten *w) {
  TtOps ops = tt_collect(w->arena, w->func, NULL);
  int64_t largest = 0;
  for (intptr_t i = 0; i < ops.n; ++i) {
    Numbers n = {1, 1, 1};
    int64_t most;
    if (!is_comparison(ops.data[i]) || tt_is_linalg(tt_parent(ops.data[i]))) continue;
    MlirValue value = mlirOperationGetResult(ops.data[i], 0);
    if (!is_by_size(value, DEEP) || is_any_rest(w->arena, w->touches, value)) continue;
    numbers_of(&n, value, DEEP);
    if (__builtin_mul_overflow(n.any, n.divisor, &most) ||
        __builtin_mul_overflow(most, n.steps, &most) || most > INT32_MAX)
      most = INT32_MAX;
    note(&largest, most);
  }
  return largest;
}

/*===- Trials -------------------------------------------------------------------------------===*/

typedef struct Trial {
  int number;
  int64_t block, compared;
} Trial;

/* The sizes of one number. Those of the tensor that may differ do by a block, the later ones being
 * larger, or smaller; others are so much smaller that a block less ends with them. */
static int64_t size_of(const Names *names, const TtArg *tensor, intptr_t number, Trial t) {
  intptr_t rank = mlirShapedTypeGetRank(tensor->type);
  bool own = number < rank;
  for (intptr_t d = 0; own && d < rank; ++d)
    if (names->number[d] == number && !mlirShapedTypeIsDynamicDim(tensor->type, d))
      return mlirShapedTypeGetDimSize(tensor->type, d);
  int64_t size = t.number == 0 ? SMALL : LARGE;
  if (t.number == 2) /* beyond the block that begins at the last number */
    size = (t.compared + t.block > LARGE ? t.compared + t.block : LARGE) / 2 * 2 + 2;
  if (!own) return size / 3;
  return size + t.block * (t.number == 1 ? rank - 1 - number : number);
}

void tt_try_sizes(TtWritten *w, const TtArg *tensor, int trial) {
  Names names = {.arena = w->arena};
  Trial t = {trial, largest_block(w), largest_compared(w)};
  intptr_t rank = mlirShapedTypeGetRank(tensor->type);
  for (intptr_t d = 0; d < rank; ++d) number_of(&names, tt_dim_name(w->arena, tensor->name, d));
  tie_noted(&names, w->func);
  for (intptr_t i = 0; i < w->touches->n; ++i)
    for (intptr_t d = 0; d < w->touches->data[i].rank; ++d)
      tie_rest(&names, &w->touches->data[i], d);
  for (intptr_t d = 0; d < rank; ++d)
    w->whole[d] = mlirShapedTypeIsDynamicDim(tensor->type, d)
                      ? size_of(&names, tensor, names.number[d], t)
                      : mlirShapedTypeGetDimSize(tensor->type, d);
  TtOps sizes = tt_collect(w->arena, w->func, "tt.runtime_arg");
  for (intptr_t i = 0; i < sizes.n && w->sizes.n < TT_MAX_KNOWN / 2; ++i) {
    MlirValue value = tt_runtime_arg_value(sizes.data[i]);
    const char *name = dim_name(w->arena, value);
    if (!name) continue;
    w->sizes.values[w->sizes.n] = value;
    w->sizes.at[w->sizes.n++] = size_of(&names, tensor, number_of(&names, name), t);
  }
}
