/*===- lengthen_last_step.c - --tt-lengthen-last-step ------------------------------------------===
 *
 * Makes the last step of a sum one of as many blocks as its circular buffers hold.
 *
 *   before  for %k < 7 { cb_wait_front %a, 32; … parts += a x b …; cb_pop_front %a, 32 }
 *           cb_wait_front %a, 32
 *           for sub-block { reload
 *                           for %j, %l { matmul_tiles %a, %b, %i * 4 + %l, … }
 *                           pack to the result }
 *           cb_pop_front %a, 32
 *   after   for %k < 4 { cb_wait_front %a, 32; … parts += a x b …; cb_pop_front %a, 32 }
 *           for sub-block { reload
 *                           for %step < 4 {
 *                             cb_wait_front %a, %step * 32 + 32
 *                             for %j, %l { matmul_tiles %a, %b, %step * 32 + %i * 4 + %l, … } }
 *                           pack to the result }
 *           cb_pop_front %a, 128
 *
 * Results leave while the last step goes on, so that it should take as long as their writes; the
 * blocks of steps are short, so that the first of them is there soon. Parts leave DST less often,
 * too. Legal where the steps of the loop take a block of each operand and nothing else of them,
 * and the last step only multiplies. Each tile of DST adds the same products in the same order;
 * where the packer adds the parts (--tt-sum-in-l1), it has fewer of them to add.
 *
 * What compute takes itself, an epilogue, takes nothing from that: such steps stay, so that the
 * engine works on each block when it is there, unless the packer would add parts slower than
 * products are made.
 *
 * A core that has more than one unit keeps room for a block, which is read for the next one
 * meanwhile.
 *
 * Requires D3 and --tt-pack-last-step, before --tt-block-products.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/product_cost.h"
#include "Analysis/program.h"
#include "Analysis/sharing.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/unwrap.h"

static const char *const pass = "tt-lengthen-last-step";

enum { MAX_OPERANDS = 8 };

/* A circular buffer of which each step takes a block. */
typedef struct Operand {
  MlirValue cb;
  int64_t tiles;           /* of a block */
  MlirOperation wait, pop; /* of the last step */
} Operand;

typedef struct Last {
  TtArena *arena;
  MlirOperation program, loop;
  Operand operands[MAX_OPERANDS];
  int n;
  int64_t steps; /* of the loop */
  TtOps products;
  MlirOperation nest; /* what holds the products of the last step, and nothing else */
  const char *reason;
} Last;

static bool refuse(Last *l, const char *reason) {
  l->reason = reason;
  return false;
}

static Operand *operand_of(Last *l, MlirValue cb) {
  for (int i = 0; i < l->n; ++i)
    if (tt_value_eq(l->operands[i].cb, cb)) return &l->operands[i];
  return NULL;
}

/*===- What it is ----------------------------------------------------------------------------===*/

static bool read_bounds(Last *l) {
  int64_t lower, step;
  return tt_constant(mlirOperationGetOperand(l->loop, 0), &lower) && lower == 0 &&
         tt_constant(mlirOperationGetOperand(l->loop, 1), &l->steps) && l->steps > 1 &&
         tt_constant(mlirOperationGetOperand(l->loop, 2), &step) && step == 1;
}

/* The blocks for which the body of the loop waits, before all else. */
static bool find_operands(Last *l) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(l->loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    if (!metalium_cb_wait_front_isa(op)) continue;
    Operand o = {.cb = mlirOperationGetOperand(op, 0)};
    if (l->n == MAX_OPERANDS || !tt_constant(mlirOperationGetOperand(op, 1), &o.tiles))
      return false;
    l->operands[l->n++] = o;
  }
  return l->n > 0;
}

