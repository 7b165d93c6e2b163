/*===- groups.c - which ops of a model are one kernel ----------------------------------------===
 *
 * From the last op to the first, an op joins the kernel of its users where
 *   - all of them are in one kernel, and they need the same block of it in each unit;
 *   - nothing is computed twice: each loop of the root that its result does not depend on is
 *     gone through by one unit;
 *   - a unit's blocks fit L1, and together they take no longer than one after the other.
 * So a product takes what follows it, a row-wise chain is one kernel, and so is attention, while
 * a product before a sum over its columns stays one of its own.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/graph.h"

#include "Dialect/shapes.h"

#include <string.h>

/* What a try to join changes. */
typedef struct Joint {
  int follows[TT_MODEL_LOOPS];
  bool whole[TT_MODEL_LOOPS];
} Joint;

/* Operand `i` of `user` is the result of `op`: which loop of the root each loop of `op` follows
 * because of it, in `loops`, which holds TT_WHOLE before. False where it is no loop. */
static bool loops_of_use(const TtModelOp *op, const TtModelOp *user, intptr_t i, int *loops) {
  MlirAffineMap out = tt_indexing_map(op->op, tt_linalg_num_inputs(op->op)),
                use = tt_indexing_map(user->op, i);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(out); ++r) {
    int64_t own = tt_map_loop(out, r), theirs = tt_map_loop(use, r);
    if (own < 0 || theirs < 0) return false;
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

/* The users of `op`, which must all be linalg ops of one group; its index, or -1. */
static intptr_t group_of_users(const TtModelGraph *g, const TtModelOp *op) {
  intptr_t group = -1;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationGetNumResults(user) == 0) return -1;
    intptr_t i = tt_model_producer(g, mlirOperationGetResult(user, 0));
    if (i < 0 || (group >= 0 && g->ops[i].group != group)) return -1;
    group = g->ops[i].group;
  }
  return group;
}

static bool follow_users(const TtModelGraph *g, const TtModelOp *op, Joint *joint) {
  bool first = true;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    const TtModelOp *user = &g->ops[tt_model_producer(g, mlirOperationGetResult(owner, 0))];
    int loops[TT_MODEL_LOOPS];
    for (int d = 0; d < TT_MODEL_LOOPS; ++d) loops[d] = TT_WHOLE;
    if (!loops_of_use(op, user, mlirOpOperandGetOperandNumber(use), loops)) return false;
    if (first) memcpy(joint->follows, loops, sizeof loops);
    else if (!agree(joint->follows, loops, op->loops, joint->whole)) return false;
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

/* A root's loop that `op` does not follow would have it computed again for each block. What is
 * small, or a fill, may be. */
static void avoid_repetition(const TtModelOp *root, const TtModelOp *op, Joint *joint) {
  if (op->kind == TT_MODEL_FILL) return;
  if (op->kind == TT_MODEL_MAP && elements(op) * 16 <= elements(root)) return;
  for (int r = 0; r < root->loops; ++r) {
    bool followed = !root->parallel[r];
    for (intptr_t d = 0; d < op->loops; ++d) followed = followed || joint->follows[d] == r;
    if (!followed) joint->whole[r] = true;
  }
}

/* A product goes with what is computed of its elements. Before sums over its columns it needs all
 * of them in one unit; that pays where the sums lead to another product, as in attention. */
static bool suits(const TtModelGraph *g, const TtModelOp *op, intptr_t group) {
  if (op->kind != TT_MODEL_PRODUCT) return true;
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

static void alone(TtModelGraph *g, intptr_t i, int64_t cores, int64_t l1_bytes) {
  TtModelOp *op = &g->ops[i];
  TtModelGroup *group = &g->groups[g->num_groups];
  *group = (TtModelGroup){.root = i};
  op->group = g->num_groups++;
  for (int d = 0; d < TT_MODEL_LOOPS; ++d) op->follows[d] = op->parallel[d] ? d : TT_WHOLE;
  if (!tt_model_tile(g, group, cores, l1_bytes))
    for (int d = 0; d < TT_MODEL_LOOPS; ++d) group->tile[d] = 1;
}

static bool join(TtModelGraph *g, TtModelOp *op, intptr_t to, int64_t cores, int64_t l1_bytes) {
  TtModelGroup *group = &g->groups[to], before = *group;
  TtModelOp old = *op;
  Joint joint;
  memcpy(joint.whole, group->whole, sizeof joint.whole);
  if (!follow_users(g, op, &joint)) return false;
  avoid_repetition(&g->ops[group->root], op, &joint);
  if (!suits(g, op, to)) return false;
  alone(g, op - g->ops, cores, l1_bytes);
  double apart = group->time + g->groups[--g->num_groups].time + TT_MODEL_LAUNCH_CLK;
  memcpy(op->follows, joint.follows, sizeof op->follows);
  memcpy(group->whole, joint.whole, sizeof group->whole);
  op->group = to;
  if (tt_model_tile(g, group, cores, l1_bytes) &&
      (is_statistic(&g->ops[group->root], op) || group->time <= apart))
    return true;
  *op = old;
  *group = before;
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

void tt_model_group(TtModelGraph *g, int64_t cores, int64_t l1_bytes) {
  for (intptr_t i = 0; i < g->n; ++i) g->ops[i].group = -1;
  for (intptr_t i = g->n; i-- > 0;) {
    TtModelOp *op = &g->ops[i];
    intptr_t to = group_of_users(g, op);
    bool may = to >= 0 && (!g->apart || is_start(op));
    if (may && join(g, op, to, cores, l1_bytes)) continue;
    alone(g, i, cores, l1_bytes);
  }
}
