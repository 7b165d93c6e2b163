/*===- pack_beside.c - --tt-pack-beside ---------------------------------------------------------===
 *
 * Packs a block that others take before it is copied to where it would be copied, as well.
 *
 *   before  …; cb_reserve_back %new, 2; tt.pack_to_cb dst = 0 tiles = 2 -> %new
 *           cb_push_back %new, 2
 *           for %t < 2 { sub_tiles %old, %new, %t, %t, 0; … }
 *           for %t < 2 { copy_tile %new, %t, 0; cb_reserve_back %old, 1
 *                        tt.pack_to_cb dst = 0 tiles = 1 -> %old; cb_push_back %old, 1 }
 *           cb_pop_front %new, 2; cb_pop_front %old, 2
 *   after   …; cb_reserve_back %new, 2; cb_reserve_back %old, 2
 *           tt.pack_to_cb dst = 0 tiles = 2 -> %new; cb_push_back %new, 2
 *           tt.pack_to_cb dst = 0 tiles = 2 -> %old; cb_push_back %old, 2
 *           for %t < 2 { sub_tiles %old, %new, %t, %t, 0; … }
 *           cb_pop_front %new, 2; cb_pop_front %old, 2
 *
 * So the largest scores that a step of attention keeps for the next one, and compares with the ones
 * before, are one section of DST, and what takes them waits for no copy. Legal where the first
 * buffer holds that block and no other, one pack fills it, both have one format with all bits of
 * DST, and what stands between the pack and the copy takes no more of the second one than the
 * pages in front: then there is as much room for the block at the pack as at the copy. Changes no
 * result, but for bits that the copy would have lost in the source registers.
 *
 * --tt-pack-copies is for blocks that nothing but copies takes. Requires D3, before D4.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Protocol/move.h"

#include <string.h>

static const char *const pass = "tt-pack-beside";

/* A loop that copies a block, and what packs the block. */
typedef struct Copy {
  TtArena *arena;
  MlirOperation program, kernel, loop;
  MlirValue from, to;
  int64_t tiles;
  MlirOperation pack, reserve, push, pop; /* of `from` */
  MlirOperation at;                       /* what holds the pack, in the block of the loop */
} Copy;

static TtAct act_of(MlirOperation op) { return tt_op_info(op)->does; }

static MlirOperation decl_of(const Copy *c, MlirValue cb) { return tt_cb_decl(c->program, cb); }

static int64_t trips_of(MlirOperation loop) {
  int64_t lower, upper, step;
  return tt_op_is(loop, "scf.for") && tt_constant(mlirOperationGetOperand(loop, 0), &lower) &&
                 lower == 0 && tt_constant(mlirOperationGetOperand(loop, 1), &upper) &&
                 tt_constant(mlirOperationGetOperand(loop, 2), &step) && step == 1
             ? upper
             : -1;
}

/* Pages that an op counts; -1 where they are not known. */
static int64_t pages_of(MlirOperation op) {
  int64_t n;
  return tt_constant(mlirOperationGetOperand(op, 1), &n) ? n : -1;
}

static bool is_first_tile(MlirValue dst) {
  int64_t n;
  return tt_constant(dst, &n) && n == 0;
}

/*===- The copy ------------------------------------------------------------------------------===*/

/* Whether the loop copies tile by tile, and does nothing else. */
static bool read_copy(Copy *c) {
  intptr_t copies = 0, packs = 0, counts = 0;
  c->tiles = trips_of(c->loop);
  if (c->tiles < 1) return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(c->loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    MlirValue to = {NULL};
    if (tt_is_index_op(op)) continue;
    if (tt_op_is(op, "metalium.copy_tile")) {
      c->from = mlirOperationGetOperand(op, 0);
      if (++copies > 1 || !tt_value_eq(mlirOperationGetOperand(op, 1), tt_for_iv(c->loop)) ||
          !is_first_tile(mlirOperationGetOperand(op, 2)))
        return false;
      continue;
    }
    if (tt_pack_to_cb_isa(op)) {
      MlirAttribute tiles = tt_pack_to_cb_tiles(op);
      if (++packs > 1 || mlirAttributeIsNull(tiles) || tt_int(tiles) != 1 ||
          tt_int(tt_pack_to_cb_dst(op)) != 0 || !tt_is_null_value(tt_pack_to_cb_place(op)))
        return false;
      to = tt_pack_to_cb_out(op);
    } else if (act_of(op) == TT_ACT_RESERVE || act_of(op) == TT_ACT_PUSH) {
      if (++counts > 2 || pages_of(op) != 1) return false;
      to = mlirOperationGetOperand(op, 0);
    } else {
      return false;
    }
    if (!tt_is_null_value(c->to) && !tt_value_eq(c->to, to)) return false;
    c->to = to;
  }
  return copies == 1 && packs == 1 && counts == 2 &&
         !tt_op_eq(decl_of(c, c->from), decl_of(c, c->to));
}

