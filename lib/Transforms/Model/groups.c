/*===- groups.c - which ops of a model are one kernel ----------------------------------------===
 *
 * From the last op to the first, an op joins the kernel of its users where
 *   - all of them are in one kernel, or the first of them, and the others take what it leaves
 *     behind (users.c); and they need the same block of it in each unit;
 *   - nothing is computed twice, where that does not pay: each loop of the root that its result
 *     does not depend on is gone through by one unit;
 *   - a unit's blocks fit L1, and together they take no longer than one after the other.
 * So a product takes what follows it, a row-wise chain is one kernel, and so is attention, while
 * a product before a sum over its columns stays one of its own.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/graph.h"

#include "Dialect/shapes.h"
#include "Support/input_op.h"

#include <stdio.h>
#include <string.h>

enum { WHY = 200 }; /* characters of a reason */

/* What is computed several times must take this part of the time, or less: the estimate is rough.
 */
static const double REPEAT_GAIN = 0.72;

/* Operand `i` of `user` is the result of `op`: which loop of the root each loop of `op` follows
 * because of it, in `loops`, which holds TT_WHOLE before. False where it is no loop. */
static bool loops_of_use(const TtModelOp *op, const TtModelOp *user, intptr_t i, int *loops) {
  MlirAffineMap out = tt_indexing_map(op->op, tt_linalg_num_inputs(op->op)),
                use = tt_indexing_map(user->op, i);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(out); ++r) {
    int64_t own = tt_map_loop(out, r), theirs = tt_map_loop(use, r);
    if (own < 0) return false;
    if (theirs < 0 && op->extent[own] == 1) continue; /* its only element */
    if (theirs < 0) return false;
    loops[own] = user->follows[theirs];
  }
  return true;
}

/* Two users that need different blocks agree where one of them needs all: then all do. */
static bool agree(int *before, const int *loops, intptr_t n, bool *whole) {
  for (intptr_t d = 0; d < n; ++d) {
    if (before[d] == loops[d]) continue;
    if (before[d] != TT_WHOLE && loops[d] != TT_WHOLE) return false;
    int root = before[d] == TT_WHOLE ? loops[d] : before[d];
    whole[root] = true;
    before[d] = root;
  }
  return true;
}

/* The op of group `to` that `owner` is, or NULL. */
static const TtModelOp *user_in(const TtModelGraph *g, MlirOperation owner, intptr_t to) {
  if (mlirOperationGetNumResults(owner) == 0) return NULL;
  intptr_t i = tt_model_producer(g, mlirOperationGetResult(owner, 0));
  return i >= 0 && g->ops[i].group == to ? &g->ops[i] : NULL;
}

/* The loops of the root that those of `op` follow, as all its users in the group `to` need it. */
static bool follow_users(const TtModelGraph *g, TtModelOp *op, intptr_t to, bool *whole) {
  bool first = true;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    const TtModelOp *user = user_in(g, owner, to);
    if (!user) continue;
    int loops[TT_MODEL_LOOPS];
    for (int d = 0; d < TT_MODEL_LOOPS; ++d) loops[d] = TT_WHOLE;
    intptr_t operand = mlirOpOperandGetOperandNumber(use);
    if (operand < tt_linalg_num_inputs(owner) && op->kind != TT_MODEL_FILL &&
        tt_model_takes_parts(user, operand))
      return false;
    if (!loops_of_use(op, user, operand, loops)) return false;
    if (first) memcpy(op->follows, loops, sizeof loops);
    else if (!agree(op->follows, loops, op->loops, whole)) return false;
    first = false;
  }
  return true;
}

static int64_t elements(const TtModelOp *op) {
  int64_t n = 1;
  for (intptr_t d = 0; d < op->loops; ++d)
    if (op->parallel[d] && op->extent[d] > 0) n *= op->extent[d];
  return n;
}

/* A root's loop that `op` does not follow has it computed again for each block, unless a unit goes
 * through all of the loop, which is noted in `whole`. What is small, or a fill, may be. */
