/*===- order_by_banks.c - --tt-order-by-banks ---------------------------------------------------===
 *
 * Has a core take the tiles of a block bank by bank, and cores beside each other begin at other
 * banks. Of 32 tiles in a row, over 12 banks:
 *
 *   before  for %j < 32 { noc_async_read_tile %row * 32 + %j, %X, … }
 *   after   for %j < 32 {
 *             %col = (%j % 8 * 12 % 32 + %j / 8 + %start_id % 8 + %start_id / 8 * 5) % 32
 *             noc_async_read_tile %row * 32 + %col, %X, … }
 *
 *           tiles 0 12 24, 4 16 28, 8 20, 1 13 25, … of banks 0 0 0, 4 4 4, 8 8, 1 1 1, …
 *
 * Interleaved tensors have a tile in one bank and the next one in the next. Cores that all go from
 * bank to bank meet at each, and on the links to it; writes that meet take half as long again. The
 * cores below them, which share links of their columns, begin two fifths of the banks further on.
 * In a block of rows the step is one of rows, where that leads back to the bank sooner; but where
 * each row begins at the same bank, all cores of a column of the grid would be at one at a time.
 *
 * Legal where no op tells one tile of a block from another: all loops of compute go over the whole
 * block, take the tiles of that place of each circular buffer, and what they keep from round to
 * round is a sum or a maximum. What other cores see (blocks that are multicast) stays in its
 * order, and compute takes its tiles at the new places. Sums add up in another order; nothing
 * else changes a result.
 *
 * Requires D3, before --tt-wait-as-needed.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/made_of.h"
#include "Analysis/sharing.h"
#include "Passes/passes_decl.h"
#include "Support/gcd.h"
#include "Target/schedule.h"
#include "Transforms/Optimize/place_order.h"
#include "Transforms/Protocol/given.h"

static const char *const pass = "tt-order-by-banks";

/*===- Tiles that move -----------------------------------------------------------------------===*/

static bool constant_trips(MlirOperation loop, int64_t *trips) {
  int64_t lower, step;
  return tt_op_is(loop, "scf.for") && tt_constant(mlirOperationGetOperand(loop, 0), &lower) &&
         lower == 0 && tt_constant(mlirOperationGetOperand(loop, 2), &step) && step == 1 &&
         tt_constant(mlirOperationGetOperand(loop, 1), trips) && *trips > 0;
}

/* The circular buffer that an address in L1 is of, and the bytes behind its pointer. */
static MlirValue buffer_of(MlirValue address, MlirOperation *pointer, MlirValue *offset) {
  MlirOperation op = tt_defining_op(address);
  *offset = (MlirValue){NULL};
  if (!mlirOperationIsNull(op) && tt_op_info(op)->does == TT_ACT_OFFSET) {
    *offset = mlirOperationGetOperand(op, 1);
    op = tt_defining_op(mlirOperationGetOperand(op, 0));
  }
  *pointer = op;
  if (mlirOperationIsNull(op)) return (MlirValue){NULL};
  TtAct does = tt_op_info(op)->does;
  return does == TT_ACT_WRITE_POINTER || does == TT_ACT_READ_POINTER
             ? mlirOperationGetOperand(op, 0)
             : (MlirValue){NULL};
}

/* The loops around a transfer within those of the units, and whether it is in a branch: what a core
 * sends to others is read so. */
static bool find_loops(TtFlow *f) {
  MlirOperation chain[TT_FLOW_LOOPS + 1];
  int n = 0;
  for (MlirOperation p = tt_parent(f->op); !tt_op_eq(p, f->kernel); p = tt_parent(p)) {
    if (mlirOperationIsNull(p) || n > TT_FLOW_LOOPS) return false;
    if (tt_op_is(p, "scf.if")) f->aside = true;
    else if (tt_op_is(p, "scf.for")) chain[n++] = p;
    else return false;
  }
  if (n == 0) return false;
  f->num_loops = n - 1, f->tiles = 1;
  for (int i = 0; i < f->num_loops; ++i) {
    f->loops[i] = chain[n - 2 - i];
    if (!constant_trips(f->loops[i], &f->trips[i]) ||
        __builtin_mul_overflow(f->tiles, f->trips[i], &f->tiles))
      return false;
  }
  return f->tiles <= TT_MOST_TILES;
}

