/*===- halve_functions.c - --tt-halve-functions -------------------------------------------------===
 *
 * Has functions of what is one number a row compute the left half of each tile.
 *
 *   before  tt.fpu.sub %old, %new, dst = 0      tt.sfpu.unary exp, dst = 0 -> %f
 *   after   tt.fpu.sub %old, %new, dst = 0      tt.sfpu.unary exp_column, dst = 0 -> %f
 *           tt.fpu.mul %sum, %f bcast cols, dst = 0 -> %sum                (all that takes %f)
 *
 * The vector unit takes as long as it has faces of 16 x 16 to compute, and a column lies in two of
 * four: VectorMode::C. Done where all that is made of a circular buffer is made of its first
 * column: ops that broadcast it, and ops tile by tile whose own results are taken so. What is in
 * the other columns was never a part of a result. Changes no result.
 *
 * Requires tile intrinsics (C2), before the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Support/value_map.h"
#include "Target/sfpu.h"

static const char *const pass = "tt-halve-functions";

/* Circular buffers of which a column alone counts: 1; others: 0. */
typedef struct Columns {
  TtArena *arena;
  MlirOperation func;
  TtValueMap of;
} Columns;

static bool is_column(const Columns *c, MlirValue cb) { return tt_value_map_get(&c->of, cb) == 1; }

/* An op whose result at a place of a tile is made of what its operands have there, or broadcast. */
static bool is_by_element(MlirOperation op) {
  if (tt_copy_to_dst_isa(op)) return mlirAttributeIsNull(tt_copy_to_dst_transpose(op));
  return tt_fpu_add_isa(op) || tt_fpu_sub_isa(op) || tt_fpu_mul_isa(op) || tt_fpu_mul_add_isa(op) ||
         tt_bcast_to_dst_isa(op) || tt_sfpu_unary_isa(op) || tt_sfpu_combine_isa(op) ||
         tt_sfpu_scalar_isa(op);
}

/* Whether the section of DST that `op` is a part of fills circular buffers of which a column alone
 * counts, and computes element by element from there on. */
static bool goes_to_columns(const Columns *c, MlirOperation op) {
  bool filled = false;
  for (MlirOperation at = op; !mlirOperationIsNull(at); at = tt_next(at)) {
    TtAct does = tt_op_info(at)->does;
    if (mlirOperationGetNumRegions(at) > 0 || (filled && does == TT_ACT_COMPUTE)) return filled;
    if (does != TT_ACT_COMPUTE && does != TT_ACT_PACK_BLOCK) continue;
    if (does == TT_ACT_COMPUTE && !is_by_element(at)) return false;
    MlirValue out = tt_op_fills(at);
    if (tt_is_null_value(out)) continue;
    if (!is_column(c, out)) return false;
    filled = true;
  }
  return filled;
}

/* Whether `op` takes no more than a column of `cb`. */
static bool takes_column(const Columns *c, MlirOperation op, MlirValue cb) {
  const TtOpInfo *info = tt_op_info(op);
  if (info->does == TT_ACT_OPEN || info->does == TT_ACT_CLOSE || info->does == TT_ACT_LOAD ||
      info->does == TT_ACT_PACK_BLOCK)
    return true;
  if (info->does != TT_ACT_COMPUTE) return false;
  for (int i = 0; i < info->num_reads; ++i) {
    if (!tt_value_eq(tt_op_reads(op, i), cb)) continue;
    MlirAttribute bcast = tt_op_attr(op, "bcast");
    bool spread = info->takes[i] == TT_TAKES_BCAST && !mlirAttributeIsNull(bcast);
    if (spread ? tt_int(bcast) != TT_BCAST_COLS : !is_by_element(op) || !goes_to_columns(c, op))
      return false;
  }
  return true;
}

static bool is_taken_as_column(const Columns *c, MlirValue cb) {
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!takes_column(c, mlirOpOperandGetOwner(use), cb)) return false;
  return true;
}

/* All circular buffers, less those of which more counts, until there are no more of these. */
static void find_columns(Columns *c) {
  TtOps allocs = tt_collect(c->arena, c->func, "tt.alloc_cb");
  for (intptr_t i = 0; i < allocs.n; ++i)
    tt_value_map_set(c->arena, &c->of, tt_alloc_cb_cb(allocs.data[i]), 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (intptr_t i = 0; i < allocs.n; ++i) {
      MlirValue cb = tt_alloc_cb_cb(allocs.data[i]);
      if (!is_column(c, cb) || is_taken_as_column(c, cb)) continue;
      tt_value_map_set(c->arena, &c->of, cb, 0);
      changed = true;
    }
  }
}

static bool halve(TtArena *arena, MlirOperation func) {
  Columns c = {.arena = arena, .func = func};
  TtOps ops = tt_collect(arena, func, NULL);
  find_columns(&c);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!tt_sfpu_unary_isa(op) && !tt_sfpu_combine_isa(op)) continue;
    int function = (int)tt_int(tt_op_attr(op, "op")), half = tt_sfpu_of_column(function);
    if (half < 0 || !goes_to_columns(&c, op)) continue;
    mlirOperationSetInherentAttributeByName(
        op, tt_str("op"), tt_i32_attr(mlirOperationGetContext(op), (int32_t)half));
    tt_remark(op, TT_REMARK_PASSED, pass,
              "%s computes the left half of a tile, of one number a row",
              tt_sfpu_functions[function].name);
  }
  return true;
}

bool tt_run_halve_functions(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, halve);
}
