/*===- drop_signs.c - quotients of indices without signs --------------------------------------===
 *
 *   %group = arith.divsi %pid, (%g * 3)                   arith.divui
 *   %size  = min(5 - %group * %g, %g)                     1 to 2: of pid 0 to 14, and g 2
 *   %row   = arith.remsi (%pid % (%g * 3)), %size         arith.remui
 *
 * Where ranges say that nothing is below zero, and that what divides is at least one. By a literal
 * constant the analyses take both kinds.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/drop_signs.h"
#include "Analysis/index_range.h"

enum { DEEPEST = 24 };

static bool range_of(TtArena *arena, MlirValue value, int depth, TtIndexRange *range);

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static bool range_of_product(TtIndexRange a, TtIndexRange b, TtIndexRange *range) {
  int64_t of[4];
  if (__builtin_mul_overflow(a.least, b.least, &of[0]) ||
      __builtin_mul_overflow(a.least, b.most, &of[1]) ||
      __builtin_mul_overflow(a.most, b.least, &of[2]) ||
      __builtin_mul_overflow(a.most, b.most, &of[3]))
    return false;
  *range = (TtIndexRange){smaller(smaller(of[0], of[1]), smaller(of[2], of[3])),
                          larger(larger(of[0], of[1]), larger(of[2], of[3]))};
  return true;
}

static bool divides(MlirOperation op, bool *rest) {
  *rest = tt_op_is(op, "arith.remsi") || tt_op_is(op, "arith.remui");
  return *rest || tt_op_is(op, "arith.divsi") || tt_op_is(op, "arith.divui") ||
         tt_op_is(op, "arith.floordivsi");
}

static bool range_of_two(MlirOperation op, TtIndexRange a, TtIndexRange b, TtIndexRange *range) {
  bool rest, least = tt_op_is(op, "arith.minsi") || tt_op_is(op, "arith.minui"),
             most = tt_op_is(op, "arith.maxsi") || tt_op_is(op, "arith.maxui"),
             sum = tt_op_is(op, "arith.addi"), positive = a.least >= 0 && b.least >= 0;
  if (sum)
    return !__builtin_add_overflow(a.least, b.least, &range->least) &&
           !__builtin_add_overflow(a.most, b.most, &range->most);
  if (tt_op_is(op, "arith.subi"))
    return !__builtin_sub_overflow(a.least, b.most, &range->least) &&
           !__builtin_sub_overflow(a.most, b.least, &range->most);
  if (tt_op_is(op, "arith.muli")) return range_of_product(a, b, range);
  if (least) *range = (TtIndexRange){smaller(a.least, b.least), smaller(a.most, b.most)};
  else if (most) *range = (TtIndexRange){larger(a.least, b.least), larger(a.most, b.most)};
  else if (!divides(op, &rest) || b.least < 1) return false;
  else if (rest) *range = (TtIndexRange){0, smaller(a.most, b.most - 1)};
  else *range = (TtIndexRange){a.least / b.most, a.most / b.least};
  return positive;
}

static bool range_of(TtArena *arena, MlirValue value, int depth, TtIndexRange *range) {
  MlirOperation op = tt_defining_op(value);
  TtIndexRange a, b;
  int64_t number;
  if (tt_constant(value, &number)) return *range = (TtIndexRange){number, number}, true;
  if (tt_index_range(arena, value, range)) return true;
  return !mlirOperationIsNull(op) && depth > 0 && mlirOperationGetNumOperands(op) == 2 &&
         mlirOperationGetNumRegions(op) == 0 &&
         range_of(arena, mlirOperationGetOperand(op, 0), depth - 1, &a) &&
         range_of(arena, mlirOperationGetOperand(op, 1), depth - 1, &b) &&
         range_of_two(op, a, b, range);
}

static const char *without_signs(MlirOperation op) {
  return tt_op_is(op, "arith.remsi")                                       ? "arith.remui"
         : tt_op_is(op, "arith.divsi") || tt_op_is(op, "arith.floordivsi") ? "arith.divui"
                                                                           : NULL;
}

void tt_drop_signs(TtArena *arena, MlirOperation op) {
  const char *name = without_signs(op);
  TtIndexRange a, b;
  int64_t number;
  if (!name || !mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0))) ||
      tt_constant(mlirOperationGetOperand(op, 1), &number) ||
      !range_of(arena, mlirOperationGetOperand(op, 0), DEEPEST, &a) ||
      !range_of(arena, mlirOperationGetOperand(op, 1), DEEPEST, &b) || a.least < 0 || b.least < 1)
    return;
  TtBuilder builder = tt_builder_before(op);
  tt_replace(op, tt_op_of_two(&builder, mlirOperationGetLocation(op), name,
                              mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)));
}
