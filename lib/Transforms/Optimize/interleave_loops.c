/*===- interleave_loops.c - --tt-interleave-loops -----------------------------------------------===
 *
 * Has two loops over the tiles of a block, of which the second takes what the first makes, take
 * turns in parts of the block.
 *
 *   before  for %j < 32 { mul_tiles_bcast_cols %d, %r, %j, 0, 0; …; cb_push_back %x, 1 }
 *           cb_pop_front %r, 1
 *           cb_wait_front %w, 32
 *           for %b < 8 { cb_wait_front %x, 4; mul_tiles_bcast_rows %x, %w, …; cb_push_back %y, 4 }
 *   after   for %turn < 4 {
 *             for %j < 8 { mul_tiles_bcast_cols %d, %r, %turn * 8 + %j, 0, 0; … }
 *             cb_wait_front %w, 32
 *             for %b < 2 { cb_wait_front %x, 4; mul_tiles_bcast_rows %x, %w, …; … }
 *           }
 *           cb_pop_front %r, 1
 *
 * So the first results leave the core after a part, and not after the whole first loop, while other
 * cores still compute. Done where they do leave, and each part has as many tiles as are worth the
 * engine's settings, which change twice a part, and DRAM takes longer for all cores' results than
 * they do. Legal where the second loop takes the pages in
 * which the first one publishes them, and neither touches what the other needs; what is freed
 * between them, and is the kernel's own, is freed behind them. Changes no result.
 *
 * Requires D3, after --tt-batch-tiles, before D4.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Analysis/sharing.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Target/schedule.h"
#include "Transforms/Optimize/op_clk.h"

static const char *const pass = "tt-interleave-loops";

enum { MOST_ROUNDS = 1 << 20 }; /* more tiles than L1 has bytes */

typedef struct Pair {
  TtArena *arena;
  MlirOperation program, kernel, first, second;
  int64_t rounds[2]; /* of the loops */
  MlirValue cb;      /* that takes tiles from the first to the second */
  int64_t tiles;     /* of them in all */
  int64_t pages[2];  /* that a round of each moves */
  int64_t rest;      /* of the first loop, whose tiles ops behind the second one take */
  TtOps between;     /* the ops between the loops */
  int64_t turn;      /* rounds of the second in a part */
} Pair;

static TtAct act_of(MlirOperation op) { return tt_op_info(op)->does; }

static MlirValue buffer_of(MlirOperation op) { return mlirOperationGetOperand(op, 0); }

static bool is_of(const Pair *p, MlirValue a, MlirValue b) {
  return tt_op_eq(tt_cb_decl(p->program, a), tt_cb_decl(p->program, b));
}

/* Whether the kernel makes for itself what is in it. Room for what others bring is given back as
 * soon as can be: they may bring what the second loop waits for behind that. */
static bool is_own(const Pair *p, MlirValue cb) {
  return tt_circular_buffer_role(tt_cb_decl(p->program, cb)) == TT_CB_ROLE_INTERMEDIATE;
}

/* The rounds of a loop from 0 in steps of 1; 0 where they are not known. */
static int64_t rounds_of(MlirOperation loop) {
  int64_t lower, upper, step;
  bool known = tt_op_is(loop, "scf.for") && mlirOperationGetNumResults(loop) == 0 &&
               tt_constant(mlirOperationGetOperand(loop, 0), &lower) && lower == 0 &&
               tt_constant(mlirOperationGetOperand(loop, 1), &upper) &&
               tt_constant(mlirOperationGetOperand(loop, 2), &step) && step == 1;
  return known && upper <= MOST_ROUNDS ? upper : 0;
}

/* How many pages an op moves; 0 where that is not known, or no number of pages. */
static int64_t pages_of(MlirOperation op) {
  int64_t pages;
  bool known = tt_constant(mlirOperationGetOperand(op, 1), &pages);
  return known && pages > 0 && pages <= MOST_ROUNDS ? pages : 0;
}

/* The op of a loop's body that does this; null if there is none, or more than one, or one deeper
 * inside. */
static MlirOperation only(const Pair *p, MlirOperation loop, TtAct does, MlirValue cb) {
  TtOps inside = tt_collect(p->arena, loop, NULL);
  MlirOperation found = {NULL};
  for (intptr_t i = 0; i < inside.n; ++i) {
    MlirOperation op = inside.data[i];
    if (act_of(op) != does || (!tt_is_null_value(cb) && !is_of(p, buffer_of(op), cb))) continue;
    if (!mlirOperationIsNull(found) || !tt_op_eq(tt_parent(op), loop)) return (MlirOperation){NULL};
    found = op;
  }
  return found;
}

/* Whether a loop moves or reads pages of a circular buffer. */
static bool touches(const Pair *p, MlirOperation loop, MlirValue cb) {
  TtOps inside = tt_collect(p->arena, loop, NULL);
  for (intptr_t i = 0; i < inside.n; ++i) {
    MlirOperation op = inside.data[i];
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      if (is_of(p, mlirOperationGetOperand(op, k), cb)) return true;
  }
  return false;
}

/*===- Which loops ---------------------------------------------------------------------------===*/

