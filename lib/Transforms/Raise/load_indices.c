/*===- load_indices.c - --tt-load-indices ------------------------------------------------------===
 *
 * Integers that a kernel loads from a tensor and that steer it - block tables, offsets, masks of
 * blocks, lists of indices - become indices.
 *
 *   before  %v = memref.load %table[%i] : memref<16xi32>
 *           %r = arith.index_cast %v : i32 to index
 *           … memref.subview %A[%r * 32, 0] …
 *   after   %r = tt.load_index %table[%i] : memref<16xi32>
 *           … memref.subview %A[%r * 32, 0] …
 *
 * What its tensor's tt.range says may be below zero, as in a list that is filled up with -1, is
 * loaded as what it is plus a constant, so that the index is not:  %p = tt.load_index … plus 1, and
 * %r = %p - 1.
 *
 * So is one of which nothing is said, where it is compared with constants alone, as a mask's entry.
 *
 * An integer steers if all that is made of it are offsets, bounds and conditions. One that is a
 * number as well, as a length that sums are divided by, is loaded twice.
 *
 * Before, they leave loops over elements in which they do not change, with the branches that they
 * decide (hoist_indices.c).
 *
 * Requires raised loops. Leaves loads of elements for --tt-raise-elements.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/kernel.h"
#include "Analysis/ranges.h"
#include "Passes/passes_decl.h"
#include "Support/value_map.h"
#include "Transforms/Raise/hoist_indices.h"

#include <string.h>

static bool is_arithmetic(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return (name.length > 6 && memcmp(name.data, "arith.", 6) == 0) || tt_op_is(op, "affine.apply") ||
         tt_op_is(op, "affine.min") || tt_op_is(op, "affine.max");
}

static bool is_whole(MlirType type) { return mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type); }

/* Whether `op` stands in the body of a linalg op and takes `value`, which is made outside, and is
 * the same for all elements. */
static bool is_scalar_of_body(MlirOperation op, MlirValue value) {
  MlirOperation parent = tt_parent(op), from = tt_defining_op(value);
  return !mlirOperationIsNull(parent) && tt_is_linalg(parent) && !mlirOperationIsNull(from) &&
         !tt_op_eq(tt_parent(from), parent) && is_arithmetic(op);
}

static MlirOperation loop_around(MlirOperation op) {
  do op = tt_parent(op);
  while (tt_op_is(op, "scf.if"));
  return op;
}

/* Whether a branch gives elements, in a loop over these. */
static bool chooses_numbers(MlirOperation branch) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); ++i)
    if (mlirTypeIsAFloat(mlirValueGetType(mlirOperationGetResult(branch, i))))
      return tt_op_is(loop_around(branch), "scf.for");
  return false;
}

static bool is_of_element(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return is_arithmetic(op) || (name.length > 5 && memcmp(name.data, "math.", 5) == 0) ||
         tt_op_is(op, "memref.load") || tt_op_is(op, "memref.store") || tt_op_is(op, "scf.if") ||
         tt_op_is(op, "scf.for") || tt_op_is(op, "scf.yield");
}

/* Whether `op` goes over elements that a step of `loop` has for itself, as those of a row. */
static bool has_own_elements(TtArena *arena, MlirOperation loop, MlirOperation op) {
  TtOps stores = tt_collect(arena, op, "memref.store");
  for (intptr_t i = 0; i < stores.n; ++i)
    for (intptr_t d = 2; d < mlirOperationGetNumOperands(stores.data[i]); ++d) {
      int64_t factor;
      MlirValue index = mlirOperationGetOperand(stores.data[i], d);
      if (!tt_index_factor(arena, index, tt_for_iv(loop), &factor) || factor != 0) return true;
    }
  return stores.n == 0;
}

/* Whether each element has a branch of its own, by an integer of its own: both stand in the same
 * loop, whose variable says which integer, and the branch loads, computes and stores. It may go
 * over other elements, to which all of the loop's steps add. */
