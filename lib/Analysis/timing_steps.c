/*===- timing_steps.c - what a core does, step by step ------------------------------------------===
 *
 * Runs the kernels of one core without data: control flow does not depend on any, so that each
 * processor's list of events follows from the text and from what the host gives the core.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/compute_config.h"
#include "Analysis/shards.h"
#include "Analysis/timing.h"
#include "Analysis/timing_values.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Support/value_map.h"
#include "Target/costs.h"

#include <stdio.h>
#include <string.h>

enum { MAX_EVENTS = 1 << 21 };

/*===- Events -------------------------------------------------------------------------------===*/

static bool add(TtStepsOfCore *s, TtEvents *list, TtEvent event) {
  if (list->n == list->capacity) {
    if (list->n >= MAX_EVENTS) return false;
    list->capacity = list->capacity ? 2 * list->capacity : 256;
    TtEvent *data = tt_arena_alloc(s->arena, list->capacity * sizeof *data);
    if (list->n) memcpy(data, list->data, list->n * sizeof *data);
    list->data = data;
  }
  list->data[list->n++] = event;
  return true;
}

static bool work(TtStepsOfCore *s, int list, uint32_t clk) {
  return add(s, &s->out->lists[list], (TtEvent){.kind = TT_EVENT_WORK, .n = clk});
}

static int cb_of(const TtStepsOfCore *s, MlirValue cb) {
  MlirOperation decl = tt_cb_decl(s->program, cb);
  for (intptr_t i = 0; i < s->cbs.n; ++i)
    if (tt_op_eq(s->cbs.data[i], decl)) return (int)i;
  return 0;
}

static uint32_t page_bytes(const TtStepsOfCore *s, MlirValue cb) {
  return (uint32_t)tt_int(tt_circular_buffer_page_bytes(tt_cb_decl(s->program, cb)));
}

static bool count_pages(TtStepsOfCore *s, MlirOperation op, TtEventKind kind) {
  int64_t n;
  if (!tt_steps_get(s, mlirOperationGetOperand(op, 1), &n)) return false;
  bool front = kind == TT_EVENT_WAIT || kind == TT_EVENT_POP;
  TtEvents *list = s->mover ? s->mover : &s->out->lists[front ? TT_UNPACK_EVENTS : TT_PACK_EVENTS];
  return add(s, list,
             (TtEvent){.kind = (uint8_t)kind,
                       .cb = (uint8_t)cb_of(s, mlirOperationGetOperand(op, 0)),
                       .n = (uint32_t)n});
}

/* The bytes of a page of the circular buffer that an address lies in. */
static uint32_t page_at(const TtStepsOfCore *s, MlirValue address) {
  MlirOperation op = tt_defining_op(address);
  while (metalium_l1_offset_isa(op)) op = tt_defining_op(metalium_l1_offset_base(op));
  return mlirOperationIsNull(op) || mlirOperationGetNumOperands(op) == 0
             ? 0
             : page_bytes(s, mlirOperationGetOperand(op, 0));
}

/* The banks of DRAM that a tensor is in; 0 where it is in L1. */
static int64_t banks_of(const TtStepsOfCore *s, MlirValue accessor) {
  MlirOperation op = tt_defining_op(accessor);
  char *name = tt_arena_str(s->arena, tt_string(metalium_tensor_accessor_name(op)));
  return tt_dram_banks_of(tt_named_attr(s->program, "buffer", name),
                          mlirValueGetType(metalium_tensor_accessor_tensor(op)),
                          tt_target_of(s->program));
}

/* A number that is known and at most the side of a tile. */
static bool get_side(const TtStepsOfCore *s, MlirValue value, int64_t *n) {
  return tt_steps_get(s, value, n) && *n >= 0 && *n <= TT_TILE;
}

/* Rows of faces of a tile, each face's by itself. False where they are not known. */
static bool read_part(TtStepsOfCore *s, MlirOperation op, TtEvent event, bool *ok) {
  int64_t row, col, rows, cols, face = TT_TILE / 2;
  int64_t unit = tt_int(metalium_noc_async_read_part_unit(op)),
          run = face * tt_int(metalium_noc_async_read_part_bytes(op));
  if (!get_side(s, mlirOperationGetOperand(op, 3), &row) ||
      !get_side(s, mlirOperationGetOperand(op, 4), &col) ||
      !get_side(s, mlirOperationGetOperand(op, 5), &rows) ||
      !get_side(s, mlirOperationGetOperand(op, 6), &cols) || unit < 1 || run < 1 || cols < 1)
    return false;
  for (int64_t r = row, next; *ok && r < row + rows; r = next) {
    next = r / face * face + face;
    if (next > row + rows) next = row + rows;
    event.n = (uint32_t)(((next - r) * run + unit - 1) / unit * unit);
    for (int64_t c = col / face; *ok && c <= (col + cols - 1) / face; ++c)
      *ok = add(s, s->mover, event);
  }
  return true;
}

