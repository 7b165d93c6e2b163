/*===- pack_copies.c - --tt-pack-copies ---------------------------------------------------------===
 *
 * Packs tiles to all circular buffers to which they would be copied from another one.
 *
 *   before  for %j < 4 { mul_tiles …; cb_reserve_back %y, 1; tt.pack_to_cb dst = 0 -> %y
 *                        cb_push_back %y, 1 }
 *           cb_wait_front %y, 4
 *           for %t < 4 { copy_tile %y, %t, 0; cb_reserve_back %c, 1; tt.pack_to_cb dst = 0 -> %c
 *                        cb_push_back %c, 1 }
 *           for %t < 4 { copy_tile %y, %t, 0; … tt.pack_to_cb dst = 0 -> %d; … }
 *           cb_pop_front %y, 4
 *   after   for %j < 4 { mul_tiles …; cb_reserve_back %c, 1; tt.pack_to_cb dst = 0 -> %c
 *                        cb_push_back %c, 1
 *                        cb_reserve_back %d, 1; tt.pack_to_cb dst = 0 -> %d; cb_push_back %d, 1 }
 *
 * So a result that a kernel gives in two formats, as a norm that is added to later in f32 and
 * multiplied in bf16, is one section of DST. Legal where the copies are all that takes the buffer,
 * in the order of its tiles, nothing but they and pops stands between them and what packs it, and
 * its format has all bits of DST: f32 where DST has 32 bits, bf16 where it has 16. Changes no
 * result.
 *
 * Requires D3, before D4; behind the passes that look for sections that pack once.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Protocol/move.h"

#include <string.h>

static const char *const pass = "tt-pack-copies";

typedef struct Spread {
  TtArena *arena;
  MlirOperation program, decl; /* of the circular buffer */
  MlirValue cb;
  MlirOperation pop; /* of its block */
  TtOps packs, reserves, pushes, waits;
  TtOps copies; /* the loops, in order */
  int64_t tiles;
} Spread;

static TtAct act_of(MlirOperation op) { return tt_op_info(op)->does; }

/*===- What uses it ---------------------------------------------------------------------------===*/

static bool sort_use(Spread *s, MlirOperation op) {
  if (tt_pack_to_cb_isa(op)) tt_ops_add(s->arena, &s->packs, op);
  else if (act_of(op) == TT_ACT_RESERVE) tt_ops_add(s->arena, &s->reserves, op);
  else if (act_of(op) == TT_ACT_PUSH) tt_ops_add(s->arena, &s->pushes, op);
  else if (act_of(op) == TT_ACT_WAIT) tt_ops_add(s->arena, &s->waits, op);
  else if (act_of(op) == TT_ACT_POP && mlirOperationIsNull(s->pop)) s->pop = op;
  else return tt_op_is(op, "metalium.copy_tile");
  return true;
}

/* No kernel but the one with this handle has the circular buffer, and all uses are known. */
static bool sort_uses(Spread *s, MlirOperation handle) {
  TtOps handles = tt_collect(s->arena, s->program, "tt.get_cb");
  for (intptr_t i = 0; i < handles.n; ++i)
    if (!tt_op_eq(handles.data[i], handle) &&
        tt_op_eq(tt_cb_decl(s->program, mlirOperationGetResult(handles.data[i], 0)), s->decl))
      return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(s->cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!sort_use(s, mlirOpOperandGetOwner(use))) return false;
  return s->packs.n > 0 && !mlirOperationIsNull(s->pop) && s->reserves.n == s->packs.n &&
         s->pushes.n == s->packs.n;
}

static bool has_all_bits(const Spread *s) {
  TtDataFormat format = tt_cb_format(s->decl);
  return tt_dst_is_32bit(s->program) ? format == TT_DATA_FORMAT_FLOAT32
                                     : format == TT_DATA_FORMAT_BFLOAT16;
}

/*===- What packs it --------------------------------------------------------------------------===*/

/* Of some ops on the circular buffer, the one in this block, for `n` pages. */
static MlirOperation one_in(const TtOps *ops, MlirBlock block, int64_t n) {
  MlirOperation found = {NULL};
  for (intptr_t i = 0; i < ops->n; ++i) {
    int64_t pages;
    if (!mlirBlockEqual(mlirOperationGetBlock(ops->data[i]), block)) continue;
    if (!mlirOperationIsNull(found) ||
        !tt_constant(mlirOperationGetOperand(ops->data[i], 1), &pages) || pages != n)
      return (MlirOperation){NULL};
    found = ops->data[i];
  }
  return found;
}