/* The first loop publishes one buffer, a page or some each round. */
static bool read_first(Pair *p) {
  MlirOperation push = only(p, p->first, TT_ACT_PUSH, (MlirValue){NULL});
  p->rounds[0] = rounds_of(p->first);
  if (p->rounds[0] < 2 || mlirOperationIsNull(push) || (p->pages[0] = pages_of(push)) == 0)
    return false;
  TtOps inside = tt_collect(p->arena, p->first, NULL);
  for (intptr_t i = 0; i < inside.n; ++i)
    if (act_of(inside.data[i]) == TT_ACT_POP && !is_own(p, buffer_of(inside.data[i]))) return false;
  p->cb = buffer_of(push), p->tiles = p->rounds[0] * p->pages[0];
  return true;
}

/* The loop behind it, and what stands between: waits, which the first loop need not wait for, and
 * pops of what is the kernel's own. */
static bool find_second(Pair *p) {
  p->between.n = 0;
  for (MlirOperation op = tt_next(p->first); !tt_is_terminator(op); op = tt_next(op)) {
    if (tt_op_is(op, "scf.for")) return p->second = op, true;
    bool waits = act_of(op) == TT_ACT_WAIT && !is_of(p, buffer_of(op), p->cb),
         frees = act_of(op) == TT_ACT_POP && is_own(p, buffer_of(op));
    if (!waits && !frees && !tt_is_index_op(op) && !metalium_comment_isa(op)) return false;
    tt_ops_add(p->arena, &p->between, op);
  }
  return false;
}

/* The second loop takes as many pages each round as it frees, all of them in the end, or all but
 * those of a last batch. */
static bool takes_all(Pair *p) {
  MlirOperation wait = only(p, p->second, TT_ACT_WAIT, p->cb),
                pop = only(p, p->second, TT_ACT_POP, p->cb);
  p->rounds[1] = rounds_of(p->second);
  if (p->rounds[1] < 2 || mlirOperationIsNull(wait) || mlirOperationIsNull(pop)) return false;
  p->pages[1] = pages_of(pop);
  if (p->pages[1] == 0 || pages_of(wait) != p->pages[1]) return false;
  int64_t left = p->tiles - p->rounds[1] * p->pages[1];
  p->rest = left / p->pages[0];
  return left >= 0 && left < p->pages[1] && left % p->pages[0] == 0;
}

/* Neither moves pages that the other one, or what stands between them, has to do with. */
static bool are_apart(const Pair *p) {
  MlirOperation loops[] = {p->first, p->second};
  for (int l = 0; l < 2; ++l) {
    TtOps inside = tt_collect(p->arena, loops[l], NULL);
    for (intptr_t i = 0; i < inside.n; ++i) {
      TtAct does = act_of(inside.data[i]);
      bool moves = does == TT_ACT_PUSH || does == TT_ACT_POP || does == TT_ACT_RESERVE;
      if (moves && !is_of(p, buffer_of(inside.data[i]), p->cb) &&
          touches(p, loops[1 - l], buffer_of(inside.data[i])))
        return false;
    }
  }
  for (intptr_t i = 0; i < p->between.n; ++i) {
    MlirOperation op = p->between.data[i];
    bool apart = act_of(op) == TT_ACT_POP    ? !touches(p, p->second, buffer_of(op))
                 : act_of(op) == TT_ACT_WAIT ? !touches(p, p->first, buffer_of(op))
                                             : true;
    if (!apart) return false;
  }
  return true;
}

/* Whether what the second loop makes leaves the core. */
static bool leaves(const Pair *p) {
  MlirOperation push = only(p, p->second, TT_ACT_PUSH, (MlirValue){NULL});
  return !mlirOperationIsNull(push) &&
         tt_circular_buffer_role(tt_cb_decl(p->program, buffer_of(push))) == TT_CB_ROLE_OUTPUT;
}

/* Whether results of all cores take DRAM twice as long as they take the second loop: then it counts
 * when the first ones leave. Else the engine's settings would only be changed more often. */
static bool waits_for_writes(const Pair *p) {
  MlirOperation push = only(p, p->second, TT_ACT_PUSH, (MlirValue){NULL}),
                cb = tt_cb_decl(p->program, buffer_of(push));
  TtCoreTable cores;
  int64_t pages = pages_of(push);
  if (pages == 0 || !tt_program_cores(p->arena, p->program, &cores)) return false;
  const TtChip *chip = tt_target_of(p->program).chip;
  double bytes = (double)(cores.n * p->rounds[1]) * (double)pages *
                 (double)tt_int(tt_circular_buffer_page_bytes(cb)),
         rate = (double)(chip->bank_bytes_per_clk * chip->dram_banks);
  return bytes / rate > 2 * tt_op_clk(p->program, p->second);
}

/* Rounds of the second loop in a part. The last part is what is left, half of another at least:
 * for less, the engine is not set twice more. */
