/*===- slices.c - views without some of the dimensions of a memref ----------------------------===
 *
 *   collapse_shape [[0, 1], [2]] : 1x32x64 -> 32x64      = subview [0, 0, 0] [1, 32, 64], 32x64
 *   subview (collapse_shape [[0, 1], [2]] %A : 4x64x32 -> 256x32) [%m, 0] [32, 32]
 * = subview %A[%m / 64, %m % 64, 0] [1, 32, 32]
 *   subview (expand_shape [[0, 1]] %A : 64 -> 2x32) [%i, 0] [1, 32]  = subview %A[%i * 32] [32]
 *   subview (expand_shape [[0, 1]] %A : 64 -> 2x32) [0, %i] [2, 1]   = subview %A[%i] [2] step 32
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/slices.h"

#include "Analysis/kept_dims.h"

MlirValue tt_subview(TtBuilder *b, MlirLocation loc, MlirValue memref, const MlirValue *at,
                     const int64_t *sizes, const bool *keeps) {
  return tt_strided_subview(b, loc, memref, at, sizes, NULL, keeps);
}

/* A memref.subview, of whose source a part is taken. */
typedef struct Part {
  MlirValue of, at[TT_MAX_RANK], dynamic[TT_MAX_RANK]; /* null: 0, and constant */
  int64_t sizes[TT_MAX_RANK], steps[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
} Part;

/* Whether `view` is a memref.subview of which parts are parts of its source. */
static bool is_part(MlirOperation view, bool *keeps) {
  if (!tt_op_is(view, "memref.subview") || !tt_subview_keeps(view, keeps)) return false;
  MlirAttribute steps = tt_op_attr(view, "static_strides");
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(steps); ++d)
    if (mlirDenseI64ArrayGetElement(steps, d) == INT64_MIN) return false;
  return true;
}

bool tt_is_part_of_tensor(MlirValue memref) {
  bool keeps[TT_MAX_RANK];
  while (is_part(tt_defining_op(memref), keeps))
    memref = mlirOperationGetOperand(tt_defining_op(memref), 0);
  return mlirValueIsABlockArgument(memref);
}

MlirValue tt_dynamic_size(TtBuilder *b, MlirLocation loc, MlirValue memref, intptr_t d) {
  MlirOperation view = tt_defining_op(memref);
  if (tt_op_is(view, "memref.alloc")) {
    intptr_t open = 0;
    for (intptr_t i = 0; i < d; ++i)
      open += mlirShapedTypeIsDynamicDim(mlirValueGetType(memref), i);
    return mlirOperationGetOperand(view, open);
  }
  bool keeps[TT_MAX_RANK];
  if (is_part(view, keeps)) {
    intptr_t of = 0; /* the dimension of the source that `d` is */
    for (intptr_t left = d; left > 0 || !keeps[of]; ++of) left -= keeps[of];
    intptr_t operand = 1 + mlirDenseI32ArrayGetElement(tt_op_attr(view, "operandSegmentSizes"), 1);
    for (intptr_t i = 0; i < of; ++i)
      operand += mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_sizes"), i) == INT64_MIN;
    return mlirOperationGetOperand(view, operand);
  }
  TtOpState s = tt_op_state("memref.dim", loc);
  tt_op_state_operand(&s, memref);
  tt_op_state_operand(&s, tt_index(b, loc, d));
  tt_op_state_result(&s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static intptr_t open_before(MlirAttribute array, intptr_t d) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < d; ++i) n += mlirDenseI64ArrayGetElement(array, i) == INT64_MIN;
  return n;
}

