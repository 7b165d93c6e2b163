/*===- sharing_reason.c - why cores of a line read different blocks ----------------------------===
 *
 *   %by = %tid / 8; %bx = %tid % 8; read_to_cb %A[%by * 256, %k * 32]
 *
 * Of two cores beside each other that read different blocks, the first step that differs is
 * computed: an offset, or a bound of a loop. What that is made of is followed back to the first
 * value with a name that differs, too: between (0, 0) and (0, 1) that is %by, so that A is not
 * shared along y.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_value.h"
#include "Analysis/sharing.h"

enum {
  MAX_LOOPS = 16,
  MAX_UNITS = 64, /* of a core; later ones are not looked at */
  MAX_DEPTH = 64  /* of ops behind each other */
};

/* Two cores, and what is known of their first steps. */
typedef struct Pair {
  TtArena *arena;
  MlirOperation read, loops[MAX_LOOPS]; /* from the innermost */
  intptr_t num_loops;
  const TtCore *cores[2];
  TtKnown known[2];
} Pair;

static void know(TtKnown *known, MlirValue value, int64_t at) {
  int i = 0;
  while (i < known->n && !tt_value_eq(known->values[i], value)) ++i;
  if (i == TT_MAX_KNOWN) return;
  if (i == known->n) known->values[known->n++] = value;
  known->at[i] = at;
}

static bool values_of(const Pair *p, MlirValue value, int64_t out[2]) {
  return tt_index_value(&p->known[0], value, &out[0]) &&
         tt_index_value(&p->known[1], value, &out[1]);
}

static bool differs(const Pair *p, MlirValue value) {
  int64_t at[2];
  return values_of(p, value, at) && at[0] != at[1];
}

/* The nearest value with a name, of those that `value` is made of and that differ. */
static const char *name_behind(const Pair *p, MlirValue value, int depth) {
  MlirOperation op = tt_defining_op(value);
  if (depth == MAX_DEPTH || !differs(p, value)) return NULL;
  if (mlirOperationIsNull(op)) op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  MlirAttribute name = tt_get_attr(op, "tt.var");
  if (!mlirAttributeIsNull(name)) {
    MlirStringRef text = tt_string(name);
    return tt_arena_printf(p->arena, "%%%.*s", (int)text.length, text.data);
  }
  const char *found = NULL;
  for (intptr_t i = 0; !found && i < mlirOperationGetNumOperands(op); ++i)
    found = name_behind(p, mlirOperationGetOperand(op, i), depth + 1);
  return found;
}

/*===- What differs --------------------------------------------------------------------------===*/

static const char *offset_reason(const Pair *p) {
  for (intptr_t i = 0; i < tt_read_to_cb_num_offsets(p->read); ++i) {
    const char *name = name_behind(p, tt_read_to_cb_offsets(p->read, i), 0);
    if (name) return tt_arena_printf(p->arena, "its offset depends on %s", name);
  }
  return NULL;
}

static const char *loop_name(const Pair *p, MlirOperation loop) {
  MlirAttribute name = tt_get_attr(loop, "tt.var");
  MlirStringRef text = mlirAttributeIsNull(name) ? tt_str("?") : tt_string(name);
  return tt_arena_printf(p->arena, "%%%.*s", (int)text.length, text.data);
}

static const char *bound_reason(const Pair *p, MlirOperation loop) {
  int64_t at[2];
  MlirValue end = mlirOperationGetOperand(loop, 1);
  if (tt_runtime_arg_isa(tt_defining_op(end)) && values_of(p, end, at) && at[0] != at[1])
    return tt_arena_printf(p->arena, "core (%jd, %jd) has %jd units, and core (%jd, %jd) %jd",
                           (intmax_t)p->cores[0]->x, (intmax_t)p->cores[0]->y, (intmax_t)at[0],
                           (intmax_t)p->cores[1]->x, (intmax_t)p->cores[1]->y, (intmax_t)at[1]);
  for (int i = 0; i < 3; ++i) {
    const char *name = name_behind(p, mlirOperationGetOperand(loop, i), 0);
    if (name)
      return tt_arena_printf(p->arena, "the steps of its loop over %s depend on %s",
                             loop_name(p, loop), name);
  }
  return NULL;
}

