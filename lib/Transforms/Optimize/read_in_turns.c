/*===- read_in_turns.c - --tt-read-in-turns -----------------------------------------------------===
 *
 * Has lines of cores read one after the other, where each core reads all of a block before it
 * writes anything.
 *
 *   before  for %unit < %count {
 *             for %part < 4 { … reads …; noc_async_read_barrier; cb_push_back %a, 8 } }
 *   after   if %turn_waits { noc_semaphore_wait %turn, 1 }
 *           for %unit < %count {
 *             for %part < 4 {
 *               … reads …
 *               if %part == 2 && %unit == 0 && %turn_passes {
 *                 noc_semaphore_inc (the core below, %turn), 1 }
 *               noc_async_read_barrier; cb_push_back %a, 8 } }
 *
 * Cores that read at the same time are done at the same time, compute at the same time, and write
 * at the same time: DRAM does nothing between, and writes meet. In turns, the first cores compute
 * while others read, and write while others compute; what all of them read is there as soon as
 * before. As many lines read together as have ports for one and a half of DRAM's rate, or for twice
 * that rate where results of the first ones leave while others read, and take their part of it. The
 * next ones start while their last reads are on their way: enough to keep DRAM busy until then.
 *
 * Cores with several units, all as many, and room for them, read them in rounds: the last lines
 * pass the turn to the first ones. So the first units of all cores come before any second one:
 *
 *           for %unit < %count {
 *             if %unit + %turn_waits != 0 { noc_semaphore_wait %turn, %unit + %turn_waits }
 *             … if %part == 2 && %unit < %turn_passes { noc_semaphore_inc … } … }
 *
 * Legal anywhere: each core waits for one that does not wait for it. Done where nobody but DRAM
 * is asked for what is read, compute takes a block more than once, so that its results start after
 * all of it has been read, and reading takes long enough for the signals. Changes no result.
 *
 * Requires D3, after --tt-wait-as-needed, before D4.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/sharing.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Target/schedule.h"
#include "Transforms/Optimize/op_clk.h"
#include "Transforms/Protocol/given.h"

#include <math.h>

static const char *const pass = "tt-read-in-turns";

enum { WAITS, PASSES, NEXT_X, NEXT_Y, NUM_ARGS };
static const char *const arg_names[NUM_ARGS] = {"turn_waits", "turn_passes", "turn_next_x",
                                                "turn_next_y"};

typedef struct Turns {
  TtArena *arena;
  MlirOperation program, kernel;
  const TtChip *chip;
  TtCoreTable cores;
  MlirOperation units;   /* the loop of a core over its units */
  MlirOperation barrier; /* of the last reads in it */
  MlirOperation parts;   /* the loop of parts that it is in, or null */
  int64_t num_parts;
  int64_t width, together; /* cores in a line, and lines that read together */
  int64_t lines, full;     /* how many lines there are, and that are as wide as that, */
  int64_t last_width;      /* before those that have so many cores */
  int64_t rounds;          /* units of each core that take turns: all, or the first */
  double bytes;            /* that a core reads of a unit */
  double before;           /* clk from there to where most of its results begin */
} Turns;

/*===- The kernel that reads -----------------------------------------------------------------===*/

static bool is_in(MlirOperation op, MlirOperation ancestor) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (tt_op_eq(op, ancestor)) return true;
  return false;
}

/* The op of a block that another one is, or is in; null where it is elsewhere. */
static MlirOperation holder_in(MlirBlock block, MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (mlirBlockEqual(mlirOperationGetBlock(op), block)) return op;
  return op;
}

static bool counts_up(MlirOperation loop, int64_t *trips) {
  int64_t lower, step;
  return tt_op_is(loop, "scf.for") && tt_constant(mlirOperationGetOperand(loop, 0), &lower) &&
         lower == 0 && tt_constant(mlirOperationGetOperand(loop, 2), &step) && step == 1 &&
         (!trips || tt_constant(mlirOperationGetOperand(loop, 1), trips));
}

static bool speaks_to_others(const Turns *t) {
  return tt_collect(t->arena, t->kernel, "metalium.get_semaphore").n > 0;
}

/* The barrier of a read: the next one in the kernel's text. */
static MlirOperation barrier_after(const Turns *t, MlirOperation read) {
  TtOps all = tt_collect(t->arena, t->kernel, NULL);
  bool behind = false;
  for (intptr_t i = 0; i < all.n; ++i) {
    if (behind && metalium_noc_async_read_barrier_isa(all.data[i])) return all.data[i];
    behind |= tt_op_eq(all.data[i], read);
  }
  return (MlirOperation){NULL};
}