static void find_repetition(const TtModelOp *root, const TtModelOp *op, bool *whole) {
  if (op->kind == TT_MODEL_FILL) return;
  if (op->kind == TT_MODEL_MAP && tt_linalg_num_inputs(op->op) == 0) return; /* of indices alone */
  if (op->kind == TT_MODEL_MAP && elements(op) * 16 <= elements(root)) return;
  for (int r = 0; r < root->loops; ++r) {
    bool followed = !root->parallel[r];
    for (intptr_t d = 0; d < op->loops; ++d) followed = followed || op->follows[d] == r;
    if (!followed) whole[r] = true;
  }
}

/* Whether `op` is the only one to take the elements of a product. */
static bool ends_product(const TtModelGraph *g, const TtModelOp *op) {
  if (op->kind != TT_MODEL_MAP) return false;
  for (intptr_t i = 0; i < tt_linalg_num_inputs(op->op); ++i) {
    MlirValue from = mlirOperationGetOperand(op->op, i);
    intptr_t producer = tt_model_producer(g, from);
    if (producer < 0 || g->ops[producer].kind != TT_MODEL_PRODUCT) continue;
    MlirOpOperand use = mlirValueGetFirstUse(from), other = mlirOpOperandGetNextUse(use);
    for (; !mlirOpOperandIsNull(other); other = mlirOpOperandGetNextUse(other))
      if (!tt_op_eq(mlirOpOperandGetOwner(use), mlirOpOperandGetOwner(other))) return false;
    return true;
  }
  return false;
}

/* A product goes with what is computed of its elements. Before sums over its columns it needs all
 * of them in one unit; that pays where the sums lead to another product, as in attention. */
static bool suits(const TtModelGraph *g, const TtModelOp *op, intptr_t group) {
  if (op->kind != TT_MODEL_PRODUCT && !ends_product(g, op)) return true;
  bool sums = false, product = false;
  for (intptr_t i = 0; i < g->n; ++i) {
    if (g->ops[i].group != group) continue;
    sums = sums || g->ops[i].kind == TT_MODEL_REDUCTION;
    product = product || g->ops[i].kind == TT_MODEL_PRODUCT;
  }
  return product || !sums;
}

/* A fill, or a number for each row or column of what the group works on: apart from it, it would be
 * a tensor of few elements, each of another tile. */
static bool is_statistic(const TtModelOp *root, const TtModelOp *op) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op->op, 0)),
           whole = mlirValueGetType(mlirOperationGetResult(root->op, 0));
  return op->kind == TT_MODEL_FILL || mlirShapedTypeGetRank(type) < mlirShapedTypeGetRank(whole);
}

/* How many steps loop `d` has: many, where they are no number to compute with. */
static int64_t extent_of(const TtModelOp *op, intptr_t d) {
  return op->extent[d] <= 0 ? 1 : op->extent[d] < INT32_MAX ? op->extent[d] : INT32_MAX;
}

/* Whether the loops behind `d` make whole tiles of a row. */
static bool makes_tiles(const TtModelOp *op, intptr_t d) {
  int64_t elements = 1;
  for (++d; d < op->loops && elements < INT32_MAX; ++d) elements *= extent_of(op, d);
  return elements % TT_TILE == 0;
}

/* Units of a gather whose last `n` loops are a row: blocks of rows, a step of all loops around. */
static int64_t units_of_rows(const TtModelOp *op, intptr_t n) {
  int64_t units = 1;
  for (intptr_t d = 0; d < op->loops - n && units < INT32_MAX; ++d) {
    int64_t extent = extent_of(op, d);
    units *= d == op->loops - n - 1 ? (extent + TT_TILE - 1) / TT_TILE : extent;
  }
  return units;
}