static bool transfer(TtStepsOfCore *s, MlirOperation op) {
  bool part = metalium_noc_async_read_part_isa(op), run = metalium_noc_async_read_run_isa(op),
       read = part || run || metalium_noc_async_read_tile_isa(op), ok = true;
  MlirValue accessor = mlirOperationGetOperand(op, 1), address = mlirOperationGetOperand(op, 2);
  int64_t banks = banks_of(s, accessor);
  TtEvent event = {.kind = read ? TT_EVENT_READ : TT_EVENT_WRITE,
                   .dram = banks > 0,
                   .banks = (uint8_t)banks,
                   .cores = (uint16_t)s->cores,
                   .n = page_at(s, address)};
  if (part && read_part(s, op, event, &ok)) return ok;
  if (run) event.n = (uint32_t)(TT_TILE / 2 * tt_int(metalium_noc_async_read_run_bytes(op)));
  return add(s, s->mover, event);
}

static bool send(TtStepsOfCore *s, MlirOperation op, TtEventKind kind) {
  int64_t bytes = 0;
  if (mlirOperationGetNumOperands(op) > 2) tt_steps_get(s, mlirOperationGetOperand(op, 2), &bytes);
  return add(s, s->mover, (TtEvent){.kind = (uint8_t)kind, .n = (uint32_t)bytes});
}

/*===- The engine ---------------------------------------------------------------------------===*/

static TtMath math_of(MlirOperation op) {
  char name[64] = "";
  MlirStringRef full = mlirIdentifierStr(mlirOperationGetName(op));
  snprintf(name, sizeof name, "%.*s", (int)full.length, full.data);
  bool mul = strstr(name, ".mul_") != NULL;
  if (strstr(name, "matmul_block")) return TT_MATH_matmul_block;
  if (strstr(name, "matmul")) return TT_MATH_matmul;
  if (metalium_reduce_tile_isa(op))
    return tt_reduce_is_row(metalium_reduce_tile_op(op)) ? TT_MATH_reduce_row : TT_MATH_reduce_col;
  if (metalium_binary_dest_reuse_tiles_isa(op)) return TT_MATH_reuse_mul;
  if (metalium_transpose_wh_tile_isa(op)) return TT_MATH_transpose;
  if (metalium_copy_tile_isa(op)) return TT_MATH_copy;
  if (strstr(name, "bcast_cols")) return mul ? TT_MATH_mul_bcast_col : TT_MATH_add_bcast_col;
  return mul ? TT_MATH_mul : TT_MATH_add;
}

/* Of bytes of two operands, or of one alone. */
static bool fill_and_take(TtStepsOfCore *s, uint32_t a, uint32_t b, uint32_t clk, bool in_block) {
  uint32_t fill = tt_moved_clk(s->chip, s->costs, (uint64_t)a + b, !a || !b);
  if (!in_block) fill += s->costs->step[TT_COST_unpack_start];
  s->out->matrix += clk;
  return add(s, &s->out->lists[TT_UNPACK_EVENTS],
             (TtEvent){.kind = TT_EVENT_FILL, .in_block = in_block, .n = fill}) &&
         add(s, &s->out->lists[TT_MATH_EVENTS], (TtEvent){.kind = TT_EVENT_TAKE, .n = clk});
}

/* Tiles of a row behind each other; a face of a tile with the scale stays. */
static bool row_maxima(TtStepsOfCore *s, MlirOperation op, const uint32_t bytes[2]) {
  int64_t ct = tt_int(metalium_reduce_block_max_row_ct(op));
  for (int64_t i = 0; i < ct; ++i)
    if (!fill_and_take(s, bytes[0], i == 0 ? bytes[1] : 0, tt_block_max_clk(s->costs, i + 1 == ct),
                       i > 0))
      return false;
  return true;
}

static bool tile_math(TtStepsOfCore *s, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  bool block = metalium_reduce_block_max_row_isa(op);
  uint32_t bytes[2] = {0, 0};
  for (int i = 0; i < info->num_reads; ++i) bytes[i] = page_bytes(s, tt_op_reads(op, i));
  if (block || metalium_reduce_tile_isa(op)) bytes[1] /= 4; /* a face of the tile has the scale */
  if (block) return row_maxima(s, op, bytes);
  TtMath math = math_of(op);
  int phases =
      metalium_reduce_tile_isa(op) && tt_reduce_is_max(metalium_reduce_tile_op(op)) ? 1 : s->phases;
  uint32_t clk = tt_math_clk(s->costs, math, phases);
  if (!metalium_matmul_block_isa(op)) return fill_and_take(s, bytes[0], bytes[1], clk, false);
  int64_t ct = tt_int(metalium_matmul_block_ct(op)), rt = tt_int(metalium_matmul_block_rt(op));
  for (int64_t r = 0; r < rt; ++r)
    for (int64_t c = 0; c < ct; ++c) {
      bool keeps_a = ct >= rt && c > 0, keeps_b = ct < rt && r > 0;
      if (!fill_and_take(s, keeps_a ? 0 : bytes[0], keeps_b ? 0 : bytes[1], clk, r + c > 0))
        return false;
    }
  return true;
}

