/*===- join_sections.c - --tt-join-sections -----------------------------------------------------===
 *
 * Has a section of DST go on with what the one before it computed, where that was packed for it.
 *
 *   before  tt.fpu.reduce sum_row, %x, %ones, dst = 0 -> %s
 *           tt.copy_to_dst %s, dst = 0
 *           tt.sfpu.unary mul_scalar, dst = 0 scalar = c -> %mean
 *   after   tt.fpu.reduce sum_row, %x, %ones, dst = 0
 *           tt.sfpu.unary mul_scalar, dst = 0 scalar = c -> %mean
 *
 * So what ops leave to each other tile by tile, in buffers of the core, is not packed, unpacked and
 * waited for. Legal where the second follows the first, alone takes its result, as it is, what the
 * first reads stays until then, and the format of the buffer has all bits of DST: f32 where DST has
 * 32 bits, bf16 where it has 16. Tiles of DST that the first needs besides come behind those of the
 * second, as far as there are any. Changes no result.
 *
 * Requires tile intrinsics (C2), before the graph of C3; behind the passes that look for sums and
 * products in sections of their own.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Analysis/sums.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/section.h"

static const char *const pass = "tt-join-sections";

enum { MOST_TILES = 16 }; /* of DST that ops of level 2 name */

typedef struct Join {
  TtArena *arena;
  MlirOperation func;
  const TtSection *first, *second;
  MlirValue cb;              /* between them */
  MlirOperation copy;        /* in the second, of what the first fills */
  MlirOperation open, close; /* of what the first fills, where the kernel holds it; else null */
  int64_t place[MOST_TILES]; /* where the first's tiles go */
} Join;

/*===- The buffer between them ----------------------------------------------------------------===*/

static MlirOperation last_of(const TtSection *s) {
  return mlirOperationIsNull(s->pack) ? s->ops.data[s->ops.n - 1] : s->pack;
}

static MlirOperation next_use(const Join *j, MlirOperation op) {
  do op = tt_next(op);
  while (!mlirOperationIsNull(op) && !tt_has_use(j->arena, op, j->cb));
  return op;
}

static intptr_t uses_of(MlirValue value) {
  intptr_t n = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    ++n;
  return n;
}

/* A buffer that the kernel holds: the copy is all that takes what the first fills, and either
 * nothing else ever is in it, or the second fills it anew. */
static bool is_held_for_copy(Join *j) {
  enum { ALL = 4 }; /* it is filled, opened, copied and closed */
  j->open = next_use(j, last_of(j->first));
  if (mlirOperationIsNull(j->open) || !tt_acts_on(j->open, TT_ACT_OPEN, j->cb) ||
      !tt_op_eq(next_use(j, j->open), j->copy))
    return false;
  MlirOperation next = next_use(j, j->copy), last = last_of(j->second);
  bool again =
      !mlirOperationIsNull(next) && tt_op_eq(next, last) && tt_value_eq(j->second->out, j->cb);
  j->close = again ? next_use(j, last) : next;
  if (mlirOperationIsNull(j->close) || !tt_acts_on(j->close, TT_ACT_CLOSE, j->cb)) return false;
  if (!again) return uses_of(j->cb) == ALL;
  MlirOperation open = next_use(j, j->close);
  return !mlirOperationIsNull(open) && tt_acts_on(open, TT_ACT_OPEN, j->cb);
}

/* Whether a section's result is all that is packed of it, a tile at a time. */
static bool packs_plainly(const TtSection *s) {
  return mlirOperationIsNull(s->pack) || (mlirAttributeIsNull(tt_pack_to_cb_tiles(s->pack)) &&
                                          tt_is_null_value(tt_pack_to_cb_place(s->pack)));
}

/* The one copy in the second section of what the first fills. */
static bool find_copy(Join *j) {
  if (!tt_alloc_cb_isa(tt_defining_op(j->cb))) return false;
  for (intptr_t i = 0; i < j->second->ops.n; ++i) {
    MlirOperation op = j->second->ops.data[i];
    if (tt_is_plain_copy(op) && tt_value_eq(tt_copy_to_dst_a(op), j->cb)) j->copy = op;
  }
  return !mlirOperationIsNull(j->copy) && (tt_is_between_two(j->cb) || is_held_for_copy(j));
}

static bool has_all_bits(const Join *j) {
  MlirType element = tt_cb_type_element_type(mlirValueGetType(j->cb));
  return tt_dst_is_32bit(j->func) ? mlirTypeIsAF32(element) : mlirTypeIsABF16(element);
}

/*===- Tiles of DST ---------------------------------------------------------------------------===*/

/* The first tile behind those that a section names; -1 where it names too many. */
static int64_t tiles_of(const TtSection *s) {
  int64_t n = 0;
  for (intptr_t i = 0; i < s->ops.n; ++i) {
    int64_t tile = tt_op_dst(s->ops.data[i]);
    if (tile < 0 || tile >= MOST_TILES) return -1;
    if (tile >= n) n = tile + 1;
  }
  return n;
}

static const char *place_tiles(Join *j) {
  int64_t own = tiles_of(j->first), others = tiles_of(j->second), to = tt_op_dst(j->copy),
          next = others, result = tt_packed_tile(j->first);
  if (own < 0 || others < 0 || result >= own) return "they name too many tiles of DST";
  for (MlirOperation op = j->second->ops.data[0]; !tt_op_eq(op, j->copy); op = tt_next_at_work(op))
    if (tt_op_dst(op) == to) return "the copy takes the place of something else";
  for (int64_t t = 0; t < MOST_TILES; ++t) j->place[t] = -1;
  j->place[result] = to;
  for (intptr_t i = 0; i < j->first->ops.n; ++i) {
    int64_t tile = tt_op_dst(j->first->ops.data[i]);
    if (j->place[tile] < 0) j->place[tile] = next++;
  }
  return next <= tt_dst_capacity(j->func) ? NULL : "DST has no room for both";
}

