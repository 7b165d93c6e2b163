/*===- outer_steps.c - loops of an op that are taken step by step -------------------------------===
 *
 *   %c[b, m, n] += %q[b, m, k] * %k[b, k, n]           steps of b
 *   %y[h, w, f] += %x[h + r, w + s, c] * %w[r, s, c, f]    steps of h, r and s: a product of
 *                                                          w x c by c x f is left
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/outer_steps.h"

#include "Transforms/Raise/slices.h"

#include "mlir-c/Dialect/Linalg.h"

enum { MAX_BUFFERS = 8 }; /* for the steps of one */

bool tt_is_core_buffer(MlirValue memref) {
  MlirOperation op = tt_defining_op(tt_view_root(memref));
  return tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca");
}

/* Adds `by` times an expression; false where it is no sum of loops. */
static bool add_expr(TtStepIndex *x, MlirAffineExpr e, int64_t by) {
  if (mlirAffineExprIsADim(e)) {
    intptr_t loop = mlirAffineDimExprGetPosition(e);
    if (loop < TT_STEP_LOOPS) x->factor[loop] += by;
    return loop < TT_STEP_LOOPS;
  }
  if (mlirAffineExprIsAConstant(e)) {
    x->constant += by * mlirAffineConstantExprGetValue(e);
    return true;
  }
  bool sum = mlirAffineExprIsAAdd(e);
  if (!sum && !mlirAffineExprIsAMul(e)) return false;
  MlirAffineExpr a = mlirAffineBinaryOpExprGetLHS(e), b = mlirAffineBinaryOpExprGetRHS(e);
  if (sum) return add_expr(x, a, by) && add_expr(x, b, by);
  return mlirAffineExprIsAConstant(b) && add_expr(x, a, by * mlirAffineConstantExprGetValue(b));
}

static bool read_index(TtOuterSteps *s, intptr_t i, intptr_t d) {
  TtStepIndex *x = &s->index[i][d];
  *x = (TtStepIndex){.window = -1};
  if (s->copy) {
    x->factor[d] = 1;
    return true;
  }
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(s->op);
  MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
  return add_expr(x, mlirAffineMapGetResult(map, d), 1);
}

static bool has_maps(MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  return !mlirAttributeIsNull(maps) && mlirArrayAttrGetNumElements(maps) > 0 &&
         mlirOperationGetNumRegions(op) == 1 &&
         mlirArrayAttrGetNumElements(maps) == mlirOperationGetNumOperands(op);
}

intptr_t tt_step_rank(const TtOuterSteps *s, intptr_t i) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(s->op, i));
  return tt_is_memref(type) ? mlirShapedTypeGetRank(type) : 0;
}

/* The loop that an index is, alone, or -1. */
int tt_lone_loop(const TtStepIndex *x) {
  int loop = -1;
  for (int l = 0; l < TT_STEP_LOOPS; ++l) {
    if (x->factor[l] == 0) continue;
    if (x->factor[l] != 1 || loop >= 0) return -1;
    loop = l;
  }
  return x->constant == 0 ? loop : -1;
}

/* Reads the indices of all operands and the extents of loops; false where an index is no sum. */
static bool read_indices(TtOuterSteps *s) {
  for (intptr_t i = 0; i < s->operands; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(s->op, i));
    if (tt_step_rank(s, i) > TT_MAX_RANK) return false;
    for (intptr_t d = 0; d < tt_step_rank(s, i); ++d) {
      if (!read_index(s, i, d)) return false;
      int loop = tt_lone_loop(&s->index[i][d]);
      if (loop >= 0 && !mlirShapedTypeIsDynamicDim(type, d))
        s->extent[loop] = mlirShapedTypeGetDimSize(type, d);
    }
  }
  return true;
}

bool tt_is_parallel_step(const TtOuterSteps *s, int loop) {
  for (intptr_t i = tt_linalg_num_inputs(s->op); i < s->operands; ++i)
    for (intptr_t d = 0; d < tt_step_rank(s, i); ++d)
      if (s->index[i][d].factor[loop] != 0) return true;
  return false;
}

