/*===- plan_model.c - --tt-plan-model -------------------------------------------------------===
 *
 * Decides which ops of a model are one kernel and what a unit of its work is, and says so in a
 * transform schedule at the end of the module, which --tt-schedule-model applies. It is text to
 * read and to edit; what it speaks of has a label.
 *
 *   before  func.func @f(…) attributes {tt.model} { … linalg.contract … linalg.generic … }
 *   after   the same, each op with tt.label = "product0", "map1", …
 *           transform.named_sequence @tt_schedule(%model: !transform.any_op) {
 *             %a = transform.structured.match attributes {tt.label = "map1"} in %model
 *             %b, %k = transform.structured.tile_using_forall %a tile_sizes [64, 64]
 *             … transform.structured.fuse_into_containing_op %c into %k …
 *
 * `pick` takes another of its plans for each kernel, in the order of their estimates: the numbers
 * that tt-run --tune tries.
 *
 * Requires --tt-name-contractions.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Transforms/Model/graph.h"
#include "Transforms/Model/schedule.h"

#include "mlir-c/Dialect/Linalg.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tt_model_unshare(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    bool insert = tt_op_is(op, "tensor.insert_slice"); /* into its second operand */
    if (!insert && !tt_is_linalg(op)) continue;
    for (intptr_t j = insert ? 1 : tt_linalg_num_inputs(op); j < mlirOperationGetNumOperands(op);
         ++j) {
      MlirOperation from = tt_defining_op(mlirOperationGetOperand(op, j));
      bool fill = tt_op_is(from, "linalg.fill");
      if (mlirOperationIsNull(from) || !(fill || tt_op_is(from, "tensor.empty"))) continue;
      TtBuilder b = tt_builder_before(op);
      if (fill) {
        MlirOperation empty = tt_defining_op(mlirOperationGetOperand(from, 1));
        MlirValue own = mlirOperationGetOperand(from, 1);
        if (tt_op_is(empty, "tensor.empty"))
          own = mlirOperationGetResult(tt_builder_insert(&b, mlirOperationClone(empty)), 0);
        MlirOperation copy = tt_builder_insert(&b, mlirOperationClone(from));
        mlirOperationSetOperand(copy, 1, own);
        from = copy;
      } else from = tt_builder_insert(&b, mlirOperationClone(from));
      mlirOperationSetOperand(op, j, mlirOperationGetResult(from, 0));
    }
  }
}

/* The block of a unit along loop `d` of the root; 0 where it is all of it. */
static int64_t size_of(const TtModelGroup *group, const TtModelOp *root, intptr_t d) {
  if (!root->parallel[d] || group->whole[d]) return 0;
  return root->extent[d] > 0 && group->tile[d] >= root->extent[d] ? 0 : group->tile[d];
}

/* Sizes of blocks, and what keeps a grid of one unit one: a place for each loop of it. */
static void say_sizes(TtText *text, const TtModelGraph *g, const TtModelGroup *group) {
  const TtModelOp *root = &g->ops[group->root];
  intptr_t loops = 0, only = -1;
  for (intptr_t d = 0; d < root->loops; ++d) {
    loops += size_of(group, root, d) > 0;
    if (root->parallel[d] && only < 0) only = d;
  }
  tt_text_printf(text, "[");
  for (intptr_t d = 0; d < root->loops; ++d) {
    int64_t size = size_of(group, root, d);
    if (loops == 0 && d == only) size = root->extent[d] > 0 ? root->extent[d] : TT_TILE;
    tt_text_printf(text, "%s%jd", d ? ", " : "", (intmax_t)size);
  }
  tt_text_printf(text, "] (mapping = [");
  for (intptr_t i = 0; i < (loops ? loops : 1); ++i)
    tt_text_printf(text, "%s#gpu.block<linear_dim_%jd>", i ? ", " : "", (intmax_t)i);
  tt_text_printf(text, "])");
}

static const char *match(TtText *text, const TtModelOp *op) {
  tt_text_printf(text,
                 "  %%%s = transform.structured.match attributes {tt.label = \"%s\"} in %%model : "
                 "(!transform.any_op) -> !transform.any_op\n",
                 op->label, op->label);
  return op->label;
}

/* A sum in steps: along its last loop, the channels of a convolution, whose windows go one by one.
 */