static bool is_branch_of_element(TtArena *arena, MlirOperation branch, MlirOperation load) {
  MlirOperation loop = loop_around(load);
  bool own = false;
  if (!tt_op_is(loop, "scf.for") || !tt_op_eq(loop, loop_around(branch))) return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(load); ++i)
    own |= tt_is_defined_in(loop, mlirOperationGetOperand(load, i));
  TtOps ops = tt_collect(arena, branch, NULL);
  for (intptr_t i = 0; own && i < ops.n; ++i)
    if (!is_of_element(ops.data[i]) ||
        (tt_op_is(ops.data[i], "scf.for") && has_own_elements(arena, loop, ops.data[i])))
      return false;
  return own;
}

/* What is made of an integer, as bits: what elements could do as well, where nothing else is made
 * of it, as a condition in a body; what steers; and what only an index can, as a bound of a loop,
 * or the place of an element that is read.
 */
enum { ELEMENTS = -1, BRANCHES = 1, STEERS = 2, BOUNDS = 4 };

static int steers(TtArena *arena, MlirOperation load, MlirValue value, TtValueMap *seen);

/* Whether `load` is of a tensor of which elements are loaded where it stands, and nothing else is
 * done with it there: what is at such an index is read, while a tensor that is written may wait in
 * a buffer of the core. A buffer that the grids before have filled is a tensor as well. */
static bool is_only_loaded(MlirOperation load) {
  MlirValue tensor = mlirOperationGetOperand(load, 0);
  MlirOperation alloc = tt_defining_op(tensor), at = {NULL};
  if (!mlirOperationIsNull(alloc)) at = tt_ancestor_in(mlirOperationGetBlock(alloc), load);
  if (!mlirOperationIsNull(alloc) && (!tt_op_is(alloc, "memref.alloc") || tt_op_eq(at, load)))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(tensor); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool elsewhere = !mlirOperationIsNull(alloc) &&
                     !tt_op_eq(tt_ancestor_in(mlirOperationGetBlock(alloc), user), at);
    if (!tt_op_is(user, "memref.load") && !elsewhere) return false;
  }
  return true;
}

/* Whether what `use` makes of `value`, of what `load` gives, steers, makes elements, or does
 * neither: 0. */
static int steers_by(TtArena *arena, MlirOperation load, MlirOpOperand use, MlirValue value,
                     TtValueMap *seen) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  unsigned at = mlirOpOperandGetOperandNumber(use);
  if (is_scalar_of_body(op, value)) return STEERS;
  if (is_arithmetic(op) && is_whole(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return steers(arena, load, mlirOperationGetResult(op, 0), seen);
  if (tt_op_is(op, "scf.if") && chooses_numbers(op)) return ELEMENTS;
  if (tt_op_is(op, "scf.if")) return is_branch_of_element(arena, op, load) ? BRANCHES : STEERS;
  if (tt_op_is(op, "scf.for")) return at < 3 ? BOUNDS : ELEMENTS;
  if (tt_op_is(op, "memref.subview")) return BOUNDS;
  if (tt_op_is(op, "memref.load") && at > 0 && is_only_loaded(op)) return BOUNDS;
  if ((tt_op_is(op, "memref.load") && at > 0) || (tt_op_is(op, "memref.store") && at > 1))
    return STEERS;
  /* What a loop carries on, as whether a row has ended, lies where its elements do. */
  if (tt_op_is(op, "scf.yield") && tt_op_is(tt_parent(op), "scf.for")) return ELEMENTS;
  if (tt_op_is(op, "scf.yield") && at < mlirOperationGetNumResults(tt_parent(op)))
    return steers(arena, load, mlirOperationGetResult(tt_parent(op), at), seen);
  return ELEMENTS;
}

/* The same of all uses of `value`; 0 as well if it was seen. */
static int steers(TtArena *arena, MlirOperation load, MlirValue value, TtValueMap *seen) {
  int found = 0;
  if (tt_value_map_get(seen, value) >= 0) return 0;
  tt_value_map_set(arena, seen, value, 1);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    int one = steers_by(arena, load, use, value, seen);
    if (one < 0) return ELEMENTS;
    found |= one;
  }
  return found;
}

/* The users of `value` that make elements of it; `*any`: others need it as an index. */
static TtOps element_users(TtArena *arena, MlirOperation load, MlirValue value, bool *any) {
  TtOps others = {NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    TtValueMap seen = {NULL, 0, 0};
    int one = steers_by(arena, load, use, value, &seen);
    *any |= one > 0 && (one & BOUNDS) != 0;
    if (one < 0) tt_ops_add(arena, &others, mlirOpOperandGetOwner(use));
  }
  return others;
}