bool tt_model_parts_rows(const TtModelOp *op) {
  int64_t extent = op->loops > 1 ? op->extent[op->loops - 1] : -1;
  return op->kind == TT_MODEL_GATHER && tt_model_row_loops(op) == 1 && extent > 0 &&
         extent % TT_TILE == 0;
}

/* A unit of a gather copies whole rows: its last dimension, or those that are one in the end. Of
 * these, where what is behind the first one makes whole tiles, it copies one step of it, and so on
 * with the next ones until all cores have something to do: the channels of windows, and their rows,
 * go to more cores. A row that is one dimension of whole tiles may be several cores' work. */
static void copy_rows(const TtModelGraph *g, const TtModelOp *op, TtModelGroup *group) {
  intptr_t n = tt_model_row_loops(op), d = op->loops - n;
  int64_t cores = g->target.grid_x * g->target.grid_y, units = units_of_rows(op, n);
  if (tt_model_parts_rows(op)) return;
  for (; d + 1 < op->loops && makes_tiles(op, d) && (d == op->loops - n || units < cores); ++d)
    units *= extent_of(op, d);
  for (; d < op->loops; ++d) group->whole[d] = true;
}

static void alone(TtModelGraph *g, intptr_t i) {
  TtModelOp *op = &g->ops[i];
  TtModelGroup *group = &g->groups[g->num_groups];
  *group = (TtModelGroup){.root = i};
  op->group = g->num_groups++;
  for (int d = 0; d < TT_MODEL_LOOPS; ++d) op->follows[d] = op->parallel[d] ? d : TT_WHOLE;
  if (op->kind == TT_MODEL_GATHER) copy_rows(g, op, group);
  if (tt_model_tile(g, group)) return;
  for (int d = 0; d < TT_MODEL_LOOPS; ++d) /* a row after the other, of long windows */
    group->tile[d] = d == group->cols ? TT_TILE : 1;
  group->time = tt_model_time(g, group);
}

/* Whether a unit of a product would go through loops that are neither its rows nor its columns, as
 * all heads of queries that see one head of keys: a core has buffers of matrices, one after the
 * other. */
static bool goes_through_matrices(const TtModelGraph *g, const TtModelGroup *group,
                                  const bool *before) {
  const TtModelOp *root = &g->ops[group->root];
  bool product = false, through = false;
  for (intptr_t i = 0; i < g->n; ++i)
    product =
        product || (g->ops[i].group == group - g->groups && g->ops[i].kind == TT_MODEL_PRODUCT);
  for (intptr_t d = 0; d < root->loops; ++d)
    through = through || (root->parallel[d] && root->extent[d] != 1 && group->whole[d] &&
                          !before[d] && d != group->rows && d != group->cols);
  return product && through;
}

/* Blocks of a group, of which a unit goes through `whole` loops so that nothing is computed twice;
 * or through blocks of them, where more cores are worth more than that: each core sums a row, and
 * scales its part of it. */
static bool choose_repetition(TtModelGraph *g, TtModelGroup *group, const bool *whole,
                              bool product) {
  TtModelGroup split = *group;
  bool any = false;
  for (int d = 0; d < TT_MODEL_LOOPS; ++d) {
    any = any || (whole[d] && !group->whole[d]);
    group->whole[d] = group->whole[d] || whole[d];
  }
  bool fits = tt_model_tile(g, group) && !goes_through_matrices(g, group, split.whole);
  if (!any || product) return fits;
  TtModelGroup once = *group;
  *group = split;
  if (tt_model_tile(g, group) && (!fits || group->time < REPEAT_GAIN * once.time)) return true;
  *group = once;
  return fits;
}

/* Each block of a second result is written by one unit: that which goes through all of the root's
 * loops that the op does not follow. */
static void write_once(const TtModelOp *root, const TtModelOp *op, bool *whole) {
  for (int r = 0; r < root->loops; ++r) {
    bool followed = !root->parallel[r];
    for (intptr_t d = 0; d < op->loops; ++d) followed = followed || op->follows[d] == r;
    whole[r] = whole[r] || !followed;
  }
}

