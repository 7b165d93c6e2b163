/*===- joins.c - kernels of a model that become one, unit by unit ---------------------------===
 *
 * Queries, keys and values are products of one tensor, and the halves of a rotation two sums of
 * the same: kernels that need nothing of each other. Where they have as many units of work along
 * as many dimensions, and a core holds what both hold, one kernel does both, and there is one
 * launch less. --tt-join-grids does what is decided here.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/graph.h"

#include "Support/value_map.h"

/* How many units there are along each loop of the grid; their number. */
static intptr_t grid_of(const TtModelGraph *g, const TtModelGroup *group, int64_t *units) {
  const TtModelOp *root = &g->ops[group->root];
  intptr_t n = 0;
  for (intptr_t d = 0; d < root->loops; ++d) {
    if (!root->parallel[d] || group->whole[d] || group->tile[d] <= 0) continue;
    if (root->extent[d] <= 0) return -1; /* not known */
    if (group->tile[d] < root->extent[d])
      units[n++] = (root->extent[d] + group->tile[d] - 1) / group->tile[d];
  }
  return n;
}

static bool same_grid(const TtModelGraph *g, const TtModelGroup *a, const TtModelGroup *b) {
  int64_t of_a[TT_MODEL_LOOPS], of_b[TT_MODEL_LOOPS];
  intptr_t n = grid_of(g, a, of_a);
  if (n < 0 || n != grid_of(g, b, of_b)) return false;
  for (intptr_t i = 0; i < n; ++i)
    if (of_a[i] != of_b[i]) return false;
  return true;
}

/* Marks the ops of the model that need a result of one that is marked. */
static void mark_users(TtArena *arena, const TtModelGraph *g, TtOpMap *marked) {
  TtOps all = tt_collect(arena, g->func, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(all.data[i]); ++j) {
      MlirOperation from = tt_defining_op(mlirOperationGetOperand(all.data[i], j));
      if (mlirOperationIsNull(from) || tt_op_map_get(marked, from) < 0) continue;
      for (MlirOperation op = all.data[i]; !mlirOperationIsNull(op) && !tt_op_eq(op, g->func);
           op = tt_parent(op))
        tt_op_map_set(arena, marked, op, 1);
    }
}

/* The same of kernels, of which some have second results: who needs one result of a kernel needs
 * all of it. */
static void mark_later(TtArena *arena, const TtModelGraph *g, TtOpMap *marked) {
  bool leaves = false, more = true;
  mark_users(arena, g, marked);
  for (intptr_t i = 0; i < g->n; ++i) leaves = leaves || g->ops[i].leaves;
  while (leaves && more) {
    more = false;
    for (intptr_t i = 0; i < g->n; ++i) {
      if (tt_op_map_get(marked, g->ops[i].op) < 0) continue;
      for (intptr_t j = 0; j < g->n; ++j)
        if (g->ops[j].group == g->ops[i].group && tt_op_map_get(marked, g->ops[j].op) < 0) {
          tt_op_map_set(arena, marked, g->ops[j].op, 1);
          more = true;
        }
    }
    if (more) mark_users(arena, g, marked);
  }
}

/* Whether no op of `group` is marked. */
static bool is_free(const TtModelGraph *g, intptr_t group, const TtOpMap *marked) {
  for (intptr_t i = 0; i < g->n; ++i)
    if (g->ops[i].group == group && tt_op_map_get(marked, g->ops[i].op) >= 0) return false;
  return true;
}

static void mark_group(TtArena *arena, const TtModelGraph *g, intptr_t group, TtOpMap *marked) {
  for (intptr_t i = 0; i < g->n; ++i)
    if (g->ops[i].group == group) tt_op_map_set(arena, marked, g->ops[i].op, 1);
}

/* Kernels that become one, and what a core holds for them. */
typedef struct Joined {
  intptr_t groups[TT_MAX_SEMAPHORES], n;
  int64_t steps[TT_MAX_SEMAPHORES]; /* that they had alone */
} Joined;