/* Whether the loops in which the pointer stays fill its pages one after the other. */
static bool fills_in_order(TtArena *arena, const TtFlow *f, MlirOperation pointer,
                           MlirValue offset) {
  MlirValue page = {NULL};
  if (!tt_is_null_value(offset)) {
    MlirOperation product = tt_defining_op(offset);
    if (!tt_op_is(product, "arith.muli") ||
        !tt_op_is(tt_defining_op(mlirOperationGetOperand(product, 1)), "metalium.get_tile_size"))
      return false;
    page = mlirOperationGetOperand(product, 0);
  }
  int64_t weight = 1, factor;
  for (int i = f->num_loops; i-- > 0;) {
    bool inside = tt_is_defined_in(f->loops[i], mlirOperationGetResult(pointer, 0));
    if (tt_is_null_value(page)) factor = 0;
    else if (!tt_index_factor(arena, page, tt_for_iv(f->loops[i]), &factor)) return false;
    if (factor != (inside ? 0 : weight) && f->trips[i] != 1) return false;
    weight *= f->trips[i];
  }
  return true;
}

static bool is_sum_or_product(const void *none, MlirOperation op) {
  (void)none;
  return tt_op_is(op, "arith.addi") || tt_op_is(op, "arith.muli");
}

/* Whether the tile's number is a sum of products in which the loops' variables stand plainly. */
static bool is_plain(TtArena *arena, const TtFlow *f) {
  TtValues all = tt_made_of(arena, f->tile, is_sum_or_product, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    bool inside = !mlirOperationIsNull(op) && tt_is_defined_in(f->loops[0], all.data[i]);
    if (inside && !is_sum_or_product(NULL, op) && !tt_op_is(op, "arith.constant")) return false;
  }
  return true;
}

/* Rows and columns of the block, from what each loop adds to the tile's number. */
static bool find_shape(TtArena *arena, TtFlow *f) {
  int64_t weight = 1, factor;
  if (!is_plain(arena, f)) return false;
  f->rows = f->cols = 1, f->width = 0, f->first_col = f->num_loops;
  for (int i = f->num_loops; i-- > 0; weight *= f->trips[i]) {
    if (!tt_index_factor(arena, f->tile, tt_for_iv(f->loops[i]), &factor) || factor <= 0 ||
        f->trips[i] == 1)
      return false;
    if (f->rows == 1 && f->width == 0 && factor == weight) {
      f->cols *= f->trips[i], f->first_col = i;
      continue;
    }
    if (f->width == 0) f->width = factor;
    int64_t expected;
    if (__builtin_mul_overflow(f->width, f->rows, &expected) || factor != expected) return false;
    f->rows *= f->trips[i];
  }
  return true;
}

static bool is_interleaved(MlirOperation program, MlirValue accessor) {
  MlirOperation op = tt_defining_op(accessor);
  if (mlirOperationIsNull(op) || !metalium_tensor_accessor_isa(op)) return false;
  char name[128];
  MlirStringRef of = tt_string(metalium_tensor_accessor_name(op));
  if (of.length >= sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", (int)of.length, of.data);
  MlirAttribute buffer = tt_named_attr(program, "buffer", name);
  return tt_buffer_attr_isa(buffer) && tt_buffer_attr_memory(buffer) == TT_MEMORY_DRAM &&
         tt_buffer_attr_layout(buffer) == TT_LAYOUT_INTERLEAVED;
}

/* False where the kernel moves what this pass does not follow. */
static bool find_flows(TtArena *arena, MlirOperation program, MlirOperation kernel, TtFlows *all) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i], pointer;
    TtAct does = tt_op_info(op)->does;
    MlirValue offset;
    if (tt_op_is(op, "metalium.noc_async_write_multicast")) {
      MlirValue cb = buffer_of(mlirOperationGetOperand(op, 0), &pointer, &offset);
      if (tt_is_null_value(cb) || all->num_sent == TT_FLOWS) return false;
      all->sent[all->num_sent++] = tt_cb_decl(program, cb);
      continue;
    }
    if (does == TT_ACT_FILL || does == TT_ACT_LEARN || metalium_copy_part_isa(op)) return false;
    if (does != TT_ACT_READ && does != TT_ACT_WRITE) continue;
    bool reads = metalium_noc_async_read_tile_isa(op) || metalium_noc_async_read_part_isa(op);
    if (!reads && !tt_op_is(op, "metalium.noc_async_write_tile")) return false;
    if (all->n == TT_FLOWS) return false;
    TtFlow *f = &all->data[all->n++];
    *f = (TtFlow){.op = op, .kernel = kernel, .tile = mlirOperationGetOperand(op, 0)};
    MlirValue cb = buffer_of(mlirOperationGetOperand(op, 2), &pointer, &offset);
    if (tt_is_null_value(cb) || !find_loops(f)) return false;
    f->cb = tt_cb_decl(program, cb);
    f->writes = !reads;
    if (f->tiles == 1 || f->aside) continue;
    if (!is_interleaved(program, mlirOperationGetOperand(op, 1)) ||
        !fills_in_order(arena, f, pointer, offset) || !find_shape(arena, f))
      return false;
  }
  return true;
}

