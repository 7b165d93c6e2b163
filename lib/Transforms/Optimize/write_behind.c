/*===- write_behind.c - --tt-write-behind -------------------------------------------------------===
 *
 * Has a writer that also brings operands bring those of the next unit before it writes the results
 * of a unit.
 *
 *   before  for %unit < %count {
 *             %tid = %start_id + %unit
 *             … cb_push_back %a, 16 …                              (brings operands of %tid)
 *             cb_wait_front %c, 4; … noc_async_write_tile …; cb_pop_front %c, 4
 *           }
 *   after   for %unit < %count + 1 {
 *             if %unit < %count { %tid = %start_id + %unit; … cb_push_back %a, 16 … }
 *             if %unit != 0 {
 *               %tid = %start_id + (%unit - 1)
 *               cb_wait_front %c, 4; … noc_async_write_tile …; cb_pop_front %c, 4
 *             }
 *           }
 *
 * So compute goes on with the next unit while results of one leave (--tt-relay-operands,
 * --tt-use-both-movers). Legal where the circular buffers of results hold two blocks: compute packs
 * one while another one waits, and what is brought never waits for a write. Changes no result.
 *
 * Requires D3, before D4; behind all passes that look at how results are written.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Analysis/sharing.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Support/value_map.h"

#include <string.h>

static const char *const pass = "tt-write-behind";

enum { MOST_VALUES = 64 };

/* The loop over units of a writer. */
typedef struct Behind {
  TtArena *arena;
  MlirOperation program, kernel, loop;
  MlirOperation first; /* op of the loop that has to do with results, and all behind it */
  TtValueMap known;    /* values of the loop that were made again: numbers of `made` */
  MlirValue made[MOST_VALUES];
  int n;
  const char *reason; /* why results do not wait for what the next unit needs */
} Behind;

static TtAct act_of(MlirOperation op) { return tt_op_info(op)->does; }

/* Whether an op waits for results, or takes their address. */
static bool takes_results(const Behind *b, MlirOperation op) {
  if (act_of(op) != TT_ACT_WAIT && !metalium_get_read_ptr_isa(op)) return false;
  MlirOperation decl = tt_cb_decl(b->program, mlirOperationGetOperand(op, 0));
  return !mlirOperationIsNull(decl) && tt_circular_buffer_role(decl) == TT_CB_ROLE_OUTPUT;
}

/* Whether the circular buffer of results that an op takes has room for another block. */
static bool has_room(const Behind *b, MlirOperation op) {
  MlirOperation decl = tt_cb_decl(b->program, mlirOperationGetOperand(op, 0));
  MlirType type = mlirTypeAttrGetValue(tt_circular_buffer_type(decl));
  return tt_int(tt_circular_buffer_pages(decl)) >= 2 * tt_cb_tiles(type);
}

static bool is_loop_of_units(MlirOperation loop) {
  int64_t lower, step;
  MlirOperation count = tt_defining_op(mlirOperationGetOperand(loop, 1));
  return tt_constant(mlirOperationGetOperand(loop, 0), &lower) && lower == 0 &&
         tt_constant(mlirOperationGetOperand(loop, 2), &step) && step == 1 &&
         mlirOperationGetNumResults(loop) == 0 && tt_runtime_arg_isa(count) &&
         tt_str_eq(tt_string(tt_runtime_arg_name(count)), "count");
}

static bool is_of_loop(const Behind *b, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  return !mlirOperationIsNull(op) && tt_op_eq(tt_parent(op), b->loop);
}

/* Whether a value is made in the loop before the results. */
static bool is_from_before(const Behind *b, MlirValue value) {
  return is_of_loop(b, value) && tt_is_before(tt_defining_op(value), b->first);
}

/* Whether a value is arithmetic on what is known outside of the loop, and the unit. */
static bool is_arithmetic(const Behind *b, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (!is_of_loop(b, value)) return true;
  if (!tt_is_index_op(op) && !metalium_get_tile_size_isa(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_arithmetic(b, mlirOperationGetOperand(op, i))) return false;
  return true;
}

/* Whether an op behind the first of results fills nothing, and takes of what is before it
 * arithmetic alone. */
static bool only_writes(const Behind *b, MlirOperation op) {
  if (act_of(op) == TT_ACT_PUSH || act_of(op) == TT_ACT_RESERVE) return false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
    MlirValue value = mlirOperationGetOperand(op, k);
    if (is_from_before(b, value) && !is_arithmetic(b, value)) return false;
  }
  return true;
}

/* Finds where the results begin, behind what fills circular buffers. */
static bool find_halves(Behind *b) {
  bool brings = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(b->loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    TtOps inside = tt_collect(b->arena, op, NULL);
    for (intptr_t i = -1; i < inside.n; ++i) {
      MlirOperation in = i < 0 ? op : inside.data[i];
      bool result = takes_results(b, in);
      if (result && !has_room(b, in))
        b->reason = "a circular buffer of results has no room for two blocks";
      if (result && mlirOperationIsNull(b->first)) b->first = op, i = -1, in = op;
      if (mlirOperationIsNull(b->first)) brings |= act_of(in) == TT_ACT_PUSH;
      else if (!only_writes(b, in))
        b->reason = "what comes behind the first results does more than write them";
    }
  }
  return brings && !mlirOperationIsNull(b->first);
}