bool tt_takes_open_side(MlirOperation view, intptr_t d) {
  MlirAttribute offsets = tt_op_attr(view, "static_offsets"),
                sizes = tt_op_attr(view, "static_sizes");
  MlirOperation alloc = tt_defining_op(mlirOperationGetOperand(view, 0));
  MlirType type = mlirValueGetType(mlirOperationGetOperand(view, 0));
  if (!tt_op_is(alloc, "memref.alloc") || !mlirShapedTypeIsDynamicDim(type, d) ||
      mlirDenseI64ArrayGetElement(sizes, d) != INT64_MIN ||
      mlirDenseI64ArrayGetElement(offsets, d) != 0)
    return false;
  intptr_t size = 1 + open_before(offsets, mlirDenseArrayGetNumElements(offsets)) +
                  open_before(sizes, d),
           of = 0;
  for (intptr_t i = 0; i < d; ++i) of += mlirShapedTypeIsDynamicDim(type, i);
  return tt_value_eq(mlirOperationGetOperand(view, size), mlirOperationGetOperand(alloc, of));
}

static MlirValue times(TtBuilder *b, MlirLocation loc, MlirValue index, int64_t by) {
  return by == 1 ? index : tt_mul(b, loc, index, tt_index(b, loc, by));
}

/* What the part `p` of a memref.subview is of that one's source. */
static Part part_of_source(TtBuilder *b, MlirLocation loc, const Part *p) {
  MlirOperation view = tt_defining_op(p->of);
  MlirAttribute steps = tt_op_attr(view, "static_strides");
  Part moved = {.of = mlirOperationGetOperand(view, 0)};
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(moved.of)), d = 0;
  (void)is_part(view, moved.keeps);
  for (intptr_t s = 0; s < rank; ++s) {
    moved.at[s] = tt_subview_offset(b, view, s);
    moved.sizes[s] = 1, moved.steps[s] = mlirDenseI64ArrayGetElement(steps, s);
    if (!moved.keeps[s]) continue;
    if (!tt_is_null_value(p->at[d]))
      moved.at[s] = tt_add(b, loc, moved.at[s], times(b, loc, p->at[d], moved.steps[s]));
    moved.sizes[s] = p->sizes[d], moved.dynamic[s] = p->dynamic[d];
    moved.steps[s] *= p->steps[d], moved.keeps[s] = p->keeps[d];
    ++d;
  }
  return moved;
}

static MlirValue make_subview(TtBuilder *b, MlirLocation loc, const Part *p) {
  MlirType type = mlirValueGetType(p->of);
  MlirContext context = b->context;
  intptr_t rank = mlirShapedTypeGetRank(type), kept = 0;
  int64_t offsets[TT_MAX_RANK], strides[TT_MAX_RANK], shape[TT_MAX_RANK], start;
  int32_t segments[4] = {1, 0, 0, 0};
  TtOpState s = tt_op_state("memref.subview", loc);
  tt_op_state_operand(&s, p->of);
  mlirMemRefTypeGetStridesAndOffset(type, strides, &start);
  for (intptr_t d = 0; d < rank; ++d) {
    offsets[d] = 0;
    if (!tt_is_null_value(p->at[d]) && !tt_constant(p->at[d], &offsets[d])) {
      offsets[d] = INT64_MIN;
      tt_op_state_operand(&s, p->at[d]), ++segments[1];
    }
    bool known = start != INT64_MIN && offsets[d] != INT64_MIN && strides[d] != INT64_MIN;
    if (known) start += offsets[d] * strides[d];
    else if (offsets[d] != 0) start = INT64_MIN;
  }
  for (intptr_t d = 0; d < rank; ++d)
    if (!tt_is_null_value(p->dynamic[d])) tt_op_state_operand(&s, p->dynamic[d]), ++segments[2];
  for (intptr_t d = 0; d < rank; ++d)
    if (p->keeps[d]) {
      shape[kept] = p->sizes[d];
      strides[kept++] = strides[d] == INT64_MIN ? INT64_MIN : strides[d] * p->steps[d];
    }
  tt_op_state_attr(&s, context, "static_offsets", mlirDenseI64ArrayGet(context, rank, offsets));
  tt_op_state_attr(&s, context, "static_sizes", mlirDenseI64ArrayGet(context, rank, p->sizes));
  tt_op_state_attr(&s, context, "static_strides", mlirDenseI64ArrayGet(context, rank, p->steps));
  tt_op_state_attr(&s, context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments));
  tt_op_state_result(&s, mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), kept, shape,
                                           mlirStridedLayoutAttrGet(context, start, kept, strides),
                                           mlirMemRefTypeGetMemorySpace(type)));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* Sizes that are `given` are taken instead of those of the memref. */
