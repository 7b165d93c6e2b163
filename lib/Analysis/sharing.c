/*===- sharing.c - which cores read the same blocks --------------------------------------------===
 *
 *   for %i = 0 to %count { %tid = %start_id + %i; %by = %tid / 8; %bx = %tid % 8
 *     for %k = 0 to 64 { read_to_cb %A[%by * 256, %k * 32] } }
 *
 * On core (x, y), whose start_id is y * 8 + x and whose count is 1, the offsets are y * 256 and
 * %k * 32 for all %k: the same on all cores of a row. For each core, what the host gives it is put
 * into the offsets, and loops whose bounds are arguments are counted out; what is left are affine
 * expressions of the other loops, of which MLIR has each once. What is no affine expression, as a
 * product of two numbers that depend on the core, is computed where its operands are known by then.
 * Cores for which the lists of these are equal read the same blocks in the same order, whatever the
 * kernel looks like.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/sharing.h"

#include "Analysis/index_expr.h"
#include "Analysis/index_value.h"
#include "Analysis/kernel.h"
#include "Dialect/target.h"

#include "mlir-c/AffineExpr.h"

#include <string.h>

enum {
  MAX_LOOPS = 8,
  MAX_STEPS = 1 << 14 /* of all cores; more are not counted out */
};

/* What an offset or bound is made of. */
typedef struct Leaf {
  intptr_t column; /* of the table of arguments, or -1 */
  intptr_t loop;   /* from the outermost, or -1 */
  MlirValue value; /* where it is neither, it is computed */
} Leaf;

/* What a core reads, step by step: expressions of the loops that are not counted out. */
typedef struct Trace {
  MlirAffineExpr *data;
  intptr_t n, capacity;
} Trace;

typedef struct Search {
  TtArena *arena;
  MlirContext context;
  TtCoreTable table;
  MlirOperation read, loops[MAX_LOOPS];
  intptr_t num_loops, num_offsets;
  MlirAffineMap map; /* the offsets, then lower bound, upper bound and step of each loop */
  Leaf *leaves;
  MlirAffineExpr *with; /* for each leaf */
  TtOps args;           /* of the core, where leaves are computed */
  bool *unknown;        /* with what, for leaves that are computed of others */
  TtKnown known;        /* what the core is given, and the step of loops that are counted out */
  intptr_t num_leaves, steps;
  const char *reason;
} Search;

static bool refuse(Search *s, const char *reason) {
  s->reason = reason;
  return false;
}

/*===- What is read --------------------------------------------------------------------------===*/

static bool collect_loops(Search *s, MlirOperation kernel) {
  if (!mlirAttributeIsNull(tt_read_to_cb_box(s->read)))
    return refuse(s, "it is assembled of elements");
  for (MlirOperation p = tt_parent(s->read); !tt_op_eq(p, kernel); p = tt_parent(p)) {
    if (!tt_op_is(p, "scf.for")) return refuse(s, "whether it is read depends on a condition");
    if (s->num_loops == MAX_LOOPS) return refuse(s, "it is read in too many loops");
    for (intptr_t i = s->num_loops++; i > 0; --i) s->loops[i] = s->loops[i - 1];
    s->loops[0] = p;
  }
  return true;
}

/* The function or kernel around an op. */
static MlirOperation function_of(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tt_is_function(op)) op = tt_parent(op);
  return op;
}

static bool is_computed(const Leaf *leaf) { return leaf->column < 0 && leaf->loop < 0; }

static bool read_leaf(Search *s, MlirValue value, Leaf *leaf) {
  MlirOperation op = tt_defining_op(value);
  *leaf = (Leaf){-1, -1, value};
  if (tt_runtime_arg_isa(op))
    leaf->column = tt_core_table_column(&s->table, tt_string(tt_runtime_arg_name(op)));
  for (intptr_t i = 0; i < s->num_loops; ++i)
    if (tt_value_eq(value, tt_for_iv(s->loops[i]))) leaf->loop = i;
  bool computed = !mlirOperationIsNull(op) && !tt_runtime_arg_isa(op);
  return leaf->column >= 0 || leaf->loop >= 0 || computed ||
         refuse(s, "its offsets depend on more than loops and what a core is given");
}

static bool read_expressions(Search *s) {
  const MlirValue *leaves;
  s->num_offsets = tt_read_to_cb_num_offsets(s->read);
  intptr_t n = s->num_offsets + 3 * s->num_loops;
  if (n == 0) return true; /* a scalar, once */
  MlirValue *values = tt_arena_alloc(s->arena, (size_t)(n + 1) * sizeof *values);
  for (intptr_t i = 0; i < s->num_offsets; ++i) values[i] = tt_read_to_cb_offsets(s->read, i);
  for (intptr_t i = 0; i < 3 * s->num_loops; ++i)
    values[s->num_offsets + i] = mlirOperationGetOperand(s->loops[i / 3], i % 3);
  if (!tt_index_map(s->arena, values, n, &s->map, &leaves, &s->num_leaves))
    return refuse(s, "its offsets are too long");
  s->leaves = tt_arena_alloc(s->arena, (size_t)(s->num_leaves + 1) * sizeof *s->leaves);
  s->with = tt_arena_alloc(s->arena, (size_t)(s->num_leaves + 1) * sizeof *s->with);
  s->unknown = tt_arena_alloc(s->arena, (size_t)(s->num_leaves + 1) * sizeof *s->unknown);
  for (intptr_t i = 0; i < s->num_leaves; ++i)
    if (!read_leaf(s, leaves[i], &s->leaves[i])) return false;
  for (intptr_t i = 0; i < s->num_leaves && s->args.n == 0; ++i)
    if (is_computed(&s->leaves[i]))
      s->args = tt_collect(s->arena, function_of(s->read), "tt.runtime_arg");
  return true;
}

