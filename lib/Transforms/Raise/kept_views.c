/*===- kept_views.c - blocks of results that a core keeps, and parts of them ------------------===
 *
 *   %a = subview %Y[%r, %i] [1, 1]   %b = subview %Y[%r, %i + 1] [1, 1]   in cell %r
 *
 * are parts of subview %Y[%r, 0] [1, 64], which no other cell has a part of.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/kept_views.h"

#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"
#include "Analysis/kept_dims.h"
#include "Transforms/Raise/loop_dims.h"
#include "Transforms/Raise/slices.h"

static bool same_array(MlirOperation a, MlirOperation b, const char *name) {
  return mlirAttributeEqual(tt_op_attr(a, name), tt_op_attr(b, name));
}

bool tt_same_view(TtArena *arena, MlirValue x, MlirValue y) {
  MlirOperation a = tt_defining_op(x), b = tt_defining_op(y);
  if (tt_value_eq(x, y)) return true;
  intptr_t n = mlirOperationIsNull(a) ? 0 : mlirOperationGetNumOperands(a);
  bool same = tt_op_is(a, "memref.subview") && tt_op_is(b, "memref.subview") &&
              n == mlirOperationGetNumOperands(b) && same_array(a, b, "static_offsets") &&
              same_array(a, b, "static_sizes") && same_array(a, b, "static_strides") &&
              mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(y));
  for (intptr_t i = 1; same && i < n; ++i)
    same = tt_same_index(arena, mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i));
  return same;
}

/* Whether `value` is there wherever the block of the cell goes on. */
static bool is_there(const TtKept *k, MlirValue value) {
  MlirOperation from = tt_defining_op(value);
  if (!mlirOperationIsNull(from)) {
    MlirOperation at = tt_ancestor_in(k->cell, from);
    return mlirOperationIsNull(at) || tt_op_eq(at, from);
  }
  MlirBlock of = mlirBlockArgumentGetOwner(value);
  return mlirBlockEqual(of, k->cell) ||
         mlirOperationIsNull(tt_ancestor_in(k->cell, mlirBlockGetParentOperation(of)));
}

bool tt_is_of_cell(const TtKept *k, MlirValue view) {
  MlirOperation op = tt_defining_op(view);
  for (intptr_t i = 1; tt_op_is(op, "memref.subview") && i < mlirOperationGetNumOperands(op); ++i)
    if (!is_there(k, mlirOperationGetOperand(op, i))) return false;
  return true;
}

/*===- Parts of the block --------------------------------------------------------------------===*/

/* What a view takes along a dimension of the tensor; `view`: the tensor itself, too. */
typedef struct Extent {
  MlirValue offset, open; /* null: `start`, `size` */
  int64_t start, size;    /* of an open size the most that it may be */
} Extent;

static intptr_t operands_before(MlirAttribute array, intptr_t d) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < d; ++i) n += mlirDenseI64ArrayGetElement(array, i) == INT64_MIN;
  return n;
}

/* False where it is no plain view of the tensor of constant or bounded size. */
static bool extent_of(MlirValue view, intptr_t d, Extent *e) {
  MlirOperation op = tt_defining_op(view);
  if (mlirOperationIsNull(op)) {
    *e = (Extent){{NULL}, {NULL}, 0, mlirShapedTypeGetDimSize(mlirValueGetType(view), d)};
    return e->size >= 0;
  }
  if (!tt_op_is(op, "memref.subview") ||
      !mlirValueIsABlockArgument(mlirOperationGetOperand(op, 0)) ||
      mlirDenseI64ArrayGetElement(tt_op_attr(op, "static_strides"), d) != 1)
    return false;
  MlirAttribute offsets = tt_op_attr(op, "static_offsets"), sizes = tt_op_attr(op, "static_sizes");
  *e = (Extent){{NULL},
                {NULL},
                mlirDenseI64ArrayGetElement(offsets, d),
                mlirDenseI64ArrayGetElement(sizes, d)};
  intptr_t first = 1 + operands_before(offsets, mlirDenseArrayGetNumElements(offsets));
  if (e->start == INT64_MIN)
    e->offset = mlirOperationGetOperand(op, 1 + operands_before(offsets, d)), e->start = 0;
  if (e->size == INT64_MIN) {
    e->open = mlirOperationGetOperand(op, first + operands_before(sizes, d));
    e->size = tt_index_bound(e->open);
  }
  return e->size >= 0;
}

