/*===- order_spread.c - orders of dimensions, from op to op ---------------------------------===*/

#include "Transforms/Model/order.h"

#include "mlir-c/AffineExpr.h"

const TtOrder *tt_orders_get(const TtOrders *orders, MlirValue value) {
  int row = tt_value_map_get(&orders->index, value);
  return row < 0 ? NULL : &orders->rows[row].order;
}

void tt_orders_set(TtOrders *orders, MlirValue value, const TtOrder *order) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) != order->n || order->n < 2 || tt_orders_get(orders, value))
    return;
  if (orders->n == orders->capacity) {
    intptr_t capacity = orders->capacity ? 2 * orders->capacity : 64;
    struct TtOrderRow *rows =
        tt_arena_alloc(orders->arena, (size_t)capacity * sizeof *orders->rows);
    if (orders->n) memcpy(rows, orders->rows, (size_t)orders->n * sizeof *rows);
    orders->rows = rows, orders->capacity = capacity;
  }
  orders->rows[orders->n] = (struct TtOrderRow){value, *order};
  tt_value_map_set(orders->arena, &orders->index, value, (int)orders->n++);
}

/*===- Linalg ops --------------------------------------------------------------------------===*/

/* The place of `loop` among the dimensions of operand `i`, or -1. */
static intptr_t place_of(const TtOrders *orders, MlirOperation op, intptr_t i, int64_t loop) {
  const TtOrder *order = tt_orders_get(orders, mlirOperationGetOperand(op, i));
  MlirAffineMap map = tt_indexing_map(op, i);
  for (intptr_t j = 0; j < order->n; ++j)
    if (tt_map_loop(map, order->at[j]) == loop) return j;
  return -1;
}

/* Has an operand of map `map` its dimensions as operand `from` has them, where that has all. */
static void follow(TtOrders *orders, MlirOperation op, intptr_t from, MlirAffineMap map,
                   MlirValue value) {
  TtOrder order = {.n = mlirAffineMapGetNumResults(map)};
  intptr_t place[TT_SLICE_RANK];
  if (order.n > TT_SLICE_RANK) return;
  for (intptr_t r = 0; r < order.n; ++r) {
    int64_t loop = tt_map_loop(map, r);
    intptr_t at = loop < 0 ? -1 : place_of(orders, op, from, loop), j = r;
    if (at < 0) return;
    for (; j > 0 && place[j - 1] > at; --j) {
      place[j] = place[j - 1];
      order.at[j] = order.at[j - 1];
    }
    place[j] = at;
    order.at[j] = (int8_t)r;
  }
  tt_orders_set(orders, value, &order);
}

bool tt_order_only_moves(MlirOperation op) {
  if (!tt_op_is(op, "linalg.generic") || mlirOperationGetNumOperands(op) != 2 ||
      mlirOperationGetNumResults(op) != 1 || tt_linalg_num_inputs(op) != 1 ||
      !mlirTypeIsATensor(mlirValueGetType(mlirOperationGetOperand(op, 0)))) /* fills */
    return false;
  MlirOperation yield = mlirBlockGetFirstOperation(tt_body(op));
  return tt_op_is(yield, "linalg.yield") &&
         tt_value_eq(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(tt_body(op), 0)) &&
         mlirAffineMapIsPermutation(tt_indexing_map(op, 0)) &&
         mlirAffineMapIsPermutation(tt_indexing_map(op, 1));
}

/* Whether what `move` moves, from or to `value`, may have another order: constants, and what other
 * ops than moves compute and take element by element. Elsewhere the order is given, and would be
 * got by a move all the same. */
static bool is_free(MlirOperation move, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  while (tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape"))
    op = tt_defining_op(mlirOperationGetOperand(op, 0));
  if (tt_op_is(op, "arith.constant")) return true;
  if (!tt_op_is(tt_defining_op(value), "linalg.generic")) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!tt_op_is(mlirOpOperandGetOwner(use), "linalg.generic")) return false;
  return tt_op_eq(op, move) || !tt_order_only_moves(op);
}

static void spread_linalg(TtOrders *orders, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op), inputs = tt_linalg_num_inputs(op);
  bool moves = tt_order_only_moves(op);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
    const TtOrder *given = tt_orders_get(orders, mlirOperationGetResult(op, r));
    if (!given) continue;
    TtOrder order = *given; /* rows move when there are more */
    tt_orders_set(orders, mlirOperationGetOperand(op, inputs + r), &order);
  }
  for (intptr_t from = 0; from < n; ++from) {
    if (!tt_orders_get(orders, mlirOperationGetOperand(op, from))) continue;
    for (intptr_t i = 0; i < n; ++i) {
      MlirValue end = mlirOperationGetOperand(op, i);
      if (i >= inputs && moves) end = mlirOperationGetResult(op, 0);
      if (moves && i != from && !is_free(op, end)) continue;
      follow(orders, op, from, tt_indexing_map(op, i), mlirOperationGetOperand(op, i));
      if (i >= inputs && i - inputs < mlirOperationGetNumResults(op))
        follow(orders, op, from, tt_indexing_map(op, i), mlirOperationGetResult(op, i - inputs));
    }
  }
}