static int64_t choose_rounds(const Pair *p) {
  for (int64_t parts = (p->tiles + TT_LEAST_TURN / 2) / TT_LEAST_TURN; parts > 1; --parts) {
    int64_t rounds = (p->rounds[1] + parts - 1) / parts, last = p->rounds[1] % rounds;
    if (rounds * p->pages[1] % p->pages[0] == 0 && (last == 0 || 2 * last >= rounds)) return rounds;
  }
  return p->rounds[1];
}

/*===- Turns ---------------------------------------------------------------------------------===*/

/* Puts a loop, shortened to a part of so many rounds, at the end of the turn. */
static void shorten(MlirOperation loop, int64_t all, int64_t rounds, MlirValue turn,
                    MlirOperation end) {
  MlirLocation loc = mlirOperationGetLocation(loop);
  mlirOperationMoveBefore(loop, end);
  TtBuilder before = tt_builder_before(loop);
  MlirValue part = tt_index(&before, loc, rounds), start = tt_mul(&before, loc, turn, part);
  if (all % rounds != 0)
    part = tt_min(&before, loc, part, tt_sub(&before, loc, tt_index(&before, loc, all), start));
  mlirOperationSetOperand(loop, 1, part);
  TtBuilder inside = tt_builder_before(mlirBlockGetFirstOperation(tt_for_body(loop)));
  MlirValue round = tt_add(&inside, loc, start, tt_for_iv(loop));
  MlirOperation sum = mlirOpResultGetOwner(round);
  mlirValueReplaceAllUsesExcept(tt_for_iv(loop), round, 1, &sum);
}

/* The rounds of the first loop behind those of all turns, as a loop of their own. */
static void make_rest(const Pair *p, TtBuilder b) {
  MlirLocation loc = mlirOperationGetLocation(p->first);
  MlirOperation loop = tt_builder_insert(&b, mlirOperationClone(p->first));
  TtBuilder before = tt_builder_before(loop),
            inside = tt_builder_before(mlirBlockGetFirstOperation(tt_for_body(loop)));
  mlirOperationSetOperand(loop, 1, tt_index(&before, loc, p->rest));
  MlirValue round =
      tt_add(&inside, loc, tt_for_iv(loop), tt_index(&inside, loc, p->rounds[0] - p->rest));
  MlirOperation sum = mlirOpResultGetOwner(round);
  mlirValueReplaceAllUsesExcept(tt_for_iv(loop), round, 1, &sum);
}

/* The comment on the first loop, or null. */
static MlirOperation comment_on(const Pair *p) {
  MlirOperation found = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(p->first));
       !tt_op_eq(op, p->first); op = tt_next(op))
    if (metalium_comment_isa(op)) found = op;
    else if (!tt_is_index_op(op)) found = (MlirOperation){NULL};
  return found;
}

static void interleave(const Pair *p) {
  MlirLocation loc = mlirOperationGetLocation(p->second);
  MlirOperation comment = comment_on(p);
  for (intptr_t i = 0; i < p->between.n; ++i)
    if (tt_is_index_op(p->between.data[i])) mlirOperationMoveBefore(p->between.data[i], p->first);
  TtBuilder b = tt_builder_before(p->first);
  int64_t second = p->turn, first = second * p->pages[1] / p->pages[0],
          turns = (p->rounds[1] + second - 1) / second;
  MlirValue turn = tt_counted_loop(&b, loc, turns, "turn");
  if (p->rest > 0) make_rest(p, tt_builder_before(p->first)); /* behind the turns */
  MlirOperation end = mlirBlockGetTerminator(mlirBlockArgumentGetOwner(turn));
  if (!mlirOperationIsNull(comment)) mlirOperationMoveBefore(comment, end);
  shorten(p->first, p->rounds[0] - p->rest, first, turn, end);
  for (intptr_t i = 0; i < p->between.n; ++i) {
    MlirOperation op = p->between.data[i];
    if (act_of(op) == TT_ACT_WAIT || metalium_comment_isa(op)) mlirOperationMoveBefore(op, end);
  }
  shorten(p->second, p->rounds[1], second, turn, end);
}

static bool interleave_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps loops = tt_collect(arena, kernels.data[k], "scf.for");
    for (intptr_t i = 0; i < loops.n; ++i) {
      Pair p = {.arena = arena, .program = program, .kernel = kernels.data[k]};
      p.first = loops.data[i];
      if (!read_first(&p) || !find_second(&p) || !takes_all(&p) || !are_apart(&p) || !leaves(&p))
        continue;
      bool waits = waits_for_writes(&p);
      p.turn = waits ? choose_rounds(&p) : p.rounds[1];
      if (p.turn < p.rounds[1]) interleave(&p);
      if (p.turn < p.rounds[1])
        tt_remark(p.second, TT_REMARK_PASSED, pass,
                  "takes turns with the loop before it, %jd tiles each",
                  (intmax_t)(p.turn * p.pages[1]));
      else
        tt_remark(
            p.second, TT_REMARK_MISSED, pass,
            waits ? "its %jd tiles are too few for turns with the loop before it, or divide badly"
                  : "its %jd tiles leave as fast as they are made",
            (intmax_t)p.tiles);
    }
    tt_erase_dead(kernels.data[k]);
  }
  return true;
}

bool tt_run_interleave_loops(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, interleave_in_program);
}