/*===- What a core reads ---------------------------------------------------------------------===*/

/* Notes what a value is; what there is no room for is not known. */
static void know(Search *s, MlirValue value, int64_t at) {
  int i = 0;
  while (i < s->known.n && !tt_value_eq(s->known.values[i], value)) ++i;
  if (i == TT_MAX_KNOWN) return;
  if (i == s->known.n) s->known.values[s->known.n++] = value;
  s->known.at[i] = at;
}

static void forget(Search *s, MlirValue value) {
  for (int i = s->known.n; i-- > 0;) {
    if (!tt_value_eq(s->known.values[i], value)) continue;
    --s->known.n;
    s->known.values[i] = s->known.values[s->known.n], s->known.at[i] = s->known.at[s->known.n];
  }
}

/* What is computed of the numbers that are known by now. */
static void compute_leaves(Search *s) {
  for (intptr_t i = 0; i < s->num_leaves; ++i) {
    int64_t value;
    if (!is_computed(&s->leaves[i])) continue;
    s->unknown[i] = !tt_index_value(&s->known, s->leaves[i].value, &value);
    s->with[i] = mlirAffineConstantExprGet(s->context, s->unknown[i] ? 0 : value);
  }
}

static MlirAffineExpr expression(Search *s, intptr_t i) {
  MlirAffineExpr plain = mlirAffineMapGetResult(s->map, i);
  if (mlirAffineExprIsAConstant(plain)) return plain;
  for (intptr_t l = 0; l < s->num_leaves; ++l)
    if (s->unknown[l] && mlirAffineExprIsFunctionOfDim(plain, l))
      refuse(s, "its offsets are no affine expressions of loops and of what a core is given");
  MlirAffineMap with = mlirAffineMapGet(s->context, s->num_loops, 0, s->num_leaves, s->with);
  MlirAffineExpr e = mlirAffineExprCompose(plain, with);
  return mlirSimplifyAffineExpr(e, (uint32_t)s->num_loops, 0);
}

/* A loop's variable is one number, or all that it is in the loop. */
static void bind(Search *s, intptr_t loop, MlirAffineExpr e) {
  for (intptr_t i = 0; i < s->num_leaves; ++i)
    if (s->leaves[i].loop == loop) s->with[i] = e;
  if (mlirAffineExprIsAConstant(e))
    know(s, tt_for_iv(s->loops[loop]), mlirAffineConstantExprGetValue(e));
  else forget(s, tt_for_iv(s->loops[loop]));
  compute_leaves(s);
}

static void add(Search *s, Trace *t, MlirAffineExpr e) {
  if (t->n == t->capacity) {
    t->capacity = t->capacity ? 2 * t->capacity : 16;
    MlirAffineExpr *data = tt_arena_alloc(s->arena, (size_t)t->capacity * sizeof *data);
    for (intptr_t i = 0; i < t->n; ++i) data[i] = t->data[i];
    t->data = data;
  }
  t->data[t->n++] = e;
}

/* A loop whose bound is a constant of the kernel, or depends on other loops, is one step. */
static bool is_counted_out(const Search *s, intptr_t loop, MlirAffineExpr upper) {
  int64_t known;
  return !tt_constant(mlirOperationGetOperand(s->loops[loop], 1), &known) &&
         mlirAffineExprIsAConstant(upper);
}

/* Where a loop ends as its steps do, which may be before its bound. */
static MlirAffineExpr end_of(MlirAffineExpr lower, MlirAffineExpr upper, MlirAffineExpr step) {
  if (!mlirAffineExprIsAConstant(lower) || !mlirAffineExprIsAConstant(upper) ||
      !mlirAffineExprIsAConstant(step))
    return upper;
  int64_t from = mlirAffineConstantExprGetValue(lower), to = mlirAffineConstantExprGetValue(upper),
          by = mlirAffineConstantExprGetValue(step);
  if (by <= 0 || to <= from) return upper;
  return mlirAffineConstantExprGet(mlirAffineExprGetContext(upper),
                                   from + (to - from + by - 1) / by * by);
}

