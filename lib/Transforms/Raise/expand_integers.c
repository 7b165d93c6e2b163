/*===- expand_integers.c - --tt-expand-integers ------------------------------------------------===
 *
 * Bodies of linalg ops compute with integers of 32 bits at most, and divide by constants:
 *
 *   x / 7, x % 7                       q by a product with 1 / 7, in floats; x - 7 q says what it
 *                                      is off (expand_divisions.c)
 *   (i + j) % 2, of linalg.index       the same of i32; x & 1, where x is not below zero
 *   x + 1 : i64                        trunci x to i32 + 1, where it is proven to fit
 *   trunci x : i32 to i1               (x & 1) != 0
 *
 * Integers of 64 bits hold what the device has of them, 32 bits: tt.range says what a tensor may
 * hold, and the sums, products and choices of the body are proven to stay there (integer_bounds.c).
 * What is not is refused, with what its bounds are. In a kernel that computes so DST is 32 bits
 * wide.
 *
 * Requires raised loops, before --tt-expand-indices. Leaves sums of indices as they are.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/kernel.h"
#include "Analysis/made_of.h"
#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Support/value_map.h"
#include "Transforms/Raise/assume_ranges.h"
#include "Transforms/Raise/inline_text.h"
#include "Transforms/Raise/integer_bounds.h"
#include "Transforms/Raise/integer_division.h"

#include <inttypes.h>

typedef struct Narrowing {
  TtArena *arena;
  MlirOperation kernel, linalg;
  MlirBlock body;
  TtValueMap known; /* what is narrowed: its place in `narrow` */
  MlirValue *narrow;
  int n;
  bool failed;
} Narrowing;

static bool is_one_of(MlirOperation op, const char *const names[], size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

static bool is_arithmetic(MlirOperation op) {
  static const char *const names[] = {
      "arith.addi",      "arith.subi",      "arith.muli",  "arith.andi",  "arith.ori",
      "arith.xori",      "arith.maxsi",     "arith.minsi", "arith.maxui", "arith.minui",
      "arith.divsi",     "arith.divui",     "arith.remsi", "arith.remui", "arith.floordivsi",
      "arith.ceildivsi", "arith.ceildivui", "arith.shli",  "arith.shrsi", "arith.shrui",
      "math.absi"};
  return is_one_of(op, names, sizeof names / sizeof *names);
}

static bool is_cast(MlirOperation op) {
  static const char *const names[] = {"arith.index_cast", "arith.index_castui", "arith.extsi",
                                      "arith.extui", "arith.trunci"};
  return is_one_of(op, names, sizeof names / sizeof *names);
}

/* An index, or an integer of more bits than the device has. */
static bool is_wide(MlirType type) {
  return mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 32);
}

static bool is_inside(const Narrowing *n, MlirValue value) {
  MlirBlock block = mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                                     : mlirOperationGetBlock(tt_defining_op(value));
  return mlirBlockEqual(block, n->body);
}

static bool is_sum(MlirOperation op) {
  return tt_op_is(op, "arith.addi") || tt_op_is(op, "arith.subi") || tt_op_is(op, "arith.muli");
}

/* Of one op of the body: whether it does more than sums. */
static bool is_more(MlirOperation op) {
  int64_t factor;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 32) return true;
  if (tt_op_is(op, "arith.muli") && !tt_constant(mlirOperationGetOperand(op, 0), &factor) &&
      !tt_constant(mlirOperationGetOperand(op, 1), &factor))
    return true;
  return (is_arithmetic(op) && !is_sum(op)) || tt_op_is(op, "arith.fptosi") ||
         tt_op_is(op, "arith.fptoui") || tt_op_is(op, "arith.select");
}

static bool goes_on(const void *n, MlirOperation op) {
  return is_inside((const Narrowing *)n, mlirOperationGetResult(op, 0)) && !is_more(op) &&
         (is_sum(op) || is_cast(op));
}

/* Whether `value` is no sum of indices, but depends on a tensor, is divided, cut to bits, chosen …
 */
static bool needs_integers(const Narrowing *n, MlirValue value) {
  TtValues all = tt_made_of(n->arena, value, goes_on, n);
  for (intptr_t i = 0; i < all.n; ++i)
    if (is_inside(n, all.data[i]) &&
        (mlirValueIsABlockArgument(all.data[i]) || is_more(tt_defining_op(all.data[i]))))
      return true;
  return false;
}

/*===- Of 32 bits -----------------------------------------------------------------------------===*/

static MlirValue as_i32(Narrowing *n, MlirValue value);