static bool same_or_none(TtArena *arena, MlirValue a, MlirValue b) {
  if (tt_is_null_value(a) || tt_is_null_value(b)) return tt_is_null_value(a) && tt_is_null_value(b);
  return tt_value_eq(a, b) || tt_same_index(arena, a, b);
}

/* Whether two take as many elements. */
static bool same_size(TtArena *arena, const Extent *a, const Extent *b) {
  return a->size == b->size && same_or_none(arena, a->open, b->open);
}

static bool keeps_of(const TtKept *k, MlirValue view, bool *keeps) {
  MlirOperation op = tt_defining_op(view);
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(k->tensor));
  for (intptr_t d = 0; d < rank; ++d) keeps[d] = true;
  return mlirOperationIsNull(op) || tt_subview_keeps(op, keeps);
}

/* Where `part` begins in `all`, before `op`. */
static MlirValue begin_in(const TtKept *k, MlirOperation op, const Extent *all,
                          const Extent *part) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  if (tt_is_null_value(all->offset) && all->start == 0)
    return tt_is_null_value(part->offset) ? tt_index(&b, loc, part->start) : part->offset;
  MlirValue sides[2];
  for (int i = 0; i < 2; ++i) {
    const Extent *e = i == 0 ? part : all;
    sides[i] = tt_is_null_value(e->offset) ? tt_index(&b, loc, e->start) : e->offset;
  }
  MlirValue at = tt_sub(&b, loc, sides[0], sides[1]),
            plain = tt_exact_quotient(k->arena, &b, loc, at, 1);
  return tt_is_null_value(plain) ? at : plain;
}

/* Whether `value`, or none, is known where `op` stands. */
static bool is_known_at(MlirOperation op, MlirValue value) {
  if (tt_is_null_value(value)) return true;
  if (mlirValueIsABlockArgument(value))
    return !mlirOperationIsNull(tt_ancestor_in(mlirBlockArgumentGetOwner(value), op));
  MlirOperation from = tt_defining_op(value), at = tt_ancestor_in(mlirOperationGetBlock(from), op);
  return !mlirOperationIsNull(at) && tt_is_before(from, at);
}

/* Whether `part`, of a view at `op`, begins and ends in `all`, whose offset is known there. */
static bool is_inside(const TtKept *k, MlirOperation op, const Extent *all, const Extent *part) {
  bool from_start = tt_is_null_value(all->offset) && all->start == 0;
  if (!tt_is_null_value(part->open) || mlirOperationIsNull(op) || !is_known_at(op, all->offset))
    return false;
  TtIndexRange at = {part->start, part->start};
  bool constant = from_start && tt_is_null_value(part->offset);
  bool known = constant || tt_index_range(k->arena, begin_in(k, op, all, part), &at);
  int64_t end;
  return known && at.least >= 0 && !__builtin_add_overflow(at.most, part->size, &end) &&
         end <= all->size;
}

/* Whether `view` lies in `block`: along each dimension it is as that is, or a part of all of it. */
bool tt_is_part_of_block(const TtKept *k, MlirValue block, MlirValue view) {
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(k->tensor));
  bool has[TT_MAX_RANK], keeps[TT_MAX_RANK];
  if (rank > TT_MAX_RANK || !keeps_of(k, block, has) || !keeps_of(k, view, keeps)) return false;
  for (intptr_t d = 0; d < rank; ++d) {
    Extent all, part;
    if (!extent_of(block, d, &all) || !extent_of(view, d, &part) || (keeps[d] && !has[d]))
      return false;
    bool same = all.start == part.start && same_or_none(k->arena, all.offset, part.offset);
    if (same && same_size(k->arena, &all, &part)) continue;
    if (!has[d]) return false;
    /* A single line is selected by its index among all that the tensor has: one that is no line, as
     * a choice may have in a step that does not take it, selects none. */
    bool from_start = tt_is_null_value(all.offset) && all.start == 0,
         all_lines = !tt_is_null_value(all.open) ||
                     all.size >= mlirShapedTypeGetDimSize(mlirValueGetType(k->tensor), d);
    if (from_start && part.size == 1 && !tt_is_null_value(part.offset) && all_lines &&
        tt_is_null_value(part.open))
      continue;
    if (!is_inside(k, tt_defining_op(view), &all, &part)) return false;
  }
  return true;
}