/* Whether whole tiles come to a circular buffer: parts of them take no time to speak of. */
static bool brings_tiles(const Turns *t, MlirOperation cb) {
  TtOps reads = tt_collect(t->arena, t->kernel, "metalium.noc_async_read_tile");
  for (intptr_t i = 0; i < reads.n; ++i) {
    MlirOperation at = tt_defining_op(metalium_noc_async_read_tile_addr(reads.data[i]));
    if (metalium_l1_offset_isa(at)) at = tt_defining_op(metalium_l1_offset_base(at));
    if (mlirOperationIsNull(at) || mlirOperationGetNumOperands(at) == 0 ||
        tt_op_eq(tt_cb_decl(t->program, mlirOperationGetOperand(at, 0)), cb))
      return true;
  }
  return false;
}

static bool find_reads(Turns *t) {
  TtOps reads = tt_collect(t->arena, t->kernel, "metalium.noc_async_read_tile"),
        barriers = tt_collect(t->arena, t->kernel, "metalium.noc_async_read_barrier");
  if (reads.n == 0 || barriers.n == 0) return false;
  t->barrier = barrier_after(t, reads.data[reads.n - 1]);
  if (mlirOperationIsNull(t->barrier)) return false;
  t->units = holder_in(tt_body(t->kernel), t->barrier);
  if (!counts_up(t->units, NULL)) return false;
  for (intptr_t i = 0; i < reads.n; ++i)
    if (!is_in(reads.data[i], t->units)) return false;
  MlirOperation parent = mlirOperationGetParentOperation(t->barrier);
  if (tt_op_eq(parent, t->units)) return true;
  t->parts = parent;
  return counts_up(parent, &t->num_parts) &&
         tt_op_eq(mlirOperationGetParentOperation(parent), t->units);
}

/*===- The kernel that computes --------------------------------------------------------------===*/

/* The first op of a kernel of this kind on a circular buffer; how many there are. */
static MlirOperation first_on(const Turns *t, MlirOperation kernel, TtAct does, MlirOperation cb,
                              int *n) {
  TtOps all = tt_collect(t->arena, kernel, NULL);
  MlirOperation first = {NULL};
  *n = 0;
  for (intptr_t i = 0; i < all.n; ++i) {
    if (tt_op_info(all.data[i])->does != does || mlirOperationGetNumOperands(all.data[i]) == 0 ||
        !tt_op_eq(tt_cb_decl(t->program, mlirOperationGetOperand(all.data[i], 0)), cb))
      continue;
    if ((*n)++ == 0) first = all.data[i];
  }
  return first;
}

static bool is_before(MlirOperation op, MlirOperation other) {
  for (op = tt_next(op); !mlirOperationIsNull(op); op = tt_next(op))
    if (tt_op_eq(op, other)) return true;
  return false;
}

static int64_t bytes_of_block(MlirOperation cb) {
  return tt_cb_tiles(mlirTypeAttrGetValue(tt_circular_buffer_type(cb))) *
         tt_int(tt_circular_buffer_page_bytes(cb));
}

/* The least of what leaves a core comes after a whole block of `cb` has been waited for. */
static bool leaves_after(Turns *t, MlirOperation compute, MlirOperation cb) {
  int waits, pops, n;
  MlirOperation wait = first_on(t, compute, TT_ACT_WAIT, cb, &waits),
                pop = first_on(t, compute, TT_ACT_POP, cb, &pops);
  int64_t tiles;
  if (waits == 0 || pops != 1 || !tt_constant(mlirOperationGetOperand(pop, 1), &tiles) ||
      tiles < TT_LEAST_PART)
    return false;
  MlirOperation units = mlirOperationGetParentOperation(pop);
  if (!tt_op_is(units, "scf.for") || !tt_op_eq(mlirOperationGetParentOperation(units), compute))
    return false;
  MlirBlock body = tt_for_body(units);
  MlirOperation taken = holder_in(body, wait);
  if (mlirOperationIsNull(taken)) return false;
  bool any = false;
  int64_t most = 0;
  TtOps cbs = tt_collect(t->arena, t->program, "tt.circular_buffer");
  TtOps movers = tt_program_kernels(t->arena, t->program);
  for (intptr_t i = 0; i < cbs.n; ++i)
    for (intptr_t k = 0; k < movers.n; ++k) {
      if (tt_role_of(movers.data[k]) == TT_KERNEL_ROLE_COMPUTE) continue;
      first_on(t, movers.data[k], TT_ACT_POP, cbs.data[i], &n);
      if (n == 0) continue;
      MlirOperation push = first_on(t, compute, TT_ACT_PUSH, cbs.data[i], &n);
      MlirOperation left = n ? holder_in(body, push) : push;
      if (mlirOperationIsNull(left)) continue;
      if (!is_before(taken, left)) return false;
      if (bytes_of_block(cbs.data[i]) > most) {
        most = bytes_of_block(cbs.data[i]), t->before = 0;
        for (MlirOperation op = tt_next(taken); !tt_op_eq(op, left); op = tt_next(op))
          t->before += tt_op_clk(t->program, op);
      }
      any = true;
    }
  return any;
}