static MlirValue subview_of(TtBuilder *b, MlirLocation loc, MlirValue memref, const MlirValue *at,
                            const int64_t *sizes, const MlirValue *given, const int64_t *steps,
                            const bool *keeps) {
  Part p = {.of = memref}, moved;
  bool open = false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(memref)); ++d) {
    p.at[d] = at[d], p.sizes[d] = sizes[d], p.steps[d] = steps ? steps[d] : 1,
    p.keeps[d] = keeps[d];
    if (given && !tt_is_null_value(given[d])) p.dynamic[d] = given[d];
    else if (sizes[d] == INT64_MIN) p.dynamic[d] = tt_dynamic_size(b, loc, memref, d);
    open |= !tt_is_null_value(p.dynamic[d]);
  }
  /* Blocks of open sizes are taken from tensors themselves, and steps of buffers from all of them.
   */
  MlirValue root = tt_view_root(memref);
  bool deep = !mlirValueIsABlockArgument(root) && mlirShapedTypeGetRank(mlirValueGetType(root)) > 2;
  for (bool kept[TT_MAX_RANK]; (open || deep) && is_part(tt_defining_op(p.of), kept); p = moved)
    moved = part_of_source(b, loc, &p);
  return make_subview(b, loc, &p);
}

MlirValue tt_strided_subview(TtBuilder *b, MlirLocation loc, MlirValue memref, const MlirValue *at,
                             const int64_t *sizes, const int64_t *steps, const bool *keeps) {
  return subview_of(b, loc, memref, at, sizes, NULL, steps, keeps);
}

MlirValue tt_open_subview(TtBuilder *b, MlirLocation loc, MlirValue memref, const MlirValue *at,
                          const int64_t *sizes, const MlirValue *given, const bool *keeps) {
  return subview_of(b, loc, memref, at, sizes, given, NULL, keeps);
}

MlirValue tt_slice(TtBuilder *b, MlirLocation loc, MlirValue memref, const TtTake *takes) {
  MlirType type = mlirValueGetType(memref);
  MlirValue at[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    keeps[d] = takes[d].all;
    at[d] = takes[d].all ? (MlirValue){NULL} : takes[d].at;
    sizes[d] = takes[d].all ? mlirShapedTypeGetDimSize(type, d) : 1;
  }
  return tt_subview(b, loc, memref, at, sizes, keeps);
}

/*===- Reshapes -------------------------------------------------------------------------------===*/

/* Which group of a reassociation dimension `d` is in. */
static intptr_t group_of(MlirAttribute groups, intptr_t d) {
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i)
      if (tt_int(mlirArrayAttrGetElement(group, i)) == d) return g;
  }
  return -1;
}

static bool is_static(MlirType type) {
  return mlirShapedTypeHasStaticShape(type) && mlirShapedTypeGetRank(type) <= TT_MAX_RANK;
}

/* Whether it is known how far elements of each dimension are apart in those that they were expanded
 * from: only the outermost of a group may be of any size. */
static bool has_known_steps(MlirType expanded, MlirAttribute groups) {
  if (mlirShapedTypeGetRank(expanded) > TT_MAX_RANK) return false;
  for (intptr_t d = 1; d < mlirShapedTypeGetRank(expanded); ++d)
    if (group_of(groups, d) == group_of(groups, d - 1) && mlirShapedTypeIsDynamicDim(expanded, d))
      return false;
  return true;
}

/* A collapse of what was expanded just so. */
static bool fold_inverse(MlirOperation op) {
  MlirOperation expand = tt_defining_op(mlirOperationGetOperand(op, 0));
  if (!tt_op_is(expand, "memref.expand_shape") ||
      !mlirAttributeEqual(tt_op_attr(op, "reassociation"), tt_op_attr(expand, "reassociation")) ||
      !mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(expand, 0)),
                     mlirValueGetType(mlirOperationGetResult(op, 0))))
    return false;
  tt_replace(op, mlirOperationGetOperand(expand, 0));
  return true;
}