bool tt_begins_at_any_column(const TtKept *k, MlirValue view) {
  enum { FACE = TT_TILE / 2 };
  intptr_t last = mlirShapedTypeGetRank(mlirValueGetType(k->tensor)) - 1;
  MlirOperation op = tt_defining_op(view);
  Extent e;
  if (last < 0 || mlirOperationIsNull(op) || !extent_of(view, last, &e) ||
      tt_is_null_value(e.offset) || is_there(k, e.offset))
    return false;
  TtBuilder b = tt_builder_before(op);
  return !tt_is_multiple(k->arena, &b, e.offset, FACE);
}

/* What `view` is of the buffer, before `user`. */
MlirValue tt_part_of_block(const TtKept *k, MlirOperation user, MlirValue view, MlirValue buffer) {
  if (tt_same_view(k->arena, k->block, view)) return buffer;
  TtBuilder b = tt_builder_before(user);
  MlirLocation loc = mlirOperationGetLocation(user);
  bool has[TT_MAX_RANK], keeps[TT_MAX_RANK], own[TT_MAX_RANK];
  MlirValue at[TT_MAX_RANK], open[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK];
  intptr_t n = 0;
  keeps_of(k, k->block, has), keeps_of(k, view, keeps);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(k->tensor)); ++d) {
    Extent all, part;
    if (!has[d]) continue;
    extent_of(k->block, d, &all), extent_of(view, d, &part);
    bool whole = same_size(k->arena, &all, &part);
    at[n] = whole ? tt_index(&b, loc, 0) : begin_in(k, user, &all, &part);
    open[n] = part.open;
    sizes[n] = tt_is_null_value(part.open) ? part.size : INT64_MIN, own[n++] = keeps[d];
  }
  return tt_open_subview(&b, loc, buffer, at, sizes, open, own);
}

/* Whether all views are alike along a dimension, as the first one is: `e`. */
static bool are_alike(const TtKept *k, const MlirValue *views, intptr_t n, intptr_t d, Extent *e) {
  bool alike = extent_of(views[0], d, e);
  for (intptr_t i = 1; i < n && alike; ++i) {
    Extent other;
    if (!extent_of(views[i], d, &other)) return false;
    alike = same_size(k->arena, e, &other) && e->start == other.start &&
            same_or_none(k->arena, e->offset, other.offset);
  }
  return alike && (tt_is_null_value(e->offset) || is_there(k, e->offset)) &&
         (tt_is_null_value(e->open) || is_there(k, e->open));
}

/* Whether the cells of a grid that differ in variable `iv` differ in what they have of `d` alone:
 * `e`, of steps of `step`. */
static bool tells_apart(const TtKept *k, const Extent *e, MlirValue iv, int64_t step) {
  int64_t factor;
  return !tt_is_null_value(e->offset) && tt_index_factor(k->arena, e->offset, iv, &factor) &&
         factor * step >= e->size;
}

/* A view of all that those at `views` are of: along each dimension as they all are, or all of it.
 * Null where another cell may write to it as well. */
