/*===- use_fpu.c - --tt-use-fpu -----------------------------------------------------------------===
 *
 * Has the FPU multiply by rows and columns that are broadcast, where the vector unit did.
 *
 *   before  tt.fpu.sub %x, %m bcast cols, dst = 0
 *           tt.bcast_to_dst %s bcast cols onto %zeros, dst = 1   tt.sfpu.combine mul, [0, 1], dst =
 * 0 tt.bcast_to_dst %w bcast rows onto %zeros, dst = 1   tt.sfpu.combine mul, [0, 1], dst = 0
 *           tt.bcast_to_dst %b bcast rows onto %zeros, dst = 1
 *           tt.sfpu.combine add, [0, 1], dst = 0 -> %y
 *   after   tt.fpu.sub %x, %m bcast cols, dst = 0 -> %p
 *           tt.fpu.mul %p, %s bcast cols, dst = 0 -> %q
 *           tt.bcast_to_dst %b bcast rows onto %zeros, dst = 0
 *           tt.fpu.mul_add %q, %w bcast rows, dst = 0 -> %y
 *
 * What is multiplied goes through a circular buffer, in f32, of which the FPU takes 11 bits, cut:
 * up to half of what rounding to bf16 takes away. The product, and its sum with what follows, have
 * all bits of DST. So this is done where the result is stored as bf16, and after a product there
 * are only products and sums with what is the same for a row or a column, which cannot take away
 * all of a block: what is a difference of two blocks, or goes through a function, is left to the
 * vector unit. A difference that an earlier op has computed of the same blocks is taken as it is
 * there.
 *
 * Requires tile intrinsics (C2), after --tt-sum-products, before the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Target/costs.h"
#include "Transforms/Optimize/section.h"

static const char *const pass = "tt-use-fpu";

enum { MOST_STEPS = 8 };

/* A section that ends in steps, each a block that is broadcast and a product or sum with it. */
typedef struct Chain {
  TtArena *arena;
  MlirOperation func;
  const TtSection *section;
  intptr_t head; /* ops before the first product with a broadcast block */
  MlirOperation bcast[MOST_STEPS], combine[MOST_STEPS];
  intptr_t n;
} Chain;

static bool is_sfpu(MlirOperation op, TtSfpu function) {
  return tt_sfpu_combine_isa(op) && tt_sfpu_combine_op(op) == function;
}

/* The tile that a step goes on with, of the two that its op takes; -1 where it is no step. */
static int64_t step_tile(MlirOperation bcast, MlirOperation combine) {
  if (!tt_bcast_to_dst_isa(bcast) ||
      (!is_sfpu(combine, TT_SFPU_MUL) && !is_sfpu(combine, TT_SFPU_ADD)))
    return -1;
  MlirAttribute sources = tt_sfpu_combine_sources(combine);
  int64_t a = mlirDenseI64ArrayGetElement(sources, 0), b = mlirDenseI64ArrayGetElement(sources, 1),
          t = tt_op_dst(bcast);
  return a == b ? -1 : b == t ? a : a == t ? b : -1;
}

/* The steps at the end of a section, from its first product on. */
static void find_steps(Chain *c) {
  const TtOps *ops = &c->section->ops;
  intptr_t i = ops->n;
  MlirOperation bcast[MOST_STEPS], combine[MOST_STEPS];
  intptr_t n = 0;
  for (int64_t tile = tt_packed_tile(c->section); i >= 3 && n < MOST_STEPS; i -= 2) {
    if (tt_op_dst(ops->data[i - 1]) != tile) break;
    tile = step_tile(ops->data[i - 2], ops->data[i - 1]);
    if (tile < 0 || tt_op_dst(ops->data[i - 3]) != tile) break;
    bcast[n] = ops->data[i - 2], combine[n++] = ops->data[i - 1];
  }
  for (; n > 0 && !is_sfpu(combine[n - 1], TT_SFPU_MUL); i += 2) --n; /* a part of the head */
  c->head = i, c->n = n;
  for (intptr_t s = 0; s < n; ++s)
    c->bcast[s] = bcast[n - 1 - s], c->combine[s] = combine[n - 1 - s];
}

