/*===- wait_late.c - --tt-wait-late -------------------------------------------------------------===
 *
 * Waits for a block right before the first op that takes it, and not where it was filled.
 *
 *   before  cb_wait_front %acc, 8
 *           for %k < %n { matmul_tiles %q, %key, …; … cb_push_back %scores, 32
 *                         … mul_tiles_bcast_cols %acc, %factor, …; … cb_push_back %acc, 8
 *                         cb_pop_front %acc, 8; cb_wait_front %acc, 8 }
 *           mul_tiles_bcast_cols %acc, %sum, …
 *   after   cb_wait_front %acc, 8
 *           for %k < %n { matmul_tiles %q, %key, …; … cb_push_back %scores, 32
 *                         … cb_wait_front %acc, 8
 *                         mul_tiles_bcast_cols %acc, %factor, …; … cb_push_back %acc, 8
 *                         cb_pop_front %acc, 8 }
 *           cb_wait_front %acc, 8
 *           mul_tiles_bcast_cols %acc, %sum, …
 *
 * Unpack has what the ops between bring while the block is still computed and packed: it waited for
 * math and the packer at the end of a step, and math for it at the start of the next one. A wait
 * at the end of a round goes to the first op that takes the block in the next one, and behind the
 * loop, where the block was waited for before the loop as well: a wait for what is there already
 * waits for nothing, so that a first round, and a loop of no rounds, find what they found. Inside
 * of a loop that takes the block and frees nothing of it the wait stands where ops come before the
 * one that takes it. Nothing is freed later than before, and no wait comes earlier: what ran to its
 * end still does. Changes no result.
 *
 * Requires D3; behind the passes that look for waits, before D4.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Target/schedule.h"
#include "Transforms/Optimize/op_clk.h"

static const char *const pass = "tt-wait-late";

/* A wait for a block, and where it may go. */
typedef struct Wait {
  TtArena *arena;
  MlirOperation program, op, decl; /* of the circular buffer */
  int64_t pages;
  intptr_t passed; /* ops of the engine that come before it then */
} Wait;

static TtAct act_of(MlirOperation op) { return tt_op_info(op)->does; }

/* Whether an op, or one inside of it, has to do with the pages in front of the buffer. */
static bool touches(const Wait *w, MlirOperation root) {
  TtOps ops = tt_collect(w->arena, root, NULL);
  tt_ops_add(w->arena, &ops, root);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    TtAct does = act_of(op);
    if (does == TT_ACT_RESERVE || does == TT_ACT_PUSH || does == TT_ACT_PACK_BLOCK) continue;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      if (tt_op_eq(tt_cb_decl(w->program, mlirOperationGetOperand(op, k)), w->decl)) return true;
  }
  return false;
}

/* Whether ops inside of a loop move the front of the buffer, or wait for it. */
static bool counts_inside(const Wait *w, MlirOperation loop) {
  TtOps ops = tt_collect(w->arena, loop, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtAct does = act_of(ops.data[i]);
    if ((does == TT_ACT_WAIT || does == TT_ACT_POP) &&
        tt_op_eq(tt_cb_decl(w->program, mlirOperationGetOperand(ops.data[i], 0)), w->decl))
      return true;
  }
  return false;
}

static intptr_t engine_ops(const Wait *w, MlirOperation root) {
  intptr_t n = act_of(root) == TT_ACT_MATH;
  TtOps ops = tt_collect(w->arena, root, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) n += act_of(ops.data[i]) == TT_ACT_MATH;
  return n;
}

/* The first op from `op` on, in its block, that touches the front; null if there is none. Counts
 * those of the engine that it passes. */
static MlirOperation first_touch(const Wait *w, MlirOperation op, intptr_t *passed) {
  for (*passed = 0; !tt_is_terminator(op); op = tt_next(op)) {
    if (touches(w, op)) return op;
    *passed += engine_ops(w, op);
  }
  return (MlirOperation){NULL};
}

static bool has_rounds(MlirOperation loop) {
  int64_t lower, upper;
  return tt_constant(mlirOperationGetOperand(loop, 0), &lower) &&
         tt_constant(mlirOperationGetOperand(loop, 1), &upper) && lower < upper;
}