/* `op` again for those of its users that make elements of what it gives, where others need an
 * index. */
static void give_apart(TtArena *arena, MlirOperation load, MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  bool any = false;
  TtOps others = element_users(arena, load, value, &any);
  if (!any || others.n == 0) return;
  TtBuilder b = tt_builder_after(op);
  MlirValue again = mlirOperationGetResult(tt_builder_insert(&b, mlirOperationClone(op)), 0);
  for (intptr_t i = 0; i < others.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(others.data[i]); ++j)
      if (tt_value_eq(mlirOperationGetOperand(others.data[i], j), value))
        mlirOperationSetOperand(others.data[i], j, again);
}

/* Gives what is made of an integer apart, what is made of that first. */
static void give_all_apart(TtArena *arena, MlirOperation load, MlirOperation op, TtValueMap *seen) {
  MlirValue value = mlirOperationGetResult(op, 0);
  TtOps users = {NULL, 0, 0};
  if (tt_value_map_get(seen, value) >= 0) return;
  tt_value_map_set(arena, seen, value, 1);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (is_arithmetic(user) && is_whole(mlirValueGetType(mlirOperationGetResult(user, 0))) &&
        !is_scalar_of_body(user, value))
      tt_ops_add(arena, &users, user);
  }
  for (intptr_t i = 0; i < users.n; ++i) give_all_apart(arena, load, users.data[i], seen);
  give_apart(arena, load, op);
}

/* A length that is a bound, and becomes a float that sums are divided by, is loaded twice: once to
 * steer, once as an element; and so is one of which arithmetic makes both. */
static void load_apart(TtArena *arena, MlirOperation load) {
  TtValueMap seen = {NULL, 0, 0};
  give_all_apart(arena, load, load, &seen);
}

/* The indices of a load in the argument that it is a view of; false where it is another one. */
static bool indices_of(TtBuilder *b, MlirOperation load, MlirValue *tensor, MlirValue *at,
                       intptr_t *rank) {
  MlirLocation loc = mlirOperationGetLocation(load);
  MlirValue memref = mlirOperationGetOperand(load, 0);
  *rank = mlirOperationGetNumOperands(load) - 1;
  if (*rank > TT_MAX_RANK) return false;
  for (intptr_t i = 0; i < *rank; ++i) at[i] = mlirOperationGetOperand(load, i + 1);
  for (MlirOperation op = tt_defining_op(memref); !mlirOperationIsNull(op);
       op = tt_defining_op(memref)) {
    bool cast = tt_op_is(op, "memref.cast");
    if (!cast && !tt_op_is(op, "memref.subview")) return false;
    memref = mlirOperationGetOperand(op, 0);
    if (cast) continue;
    intptr_t own = mlirShapedTypeGetRank(mlirValueGetType(memref)), kept = 0, operand = 1;
    MlirValue outer[TT_MAX_RANK];
    if (own > TT_MAX_RANK) return false;
    intptr_t excess = own - *rank;
    for (intptr_t d = 0; d < own; ++d) {
      int64_t start = mlirDenseI64ArrayGetElement(tt_op_attr(op, "static_offsets"), d);
      if (mlirDenseI64ArrayGetElement(tt_op_attr(op, "static_strides"), d) != 1) return false;
      outer[d] =
          start == INT64_MIN ? mlirOperationGetOperand(op, operand++) : tt_index(b, loc, start);
      bool unit = mlirDenseI64ArrayGetElement(tt_op_attr(op, "static_sizes"), d) == 1;
      if (unit && excess > 0) --excess;
      else if (kept < *rank) outer[d] = tt_add(b, loc, outer[d], at[kept++]);
    }
    for (intptr_t d = 0; d < own; ++d) at[d] = outer[d];
    *rank = own;
  }
  *tensor = memref;
  return mlirValueIsABlockArgument(memref);
}

/* Whether `value` goes into the larger of two, as it is or cast: below zero or not matters there.
 */