/* Counts the tensors that `group` reads and that are not in `read` yet. */
static intptr_t count_read(TtArena *arena, const TtModelGraph *g, intptr_t group,
                           TtValueMap *read) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != group || op->kind == TT_MODEL_FILL) continue;
    for (intptr_t j = 0; j < tt_linalg_num_inputs(op->op); ++j) {
      MlirValue value = mlirOperationGetOperand(op->op, j);
      intptr_t from = tt_model_producer(g, value);
      bool inside = from >= 0 && g->ops[from].group == group;
      if (inside || tt_value_map_get(read, value) >= 0) continue;
      tt_value_map_set(arena, read, value, 1);
      ++n;
    }
  }
  return n;
}

/* The only product of a kernel, or NULL. */
static const TtModelOp *only_product(const TtModelGraph *g, intptr_t group) {
  const TtModelOp *product = NULL;
  for (intptr_t i = 0; i < g->n; ++i) {
    if (g->ops[i].group != group || g->ops[i].kind != TT_MODEL_PRODUCT) continue;
    if (product) return NULL;
    product = &g->ops[i];
  }
  return product;
}

/* The tiles that a unit of a kernel gives. */
static int64_t unit_tiles(const TtModelGraph *g, const TtModelGroup *group) {
  const TtModelOp *root = &g->ops[group->root];
  int64_t n = 1;
  for (intptr_t d = 0; d < root->loops; ++d) {
    bool matrix = d == group->rows || d == group->cols;
    if (group->tile[d] > 0) n *= matrix ? (group->tile[d] + TT_TILE - 1) / TT_TILE : group->tile[d];
    else if (root->parallel[d]) return INT32_MAX;
  }
  return n;
}

/* Whether two products sum over as much. */
static bool sums_alike(const TtModelOp *a, const TtModelOp *b) {
  if (!a || !b || a->loops != b->loops) return false;
  for (intptr_t d = 0; d < a->loops; ++d)
    if (a->parallel[d] != b->parallel[d] || (!a->parallel[d] && a->extent[d] != b->extent[d]))
      return false;
  return true;
}

/* The tiles of a step of `op` that each of the kernels' products reads as well. */
static int64_t tiles_in_common(const TtModelGraph *g, const Joined *joined, const TtModelOp *op) {
  int64_t tiles = 0;
  for (intptr_t j = 0; j < tt_linalg_num_inputs(op->op); ++j) {
    MlirValue value = mlirOperationGetOperand(op->op, j);
    intptr_t users = 0;
    for (intptr_t i = 0; i < joined->n; ++i) {
      const TtModelOp *product = only_product(g, joined->groups[i]);
      bool reads = false;
      for (intptr_t k = 0; k < tt_linalg_num_inputs(product->op); ++k)
        reads = reads || tt_value_eq(mlirOperationGetOperand(product->op, k), value);
      users += reads;
    }
    if (users == joined->n) tiles += tt_model_block_tiles(g, op, j);
  }
  return tiles;
}

/* Whether products that go in the same steps keep them, where one loop takes them
 * (--tt-join-steps), which reads a block of their operand once, and the next one meanwhile: where
 * DST holds their sums together, or the engine packs and takes back fewer tiles in a step than are
 * not read again. */
static bool have_steps_in_common(TtModelGraph *g, const Joined *joined) {
  const TtModelOp *first = only_product(g, joined->groups[0]);
  int64_t sums = 0;
  for (intptr_t i = 0; i < joined->n; ++i) {
    if (joined->steps[i] != joined->steps[0] ||
        !sums_alike(first, only_product(g, joined->groups[i])))
      return false;
    sums += unit_tiles(g, &g->groups[joined->groups[i]]);
  }
  return sums <= g->target.chip->dst_tiles_32 ||
         sums <= tiles_in_common(g, joined, first) * (joined->n - 1);
}