/* A collapse that only drops dimensions of one element. */
static bool fold_units(MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirType from = mlirValueGetType(source), to = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirAttribute groups = tt_op_attr(op, "reassociation");
  TtTake takes[TT_MAX_RANK];
  intptr_t kept = 0;
  if (!is_static(from) || !is_static(to)) return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(from); ++d) {
    intptr_t group = group_of(groups, d);
    int64_t size = mlirShapedTypeGetDimSize(from, d);
    bool first = kept == group && mlirShapedTypeGetDimSize(to, group) == size;
    takes[d] = (TtTake){first, {NULL}};
    if (!first && size != 1) return false;
    kept += first;
  }
  if (kept != mlirShapedTypeGetRank(to)) return false;
  TtBuilder b = tt_builder_before(op);
  tt_replace(op, tt_slice(&b, mlirOperationGetLocation(op), source, takes));
  return true;
}

/* Whether a part of a buffer of the core is all of it. */
static bool is_all(MlirValue source, const MlirValue *at, const int64_t *size) {
  MlirType type = mlirValueGetType(source);
  bool all = tt_op_is(tt_defining_op(source), "memref.alloc");
  for (intptr_t d = 0; all && d < mlirShapedTypeGetRank(type); ++d) {
    int64_t offset;
    all =
        size[d] == mlirShapedTypeGetDimSize(type, d) && tt_constant(at[d], &offset) && offset == 0;
  }
  return all;
}

/* A view of a collapsed memref, or of an expanded one, as a view of the memref. */
static void fold_view(MlirOperation view) {
  MlirOperation op = tt_defining_op(mlirOperationGetOperand(view, 0));
  bool collapse = tt_op_is(op, "memref.collapse_shape");
  if (!collapse && !tt_op_is(op, "memref.expand_shape")) return;
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirType inner = mlirValueGetType(source),
           outer = mlirValueGetType(mlirOperationGetResult(op, 0)),
           result = mlirValueGetType(mlirOperationGetResult(view, 0));
  MlirType fine = collapse ? inner : outer;
  MlirAttribute groups = tt_op_attr(op, "reassociation"), sizes = tt_op_attr(view, "static_sizes");
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(sizes); ++d)
    if (mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_strides"), d) != 1) return;
  if (!mlirShapedTypeHasStaticShape(result)) return;
  if (collapse ? !is_static(inner) || !is_static(outer) : !has_known_steps(outer, groups)) return;
  MlirLocation loc = mlirOperationGetLocation(view);
  TtBuilder b = tt_builder_before(view);
  MlirValue at[TT_MAX_RANK];
  int64_t size[TT_MAX_RANK], steps[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(fine), kept = 0;
  for (intptr_t d = rank, last = -1; d-- > 0;) { /* the innermost of a group has the size */
    intptr_t group = group_of(groups, d);
    bool innermost = group != last;
    if (collapse) {
      MlirValue whole = tt_subview_offset(&b, view, group), extent;
      int64_t stride = 1, taken = mlirDenseI64ArrayGetElement(sizes, group);
      for (intptr_t i = d + 1; i < rank && group_of(groups, i) == group; ++i)
        stride *= mlirShapedTypeGetDimSize(fine, i);
      extent = tt_index(&b, loc, mlirShapedTypeGetDimSize(fine, d));
      at[d] = tt_div(&b, loc, whole, tt_index(&b, loc, stride));
      if (d > 0 && group_of(groups, d - 1) == group) at[d] = tt_rem(&b, loc, at[d], extent);
      size[d] = innermost ? taken : 1, keeps[d] = innermost, steps[d] = 1;
      /* What goes over the end of the innermost dimension is no block of it. */
      if (innermost && mlirShapedTypeGetDimSize(fine, d) % taken != 0) return;
    } else { /* one dimension may have more than a step, and what is inside of it has one */
      int64_t stride = 1, taken = mlirDenseI64ArrayGetElement(sizes, d);
      if (innermost)
        at[group] = tt_index(&b, loc, 0), size[group] = steps[group] = 1, keeps[group] = true;
      for (intptr_t i = d + 1; i < rank && group_of(groups, i) == group; ++i)
        stride *= mlirShapedTypeGetDimSize(fine, i);
      if (taken != 1 && size[group] != 1) return;
      if (taken != 1) steps[group] = stride;
      size[group] *= taken;
      at[group] =
          tt_add(&b, loc, at[group],
                 tt_mul(&b, loc, tt_subview_offset(&b, view, d), tt_index(&b, loc, stride)));
    }
    last = group;
  }
  intptr_t own = mlirShapedTypeGetRank(inner);
  for (intptr_t d = 0; d < own; ++d) kept += keeps[d];
  for (intptr_t d = 0; d < own && kept > mlirShapedTypeGetRank(result); ++d)
    if (keeps[d] && size[d] == 1) keeps[d] = false, --kept;
  if (kept != mlirShapedTypeGetRank(result)) return;
  if (is_all(source, at, size) && kept == own) {
    tt_replace(view, source);
    return;
  }
  tt_replace(view, tt_strided_subview(&b, loc, source, at, size, steps, keeps));
}

static bool is_dense(MlirOperation view) {
  MlirAttribute steps = tt_op_attr(view, "static_strides");
  bool dense = mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(view, 0)));
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(steps); ++d)
    dense &= mlirDenseI64ArrayGetElement(steps, d) == 1;
  return dense;
}

