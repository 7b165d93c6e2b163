/*===- sum_in_l1.c - --tt-sum-in-l1 -------------------------------------------------------------===
 *
 * Has the packer add the steps of a sum whose parts leave DST, instead of copying them back to DST.
 *
 *   before  for %k < 7 {
 *             for sub-block { if %k != 0 { cb_wait_front %p, 4; copy_tile %p, …; cb_pop_front %p, 4
 * } matmul_tiles … cb_reserve_back %p, 4; tt.pack_to_cb … -> %p; cb_push_back %p, 4 }
 *           }
 *   after   cb_reserve_back %p, 64
 *           for %k < 7 {
 *             pack_reconfig_l1_acc %k != 0
 *             for sub-block { matmul_tiles …
 *                             tt.pack_to_cb … -> %p at its place }
 *           }
 *           pack_reconfig_l1_acc false
 *           cb_push_back %p, 64
 *
 * The matrix engine is not set to copies and back in each step, and the packer works beside it.
 * Legal where the steps of a loop, or of loops in each other, pack all pages of %p and nothing
 * else, the first step of all in place of what was there, and only they touch %p before the loop
 * ends. A sum is then that of the sums of its steps, in the format of %p: another order of
 * additions, so that results differ in rounding. Done where the packer takes no longer for a
 * sub-block than its products do, and for three steps or more.
 *
 * Requires D3, before D4.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/product_cost.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/unwrap.h"

static const char *const pass = "tt-sum-in-l1";

enum { LEAST_STEPS = 3, MAX_LOOPS = 4 };

/* A sum whose parts are copied back to DST in all steps but the first. */
typedef struct Sum {
  TtArena *arena;
  MlirOperation program, kernel;
  MlirOperation reload; /* scf.if: the copies */
  MlirValue cb, more;   /* the parts; whether a step is not the first */
  MlirOperation step;   /* the loop over steps, or the outermost one of several */
  MlirOperation parts;  /* in it, what works on the sub-blocks: a loop, or the reload itself */
  MlirOperation reserve, pack, push;
  MlirValue place; /* of the sub-block among the parts, in tiles; null: the first, and only one */
  int64_t tiles;   /* of a sub-block */
  MlirOperation product; /* one of those for a sub-block */
  int64_t products;      /* how many they are */
} Sum;

/*===- What it is ---------------------------------------------------------------------------===*/

static bool is_cb(const Sum *s, MlirValue value) {
  return tt_op_eq(tt_cb_decl(s->program, value), tt_cb_decl(s->program, s->cb));
}

/* The reload: it waits for parts, copies them to DST and pops them. */
static bool read_reload(Sum *s) {
  TtOps ops = tt_collect(s->arena, s->reload, NULL);
  s->cb = (MlirValue){NULL};
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (tt_op_info(op)->level == TT_LEVEL_OTHER) continue;
    if (metalium_cb_wait_front_isa(op)) {
      if (!tt_is_null_value(s->cb)) return false;
      s->cb = mlirOperationGetOperand(op, 0);
      if (!tt_constant(mlirOperationGetOperand(op, 1), &s->tiles)) return false;
    } else if ((!metalium_copy_tile_isa(op) && !metalium_cb_pop_front_isa(op)) ||
               tt_is_null_value(s->cb) || !tt_value_eq(mlirOperationGetOperand(op, 0), s->cb)) {
      return false;
    }
  }
  s->more = mlirOperationGetOperand(s->reload, 0);
  return !tt_is_null_value(s->cb);
}

static bool counts_from_zero(MlirOperation loop, int64_t *trips) {
  int64_t lower, step;
  return tt_op_is(loop, "scf.for") && tt_constant(mlirOperationGetOperand(loop, 0), &lower) &&
         lower == 0 && tt_constant(mlirOperationGetOperand(loop, 1), trips) &&
         tt_constant(mlirOperationGetOperand(loop, 2), &step) && step == 1;
}

