/*===- same_block.c - steps of a parallel loop that touch one element of blocks -----------------===
 *
 *   scf.parallel (%t) = (0) to (4) {
 *     %s = memref.subview %C[%t * 16, 0] [32, 32] [1, 1]      0 and 1: C[16 … 31, 0 … 31]
 *     memref.copy %x, %s
 *   }
 *
 * What an op touches is a box: in each dimension, `count` elements from `from` on, `stride` apart.
 * That boxes of two steps have an element in common is a question of integer points. Boxes are
 * counted in the innermost view that both ops see and that is made outside of the loop, so that it
 * does not matter how that one lies in its buffer. Dimensions that a view in the loop puts
 * together or takes apart are taken for all that it sees, and a meeting is not sure then.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/same_block.h"

#include "Analysis/constraints.h"
#include "Analysis/kept_dims.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

enum { NONE = -1, MAX_DEPTH = 64 };

typedef struct Box {
  intptr_t rank;
  TtLinear from[TT_MAX_RANK], count[TT_MAX_RANK];
  int64_t stride[TT_MAX_RANK];
  bool all[TT_MAX_RANK];                 /* no end is known: to the end of the dimension */
  bool sure;                             /* else it is a part of the box that is touched */
  intptr_t view_rank, dims[TT_MAX_RANK]; /* of the view: which dimension each one is, or NONE */
} Box;

static bool is_view(MlirOperation op) {
  static const char *const names[] = {"memref.subview",      "memref.cast",
                                      "memref.transpose",    "memref.memory_space_cast",
                                      "memref.expand_shape", "memref.collapse_shape",
                                      "memref.view",         "memref.reinterpret_cast"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

MlirValue tt_root_of_view(MlirValue view) {
  while (is_view(tt_defining_op(view))) view = mlirOperationGetOperand(tt_defining_op(view), 0);
  return view;
}

bool tt_is_same_in_steps(MlirOperation loop, MlirValue value) {
  if (!tt_is_defined_in(loop, value)) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || mlirOperationGetNumRegions(op) > 0 ||
      tt_op_is(op, "memref.load") || tt_op_is(op, "memref.atomic_rmw") ||
      tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca"))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!tt_is_same_in_steps(loop, mlirOperationGetOperand(op, i))) return false;
  return true;
}

/* The innermost view outside of `loop` that both are views of. */
static MlirValue seen_by_both(MlirOperation loop, MlirValue a, MlirValue b) {
  for (;; a = mlirOperationGetOperand(tt_defining_op(a), 0)) {
    for (MlirValue x = b; !tt_is_defined_in(loop, a);
         x = mlirOperationGetOperand(tt_defining_op(x), 0)) {
      if (tt_value_eq(x, a)) return a;
      if (!is_view(tt_defining_op(x))) break;
    }
    if (!is_view(tt_defining_op(a))) return a;
  }
}

/*===- Boxes of views ------------------------------------------------------------------------===*/

static TtLinear number(int64_t value) { return (TtLinear){.constant = value}; }

static Box all_of(MlirValue seen) {
  MlirType type = mlirValueGetType(seen);
  Box box = {.rank = mlirShapedTypeGetRank(type), .sure = true};
  if (box.rank > TT_MAX_RANK) box.rank = 0, box.sure = false;
  box.view_rank = box.rank;
  for (intptr_t d = 0; d < box.rank; ++d) {
    box.all[d] = mlirShapedTypeIsDynamicDim(type, d);
    if (!box.all[d]) box.count[d] = number(mlirShapedTypeGetDimSize(type, d));
    box.stride[d] = 1, box.dims[d] = d;
  }
  return box;
}

/* Static number `i` of an attribute of a subview, or its next operand. */
static TtLinear part(TtConstraints *c, MlirOperation op, const char *name, intptr_t i,
                     intptr_t *operand, int run) {
  int64_t value = mlirDenseI64ArrayGetElement(tt_op_attr(op, name), i);
  if (value != INT64_MIN) return number(value);
  return tt_linear_of(c, mlirOperationGetOperand(op, (*operand)++), run);
}

static void narrow(TtConstraints *c, Box *box, MlirOperation subview, int run) {
  MlirAttribute starts = tt_op_attr(subview, "static_offsets"),
                strides = tt_op_attr(subview, "static_strides");
  intptr_t n = mlirDenseArrayGetNumElements(starts), operand = 1, sizes = 1;
  bool keeps[TT_MAX_RANK];
  if (n != box->view_rank || !tt_subview_keeps(subview, keeps)) {
    box->sure = false, box->view_rank = NONE;
    return;
  }
  for (intptr_t i = 0; i < n; ++i) sizes += mlirDenseI64ArrayGetElement(starts, i) == INT64_MIN;
  for (intptr_t i = 0; i < n; ++i) {
    intptr_t d = box->dims[i];
    int64_t stride = mlirDenseI64ArrayGetElement(strides, i);
    TtLinear from = part(c, subview, "static_offsets", i, &operand, run),
             count = part(c, subview, "static_sizes", i, &sizes, run);
    if (d == NONE || stride < 1) {
      box->sure = false;
      continue;
    }
    box->from[d] = tt_linear_add(box->from[d], from, box->stride[d]);
    box->count[d] = count, box->all[d] = false;
    box->stride[d] *= stride;
  }
  box->view_rank = 0;
  for (intptr_t i = 0; i < n; ++i)
    if (keeps[i]) box->dims[box->view_rank++] = box->dims[i];
}

static void turn(Box *box, MlirOperation transpose) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(transpose, "permutation"));
  intptr_t dims[TT_MAX_RANK];
  if (box->view_rank == NONE) return;
  for (intptr_t i = 0; i < box->view_rank; ++i)
    dims[i] = box->dims[mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, i))];
  for (intptr_t i = 0; i < box->view_rank; ++i) box->dims[i] = dims[i];
}