/*===- Two halves -----------------------------------------------------------------------------===*/

/* Arithmetic of the loop that `value` is made of, made again at `at` for unit `unit`. */
static MlirValue again(Behind *b, TtBuilder *at, MlirValue value, MlirValue unit) {
  MlirOperation op = tt_defining_op(value);
  int known = tt_value_map_get(&b->known, value);
  if (tt_value_eq(value, tt_for_iv(b->loop))) return unit;
  if (!is_of_loop(b, value)) return value;
  if (known >= 0) return b->made[known];
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, again(b, at, mlirOperationGetOperand(op, i), unit));
  MlirValue made = mlirOperationGetResult(tt_builder_insert(at, copy), 0);
  if (b->n < MOST_VALUES) {
    tt_value_map_set(b->arena, &b->known, value, b->n);
    b->made[b->n++] = made;
  }
  return made;
}

/* Has an op, and what is in it, take values of unit `unit`, which are made at `at`. */
static void take_again(Behind *b, MlirOperation op, TtBuilder *at, MlirValue unit) {
  TtOps inside = tt_collect(b->arena, op, NULL);
  for (intptr_t i = -1; i < inside.n; ++i) {
    MlirOperation in = i < 0 ? op : inside.data[i];
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(in); ++k) {
      MlirValue value = mlirOperationGetOperand(in, k);
      if (tt_value_eq(value, tt_for_iv(b->loop)) || is_from_before(b, value))
        mlirOperationSetOperand(in, k, again(b, at, value, unit));
    }
  }
}

static void split(Behind *b) {
  MlirLocation loc = mlirOperationGetLocation(b->loop);
  MlirBlock body = tt_for_body(b->loop);
  TtOps ops = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !tt_is_terminator(op); op = tt_next(op))
    tt_ops_add(b->arena, &ops, op);
  MlirValue unit = tt_for_iv(b->loop), count = mlirOperationGetOperand(b->loop, 1);
  TtBuilder before = tt_builder_before(b->loop), at = tt_builder_at_terminator(body);
  MlirOperation bring = tt_if(&at, loc, tt_less(&at, loc, unit, count)),
                write = tt_if(&at, loc, tt_ne(&at, loc, unit, tt_index(&at, loc, 0)));
  TtBuilder in = tt_builder_at_terminator(tt_body(write));
  MlirValue previous = tt_sub(&in, loc, unit, tt_index(&in, loc, 1));
  intptr_t first = 0;
  while (!tt_op_eq(ops.data[first], b->first)) ++first;
  for (intptr_t i = first; i < ops.n; ++i) take_again(b, ops.data[i], &in, previous);
  for (intptr_t i = first; i < ops.n; ++i)
    mlirOperationMoveBefore(ops.data[i], mlirBlockGetTerminator(tt_body(write)));
  for (intptr_t i = 0; i < first; ++i)
    mlirOperationMoveBefore(ops.data[i], mlirBlockGetTerminator(tt_body(bring)));
  mlirOperationSetOperand(b->loop, 1, tt_add(&before, loc, count, tt_index(&before, loc, 1)));
}

static bool has_several(const TtCoreTable *cores) {
  for (intptr_t n = 0; n < cores->num_names; ++n)
    for (int64_t c = 0; strcmp(cores->names[n], "count") == 0 && c < cores->n; ++c)
      if (cores->values[c * cores->num_names + n] > 1) return true;
  return false;
}

static bool write_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_WRITER);
  TtCoreTable cores;
  if (!tt_program_cores(arena, program, &cores) || !has_several(&cores)) return true;
  for (intptr_t i = 0; i < kernels.n; ++i) {
    TtOps loops = tt_collect(arena, kernels.data[i], "scf.for");
    for (intptr_t k = 0; k < loops.n; ++k) {
      Behind b = {.arena = arena, .program = program, .kernel = kernels.data[i]};
      b.loop = loops.data[k];
      if (!tt_op_eq(tt_parent(b.loop), b.kernel) || !is_loop_of_units(b.loop) || !find_halves(&b))
        continue;
      if (b.reason) {
        tt_remark(b.first, TT_REMARK_MISSED, pass,
                  "results leave before the next unit's operands are brought: %s", b.reason);
        continue;
      }
      tt_remark(b.first, TT_REMARK_PASSED, pass, "written when the next unit has what it needs");
      split(&b);
      break;
    }
    tt_erase_dead(kernels.data[i]);
  }
  return true;
}

bool tt_run_write_behind(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, write_in_program);
}