/* What a step does with the counts of its operands: a wait and a pop of each, in its own block. */
static bool takes_a_block_each(Last *l, MlirBlock body) {
  int waits = 0, pops = 0;
  TtOps ops = tt_collect(l->arena, l->loop, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtAct does = tt_op_info(ops.data[i])->does;
    if (does != TT_ACT_WAIT && does != TT_ACT_POP) continue;
    Operand *o = operand_of(l, mlirOperationGetOperand(ops.data[i], 0));
    int64_t tiles;
    if (!o) continue;
    if (!mlirBlockEqual(mlirOperationGetBlock(ops.data[i]), body) ||
        !tt_constant(mlirOperationGetOperand(ops.data[i], 1), &tiles) || tiles != o->tiles)
      return false;
    ++*(does == TT_ACT_WAIT ? &waits : &pops);
  }
  return waits == l->n && pops == l->n;
}

/* The waits and pops of the last step, which stand in the block of the loop, and its products. */
static bool read_last_step(Last *l) {
  int waits = 0, pops = 0;
  for (MlirOperation op = tt_next(l->loop); pops < l->n; op = tt_next(op)) {
    if (mlirOperationIsNull(op)) return false;
    TtAct does = tt_op_info(op)->does;
    Operand *o = does == TT_ACT_WAIT || does == TT_ACT_POP
                     ? operand_of(l, mlirOperationGetOperand(op, 0))
                     : NULL;
    if (o) {
      int64_t tiles;
      MlirOperation *known = does == TT_ACT_WAIT ? &o->wait : &o->pop;
      if (!mlirOperationIsNull(*known) || l->products.n == (does == TT_ACT_WAIT ? 1 : 0) ||
          !tt_constant(mlirOperationGetOperand(op, 1), &tiles) || tiles != o->tiles)
        return false;
      *known = op;
      ++*(does == TT_ACT_WAIT ? &waits : &pops);
      continue;
    }
    TtOps inside = tt_collect(l->arena, op, NULL);
    for (intptr_t i = -1; i < inside.n; ++i) {
      MlirOperation in = i < 0 ? op : inside.data[i];
      if (metalium_matmul_tiles_isa(in)) {
        if (!operand_of(l, metalium_matmul_tiles_a(in)) ||
            !operand_of(l, metalium_matmul_tiles_b(in)))
          return refuse(l, "a product of the last step has an operand that stays");
        tt_ops_add(l->arena, &l->products, in);
        continue;
      }
      for (intptr_t j = 0; j < mlirOperationGetNumOperands(in); ++j)
        if (operand_of(l, mlirOperationGetOperand(in, j)))
          return refuse(l, "the last step does more than multiply its blocks");
    }
  }
  return waits == l->n && l->products.n == 1;
}

/* Whether the last step gives others a block of what each step of the loop gives them: as many
 * steps as there were must do so. */
static bool gives_in_each_step(Last *l) {
  TtOps ops = tt_collect(l->arena, l->loop, NULL);
  MlirOperation last = l->operands[0].pop;
  for (intptr_t i = 1; i < l->n; ++i)
    if (tt_is_before(last, l->operands[i].pop)) last = l->operands[i].pop;
  for (MlirOperation op = tt_next(l->loop); !tt_op_eq(op, last); op = tt_next(op)) {
    TtOps inside = tt_collect(l->arena, op, NULL);
    for (intptr_t i = -1; i < inside.n; ++i) {
      MlirOperation in = i < 0 ? op : inside.data[i];
      if (tt_op_info(in)->does != TT_ACT_PUSH) continue;
      for (intptr_t j = 0; j < ops.n; ++j)
        if (tt_op_info(ops.data[j])->does == TT_ACT_PUSH &&
            tt_value_eq(mlirOperationGetOperand(in, 0), mlirOperationGetOperand(ops.data[j], 0)))
          return true;
    }
  }
  return false;
}

/* The outermost loop around the product that holds nothing else but arithmetic. */
static void find_nest(Last *l) {
  l->nest = l->products.data[0];
  for (MlirOperation p = tt_parent(l->nest); tt_op_is(p, "scf.for"); p = tt_parent(p)) {
    for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(p)); !tt_is_terminator(op);
         op = tt_next(op))
      if (!tt_op_eq(op, l->nest) &&
          (mlirOperationGetNumRegions(op) > 0 || tt_op_info(op)->level != TT_LEVEL_OTHER))
        return;
    l->nest = p;
  }
}