/* A reshape whose groups are `groups` of the dimensions of the `wide` side: one with one dimension
 * that is not of one element stays that dimension; of others, parts are not followed. */
static void regroup(Box *box, MlirOperation reshape, bool expands) {
  MlirAttribute groups = tt_op_attr(reshape, "reassociation");
  MlirType wide = mlirValueGetType(expands ? mlirOperationGetResult(reshape, 0)
                                           : mlirOperationGetOperand(reshape, 0));
  intptr_t dims[TT_MAX_RANK], n = mlirArrayAttrGetNumElements(groups);
  if (box->view_rank == NONE || mlirShapedTypeGetRank(wide) > TT_MAX_RANK) {
    box->view_rank = NONE;
    return;
  }
  for (intptr_t g = 0; g < n; ++g) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    intptr_t kept = NONE, several = 0;
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i) {
      intptr_t w = tt_int(mlirArrayAttrGetElement(group, i));
      bool unit = !mlirShapedTypeIsDynamicDim(wide, w) && mlirShapedTypeGetDimSize(wide, w) == 1;
      if (expands) dims[w] = NONE;
      if (!unit) kept = w, ++several;
    }
    if (!expands) dims[g] = several == 1 ? box->dims[kept] : NONE;
    else if (several == 1) dims[kept] = box->dims[g];
  }
  box->view_rank = expands ? mlirShapedTypeGetRank(wide) : n;
  for (intptr_t i = 0; i < box->view_rank; ++i) box->dims[i] = dims[i];
}

static Box box_of_view(TtConstraints *c, MlirValue view, MlirValue seen, int run) {
  if (tt_value_eq(view, seen)) return all_of(seen);
  MlirOperation op = tt_defining_op(view);
  Box box = box_of_view(c, mlirOperationGetOperand(op, 0), seen, run);
  if (tt_op_is(op, "memref.subview")) {
    narrow(c, &box, op, run);
  } else if (tt_op_is(op, "memref.transpose")) {
    turn(&box, op);
  } else if (tt_op_is(op, "memref.expand_shape") || tt_op_is(op, "memref.collapse_shape")) {
    regroup(&box, op, tt_op_is(op, "memref.expand_shape"));
  } else if (!tt_op_is(op, "memref.cast") && !tt_op_is(op, "memref.memory_space_cast")) {
    box = all_of(seen);
    box.sure = false, box.view_rank = NONE;
  }
  return box;
}

static Box box_of(TtConstraints *c, const TtBlockAccess *access, MlirValue seen, int run) {
  Box box = box_of_view(c, access->view, seen, run);
  if (!tt_op_is(access->op, "memref.load") && !tt_op_is(access->op, "memref.store")) return box;
  for (intptr_t i = 0; i < box.view_rank; ++i) {
    intptr_t d = box.dims[i];
    if (d == NONE) {
      box.sure = false;
      continue;
    }
    TtLinear at = tt_linear_of(c, tt_index_of_access(access->op, i), run);
    box.from[d] = tt_linear_add(box.from[d], at, box.stride[d]);
    box.count[d] = number(1), box.all[d] = false;
  }
  if (box.view_rank == NONE) box.sure = false;
  return box;
}

