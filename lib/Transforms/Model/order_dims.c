/*===- order_dims.c - --tt-order-dims ---------------------------------------------------------===
 *
 * Tensors between ops have their dimensions in the order in which the last two are a matrix to
 * who reads them. What windows slide over (convolutions and poolings of NCHW, as PyTorch has them)
 * has its channels last; so have all that are computed from it or into it, element by element, by
 * padding, slices, sums and reshapes, up to where the order is given: arguments, results, and
 * reshapes that mix dimensions. There, and nowhere else, elements are moved. Weights of
 * convolutions are matrices, (window, channels, features); constants are turned here.
 *
 *   before  %p = tensor.pad %x low[0, 1, 1]                     (c, h, w)
 *           %y = linalg.generic {(f, y, x, c, a, b) -> (c, y + a, x + b), (f, c, a, b), (f, y, x)}
 *             ins(%p, %w) … { mulf, addf }
 *   after   %t = linalg.generic {(hw, c) -> (c, hw), (hw, c)} ins(%x collapsed) { yield }
 *           %p = tensor.pad %t low[1, 1, 0]                     (h, w, c)
 *           %y = linalg.generic {(y, x, f, a, b, c) -> (y + a, x + b, c), (a, b, c, f), (y, x, f)}
 *             ins(%p, %v) … { mulf, addf }
 *
 * Requires generalized ops on tensors; leaves tensors of open sizes as they are.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/order.h"

#include "mlir-c/AffineExpr.h"

enum { MOST_LOOPS = 16 };

/*===- Windows -----------------------------------------------------------------------------===*/

/* A linalg op that slides windows over an operand, the image. */
typedef struct Slide {
  MlirOperation op;
  intptr_t image, weights, inputs, loops; /* weights: -1 where there are none */
  bool steps;                             /* windows are more than one element apart */
  bool summed[MOST_LOOPS];
  bool window[MOST_LOOPS]; /* in an index of the image with other loops, or in steps */
  bool plain[MOST_LOOPS];  /* a dimension of the image by itself */
  bool weighs[MOST_LOOPS]; /* a dimension of the weights */
} Slide;

static bool has_loop(MlirAffineMap map, int64_t loop) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (tt_map_loop(map, r) == loop) return true;
  return false;
}

/* Whether an index takes a loop in steps of more than one. */
static bool has_step(MlirAffineExpr e) {
  if (mlirAffineExprIsAMul(e)) return true;
  if (!mlirAffineExprIsAAdd(e)) return false;
  return has_step(mlirAffineBinaryOpExprGetLHS(e)) || has_step(mlirAffineBinaryOpExprGetRHS(e));
}

/* Whether all indices of an operand but those of windows are loops, and there are windows. */
static bool is_image(MlirOperation op, intptr_t i) {
  MlirAffineMap map = tt_indexing_map(op, i);
  bool windows = false;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    windows = windows || tt_map_loop(map, r) < 0;
  return windows && mlirAffineMapGetNumResults(map) >= 2;
}

/* The other input, if it has all loops that windows sum over, and further ones. */
static intptr_t find_weights(const Slide *s) {
  for (intptr_t i = 0; i < s->inputs; ++i) {
    MlirAffineMap map = tt_indexing_map(s->op, i);
    bool all = i != s->image, more = false;
    for (intptr_t d = 0; d < s->loops; ++d) {
      if (s->window[d] && s->summed[d]) all = all && has_loop(map, d);
      else more = more || has_loop(map, d);
    }
    if (all && more && mlirAffineMapIsProjectedPermutation(map)) return i;
  }
  return -1;
}

static bool read_slide(MlirOperation op, Slide *s) {
  *s = (Slide){.op = op, .image = -1, .weights = -1, .inputs = tt_linalg_num_inputs(op)};
  if (mlirOperationGetNumResults(op) != 1) return false;
  for (intptr_t i = 0; i < s->inputs; ++i) {
    if (!is_image(op, i)) continue;
    if (s->image >= 0) return false;
    s->image = i;
  }
  MlirAffineMap out = tt_indexing_map(op, s->inputs);
  s->loops = mlirAffineMapGetNumDims(out);
  if (s->image < 0 || s->loops > MOST_LOOPS || !mlirAffineMapIsProjectedPermutation(out))
    return false;
  MlirAffineMap map = tt_indexing_map(op, s->image);
  for (intptr_t d = 0; d < s->loops; ++d) {
    s->summed[d] = !has_loop(out, d);
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      MlirAffineExpr e = mlirAffineMapGetResult(map, r);
      s->steps = s->steps || has_step(e);
      if (!mlirAffineExprIsFunctionOfDim(e, d)) continue;
      if (mlirAffineExprIsADim(e)) s->plain[d] = true;
      else s->window[d] = true;
    }
    if (s->plain[d] && s->window[d]) return false;
  }
  s->weights = find_weights(s);
  for (intptr_t d = 0; d < s->loops && s->weights >= 0; ++d)
    s->weighs[d] = has_loop(tt_indexing_map(op, s->weights), d);
  return true;
}

