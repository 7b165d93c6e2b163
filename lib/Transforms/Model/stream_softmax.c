/*===- stream_softmax.c - --tt-stream-softmax ------------------------------------------------===
 *
 * Attention over an open number of keys, or over so many that kernels whose scores go through DRAM
 * take longer, is one grid, which goes over blocks of keys and keeps, for each query, the largest
 * score so far, the sum of exponentials and the weighted sum of values: these are scaled down
 * whenever the largest score grows. Scores never leave the core.
 *
 *   before  %s = linalg.contract ins(%q, %k)      %t = linalg.generic { %s * scale + mask }
 *           %m = linalg.generic { maximumf %t }   %e = linalg.generic { exp (%t - %m) }
 *           %l = linalg.generic { addf %e }       %p = linalg.generic { %e * (1 / %l) }
 *           %o = linalg.contract ins(%p, %v)      %z = linalg.generic { truncf %o }
 *   after   %z = scf.forall (%head, %block) {
 *             %r:3 = scf.for %key = 0 to %keys step 64 iter_args(%m, %l, %a) {
 *               %t = … of a block of queries and at most 64 keys
 *               %n = max(%m, row maxima of %t)   %f = exp(%m - %n)   %p = exp(%t - %n)
 *               yield %n, %l * %f + row sums of %p, %a * %f + %p x values }
 *             truncf (%r#2 / %r#1) … }
 *
 * Weights are divided by their sums behind the product, where the model divides them before it;
 * they are rounded to the type of the product in either order. Maxima start at the least finite
 * number, so that a block of keys that a mask of infinities hides leaves no NaN.
 *
 * Requires elementwise ops in one (--tt-fuse-maps) and named contractions. Leaves attention whose
 * planned kernels are faster, whose keys or values are wider than 256 or of open width, and what is
 * added to scores by loads; remarks say which. The option `stream` takes all that has the form, or
 * none; a schedule that was made so says it (tt.stream), and is followed.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/stream_softmax.h"
#include "Transforms/Model/graph.h"
#include "Transforms/Model/schedule.h"

#include "Dialect/shapes.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/inline_text.h"

static const char *const pass = "tt-stream-softmax";

/*===- Whether -------------------------------------------------------------------------------===*/

static int64_t size_of(const TtStream *s, intptr_t d) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(s->scores), d);
}

int64_t tt_stream_rows(const TtStream *s) {
  int64_t rows = size_of(s, s->row);
  if (s->alone) return 1;
  return rows > 0 && rows < TT_TILE ? rows : TT_TILE;
}

/* The clk of a tile of scores in the grid, with all that is done with it: 4,450 to 5,700 on the
 * emulated device, of bf16 and of f32, with 32 to 128 features, keys known and open, of which the
 * exponential is 2,026. Fewer keys than FEWEST are not worth a look: their scores fit. */
enum { TILE_CLK = 5000, FEWEST = 1024 };

static int64_t tiles(int64_t size) { return (size + TT_TILE - 1) / TT_TILE; }

/* Blocks of queries, of which a core has one at a time; -1 where their number is open. */
static double units_of(const TtStream *s) {
  double units = 1;
  for (intptr_t d = 0; d < s->rank - 1; ++d) {
    int64_t size = size_of(s, d);
    if (size < 0) return -1;
    units *= (double)(d != s->row || s->alone ? size : tiles(size));
  }
  return units;
}

/* The clk of the grid of scores of known sizes, on `cores`. */
static double time_of_grid(const TtStream *s, int64_t cores) {
  double each = (double)((int64_t)(units_of(s) + (double)cores - 1) / cores);
  return each * (double)tiles(size_of(s, s->rank - 1)) * TILE_CLK;
}

/* Whether the grid leaves most cores without work, where kernels of their own divide the keys over
 * them: two blocks of 4 queries and 500 keys took 84,403 clk, and 41,336 in four kernels. With a
 * third of the cores at work, scores that go through DRAM take as long as the other two save. */
static bool leaves_cores_idle(const TtStream *s, TtTarget target) {
  enum { A_THIRD = 3 };
  double units = units_of(s);
  return units >= 0 && A_THIRD * units < (double)(target.grid_x * target.grid_y);
}