static bool trace_loop(Search *s, Trace *t, intptr_t loop) {
  if (++s->steps > MAX_STEPS) return refuse(s, "the cores have too many units");
  if (loop == s->num_loops) {
    for (intptr_t i = 0; i < s->num_offsets; ++i) add(s, t, expression(s, i));
    return !s->reason;
  }
  intptr_t at = s->num_offsets + 3 * loop;
  MlirAffineExpr lower = expression(s, at), upper = expression(s, at + 1),
                 step = expression(s, at + 2);
  if (s->reason) return false;
  add(s, t, lower), add(s, t, end_of(lower, upper, step)), add(s, t, step);
  bool constant = mlirAffineExprIsAConstant(lower) && mlirAffineExprIsAConstant(step) &&
                  mlirAffineConstantExprGetValue(step) > 0;
  if (!constant || !is_counted_out(s, loop, upper)) {
    bind(s, loop, mlirAffineDimExprGet(s->context, loop));
    return trace_loop(s, t, loop + 1);
  }
  for (int64_t i = mlirAffineConstantExprGetValue(lower); i < mlirAffineConstantExprGetValue(upper);
       i += mlirAffineConstantExprGetValue(step)) {
    bind(s, loop, mlirAffineConstantExprGet(s->context, i));
    if (!trace_loop(s, t, loop + 1)) return false;
  }
  return true;
}

/* What the host gives the core. */
static void know_arguments(Search *s, const int64_t *values) {
  s->known.n = 0;
  for (intptr_t i = 0; i < s->args.n; ++i) {
    MlirOperation arg = s->args.data[i];
    intptr_t column = tt_core_table_column(&s->table, tt_string(tt_runtime_arg_name(arg)));
    if (column >= 0) know(s, mlirOperationGetResult(arg, 0), values[column]);
  }
}

static bool trace_core(Search *s, int64_t core, Trace *t) {
  const int64_t *values = &s->table.values[core * s->table.num_names];
  for (intptr_t i = 0; i < s->num_leaves; ++i)
    s->with[i] = mlirAffineConstantExprGet(
        s->context, s->leaves[i].column >= 0 ? values[s->leaves[i].column] : 0);
  know_arguments(s, values);
  compute_leaves(s);
  return trace_loop(s, t, 0);
}

static bool reads_same(const Trace *a, const Trace *b) {
  for (intptr_t i = 0; a->n == b->n && i < a->n; ++i)
    if (!mlirAffineExprEqual(a->data[i], b->data[i])) return false;
  return a->n == b->n;
}

/*===- Who reads the same --------------------------------------------------------------------===*/

static bool group(Search *s, TtSharing *out) {
  size_t n = (size_t)s->table.n;
  Trace *traces = tt_arena_alloc(s->arena, (n + 1) * sizeof *traces);
  int64_t *same = tt_arena_alloc(s->arena, (n + 1) * sizeof *same), num = 0;
  for (int64_t c = 0; c < s->table.n; ++c) {
    Trace t = {NULL, 0, 0};
    if (!trace_core(s, c, &t)) return false;
    while (same[c] < num && !reads_same(&traces[same[c]], &t)) ++same[c];
    if (same[c] == num) traces[num++] = t;
  }
  *out = tt_group_cores(s->arena, &s->table, same, num);
  return true;
}

TtSharing tt_find_sharing(TtArena *arena, const TtCoreTable *table, MlirOperation read) {
  Search *s = tt_arena_alloc(arena, sizeof *s);
  TtSharing out = {.n = 0};
  *s = (Search){
      .arena = arena, .context = mlirOperationGetContext(read), .table = *table, .read = read};
  if (!collect_loops(s, function_of(read)) || !read_expressions(s) || !group(s, &out))
    out.reason = s->reason;
  return out;
}

/*===- Cores ---------------------------------------------------------------------------------===*/

static bool has_dynamic_sizes(MlirOperation program) {
  MlirType type = mlirTypeAttrGetValue(tt_op_attr(program, "function_type"));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    if (tt_is_memref(input) && !mlirShapedTypeHasStaticShape(input)) return true;
  }
  return false;
}

bool tt_program_cores(TtArena *arena, MlirOperation program, TtCoreTable *table) {
  TtSizes none = {.n = 0};
  return !has_dynamic_sizes(program) && !mlirOperationIsNull(tt_program_core_args(program)) &&
         tt_core_table(arena, program, &none, table);
}

bool tt_unit_cores(TtArena *arena, MlirOperation func, TtCoreTable *table) {
  static const char *names[] = {"start_id", "count"};
  MlirAttribute work = tt_get_attr(func, "tt.work_partition");
  bool global = tt_str_eq(tt_string(tt_get_attr(func, "tt.partition_mode")), "global");
  if (has_dynamic_sizes(func) || mlirAttributeIsNull(work) || !global) return false;
  intptr_t n = mlirArrayAttrGetNumElements(work);
  TtCore *cores = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *cores);
  *table = (TtCoreTable){.cores = cores, .n = n, .names = names, .num_names = 2};
  table->values = tt_arena_alloc(arena, (size_t)(2 * n + 1) * sizeof *table->values);
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(work, i);
    cores[i] = (TtCore){tt_work_attr_core(w, 0), tt_work_attr_core(w, 1)};
    table->values[2 * i] = tt_work_attr_start_id(w);
    table->values[2 * i + 1] = tt_work_attr_count(w);
  }
  return n > 0;
}
