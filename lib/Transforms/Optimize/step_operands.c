/*===- step_operands.c - what the steps of a loop read and multiply -----------------------------===
 *
 *   scf.for %k = 0 to 512 step 32 {
 *     tt.read_to_cb %A[%k, %m], %x       tt.read_to_cb %B[%k, %n], %b      (1x4 and 1x8 tiles)
 *     tt.copy_to_dst %x transpose, dst = 0 -> %a                                        (4x1)
 *     tt.mm.mma %a, %b, dst = 0, accumulate = %k != 0
 *   }
 *
 * %b is summed over along its rows, %a along its columns, and %x, which %a is turned from, along
 * its rows. Each follows its last block along that side of its tensor.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/step_operands.h"

#include "Analysis/index_expr.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"

static bool refuse(TtStepLoop *l, const char *reason) {
  l->reason = reason;
  return false;
}

static bool read_bounds(TtStepLoop *l) {
  if (!tt_constant(mlirOperationGetOperand(l->op, 0), &l->lower) ||
      !tt_constant(mlirOperationGetOperand(l->op, 1), &l->upper) ||
      !tt_constant(mlirOperationGetOperand(l->op, 2), &l->step) || l->step < 1)
    return refuse(l, "its bounds are known only when the kernel runs");
  if (l->upper <= l->lower) return refuse(l, "it has no step");
  l->steps = (l->upper - l->lower + l->step - 1) / l->step;
  return true;
}

static bool add_operand(TtStepLoop *l, MlirOperation product, int i, int side) {
  MlirValue cb = tt_op_reads(product, i);
  for (intptr_t j = 0; j < l->n; ++j)
    if (tt_value_eq(l->operands[j].cb, cb))
      return l->operands[j].side == side ||
             refuse(l, "one block is summed over along its rows and along its columns");
  l->operands[l->n++] = (TtStepOperand){{NULL}, cb, side, {NULL}};
  return true;
}

/* A block that is turned to be an operand, in whole. */
static bool is_turn(MlirOperation op) {
  return tt_copy_to_dst_isa(op) && !mlirAttributeIsNull(tt_copy_to_dst_transpose(op)) &&
         !tt_is_null_value(tt_copy_to_dst_out(op));
}

/* What is turned is an operand as well, summed over along its other side. */
static bool add_turned(TtStepLoop *l) {
  for (intptr_t i = 0; i < l->turns.n; ++i) {
    MlirOperation op = l->turns.data[i];
    intptr_t j = 0;
    while (j < l->n && !tt_value_eq(l->operands[j].cb, tt_copy_to_dst_out(op))) ++j;
    if (j == l->n || !mlirOperationIsNull(l->operands[j].turn))
      return refuse(l, "its steps do more than read operands and multiply them");
    l->operands[j].turn = op;
    l->operands[l->n++] =
        (TtStepOperand){{NULL}, tt_copy_to_dst_a(op), 1 - l->operands[j].side, {NULL}};
  }
  return true;
}

bool tt_collect_step(TtStepLoop *l) {
  MlirBlock body = tt_for_body(l->op);
  intptr_t ops = tt_collect(l->arena, l->op, NULL).n;
  l->operands = tt_arena_alloc(l->arena, (size_t)(2 * ops + 1) * sizeof *l->operands);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !tt_is_terminator(op);
       op = tt_next(op)) {
    if (tt_read_to_cb_isa(op) || tt_alloc_cb_isa(op)) continue;
    if (is_turn(op)) {
      tt_ops_add(l->arena, &l->turns, op);
      continue;
    }
    if (!tt_mm_mma_isa(op)) {
      if (mlirOperationGetNumRegions(op) > 0 || tt_op_info(op)->level != TT_LEVEL_OTHER)
        return refuse(l, "its steps do more than read operands and multiply them");
      continue;
    }
    if (!tt_is_null_value(tt_mm_mma_out(op)))
      return refuse(l, "a product of it is no sum over its steps");
    bool turned = !mlirAttributeIsNull(tt_mm_mma_transpose_b(op));
    tt_ops_add(l->arena, &l->products, op);
    if (!add_operand(l, op, 0, 1) || !add_operand(l, op, 1, turned ? 1 : 0)) return false;
  }
  return l->products.n > 0 && add_turned(l);
}

