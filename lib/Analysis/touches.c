/*===- touches.c - which parts of its tensors a kernel reads and writes ----------------------===
 *
 *   %s = memref.subview %C[%m, 32] [64, 32] [1, 1]
 *   memref.copy %acc, %s          writes, in C, %m + 0 … 63 by 32 + 0 … 31
 *
 * A view that is more than steps of subviews counts as the whole tensor.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/touches.h"

#include "Analysis/index_expr.h"
#include "Analysis/kept_dims.h"
#include "Dialect/op_info.h"

/* The dimensions of the tensor that the dimensions of a view are. */
typedef struct View {
  intptr_t rank, dims[TT_MAX_RANK];
} View;

static void take_all(TtTouch *t, MlirType type) {
  t->rank = mlirShapedTypeGetRank(type);
  if (t->rank > TT_MAX_RANK) t->rank = 0;
  for (intptr_t d = 0; d < t->rank; ++d) {
    t->num_terms[d] = 0, t->start[d] = 0, t->stride[d] = 1;
    t->length[d] = (MlirValue){NULL};
    t->size[d] = mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
  }
}

static void move_by(TtTouch *t, intptr_t d, MlirValue value) {
  int64_t constant;
  if (tt_constant(value, &constant)) t->start[d] += constant;
  else if (t->num_terms[d] < TT_MAX_TERMS) t->terms[d][t->num_terms[d]++] = value;
  else t->whole = true;
}

static void narrow(TtTouch *t, View *view, MlirOperation subview) {
  MlirAttribute starts = tt_op_attr(subview, "static_offsets"),
                sizes = tt_op_attr(subview, "static_sizes"),
                steps = tt_op_attr(subview, "static_strides");
  intptr_t n = mlirDenseArrayGetNumElements(starts), operand = 1, dynamic_sizes = 1;
  int64_t size[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  if (n != view->rank || !tt_subview_keeps(subview, keeps)) {
    t->whole = true;
    return;
  }
  for (intptr_t i = 0; i < n; ++i)
    dynamic_sizes += mlirDenseI64ArrayGetElement(starts, i) == INT64_MIN;
  for (intptr_t i = 0; i < n; ++i) {
    intptr_t d = view->dims[i];
    int64_t start = mlirDenseI64ArrayGetElement(starts, i);
    int64_t step = mlirDenseI64ArrayGetElement(steps, i), by = t->stride[d];
    if (start != INT64_MIN) t->start[d] += start * by;
    else move_by(t, d, mlirOperationGetOperand(subview, operand++));
    if (start == INT64_MIN && by != 1) t->whole = true; /* steps of what is known by elements */
    size[i] = mlirDenseI64ArrayGetElement(sizes, i);
    t->length[d] = (MlirValue){NULL};
    if (size[i] == INT64_MIN) {
      t->length[d] = mlirOperationGetOperand(subview, dynamic_sizes++);
      size[i] = tt_index_bound(t->length[d]);
    }
    if (size[i] < 0 && (step != 1 || by != 1)) t->whole = true;
    t->stride[d] = by * step;
    if (size[i] >= 0) t->size[d] = (size[i] - 1) * t->stride[d] + 1;
    else if (t->size[d] < 0) t->size[d] = size[i];
    if (step < 1) t->whole = true;
    if (size[i] == 1) t->stride[d] = 1;
  }
  view->rank = 0;
  for (intptr_t i = 0; i < n; ++i)
    if (keeps[i]) view->dims[view->rank++] = view->dims[i];
}

static void follow(TtTouch *t, View *view, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) {
    take_all(t, mlirValueGetType(value));
    view->rank = t->rank;
    for (intptr_t d = 0; d < t->rank; ++d) view->dims[d] = d;
    return;
  }
  follow(t, view, mlirOperationGetOperand(op, 0));
  t->turned |= tt_op_is(op, "memref.transpose");
  t->reshaped |= tt_op_is(op, "memref.collapse_shape") || tt_op_is(op, "memref.expand_shape");
  bool reshapes = tt_op_is(op, "memref.collapse_shape") || tt_op_is(op, "memref.expand_shape") ||
                  tt_op_is(op, "memref.transpose");
  if (tt_op_is(op, "memref.subview")) narrow(t, view, op);
  else if (reshapes) view->rank = -1; /* the box is as it was; no part of it is taken any more */
  else if (!tt_op_is(op, "memref.cast") && !tt_op_is(op, "memref.memory_space_cast"))
    t->whole = true;
}

/*===- Ops -----------------------------------------------------------------------------------===*/

typedef struct Collect {
  TtArena *arena;
  TtArgs args;
  TtTouches *touches;
} Collect;