/* Where an index has several loops, one of them may slide along: the first that moves the output,
 * by one, or by several elements of a tensor. The others are stepped. */
static bool step_sums(TtOuterSteps *s) {
  bool any = false;
  for (intptr_t i = 0; i < s->operands; ++i)
    for (intptr_t d = 0; d < tt_step_rank(s, i); ++d) {
      TtStepIndex *x = &s->index[i][d];
      int window = tt_lone_loop(x);
      bool tensor = !tt_is_core_buffer(mlirOperationGetOperand(s->op, i));
      for (int strided = 0; strided < 2 && window < 0; ++strided) /* rather side by side */
        for (int l = 0; l < TT_STEP_LOOPS && window < 0; ++l)
          if ((strided ? tensor && x->factor[l] > 1 : x->factor[l] == 1) && !s->stepped[l] &&
              tt_is_parallel_step(s, l))
            window = l;
      for (int l = 0; l < TT_STEP_LOOPS; ++l)
        if (x->factor[l] != 0 && l != window) s->stepped[l] = any = true;
      x->window = window;
      any |= window >= 0 && x->factor[window] > 1; /* a view with a stride */
    }
  return any;
}

/* Whether more than two dimensions of operand `i` are not stepped: the first of them, rather of
 * constant size. */
static int first_of_many(const TtOuterSteps *s, intptr_t i) {
  int first = -1, n = 0;
  for (intptr_t d = 0; d < tt_step_rank(s, i); ++d) {
    int window = s->index[i][d].window;
    if (window < 0 || s->stepped[window]) continue;
    if (n++ == 0 || s->extent[first] <= 0) first = window;
  }
  return n > 2 ? first : -1;
}

/* Of a dimension that is expanded to several, all but the innermost are stepped: a view of a step
 * is then one of what is expanded. */
static bool step_expanded(TtOuterSteps *s) {
  bool any = false;
  for (intptr_t i = 0; i < s->operands; ++i) {
    MlirOperation expand = tt_defining_op(mlirOperationGetOperand(s->op, i));
    if (!tt_op_is(expand, "memref.expand_shape")) continue;
    MlirAttribute groups = tt_op_attr(expand, "reassociation");
    for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
      MlirAttribute group = mlirArrayAttrGetElement(groups, g);
      bool inner = false;
      for (intptr_t k = mlirArrayAttrGetNumElements(group); k-- > 0;) {
        int loop = s->index[i][tt_int(mlirArrayAttrGetElement(group, k))].window;
        if (loop < 0 || s->extent[loop] == 1) continue;
        if (inner && !s->stepped[loop]) s->stepped[loop] = any = true;
        inner = true;
      }
    }
  }
  return any;
}

/* An input that is there for its shape: the window of a pooling. */
bool tt_is_unused_operand(const TtOuterSteps *s, intptr_t i) {
  return !s->copy && i < tt_linalg_num_inputs(s->op) &&
         !tt_has_uses(mlirBlockGetArgument(tt_body(s->op), i));
}

/* Whether a loop goes along a side of an operand, which says how far, when the kernel runs. */
static bool goes_along(const TtOuterSteps *s, int loop) {
  for (intptr_t i = 0; i < s->operands; ++i)
    for (intptr_t d = 0; d < tt_step_rank(s, i); ++d)
      if (tt_lone_loop(&s->index[i][d]) == loop) return true;
  return false;
}

/* Whether its body asks where it is: what loops no operand has make rows or columns of masks. */
static bool asks_for_index(MlirOperation op) {
  for (MlirOperation inner = mlirBlockGetFirstOperation(tt_body(op)); !mlirOperationIsNull(inner);
       inner = tt_next(inner))
    if (tt_op_is(inner, "linalg.index")) return true;
  return false;
}