static MlirType i32(const Narrowing *n) {
  return mlirIntegerTypeGet(mlirOperationGetContext(n->kernel), 32);
}

static MlirValue finish(Narrowing *n, TtBuilder *b, TtOpState *s) {
  tt_op_state_result(s, i32(n));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(s)), 0);
}

static MlirValue cast_to_i32(Narrowing *n, TtBuilder *b, MlirLocation loc, const char *name,
                             MlirValue value) {
  TtOpState s = tt_op_state(name, loc);
  tt_op_state_operand(&s, value);
  return finish(n, b, &s);
}

static MlirValue fail(Narrowing *n, MlirOperation op, const char *why) {
  n->failed = true;
  return tt_error(op, "%s", why), (MlirValue){NULL};
}

/* The same op, of 32 bits. */
static MlirValue narrowed_op(Narrowing *n, MlirOperation op) {
  TtBounds bounds;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirStringRef name = tt_op_name(op);
  bool index = mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (!index && (!tt_integer_bounds(n->linalg, mlirOperationGetResult(op, 0), &bounds) ||
                 bounds.lo < INT32_MIN || bounds.hi > INT32_MAX)) {
    n->failed = true;
    return tt_error(op,
                    "what %.*s of 64 bits gives may need more than 32, which the device has; "
                    "compute with i32, or say by tt.range = [lo, hi] at the arguments what they "
                    "may hold",
                    (int)name.length, name.data),
           (MlirValue){NULL};
  }
  MlirValue in[3];
  intptr_t operands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < operands && i < 3; ++i) {
    bool flag = i == 0 && tt_op_is(op, "arith.select");
    in[i] = mlirOperationGetOperand(op, i);
    if (!flag) in[i] = as_i32(n, in[i]);
    if (tt_is_null_value(in[i])) return in[i];
  }
  TtBuilder b = tt_builder_before(op);
  TtOpState s = mlirOperationStateGet(name, loc);
  for (intptr_t i = 0; i < operands && i < 3; ++i) tt_op_state_operand(&s, in[i]);
  return finish(n, &b, &s);
}

static MlirValue make_i32(Narrowing *n, MlirValue value) {
  MlirContext context = mlirOperationGetContext(n->kernel);
  bool index = mlirTypeIsAIndex(mlirValueGetType(value));
  int64_t constant;
  TtBuilder start = tt_builder_at_start(n->body);
  MlirLocation loc = mlirOperationGetLocation(n->linalg);
  if (tt_constant(value, &constant)) {
    if (constant < INT32_MIN || constant > INT32_MAX)
      return fail(n, n->linalg,
                  "a constant of its body needs more than 32 bits, which the device has");
    TtOpState s = tt_op_state("arith.constant", loc);
    tt_op_state_attr(&s, context, "value", mlirIntegerAttrGet(i32(n), constant));
    return finish(n, &start, &s);
  }
  MlirOperation op = tt_defining_op(value);
  if (!is_inside(n, value) || mlirValueIsABlockArgument(value))
    return cast_to_i32(n, &start, loc, index ? "arith.index_cast" : "arith.trunci", value);
  TtBuilder b = tt_builder_after(op);
  bool floats = tt_op_is(op, "arith.fptosi") || tt_op_is(op, "arith.fptoui");
  if (floats && tt_float_fits_32_bits(n->linalg, mlirOperationGetOperand(op, 0)))
    return cast_to_i32(n, &b, mlirOperationGetLocation(op), "arith.fptosi",
                       mlirOperationGetOperand(op, 0));
  if (floats)
    return fail(
        n, op,
        "a float becomes an integer of 64 bits, of which the device has 32; say by tt.range "
        "= [lo, hi] at the argument what it holds, cast it to i32, or use minimumf and "
        "maximumf with constants");
  if (is_cast(op)) {
    MlirValue from = mlirOperationGetOperand(op, 0);
    MlirType type = mlirValueGetType(from);
    TtBounds bounds;
    if (is_wide(type)) return as_i32(n, from);
    bool is_unsigned = tt_op_is(op, "arith.extui") || tt_op_is(op, "arith.index_castui");
    if (mlirIntegerTypeGetWidth(type) < 32)
      return cast_to_i32(n, &b, mlirOperationGetLocation(op),
                         is_unsigned ? "arith.extui" : "arith.extsi", from);
    if (is_unsigned && (!tt_integer_bounds(n->linalg, from, &bounds) || bounds.lo < 0))
      return fail(
          n, op,
          "an integer without a sign needs 33 bits, and the device has 32; say by tt.range = "
          "[0, hi] at its argument what it may hold");
    return from;
  }
  if (!needs_integers(n, value))
    return cast_to_i32(n, &b, mlirOperationGetLocation(op),
                       index ? "arith.index_cast" : "arith.trunci", value);
  return narrowed_op(n, op);
}