static bool vector(TtStepsOfCore *s, MlirOperation op) {
  uint32_t clk = tt_sfpu_clk(s->costs, (int)tt_int(tt_op_attr(op, "op")), s->wide);
  s->out->vector += clk;
  return work(s, TT_MATH_EVENTS, clk);
}

static bool compute_step(TtStepsOfCore *s, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  const uint32_t *step = s->costs->step;
  TtEvents *lists = s->out->lists;
  switch (info->does) {
  case TT_ACT_MATH: return info->unit == TT_UNIT_SFPU ? vector(s, op) : tile_math(s, op);
  case TT_ACT_PACK:
    return work(
        s, TT_PACK_EVENTS,
        tt_pack_clk(s->costs, page_bytes(s, tt_op_fills(op)) / (TT_TILE * TT_TILE), s->onto_l1));
  case TT_ACT_STARTUP:
    return work(s, TT_UNPACK_EVENTS, step[TT_COST_startup]) &&
           work(s, TT_MATH_EVENTS, step[TT_COST_startup]) &&
           work(s, TT_PACK_EVENTS, step[TT_COST_startup]);
  case TT_ACT_SET:
  case TT_ACT_SET_TO_END:
    if (info->unit == TT_UNIT_PACKER) return work(s, TT_PACK_EVENTS, step[TT_COST_reconfig_pack]);
    if (info->unit == TT_UNIT_SFPU) return work(s, TT_MATH_EVENTS, step[TT_COST_init_vector]);
    if (info->unit == TT_UNIT_FPU)
      return work(s, TT_MATH_EVENTS, step[TT_COST_init]) &&
             work(s, TT_UNPACK_EVENTS, step[TT_COST_init]);
    return work(s, TT_UNPACK_EVENTS, step[TT_COST_reconfig_source]);
  case TT_ACT_DST_ACQUIRE:
    return add(s, &lists[TT_MATH_EVENTS], (TtEvent){.kind = TT_EVENT_ACQUIRE});
  case TT_ACT_DST_COMMIT:
    return work(s, TT_MATH_EVENTS, step[TT_COST_section]) &&
           add(s, &lists[TT_MATH_EVENTS], (TtEvent){.kind = TT_EVENT_COMMIT});
  case TT_ACT_DST_WAIT: return add(s, &lists[TT_PACK_EVENTS], (TtEvent){.kind = TT_EVENT_DST_WAIT});
  case TT_ACT_DST_RELEASE:
    return work(s, TT_PACK_EVENTS, step[TT_COST_section]) &&
           add(s, &lists[TT_PACK_EVENTS], (TtEvent){.kind = TT_EVENT_RELEASE});
  default: return true;
  }
}

static bool mover_step(TtStepsOfCore *s, MlirOperation op) {
  switch (tt_op_info(op)->does) {
  case TT_ACT_READ:
  case TT_ACT_WRITE: return transfer(s, op);
  case TT_ACT_READ_BARRIER: return add(s, s->mover, (TtEvent){.kind = TT_EVENT_READ_BARRIER});
  case TT_ACT_WRITE_BARRIER: return add(s, s->mover, (TtEvent){.kind = TT_EVENT_WRITE_BARRIER});
  case TT_ACT_FLUSH: return add(s, s->mover, (TtEvent){.kind = TT_EVENT_FLUSH});
  default: break;
  }
  if (metalium_noc_async_write_multicast_isa(op) ||
      metalium_noc_async_write_multicast_loopback_src_isa(op))
    return send(s, op, TT_EVENT_MULTICAST);
  if (metalium_noc_async_write_isa(op)) return send(s, op, TT_EVENT_WRITE);
  if (metalium_noc_async_read_isa(op)) return send(s, op, TT_EVENT_READ);
  if (metalium_noc_semaphore_wait_isa(op) || metalium_noc_semaphore_wait_min_isa(op))
    return add(s, s->mover, (TtEvent){.kind = TT_EVENT_SIGNAL, .cores = (uint16_t)s->cores});
  return mlirOperationGetNumResults(op) > 0 || add(s, s->mover, (TtEvent){.kind = TT_EVENT_CALL});
}

/*===- Control flow -------------------------------------------------------------------------===*/

static bool run_block(TtStepsOfCore *s, MlirBlock block);

