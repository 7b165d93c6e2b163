/*===- drop_clamps.c - --tt-drop-clamps ---------------------------------------------------------===
 *
 * Has the packer make zeros of what fast exponentials of small numbers give, and not the vector
 * unit.
 *
 *   before  for %t < 4 { sub_tiles_bcast_cols %s, %m, %t, 0, %t; sfpu_tile exp_below, %t }
 *           cb_reserve_back %w, 4; tt.pack_to_cb dst = 0 tiles = 4 -> %w; cb_push_back %w, 4
 *   after   metalium.pack_relu_config true
 *           for %t < 4 { sub_tiles_bcast_cols …; sfpu_tile exp_signed, %t }
 *           cb_reserve_back %w, 4; tt.pack_to_cb …; cb_push_back %w, 4
 *           metalium.pack_relu_config false
 *
 * An approximate exponential first raises what is below -88, whose bits would come out negative:
 * half of its instructions. The packer drops negative numbers for nothing: 71 clk a tile on
 * Wormhole, where it was 107. Without the clamp results end before 2, so that arguments must not be
 * above ln 2, which
 * --tt-fuse-functions has looked at. Around loops the packer is told once. Changes no result.
 *
 * Requires D3, before D4. Leaves functions alone whose results are not packed right behind them, or
 * beside others that may be negative.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Target/sfpu.h"

static const char *const pass = "tt-drop-clamps";

/* Ops of one block, which compute exponentials and pack them. */
typedef struct Section {
  TtArena *arena;
  MlirOperation function, first, last;
} Section;

static bool is_exponential(MlirOperation op, TtSfpu which) {
  return metalium_sfpu_tile_isa(op) && metalium_sfpu_tile_op(op) == which;
}

typedef struct Contents {
  bool math, packs;
} Contents;

static Contents contents_of(TtArena *arena, MlirOperation op) {
  TtOps ops = tt_collect(arena, op, NULL);
  tt_ops_add(arena, &ops, op);
  Contents c = {false, false};
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtAct does = tt_op_info(ops.data[i])->does;
    c.math |= does == TT_ACT_MATH;
    c.packs |= does == TT_ACT_PACK_BLOCK;
  }
  return c;
}

/* The first op of the section that `op` is in, among those beside it. */
static MlirOperation section_start(TtArena *arena, MlirOperation op) {
  MlirOperation start = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (MlirOperation at = start; !tt_op_eq(at, op); at = tt_next(at))
    if (contents_of(arena, at).packs) start = tt_next(at);
  return start;
}

/* Whether what is computed from `start` on, up to `end`, is this tile of DST alone; a null `dst`:
 * nothing is. */
static bool computes_only(TtArena *arena, MlirOperation start, MlirOperation end, MlirValue dst) {
  for (MlirOperation op = start; !tt_op_eq(op, end); op = tt_next(op)) {
    if (!contents_of(arena, op).math) continue;
    MlirValue made = tt_operand_at(op, tt_op_info(op)->dst);
    if (tt_is_null_value(dst) || tt_is_null_value(made) || !tt_same_index(arena, made, dst))
      return false;
  }
  return true;
}

/* Behind `from`, ops that compute nothing, and among them packs. */
static bool find_packs(Section *s, MlirOperation from) {
  for (MlirOperation op = tt_next(from); !mlirOperationIsNull(op); op = tt_next(op)) {
    Contents c = contents_of(s->arena, op);
    if (c.math) break;
    if (c.packs) s->last = op;
  }
  return !mlirOperationIsNull(s->last);
}

/* A tile is computed and packed beside each other, or some are computed in a loop and packed
 * behind. */
static bool find_section(Section *s) {
  MlirOperation op = s->function, loop = tt_parent(op), none = {NULL};
  MlirValue nothing = {NULL};
  s->first = section_start(s->arena, op);
  if (!computes_only(s->arena, s->first, op, metalium_sfpu_tile_dst(op))) return false;
  if (find_packs(s, op)) return true;
  bool whole = tt_op_eq(s->first, mlirBlockGetFirstOperation(mlirOperationGetBlock(op)));
  if (!whole || !tt_op_is(loop, "scf.for") || !computes_only(s->arena, tt_next(op), none, nothing))
    return false;
  s->first = section_start(s->arena, loop);
  return computes_only(s->arena, s->first, loop, nothing) && find_packs(s, loop);
}

/* Whether a block does nothing with the engine but from `first` to `last`. */
static bool holds_only(const Section *s, MlirBlock block) {
  bool inside = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !tt_is_terminator(op);
       op = tt_next(op)) {
    inside |= tt_op_eq(op, s->first);
    Contents c = contents_of(s->arena, op);
    if (!inside && (c.math || c.packs)) return false;
    if (tt_op_eq(op, s->last)) inside = false;
  }
  return true;
}

/* Loops that do nothing else with the engine. */
static void widen(Section *s) {
  for (MlirOperation loop = tt_parent(s->first);
       tt_op_is(loop, "scf.for") && holds_only(s, tt_for_body(loop)); loop = tt_parent(loop))
    s->first = s->last = loop;
}

static void tell_packer(const Section *s) {
  MlirLocation loc = mlirOperationGetLocation(s->function);
  TtBuilder before = tt_builder_before(s->first), after = tt_builder_after(s->last);
  metalium_pack_relu_config_create(&before, loc, tt_bool(&before, loc, true));
  metalium_pack_relu_config_create(&after, loc, tt_bool(&after, loc, false));
  mlirOperationSetInherentAttributeByName(
      s->function, tt_str("op"),
      tt_i32_attr(mlirOperationGetContext(s->function), TT_SFPU_EXP_SIGNED));
  tt_remark(s->function, TT_REMARK_PASSED, pass,
            "the packer drops what small exponentials leave below zero");
}

static bool drop_clamps(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    TtOps functions = tt_collect(arena, kernels.data[i], "metalium.sfpu_tile");
    for (intptr_t j = 0; j < functions.n; ++j) {
      Section s = {.arena = arena, .function = functions.data[j]};
      if (!is_exponential(s.function, TT_SFPU_EXP_BELOW)) continue;
      if (find_section(&s)) widen(&s), tell_packer(&s);
      else
        tt_remark(s.function, TT_REMARK_MISSED, pass,
                  "an exponential raises small numbers: it is not packed right behind, alone");
    }
  }
  return true;
}

bool tt_run_drop_clamps(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, drop_clamps);
}