/* The same for what sums products of windows of one element, a convolution of 1x1: an operand whose
 * last two dimensions are both rows of the matrix that it is. */
static bool read_point(MlirOperation op, Slide *s) {
  if (!tt_sums_products(op) || !tt_op_is(op, "linalg.generic")) return false;
  MlirAffineMap out = tt_indexing_map(op, 2);
  for (s->image = 0; s->image < 2; ++s->image) {
    MlirAffineMap map = tt_indexing_map(op, s->image), other = tt_indexing_map(op, 1 - s->image);
    intptr_t rank = mlirAffineMapGetNumResults(map), own = 0;
    if (rank < 3 || mlirAffineMapGetNumResults(other) != 2 ||
        tt_op_is(tt_defining_op(mlirOperationGetOperand(op, s->image)), "arith.constant"))
      continue;
    for (intptr_t r = rank - 2; r < rank; ++r) {
      int64_t loop = tt_map_loop(map, r);
      own += loop >= 0 && has_loop(out, loop) && !has_loop(other, loop);
    }
    if (own == 2) break;
  }
  if (s->image == 2 || !mlirAffineMapIsProjectedPermutation(out)) return false;
  s->op = op, s->inputs = 2, s->weights = 1 - s->image;
  s->loops = mlirAffineMapGetNumDims(out);
  if (s->loops > MOST_LOOPS) return false;
  for (intptr_t d = 0; d < s->loops; ++d) {
    bool reads = has_loop(tt_indexing_map(op, s->image), d);
    s->weighs[d] = has_loop(tt_indexing_map(op, s->weights), d);
    s->summed[d] = !has_loop(out, d);
    s->plain[d] = reads && s->weighs[d];
    s->window[d] = reads && !s->weighs[d];
  }
  return true;
}

/*===- What they ask for -------------------------------------------------------------------===*/

/* Where dimension `r` of the image goes: batches, windows, groups of channels, channels. Without
 * weights the last one that is no window has channels. */
static int image_rank(const Slide *s, MlirAffineMap map, intptr_t r) {
  int64_t loop = tt_map_loop(map, r);
  if (loop < 0 || s->window[loop]) return 1;
  if (s->weights >= 0) return !s->weighs[loop] ? 0 : s->summed[loop] ? 3 : 2;
  for (intptr_t later = r + 1; later < mlirAffineMapGetNumResults(map); ++later)
    if (tt_map_loop(map, later) >= 0) return 0;
  return 2;
}

/* The result has them in the same order, and features last. */
static int result_rank(const Slide *s, MlirAffineMap image, MlirAffineMap map, intptr_t r) {
  int64_t loop = tt_map_loop(map, r);
  if (s->window[loop]) return 1;
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(image); ++i)
    if (tt_map_loop(image, i) == loop) return image_rank(s, image, i);
  return 3;
}

/* Groups of channels, the window, channels, features: one matrix a place of the window. Windows in
 * steps are one row each (--tt-open-windows), and weights are fine as rows of as many columns. */
static int weights_rank(const Slide *s, MlirAffineMap map, intptr_t r) {
  int64_t loop = tt_map_loop(map, r);
  bool sums_channels = false;
  for (intptr_t d = 0; d < s->loops; ++d)
    sums_channels = sums_channels || (s->plain[d] && s->summed[d]);
  if (s->window[loop]) return 1;
  if (!s->plain[loop]) return s->steps ? 0 : 3;
  return s->summed[loop] || !sums_channels ? 2 : 0;
}

typedef enum Part { IMAGE, RESULT, WEIGHTS } Part;