static bool run_loop(TtStepsOfCore *s, MlirOperation op) {
  int64_t at, upper, step;
  if (!tt_steps_get(s, mlirOperationGetOperand(op, 0), &at) ||
      !tt_steps_get(s, mlirOperationGetOperand(op, 1), &upper) ||
      !tt_steps_get(s, mlirOperationGetOperand(op, 2), &step) || step < 1)
    return false;
  int64_t all = s->cores;
  for (bool ok = true; at < upper; at += step) {
    tt_steps_set(s, tt_for_iv(op), true, at);
    s->cores = tt_cores_at_step(s, mlirOperationGetOperand(op, 1), at);
    ok = run_block(s, tt_for_body(op));
    s->cores = all;
    if (!ok) return false;
  }
  return true;
}

static bool run_choice(TtStepsOfCore *s, MlirOperation op) {
  int64_t condition, all = s->cores;
  MlirValue value = mlirOperationGetOperand(op, 0);
  if (!tt_steps_get(s, value, &condition)) return false;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, condition ? 0 : 1));
  if (mlirBlockIsNull(block)) return true;
  s->cores = tt_cores_with(s, value, condition);
  bool ok = run_block(s, block);
  s->cores = all;
  return ok;
}

static bool run_op(TtStepsOfCore *s, MlirOperation op) {
  static const int counts[] = {[TT_ACT_RESERVE] = TT_EVENT_RESERVE,
                               [TT_ACT_PUSH] = TT_EVENT_PUSH,
                               [TT_ACT_WAIT] = TT_EVENT_WAIT,
                               [TT_ACT_POP] = TT_EVENT_POP};
  TtAct does = tt_op_info(op)->does;
  if (tt_op_is(op, "scf.for")) return run_loop(s, op);
  if (tt_op_is(op, "scf.if")) return run_choice(s, op);
  if (does >= TT_ACT_RESERVE && does <= TT_ACT_POP)
    return count_pages(s, op, (TtEventKind)counts[does]);
  if (tt_runtime_arg_isa(op)) {
    bool known;
    MlirValue value = mlirOperationGetResult(op, 0);
    int64_t number = tt_steps_argument(s, value, s->core, &known);
    tt_steps_set(s, value, known, number);
    return true;
  }
  if (metalium_get_tile_size_isa(op)) {
    tt_steps_set(s, mlirOperationGetResult(op, 0), true,
                 page_bytes(s, mlirOperationGetOperand(op, 0)));
    return true;
  }
  if (metalium_pack_reconfig_l1_acc_isa(op)) {
    int64_t on;
    s->onto_l1 = tt_steps_get(s, mlirOperationGetOperand(op, 0), &on) && on;
    return true;
  }
  if (tt_op_info(op)->level == TT_LEVEL_OTHER) {
    tt_steps_compute(s, op);
    return true;
  }
  return s->mover ? mover_step(s, op) : compute_step(s, op);
}

static bool run_block(TtStepsOfCore *s, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !tt_is_terminator(op); op = tt_next(op))
    if (!run_op(s, op)) return false;
  return true;
}

bool tt_core_events(TtArena *arena, MlirOperation program, const TtCoreTable *table,
                    const TtSizes *sizes, int64_t core, bool movers_only, TtCoreEvents *events) {
  TtOps kernels = tt_program_kernels(arena, program);
  int movers = 0;
  *events = (TtCoreEvents){.vector = 0};
  for (intptr_t k = 0; k < kernels.n; ++k) {
    MlirOperation kernel = kernels.data[k];
    bool computes = tt_role_of(kernel) == TT_KERNEL_ROLE_COMPUTE;
    if ((computes && movers_only) ||
        !tt_core_set_has(tt_core_set_of(program, kernel), table->cores[core]))
      continue;
    TtStepsOfCore s = {
        .arena = arena, .program = program, .kernel = kernel, .table = table, .core = core};
    s.out = events, s.cores = table->n, s.sizes = sizes;
    s.chip = tt_target_of(program).chip, s.costs = tt_costs(s.chip);
    s.cbs = tt_collect(arena, program, "tt.circular_buffer");
    s.values = tt_arena_alloc(arena, TT_STEPS_MAX_VALUES * sizeof *s.values);
    s.known = tt_arena_alloc(arena, TT_STEPS_MAX_VALUES * sizeof *s.known);
    if (computes) {
      MlirAttribute config = tt_config_of(kernel);
      s.phases = (int)tt_compute_config_attr_math_fidelity(config) + 1;
      s.wide = tt_compute_config_attr_fp32_dest_acc(config);
    } else {
      if (movers == TT_EVENT_LISTS - TT_MOVER_EVENTS) return false;
      s.mover = &events->lists[TT_MOVER_EVENTS + movers++];
      s.mover->noc = tt_kernel_noc_of(kernel);
    }
    if (!run_block(&s, tt_body(kernel))) return false;
  }
  return true;
}