/* A view of a view of a reshaped memref, as one of that. */
static MlirOperation join_views(MlirOperation view) {
  bool has[TT_MAX_RANK], takes[TT_MAX_RANK], keeps[TT_MAX_RANK];
  MlirOperation outer = tt_defining_op(mlirOperationGetOperand(view, 0));
  if (!tt_op_is(outer, "memref.subview")) return view;
  MlirValue source = mlirOperationGetOperand(outer, 0);
  MlirOperation reshape = tt_defining_op(source);
  bool reshaped =
      tt_op_is(reshape, "memref.collapse_shape") || tt_op_is(reshape, "memref.expand_shape");
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(source)), n = 0;
  if (!reshaped || rank > TT_MAX_RANK || !is_dense(outer) || !is_dense(view) ||
      !tt_subview_keeps(outer, has) || !tt_subview_keeps(view, takes))
    return view;
  TtBuilder b = tt_builder_before(view);
  MlirLocation loc = mlirOperationGetLocation(view);
  MlirValue at[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK];
  for (intptr_t d = 0; d < rank; ++d) {
    at[d] = tt_subview_offset(&b, outer, d), sizes[d] = 1, keeps[d] = false;
    if (!has[d]) continue;
    at[d] = tt_add(&b, loc, at[d], tt_subview_offset(&b, view, n));
    sizes[d] = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_sizes"), n);
    keeps[d] = takes[n++];
  }
  MlirValue joint = tt_subview(&b, loc, source, at, sizes, keeps);
  tt_replace(view, joint);
  return tt_defining_op(joint);
}

void tt_fold_reshapes(TtArena *arena, MlirOperation kernel) {
  tt_open_views(arena, kernel);
  TtOps views = tt_collect(arena, kernel, "memref.subview");
  for (intptr_t i = 0; i < views.n; ++i) fold_view(join_views(views.data[i]));
  tt_take_whole_steps(arena, kernel);
  TtOps collapses = tt_collect(arena, kernel, "memref.collapse_shape");
  for (intptr_t i = 0; i < collapses.n; ++i) {
    if (!tt_has_uses(mlirOperationGetResult(collapses.data[i], 0)))
      mlirOperationDestroy(collapses.data[i]);
    else if (!fold_inverse(collapses.data[i])) fold_units(collapses.data[i]);
  }
}