MlirValue tt_joint_view(const TtKept *k, const MlirValue *views, intptr_t n) {
  MlirValue at[TT_MAX_RANK], open[TT_MAX_RANK], none = {NULL};
  int64_t sizes[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK], has[TT_MAX_RANK], alike[TT_MAX_RANK];
  Extent all[TT_MAX_RANK];
  MlirType type = mlirValueGetType(k->tensor);
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (n == 0 || rank > TT_MAX_RANK || !mlirShapedTypeHasStaticShape(type) ||
      !keeps_of(k, views[0], has))
    return none;
  for (intptr_t d = 0; d < rank; ++d) {
    alike[d] = are_alike(k, views, n, d, &all[d]);
    keeps[d] = !alike[d] || has[d];
  }
  MlirOperation grid = mlirBlockGetParentOperation(k->cell);
  for (intptr_t i = 0; tt_op_is(grid, "scf.forall") && i < mlirBlockGetNumArguments(k->cell); ++i) {
    TtLoopDim loop;
    bool apart = tt_loop_dim(grid, i, &loop) && loop.extent == 1;
    int64_t step = mlirDenseI64ArrayGetElement(tt_op_attr(grid, "staticStep"), i);
    for (intptr_t d = 0; d < rank; ++d)
      apart |= alike[d] && tells_apart(k, &all[d], mlirBlockGetArgument(k->cell, i), step);
    if (!apart) return none;
  }
  MlirOperation first = tt_ancestor_in(k->cell, k->users.data[0]);
  TtBuilder b = tt_builder_before(first);
  MlirLocation loc = mlirOperationGetLocation(first);
  for (intptr_t d = 0; d < rank; ++d) {
    bool plain = !alike[d] || tt_is_null_value(all[d].offset);
    at[d] = plain ? tt_index(&b, loc, alike[d] ? all[d].start : 0) : all[d].offset;
    open[d] = alike[d] ? all[d].open : none;
    sizes[d] = !alike[d]                   ? mlirShapedTypeGetDimSize(type, d)
               : tt_is_null_value(open[d]) ? all[d].size
                                           : INT64_MIN;
  }
  return tt_open_subview(&b, loc, k->tensor, at, sizes, open, keeps);
}

/* The loops around the first use up to the cell, the innermost first. */
static TtOps loops_of(const TtKept *k) {
  TtOps loops = {NULL, 0, 0};
  for (MlirOperation op = tt_parent(k->users.data[0]);
       !mlirOperationIsNull(tt_ancestor_in(k->cell, op)); op = tt_parent(op))
    tt_ops_add(k->arena, &loops, op);
  return loops;
}

/* Whether steps of loop `i` of `loops` have what does not meet: along a dimension in which no other
 * of them moves. */
static bool steps_apart(const TtKept *k, const TtOps *loops, intptr_t i, MlirValue view) {
  int64_t step, factor;
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(k->tensor));
  MlirOperation loop = loops->data[i];
  if (!tt_op_is(loop, "scf.for") || !tt_constant(mlirOperationGetOperand(loop, 2), &step))
    return false;
  for (intptr_t d = 0; d < rank && rank <= TT_MAX_RANK; ++d) {
    Extent e;
    bool apart = extent_of(view, d, &e) && tells_apart(k, &e, tt_for_iv(loop), step);
    for (intptr_t j = 0; j < loops->n && apart; ++j)
      apart = j == i || (tt_op_is(loops->data[j], "scf.for") &&
                         tt_index_factor(k->arena, e.offset, tt_for_iv(loops->data[j]), &factor) &&
                         factor == 0);
    if (apart) return true;
  }
  return false;
}

bool tt_steps_overlap(const TtKept *k, MlirOperation user, MlirValue view) {
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(k->tensor));
  for (MlirOperation p = tt_parent(user); !mlirOperationIsNull(tt_ancestor_in(k->cell, p));
       p = tt_parent(p)) {
    int64_t step, factor;
    if (!tt_op_is(p, "scf.for") || !tt_constant(mlirOperationGetOperand(p, 2), &step)) continue;
    bool moves = false, known = true, apart = false;
    for (intptr_t d = 0; d < rank && known; ++d) {
      Extent e;
      known = extent_of(view, d, &e);
      if (!known || tt_is_null_value(e.offset)) continue;
      known = tt_index_factor(k->arena, e.offset, tt_for_iv(p), &factor);
      moves |= known && factor != 0;
      apart |= known && factor * step >= e.size;
    }
    if (known && moves && !apart) return true;
  }
  return false;
}

bool tt_is_of_step(TtKept *k, MlirValue view) {
  MlirBlock cell = k->cell, step = {NULL};
  TtOps loops = loops_of(k);
  for (intptr_t i = 0; i < loops.n; ++i) {
    if (!steps_apart(k, &loops, i, view)) return k->cell = cell, false;
    bool all = mlirBlockIsNull(step);
    k->cell = tt_for_body(loops.data[i]);
    for (intptr_t j = 0; j < k->users.n && all; ++j)
      all = !mlirOperationIsNull(tt_ancestor_in(k->cell, k->users.data[j]));
    if (all && tt_is_of_cell(k, view)) step = k->cell;
  }
  k->cell = mlirBlockIsNull(step) ? cell : step;
  return !mlirBlockIsNull(step);
}