/* What ops of a block before `end` take. */
static double clk_before(const Wait *w, MlirOperation end) {
  double clk = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(end));
       !tt_op_eq(op, end); op = tt_next(op))
    clk += tt_op_clk(w->program, op);
  return clk;
}

/* The op before which the wait goes: `touch`, or one in it, where it is a loop whose every round
 * has so much to do before that the wait, which all rounds repeat, does not count. */
static MlirOperation place_in(Wait *w, MlirOperation touch) {
  while (tt_op_is(touch, "scf.for") && has_rounds(touch) && !counts_inside(w, touch)) {
    intptr_t passed;
    MlirOperation inner = first_touch(w, mlirBlockGetFirstOperation(tt_for_body(touch)), &passed);
    if (mlirOperationIsNull(inner) || clk_before(w, inner) < TT_LEAST_SECTION_CLK) break;
    w->passed += passed;
    touch = inner;
  }
  return touch;
}

static void wait_before(const Wait *w, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(w->op);
  TtBuilder b = tt_builder_before(op);
  metalium_cb_wait_front_create(&b, loc, mlirOperationGetOperand(w->op, 0),
                                tt_index(&b, loc, w->pages));
}

/* Behind the wait, where the rest of its block takes what it waits for. */
static bool move_down(Wait *w) {
  MlirOperation touch = first_touch(w, tt_next(w->op), &w->passed);
  if (mlirOperationIsNull(touch)) return false;
  MlirOperation place = place_in(w, touch);
  if (w->passed > 0) {
    wait_before(w, place);
    tt_remark(w->op, TT_REMARK_PASSED, pass, "waited for after %jd ops that do without it",
              (intmax_t)w->passed);
    mlirOperationDestroy(w->op);
  }
  return true;
}

/* Whether the last op before the loop that has to do with the front waits for as many pages. */
static bool is_waited_before(const Wait *w, MlirOperation loop) {
  MlirOperation last = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(loop));
       !tt_op_eq(op, loop); op = tt_next(op))
    if (touches(w, op)) last = op;
  int64_t pages;
  return !mlirOperationIsNull(last) && act_of(last) == TT_ACT_WAIT &&
         tt_constant(mlirOperationGetOperand(last, 1), &pages) && pages == w->pages;
}

/* Of a wait at the end of a round: to the next round, and behind the loop. */
static const char *move_round(Wait *w, MlirOperation loop) {
  MlirOperation first = first_touch(w, mlirBlockGetFirstOperation(tt_for_body(loop)), &w->passed);
  if (tt_op_eq(first, w->op)) return "nothing in the loop takes it";
  if (act_of(first) == TT_ACT_WAIT) return "the next round waits for it itself";
  if (!is_waited_before(w, loop)) return "the first round does not find as much";
  MlirOperation place = place_in(w, first);
  if (w->passed == 0) return "the next round takes it first of all";
  intptr_t passed = w->passed, behind;
  wait_before(w, place);
  place = first_touch(w, tt_next(loop), &behind);
  wait_before(w, mlirOperationIsNull(place) ? tt_next(loop) : place_in(w, place));
  w->passed = passed;
  return NULL;
}

static void move_wait(Wait *w) {
  if (move_down(w)) return;
  MlirOperation loop = tt_parent(w->op);
  if (!tt_op_is(loop, "scf.for")) return;
  const char *reason = move_round(w, loop);
  if (reason) {
    tt_remark(w->op, TT_REMARK_MISSED, pass, "waited for at the end of a round: %s", reason);
    return;
  }
  tt_remark(w->op, TT_REMARK_PASSED, pass,
            "waited for in the next round, after %jd ops that do without it", (intmax_t)w->passed);
  mlirOperationDestroy(w->op);
}

static bool wait_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps waits = tt_collect(arena, kernels.data[k], "metalium.cb_wait_front");
    for (intptr_t i = 0; i < waits.n; ++i) {
      Wait w = {.arena = arena, .program = program, .op = waits.data[i]};
      w.decl = tt_cb_decl(program, mlirOperationGetOperand(w.op, 0));
      if (tt_constant(mlirOperationGetOperand(w.op, 1), &w.pages)) move_wait(&w);
    }
    tt_erase_dead(kernels.data[k]);
  }
  return true;
}

bool tt_run_wait_late(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, wait_in_program);
}