static bool is_clamped(MlirValue value, int depth) {
  enum { DEEPEST = 4 };
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_is(op, "arith.maxsi") || tt_op_is(op, "affine.max")) return true;
    bool cast = tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.extsi");
    if (cast && depth < DEEPEST && is_clamped(mlirOperationGetResult(op, 0), depth + 1))
      return true;
  }
  return false;
}

/* Whether `value`, as it is or cast, is compared with constants, and nothing else: as an entry of a
 * mask, of which any integer of its type may be an entry. */
static bool is_compared(MlirValue value, int depth) {
  enum { DEEPEST = 4 };
  int64_t constant;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool cast = tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.extsi"),
         compare = tt_op_is(op, "arith.cmpi") &&
                   (tt_constant(mlirOperationGetOperand(op, 0), &constant) ||
                    tt_constant(mlirOperationGetOperand(op, 1), &constant));
    if (!compare &&
        !(cast && depth < DEEPEST && is_compared(mlirOperationGetResult(op, 0), depth + 1)))
      return false;
  }
  return true;
}

static bool is_in_element_loop(TtArena *arena, MlirOperation load) {
  MlirOperation loop = loop_around(load);
  if (!tt_op_is(loop, "scf.for")) return false;
  TtOps all = tt_collect(arena, loop, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    if (!is_of_element(all.data[i])) return false;
  return true;
}

static bool load_index(TtArena *arena, MlirOperation kernel, TtArgs args, MlirOperation load) {
  MlirValue value = mlirOperationGetResult(load, 0), tensor, at[TT_MAX_RANK];
  MlirType type = mlirValueGetType(value);
  intptr_t rank;
  TtBuilder b = tt_builder_before(load);
  TtValueMap seen = {NULL, 0, 0};
  int use = is_whole(type) ? steers(arena, load, value, &seen) : ELEMENTS;
  if (use < STEERS || !indices_of(&b, load, &tensor, at, &rank)) return true;
  const TtArg *arg = tt_arg_of(args, tensor);
  if (!arg || !tt_value_eq(arg->value, tensor)) return true;
  /* What other loops have written may be a condition of elements. */
  if (arg->written && !(use & BOUNDS) && is_in_element_loop(arena, load)) return true;
  if (arg->written)
    return tt_error(load,
                    "the kernel is steered by tensor '%s', which it writes as well; data movement "
                    "runs ahead, and would not wait for the write, so make it two kernels",
                    arg->name);
  MlirLocation loc = mlirOperationGetLocation(load);
  TtRange range = tt_arg_range(kernel, mlirBlockArgumentGetArgNumber(tensor));
  if (!range.given && range.lo < 0 && is_clamped(value, 0))
    return tt_error(load,
                    "the larger of this integer and another is taken, and nothing says whether it "
                    "may be below zero; say what tensor '%s' holds by tt.range = [lo, hi], such as "
                    "[-1, 64]",
                    arg->name);
  bool below = range.given ? range.lo < 0 && range.lo > INT32_MIN
                           : range.lo < 0 && range.lo >= INT32_MIN && is_compared(value, 0);
  MlirAttribute none = mlirAttributeGetNull(),
                plus = below ? tt_i64_attr(b.context, -range.lo) : none;
  MlirValue index =
      tt_load_index_value(tt_load_index_create(&b, loc, tensor, rank, at, none, plus));
  if (below) index = tt_sub(&b, loc, index, tt_index(&b, loc, -range.lo));
  tt_replace(load, tt_cast(&b, loc, "arith.index_cast", index, type));
  return true;
}

static bool load_indices(TtArena *arena, MlirOperation kernel) {
  tt_hoist_indices(arena, kernel);
  TtOps loads = tt_collect(arena, kernel, "memref.load");
  TtArgs args = tt_kernel_args(arena, kernel);
  for (intptr_t i = 0; i < loads.n; ++i)
    if (is_whole(mlirValueGetType(mlirOperationGetResult(loads.data[i], 0))))
      load_apart(arena, loads.data[i]);
  for (intptr_t i = 0; i < loads.n; ++i)
    if (!load_index(arena, kernel, args, loads.data[i])) return false;
  return true;
}

bool tt_run_load_indices(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, load_indices);
}