static bool waits_for_blocks(Turns *t) {
  TtOps computes = tt_program_kernels_of(t->arena, t->program, TT_KERNEL_ROLE_COMPUTE),
        cbs = tt_collect(t->arena, t->program, "tt.circular_buffer");
  if (computes.n != 1) return false;
  bool any = false;
  for (intptr_t i = 0; i < cbs.n; ++i) {
    int pushes, pops;
    int64_t tiles = 0;
    first_on(t, t->kernel, TT_ACT_PUSH, cbs.data[i], &pushes);
    if (pushes == 0 || !brings_tiles(t, cbs.data[i])) continue;
    if (!leaves_after(t, computes.data[0], cbs.data[i])) return false;
    MlirOperation pop = first_on(t, computes.data[0], TT_ACT_POP, cbs.data[i], &pops);
    tt_constant(mlirOperationGetOperand(pop, 1), &tiles);
    t->bytes += (double)tiles * (double)tt_int(tt_circular_buffer_page_bytes(cbs.data[i]));
    any = true;
  }
  return any;
}

/*===- Who is next ---------------------------------------------------------------------------===*/

/* How many cores line `y` has, if these are its first ones; else -1. */
static int64_t width_of_line(const Turns *t, int64_t y) {
  int64_t width = 0, most = -1;
  for (int64_t i = 0; i < t->cores.n; ++i) {
    if (t->cores.cores[i].y != y) continue;
    ++width;
    if (t->cores.cores[i].x > most) most = t->cores.cores[i].x;
  }
  return most + 1 == width ? width : -1;
}

/* The cores are those from the start of the first lines on, of which the last ones may be shorter,
 * all as much. */
static bool are_lines(Turns *t) {
  t->width = t->last_width = width_of_line(t, 0);
  for (int64_t n = 0; n < t->cores.n; n += t->last_width) {
    int64_t width = width_of_line(t, t->lines);
    if (width <= 0 || width > t->width || (width != t->last_width && t->full != t->lines))
      return false;
    t->last_width = width, t->full += width == t->width;
    ++t->lines;
  }
  return t->lines > 0;
}

static double dram_rate(const Turns *t) {
  return (double)(t->chip->bank_bytes_per_clk * t->chip->dram_banks);
}

/* Lines that have ports for so many times DRAM's rate. */
static int64_t lines_with_ports(const Turns *t, double times) {
  double port = (double)(t->chip->noc_bytes_per_clk * (uint64_t)t->width);
  return (int64_t)(times * dram_rate(t) / port) + 1;
}

/* From the end of a line's turn to the first read of the next one. */
static double signal_clk(const Turns *t) {
  const TtChip *chip = t->chip;
  return (double)(chip->write_latency + chip->write_hop * chip->grid_y +
                  chip->read_latency[TT_READ_OTHER] + TT_CALLS_OF_TURN * chip->call);
}

/* Parts that a core has read when it passes its turn on, and waited for each by itself. */
static int64_t parts_before(const Turns *t) {
  int64_t parts = mlirOperationIsNull(t->parts) ? 1 : t->num_parts;
  return parts > 2 ? parts - 2 : parts - 1;
}

/* Lines whose last reads, which are on their way when the turn is passed on, are as long as what
 * DRAM would stand still for: the latency of each part before them, and the way of the turn. */
