/*===- forward_copies.c - --tt-forward-copies ---------------------------------------------------===
 *
 * Has ops take a block itself, where they took a copy of it.
 *
 *   before  tt.copy_to_dst %max, dst = 0 -> %new                     (the old value, to start from)
 *           tt.cb_open %new
 *           tt.copy_to_dst %new, dst = 0   tt.copy_to_dst %x, dst = 1
 *           tt.sfpu.combine max, [0, 1], dst = 0 -> %new
 *           tt.cb_close %new   tt.cb_open %new
 *   after   tt.copy_to_dst %max, dst = 0   tt.copy_to_dst %x, dst = 1
 *           tt.sfpu.combine max, [0, 1], dst = 0 -> %new
 *           tt.cb_open %new
 *
 * Legal where both have one shape and a format whose numbers DST holds and the packer keeps, what
 * is copied stays at the front of its circular buffer as long as the copy is in use, and numbers of
 * 32 bits go the same way from both, unless nothing else takes the block: past the source
 * registers, or through them. Of a buffer that the kernel holds, the copy is the first value, and
 * one other op in its block fills it next. Changes no result.
 *
 * A block that is read is kept until the last op has taken it, so that the next one comes later: a
 * copy of it was made to let it go, or by chance, and costs the engine more than that.
 *
 * Requires tile intrinsics (C2), before the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/copies.h"
#include "Transforms/Optimize/section.h"

static const char *const pass = "tt-forward-copies";

typedef struct Copy {
  TtArena *arena;
  MlirOperation op;
  const TtCB *from, *to;
  MlirOperation last; /* in the block of the copy: the last op that takes it, or the next filler */
  MlirOperation open, close; /* of the copy, where the kernel holds it */
} Copy;

static bool fills(MlirOperation op, MlirValue cb) {
  MlirValue out = tt_op_fills(op);
  return !tt_is_null_value(out) && tt_value_eq(out, cb);
}

/* `op`, and the ops in it. */
static TtOps with_inner(const Copy *c, MlirOperation op) {
  TtOps ops = tt_collect(c->arena, op, NULL);
  tt_ops_add(c->arena, &ops, op);
  return ops;
}

/* Whether `op`, or one in it, closes or fills `cb`. */
static bool replaces(const Copy *c, MlirOperation op, MlirValue cb) {
  TtOps inside = with_inner(c, op);
  for (intptr_t i = 0; i < inside.n; ++i)
    if (tt_acts_on(inside.data[i], TT_ACT_CLOSE, cb) || fills(inside.data[i], cb)) return true;
  return false;
}

/* The copy's circular buffer as it is without the copy: with what takes its other values. */
static TtCB without_copy(const Copy *c) {
  TtCB rest = *c->to;
  MlirBlock block = mlirOperationGetBlock(c->op);
  rest.consumers = (TtOps){NULL, 0, 0};
  for (intptr_t i = 0; i < c->to->consumers.n; ++i) {
    MlirOperation op = c->to->consumers.data[i], at = tt_ancestor_in(block, op);
    if (mlirOperationIsNull(at) || tt_is_before(at, c->op) || tt_is_before(c->close, at))
      tt_ops_add(c->arena, &rest.consumers, op);
  }
  return rest;
}

/* The copy's uses, from its open to its close, between which one op replaces it. */
static const char *find_held(Copy *c) {
  MlirValue cb = c->to->value;
  bool filled = false;
  for (MlirOperation op = tt_next(c->op); !mlirOperationIsNull(op); op = tt_next(op)) {
    if (tt_acts_on(op, TT_ACT_OPEN, cb)) {
      if (!mlirOperationIsNull(c->open)) return "it is opened again before another value is there";
      c->open = op;
    } else if (tt_acts_on(op, TT_ACT_CLOSE, cb)) {
      c->close = c->last = op;
      if (!filled || mlirOperationIsNull(c->open)) return "it is used otherwise than as a start";
      return NULL;
    } else if (fills(op, cb)) {
      if (filled) return "two ops fill it before it is taken away";
      filled = true;
    } else if (replaces(c, op, cb)) {
      return "a loop replaces it";
    }
  }
  return "it is in use when its block ends";
}

static const char *find_uses(Copy *c) {
  if (c->to->held) return find_held(c);
  if (c->to->fillers.n != 1) return "others fill its circular buffer, too";
  MlirBlock block = mlirOperationGetBlock(c->op);
  c->last = c->op;
  for (intptr_t i = 0; i < c->to->consumers.n; ++i) {
    MlirOperation at = tt_ancestor_in(block, c->to->consumers.data[i]);
    if (mlirOperationIsNull(at)) return "it is used elsewhere";
    if (tt_is_before(c->last, at)) c->last = at;
  }
  return NULL;
}