/* Blocks have two sides: of a sum, or an extreme, that is no product and goes over more, as over
 * distances of all pairs, steps of the sum are taken one by one. They add up in the output. */
static bool step_deep_sum(TtOuterSteps *s) {
  if (s->copy || tt_is_contraction(s->op)) return false;
  int live = 0;
  bool any = false, asks = asks_for_index(s->op);
  for (int l = 0; l < TT_STEP_LOOPS; ++l) /* 0: what only a run knows, or no loop */
    live += !s->stepped[l] &&
            (s->extent[l] > 1 ||
             (s->extent[l] <= 0 && (tt_is_parallel_step(s, l) || (asks && goes_along(s, l)))));
  for (int l = 0; l < TT_STEP_LOOPS && live > 2; ++l)
    if (!s->stepped[l] && s->extent[l] > 1 && !tt_is_parallel_step(s, l))
      s->stepped[l] = any = true, --live;
  return any;
}

/* Whether an op combines elements as nothing of the chip does within a tile: the vector unit does
 * it with whole tiles. */
static bool combines_lines(MlirOperation op) {
  static const char *const combiners[] = {"arith.andi", "arith.ori", "arith.xori", "arith.muli",
                                          "arith.mulf"};
  intptr_t inputs = tt_linalg_num_inputs(op);
  if (tt_is_copy(op) || mlirOperationGetNumOperands(op) != inputs + 1) return false;
  MlirOperation last =
      tt_defining_op(mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(op)), 0));
  MlirValue old = mlirBlockGetArgument(tt_body(op), inputs);
  for (size_t i = 0; i < sizeof combiners / sizeof *combiners; ++i)
    if (tt_op_is(last, combiners[i]))
      return tt_value_eq(mlirOperationGetOperand(last, 0), old) !=
             tt_value_eq(mlirOperationGetOperand(last, 1), old);
  return false;
}

/* Whether lines of operand `i` are taken as they are: of a tensor, of what is copied from one, or
 * of integers of 32 bits, which a selection keeps. */
static bool has_lines(const TtOuterSteps *s, intptr_t i) {
  MlirValue memref = mlirOperationGetOperand(s->op, i), root = tt_view_root(memref);
  if (!tt_is_core_buffer(memref)) return true;
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(memref));
  if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 32) return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(root); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool writes = (intptr_t)mlirOpOperandGetOperandNumber(use) >= tt_linalg_num_inputs(user);
    if (tt_is_linalg(user) && !tt_is_copy(user) && writes) return false;
  }
  return true;
}

/* Such a reduction goes on line by line. */
static bool step_lines(TtOuterSteps *s) {
  bool any = false;
  if (!combines_lines(s->op)) return false;
  for (intptr_t i = 0; i + 1 < s->operands; ++i)
    if (!has_lines(s, i)) return false;
  for (int l = 0; l < TT_STEP_LOOPS; ++l)
    if (!s->stepped[l] && s->extent[l] > 0 && !tt_is_parallel_step(s, l))
      s->stepped[l] = s->lines = any = true;
  return any;
}

/* Whether a window slides along dimension `d` of a matrix: each step takes a part of it. */
static bool slides_along(const TtOuterSteps *s, intptr_t i, intptr_t d) {
  int window = s->index[i][d].window;
  return tt_step_rank(s, i) <= 2 && window >= 0 && !s->stepped[window];
}

/* Whether a buffer has so many outer steps, of whole tiles each, that they lie one below the other
 * (split_buffers.c) and are gone over in a loop. */
static bool is_tall(MlirValue memref) {
  MlirType type = mlirValueGetType(tt_view_root(memref));
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t steps = 1;
  if (rank < 3 || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetDimSize(type, rank - 2) % TT_TILE != 0)
    return false;
  for (intptr_t d = 0; d < rank - 2; ++d) steps *= mlirShapedTypeGetDimSize(type, d);
  return steps > MAX_BUFFERS;
}

/* Whether another op takes dimension `d` of a buffer of the core in steps, as a part of it for
 * each. */