static int64_t trips_of(MlirOperation loop) {
  int64_t lower, end, step;
  return tt_op_is(loop, "scf.for") && tt_constant(mlirOperationGetOperand(loop, 0), &lower) &&
                 lower == 0 && tt_constant(mlirOperationGetOperand(loop, 1), &end) &&
                 tt_constant(mlirOperationGetOperand(loop, 2), &step) && step == 1
             ? end
             : -1;
}

/* The tiles that a pack, with its reserve and push, gives before the pop; -1 where it does more.
 */
static int64_t tiles_of(const Spread *s, MlirOperation pack) {
  MlirBlock block = mlirOperationGetBlock(s->pop);
  MlirAttribute tiles = tt_pack_to_cb_tiles(pack);
  if (mlirAttributeIsNull(tiles) || !tt_is_null_value(tt_pack_to_cb_place(pack))) return -1;
  int64_t n = tt_int(tiles);
  MlirOperation reserve = one_in(&s->reserves, mlirOperationGetBlock(pack), n),
                push = one_in(&s->pushes, mlirOperationGetBlock(pack), n), op = pack;
  if (mlirOperationIsNull(reserve) || mlirOperationIsNull(push) || !tt_is_before(reserve, pack) ||
      !tt_is_before(pack, push))
    return -1;
  for (; !mlirBlockEqual(mlirOperationGetBlock(op), block); op = tt_parent(op)) {
    int64_t trips = trips_of(tt_parent(op));
    if (trips < 1) return -1;
    n *= trips;
  }
  return tt_is_before(op, s->pop) ? n : -1;
}

/* The first op in the block of the pop that packs the circular buffer. */
static MlirOperation first_pack(const Spread *s) {
  MlirBlock block = mlirOperationGetBlock(s->pop);
  MlirOperation first = tt_ancestor_in(block, s->packs.data[0]);
  for (intptr_t i = 1; i < s->packs.n; ++i) {
    MlirOperation at = tt_ancestor_in(block, s->packs.data[i]);
    if (!tt_op_eq(at, first) && tt_is_before(at, first)) first = at;
  }
  return first;
}

/*===- What copies it -------------------------------------------------------------------------===*/

/* What a loop fills that does nothing but copy the block, tile by tile; null where it does. */
static MlirValue target_of(const Spread *s, MlirOperation loop) {
  MlirValue out = {NULL}, none = {NULL};
  intptr_t copies = 0, packs = 0, counts = 0;
  if (trips_of(loop) != s->tiles) return none;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    int64_t dst;
    if (tt_is_index_op(op)) continue;
    if (act_of(op) == TT_ACT_WAIT && tt_value_eq(mlirOperationGetOperand(op, 0), s->cb)) continue;
    if (mlirOperationGetNumOperands(op) == 0) return none; /* a branch's, or of the engine */
    MlirValue cb = tt_pack_to_cb_isa(op) ? tt_pack_to_cb_out(op) : mlirOperationGetOperand(op, 0);
    if (tt_op_is(op, "metalium.copy_tile")) {
      if (!tt_value_eq(cb, s->cb) ||
          !tt_value_eq(mlirOperationGetOperand(op, 1), tt_for_iv(loop)) ||
          !tt_constant(mlirOperationGetOperand(op, 2), &dst) || dst != 0)
        return none;
      ++copies;
      continue;
    }
    if (tt_pack_to_cb_isa(op)) {
      MlirAttribute tiles = tt_pack_to_cb_tiles(op);
      if (mlirAttributeIsNull(tiles) || tt_int(tiles) != 1 || tt_int(tt_pack_to_cb_dst(op)) != 0 ||
          !tt_is_null_value(tt_pack_to_cb_place(op)))
        return none;
      ++packs;
    } else if (act_of(op) == TT_ACT_RESERVE || act_of(op) == TT_ACT_PUSH) {
      int64_t n;
      if (!tt_constant(mlirOperationGetOperand(op, 1), &n) || n != 1) return none;
      ++counts;
    } else {
      return none;
    }
    if (!tt_is_null_value(out) && !tt_value_eq(out, cb)) return none;
    out = cb;
  }
  return copies == 1 && packs == 1 && counts == 2 ? out : none;
}