static int64_t lines_with_reads(const Turns *t) {
  int64_t before = parts_before(t), parts = mlirOperationIsNull(t->parts) ? 1 : t->num_parts;
  double still = signal_clk(t) + (double)(before * (int64_t)t->chip->read_latency[TT_READ_OTHER]),
         last = t->bytes * (double)t->width * (double)(parts - before) / (double)parts;
  return (int64_t)ceil(still * dram_rate(t) / last);
}

/* Lines with ports for half as much again as DRAM gives; for twice that where the first ones have
 * results before three quarters of all rows are read, so that writes take a part of its rate. */
static int64_t lines_together(const Turns *t) {
  int64_t lines = lines_with_ports(t, 1.5), with_reads = lines_with_reads(t);
  double all = t->bytes * (double)t->cores.n / dram_rate(t),
         first = all * (double)lines / (double)t->lines;
  if (first + t->before < 0.75 * all) lines = lines_with_ports(t, 2);
  return lines > with_reads ? lines : with_reads;
}

/* Why turns are not taken; NULL where they are. */
static const char *why_not(Turns *t) {
  if (!are_lines(t)) return "its cores are not lines of the grid";
  t->together = lines_together(t);
  if (t->lines <= t->together) return "the ports of its cores take no more than DRAM gives";
  int64_t turns = (t->lines + t->together - 1) / t->together;
  if (t->bytes * (double)t->cores.n / dram_rate(t) < 2 * (double)turns * signal_clk(t))
    return "it reads too little for the signals";
  if (tt_collect(t->arena, t->program, "tt.semaphore").n + 1 > TT_MAX_SEMAPHORES)
    return "no semaphores are left";
  return NULL;
}

/* The units of each core where all have as many, and more than one, and L1 has room for them: then
 * nobody who has the turn waits for what it computed of the unit before. Else 1. */
static int64_t rounds_of(const Turns *t) {
  MlirOperation count = tt_defining_op(mlirOperationGetOperand(t->units, 1));
  intptr_t column = tt_runtime_arg_isa(count)
                        ? tt_core_table_column(&t->cores, tt_string(tt_runtime_arg_name(count)))
                        : -1;
  if (column < 0 || t->cores.n == 0) return 1;
  int64_t units = t->cores.values[column];
  for (int64_t i = 1; i < t->cores.n; ++i)
    if (t->cores.values[i * t->cores.num_names + column] != units) return 1;
  TtOps cbs = tt_collect(t->arena, t->program, "tt.circular_buffer"),
        computes = tt_program_kernels_of(t->arena, t->program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < cbs.n; ++i) {
    int n;
    int64_t tiles = 0;
    first_on(t, t->kernel, TT_ACT_PUSH, cbs.data[i], &n);
    if (n == 0) continue;
    MlirOperation pop = first_on(t, computes.data[0], TT_ACT_POP, cbs.data[i], &n);
    if (mlirOperationIsNull(pop) || !tt_constant(mlirOperationGetOperand(pop, 1), &tiles) ||
        tt_int(tt_circular_buffer_pages(cbs.data[i])) < units * tiles)
      return 1;
  }
  return units;
}

/* Cores count the turns that they have had: the first lines have their first one at once, and
 * those after it from the last lines. */
static void give_turns(Turns *t, MlirLocation loc) {
  MlirOperation op = tt_program_core_args(t->program);
  TtBuilder b = tt_builder_before(mlirBlockGetTerminator(tt_body(op)));
  MlirValue x = mlirBlockGetArgument(tt_body(op), 0), y = mlirBlockGetArgument(tt_body(op), 1),
            below = tt_add(&b, loc, y, tt_index(&b, loc, t->together)),
            is_there = tt_less(&b, loc, below, tt_index(&b, loc, t->lines)),
            first = tt_less(&b, loc, y, tt_index(&b, loc, t->together)), values[NUM_ARGS];
  if (t->full < t->lines)
    is_there = tt_and(&b, loc, is_there,
                      tt_or(&b, loc, tt_less(&b, loc, below, tt_index(&b, loc, t->full)),
                            tt_less(&b, loc, x, tt_index(&b, loc, t->last_width))));
  tt_name_hint(tt_defining_op(below), "next_y");
  tt_name_hint(tt_defining_op(is_there), "has_next");
  values[WAITS] = tt_select(&b, loc, first, tt_index(&b, loc, 0), tt_index(&b, loc, 1));
  values[PASSES] = t->rounds == 1 ? tt_flag_of(&b, loc, is_there)
                                  : tt_select(&b, loc, is_there, tt_index(&b, loc, t->rounds),
                                              tt_index(&b, loc, t->rounds - 1));
  MlirValue after = t->rounds == 1 ? y : tt_rem(&b, loc, y, tt_index(&b, loc, t->together));
  MlirOperation next =
      tt_worker_core_create(&b, loc, x, tt_select(&b, loc, is_there, below, after));
  for (int i = 0; i < 2; ++i) values[NEXT_X + i] = mlirOperationGetResult(next, i);
  tt_give_cores(t->arena, t->program, NUM_ARGS, arg_names, values);
}