/*===- Meetings ------------------------------------------------------------------------------===*/

/* `element` is one of those of dimension `d` of the box. */
static void require_in(TtConstraints *c, const Box *box, intptr_t d, TtLinear element) {
  TtLinear after = tt_linear_add(element, box->from[d], -1), none = number(0);
  if (box->stride[d] != 1) {
    TtLinear steps = tt_linear_any(c), rest = tt_linear_add(after, steps, -box->stride[d]);
    tt_require(c, rest);
    tt_require(c, tt_linear_add(none, rest, -1));
    after = steps;
  }
  tt_require(c, after);
  if (box->all[d]) return;
  TtLinear room = tt_linear_add(box->count[d], after, -1), one = number(-1);
  tt_require(c, tt_linear_add(room, one, 1));
}

typedef struct Problem {
  TtConstraints c;
  TtLinear step[2][TT_PARALLEL_DIMS], element[TT_MAX_RANK];
  intptr_t dims, rank;
  bool sure;
} Problem;

static Problem problem_of(TtArena *arena, MlirOperation loop, const TtBlockAccess *const ops[2],
                          const MlirValue seen[2]) {
  Problem p = {.c = tt_constraints(arena, loop), .sure = true};
  p.dims = mlirBlockGetNumArguments(tt_body(loop));
  for (int run = 0; run < 2; ++run) {
    for (intptr_t d = 0; d < p.dims; ++d)
      p.step[run][d] = tt_linear_of(&p.c, mlirBlockGetArgument(tt_body(loop), d), run);
    tt_require_conditions(&p.c, ops[run]->op, run);
    Box box = box_of(&p.c, ops[run], seen[run], run);
    p.rank = box.rank, p.sure &= box.sure;
    for (intptr_t d = 0; d < box.rank; ++d) {
      if (run == 0) p.element[d] = tt_linear_any(&p.c);
      require_in(&p.c, &box, d, p.element[d]);
    }
  }
  return p;
}

static bool have_one_shape(MlirValue a, MlirValue b) {
  MlirType x = mlirValueGetType(a), y = mlirValueGetType(b);
  bool same = mlirShapedTypeGetRank(x) == mlirShapedTypeGetRank(y);
  for (intptr_t d = 0; same && d < mlirShapedTypeGetRank(x); ++d)
    same = mlirShapedTypeGetDimSize(x, d) == mlirShapedTypeGetDimSize(y, d);
  return same;
}

TtMeets tt_same_block_of_steps(TtArena *arena, MlirOperation loop, const TtBlockAccess *a,
                               const TtBlockAccess *b, MlirValue *seen, TtSameElement *same) {
  int64_t x[TT_MAX_COLUMNS];
  MlirValue roots[2] = {tt_root_of_view(a->view), tt_root_of_view(b->view)};
  if (tt_value_eq(roots[0], roots[1]) && !tt_is_defined_in(loop, roots[0]))
    roots[0] = roots[1] = seen_by_both(loop, a->view, b->view);
  else if (!have_one_shape(roots[0], roots[1])) return TT_MAY_MEET;
  *seen = roots[0];
  Problem p = problem_of(arena, loop, (const TtBlockAccess *const[2]){a, b}, roots);
  if (p.c.overflow) return TT_MAY_MEET;
  bool one = tt_op_eq(a->op, b->op) && tt_value_eq(a->view, b->view);
  for (intptr_t d = 0; d < p.dims; ++d)
    for (int sign = one ? 1 : -1; sign <= 1; sign += 2) {
      Problem q = p;
      TtLinear apart = tt_linear_add(q.step[1][d], q.step[0][d], -1), row = number(-1);
      tt_require(&q.c, tt_linear_add(row, apart, sign));
      if (!tt_solve(&q.c, x)) continue;
      if (!q.sure || !q.c.exact) return TT_MAY_MEET;
      for (int run = 0; run < 2; ++run)
        for (intptr_t i = 0; i < q.dims; ++i)
          same->step[run][i] = tt_linear_at(&q.c, &q.step[run][i], x);
      for (intptr_t i = 0; i < q.rank; ++i) same->element[i] = tt_linear_at(&q.c, &q.element[i], x);
      return TT_MEET;
    }
  return TT_NEVER_MEET;
}