static void say_steps(TtText *text, const TtModelGraph *g, const TtModelOp *op, const char *tiled) {
  int64_t step = tt_model_step(g, op);
  if (!step) return;
  intptr_t last = -1, loops = 0;
  for (intptr_t d = 0; d < op->loops; ++d)
    if (!op->parallel[d]) last = d, ++loops;
  const char *comma = "";
  tt_text_printf(text,
                 "  %%%s_part, %%%s_loop:%jd = transform.structured.tile_using_for %%%s "
                 "tile_sizes [",
                 op->label, op->label, (intmax_t)loops, tiled);
  for (intptr_t d = 0; d < op->loops; ++d, comma = ", ")
    tt_text_printf(text, "%s%jd", comma, (intmax_t)(op->parallel[d] ? 0 : d == last ? step : 1));
  tt_text_printf(text, "] : (!transform.any_op) -> (!transform.any_op");
  for (intptr_t i = 0; i < loops; ++i) tt_text_printf(text, ", !transform.any_op");
  tt_text_printf(text, ")\n");
}

/* Whether several uses in group `index` take the same part of `op`, each by a slice of its own. */
static bool is_used_again(const TtModelGraph *g, const TtModelOp *op, intptr_t index) {
  int uses = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationGetNumResults(user) == 0) continue;
    intptr_t i = tt_model_producer(g, mlirOperationGetResult(user, 0));
    uses += i >= 0 && g->ops[i].group == index;
  }
  return uses > 1;
}

static void say_group(TtText *text, const TtModelGraph *g, intptr_t index) {
  const TtModelGroup *group = &g->groups[index];
  const TtModelOp *root = &g->ops[group->root];
  tt_text_printf(text, "  // Kernel %jd: %jd units.\n", (intmax_t)(g->num_groups - 1 - index),
                 (intmax_t)tt_model_units(g, group));
  const char *name = match(text, root);
  tt_text_printf(
      text, "  %%%s_block, %%%s_grid0 = transform.structured.tile_using_forall %%%s tile_sizes ",
      name, name, name);
  say_sizes(text, g, group);
  tt_text_printf(text, " : (!transform.any_op) -> (!transform.any_op, !transform.any_op)\n");
  int grid = 0;
  for (intptr_t i = group->root; i-- > 0;) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != index) continue;
    match(text, op);
    if (is_used_again(g, op, index)) /* else it is fused for each, and so is all that it needs */
      tt_text_printf(text, "  transform.apply_cse to %%%s_grid%d : !transform.any_op\n", name,
                     grid);
    tt_text_printf(text,
                   "  %%%s_block, %%%s_grid%d = transform.structured.fuse_into_containing_op %%%s "
                   "into %%%s_grid%d : (!transform.any_op, !transform.any_op) -> "
                   "(!transform.any_op, !transform.any_op)\n",
                   op->label, name, grid + 1, op->label, name, grid);
    ++grid;
  }
  for (intptr_t i = 0; i <= group->root; ++i)
    if (g->ops[i].group == index) {
      TtText tiled = {NULL, 0, 0};
      tt_text_printf(&tiled, "%s_block", g->ops[i].label);
      say_steps(text, g, &g->ops[i], tiled.data);
      tt_text_free(&tiled);
    }
  if (group->join)
    tt_text_printf(text,
                   "  %%%s_join = transform.param.constant %d : i64 -> !transform.param<i64>\n"
                   "  transform.annotate %%%s_grid%d \"tt.join\" = %%%s_join : !transform.any_op, "
                   "!transform.param<i64>\n",
                   name, group->join, name, grid, name);
}

/* A kernel whose result is one number would have no loop to make units of. */
static bool check_roots(const TtModelGraph *g) {
  for (intptr_t i = 0; i < g->num_groups; ++i) {
    const TtModelOp *root = &g->ops[g->groups[i].root];
    bool any = root->kind == TT_MODEL_FILL;
    for (intptr_t d = 0; d < root->loops; ++d) any |= root->parallel[d];
    if (!any)
      return tt_error(root->op, "gives a single number, of which no core can be given a block; "
                                "give it a dimension that others of its kind share");
  }
  return true;
}

static void say(TtText *text, const TtModelGraph *g) {
  for (intptr_t i = g->num_groups; i-- > 0;) say_group(text, g, i);
}

/* What the options of the pass say; their order is that of passes.c. */
typedef struct Plan {
  bool apart, splits_rows;
  double launch_clk; /* 0: as it is */
  const char *picks, *file;
  TtStreamWhen stream;
} Plan;

static bool read_options(MlirOperation module, const TtPassOptions *given, Plan *plan) {
  const char *fuse = given->values[TT_SCHEDULE_FUSE];
  *plan =
      (Plan){.picks = given->values[TT_SCHEDULE_PICK], .file = given->values[TT_SCHEDULE_WRITE]};
  plan->apart = strcmp(fuse, "none") == 0;
  if (strspn(plan->picks, "0123456789,") != strlen(plan->picks))
    return tt_error(module, "pick=%s: expected numbers with commas between", plan->picks);
  int splits = tt_optimizes(given->values[TT_SCHEDULE_OPTIMIZE], "tt-split-rows");
  if (splits < 0)
    return tt_error(module,
                    "optimize=%s: expected none, all, or names of optimizations with commas "
                    "between (--help lists them)",
                    given->values[TT_SCHEDULE_OPTIMIZE]);
  plan->splits_rows = splits;
  if (plan->apart || !*fuse || strcmp(fuse, "all") == 0) return true;
  char *end;
  plan->launch_clk = strtod(fuse, &end);
  return (!*end && plan->launch_clk > 0 && plan->launch_clk < HUGE_VAL) ||
         tt_error(module,
                  "fuse=%s: expected all (what pays is one kernel), none, or the clk that one "
                  "more kernel is taken to cost",
                  fuse);
}

