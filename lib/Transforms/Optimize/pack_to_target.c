/*===- pack_to_target.c - --tt-pack-to-target -------------------------------------------------===
 *
 * Has an op fill the circular buffer to which its result is only copied.
 *
 *   before  tt.fpu.add %y, %bias bcast rows, dst = 0
 *           tt.sfpu.unary erf, dst = 0 -> %y               (in place: the block's last value)
 *           tt.cb_close %y   tt.cb_open %y
 *           tt.copy_to_dst %y, dst = 0 -> %out
 *           tt.cb_close %y
 *   after   tt.fpu.add %y, %bias bcast rows, dst = 0
 *           tt.sfpu.unary erf, dst = 0 -> %out
 *           tt.cb_close %y
 *
 * An output that is updated where it lies, as bufferization leaves it, ends so. Legal where the
 * copy follows the op in its block and is all that takes this value, and where numbers come through
 * the copy as they are: it has their format, and DST and the packer keep all of it, or they are
 * f32, in a DST of 32 bits, and the packer rounds them to the target's. Changes no result but where
 * f32 went through the source registers, which leave 11 bits of it: then all bits arrive.
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

static const char *const pass = "tt-pack-to-target";

typedef struct Copy {
  TtArena *arena;
  MlirOperation op, filler; /* the copy, and what fills the block that it takes */
  const TtCB *from, *to;
  MlirOperation open, close; /* around the copy, where the kernel holds the block; else null */
} Copy;

/* Whether `op`, or one in it, has `cb` as an operand. */
static bool touches(const Copy *c, MlirOperation op, MlirValue cb) {
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(c->op), mlirOpOperandGetOwner(use));
    if (!mlirOperationIsNull(at) && tt_op_eq(at, op)) return true;
  }
  return false;
}

static bool computes(MlirOperation op) {
  TtAct does = tt_op_info(op)->does;
  return does == TT_ACT_COMPUTE || does == TT_ACT_PACK_BLOCK;
}

/* The op that gives the value that the copy takes, and what opens it for the copy. */
static const char *find_filler(Copy *c) {
  MlirValue cb = c->from->value;
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(c->op));
  bool read = false;
  for (; !tt_op_eq(op, c->op); op = tt_next(op)) {
    if (!touches(c, op, cb)) continue;
    MlirValue fills = tt_op_fills(op);
    if (!tt_is_null_value(fills) && tt_value_eq(fills, cb)) {
      c->filler = op, c->open = (MlirOperation){NULL}, read = false;
    } else if (tt_acts_on(op, TT_ACT_OPEN, cb)) {
      c->open = op;
    } else if (!tt_acts_on(op, TT_ACT_CLOSE, cb)) {
      read = true;
    }
  }
  if (mlirOperationIsNull(c->filler)) return "its block is filled elsewhere";
  if (!computes(c->filler)) return "its block is read from a tensor";
  if (c->from->held && mlirOperationIsNull(c->open)) return "another value of its block is in use";
  return read ? "others take or fill the block before it" : NULL;
}

/* What follows the copy: the end of the block's value, and nothing that takes it. */
static const char *find_end(Copy *c) {
  for (MlirOperation op = tt_next(c->op); !mlirOperationIsNull(op); op = tt_next(op)) {
    if (!touches(c, op, c->from->value)) continue;
    if (tt_acts_on(op, TT_ACT_CLOSE, c->from->value)) c->close = op;
    break;
  }
  if (c->from->held) return mlirOperationIsNull(c->close) ? "others take the block after it" : NULL;
  return c->from->consumers.n == 1 && c->from->fillers.n == 1 ? NULL : "others take the block, too";
}

/* Whether the packer gives what it is given through the copy, too, or fewer bits of it. */
static bool comes_through(const TtDfg *dfg, const Copy *c) {
  TtDType from = tt_cb_dtype(dfg, c->from), to = tt_cb_dtype(dfg, c->to);
  bool wide = tt_dst_is_32bit(dfg->func);
  if (from == TT_D_TYPE_FP32) return wide && tt_format(to)->is_float;
  if (from != to || !mlirTypeEqual(c->from->type, c->to->type)) return false;
  if (tt_format(from)->datum_bits == 32) return wide;
  return from == TT_D_TYPE_BF16 || (from == TT_D_TYPE_FP16 && !wide);
}

/* What the copy leaves of the block: its other values have to be taken, and as they were. */
static const char *check_others(const TtDfg *dfg, const Copy *c) {
  TtCB others = *c->from;
  others.consumers = (TtOps){NULL, 0, 0};
  for (intptr_t i = 0; i < c->from->consumers.n; ++i)
    if (!tt_op_eq(c->from->consumers.data[i], c->op))
      tt_ops_add(c->arena, &others.consumers, c->from->consumers.data[i]);
  if (others.consumers.n == 0)
    return c->from->fillers.n > 1 ? "nothing takes the block's other values" : NULL;
  return tt_keeps_32_bits(dfg, &others) == tt_keeps_32_bits(dfg, c->from)
             ? NULL
             : "the block's other values would go to DST in another way";
}

/* Why the copy stays; NULL where it need not. */
static const char *why_not(const TtDfg *dfg, Copy *c) {
  if (c->from->role != TT_CB_ROLE_INTERMEDIATE) return "its block is read from a tensor";
  if (c->to->held || c->to->fillers.n != 1) return "others fill its target, too";
  if (tt_cb_rows(c->from->type) != tt_cb_rows(c->to->type) ||
      tt_cb_cols(c->from->type) != tt_cb_cols(c->to->type))
    return "its target has another shape";
  if (!comes_through(dfg, c)) return "it rounds what the packer would not";
  const char *reason = find_filler(c);
  if (!reason) reason = find_end(c);
  return reason ? reason : check_others(dfg, c);
}

static void pack_to_target(const Copy *c) {
  MlirBlock block = mlirOperationGetBlock(c->op);
  if (mlirBlockEqual(mlirOperationGetBlock(c->to->alloc), block) &&
      tt_is_before(c->filler, c->to->alloc))
    mlirOperationMoveBefore(c->to->alloc, mlirBlockGetFirstOperation(block));
  mlirOperationSetOperand(c->filler, tt_operand_number(c->filler, tt_op_info(c->filler)->fills),
                          c->to->value);
  mlirOperationDestroy(c->op);
  if (!mlirOperationIsNull(c->open)) mlirOperationDestroy(c->open);
  if (!mlirOperationIsNull(c->close)) mlirOperationDestroy(c->close);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(c->from->value)))
    mlirOperationDestroy(c->from->alloc);
}

static bool pack_copy(TtArena *arena, const TtDfg *dfg, MlirOperation op, const TtCB *from,
                      const TtCB *to) {
  Copy c = {.arena = arena, .op = op, .from = from, .to = to};
  const char *reason = why_not(dfg, &c);
  if (reason) {
    tt_remark(op, TT_REMARK_MISSED, pass, "a result is copied: %s", reason);
    return false;
  }
  tt_remark(op, TT_REMARK_PASSED, pass, "a result is packed where it would be copied to");
  pack_to_target(&c);
  return true;
}

static bool pack_in_kernel(TtArena *arena, MlirOperation func) {
  return tt_take_copies(arena, func, pack_copy);
}

bool tt_run_pack_to_target(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, pack_in_kernel);
}