/*===- What packs the block ------------------------------------------------------------------===*/

/* Sorts what the kernel does with `from`: one pack, reserve, push and pop, and what reads it. */
static bool sort_uses(Copy *c) {
  TtOps ops = tt_collect(c->arena, c->kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i], *known = NULL;
    bool packs = tt_pack_to_cb_isa(op);
    MlirValue cb = packs ? tt_pack_to_cb_out(op) : (MlirValue){NULL};
    TtAct does = act_of(op);
    if (packs) known = &c->pack;
    else if (does == TT_ACT_RESERVE) known = &c->reserve;
    else if (does == TT_ACT_PUSH) known = &c->push;
    else if (does == TT_ACT_POP) known = &c->pop;
    if (!known) continue;
    if (!packs) cb = mlirOperationGetOperand(op, 0);
    if (!tt_op_eq(decl_of(c, cb), decl_of(c, c->from))) continue;
    if (!mlirOperationIsNull(*known)) return false;
    *known = op;
  }
  return !mlirOperationIsNull(c->pack) && !mlirOperationIsNull(c->reserve) &&
         !mlirOperationIsNull(c->push) && !mlirOperationIsNull(c->pop);
}

/* Whether the pack gives the whole block, in the block of ops where it is copied and popped. */
static bool packs_block(Copy *c) {
  MlirBlock block = mlirOperationGetBlock(c->loop), in = mlirOperationGetBlock(c->pack);
  MlirAttribute tiles = tt_pack_to_cb_tiles(c->pack);
  if (mlirAttributeIsNull(tiles) || !tt_is_null_value(tt_pack_to_cb_place(c->pack))) return false;
  int64_t n = tt_int(tiles);
  if (pages_of(c->reserve) != n || pages_of(c->push) != n || pages_of(c->pop) != c->tiles ||
      !mlirBlockEqual(mlirOperationGetBlock(c->reserve), in) ||
      !mlirBlockEqual(mlirOperationGetBlock(c->push), in) || !tt_is_before(c->reserve, c->pack) ||
      !tt_is_before(c->pack, c->push))
    return false;
  for (c->at = c->pack; !mlirBlockEqual(mlirOperationGetBlock(c->at), block);) {
    c->at = tt_parent(c->at);
    int64_t trips = trips_of(c->at);
    if (trips < 1) return false;
    n *= trips;
  }
  return n == c->tiles && tt_is_before(c->at, c->loop) &&
         mlirBlockEqual(mlirOperationGetBlock(c->pop), block) && tt_is_before(c->loop, c->pop);
}

/* Whether `to` is the kernel's own, and holds the block as `from` does. */
static bool is_alike(const Copy *c) {
  MlirOperation from = decl_of(c, c->from), to = decl_of(c, c->to);
  TtDataFormat all = tt_dst_is_32bit(c->program) ? TT_DATA_FORMAT_FLOAT32 : TT_DATA_FORMAT_BFLOAT16;
  return tt_circular_buffer_role(from) == TT_CB_ROLE_INTERMEDIATE &&
         tt_circular_buffer_role(to) == TT_CB_ROLE_INTERMEDIATE && tt_cb_format(from) == all &&
         tt_cb_format(to) == all && tt_cb_tiles(mlirValueGetType(c->to)) == c->tiles &&
         tt_int(tt_circular_buffer_pages(to)) % c->tiles == 0;
}

