/*===- timing_values.c - the numbers that steer a core's kernels --------------------------------===
 *
 *   %tid = arith.addi %start_id, %unit        known, as the host gives %start_id to this core
 *   scf.if %sends { … }                       one core of 64 comes here
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/timing_values.h"

#include "Dialect/op_info.h"

enum { GREATER = 4 }; /* arith.cmpi sgt */

void tt_steps_set(TtStepsOfCore *s, MlirValue value, bool known, int64_t number) {
  int at = tt_value_map_get(&s->places, value);
  if (at < 0) {
    if (s->num_values == TT_STEPS_MAX_VALUES) return;
    tt_value_map_set(s->arena, &s->places, value, at = s->num_values++);
  }
  s->values[at] = number, s->known[at] = known;
}

bool tt_steps_get(const TtStepsOfCore *s, MlirValue value, int64_t *number) {
  int at = tt_value_map_get(&s->places, value);
  if (at >= 0) *number = s->values[at];
  return at >= 0 ? s->known[at] : tt_constant(value, number);
}

static bool compare(int64_t predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case 0: return a == b;
  case 1: return a != b;
  case 2:
  case 6: return a < b;
  case 3:
  case 7: return a <= b;
  case 4:
  case 8: return a > b;
  default: return a >= b;
  }
}

void tt_steps_compute(TtStepsOfCore *s, MlirOperation op) {
  int64_t v[3] = {0, 0, 0}, r = 0;
  intptr_t n = mlirOperationGetNumOperands(op);
  bool known = n <= 3;
  for (intptr_t i = 0; i < n && i < 3; ++i)
    known = tt_steps_get(s, mlirOperationGetOperand(op, i), &v[i]) && known;
  if (tt_op_is(op, "arith.constant")) known = tt_constant(mlirOperationGetResult(op, 0), &r);
  else if (tt_op_is(op, "arith.addi")) r = v[0] + v[1];
  else if (tt_op_is(op, "arith.subi")) r = v[0] - v[1];
  else if (tt_op_is(op, "arith.muli")) r = v[0] * v[1];
  else if (tt_op_is(op, "arith.divui")) known = known && v[1] != 0, r = known ? v[0] / v[1] : 0;
  else if (tt_op_is(op, "arith.remui")) known = known && v[1] != 0, r = known ? v[0] % v[1] : 0;
  else if (tt_op_is(op, "arith.andi")) r = v[0] & v[1];
  else if (tt_op_is(op, "arith.minui")) r = v[0] < v[1] ? v[0] : v[1];
  else if (tt_op_is(op, "arith.maxui")) r = v[0] > v[1] ? v[0] : v[1];
  else if (tt_op_is(op, "arith.select")) r = v[0] ? v[1] : v[2];
  else if (tt_op_is(op, "arith.cmpi")) r = compare(tt_int(tt_op_attr(op, "predicate")), v[0], v[1]);
  else known = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    tt_steps_set(s, mlirOperationGetResult(op, i), known, r);
}

int64_t tt_steps_argument(const TtStepsOfCore *s, MlirValue value, int64_t core, bool *known) {
  MlirOperation op = tt_defining_op(value);
  *known = false;
  if (!tt_runtime_arg_isa(op)) return 0;
  MlirStringRef name = tt_string(tt_runtime_arg_name(op));
  intptr_t column = tt_core_table_column(s->table, name);
  *known = column >= 0 || tt_has_size(s->sizes, name);
  if (!*known) return 0;
  return column >= 0 ? s->table->values[core * s->table->num_names + column]
                     : tt_size_named(s->sizes, name);
}

/* Of the cores that come here, those of which it is true or not that `value` stands so to `limit`;
 * all where the host does not give it. */
static int64_t cores_where(const TtStepsOfCore *s, MlirValue value, int64_t predicate,
                           int64_t limit, bool holds) {
  int64_t n = 0;
  for (int64_t c = 0; c < s->table->n; ++c) {
    bool known;
    int64_t number = tt_steps_argument(s, value, c, &known);
    if (!known) return s->cores;
    n += compare(predicate, number, limit) == holds;
  }
  return n < s->cores ? n : s->cores;
}

int64_t tt_cores_with(const TtStepsOfCore *s, MlirValue condition, int64_t here) {
  MlirOperation op = tt_defining_op(condition);
  int64_t limit;
  if (!tt_op_is(op, "arith.cmpi") || !tt_steps_get(s, mlirOperationGetOperand(op, 1), &limit))
    return s->cores;
  return cores_where(s, mlirOperationGetOperand(op, 0), tt_int(tt_op_attr(op, "predicate")), limit,
                     here != 0);
}

int64_t tt_cores_at_step(const TtStepsOfCore *s, MlirValue upper, int64_t at) {
  return cores_where(s, upper, GREATER, at, true);
}