/* Gives them their steps, or one step, so that an operand of several products is read once. */
static void set_steps(TtModelGraph *g, const Joined *joined, bool keep) {
  for (intptr_t i = 0; i < joined->n; ++i)
    g->groups[joined->groups[i]].step = keep ? joined->steps[i] : 0;
}

static bool fits(const TtModelGraph *g, const Joined *joined) {
  int64_t l1 = 0;
  for (intptr_t i = 0; i < joined->n; ++i) l1 += tt_model_l1(g, &g->groups[joined->groups[i]]);
  return l1 <= g->l1_bytes;
}

/* Whether a core can do the work of all: it has the L1, with the steps that are set then, the
 * circular buffers, and two semaphores for each tensor that cores send each other. */
static bool can_join(TtArena *arena, TtModelGraph *g, const Joined *joined) {
  TtValueMap read = {NULL, 0, 0};
  intptr_t tensors = 0, buffers = 0;
  for (intptr_t i = 0; i < joined->n; ++i) {
    tensors += count_read(arena, g, joined->groups[i], &read);
    buffers += tt_model_buffers(g, &g->groups[joined->groups[i]]);
  }
  if (2 * tensors > TT_MAX_SEMAPHORES || buffers > (intptr_t)g->target.cbs) return false;
  set_steps(g, joined, true);
  bool keep = have_steps_in_common(g, joined);
  set_steps(g, joined, keep);
  return fits(g, joined);
}

/* Adds a kernel that reads a tensor of the others, if there are some, and can be joined. */
static bool add_group(TtArena *arena, TtModelGraph *g, TtModelGroup *group, Joined *joined) {
  Joined before = *joined;
  TtValueMap read = {NULL, 0, 0}, own = {NULL, 0, 0};
  for (intptr_t i = 0; i < joined->n; ++i) count_read(arena, g, joined->groups[i], &read);
  intptr_t index = group - g->groups, all = count_read(arena, g, index, &own);
  if (joined->n == TT_MAX_SEMAPHORES ||
      (joined->n > 0 && count_read(arena, g, index, &read) == all))
    return false;
  joined->steps[joined->n] = group->step;
  joined->groups[joined->n++] = index;
  if (joined->n == 1 || can_join(arena, g, joined)) return true;
  set_steps(g, joined, true);
  *joined = before;
  if (joined->n > 1) can_join(arena, g, joined); /* their steps as they were */
  return false;
}

/* Joins with kernel `first` those after it that can be. */
static void join_with(TtArena *arena, TtModelGraph *g, intptr_t first, int number) {
  TtModelGroup *a = tt_model_kernel(g, first);
  const TtModelOp *root = &g->ops[a->root];
  Joined joined = {.n = 0};
  if (a->join || root->kind == TT_MODEL_GATHER || !add_group(arena, g, a, &joined)) return;
  TtOpMap marked = {NULL, 0, 0};
  mark_group(arena, g, a - g->groups, &marked);
  mark_later(arena, g, &marked);
  for (intptr_t i = first + 1; i < g->num_groups; ++i) {
    TtModelGroup *b = tt_model_kernel(g, i);
    const TtModelOp *other = &g->ops[b->root];
    if (b->join || other->kind == TT_MODEL_GATHER || !same_grid(g, a, b) ||
        !mlirBlockEqual(mlirOperationGetBlock(root->op), mlirOperationGetBlock(other->op)) ||
        !is_free(g, b - g->groups, &marked) || !add_group(arena, g, b, &joined))
      continue;
    b->join = number;
    tt_remark(other->op, TT_REMARK_PASSED, "tt-plan-model",
              "its kernel is joined with another that reads the same, unit by unit");
    mark_group(arena, g, b - g->groups, &marked);
    mark_later(arena, g, &marked);
  }
  if (joined.n > 1) a->join = number;
}

void tt_model_join(TtArena *arena, TtModelGraph *g) {
  for (intptr_t i = 0; i + 1 < g->num_groups; ++i) join_with(arena, g, i, (int)i + 1);
}