/* Null after an error. */
static MlirValue as_i32(Narrowing *n, MlirValue value) {
  if (!is_wide(mlirValueGetType(value))) return value;
  int at = tt_value_map_get(&n->known, value);
  if (at >= 0) return n->narrow[at];
  MlirValue made = make_i32(n, value);
  MlirValue *more = tt_arena_alloc(n->arena, (size_t)(n->n + 1) * sizeof *more);
  for (int i = 0; i < n->n; ++i) more[i] = n->narrow[i];
  n->narrow = more;
  n->narrow[n->n] = made;
  tt_value_map_set(n->arena, &n->known, value, n->n++);
  return made;
}

/*===- What takes them ------------------------------------------------------------------------===*/

/* An index that becomes one of 8 or 16 bits: its 32 bits do. */
static void cut_index(MlirOperation cast, MlirValue narrow) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(cast, 0));
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) >= 32) return;
  TtBuilder b = tt_builder_before(cast);
  TtOpState s = tt_op_state("arith.trunci", mlirOperationGetLocation(cast));
  tt_op_state_operand(&s, narrow);
  tt_op_state_result(&s, type);
  mlirValueReplaceAllUsesOfWith(
      mlirOperationGetResult(cast, 0),
      mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0));
}

/* Where `op` takes wide integers and gives something else: it takes those of 32 bits. */
static void narrow_user(Narrowing *n, MlirOperation op) {
  bool compares = tt_op_is(op, "arith.cmpi"), to_float = tt_op_is(op, "arith.sitofp"),
       to_positive = tt_op_is(op, "arith.uitofp"), cuts = tt_op_is(op, "arith.trunci"),
       index = tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.index_castui"),
       yields = tt_op_is(op, "linalg.yield");
  if (!compares && !to_float && !to_positive && !cuts && !index && !yields) return;
  bool wide = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    wide |= is_wide(mlirValueGetType(operand)) && needs_integers(n, operand);
  }
  if (!wide || ((cuts || index) && is_wide(mlirValueGetType(mlirOperationGetResult(op, 0)))))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !n->failed; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (yields && mlirValueIsABlockArgument(operand)) continue; /* as it is */
    TtBounds bounds;
    if (to_positive && (!tt_integer_bounds(n->linalg, operand, &bounds) || bounds.lo < 0)) {
      fail(n, op,
           "an integer of 64 bits becomes a float without its sign, and may be below zero; say by "
           "tt.range = [0, hi] at its argument what it may hold, or use arith.sitofp");
      return;
    }
    MlirType type = mlirValueGetType(operand);
    if (!is_wide(type)) continue;
    MlirValue narrow = as_i32(n, operand);
    if (n->failed || tt_is_null_value(narrow)) return;
    TtBuilder b = tt_builder_before(op);
    if (yields) {
      TtOpState s = tt_op_state("arith.extsi", mlirOperationGetLocation(op));
      tt_op_state_operand(&s, narrow);
      tt_op_state_result(&s, type);
      narrow = mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
    }
    bool whole =
        (cuts || index) && mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), i32(n));
    if (whole) mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), narrow);
    else if (!index) mlirOperationSetOperand(op, i, narrow);
    else cut_index(op, narrow);
  }
}

static bool has_integers(MlirBlock body, TtOps *ops, TtArena *arena) {
  bool found = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    tt_ops_add(arena, ops, op);
    found |=
        is_arithmetic(op) || is_cast(op) || tt_op_is(op, "arith.cmpi") ||
        tt_op_is(op, "arith.fptosi") || tt_op_is(op, "arith.fptoui") ||
        tt_op_is(op, "arith.sitofp") || tt_op_is(op, "arith.uitofp") ||
        (tt_op_is(op, "arith.select") && is_wide(mlirValueGetType(mlirOperationGetResult(op, 0))));
  }
  return found;
}

/* Whether `op` gives what is an integer in DST: of few bits, shifted, or a product that wraps. */
static bool needs_dst_of_32_bits(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || tt_op_is(op, "arith.constant")) return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) == 1) return false;
  int64_t factor = INT64_MAX;
  bool sum = tt_op_is(op, "arith.addi") || tt_op_is(op, "arith.subi");
  if (tt_op_is(op, "arith.muli") && !tt_constant(mlirOperationGetOperand(op, 0), &factor))
    tt_constant(mlirOperationGetOperand(op, 1), &factor);
  return mlirIntegerTypeGetWidth(type) < 32 ||
         (!sum && !is_cast(op) && (factor > 1 << 16 || factor < -(1 << 16)));
}