/* The members of `from` follow the root of `to`; NULL, or why they cannot. */
static const char *move(TtModelGraph *g, intptr_t from, intptr_t to) {
  TtModelGroup *group = &g->groups[to];
  bool whole[TT_MODEL_LOOPS] = {false}, product = false;
  for (intptr_t i = g->n; i-- > 0;) {
    TtModelOp *op = &g->ops[i];
    if (op->group != from) continue;
    if (!follow_users(g, op, to, group->whole)) return "its users need different blocks of it";
    op->leaves = tt_model_leaves(g, op, to);
    if (op->leaves && !tt_model_may_leave(g, op, to))
      return "others need its result before that kernel is done";
    if (op->leaves) write_once(&g->ops[group->root], op, group->whole);
    if (!suits(g, op, to))
      return "sums over the columns of a product need all of them on one core, which pays only "
             "where the sums lead to another product";
    find_repetition(&g->ops[group->root], op, whole);
    product = product || op->kind == TT_MODEL_PRODUCT;
    op->group = to;
  }
  TtModelGroup before = *group;
  if (choose_repetition(g, group, whole, product)) return NULL;
  return goes_through_matrices(g, group, before.whole)
             ? "a unit would go through several matrices, of which some are the same for all"
             : "no block of both fits L1";
}

/* Groups stay in the order of their roots. */
static void remove_group(TtModelGraph *g, intptr_t group) {
  for (intptr_t i = group; i + 1 < g->num_groups; ++i) g->groups[i] = g->groups[i + 1];
  --g->num_groups;
  for (intptr_t i = 0; i < g->n; ++i) g->ops[i].group -= g->ops[i].group > group;
}

/* Whether group `from`, an op on elements before a product, may as well end the kernel that gives
 * these: then a launch is no part of the choice. */
static bool may_end_another(const TtModelGraph *g, intptr_t from) {
  const TtModelOp *op = &g->ops[g->groups[from].root];
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
  for (bool product = false; !product; use = mlirOpOperandGetNextUse(use)) {
    if (mlirOpOperandIsNull(use)) return false;
    product = tt_is_contraction(mlirOpOperandGetOwner(use));
  }
  for (intptr_t i = 0; op->kind == TT_MODEL_MAP && i < tt_linalg_num_inputs(op->op); ++i) {
    intptr_t producer = tt_model_producer(g, mlirOperationGetOperand(op->op, i));
    if (producer < 0 || g->ops[producer].group == from) continue;
    const TtModelOp *other = &g->ops[producer];
    if (other->kind != TT_MODEL_FILL && other->kind != TT_MODEL_GATHER &&
        elements(other) == elements(op))
      return true;
  }
  return false;
}

/* Makes `from` a part of `to`, whose ops use its result, where that is possible and pays; else
 * says why not in `why`, which has room for WHY. Rows that are loaded at indices go from tensor to
 * tensor, through no other op of a kernel. */
static bool join(TtModelGraph *g, intptr_t from, intptr_t to, char *why) {
  const TtModelOp *root = &g->ops[g->groups[to].root], *op = &g->ops[g->groups[from].root];
  if (root->kind == TT_MODEL_GATHER || op->kind == TT_MODEL_GATHER)
    return snprintf(why, WHY, "rows loaded at indices go from tensor to tensor"), false;
  TtModelGroup before = g->groups[to];
  size_t bytes = (size_t)g->n * sizeof *g->ops;
  memcpy(g->before, g->ops, bytes);
  const char *cannot = move(g, from, to);
  double apart = before.time + g->groups[from].time;
  /* A product whose operand the kernel computes has no steps: nothing hides what it reads first. */
  if (before.step == 0 || !may_end_another(g, from)) apart += g->launch_clk;
  if (!cannot && tt_model_buffers(g, &g->groups[to]) > (intptr_t)tt_target_of(g->func).cbs)
    cannot = "one kernel needs more circular buffers than a core has";
  if (!cannot && ((!op->leaves && is_statistic(root, op)) || g->groups[to].time <= apart)) {
    remove_group(g, from);
    return true;
  }
  if (cannot) snprintf(why, WHY, "%s", cannot);
  else snprintf(why, WHY, "one kernel takes about %.0f clk, two %.0f", g->groups[to].time, apart);
  memcpy(g->ops, g->before, bytes);
  g->groups[to] = before;
  return false;
}