/* The pack after the reload, in its reservation and publication; the products between. */
static bool find_pack(Sum *s) {
  s->products = 0;
  for (MlirOperation op = tt_next(s->reload); !mlirOperationIsNull(op); op = tt_next(op)) {
    TtOps inside = tt_collect(s->arena, op, "metalium.matmul_tiles");
    for (intptr_t i = 0; i < inside.n; ++i) {
      int64_t n = 1, trips;
      for (MlirOperation p = tt_parent(inside.data[i]);; p = tt_parent(p)) {
        if (!counts_from_zero(p, &trips)) return false;
        n *= trips;
        if (tt_op_eq(p, op)) break;
      }
      s->products += n, s->product = inside.data[i];
    }
    bool own = mlirOperationGetNumOperands(op) > 0 && is_cb(s, mlirOperationGetOperand(op, 0));
    if (metalium_cb_reserve_back_isa(op) && own) s->reserve = op;
    if (tt_pack_to_cb_isa(op) && is_cb(s, tt_pack_to_cb_out(op))) s->pack = op;
    if (metalium_cb_push_back_isa(op) && own) {
      s->push = op;
      break;
    }
  }
  return !mlirOperationIsNull(s->reserve) && !mlirOperationIsNull(s->pack) &&
         !mlirOperationIsNull(s->push) && tt_int(tt_pack_to_cb_tiles(s->pack)) == s->tiles &&
         s->products > 0;
}

enum { MOST_LEAVES = 8 };

/* The loops of which `more` says that one of them is not in its first round, and no more than that;
 * false where it says something else. */
static bool read_more(MlirValue more, MlirOperation loops[MOST_LEAVES], int *n) {
  MlirOperation op = tt_defining_op(more);
  if (tt_op_is(op, "arith.ori"))
    return read_more(mlirOperationGetOperand(op, 0), loops, n) &&
           read_more(mlirOperationGetOperand(op, 1), loops, n);
  MlirValue iv = tt_op_is(op, "arith.cmpi") ? mlirOperationGetOperand(op, 0) : more;
  if (*n == MOST_LEAVES || !mlirValueIsABlockArgument(iv)) return false;
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(iv));
  if (!tt_op_is(loop, "scf.for") || !tt_is_later_step(more, loop)) return false;
  loops[(*n)++] = loop;
  return true;
}

/* The steps of the sum: of the loop around `compare`, and of those around it that it goes on over.
 * 0 where it is not known how many they are, -1 where they are no such loops. */
static int64_t find_steps(Sum *s, MlirOperation compare) {
  MlirOperation over[MOST_LEAVES];
  int n = 0, found = 0;
  int64_t steps = 1, trips;
  if (!read_more(s->more, over, &n)) return -1;
  for (MlirOperation p = tt_parent(compare);; p = tt_parent(p)) {
    int i = 0;
    while (i < n && !tt_op_eq(over[i], p)) ++i;
    if (i == n) break;
    if (!counts_from_zero(p, &trips) || __builtin_mul_overflow(steps, trips, &steps)) return 0;
    s->step = p, ++found;
  }
  return found == n ? steps : -1;
}

/* The loops over sub-blocks, within that over steps, pack all pages in their order. */
static bool find_loops(Sum *s, const char **reason) {
  MlirOperation decl = tt_cb_decl(s->program, s->cb), loops[MAX_LOOPS], compare;
  int64_t parts = 1, trips[MAX_LOOPS];
  int n = 0;
  compare = tt_defining_op(s->more);
  if (mlirOperationIsNull(compare)) return false;
  MlirBlock body = mlirOperationGetBlock(compare);
  for (MlirOperation p = tt_parent(s->reload); !mlirBlockEqual(tt_body(p), body);
       p = tt_parent(p), ++n) {
    if (n == MAX_LOOPS || !counts_from_zero(p, &trips[n])) return false;
    loops[n] = p, parts *= trips[n];
  }
  s->parts = n ? loops[n - 1] : s->reload;
  *reason = "its parts are not packed page by page";
  if (parts * s->tiles != tt_int(tt_circular_buffer_pages(decl))) return false;
  int64_t steps = find_steps(s, compare);
  *reason = steps < 0 ? "it does not begin in the first step of the loops around it"
                      : "the number of its steps is known only when the kernel runs";
  if (steps <= 0) return false;
  *reason = "it has fewer than three steps";
  if (steps + 1 < LEAST_STEPS) return false;
  TtBuilder b = tt_builder_before(s->pack);
  MlirLocation loc = mlirOperationGetLocation(s->pack);
  int64_t stride = s->tiles;
  for (int i = 0; i < n; stride *= trips[i++]) {
    MlirValue at = tt_mul(&b, loc, tt_for_iv(loops[i]), tt_index(&b, loc, stride));
    s->place = tt_is_null_value(s->place) ? at : tt_add(&b, loc, s->place, at);
  }
  return true;
}