/* The clk of the kernels that the planner makes of the ops of `s`; 0 where they are one. */
static double time_of_plan(const TtModelGraph *g, const TtStream *s) {
  MlirOperation ops[] = {s->product, s->map, s->most, s->exps, s->sum, s->norm, s->last, s->after};
  enum { OPS = sizeof ops / sizeof *ops };
  intptr_t groups[OPS], n = 0;
  double time = 0;
  for (int i = 0; i < OPS; ++i) {
    if (mlirOperationIsNull(ops[i])) continue;
    intptr_t at = tt_model_producer(g, mlirOperationGetResult(ops[i], 0)), j = 0;
    if (at < 0) continue;
    while (j < n && groups[j] != g->ops[at].group) ++j;
    if (j < n) continue;
    groups[n++] = g->ops[at].group;
    time += g->groups[g->ops[at].group].time + g->launch_clk;
  }
  return n > 1 ? time : 0;
}

/* Whether the grid is better than what the planner has: where the number of keys is open, by how
 * many cores have work. */
static bool is_better(TtArena *arena, MlirOperation func, const TtStream *s, const char **why) {
  bool open = false;
  for (intptr_t d = 0; d < s->rank; ++d) open |= size_of(s, d) < 0;
  if (size_of(s, s->rank - 1) < 0) {
    if (!leaves_cores_idle(s, tt_target_of(func))) return true;
    *why = "so few queries leave most cores without work, over which kernels of their own divide "
           "the keys";
    return false;
  }
  if (size_of(s, s->rank - 1) < FEWEST) return false;
  tt_model_unshare(arena, func);
  TtModelGraph g = tt_model_graph(arena, func, 0, tt_model_usable_l1(func));
  tt_model_group(&g);
  double plan = time_of_plan(&g, s);
  if (open) return plan > 0;
  return plan > time_of_grid(s, g.target.grid_x * g.target.grid_y) + g.launch_clk;
}

/* The number of a batch that is one with others is divided by theirs, which are known. */
static bool has_known_batches(const TtStream *s) {
  intptr_t batches = 0;
  bool open = false;
  for (intptr_t d = 0; d < s->rank - 1; ++d) {
    if (d == s->row) continue;
    open |= batches > 0 && size_of(s, d) < 0;
    ++batches;
  }
  return batches <= 2 || !open;
}

static bool takes(TtArena *arena, MlirOperation func, MlirOperation last, TtStreamWhen when,
                  TtStream *s) {
  const char *why;
  bool ok = tt_stream_read(arena, last, s, &why);
  if (ok && when == TT_STREAM_AUTO && !is_better(arena, func, s, &why) && !why) return false;
  if (ok && !has_known_batches(s)) why = "it has several batches of open size";
  if (why) tt_remark(last, TT_REMARK_MISSED, pass, "this attention is not one kernel: %s", why);
  return ok && !why;
}

/*===- Replacement ---------------------------------------------------------------------------===*/

/* An op in the place of the result with all that the grid reads: q, k, v and what the map takes. */
static MlirOperation gather_inputs(const TtStream *s, MlirOperation result) {
  TtBuilder b = tt_builder_before(result);
  TtOpState state =
      tt_op_state("builtin.unrealized_conversion_cast", mlirOperationGetLocation(s->last));
  tt_op_state_operand(&state, mlirOperationGetOperand(s->product, s->q));
  tt_op_state_operand(&state, mlirOperationGetOperand(s->product, s->k));
  tt_op_state_operand(&state, mlirOperationGetOperand(s->last, s->v));
  for (intptr_t i = 0; !mlirOperationIsNull(s->map) && i < tt_linalg_num_inputs(s->map); ++i)
    if (i != s->from) tt_op_state_operand(&state, mlirOperationGetOperand(s->map, i));
  tt_op_state_result(&state, mlirValueGetType(mlirOperationGetResult(result, 0)));
  return tt_builder_insert(&b, tt_op_state_finish(&state));
}

/* Moves what `op` computes before `cast`, whose operands are its inputs, that of number `from`
 * first, and the numbers of its loops. Null: it computes nothing. */