/* Whether `op` is only what others add to. */
static bool is_start(const TtModelOp *op) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tt_is_linalg(user) || mlirOpOperandGetOperandNumber(use) < tt_linalg_num_inputs(user))
      return false;
  }
  return true;
}

/* What one op alone does not gain, several may: the exponentials of a softmax leave the cores
 * that the maxima before them need. */
static bool join_groups(TtModelGraph *g) {
  char why[WHY];
  for (intptr_t from = g->num_groups; from-- > 0;) {
    intptr_t to = tt_model_group_of_users(g, &g->ops[g->groups[from].root]);
    if (to >= 0 && join(g, from, to, why)) return true;
  }
  return false;
}

void tt_model_group(TtModelGraph *g) {
  char why[WHY];
  for (intptr_t i = 0; i < g->n; ++i) g->ops[i].group = -1;
  for (intptr_t i = g->n; i-- > 0;) {
    intptr_t to = tt_model_group_of_users(g, &g->ops[i]);
    alone(g, i);
    if (to >= 0 && (!g->apart || is_start(&g->ops[i]))) join(g, g->num_groups - 1, to, why);
  }
  while (!g->apart && join_groups(g)) continue;
}

/*===- Remarks -----------------------------------------------------------------------------===*/

static MlirStringRef name_of(MlirOperation op) {
  MlirStringRef name = tt_input_op(mlirOperationGetLocation(op));
  return name.length ? name : tt_op_name(op);
}

/* None of what has no results. */
static MlirOperation first_user(MlirOperation op) {
  MlirOpOperand use = {NULL};
  if (mlirOperationGetNumResults(op) > 0) use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  return mlirOpOperandIsNull(use) ? (MlirOperation){NULL} : mlirOpOperandGetOwner(use);
}

static void explain_root(TtModelGraph *g, intptr_t group, const char *pass) {
  MlirOperation op = g->ops[g->groups[group].root].op;
  MlirOperation user = first_user(op);
  bool reshaped = !mlirOperationIsNull(user) && !tt_is_linalg(user);
  while (!mlirOperationIsNull(user) && !tt_is_linalg(user)) user = first_user(user);
  if (mlirOperationIsNull(user)) return; /* a result of the model */
  char why[WHY];
  snprintf(why, WHY, "its users %s",
           reshaped ? "see it in another shape" : "are not in one kernel");
  intptr_t to = tt_model_group_of_users(g, &g->ops[g->groups[group].root]);
  if (to >= 0 && join(g, group, to, why)) return; /* has been tried: it cannot be */
  MlirStringRef name = name_of(op), theirs = name_of(user);
  tt_remark(op, TT_REMARK_MISSED, pass, "%.*s is not in the kernel of the %.*s that takes it: %s",
            (int)name.length, name.data, (int)theirs.length, theirs.data, why);
}

void tt_model_explain(TtModelGraph *g, const char *pass) {
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    MlirOperation root = g->ops[g->groups[op->group].root].op;
    if (op->kind == TT_MODEL_FILL || tt_op_eq(op->op, root)) continue;
    MlirStringRef name = name_of(op->op), theirs = name_of(root);
    tt_remark(op->op, TT_REMARK_PASSED, pass, "%.*s is in the kernel of %.*s", (int)name.length,
              name.data, (int)theirs.length, theirs.data);
  }
  for (intptr_t i = 0; !g->apart && i < g->num_groups; ++i) explain_root(g, i, pass);
}
