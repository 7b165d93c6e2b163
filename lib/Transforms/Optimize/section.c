/*===- section.c - sections of DST before programs are made -----------------------------------===
 *
 *   tt.fpu.sub %x, %m bcast cols, dst = 0
 *   tt.sfpu.combine mul, [0, 0], dst = 0 -> %t
 *
 * is a section: ops that follow each other in DST, the last of which fills %t.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/section.h"

#include "Analysis/kernel.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Target/costs.h"
#include "Target/formats.h"

static void add(TtArena *arena, TtSections *all, TtSection *s, intptr_t *capacity) {
  if (all->n == *capacity) {
    TtSection *more = tt_arena_alloc(arena, (size_t)(2 * all->n + 8) * sizeof *more);
    for (intptr_t i = 0; i < all->n; ++i) more[i] = all->data[i];
    all->data = more, *capacity = 2 * all->n + 8;
  }
  all->data[all->n++] = *s;
}

/* Whether the last op that computes inside of a loop or branch leaves its result in DST. */
static bool leaves_result(TtArena *arena, MlirOperation op) {
  TtOps inside = tt_collect(arena, op, NULL);
  for (intptr_t i = inside.n; i-- > 0;) {
    TtAct does = tt_op_info(inside.data[i])->does;
    if (does == TT_ACT_COMPUTE || does == TT_ACT_PACK_BLOCK)
      return tt_is_null_value(tt_op_fills(inside.data[i]));
  }
  return false;
}

TtBlocks tt_blocks_of(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  TtBlocks blocks = {NULL, 0};
  for (int fill = 0; fill < 2; ++fill) {
    blocks.n = 0;
    if (fill) blocks.data[blocks.n] = tt_body(func);
    ++blocks.n;
    for (intptr_t i = 0; i < ops.n; ++i)
      for (intptr_t r = 0; r < mlirOperationGetNumRegions(ops.data[i]); ++r)
        for (MlirBlock b = mlirRegionGetFirstBlock(mlirOperationGetRegion(ops.data[i], r));
             !mlirBlockIsNull(b); b = mlirBlockGetNextInRegion(b), ++blocks.n)
          if (fill) blocks.data[blocks.n] = b;
    if (!fill) blocks.data = tt_arena_alloc(arena, (size_t)blocks.n * sizeof *blocks.data);
  }
  return blocks;
}

TtSections tt_sections_of(TtArena *arena, MlirBlock block) {
  TtSections all = {NULL, 0};
  TtSection s = {.pack = {NULL}};
  intptr_t capacity = 0;
  bool whole = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    const TtOpInfo *info = tt_op_info(op);
    bool computes = info->does == TT_ACT_COMPUTE, packs = info->does == TT_ACT_PACK_BLOCK;
    if (mlirOperationGetNumRegions(op) > 0 && (s.ops.n > 0 || leaves_result(arena, op)))
      whole = false;
    if (!computes && !packs) continue;
    if (computes) tt_ops_add(arena, &s.ops, op);
    else s.pack = op;
    if (info->node == TT_DFG_NODE_KIND_MATMUL) whole = false;
    s.out = tt_op_fills(op);
    if (tt_is_null_value(s.out)) continue;
    if (whole && s.ops.n > 0) add(arena, &all, &s, &capacity);
    s = (TtSection){.pack = {NULL}};
    whole = true;
  }
  return all;
}

bool tt_acts_on(MlirOperation op, TtAct does, MlirValue cb) {
  return tt_op_info(op)->does == does && tt_value_eq(mlirOperationGetOperand(op, 0), cb);
}

MlirOperation tt_next_at_work(MlirOperation op) {
  TtAct does;
  do op = tt_next(op), does = tt_op_info(op)->does;
  while (!mlirOperationIsNull(op) && mlirOperationGetNumRegions(op) == 0 &&
         does != TT_ACT_COMPUTE && does != TT_ACT_PACK_BLOCK);
  return op;
}

bool tt_is_plain_copy(MlirOperation op) {
  return !mlirOperationIsNull(op) && tt_copy_to_dst_isa(op) &&
         tt_is_null_value(tt_copy_to_dst_out(op)) &&
         mlirAttributeIsNull(tt_copy_to_dst_transpose(op)) &&
         mlirAttributeIsNull(tt_copy_to_dst_repeat(op));
}

int64_t tt_packed_tile(const TtSection *s) {
  return tt_op_dst(mlirOperationIsNull(s->pack) ? s->ops.data[s->ops.n - 1] : s->pack);
}

static bool uses(MlirOperation op, MlirValue cb) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tt_value_eq(mlirOperationGetOperand(op, i), cb)) return true;
  return false;
}