/* Products of the chain. */
static intptr_t products(const Chain *c) {
  intptr_t n = 0;
  for (intptr_t s = 0; s < c->n; ++s) n += is_sfpu(c->combine[s], TT_SFPU_MUL);
  return n;
}

static MlirType wide_type(const Chain *c) {
  return mlirF32TypeGet(mlirOperationGetContext(c->func));
}

/*===- Whether it pays -----------------------------------------------------------------------===*/

static uint64_t bytes_of(MlirValue cb) {
  return tt_element_tile_bytes(tt_cb_type_element_type(mlirValueGetType(cb)));
}

/* Whether step `s` is a sum that the product before it is added to. */
static bool is_added(const Chain *c, intptr_t s) {
  return s < c->n && is_sfpu(c->combine[s], TT_SFPU_ADD);
}

/* Clk a tile of the section of product `s`, with the sums behind it. */
static double product_clk(const Chain *c, intptr_t s) {
  const TtChip *chip = tt_target_of(c->func).chip;
  const TtCosts *costs = tt_costs(chip);
  double unpack = tt_unpack_clk(
             chip, costs,
             tt_element_tile_bytes(wide_type(c)) + bytes_of(tt_bcast_to_dst_a(c->bcast[s])), false),
         math = tt_math_clk(costs, TT_MATH_mul_bcast_col, TT_FIDELITIES);
  TtOps sums = {NULL, 0, 0};
  for (intptr_t next = s + 1; is_added(c, next); ++next) {
    tt_ops_add(c->arena, &sums, c->bcast[next]);
    if (next > s + 1) tt_ops_add(c->arena, &sums, c->combine[next]);
  }
  double added = sums.n > 0 ? tt_section_clk(c->func, &sums, NULL) : 0;
  return (unpack > math ? unpack : math) + added;
}

/* Clk a tile as it is, and with products on the FPU. */
static void costs_of(const Chain *c, double *before, double *after) {
  TtOps head = {NULL, 0, 0};
  MlirType out = tt_cb_type_element_type(mlirValueGetType(c->section->out)), wide = wide_type(c);
  for (intptr_t i = 0; i < c->head; ++i) tt_ops_add(c->arena, &head, c->section->ops.data[i]);
  *before = tt_section_clk(c->func, &c->section->ops, &out);
  *after = tt_section_clk(c->func, &head, &wide);
  for (intptr_t s = 0; s < c->n; ++s)
    if (!is_added(c, s)) *after += product_clk(c, s);
}

/* Why the vector unit goes on; NULL where the FPU takes the products. */
static const char *why_not(const Chain *c, double *before, double *after) {
  TtDType dtype = TT_D_TYPE_FP32;
  MlirType type = mlirValueGetType(c->section->out);
  if (!tt_dtype_of(tt_cb_type_element_type(type), &dtype) || dtype != TT_D_TYPE_BF16)
    return "the result has more bits than it would have";
  if (!tt_multiplies_all_bits(c->func)) return "the FPU leaves out bits in this fidelity";
  costs_of(c, before, after);
  if (*after > *before) return "the vector unit is faster";
  TtDfg dfg;
  bool silent = tt_silence(true), known = tt_analyze_dfg(c->arena, c->func, &dfg);
  tt_silence(silent);
  int64_t bytes = products(c) * tt_cb_tiles(type) * (int64_t)tt_element_tile_bytes(wide_type(c));
  return known && tt_l1_left(&dfg) >= bytes ? NULL : "L1 has no room for what is multiplied";
}

/*===- What is there already -----------------------------------------------------------------===*/