static bool uses(MlirOperation root, MlirValue cb) {
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    for (MlirOperation op = mlirOpOperandGetOwner(use); !mlirOperationIsNull(op);
         op = tt_parent(op))
      if (tt_op_eq(op, root)) return true;
  return false;
}

/* Whether a target can be filled by what packs the block: it holds whole blocks, and none of that,
 * nor another copy, has to do with it. */
static bool can_fill(const Spread *s, MlirValue target, MlirOperation copy) {
  MlirOperation decl = tt_cb_decl(s->program, target);
  if (mlirOperationIsNull(decl) || tt_int(tt_circular_buffer_pages(decl)) % s->tiles != 0)
    return false;
  for (MlirOperation op = first_pack(s); !tt_op_eq(op, s->pop); op = tt_next(op))
    if (!tt_op_eq(op, copy) && uses(op, target)) return false;
  return true;
}

static bool is_one_of(const TtOps *ops, MlirOperation op) {
  for (intptr_t i = 0; i < ops->n; ++i)
    if (tt_op_eq(ops->data[i], op)) return true;
  return false;
}

static bool holds_pack(const Spread *s, MlirOperation op) {
  for (intptr_t i = 0; i < s->packs.n; ++i)
    if (tt_op_eq(tt_ancestor_in(mlirOperationGetBlock(s->pop), s->packs.data[i]), op)) return true;
  return false;
}

/* From the first pack to the pop of the block stands what packs, then what copies, and pops. */
static const char *find_copies(Spread *s) {
  for (MlirOperation op = first_pack(s); !tt_op_eq(op, s->pop); op = tt_next(op)) {
    if (mlirOperationIsNull(op)) return "its block is popped elsewhere";
    if (holds_pack(s, op)) {
      if (s->copies.n > 0) return "it is packed after it was copied";
      continue;
    }
    if (is_one_of(&s->reserves, op) || is_one_of(&s->pushes, op) || is_one_of(&s->waits, op) ||
        tt_is_index_op(op) || act_of(op) == TT_ACT_POP || tt_op_is(op, "metalium.comment"))
      continue;
    MlirValue target = target_of(s, op);
    if (tt_is_null_value(target)) return "others compute before the copies";
    if (!can_fill(s, target, op)) return "what it is copied to is filled by others";
    tt_ops_add(s->arena, &s->copies, op);
  }
  return s->copies.n > 0 ? NULL : "nothing copies it";
}

/* Whether all waits stand in the block, or in copies, which go with them. */
static bool waits_for_copies(const Spread *s) {
  MlirBlock block = mlirOperationGetBlock(s->pop);
  for (intptr_t i = 0; i < s->waits.n; ++i) {
    MlirOperation at = tt_ancestor_in(block, s->waits.data[i]);
    if (mlirOperationIsNull(at) || (!tt_op_eq(at, s->waits.data[i]) && !is_one_of(&s->copies, at)))
      return false;
  }
  return true;
}

/* Whether the block is copied at all, and if so, why it has to be; NULL where it need not be. */
static const char *why_not(Spread *s) {
  int64_t packed = 0;
  if (!tt_constant(mlirOperationGetOperand(s->pop, 1), &s->tiles))
    return "its block is taken in parts";
  for (intptr_t i = 0; i < s->packs.n; ++i) {
    int64_t n = tiles_of(s, s->packs.data[i]);
    if (n < 0) return "its block is packed out of order";
    packed += n;
  }
  if (packed != s->tiles) return "it holds more than one block";
  if (!has_all_bits(s)) return "its format has less bits than DST";
  const char *reason = find_copies(s);
  return reason || waits_for_copies(s) ? reason : "others wait for it";
}

/*===- Packing --------------------------------------------------------------------------------===*/

static MlirOperation clone_for(TtBuilder *b, MlirOperation op, MlirValue from, MlirValue to) {
  MlirOperation copy = tt_builder_insert(b, mlirOperationClone(op));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
    if (tt_value_eq(mlirOperationGetOperand(copy, i), from)) mlirOperationSetOperand(copy, i, to);
  return copy;
}

/* The comment before `op`, but for index arithmetic, waits and pops, that begins with the name of
 * `cb`; or null. */
