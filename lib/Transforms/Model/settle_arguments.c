/*===- settle_arguments.c - --tt-settle-arguments --------------------------------------------===
 *
 * An argument or result of a model that is only ever seen in another shape has that shape:
 * reshapes at the boundary are changes of types, and no work.
 *
 *   before  func.func @f(%x: memref<1x1x512xf32>) … { %0 = memref.collapse_shape %x … … %0 … }
 *   after   func.func @f(%x: memref<512xf32>) … { … %x … }
 *
 * Elements that a body loads of it are those of the other shape, if that differs in dimensions of
 * one element alone.
 *
 * Sizes that tt.equal_dims names are called by their new places.
 *
 * Requires --tt-model-to-kernels' input: a bufferized model. An argument that is seen in several
 * shapes keeps its own.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

#include <string.h>

/* Whether two types have the same dimensions but for those of one element. */
static bool differ_in_units(MlirType a, MlirType b) {
  intptr_t i = 0, j = 0, n = mlirShapedTypeGetRank(a), m = mlirShapedTypeGetRank(b);
  for (;; ++i, ++j) {
    while (i < n && mlirShapedTypeGetDimSize(a, i) == 1) ++i;
    while (j < m && mlirShapedTypeGetDimSize(b, j) == 1) ++j;
    if (i == n || j == m) return i == n && j == m;
    if (mlirShapedTypeGetDimSize(a, i) != mlirShapedTypeGetDimSize(b, j)) return false;
  }
}

/* The type in which all users see `arg`, through an op that only reshapes; null where there is
 * none. */
static MlirType seen_as(MlirValue arg) {
  MlirType type = {NULL};
  bool asks = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(arg); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tt_op_is(user, "memref.dim") || tt_op_is(user, "memref.load")) {
      asks = true;
      continue;
    }
    if (!tt_op_is(user, "memref.expand_shape") && !tt_op_is(user, "memref.collapse_shape"))
      return (MlirType){NULL};
    MlirType seen = mlirValueGetType(mlirOperationGetResult(user, 0));
    if (!mlirTypeIsNull(type) && !mlirTypeEqual(type, seen)) return (MlirType){NULL};
    type = seen;
  }
  bool other = !mlirTypeIsNull(type) && asks && !differ_in_units(mlirValueGetType(arg), type);
  return other ? (MlirType){NULL} : type;
}

/* The dimension of `to` that dimension `at` of `from` is, of those that are no units. */
static int64_t place_in(MlirType from, int64_t at, MlirType to) {
  int64_t index = 0;
  intptr_t units = 0;
  for (intptr_t d = 0; d < at; ++d) units += mlirShapedTypeGetDimSize(from, d) == 1;
  for (int64_t left = at - units; index < mlirShapedTypeGetRank(to); ++index)
    if (mlirShapedTypeGetDimSize(to, index) != 1 && left-- == 0) break;
  return index;
}

/* A size of what had type `from`. */
static void ask_other(MlirOperation dim, MlirType from, MlirType to) {
  int64_t at;
  if (!tt_constant(mlirOperationGetOperand(dim, 1), &at)) return;
  TtBuilder b = tt_builder_before(dim);
  mlirOperationSetOperand(dim, 1,
                          tt_index(&b, mlirOperationGetLocation(dim), place_in(from, at, to)));
}

/* An element of what had type `from`: zeros are the places in dimensions of one. */
static void load_other(MlirOperation load, MlirType from, MlirValue arg) {
  MlirType to = mlirValueGetType(arg);
  MlirLocation loc = mlirOperationGetLocation(load);
  TtBuilder b = tt_builder_before(load);
  TtOpState s = tt_op_state("memref.load", loc);
  tt_op_state_operand(&s, arg);
  for (intptr_t d = 0, at = 0; d < mlirShapedTypeGetRank(to); ++d) {
    bool unit = mlirShapedTypeGetDimSize(to, d) == 1;
    while (!unit && mlirShapedTypeGetDimSize(from, at) == 1) ++at;
    tt_op_state_operand(&s, unit ? tt_index(&b, loc, 0) : mlirOperationGetOperand(load, 1 + at));
    at += !unit;
  }
  tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(load, 0)));
  tt_replace(load, mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0));
}

static void retype(TtArena *arena, MlirValue arg, MlirType type) {
  TtOps users = {NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(arg); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    tt_ops_add(arena, &users, mlirOpOperandGetOwner(use));
  MlirType before = mlirValueGetType(arg);
  mlirValueSetType(arg, type);
  for (intptr_t i = 0; i < users.n; ++i)
    if (tt_op_is(users.data[i], "memref.dim")) ask_other(users.data[i], before, type);
    else if (tt_op_is(users.data[i], "memref.load")) load_other(users.data[i], before, arg);
    else tt_replace(users.data[i], arg);
}

/* One side of "x_d1=result_d0" where arguments had the types `before`: its name now, or NULL where
 * it is no size any more. */
static const char *size_now(TtArena *arena, MlirOperation func, const char *name,
                            const MlirType *before) {
  for (intptr_t i = 0; i < tt_num_args(func); ++i) {
    const char *arg = tt_arg_name(arena, func, i);
    MlirType now = mlirValueGetType(tt_arg(func, i));
    intptr_t rank = mlirTypeIsAShaped(before[i]) ? mlirShapedTypeGetRank(before[i]) : 0;
    for (intptr_t d = 0; d < rank; ++d) {
      if (strcmp(tt_dim_name(arena, arg, d), name) != 0) continue;
      if (mlirTypeEqual(before[i], now)) return name;
      return differ_in_units(before[i], now)
                 ? tt_dim_name(arena, arg, (intptr_t)place_in(before[i], d, now))
                 : NULL;
    }
  }
  return NULL;
}

static void rename_sizes(TtArena *arena, MlirOperation func, const MlirType *before) {
  MlirAttribute equal = tt_get_attr(func, "tt.equal_dims");
  if (mlirAttributeIsNull(equal)) return;
  tt_remove_attr(func, "tt.equal_dims");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(equal); ++i) {
    char *a = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(equal, i))),
         *b = strchr(a, '=');
    if (!b) continue;
    *b = '\0';
    const char *left = size_now(arena, func, a, before),
               *right = size_now(arena, func, b + 1, before);
    if (left && right) tt_assume_equal_dims(arena, func, left, right);
  }
}

static bool settle(TtArena *arena, MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  intptr_t n = tt_num_args(func);
  MlirType *types = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *types), seen,
           *before = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *before);
  for (intptr_t i = 0; i < n; ++i) {
    before[i] = mlirValueGetType(tt_arg(func, i));
    while (!mlirTypeIsNull(seen = seen_as(tt_arg(func, i)))) retype(arena, tt_arg(func, i), seen);
    types[i] = mlirValueGetType(tt_arg(func, i));
  }
  rename_sizes(arena, func, before);
  mlirOperationSetInherentAttributeByName(
      func, tt_str("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(context, n, types, 0, NULL)));
  return true;
}

bool tt_run_settle_arguments(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, settle);
}