static bool same_op(MlirOperation a, MlirOperation b) {
  return tt_fpu_sub_isa(a) && tt_fpu_sub_isa(b) && tt_value_eq(tt_fpu_sub_a(a), tt_fpu_sub_a(b)) &&
         tt_value_eq(tt_fpu_sub_b(a), tt_fpu_sub_b(b)) &&
         mlirAttributeEqual(tt_fpu_sub_bcast(a), tt_fpu_sub_bcast(b));
}

/* Whether `op` gives `cb` another block. */
static bool changes(MlirOperation op, MlirValue cb) {
  MlirValue out = tt_op_fills(op);
  TtAct does = tt_op_info(op)->does;
  bool holds = (does == TT_ACT_OPEN || does == TT_ACT_CLOSE) &&
               tt_value_eq(mlirOperationGetOperand(op, 0), cb);
  return holds || (!tt_is_null_value(out) && tt_value_eq(out, cb));
}

static bool stays(TtArena *arena, MlirOperation from, MlirOperation to, MlirValue cb) {
  for (MlirOperation op = from; !tt_op_eq(op, to); op = tt_next(op)) {
    TtOps inside = tt_collect(arena, op, NULL);
    if (changes(op, cb)) return false;
    for (intptr_t i = 0; i < inside.n; ++i)
      if (changes(inside.data[i], cb)) return false;
  }
  return true;
}

/* One op fills it, and it is no tensor's and held by none. */
static bool is_filled_once(MlirValue cb) {
  intptr_t fillers = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    TtAct does = tt_op_info(op)->does;
    if (does != TT_ACT_COMPUTE && does != TT_ACT_PACK_BLOCK) return false;
    fillers += tt_value_eq(tt_op_fills(op), cb);
  }
  return fillers == 1;
}

/* The circular buffer in which the head's one difference is already, in f32, or null. */
static MlirValue known_head(const Chain *c, const TtSections *all) {
  MlirOperation head = c->section->ops.data[0];
  MlirValue none = {NULL};
  if (c->head != 1 || !tt_fpu_sub_isa(head)) return none;
  for (const TtSection *s = all->data; s < c->section; ++s) {
    MlirOperation op = s->ops.data[0];
    if (s->ops.n != 1 || !same_op(op, head) || !is_filled_once(s->out) ||
        !mlirTypeIsAF32(tt_cb_type_element_type(mlirValueGetType(s->out))))
      continue;
    if (stays(c->arena, op, head, tt_fpu_sub_a(op)) && stays(c->arena, op, head, tt_fpu_sub_b(op)))
      return s->out;
  }
  return none;
}

/*===- The products --------------------------------------------------------------------------===*/

static MlirValue new_factor(const Chain *c, MlirLocation loc) {
  MlirType type = mlirValueGetType(c->section->out);
  return tt_new_block(c->func, loc, "factor", tt_cb_rows(type), tt_cb_cols(type), wide_type(c));
}

/* What the first product takes. */
static MlirValue keep_head(const Chain *c, const TtSections *all) {
  MlirOperation last = c->section->ops.data[c->head - 1];
  MlirLocation loc = mlirOperationGetLocation(last);
  MlirValue known = known_head(c, all), none = {NULL};
  if (!tt_is_null_value(known)) return mlirOperationDestroy(last), known;
  MlirValue factor = new_factor(c, loc);
  TtBuilder b = tt_builder_after(last);
  tt_pack_to_cb_create(&b, loc, tt_op_dst(last), mlirAttributeGetNull(), factor, none);
  return factor;
}