/* Whether the sum is done once in a unit: no loop but that over the units is around it. */
static bool is_once_in_unit(const Last *l, bool counted) {
  int64_t constant;
  intptr_t around = 0;
  for (MlirOperation p = tt_parent(l->loop); !mlirOperationIsNull(p); p = tt_parent(p)) {
    if (!tt_op_is(p, "scf.for")) continue;
    if (tt_constant(mlirOperationGetOperand(p, 1), &constant)) return false;
    ++around;
  }
  return around <= counted;
}

/* Whether each core has one unit, and one sum in it, so that nothing is read for a next one. */
static bool has_one_unit(Last *l) {
  TtCoreTable cores;
  if (!tt_program_cores(l->arena, l->program, &cores)) return false;
  intptr_t count = tt_core_table_column(&cores, tt_str("count"));
  for (int64_t c = 0; count >= 0 && c < cores.n; ++c)
    if (cores.values[c * cores.num_names + count] != 1) return false;
  return is_once_in_unit(l, count >= 0);
}

static int64_t capacity_of(const Last *l, const Operand *o) {
  return tt_int(tt_circular_buffer_pages(tt_cb_decl(l->program, o->cb))) / o->tiles;
}

/* Whether a last step of so many blocks never reaches over the end of a circular buffer: in no
 * unit, each of which starts where the one before it ended. */
static bool stays_inside(const Last *l, int64_t blocks, bool one_unit) {
  for (int i = 0; i < l->n; ++i) {
    int64_t capacity = capacity_of(l, &l->operands[i]), all = l->steps + 1;
    for (int64_t unit = 0; unit < (one_unit ? 1 : capacity); ++unit)
      if (((unit + 1) * all - blocks) % capacity + blocks > capacity) return false;
  }
  return true;
}

/* The pack of the last step's results. */
static MlirOperation pack_of(const Last *l) {
  MlirOperation op = tt_next(l->nest);
  while (!mlirOperationIsNull(op) && !tt_pack_to_cb_isa(op)) op = tt_next(op);
  return op;
}

static bool is_written(const Last *l, MlirOperation pack) {
  MlirOperation to = tt_cb_decl(l->program, tt_pack_to_cb_out(pack));
  return mlirOperationIsNull(to) || tt_circular_buffer_role(to) == TT_CB_ROLE_OUTPUT;
}

/* How many products of tiles the nest has; 0 where that is not known. */
static int64_t products_of(const Last *l) {
  int64_t n = 1, trips;
  for (MlirOperation p = l->products.data[0]; !tt_op_eq(p, l->nest);) {
    p = tt_parent(p);
    if (!tt_op_is(p, "scf.for") || !tt_constant(mlirOperationGetOperand(p, 1), &trips) ||
        trips < 1 || __builtin_mul_overflow(n, trips, &n))
      return 0;
  }
  return n;
}

/* Whether the packer adds the parts of a step no slower than its products are made. */
static bool packer_keeps_up(const Last *l, MlirOperation pack) {
  MlirOperation product = l->products.data[0],
                a = tt_cb_decl(l->program, metalium_matmul_tiles_a(product)),
                b = tt_cb_decl(l->program, metalium_matmul_tiles_b(product));
  if (mlirOperationIsNull(a) || mlirOperationIsNull(b) ||
      mlirAttributeIsNull(tt_pack_to_cb_tiles(pack)))
    return false;
  int64_t tiles = tt_int(tt_pack_to_cb_tiles(pack));
  double clk =
      tt_product_clk(l->program, (TtSubBlock){1, tiles}, tt_int(tt_circular_buffer_page_bytes(a)),
                     tt_int(tt_circular_buffer_page_bytes(b)));
  return (double)tiles * tt_pack_onto_clk(l->program, true) <= (double)products_of(l) * clk;
}

