/*===- order.h - the order of a tensor's dimensions -------------------------------------------===
 *
 * What --tt-order-dims decides for values of a model, and moves between orders.
 *
 *===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_MODEL_ORDER_H
#define TILEWRIGHT_MODEL_ORDER_H

#include "Transforms/Model/slice.h"

#include "Support/value_map.h"

#include <string.h>

/* Dimension j of the reordered tensor is dimension at[j] of the tensor as it was. */
typedef struct TtOrder {
  intptr_t n;
  int8_t at[TT_SLICE_RANK];
} TtOrder;

TtOrder tt_order_none(intptr_t rank);
bool tt_order_is_none(const TtOrder *order);
bool tt_order_eq(const TtOrder *a, const TtOrder *b);
MlirType tt_order_type(const TtOrder *order, MlirType type);

/* The orders of values, as far as they are decided; those of others stay. */
typedef struct TtOrders {
  TtArena *arena;
  TtValueMap index;
  struct TtOrderRow {
    MlirValue value;
    TtOrder order;
  } *rows;
  intptr_t n, capacity;
} TtOrders;

/* NULL where it is not decided. */
const TtOrder *tt_orders_get(const TtOrders *orders, MlirValue value);
/* Decides on the order of `value`, unless it is decided, or no ranked tensor of constant sizes. */
void tt_orders_set(TtOrders *orders, MlirValue value, const TtOrder *order);
/* Spreads what is decided along ops that work on any order (order_spread.c). */
void tt_orders_spread(TtOrders *orders);
/* Has tensors of `func` their orders, and moves them where others are asked for (order_change.c).
 */
void tt_orders_apply(TtOrders *orders, MlirOperation func);
/* A linalg.generic that yields its one input, and permutes its dimensions. */
bool tt_order_only_moves(MlirOperation op);
/* Whether op `reshape` is one of the same groups where its operand and its result have their
 * orders. */
bool tt_order_keeps_groups(const TtOrders *orders, MlirOperation reshape);
/* The order of the other side of a reshape, of which one side has `order`; false where its groups
 * are not side by side in it. */
bool tt_order_through(MlirOperation reshape, bool from_larger, const TtOrder *order, TtOrder *to);

/* `value`, whose dimensions are in order `from`, in order `to`; both say where dimensions of one
 * and the same tensor are (order_move.c). */
MlirValue tt_order_move(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                        const TtOrder *from, const TtOrder *to);

#endif