/*===- The order -----------------------------------------------------------------------------===*/

/* Why the tiles stay in their order; NULL where `order` is another one. */
static const char *find_order(const TtFlows *all, const TtChip *chip, TtPlaceOrder *order) {
  const TtFlow *first = NULL;
  int64_t banks = (int64_t)chip->dram_banks;
  for (int i = 0; i < all->n; ++i) {
    const TtFlow *f = &all->data[i];
    bool sent = false;
    for (int k = 0; k < all->num_sent; ++k) sent |= tt_op_eq(all->sent[k], f->cb);
    if (sent != f->aside) return "what other cores see of it is not plain";
    if (f->tiles == 1 || f->aside) continue;
    if (first && (f->rows != first->rows || f->cols != first->cols))
      return "its blocks have several shapes";
    if (!first || f->writes) first = f;
  }
  if (!first) return "no blocks of several tiles move";
  *order = (TtPlaceOrder){.rows = first->rows, .cols = first->cols, .step = banks};
  for (int i = 0; i < all->n; ++i)
    if (all->data[i].aside && all->data[i].tiles != first->tiles)
      return "its blocks have several shapes";
  if (first->tiles < 2 * banks) return "its blocks have less than two tiles of a bank";
  int64_t row_step = first->width ? banks / tt_gcd(banks, first->width) : banks;
  if (row_step > 1 && first->rows > row_step) order->by_rows = true, order->step = row_step;
  else if (first->cols <= banks) return "neither its rows nor its columns come back to a bank";
  return NULL;
}

/*===- The pass ------------------------------------------------------------------------------===*/

static MlirValue start_of(TtArena *arena, MlirOperation kernel, bool make) {
  TtOps args = tt_collect(arena, kernel, "tt.runtime_arg");
  for (intptr_t i = 0; i < args.n; ++i)
    if (tt_str_eq(tt_string(tt_runtime_arg_name(args.data[i])), "start_id"))
      return mlirOperationGetResult(args.data[i], 0);
  if (!make) return (MlirValue){NULL};
  TtBuilder top = tt_top_of_kernel(kernel);
  return tt_take_given(&top, mlirOperationGetLocation(kernel), "start_id");
}

static bool order_in_program(TtArena *arena, MlirOperation program) {
  TtOps computes = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE),
        kernels = tt_program_kernels(arena, program);
  TtCoreTable cores;
  TtFlows *all = tt_arena_alloc(arena, sizeof *all);
  if (computes.n != 1 || !tt_program_cores(arena, program, &cores)) return true;
  const TtChip *chip = tt_target_of(program).chip;
  if (cores.n < (int64_t)chip->dram_banks || tt_core_table_column(&cores, tt_str("start_id")) < 0)
    return true;
  const char *reason = NULL;
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (!tt_op_eq(kernels.data[i], computes.data[0]) &&
        !find_flows(arena, program, kernels.data[i], all))
      reason = "not all that moves are blocks of interleaved tensors";
  TtPlaceOrder order;
  if (!reason) reason = find_order(all, chip, &order);
  if (!reason && !tt_takes_any_order(arena, program, computes.data[0], all, &order))
    reason = "an op tells its tiles apart";
  if (reason) {
    if (all->n > 0)
      tt_remark(all->data[0].op, TT_REMARK_MISSED, pass, "tiles move in their order: %s", reason);
    return true;
  }
  for (int64_t i = 0; i < cores.n; ++i)
    if (cores.cores[i].x >= order.line) order.line = cores.cores[i].x + 1;
  for (int i = 0; i < all->n; ++i) {
    TtFlow *f = &all->data[i];
    if (f->tiles == 1 || f->aside) continue;
    tt_remark(f->op, TT_REMARK_PASSED, pass, "%jd x %jd tiles move bank by bank, %s by %jd",
              (intmax_t)order.rows, (intmax_t)order.cols, order.by_rows ? "rows" : "columns",
              (intmax_t)order.step);
    tt_order_flow(arena, f, &order, start_of(arena, f->kernel, true));
  }
  bool aside = false;
  for (int i = 0; i < all->n; ++i) aside |= all->data[i].aside && all->data[i].tiles > 1;
  if (aside)
    tt_order_compute(arena, program, computes.data[0], all, &order,
                     start_of(arena, computes.data[0], true));
  for (intptr_t i = 0; i < kernels.n; ++i) tt_erase_dead(kernels.data[i]);
  return true;
}

bool tt_run_order_by_banks(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, order_in_program);
}