/* The other plans that `picks` names: one number a kernel, the last one for all after it. */
static void pick(TtModelGraph *g, const char *picks) {
  long number = 0;
  for (intptr_t i = 0; i < g->num_groups; ++i) {
    if (*picks) number = strtol(picks, (char **)&picks, 10);
    if (*picks == ',') ++picks;
    TtModelGroup *group = tt_model_kernel(g, i);
    group->pick = number < INT16_MAX ? (int)number : INT16_MAX;
    if (group->pick && !tt_model_tile(g, group)) {
      group->pick = 0; /* no block fits with such steps */
      tt_model_tile(g, group);
    }
  }
}

/* `labels` counts those of the models before, and then of this one, too. */
static bool plan(TtArena *arena, MlirOperation func, const Plan *how, intptr_t *labels,
                 TtText *text) {
  MlirContext context = mlirOperationGetContext(func);
  tt_model_unshare(arena, func);
  tt_erase_dead(func);
  TtModelGraph g = tt_model_graph(arena, func, *labels, tt_model_usable_l1(func));
  *labels += g.n;
  g.apart = how->apart, g.splits_rows = how->splits_rows;
  if (how->launch_clk > 0) g.launch_clk = how->launch_clk;
  tt_model_group(&g);
  tt_model_explain(&g, "tt-plan-model");
  if (*how->picks) pick(&g, how->picks);
  tt_model_order(arena, &g);
  if (!g.apart) tt_model_join(arena, &g);
  for (intptr_t j = 0; j < g.n; ++j)
    tt_set_attr(g.ops[j].op, "tt.label", tt_string_attr(context, g.ops[j].label));
  if (!check_roots(&g)) return false;
  say(text, &g);
  return true;
}

/* Puts the schedule at the module's end. */
static bool insert(MlirOperation module, const TtText *text) {
  MlirContext context = mlirOperationGetContext(module);
  MlirModule schedule = mlirModuleCreateParse(context, (MlirStringRef){text->data, text->n});
  if (mlirModuleIsNull(schedule)) return false;
  MlirOperation sequence = mlirBlockGetFirstOperation(mlirModuleGetBody(schedule));
  TtBuilder b = tt_builder_at_end(tt_body(module));
  tt_builder_insert(&b, mlirOperationClone(sequence));
  tt_set_attr(module, "transform.with_named_sequence", mlirUnitAttrGet(context));
  mlirModuleDestroy(schedule);
  return true;
}

static bool write_file(MlirOperation module, const char *path, const TtText *text) {
  FILE *file = fopen(path, "w");
  bool ok = file && fwrite(text->data, 1, text->n, file) == text->n;
  if (file) ok = fclose(file) == 0 && ok;
  return ok || tt_error(module, "cannot write the schedule '%s': %s", path, strerror(errno));
}

bool tt_run_plan_model(MlirOperation module, const TtPassOptions *options) {
  Plan how;
  TtArena *arena = tt_arena_create();
  if (!read_options(module, options, &how) ||
      !tt_read_stream(arena, module, options, &how.stream)) {
    tt_arena_destroy(arena);
    return false;
  }
  TtOps funcs = tt_collect(arena, module, "func.func");
  TtText text = {NULL, 0, 0};
  bool any = false, ok = true;
  intptr_t labels = 0;
  tt_text_printf(&text, "module attributes {transform.with_named_sequence} {\n"
                        "transform.named_sequence @tt_schedule(%%model: !transform.any_op) ");
  if (how.stream != TT_STREAM_AUTO && !how.apart)
    tt_text_printf(&text, "attributes {tt.stream = \"%s\"} ", tt_stream_word(how.stream));
  tt_text_printf(&text, "{\n");
  for (intptr_t i = 0; i < funcs.n && ok; ++i) {
    if (!tt_is_model(funcs.data[i])) continue;
    ok = plan(arena, funcs.data[i], &how, &labels, &text);
    any = true;
  }
  tt_text_printf(&text, "  transform.yield\n}\n}\n");
  if (any && ok && *how.file) ok = write_file(module, how.file, &text);
  if (any && ok) ok = insert(module, &text);
  tt_text_free(&text);
  tt_arena_destroy(arena);
  return ok;
}