static TtTouch *add(Collect *c, MlirOperation op, MlirValue memref, bool writes) {
  if (!tt_is_memref(mlirValueGetType(memref))) return NULL;
  const TtArg *arg = tt_arg_of(c->args, memref);
  if (!arg || !arg->is_tensor) return NULL;
  TtTouches *all = c->touches;
  if (all->n == all->capacity) {
    intptr_t capacity = all->capacity ? 2 * all->capacity : 8;
    TtTouch *data = tt_arena_alloc(c->arena, (size_t)capacity * sizeof *data);
    for (intptr_t i = 0; i < all->n; ++i) data[i] = all->data[i];
    all->data = data, all->capacity = capacity;
  }
  TtTouch *t = &all->data[all->n++];
  *t = (TtTouch){.op = op, .tensor = arg, .writes = writes};
  View view = {0};
  follow(t, &view, memref);
  if (t->whole) take_all(t, arg->type);
  return t;
}

/* One element, at the operands from `first` on, of a view of as many dimensions. */
static void at_element(TtTouch *t, MlirValue memref, intptr_t first) {
  View view = {0};
  TtTouch box = *t;
  follow(&box, &view, memref);
  for (intptr_t i = 0; !box.whole && i < view.rank; ++i) {
    move_by(t, view.dims[i], mlirOperationGetOperand(t->op, first + i));
    if (t->stride[view.dims[i]] != 1) t->whole = true;
    t->size[view.dims[i]] = 1, t->length[view.dims[i]] = (MlirValue){NULL};
  }
}

/* A block of a circular buffer at constant or computed offsets. */
static void at_block(TtTouch *t, const TtMove *move) {
  MlirType cb = mlirValueGetType(move->cb);
  for (intptr_t d = 0; t && d < t->rank; ++d) {
    move_by(t, d, tt_move_offset(move, d));
    intptr_t side = d - t->rank + 2;
    MlirAttribute box = tt_move_box(move);
    t->length[d] = (MlirValue){NULL};
    t->size[d] = !mlirAttributeIsNull(box) ? mlirDenseI64ArrayGetElement(box, d)
                 : side < 0                ? 1
                                           : tt_cb_type_shape(cb, side) * TT_TILE;
    MlirAttribute strides = tt_op_attr(t->op, "strides");
    if (mlirAttributeIsNull(strides)) continue;
    t->stride[d] = mlirDenseI64ArrayGetElement(strides, d);
    t->size[d] = (t->size[d] - 1) * t->stride[d] + 1;
  }
}

static void touch_structured(Collect *c, MlirOperation op) {
  intptr_t inputs = tt_linalg_num_inputs(op), n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n; ++i) add(c, op, mlirOperationGetOperand(op, i), i >= inputs);
}

static void touch(Collect *c, MlirOperation op) {
  TtMove move;
  if (tt_op_is(op, "memref.copy")) {
    if (tt_value_eq(mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)))
      return; /* what bufferization leaves behind: nothing moves */
    add(c, op, mlirOperationGetOperand(op, 0), false);
    add(c, op, mlirOperationGetOperand(op, 1), true);
  } else if (tt_is_linalg(op)) {
    touch_structured(c, op);
  } else if (tt_op_is(op, "memref.load")) {
    TtTouch *t = add(c, op, mlirOperationGetOperand(op, 0), false);
    if (t && !t->whole) at_element(t, mlirOperationGetOperand(op, 0), 1);
  } else if (tt_op_is(op, "memref.store")) {
    TtTouch *t = add(c, op, mlirOperationGetOperand(op, 1), true);
    if (t && !t->whole) at_element(t, mlirOperationGetOperand(op, 1), 2);
  } else if (tt_move_of(op, &move)) {
    at_block(add(c, op, move.tensor, !move.in), &move);
  }
}

TtTouches tt_touches(TtArena *arena, MlirOperation func, TtArgs args) {
  TtTouches touches = {NULL, 0, 0};
  Collect c = {arena, args, &touches};
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) touch(&c, ops.data[i]);
  return touches;
}

bool tt_same_box(const TtTouch *a, const TtTouch *b) {
  if (a->tensor != b->tensor || a->writes != b->writes || a->whole != b->whole ||
      !mlirBlockEqual(mlirOperationGetBlock(a->op), mlirOperationGetBlock(b->op)))
    return false;
  for (intptr_t d = 0; d < a->rank; ++d) {
    if (a->num_terms[d] != b->num_terms[d] || a->start[d] != b->start[d] ||
        a->size[d] != b->size[d] || a->stride[d] != b->stride[d])
      return false;
    for (int i = 0; i < a->num_terms[d]; ++i)
      if (!tt_value_eq(a->terms[d][i], b->terms[d][i])) return false;
  }
  return true;
}