/* The order of one of the tensors: by rank, and else as it is. */
static TtOrder wish(const Slide *s, Part part) {
  MlirAffineMap image = tt_indexing_map(s->op, s->image),
                map = part == IMAGE    ? image
                      : part == RESULT ? tt_indexing_map(s->op, s->inputs)
                                       : tt_indexing_map(s->op, s->weights);
  TtOrder order = {.n = mlirAffineMapGetNumResults(map)};
  int ranks[TT_SLICE_RANK];
  for (intptr_t r = 0; r < order.n; ++r) {
    int rank = part == IMAGE    ? image_rank(s, map, r)
               : part == RESULT ? result_rank(s, image, map, r)
                                : weights_rank(s, map, r);
    intptr_t j = r;
    for (; j > 0 && ranks[j - 1] > rank; --j)
      ranks[j] = ranks[j - 1], order.at[j] = order.at[j - 1];
    ranks[j] = rank;
    order.at[j] = (int8_t)r;
  }
  return order;
}

static bool fits(const Slide *s) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(s->op); ++i)
    if (mlirAffineMapGetNumResults(tt_indexing_map(s->op, i)) > TT_SLICE_RANK) return false;
  return true;
}

/* Channels of the image, which are its last dimension then. */
static int64_t channels(const Slide *s, const TtOrder *image) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(s->op, s->image));
  return mlirShapedTypeGetDimSize(type, image->at[image->n - 1]);
}

/* Whether weights can come in another order: not what is gathered, nor arguments that are moved,
 * which the op reads as they are (--tt-fold-moves). */
static bool can_turn(TtArena *arena, MlirValue weights) {
  bool moves = false;
  for (MlirOperation op;; weights = mlirOperationGetOperand(op, 0)) {
    op = tt_defining_op(weights);
    if (mlirOperationIsNull(op)) return !moves;
    if (tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape")) continue;
    if (!tt_order_only_moves(op))
      return tt_op_is(op, "arith.constant") ||
             (!moves && tt_op_is(op, "linalg.generic") && !tt_loads_elements(arena, op));
    moves = true;
  }
}

/* Windows in steps are gathered, along rows of the window where channels are few. */
static void ask(TtOrders *orders, const Slide *s) {
  TtOrder image = wish(s, IMAGE), result = wish(s, RESULT);
  if (s->steps && channels(s, &image) < TT_TILE) return;
  tt_orders_set(orders, mlirOperationGetOperand(s->op, s->image), &image);
  tt_orders_set(orders, mlirOperationGetResult(s->op, 0), &result);
  if (s->weights < 0 || mlirAffineMapGetNumResults(tt_indexing_map(s->op, s->weights)) < 3 ||
      !can_turn(orders->arena, mlirOperationGetOperand(s->op, s->weights)))
    return;
  TtOrder weights = wish(s, WEIGHTS);
  if (s->steps && !tt_order_is_none(&weights)) { /* moved anyway */
    Slide plain = *s;
    plain.steps = false;
    weights = wish(&plain, WEIGHTS);
  }
  tt_orders_set(orders, mlirOperationGetOperand(s->op, s->weights), &weights);
}

/* Tensors that bodies take elements of stay as they are. */
static void pin_taken(TtOrders *orders, TtOps ops) {
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (!tt_op_is(ops.data[i], "tensor.extract")) continue;
    MlirValue tensor = mlirOperationGetOperand(ops.data[i], 0);
    TtOrder none = tt_order_none(mlirShapedTypeGetRank(mlirValueGetType(tensor)));
    if (none.n <= TT_SLICE_RANK) tt_orders_set(orders, tensor, &none);
  }
}

static void ask_all(TtOrders *orders, TtOps ops) {
  bool slides = false;
  Slide s;
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (!tt_op_is(ops.data[i], "linalg.generic") || !read_slide(ops.data[i], &s) || !fits(&s))
      continue;
    ask(orders, &s);
    slides = true;
  }
  for (intptr_t i = 0; slides && i < ops.n; ++i)
    if (s = (Slide){.op = ops.data[i]}, read_point(ops.data[i], &s) && fits(&s)) ask(orders, &s);
}

static bool order_dims(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  TtOrders orders = {.arena = arena};
  pin_taken(&orders, ops);
  intptr_t pinned = orders.n;
  ask_all(&orders, ops);
  if (orders.n == pinned) return true;
  tt_orders_spread(&orders);
  tt_orders_apply(&orders, func);
  tt_erase_dead(func);
  return true;
}

bool tt_run_order_dims(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, order_dims);
}