/* Whether all that the first section reads is still there at the copy. */
static bool stays(const Join *j) {
  for (intptr_t i = 0; i < j->first->ops.n; ++i) {
    MlirOperation op = j->first->ops.data[i];
    for (int r = 0; r < tt_op_info(op)->num_reads; ++r)
      if (!tt_stays(j->arena, op, tt_op_reads(op, r), j->copy)) return false;
  }
  return true;
}

/* A reduction to the largest element leaves no other tile of DST as it is (rule 14). */
static bool finds_largest(const TtSection *s) {
  for (intptr_t i = 0; i < s->ops.n; ++i)
    if (tt_fpu_reduce_isa(s->ops.data[i]) && tt_reduce_is_max(tt_fpu_reduce_op(s->ops.data[i])))
      return true;
  return false;
}

static const char *why_not(Join *j) {
  if (finds_largest(j->first) || finds_largest(j->second))
    return "a reduction to the largest element is alone in DST";
  if (!packs_plainly(j->first) || !packs_plainly(j->second)) return "they pack parts";
  if (!has_all_bits(j)) return "its format has less bits than DST";
  if (!mlirTypeEqual(mlirValueGetType(j->cb), mlirValueGetType(j->second->out)) &&
      (tt_cb_rows(mlirValueGetType(j->cb)) != tt_cb_rows(mlirValueGetType(j->second->out)) ||
       tt_cb_cols(mlirValueGetType(j->cb)) != tt_cb_cols(mlirValueGetType(j->second->out))))
    return "the ops have another size";
  if (!stays(j)) return "what it is computed of does not stay";
  return place_tiles(j);
}

/*===- Joining --------------------------------------------------------------------------------===*/

static void set_i64(MlirOperation op, const char *name, int64_t value) {
  mlirOperationSetInherentAttributeByName(op, tt_str(name),
                                          tt_i64_attr(mlirOperationGetContext(op), value));
}

static void move_tiles(const Join *j, MlirOperation op) {
  set_i64(op, "dst", j->place[tt_op_dst(op)]);
  const char *name = tt_op_info(op)->dst_sources;
  if (!name) return;
  MlirAttribute sources = tt_dst_sources(op);
  intptr_t n = mlirDenseArrayGetNumElements(sources);
  int64_t *to = tt_arena_alloc(j->arena, (size_t)(n + 1) * sizeof *to);
  for (intptr_t i = 0; i < n; ++i) to[i] = j->place[mlirDenseI64ArrayGetElement(sources, i)];
  mlirOperationSetInherentAttributeByName(op, tt_str(name),
                                          mlirDenseI64ArrayGet(mlirOperationGetContext(op), n, to));
}

/* An op leaves its result in DST: what it fills is its last operand. */
static void leave_in_dst(const Join *j, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op) - 1;
  MlirValue *operands = tt_arena_alloc(j->arena, (size_t)(n + 1) * sizeof *operands);
  for (intptr_t i = 0; i < n; ++i) operands[i] = mlirOperationGetOperand(op, i);
  mlirOperationSetOperands(op, n, operands);
}

static void join(const Join *j) {
  const TtOps *ops = &j->first->ops;
  if (mlirOperationIsNull(j->first->pack)) leave_in_dst(j, ops->data[ops->n - 1]);
  else mlirOperationDestroy(j->first->pack);
  for (intptr_t i = 0; i < ops->n; ++i) {
    move_tiles(j, ops->data[i]);
    mlirOperationMoveBefore(ops->data[i], j->copy);
  }
  mlirOperationDestroy(j->copy);
  if (!mlirOperationIsNull(j->open)) mlirOperationDestroy(j->open);
  if (!mlirOperationIsNull(j->close)) mlirOperationDestroy(j->close);
}

/* Joins two sections of a block, or, where `says`, says why none can be; false where it did not. */
static bool join_in_block(TtArena *arena, MlirOperation func, MlirBlock block, bool says) {
  TtSections all = tt_sections_of(arena, block);
  for (intptr_t i = 0; i + 1 < all.n; ++i) {
    Join j = {.arena = arena, .func = func, .first = &all.data[i], .second = &all.data[i + 1]};
    MlirOperation next = j.second->ops.data[0];
    j.cb = j.first->out;
    if (!tt_op_eq(tt_next_at_work(last_of(j.first)), next) || !find_copy(&j)) continue;
    const char *reason = why_not(&j);
    if (says) tt_remark(next, TT_REMARK_MISSED, pass, "what ops take is packed before: %s", reason);
    if (says || reason) continue;
    tt_remark(next, TT_REMARK_PASSED, pass,
              "ops go on in DST with what those before them computed");
    return join(&j), true;
  }
  return false;
}

static bool join_in_kernel(TtArena *arena, MlirOperation func) {
  TtBlocks blocks = tt_blocks_of(arena, func);
  for (intptr_t i = 0; i < blocks.n; ++i) {
    while (join_in_block(arena, func, blocks.data[i], false)) continue;
    join_in_block(arena, func, blocks.data[i], true);
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_join_sections(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, join_in_kernel);
}
