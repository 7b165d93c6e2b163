/*===- order_change.c - ops on tensors whose dimensions have another order --------------------===*/

#include "Transforms/Model/order.h"

#include "mlir-c/AffineExpr.h"

static MlirAffineMap ordered_map(MlirAffineMap map, const TtOrder *order) {
  MlirAffineExpr results[TT_SLICE_RANK];
  for (intptr_t j = 0; j < order->n; ++j) results[j] = mlirAffineMapGetResult(map, order->at[j]);
  return mlirAffineMapGet(mlirAffineMapGetContext(map), mlirAffineMapGetNumDims(map), 0, order->n,
                          results);
}

/* A list of numbers, one a dimension, in another order. */
static void order_numbers(MlirOperation op, const char *name, const TtOrder *order) {
  MlirAttribute old = tt_op_attr(op, name);
  int64_t numbers[TT_SLICE_RANK];
  for (intptr_t j = 0; j < order->n; ++j)
    numbers[j] = mlirDenseI64ArrayGetElement(old, order->at[j]);
  mlirOperationSetInherentAttributeByName(
      op, tt_str(name), mlirDenseI64ArrayGet(mlirOperationGetContext(op), order->n, numbers));
}

typedef struct Change {
  TtOrders *orders;
  TtOpMap takes; /* 1: ops whose results are made in their orders */
  struct Moved {
    MlirValue value, moved;
    TtOrder order;
  } *moved; /* what was moved, so that it is once */
  intptr_t n, capacity;
} Change;

static const char *const sliced[] = {"static_offsets", "static_sizes", "static_strides"};

/* Whether `op` can work on orders that its operands do not have now. */
static bool takes_orders(const TtOrders *orders, MlirOperation op) {
  if (tt_op_is(op, "linalg.generic")) return true;
  if (tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape"))
    return mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
           tt_order_keeps_groups(orders, op);
  bool pads = tt_op_is(op, "tensor.pad"), inserts = tt_op_is(op, "tensor.insert_slice");
  if (!pads && !inserts && !tt_op_is(op, "tensor.extract_slice")) return false;
  MlirType part = mlirValueGetType(mlirOperationGetOperand(op, 0)),
           result = mlirValueGetType(mlirOperationGetResult(op, 0));
  return mlirOperationGetNumOperands(op) == (inserts ? 2 : 1) &&
         mlirShapedTypeGetRank(part) == mlirShapedTypeGetRank(result);
}

static TtOrder order_of(const TtOrders *orders, MlirValue value) {
  const TtOrder *order = tt_orders_get(orders, value);
  return order ? *order : tt_order_none(mlirShapedTypeGetRank(mlirValueGetType(value)));
}

/* `value`, an operand as it was, in order `order`. */
static MlirValue in_order(Change *c, MlirValue value, const TtOrder *order) {
  MlirOperation from = tt_defining_op(value);
  TtOrder own = order_of(c->orders, value);
  if (mlirOperationIsNull(from) || tt_op_map_get(&c->takes, from) != 1)
    own = tt_order_none(order->n);
  if (tt_order_eq(&own, order)) return value;
  for (intptr_t i = 0; i < c->n; ++i)
    if (tt_value_eq(c->moved[i].value, value) && tt_order_eq(&c->moved[i].order, order))
      return c->moved[i].moved;
  if (c->n == c->capacity) {
    c->capacity = c->capacity ? 2 * c->capacity : 32;
    struct Moved *more = tt_arena_alloc(c->orders->arena, (size_t)c->capacity * sizeof *more);
    if (c->n) memcpy(more, c->moved, (size_t)c->n * sizeof *more);
    c->moved = more;
  }
  bool argument = mlirOperationIsNull(from);
  TtBuilder b =
      argument ? tt_builder_at_start(mlirBlockArgumentGetOwner(value)) : tt_builder_after(from);
  MlirLocation loc = mlirOperationGetLocation(
      argument ? mlirOpOperandGetOwner(mlirValueGetFirstUse(value)) : from);
  MlirValue moved = tt_order_move(c->orders->arena, &b, loc, value, &own, order);
  c->moved[c->n++] = (struct Moved){value, moved, *order};
  return moved;
}

/* Loops in the order of the result's dimensions; those that are summed in that of the last input
 * that has them. */
static void order_loops(TtArena *arena, MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t n = mlirOperationGetNumOperands(op), inputs = tt_linalg_num_inputs(op), m = 0;
  intptr_t loops = mlirAffineMapGetNumDims(tt_indexing_map(op, 0));
  MlirAffineExpr *to = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *to);
  MlirAttribute *maps = tt_arena_alloc(arena, (size_t)(n + loops) * sizeof *maps),
                *kinds = maps + n, old = tt_op_attr(op, "iterator_types");
  for (intptr_t k = 0; k <= n; ++k) { /* the result, the inputs from the last on, all */
    intptr_t i = k == 0 ? inputs : inputs - k;
    if (k > 0 && i < 0 && k != n) continue;
    MlirAffineMap map =
        k == n ? mlirAffineMapMultiDimIdentityGet(context, loops) : tt_indexing_map(op, i);
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      int64_t loop = tt_map_loop(map, r);
      if (loop < 0 || !mlirAffineExprIsNull(to[loop])) continue;
      kinds[m] = mlirArrayAttrGetElement(old, loop);
      to[loop] = mlirAffineDimExprGet(context, m++);
    }
  }
  MlirAffineMap by = mlirAffineMapGet(context, loops, 0, loops, to);
  for (intptr_t i = 0; i < n; ++i) {
    MlirAffineMap map = tt_indexing_map(op, i);
    MlirAffineExpr results[TT_SLICE_RANK];
    intptr_t rank = mlirAffineMapGetNumResults(map);
    for (intptr_t r = 0; r < rank; ++r)
      results[r] = mlirAffineExprCompose(mlirAffineMapGetResult(map, r), by);
    maps[i] = mlirAffineMapAttrGet(mlirAffineMapGet(context, loops, 0, rank, results));
  }
  mlirOperationSetInherentAttributeByName(op, tt_str("indexing_maps"),
                                          mlirArrayAttrGet(context, n, maps));
  mlirOperationSetInherentAttributeByName(op, tt_str("iterator_types"),
                                          mlirArrayAttrGet(context, loops, kinds));
  TtOps indices = tt_collect(arena, op, "linalg.index");
  for (intptr_t i = 0; i < indices.n; ++i) {
    MlirAffineExpr loop = to[tt_int(tt_op_attr(indices.data[i], "dim"))];
    mlirOperationSetInherentAttributeByName(
        indices.data[i], tt_str("dim"), tt_i64_attr(context, mlirAffineDimExprGetPosition(loop)));
  }
}