/* Product `s` and the sums behind it, up to step `end`, of what is in `factor`. */
static MlirValue multiply(const Chain *c, TtBuilder *b, intptr_t s, intptr_t end,
                          MlirValue factor) {
  MlirLocation loc = mlirOperationGetLocation(c->combine[s]);
  MlirValue to = end == c->n ? c->section->out : new_factor(c, loc), none = {NULL},
            with = tt_bcast_to_dst_a(c->bcast[s]), first = end == s + 1 || end == s + 2 ? to : none;
  MlirAttribute bcast = tt_op_attr(c->bcast[s], "bcast"),
                both = mlirDenseI64ArrayGet(b->context, 2, (int64_t[]){0, 1});
  for (intptr_t next = s + 1; next < end; ++next) {
    MlirOperation added = c->bcast[next];
    tt_bcast_to_dst_create(b, mlirOperationGetLocation(added), tt_bcast_to_dst_a(added),
                           (TtBcast)tt_int(tt_op_attr(added, "bcast")),
                           tt_bcast_to_dst_zeros(added), next > s + 1, none);
    if (next == s + 1) tt_fpu_mul_add_create(b, loc, factor, with, bcast, 0, first);
    else
      tt_sfpu_combine_create(b, mlirOperationGetLocation(added), TT_SFPU_ADD, both, 0,
                             next + 1 == end ? to : none);
  }
  if (end == s + 1) tt_fpu_mul_create(b, loc, factor, with, bcast, 0, first);
  return to;
}

static void use_fpu(const Chain *c, const TtSections *all) {
  const TtSection *section = c->section;
  TtBuilder b = tt_builder_after(
      mlirOperationIsNull(section->pack) ? section->ops.data[section->ops.n - 1] : section->pack);
  MlirValue factor = keep_head(c, all);
  for (intptr_t s = 0, end; s < c->n; s = end) {
    for (end = s + 1; is_added(c, end);) ++end;
    factor = multiply(c, &b, s, end, factor);
  }
  if (!mlirOperationIsNull(section->pack)) mlirOperationDestroy(section->pack);
  for (intptr_t i = section->ops.n; i-- > c->head;) mlirOperationDestroy(section->ops.data[i]);
}

/* The section that ends with `op`; false where none does. */
static bool change_at(TtArena *arena, MlirOperation func, MlirOperation op) {
  TtSections all = tt_sections_of(arena, mlirOperationGetBlock(op));
  Chain c = {.arena = arena, .func = func};
  double before = 0, after = 0;
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_op_eq(all.data[i].ops.data[all.data[i].ops.n - 1], op)) c.section = &all.data[i];
  if (!c.section) return false;
  find_steps(&c);
  if (c.n == 0) return false;
  const char *reason = why_not(&c, &before, &after);
  if (reason) {
    tt_remark(op, TT_REMARK_MISSED, pass, "the vector unit multiplies: %s", reason);
    return false;
  }
  tt_remark(op, TT_REMARK_PASSED, pass,
            "the FPU multiplies by what is broadcast: about %.0f clk a tile, not %.0f", after,
            before);
  use_fpu(&c, &all);
  return true;
}

/* Constants that nothing takes any more. */
static void drop_constants(TtArena *arena, MlirOperation func) {
  TtOps fills = tt_collect(arena, func, "tt.sfpu.unary");
  for (intptr_t i = 0; i < fills.n; ++i) {
    MlirValue out = tt_op_fills(fills.data[i]);
    if (tt_sfpu_unary_op(fills.data[i]) != TT_SFPU_FILL || tt_is_null_value(out)) continue;
    MlirOpOperand use = mlirValueGetFirstUse(out);
    if (mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) mlirOperationDestroy(fills.data[i]);
  }
}

static bool use_fpu_in(TtArena *arena, MlirOperation func) {
  TtOpMap seen = {NULL, 0, 0};
  for (bool changed = tt_dst_is_32bit(func); changed;) {
    TtOps ops = tt_collect(arena, func, "tt.sfpu.combine");
    changed = false;
    for (intptr_t i = 0; i < ops.n && !changed; ++i) {
      if (tt_op_map_get(&seen, ops.data[i]) >= 0) continue;
      tt_op_map_set(arena, &seen, ops.data[i], 1);
      changed = change_at(arena, func, ops.data[i]);
    }
  }
  drop_constants(arena, func);
  tt_erase_dead(func);
  return true;
}

bool tt_run_use_fpu(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, use_fpu_in);
}