/* What is copied stays where it is up to the copy's last use. */
static bool stays(const Copy *c) {
  if (!c->from->held) return c->from->fillers.n == 1;
  for (MlirOperation op = c->op;; op = tt_next(op)) {
    TtOps inside = with_inner(c, op);
    for (intptr_t i = 0; i < inside.n; ++i)
      if (tt_acts_on(inside.data[i], TT_ACT_CLOSE, c->from->value)) return false;
    if (tt_op_eq(op, c->last)) return true;
  }
}

/* Whether a copy through DST is what was copied: the packer takes 8 bits of f16 from a DST of 32.
 */
static bool is_exact(const TtDfg *dfg, TtDType dtype) {
  bool wide = tt_dst_is_32bit(dfg->func);
  if (tt_format(dtype)->datum_bits == 32) return wide;
  return dtype == TT_D_TYPE_BF16 || (dtype == TT_D_TYPE_FP16 && !wide);
}

/* Whether something else than the copy takes the block in another way than the copy is taken: with
 * all bits of f32, or through the source registers. */
static bool others_differ(const TtDfg *dfg, const Copy *c) {
  TtCB others = *c->from;
  others.consumers = (TtOps){NULL, 0, 0};
  for (intptr_t i = 0; i < c->from->consumers.n; ++i)
    if (!tt_op_eq(c->from->consumers.data[i], c->op))
      tt_ops_add(c->arena, &others.consumers, c->from->consumers.data[i]);
  return others.consumers.n > 0 && tt_keeps_32_bits(dfg, &others) != tt_keeps_32_bits(dfg, c->to);
}

/* Why ops take the copy; NULL where they need not. */
static const char *why_not(const TtDfg *dfg, Copy *c) {
  bool shards = tt_str_eq(tt_string(tt_get_attr(dfg->func, "tt.partition_mode")), "local_shard");
  if (!mlirTypeEqual(c->from->type, c->to->type) ||
      tt_cb_dtype(dfg, c->from) != tt_cb_dtype(dfg, c->to))
    return "it has another shape or format";
  if (c->to->role != TT_CB_ROLE_INTERMEDIATE) return "it goes to a tensor";
  if (!is_exact(dfg, tt_cb_dtype(dfg, c->to))) return "copies of its format are rounded";
  if (shards && c->from->role != TT_CB_ROLE_INTERMEDIATE) return "the block is part of a shard";
  if (others_differ(dfg, c))
    return "one goes to DST with all of its bits, one through the source registers";
  const char *reason = find_uses(c);
  if (reason) return reason;
  TtCB rest = c->to->held ? without_copy(c) : *c->to;
  if (rest.consumers.n == 0) return "nothing takes what replaces it";
  if (tt_keeps_32_bits(dfg, &rest) != tt_keeps_32_bits(dfg, c->to))
    return "its other values would go to DST in another way";
  return stays(c) ? NULL : "the block has another value before the last use of the copy";
}

/* What takes the copy in `op` takes the block. */
static void take_block(const Copy *c, MlirOperation op) {
  TtOps inside = with_inner(c, op);
  for (intptr_t i = 0; i < inside.n; ++i)
    for (int j = 0; j < tt_op_info(inside.data[i])->num_reads; ++j) {
      intptr_t n = tt_operand_number(inside.data[i], tt_op_info(inside.data[i])->reads[j]);
      if (n >= 0 && tt_value_eq(mlirOperationGetOperand(inside.data[i], n), c->to->value))
        mlirOperationSetOperand(inside.data[i], n, c->from->value);
    }
}

static void forward(const Copy *c) {
  for (MlirOperation op = c->op; c->to->held && !tt_op_eq(op, c->close); op = tt_next(op))
    take_block(c, op);
  mlirOperationDestroy(c->op);
  if (c->to->held) {
    mlirOperationDestroy(c->open);
    mlirOperationDestroy(c->close);
  } else {
    tt_replace(c->to->alloc, c->from->value);
  }
}

static bool forward_copy(TtArena *arena, const TtDfg *dfg, MlirOperation op, const TtCB *from,
                         const TtCB *to) {
  Copy c = {.arena = arena, .op = op, .from = from, .to = to};
  const char *reason = why_not(dfg, &c);
  if (reason) {
    tt_remark(op, TT_REMARK_MISSED, pass, "a block is copied: %s", reason);
    return false;
  }
  tt_remark(op, TT_REMARK_PASSED, pass, "a block is not copied, and taken where it is");
  forward(&c);
  return true;
}

static bool forward_in_kernel(TtArena *arena, MlirOperation func) {
  return tt_take_copies(arena, func, forward_copy);
}

bool tt_run_forward_copies(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, forward_in_kernel);
}