/* Whether an op, or one inside of it, moves pages of `to`, or waits for some. */
static bool counts(const Copy *c, MlirOperation root) {
  TtOps ops = tt_collect(c->arena, root, NULL);
  tt_ops_add(c->arena, &ops, root);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    TtAct does = act_of(op);
    bool moves = does == TT_ACT_RESERVE || does == TT_ACT_PUSH || does == TT_ACT_WAIT ||
                 does == TT_ACT_POP || does == TT_ACT_PACK_BLOCK;
    for (intptr_t k = 0; moves && k < mlirOperationGetNumOperands(op); ++k)
      if (tt_op_eq(decl_of(c, mlirOperationGetOperand(op, k)), decl_of(c, c->to))) return true;
  }
  return false;
}

static const char *why_not(Copy *c) {
  if (!sort_uses(c) || !packs_block(c)) return "no single op packs it, as a whole";
  if (!is_alike(c)) return "the copy has another format, or less bits than DST";
  for (MlirOperation op = c->at; !tt_op_eq(op, c->loop); op = tt_next(op))
    if (counts(c, op)) return "pages move in the buffer of the copy meanwhile";
  return NULL;
}

/*===- Packing -------------------------------------------------------------------------------===*/

/* The comment that says what fills `cb`, the last one before `op`; or null. */
static MlirOperation comment_before(const Copy *c, MlirOperation op, MlirValue cb) {
  const char *start = tt_arena_printf(c->arena, "%s = ", tt_handle_name(c->arena, cb));
  MlirOperation found = {NULL};
  for (MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op)); !tt_op_eq(at, op);
       at = tt_next(at))
    if (metalium_comment_isa(at)) found = at;
  if (mlirOperationIsNull(found)) return found;
  MlirStringRef text = tt_string(metalium_comment_text(found));
  return text.length > strlen(start) && memcmp(text.data, start, strlen(start)) == 0
             ? found
             : (MlirOperation){NULL};
}

/* %new = …   becomes   %new, %old = … */
static void rename_comment(const Copy *c) {
  MlirOperation comment = comment_before(c, c->at, c->from);
  if (mlirOperationIsNull(comment)) return;
  const char *name = tt_handle_name(c->arena, c->from);
  MlirStringRef text = tt_string(metalium_comment_text(comment));
  const char *now = tt_arena_printf(c->arena, "%s, %s%.*s", name, tt_handle_name(c->arena, c->to),
                                    (int)(text.length - strlen(name)), text.data + strlen(name));
  TtBuilder b = tt_builder_before(comment);
  metalium_comment_create(&b, mlirOperationGetLocation(comment), now);
  mlirOperationDestroy(comment);
}

/* The same op, on `to`. */
static void repeat_for_copy(const Copy *c, TtBuilder b, MlirOperation op) {
  MlirOperation copy = tt_builder_insert(&b, mlirOperationClone(op));
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(copy); ++k)
    if (tt_value_eq(mlirOperationGetOperand(copy, k), c->from))
      mlirOperationSetOperand(copy, k, c->to);
}

/* What takes the block first, and not its copy, has it before the copy is packed. */
static void pack_beside(const Copy *c) {
  repeat_for_copy(c, tt_builder_after(c->reserve), c->reserve);
  repeat_for_copy(c, tt_builder_after(c->push), c->push);
  repeat_for_copy(c, tt_builder_after(c->push), c->pack);
  rename_comment(c);
  MlirOperation comment = comment_before(c, c->loop, c->to);
  if (!mlirOperationIsNull(comment)) mlirOperationDestroy(comment);
  mlirOperationDestroy(c->loop);
}

static bool pack_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps loops = tt_collect(arena, kernels.data[k], "scf.for");
    for (intptr_t i = 0; i < loops.n; ++i) {
      Copy c = {.arena = arena, .program = program, .kernel = kernels.data[k]};
      c.loop = loops.data[i];
      if (!read_copy(&c)) continue;
      const char *reason = why_not(&c);
      if (reason) {
        tt_remark(c.loop, TT_REMARK_MISSED, pass, "a block is copied: %s", reason);
        continue;
      }
      tt_remark(c.loop, TT_REMARK_PASSED, pass, "what packs the block packs its copy as well");
      pack_beside(&c);
    }
    tt_erase_dead(kernels.data[k]);
  }
  return true;
}

bool tt_run_pack_beside(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, pack_in_program);
}