static void take_body(TtArena *arena, MlirOperation cast, MlirOperation op, intptr_t from) {
  MlirValue value = mlirOperationGetOperand(cast, 0);
  if (!mlirOperationIsNull(op)) {
    MlirBlock body = tt_body(op);
    intptr_t n = tt_linalg_num_inputs(op);
    for (intptr_t i = 0; i < n; ++i)
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i),
                                    mlirOperationGetOperand(cast, i == from  ? 0
                                                                  : i < from ? i + 1
                                                                             : i));
    TtOps ops = tt_collect(arena, op, NULL);
    MlirOperation end = mlirBlockGetTerminator(body);
    for (intptr_t i = 0; i < ops.n; ++i)
      if (tt_op_is(ops.data[i], "linalg.index"))
        tt_replace(ops.data[i],
                   mlirOperationGetOperand(cast, n + tt_int(tt_op_attr(ops.data[i], "dim"))));
    for (MlirOperation at = mlirBlockGetFirstOperation(body), next; !tt_op_eq(at, end); at = next) {
      next = tt_next(at);
      mlirOperationMoveBefore(at, cast);
    }
    value = mlirOperationGetOperand(end, 0);
    if (mlirValueIsABlockArgument(value)) /* an input as it is */
      value = mlirOperationGetOperand(cast, 0);
  }
  tt_replace(cast, value);
}

/* The op of the model that an op of the grid stands for, by its attribute of. */
static MlirOperation origin(const TtStream *s, MlirStringRef of) {
  if (tt_str_eq(of, "product")) return s->product;
  if (tt_str_eq(of, "map") && !mlirOperationIsNull(s->map)) return s->map;
  if (tt_str_eq(of, "most")) return s->most;
  if (tt_str_eq(of, "exps")) return s->exps;
  if (tt_str_eq(of, "sum")) return s->sum;
  if (tt_str_eq(of, "norm")) return s->norm;
  if (tt_str_eq(of, "after")) return s->after;
  return s->last;
}

/* Has `op`, which is in the grid, stand for what it is of. */
static void place(const TtStream *s, MlirOperation op) {
  MlirAttribute of = tt_get_attr(op, "of");
  if (mlirAttributeIsNull(of)) return;
  MlirLocation loc = mlirOperationGetLocation(origin(s, tt_string(of)));
  mlirOperationSetLocation(op, loc);
  tt_remove_attr(op, "of");
  if (!tt_op_is(op, "linalg.generic")) return;
  for (MlirOperation at = mlirBlockGetFirstOperation(tt_body(op)); !mlirOperationIsNull(at);
       at = tt_next(at))
    mlirOperationSetLocation(at, loc);
}

static void settle(TtArena *arena, const TtStream *s, MlirOperation grid) {
  TtOps ops = tt_collect(arena, grid, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) place(s, ops.data[i]);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirAttribute body = tt_get_attr(ops.data[i], "body");
    if (mlirAttributeIsNull(body)) continue;
    if (tt_str_eq(tt_string(body), "map")) take_body(arena, ops.data[i], s->map, s->from);
    else take_body(arena, ops.data[i], s->after, 0);
  }
}

/* The last grid before `op`. */
static MlirOperation grid_before(MlirOperation op) {
  MlirOperation grid = {NULL}, at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !tt_op_eq(at, op); at = tt_next(at))
    if (tt_op_is(at, "scf.forall")) grid = at;
  return grid;
}

static bool replace(TtArena *arena, const TtStream *s) {
  MlirOperation result = mlirOperationIsNull(s->after) ? s->last : s->after;
  const char *text = tt_stream_text(arena, s);
  MlirOperation all = gather_inputs(s, result);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(result, 0), mlirOperationGetResult(all, 0));
  if (!tt_inline_text(arena, all, text))
    return tt_error(result, "this attention has no form as one grid over blocks of keys");
  settle(arena, s, grid_before(result));
  return true;
}

static bool stream(TtArena *arena, MlirOperation func, TtStreamWhen when) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtStream s;
    if (!tt_stream_is_product(ops.data[i]) || !takes(arena, func, ops.data[i], when, &s)) continue;
    if (!replace(arena, &s)) return false;
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_stream_softmax(MlirOperation module, const TtPassOptions *options) {
  TtArena *arena = tt_arena_create();
  TtStreamWhen when;
  bool ok = tt_read_stream(arena, module, options, &when);
  TtOps funcs = tt_collect(arena, module, "func.func");
  for (intptr_t i = 0; ok && when != TT_STREAM_NONE && i < funcs.n; ++i)
    if (tt_is_model(funcs.data[i])) ok = stream(arena, funcs.data[i], when);
  tt_arena_destroy(arena);
  return ok;
}