/* In the loop over steps, only the reload, the pack and what is around it touch the parts, and
 * nothing else is packed. */
static bool is_alone(const Sum *s) {
  TtOps ops = tt_collect(s->arena, s->step, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (tt_op_eq(op, s->reload)) { /* and what it holds */
      i += tt_collect(s->arena, op, NULL).n;
      continue;
    }
    if (tt_op_eq(op, s->pack) || tt_op_eq(op, s->reserve) || tt_op_eq(op, s->push)) continue;
    if (tt_op_info(op)->does == TT_ACT_PACK_BLOCK) return false;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue value = mlirOperationGetOperand(op, j);
      if (tt_cb_type_isa(mlirValueGetType(value)) && is_cb(s, value)) return false;
    }
  }
  return true;
}

static bool is_float(const Sum *s) {
  TtDataFormat format = tt_cb_format(tt_cb_decl(s->program, s->cb));
  return format == TT_DATA_FORMAT_FLOAT32 || format == TT_DATA_FORMAT_BFLOAT16 ||
         format == TT_DATA_FORMAT_FLOAT16;
}

/* The packer adds the tiles of a sub-block while the engine works on the next one. */
static bool pays(const Sum *s) {
  MlirOperation a = tt_cb_decl(s->program, metalium_matmul_tiles_a(s->product)),
                b = tt_cb_decl(s->program, metalium_matmul_tiles_b(s->product));
  bool wide = tt_cb_format(tt_cb_decl(s->program, s->cb)) == TT_DATA_FORMAT_FLOAT32;
  double product = tt_product_clk(s->program, (TtSubBlock){1, s->tiles},
                                  tt_int(tt_circular_buffer_page_bytes(a)),
                                  tt_int(tt_circular_buffer_page_bytes(b)));
  return (double)s->tiles * tt_pack_onto_clk(s->program, wide) <= (double)s->products * product;
}

static const char *why_not(Sum *s) {
  const char *reason = "its parts are not products that are packed in each step";
  if (!find_pack(s) || !find_loops(s, &reason)) return reason;
  if (!is_alone(s)) return "its steps pack something else as well";
  if (!is_float(s)) return "the packer adds floats only";
  return pays(s) ? NULL : "the packer would take longer than the products";
}

/*===- The loop -----------------------------------------------------------------------------===*/

static void sum_in_l1(Sum *s) {
  MlirLocation loc = mlirOperationGetLocation(s->pack);
  int64_t pages = tt_int(tt_circular_buffer_pages(tt_cb_decl(s->program, s->cb)));
  MlirValue cb = tt_pack_to_cb_out(s->pack);
  TtBuilder before = tt_builder_before(s->step), in = tt_builder_before(s->parts),
            at = tt_builder_before(s->pack), after = tt_builder_after(s->step);
  metalium_cb_reserve_back_create(&before, loc, cb, tt_index(&before, loc, pages));
  metalium_pack_reconfig_l1_acc_create(&in, loc, s->more);
  if (!tt_is_null_value(s->place))
    tt_pack_to_cb_create(&at, loc, tt_int(tt_pack_to_cb_dst(s->pack)), tt_pack_to_cb_tiles(s->pack),
                         cb, s->place);
  metalium_pack_reconfig_l1_acc_create(&after, loc, tt_bool(&after, loc, false));
  metalium_cb_push_back_create(&after, loc, cb, tt_index(&after, loc, pages));
  if (!tt_is_null_value(s->place)) mlirOperationDestroy(s->pack);
  mlirOperationDestroy(s->reserve);
  mlirOperationDestroy(s->push);
  mlirOperationDestroy(s->reload);
}

static bool sum_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps choices = tt_collect(arena, kernels.data[k], "scf.if");
    for (intptr_t i = 0; i < choices.n; ++i) {
      Sum s = {.arena = arena, .program = program, .kernel = kernels.data[k]};
      s.reload = choices.data[i];
      if (!read_reload(&s)) continue;
      const char *reason = why_not(&s);
      if (reason) {
        tt_remark(s.reload, TT_REMARK_MISSED, pass, "the sum is copied back in each step: %s",
                  reason);
        continue;
      }
      tt_remark(s.reload, TT_REMARK_PASSED, pass, "the packer adds the steps of the sum");
      sum_in_l1(&s);
    }
    tt_erase_dead(kernels.data[k]);
  }
  return true;
}

bool tt_run_sum_in_l1(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, sum_in_program);
}