/* Whether a core may have more than one unit. */
static bool has_more_units(const Turns *t) {
  MlirOperation count = tt_defining_op(mlirOperationGetOperand(t->units, 1));
  intptr_t column = tt_runtime_arg_isa(count)
                        ? tt_core_table_column(&t->cores, tt_string(tt_runtime_arg_name(count)))
                        : -1;
  for (int64_t i = 0; column >= 0 && i < t->cores.n; ++i)
    if (t->cores.values[i * t->cores.num_names + column] > 1) return true;
  return column < 0;
}

/* After the last reads but one part, the next line may start. */
static void pass_on(const Turns *t, MlirLocation loc, const MlirValue args[NUM_ARGS],
                    MlirValue turn) {
  TtBuilder b = tt_builder_before(t->barrier);
  MlirValue condition = t->rounds > 1 ? tt_less(&b, loc, tt_for_iv(t->units), args[PASSES])
                                      : tt_ne(&b, loc, args[PASSES], tt_index(&b, loc, 0));
  if (t->rounds == 1 && has_more_units(t))
    condition =
        tt_and(&b, loc, tt_equal(&b, loc, tt_for_iv(t->units), tt_index(&b, loc, 0)), condition);
  if (!mlirOperationIsNull(t->parts)) {
    MlirValue part = tt_index(&b, loc, parts_before(t));
    condition = tt_and(&b, loc, tt_equal(&b, loc, tt_for_iv(t->parts), part), condition);
  }
  TtBuilder in = tt_builder_at_terminator(tt_body(tt_if(&b, loc, condition)));
  MlirOperation next = metalium_get_noc_addr_create(&in, loc, args[NEXT_X], args[NEXT_Y], turn);
  metalium_noc_semaphore_inc_create(&in, loc, mlirOperationGetResult(next, 0),
                                    tt_index(&in, loc, 1));
}

static void take_turns(Turns *t) {
  MlirLocation loc = mlirOperationGetLocation(t->units);
  give_turns(t, loc);
  TtBuilder top = tt_top_of_kernel(t->kernel), b = tt_builder_before(t->units);
  MlirValue args[NUM_ARGS];
  for (int i = 0; i < NUM_ARGS; ++i) args[i] = tt_take_given(&top, loc, arg_names[i]);
  MlirValue turn = tt_add_semaphore(t->program, t->kernel, &top, loc, "turn");
  if (t->rounds > 1) b = tt_builder_at_start(tt_for_body(t->units));
  MlirValue had = args[WAITS];
  if (t->rounds > 1) had = tt_add(&b, loc, tt_for_iv(t->units), had);
  TtBuilder in =
      tt_builder_at_terminator(tt_body(tt_if(&b, loc, tt_ne(&b, loc, had, tt_index(&b, loc, 0)))));
  if (t->rounds == 1) had = tt_index(&in, loc, 1);
  metalium_noc_semaphore_wait_create(&in, loc, turn, had);
  pass_on(t, loc, args, turn);
}

static bool turns_in_program(TtArena *arena, MlirOperation program) {
  TtOps readers = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_READER);
  if (readers.n != 1) return true;
  Turns t = {.arena = arena,
             .program = program,
             .kernel = readers.data[0],
             .chip = tt_target_of(program).chip};
  if (!tt_program_cores(arena, program, &t.cores) || speaks_to_others(&t) || !find_reads(&t) ||
      !waits_for_blocks(&t))
    return true;
  const char *reason = why_not(&t);
  if (reason) {
    tt_remark(t.units, TT_REMARK_MISSED, pass, "cores read at the same time: %s", reason);
    return true;
  }
  t.rounds = rounds_of(&t);
  tt_remark(t.units, TT_REMARK_PASSED, pass, "cores read in turns, %jd x %jd together",
            (intmax_t)t.width, (intmax_t)t.together);
  take_turns(&t);
  return true;
}

bool tt_run_read_in_turns(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, turns_in_program);
}