/* Sums that share tiles of DST would add their products in another order. */
static bool have_own_sums(TtStepLoop *l) {
  for (intptr_t i = 0; i < l->products.n; ++i)
    for (intptr_t j = i + 1; j < l->products.n; ++j)
      if (tt_op_dst(l->products.data[i]) == tt_op_dst(l->products.data[j]))
        return refuse(l, "two products add to one sum, in turn");
  return true;
}

/* All uses of an operand's blocks: one read in the loop, or what turns another one to it, and its
 * products, or what turns it. */
static bool find_read(TtStepLoop *l, TtStepOperand *o) {
  for (MlirOpOperand use = mlirValueGetFirstUse(o->cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool here = mlirBlockEqual(mlirOperationGetBlock(op), tt_for_body(l->op));
    if (!here || (!tt_read_to_cb_isa(op) && !tt_mm_mma_isa(op) && !is_turn(op)))
      return refuse(l, "a block that it multiplies is used elsewhere, too");
    bool turns = is_turn(op) && tt_value_eq(tt_copy_to_dst_out(op), o->cb);
    if (turns && !tt_op_eq(op, o->turn)) return refuse(l, "a block is filled at two places");
    if (!tt_read_to_cb_isa(op)) continue;
    if (!mlirOperationIsNull(o->turn)) return refuse(l, "a block is filled at two places");
    if (!mlirOperationIsNull(o->read)) return refuse(l, "a block is filled at two places");
    o->read = op;
  }
  return !mlirOperationIsNull(o->read) || !mlirOperationIsNull(o->turn) ||
         refuse(l, "a block that it multiplies is not read from a tensor in the same step");
}

/* Whether a partial block is whole along the summed dimension: the steps are all of the tensor. */
static bool ends_with_tensor(const TtStepLoop *l, const TtStepOperand *o) {
  MlirType type = mlirValueGetType(tt_read_to_cb_tensor(o->read));
  intptr_t d = mlirShapedTypeGetRank(type) - 2 + o->side;
  return d >= 0 && l->lower == 0 && !mlirShapedTypeIsDynamicDim(type, d) &&
         mlirShapedTypeGetDimSize(type, d) == l->upper &&
         tt_same_index(l->arena, tt_read_to_cb_offsets(o->read, d), tt_for_iv(l->op));
}

bool tt_may_end_behind(const TtStepLoop *l) {
  for (intptr_t i = 0; i < l->n; ++i)
    if (!mlirOperationIsNull(l->operands[i].read) && !ends_with_tensor(l, &l->operands[i]))
      return false;
  return true;
}

/* Blocks follow each other along the summed dimension, and stay where they are in all others. */
static bool follows(TtStepLoop *l, const TtStepOperand *o) {
  if (mlirOperationIsNull(o->read)) return true; /* as what it is turned from does */
  MlirType type = mlirValueGetType(o->cb);
  int64_t tiles = o->side ? tt_cb_cols(type) : tt_cb_rows(type);
  intptr_t rank = tt_read_to_cb_num_offsets(o->read);
  if (!mlirAttributeIsNull(tt_read_to_cb_partial(o->read)) && !ends_with_tensor(l, o))
    return refuse(l, "a block may end behind its tensor");
  if (!mlirAttributeIsNull(tt_read_to_cb_box(o->read)))
    return refuse(l, "a block is assembled of elements");
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t factor, move = d == rank - 2 + o->side ? tiles * TT_TILE : 0;
    if (!tt_index_factor(l->arena, tt_read_to_cb_offsets(o->read, d), tt_for_iv(l->op), &factor) ||
        factor * l->step != move)
      return refuse(l, "the blocks of an operand do not follow each other along the summed "
                       "dimension");
  }
  return rank >= 2 || refuse(l, "an operand is a vector");
}

bool tt_can_merge_steps(TtStepLoop *l) {
  if (!read_bounds(l) || !have_own_sums(l)) return false;
  for (intptr_t i = 0; i < l->n; ++i)
    if (!find_read(l, &l->operands[i]) || !follows(l, &l->operands[i])) return false;
  if ((l->upper - l->lower) % l->step != 0 && !tt_may_end_behind(l))
    return refuse(l, "its last step is not a whole one, and does not end where its tensors do");
  return l->steps > 1 || refuse(l, "it has one step");
}