bool tt_has_use(TtArena *arena, MlirOperation op, MlirValue cb) {
  TtOps inside = tt_collect(arena, op, NULL);
  bool found = uses(op, cb);
  for (intptr_t i = 0; i < inside.n && !found; ++i) found = uses(inside.data[i], cb);
  return found;
}

/* Whether `op` ends the block of `cb`, or has another one follow it. */
static bool replaces(MlirOperation op, MlirValue cb) {
  MlirValue out = tt_op_fills(op);
  TtAct does = tt_op_info(op)->does;
  return (!tt_is_null_value(out) && tt_value_eq(out, cb)) ||
         ((does == TT_ACT_CLOSE || does == TT_ACT_OPEN || does == TT_ACT_LOAD) && uses(op, cb));
}

bool tt_stays(TtArena *arena, MlirOperation op, MlirValue cb, MlirOperation to) {
  for (MlirOperation at = tt_next(op); !tt_op_eq(at, to); at = tt_next(at)) {
    TtOps inside = tt_collect(arena, at, NULL);
    tt_ops_add(arena, &inside, at);
    for (intptr_t i = 0; i < inside.n; ++i)
      if (replaces(inside.data[i], cb)) return false;
  }
  return true;
}

bool tt_is_between_two(MlirValue cb) {
  intptr_t fillers = 0, takers = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    TtAct does = tt_op_info(op)->does;
    MlirValue out = tt_op_fills(op);
    if (does != TT_ACT_COMPUTE && does != TT_ACT_PACK_BLOCK) return false;
    if (!tt_is_null_value(out) && tt_value_eq(out, cb)) ++fillers;
    else ++takers;
  }
  return tt_alloc_cb_isa(tt_defining_op(cb)) && fillers == 1 && takers == 1;
}

MlirValue tt_new_block(MlirOperation func, MlirLocation loc, const char *name, int64_t rows,
                       int64_t cols, MlirType element) {
  TtBuilder top = tt_builder_at_start(tt_body(func));
  int64_t shape[2] = {rows, cols};
  MlirType type = tt_cb_type_get(top.context, 2, shape, element);
  return tt_alloc_cb_cb(tt_alloc_cb_create(&top, loc, type, name, tt_i64_attr(top.context, 1)));
}

bool tt_multiplies_all_bits(MlirOperation func) {
  MlirStringRef fidelity = tt_string(tt_get_attr(func, "tt.math_fidelity"));
  return fidelity.length == 0 || tt_str_eq(fidelity, "HiFi4") || tt_str_eq(fidelity, "HiFi3");
}

uint64_t tt_element_tile_bytes(MlirType element) {
  TtDType dtype = TT_D_TYPE_BF16;
  tt_dtype_of(element, &dtype);
  return (uint64_t)tt_format(dtype)->tile_bytes;
}

/* Math's part of an op on a tile, with all phases of fidelity. */
static double math_clk(const TtCosts *costs, MlirOperation op, bool wide) {
  const TtOpInfo *info = tt_op_info(op);
  if (info->unit == TT_UNIT_SFPU)
    return tt_sfpu_clk(costs, (int)tt_int(tt_op_attr(op, "op")), wide);
  bool mul = info->variant == TT_BINARY_MUL, copy = info->num_reads < 2;
  return tt_math_clk(costs,
                     mul    ? TT_MATH_mul_bcast_col
                     : copy ? TT_MATH_copy
                            : TT_MATH_add_bcast_col,
                     TT_FIDELITIES);
}

double tt_section_clk(MlirOperation func, const TtOps *ops, const MlirType *packed) {
  const TtChip *chip = tt_target_of(func).chip;
  const TtCosts *costs = tt_costs(chip);
  double math = 0, unpack = 0, pack = 0;
  for (intptr_t i = 0; i < ops->n; ++i) {
    const TtOpInfo *info = tt_op_info(ops->data[i]);
    uint64_t bytes = 0;
    for (int j = 0; j < info->num_reads; ++j)
      bytes += tt_element_tile_bytes(
          tt_cb_type_element_type(mlirValueGetType(tt_op_reads(ops->data[i], j))));
    if (bytes > 0) unpack += tt_unpack_clk(chip, costs, bytes, info->num_reads < 2);
    math += math_clk(costs, ops->data[i], tt_dst_is_32bit(func));
  }
  if (packed)
    pack =
        tt_pack_clk(costs, (uint32_t)(tt_element_tile_bytes(*packed) / (TT_TILE * TT_TILE)), false);
  double most = math > unpack ? math : unpack;
  return most > pack ? most : pack;
}