/*===- Reshapes ----------------------------------------------------------------------------===*/

static intptr_t group_size(MlirAttribute groups, intptr_t g) {
  return mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g));
}

bool tt_order_through(MlirOperation reshape, bool from_larger, const TtOrder *order, TtOrder *to) {
  MlirAttribute groups = tt_op_attr(reshape, "reassociation");
  intptr_t n = mlirArrayAttrGetNumElements(groups), first[TT_SLICE_RANK + 1] = {0};
  *to = (TtOrder){.n = 0};
  if (n > TT_SLICE_RANK) return false;
  for (intptr_t g = 0; g < n; ++g) first[g + 1] = first[g] + group_size(groups, g);
  if (first[n] > TT_SLICE_RANK || order->n != (from_larger ? first[n] : n)) return false;
  if (!from_larger) {
    for (intptr_t j = 0; j < n; ++j)
      for (intptr_t d = first[order->at[j]]; d < first[order->at[j] + 1]; ++d)
        to->at[to->n++] = (int8_t)d;
    return true;
  }
  for (intptr_t j = 0; j < order->n;) {
    intptr_t g = 0;
    while (first[g + 1] <= order->at[j]) ++g;
    for (intptr_t d = first[g]; d < first[g + 1]; ++d, ++j)
      if (j >= order->n || order->at[j] != d) return false;
    to->at[to->n++] = (int8_t)g;
  }
  return to->n == n;
}

bool tt_order_keeps_groups(const TtOrders *orders, MlirOperation reshape) {
  const TtOrder *in = tt_orders_get(orders, mlirOperationGetOperand(reshape, 0)),
                *out = tt_orders_get(orders, mlirOperationGetResult(reshape, 0));
  bool expands = tt_op_is(reshape, "tensor.expand_shape");
  TtOrder through;
  const TtOrder none =
      tt_order_none(mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(reshape, 0))));
  if (!in && !out) return true;
  if (!tt_order_through(reshape, !expands, in ? in : &none, &through)) return false;
  return out ? tt_order_eq(out, &through) : tt_order_is_none(&through);
}

static void spread_reshape(TtOrders *orders, MlirOperation op) {
  bool expands = tt_op_is(op, "tensor.expand_shape");
  MlirValue in = mlirOperationGetOperand(op, 0), out = mlirOperationGetResult(op, 0);
  TtOrder through;
  const TtOrder *of_in = tt_orders_get(orders, in), *of_out = tt_orders_get(orders, out);
  if (of_in && tt_order_through(op, !expands, of_in, &through))
    tt_orders_set(orders, out, &through);
  else if (of_out && tt_order_through(op, expands, of_out, &through))
    tt_orders_set(orders, in, &through);
}

/*===- All -----------------------------------------------------------------------------------===*/

/* Operands and results that are as large as each other, dimension by dimension, or parts. */
static void spread_parts(TtOrders *orders, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  intptr_t parts = tt_op_is(op, "tensor.insert_slice") ? 2 : 1;
  for (int again = 0; again < 2; ++again)
    for (intptr_t i = 0; i < parts; ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      const TtOrder *of_result = tt_orders_get(orders, result),
                    *of_operand = tt_orders_get(orders, operand);
      TtOrder order;
      if (of_result && !of_operand) order = *of_result, tt_orders_set(orders, operand, &order);
      else if (of_operand && !of_result) order = *of_operand, tt_orders_set(orders, result, &order);
    }
}

static void spread(TtOrders *orders, MlirOperation op) {
  if (mlirOperationIsNull(op)) return;
  if (tt_op_is(op, "linalg.generic")) spread_linalg(orders, op);
  else if (tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape"))
    spread_reshape(orders, op);
  else if (tt_op_is(op, "tensor.pad") || tt_op_is(op, "tensor.insert_slice") ||
           tt_op_is(op, "tensor.extract_slice"))
    spread_parts(orders, op);
}

void tt_orders_spread(TtOrders *orders) {
  for (intptr_t i = 0; i < orders->n; ++i) { /* grows */
    MlirValue value = orders->rows[i].value;
    spread(orders, tt_defining_op(value));
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      spread(orders, mlirOpOperandGetOwner(use));
  }
}