static void change_linalg(Change *c, MlirOperation op) {
  intptr_t inputs = tt_linalg_num_inputs(op);
  bool changed = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!mlirTypeIsARankedTensor(mlirValueGetType(value))) continue;
    TtOrder order =
        order_of(c->orders, i < inputs ? value : mlirOperationGetResult(op, i - inputs));
    if (order.n > TT_SLICE_RANK) continue;
    mlirOperationSetOperand(op, i, in_order(c, value, &order));
    if (tt_order_is_none(&order)) continue;
    tt_set_indexing_map(op, i, ordered_map(tt_indexing_map(op, i), &order));
    changed = true;
  }
  if (changed) order_loops(c->orders->arena, op);
}

/* Groups of dimensions of a reshape, which follow each other in the new order, too. */
static void change_reshape(Change *c, MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  bool expands = tt_op_is(op, "tensor.expand_shape");
  MlirValue in = mlirOperationGetOperand(op, 0), out = mlirOperationGetResult(op, 0);
  TtOrder of_in = order_of(c->orders, in), of_out = order_of(c->orders, out),
          *small = expands ? &of_in : &of_out;
  MlirAttribute old = tt_op_attr(op, "reassociation"), groups[TT_SLICE_RANK];
  int64_t d = 0;
  for (intptr_t j = 0; j < small->n; ++j) {
    MlirAttribute members[TT_SLICE_RANK];
    intptr_t n = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(old, small->at[j]));
    for (intptr_t i = 0; i < n; ++i) members[i] = tt_i64_attr(context, d++);
    groups[j] = mlirArrayAttrGet(context, n, members);
  }
  mlirOperationSetInherentAttributeByName(op, tt_str("reassociation"),
                                          mlirArrayAttrGet(context, small->n, groups));
  if (expands) order_numbers(op, "static_output_shape", &of_out);
  mlirOperationSetOperand(op, 0, in_order(c, in, &of_in));
}

static void change_slice(Change *c, MlirOperation op) {
  TtOrder order = order_of(c->orders, mlirOperationGetResult(op, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(op, i, in_order(c, mlirOperationGetOperand(op, i), &order));
  if (tt_op_is(op, "tensor.pad")) {
    order_numbers(op, "static_low", &order);
    order_numbers(op, "static_high", &order);
    return;
  }
  for (size_t i = 0; i < sizeof sliced / sizeof *sliced; ++i) order_numbers(op, sliced[i], &order);
}

/* An op that asks for the orders that its operands had. */
static void restore(Change *c, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!tt_orders_get(c->orders, value)) continue;
    TtOrder none = tt_order_none(mlirShapedTypeGetRank(mlirValueGetType(value)));
    mlirOperationSetOperand(op, i, in_order(c, value, &none));
  }
}

static void change(Change *c, MlirOperation op) {
  if (tt_op_map_get(&c->takes, op) != 1) {
    restore(c, op);
    return;
  }
  if (tt_op_is(op, "linalg.generic")) change_linalg(c, op);
  else if (tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape"))
    change_reshape(c, op);
  else change_slice(c, op);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
    MlirValue result = mlirOperationGetResult(op, r);
    const TtOrder *order = tt_orders_get(c->orders, result);
    if (order) mlirValueSetType(result, tt_order_type(order, mlirValueGetType(result)));
  }
}

/* Moves that nothing is left of. */
static void drop_idle_moves(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_order_only_moves(ops.data[i]) &&
        mlirAffineMapEqual(tt_indexing_map(ops.data[i], 0), tt_indexing_map(ops.data[i], 1)))
      tt_replace(ops.data[i], mlirOperationGetOperand(ops.data[i], 0));
}

void tt_orders_apply(TtOrders *orders, MlirOperation func) {
  TtOps ops = tt_collect(orders->arena, func, NULL);
  Change c = {.orders = orders};
  for (intptr_t i = 0; i < ops.n; ++i)
    tt_op_map_set(orders->arena, &c.takes, ops.data[i], takes_orders(orders, ops.data[i]));
  for (intptr_t i = 0; i < ops.n; ++i) change(&c, ops.data[i]);
  drop_idle_moves(orders->arena, func);
}