static bool is_taken_in_steps(MlirValue buffer, intptr_t d) {
  MlirType type = mlirValueGetType(buffer);
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (!tt_op_is(view, "memref.subview")) continue;
    MlirAttribute sizes = tt_op_attr(view, "static_sizes");
    MlirType part = mlirValueGetType(mlirOperationGetResult(view, 0));
    if (mlirShapedTypeGetRank(part) < 2 && mlirDenseI64ArrayGetElement(sizes, d) == 1 &&
        mlirShapedTypeGetDimSize(type, d) > 1)
      return true;
  }
  return false;
}

/* A buffer of more than two dimensions that another op takes line by line, since these are the last
 * of what that reads or sums, is taken line by line here as well: each has a buffer of its own. */
static bool step_lines_of_buffers(TtOuterSteps *s) {
  bool any = false;
  for (intptr_t i = 0; i < s->operands; ++i) {
    MlirValue buffer = mlirOperationGetOperand(s->op, i);
    if (tt_step_rank(s, i) < 3 || !tt_op_is(tt_defining_op(buffer), "memref.alloc")) continue;
    for (intptr_t d = 0; d < tt_step_rank(s, i); ++d) {
      int window = s->index[i][d].window;
      if (window >= 0 && !s->stepped[window] && is_taken_in_steps(buffer, d))
        s->stepped[window] = any = true;
    }
  }
  return any;
}

/* Which loops of `op` are stepped; false where none is, or not all can be. */
bool tt_find_outer_steps(MlirOperation op, bool deep_sums, TtOuterSteps *s) {
  *s =
      (TtOuterSteps){.op = op, .copy = tt_is_copy(op), .operands = mlirOperationGetNumOperands(op)};
  bool any = false, deep = false;
  int64_t steps = 1;
  if (s->operands > TT_STEP_OPERANDS || (!s->copy && !has_maps(op)) || !read_indices(s))
    return false;
  any = step_sums(s);
  any |= step_expanded(s);
  for (intptr_t i = 0; i < s->operands; ++i) deep |= tt_step_rank(s, i) > 2;
  for (int l = 0; l < TT_STEP_LOOPS && deep; ++l) /* they take no side */
    if (s->extent[l] == 1) s->stepped[l] = any = true;
  for (intptr_t i = s->operands; i-- > 0;) /* the output decides which dimensions are sides */
    for (int l; (l = first_of_many(s, i)) >= 0;) s->stepped[l] = any = true;
  any |= step_lines_of_buffers(s);
  any |= deep_sums && (step_lines(s) || step_deep_sum(s));
  for (intptr_t i = 0; i < s->operands; ++i) /* a buffer that is taken in steps has one for each */
    for (intptr_t d = 0; d < tt_step_rank(s, i); ++d)
      for (int l = 0; l < TT_STEP_LOOPS; ++l)
        s->unrolled |= s->index[i][d].factor[l] != 0 && s->stepped[l] && s->extent[l] != 1 &&
                       !tt_is_unused_operand(s, i) && !slides_along(s, i, d) &&
                       !(s->lines && tt_step_rank(s, i) <= 2) &&
                       tt_is_core_buffer(mlirOperationGetOperand(op, i)) &&
                       !is_tall(mlirOperationGetOperand(op, i));
  for (intptr_t i = 0; i < s->operands; ++i)
    for (intptr_t d = 0; d < tt_step_rank(s, i); ++d) {
      int window = s->index[i][d].window;
      bool whole = tt_lone_loop(&s->index[i][d]) >= 0;
      if (window >= 0 && s->extent[window] <= 0 && !whole) return false;
    }
  for (int l = 0; l < TT_STEP_LOOPS && any; ++l) {
    if (!s->stepped[l]) continue;
    if (s->extent[l] <= 0) return false;
    steps *= s->extent[l];
  }
  return any && !(s->unrolled && steps > TT_MAX_UNROLLED);
}