/* Affine expressions of the body as what they compute. */
static void expand_affine(TtArena *arena, MlirOperation linalg) {
  TtOps ops = tt_collect(arena, linalg, "affine.apply");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirValue *results;
    TtBuilder b = tt_builder_before(ops.data[i]);
    if (tt_affine_results(arena, &b, ops.data[i], &results) == 1)
      tt_replace(ops.data[i], results[0]);
  }
}

/* What the body computes of values from outside alone, such as the place of the cell, is computed
 * there. */
static void move_out(TtArena *arena, MlirOperation linalg) {
  TtOps ops = {NULL, 0, 0};
  has_integers(tt_body(linalg), &ops, arena);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumRegions(op) > 0 ||
        !mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0))) ||
        tt_op_is(op, "linalg.index") || tt_op_is(op, "memref.load"))
      continue;
    bool outside = true;
    for (intptr_t j = 0; outside && j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue v = mlirOperationGetOperand(op, j);
      MlirBlock block = mlirValueIsABlockArgument(v) ? mlirBlockArgumentGetOwner(v)
                                                     : mlirOperationGetBlock(tt_defining_op(v));
      outside = !mlirBlockEqual(block, tt_body(linalg));
    }
    if (outside) mlirOperationMoveBefore(op, linalg);
  }
}

/* The lowest bit as a flag. */
static void cut_to_flags(TtArena *arena, MlirBlock body) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op); op = next) {
    next = tt_next(op);
    if (!tt_op_is(op, "arith.trunci")) continue;
    const char *from = tt_type_text(arena, mlirValueGetType(mlirOperationGetOperand(op, 0)));
    if (!tt_str_eq(tt_str(tt_type_text(arena, mlirValueGetType(mlirOperationGetResult(op, 0)))),
                   "i1"))
      continue;
    TtText text = {NULL, 0, 0};
    tt_text_printf(&text,
                   "func.func @f(%%x: %s) -> i1 {\n %%one = arith.constant 1 : %s\n"
                   " %%none = arith.constant 0 : %s\n %%bit = arith.andi %%x, %%one : %s\n"
                   " %%is = arith.cmpi ne, %%bit, %%none : %s\n return %%is : i1\n}\n",
                   from, from, from, from, from);
    tt_inline_text(arena, op, text.data);
    tt_text_free(&text);
  }
}

static bool expand_op(TtArena *arena, MlirOperation kernel, MlirOperation linalg, bool *divided) {
  Narrowing n = {.arena = arena, .kernel = kernel, .linalg = linalg, .body = tt_body(linalg)};
  TtOps ops = {NULL, 0, 0};
  if (mlirBlockIsNull(n.body)) return true;
  move_out(arena, linalg);
  expand_affine(arena, linalg);
  cut_to_flags(arena, n.body);
  if (!has_integers(n.body, &ops, arena)) return true;
  for (intptr_t i = 0; i < ops.n && !n.failed; ++i) narrow_user(&n, ops.data[i]);
  if (n.failed) return false;
  if (n.n > 0) tt_erase_dead(linalg);
  TtOps now = {NULL, 0, 0};
  has_integers(n.body, &now, arena);
  for (intptr_t i = 0; i < now.n; ++i) *divided |= needs_dst_of_32_bits(now.data[i]);
  bool any = tt_expand_divisions(arena, linalg);
  *divided |= any || n.n > 0;
  return true;
}

static bool expand(TtArena *arena, MlirOperation kernel) {
  TtOps all = tt_collect(arena, kernel, NULL), ops = {NULL, 0, 0};
  bool divided = false;
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_is_linalg(all.data[i]) && !tt_is_linalg(tt_parent(all.data[i])) &&
        mlirOperationGetNumRegions(all.data[i]) == 1)
      tt_ops_add(arena, &ops, all.data[i]);
  tt_assume_ranges(arena, kernel, &ops);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!expand_op(arena, kernel, ops.data[i], &divided)) return false;
  if (divided && mlirAttributeIsNull(tt_get_attr(kernel, "tt.fp32_dest_acc")))
    tt_set_attr(kernel, "tt.fp32_dest_acc", mlirUnitAttrGet(mlirOperationGetContext(kernel)));
  return true;
}

bool tt_run_expand_integers(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, expand);
}