/* How many blocks the last step may have. */
static int64_t blocks_held(Last *l) {
  bool one_unit = has_one_unit(l);
  int64_t held = l->steps;
  for (int i = 0; i < l->n; ++i) {
    int64_t room = capacity_of(l, &l->operands[i]) - (one_unit ? 0 : 1);
    if (room < held) held = room;
  }
  while (held > 1 && !stays_inside(l, held, one_unit)) --held;
  return held;
}

/*===- The step ------------------------------------------------------------------------------===*/

static MlirValue shifted(TtBuilder *b, MlirLocation loc, MlirValue step, int64_t tiles,
                         MlirValue index) {
  return tt_add(b, loc, tt_mul(b, loc, step, tt_index(b, loc, tiles)), index);
}

static void lengthen(Last *l, int64_t blocks) {
  MlirLocation loc = mlirOperationGetLocation(l->nest);
  MlirOperation product = l->products.data[0];
  TtBuilder before = tt_builder_before(l->loop), b = tt_builder_before(l->nest);
  mlirOperationSetOperand(l->loop, 1, tt_index(&before, loc, l->steps - (blocks - 1)));
  TtBuilder in = b;
  MlirValue step = tt_counted_loop(&in, loc, blocks, "step");
  for (int i = 0; i < l->n; ++i) {
    Operand *o = &l->operands[i];
    metalium_cb_wait_front_create(&in, loc, o->cb,
                                  shifted(&in, loc, step, o->tiles, tt_index(&in, loc, o->tiles)));
    TtBuilder at = tt_builder_before(o->pop);
    mlirOperationSetOperand(o->pop, 1, tt_index(&at, loc, blocks * o->tiles));
    mlirOperationDestroy(o->wait);
  }
  mlirOperationMoveBefore(l->nest, in.before);
  TtBuilder at = tt_builder_before(product);
  for (int i = 0; i < 2; ++i) { /* a, b, ia, ib */
    const Operand *o = operand_of(l, mlirOperationGetOperand(product, i));
    mlirOperationSetOperand(
        product, 2 + i, shifted(&at, loc, step, o->tiles, mlirOperationGetOperand(product, 2 + i)));
  }
}

static bool is_last(Last *l) {
  l->reason = NULL;
  if (!read_bounds(l) || !find_operands(l) || !takes_a_block_each(l, tt_for_body(l->loop)) ||
      !read_last_step(l))
    return false;
  return !gives_in_each_step(l) || refuse(l, "its steps give others blocks besides");
}

static bool lengthen_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps loops = tt_collect(arena, kernels.data[k], "scf.for");
    MlirOperation *single = tt_arena_alloc(arena, (size_t)(loops.n + 1) * sizeof *single);
    intptr_t n = 0; /* of which one step is left */
    for (intptr_t i = 0; i < loops.n; ++i) {
      Last l = {.arena = arena, .program = program, .loop = loops.data[i]};
      if (!is_last(&l)) {
        if (l.reason)
          tt_remark(l.loop, TT_REMARK_MISSED, pass, "the last step stays as it is: %s", l.reason);
        continue;
      }
      int64_t blocks = blocks_held(&l);
      if (blocks < 2) {
        tt_remark(l.loop, TT_REMARK_MISSED, pass,
                  "the last step stays as it is: its circular buffers have no room for more");
        continue;
      }
      find_nest(&l);
      MlirOperation packed = pack_of(&l);
      if (!mlirOperationIsNull(packed) && !is_written(&l, packed) && packer_keeps_up(&l, packed)) {
        tt_remark(l.loop, TT_REMARK_MISSED, pass,
                  "the last step stays as it is: compute takes its results, so that no write waits "
                  "for them");
        continue;
      }
      tt_remark(l.loop, TT_REMARK_PASSED, pass, "the last step is one of %jd blocks",
                (intmax_t)blocks);
      lengthen(&l, blocks);
      if (blocks == l.steps) single[n++] = l.loop;
    }
    for (intptr_t i = 0; i < n; ++i) tt_unwrap(single[i]);
    tt_erase_dead(kernels.data[k]);
  }
  return true;
}

bool tt_run_lengthen_last_step(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, lengthen_in_program);
}