static MlirOperation comment_before(const Spread *s, MlirOperation op, MlirValue cb) {
  const char *start = tt_arena_printf(s->arena, "%s = ", tt_handle_name(s->arena, cb));
  MlirOperation found = {NULL};
  for (MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op)); !tt_op_eq(at, op);
       at = tt_next(at))
    if (tt_op_is(at, "metalium.comment")) found = at;
  if (mlirOperationIsNull(found)) return found;
  MlirStringRef text = tt_string(metalium_comment_text(found));
  return text.length > strlen(start) && memcmp(text.data, start, strlen(start)) == 0
             ? found
             : (MlirOperation){NULL};
}

/* %y = …   becomes   %c, %d = … */
static void rename_comment(const Spread *s, MlirOperation pack) {
  MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(s->pop), pack),
                comment = comment_before(s, at, s->cb);
  if (mlirOperationIsNull(comment)) return;
  const char *names = "";
  for (intptr_t i = 0; i < s->copies.n; ++i)
    names = tt_arena_printf(s->arena, "%s%s%s", names, i > 0 ? ", " : "",
                            tt_handle_name(s->arena, target_of(s, s->copies.data[i])));
  MlirStringRef text = tt_string(metalium_comment_text(comment));
  size_t old = strlen(tt_handle_name(s->arena, s->cb));
  const char *now =
      tt_arena_printf(s->arena, "%s%.*s", names, (int)(text.length - old), text.data + old);
  TtBuilder b = tt_builder_before(comment);
  metalium_comment_create(&b, mlirOperationGetLocation(comment), now);
  mlirOperationDestroy(comment);
}

static void pack_to_targets(const Spread *s, MlirOperation pack) {
  MlirBlock block = mlirOperationGetBlock(pack);
  int64_t n = tt_int(tt_pack_to_cb_tiles(pack));
  MlirOperation reserve = one_in(&s->reserves, block, n), push = one_in(&s->pushes, block, n);
  TtBuilder b = tt_builder_before(push);
  for (intptr_t i = 0; i < s->copies.n; ++i) {
    MlirValue target = target_of(s, s->copies.data[i]);
    clone_for(&b, reserve, s->cb, target);
    clone_for(&b, pack, s->cb, target);
    clone_for(&b, push, s->cb, target);
  }
}

static void spread(Spread *s) {
  for (intptr_t i = 0; i < s->packs.n; ++i) {
    rename_comment(s, s->packs.data[i]);
    pack_to_targets(s, s->packs.data[i]);
  }
  for (intptr_t i = 0; i < s->packs.n; ++i) {
    mlirOperationDestroy(s->packs.data[i]);
    mlirOperationDestroy(s->reserves.data[i]);
    mlirOperationDestroy(s->pushes.data[i]);
  }
  for (intptr_t i = 0; i < s->waits.n; ++i) mlirOperationDestroy(s->waits.data[i]);
  for (intptr_t i = 0; i < s->copies.n; ++i) {
    MlirOperation comment = comment_before(s, s->copies.data[i], target_of(s, s->copies.data[i]));
    if (!mlirOperationIsNull(comment)) mlirOperationDestroy(comment);
    mlirOperationDestroy(s->copies.data[i]);
  }
  mlirOperationDestroy(s->pop);
  mlirOperationDestroy(tt_defining_op(s->cb));
  mlirOperationDestroy(s->decl);
}

static bool has_copy(MlirValue cb) {
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (tt_op_is(mlirOpOperandGetOwner(use), "metalium.copy_tile")) return true;
  return false;
}

static void spread_in_kernel(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps handles = tt_collect(arena, kernel, "tt.get_cb");
  for (intptr_t i = 0; i < handles.n; ++i) {
    Spread s = {
        .arena = arena, .program = program, .cb = mlirOperationGetResult(handles.data[i], 0)};
    s.decl = tt_cb_decl(program, s.cb);
    if (mlirOperationIsNull(s.decl) || !has_copy(s.cb) || !sort_uses(&s, handles.data[i])) continue;
    const char *reason = why_not(&s);
    if (reason) {
      tt_remark(s.packs.data[0], TT_REMARK_MISSED, pass,
                "a block is copied from where it was packed: %s", reason);
      continue;
    }
    tt_remark(s.packs.data[0], TT_REMARK_PASSED, pass,
              "a block is packed where it would be copied to");
    spread(&s);
  }
  tt_erase_dead(kernel);
}

static bool spread_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i) spread_in_kernel(arena, program, kernels.data[i]);
  return true;
}

bool tt_run_pack_copies(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, spread_in_program);
}