/* Loops from the outermost are in their first steps, but for the outermost one in step `unit`.
 * False where that has no such step. */
static bool enter_loops(Pair *p, int64_t unit) {
  for (intptr_t i = p->num_loops; i-- > 0;)
    for (int core = 0; core < 2; ++core) {
      int64_t lower, upper, step;
      TtKnown *known = &p->known[core];
      bool first = i == p->num_loops - 1;
      if (!tt_index_value(known, mlirOperationGetOperand(p->loops[i], 0), &lower)) lower = 0;
      if (!tt_index_value(known, mlirOperationGetOperand(p->loops[i], 2), &step)) step = 1;
      bool ends = tt_index_value(known, mlirOperationGetOperand(p->loops[i], 1), &upper);
      if (first && unit > 0 && (!ends || lower + unit * step >= upper)) return false;
      know(known, tt_for_iv(p->loops[i]), lower + (first ? unit * step : 0));
    }
  return true;
}

static const char *find_reason(Pair *p) {
  const char *reason = NULL;
  for (int64_t unit = 0; !reason && unit < MAX_UNITS && enter_loops(p, unit); ++unit) {
    reason = offset_reason(p);
    for (intptr_t i = p->num_loops; !reason && i-- > 0;) reason = bound_reason(p, p->loops[i]);
    if (p->num_loops == 0) break;
  }
  return reason ? reason : "they read other blocks, or the same ones in another order";
}

/*===- Two cores -----------------------------------------------------------------------------===*/

/* Two cores of a line that read different blocks, as near to each other as there are. */
static bool find_pair(const TtCoreTable *t, const int64_t *same, bool vertical, int64_t pair[2]) {
  int64_t least = 0;
  for (int64_t a = 0; a < t->n; ++a)
    for (int64_t b = 0; b < t->n; ++b) {
      int64_t dx = t->cores[b].x - t->cores[a].x, dy = t->cores[b].y - t->cores[a].y,
              along = vertical ? dy : dx, across = vertical ? dx : dy;
      if (across != 0 || along <= 0 || same[a] == same[b] || (least && along >= least)) continue;
      least = along, pair[0] = a, pair[1] = b;
    }
  return least > 0;
}

static void know_arguments(Pair *p, const TtCoreTable *t, const int64_t pair[2],
                           MlirOperation function) {
  TtOps args = tt_collect(p->arena, function, "tt.runtime_arg");
  for (intptr_t i = 0; i < args.n; ++i) {
    intptr_t column = tt_core_table_column(t, tt_string(tt_runtime_arg_name(args.data[i])));
    for (int core = 0; column >= 0 && core < 2; ++core)
      know(&p->known[core], mlirOperationGetResult(args.data[i], 0),
           t->values[pair[core] * t->num_names + column]);
  }
}

const char *tt_why_read_apart(TtArena *arena, const TtCoreTable *table, const TtSharing *sharing,
                              MlirOperation read, bool vertical) {
  int64_t pair[2];
  if (!sharing->same || !find_pair(table, sharing->same, vertical, pair)) return NULL;
  Pair *p = tt_arena_alloc(arena, sizeof *p);
  *p = (Pair){
      .arena = arena, .read = read, .cores = {&table->cores[pair[0]], &table->cores[pair[1]]}};
  MlirOperation op = tt_parent(read);
  for (; !mlirOperationIsNull(op) && !tt_is_function(op); op = tt_parent(op))
    if (tt_op_is(op, "scf.for") && p->num_loops < MAX_LOOPS) p->loops[p->num_loops++] = op;
  know_arguments(p, table, pair, op);
  return find_reason(p);
}
