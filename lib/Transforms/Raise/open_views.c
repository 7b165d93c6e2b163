/*===- open_views.c - blocks of open size of reshaped tensors --------------------------------===
 *
 * A block whose size is known as the kernel runs only is taken from the tensor itself, and what is
 * collapsed of it stays so:
 *
 *   %v = memref.collapse_shape %A [[0, 1], [2]] : 2x2x33 into 4x33
 *   %b = memref.subview %v[0, %j] [4, %n]                            : 4x?
 * = %s = memref.subview %A[0, 0, %j] [2, 2, %n]                      : 2x2x?
 *   %b = memref.collapse_shape %s [[0, 1], [2]]                      : 4x?
 *
 * So is a block of whole steps of dimensions that are collapsed into one, heads of columns say:
 *
 *   %v = memref.collapse_shape %A [[0], [1, 2]] : ?x2x32 into ?x64
 *   %b = memref.subview %v[%i, %j] [%n, 32]            with %j a multiple of 32
 * = %b = memref.subview %A[%i, %j / 32, 0] [%n, 1, 32]
 *
 * And one of an expanded tensor:
 *
 *   %v = memref.expand_shape %A [[0], [1, 2]] : ?x64 into ?x2x32
 *   %b = memref.subview %v[%i, %h, 0] [%n, 1, 32]
 * = %b = memref.subview %A[%i, %h * 32] [%n, 32]
 *
 * Left alone: a part of open size of such, and one that is not seen to end where a step does.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_expr.h"
#include "Analysis/kept_dims.h"
#include "Transforms/Raise/slices.h"

/* What a view takes of the dimensions of a tensor. */
typedef struct Taken {
  MlirValue at[TT_MAX_RANK], given[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
} Taken;

static intptr_t size_of_group(MlirAttribute group) { return mlirArrayAttrGetNumElements(group); }

static intptr_t dim_of(MlirAttribute group, intptr_t i) {
  return (intptr_t)tt_int(mlirArrayAttrGetElement(group, i));
}

/* Takes `size` elements, from `offset` on, of the dimensions in `group`, of which the block has the
 * innermost as a whole, then a part of one, then a step of each; false where that is no such. */
static bool take_steps(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirAttribute group,
                       MlirValue offset, int64_t size, bool is_kept, MlirType tensor, Taken *t) {
  int64_t inner = 1, rest = size;
  if (size < 1 || !tt_is_multiple(arena, b, offset, size)) return false;
  for (intptr_t i = size_of_group(group); i-- > 0;) {
    intptr_t d = dim_of(group, i);
    int64_t extent = mlirShapedTypeGetDimSize(tensor, d);
    bool whole = extent > 0 && rest % extent == 0;
    if (extent < 0 && i > 0) return false;
    if (!whole && extent > 0 && extent % rest != 0) return false;
    t->sizes[d] = whole ? extent : rest;
    t->keeps[d] = is_kept && t->sizes[d] != 1;
    if (!whole) {
      t->at[d] = tt_div(b, loc, offset, tt_index(b, loc, inner));
      if (i > 0) t->at[d] = tt_rem(b, loc, t->at[d], tt_index(b, loc, extent));
    }
    rest /= t->sizes[d], inner *= extent;
  }
  if (is_kept && size == 1) t->keeps[dim_of(group, size_of_group(group) - 1)] = true;
  return rest == 1;
}

/* Adds what dimension `g` of `view` (of those that it keeps, number `kept`; negative where it does
 * not) takes of the dimensions in `group`, which are collapsed into it; false where it is no block
 * of several. */
static bool take_group(TtArena *arena, TtBuilder *b, MlirOperation view, intptr_t g,
                       MlirAttribute group, intptr_t kept, MlirType tensor, Taken *t) {
  MlirLocation loc = mlirOperationGetLocation(view);
  int64_t all = 1, start = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_offsets"), g),
          size = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_sizes"), g);
  intptr_t wide = -1, several = 0;
  for (intptr_t i = 0; i < size_of_group(group); ++i) {
    intptr_t d = dim_of(group, i);
    int64_t extent = mlirShapedTypeGetDimSize(tensor, d);
    t->at[d] = (MlirValue){NULL}, t->given[d] = (MlirValue){NULL};
    t->sizes[d] = extent, t->keeps[d] = kept >= 0 && extent != 1;
    if (extent != 1) wide = d, ++several;
    all = extent < 0 || all < 0 ? -1 : all * extent;
  }
  if (several > 1)
    return (start == 0 && size == all && all > 0) ||
           take_steps(arena, b, loc, group, tt_subview_offset(b, view, g), size, kept >= 0, tensor,
                      t);
  if (several == 0) return kept < 0;
  t->at[wide] = tt_subview_offset(b, view, g), t->sizes[wide] = size;
  if (size == INT64_MIN)
    t->given[wide] = tt_dynamic_size(b, loc, mlirOperationGetResult(view, 0), kept);
  return true;
}

/* `block`, whose dimensions are those that `taken` keeps, with those of each group as one. */
static MlirValue collapse(TtBuilder *b, MlirLocation loc, MlirValue block, MlirAttribute groups,
                          const Taken *taken) {
  MlirType type = mlirValueGetType(block);
  MlirAttribute all[TT_MAX_RANK], group[TT_MAX_RANK];
  int64_t strides[TT_MAX_RANK], own[TT_MAX_RANK], shape[TT_MAX_RANK], start;
  intptr_t n = 0, d = 0;
  mlirMemRefTypeGetStridesAndOffset(type, strides, &start);
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    MlirAttribute dims = mlirArrayAttrGetElement(groups, g);
    intptr_t in = 0;
    int64_t extent = 1;
    for (intptr_t i = 0; i < size_of_group(dims); ++i) {
      if (!taken->keeps[dim_of(dims, i)]) continue;
      int64_t size = mlirShapedTypeGetDimSize(type, d);
      extent = mlirShapedTypeIsDynamicDim(type, d) ? size : extent * size;
      own[n] = strides[d];
      group[in++] = tt_i64_attr(b->context, d++);
    }
    if (in == 0) continue;
    shape[n] = extent;
    all[n++] = mlirArrayAttrGet(b->context, in, group);
  }
  if (n == d) return block;
  TtOpState s = tt_op_state("memref.collapse_shape", loc);
  tt_op_state_operand(&s, block);
  tt_op_state_attr(&s, b->context, "reassociation", mlirArrayAttrGet(b->context, n, all));
  tt_op_state_result(&s, mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), n, shape,
                                           mlirStridedLayoutAttrGet(b->context, start, n, own),
                                           mlirMemRefTypeGetMemorySpace(type)));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* Adds what a view takes of the dimensions in `group`, to which dimension `s` of a tensor is
 * expanded; false where that is no block, or has several dimensions. */
static bool take_expanded(TtBuilder *b, MlirOperation view, MlirAttribute group, const bool *keeps,
                          MlirType fine, intptr_t s, Taken *t) {
  MlirLocation loc = mlirOperationGetLocation(view);
  MlirAttribute sizes = tt_op_attr(view, "static_sizes");
  int64_t stride = 1;
  bool whole = true; /* inside of what comes next */
  t->at[s] = tt_index(b, loc, 0), t->given[s] = (MlirValue){NULL};
  t->sizes[s] = 1, t->keeps[s] = false;
  for (intptr_t i = size_of_group(group); i-- > 0;) {
    intptr_t d = dim_of(group, i), kept = 0;
    int64_t extent = mlirShapedTypeGetDimSize(fine, d),
            size = mlirDenseI64ArrayGetElement(sizes, d);
    if (size != 1 && (!whole || (size < 0 && size_of_group(group) > 1))) return false;
    if (keeps[d] && t->keeps[s]) return false;
    t->keeps[s] = t->keeps[s] || keeps[d];
    for (intptr_t j = 0; j < d; ++j) kept += keeps[j];
    if (size < 0) t->given[s] = tt_dynamic_size(b, loc, mlirOperationGetResult(view, 0), kept);
    MlirValue at = tt_subview_offset(b, view, d);
    t->at[s] = tt_add(b, loc, t->at[s], tt_mul(b, loc, at, tt_index(b, loc, stride)));
    t->sizes[s] = size < 0 ? size : t->sizes[s] * size;
    whole = whole && size == extent;
    if (extent < 0 && i > 0) return false;
    stride *= extent;
  }
  return true;
}

/* Takes a view of open size of an expanded tensor from the tensor. */
static void open_expanded(MlirOperation view) {
  MlirOperation op = tt_defining_op(mlirOperationGetOperand(view, 0));
  bool keeps[TT_MAX_RANK];
  if (!tt_op_is(op, "memref.expand_shape") ||
      mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(view, 0))) ||
      !tt_subview_keeps(view, keeps))
    return;
  MlirValue tensor = mlirOperationGetOperand(op, 0);
  MlirType fine = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirAttribute groups = tt_op_attr(op, "reassociation"),
                steps = tt_op_attr(view, "static_strides");
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(steps); ++d)
    if (mlirDenseI64ArrayGetElement(steps, d) != 1) return;
  TtBuilder b = tt_builder_before(view);
  Taken taken;
  for (intptr_t s = 0; s < mlirArrayAttrGetNumElements(groups); ++s)
    if (!take_expanded(&b, view, mlirArrayAttrGetElement(groups, s), keeps, fine, s, &taken))
      return;
  tt_replace(view, tt_open_subview(&b, mlirOperationGetLocation(view), tensor, taken.at,
                                   taken.sizes, taken.given, taken.keeps));
}

/* Takes a view of a collapsed tensor from the tensor. */
static void open_view(TtArena *arena, MlirOperation view, bool known) {
  MlirOperation op = tt_defining_op(mlirOperationGetOperand(view, 0));
  bool keeps[TT_MAX_RANK];
  if (!tt_op_is(op, "memref.collapse_shape") ||
      (mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetOperand(op, 0))) &&
       mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(view, 0)))) != known ||
      !tt_subview_keeps(view, keeps))
    return;
  MlirValue tensor = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(tensor);
  MlirAttribute groups = tt_op_attr(op, "reassociation"),
                steps = tt_op_attr(view, "static_strides");
  if (mlirShapedTypeGetRank(type) > TT_MAX_RANK) return;
  TtBuilder b = tt_builder_before(view);
  Taken taken;
  intptr_t kept = 0;
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g)
    if (mlirDenseI64ArrayGetElement(steps, g) != 1 ||
        !take_group(arena, &b, view, g, mlirArrayAttrGetElement(groups, g), keeps[g] ? kept++ : -1,
                    type, &taken))
      return;
  MlirLocation loc = mlirOperationGetLocation(view);
  MlirValue block =
      tt_open_subview(&b, loc, tensor, taken.at, taken.sizes, taken.given, taken.keeps);
  tt_replace(view, collapse(&b, loc, block, groups, &taken));
}

void tt_open_views(TtArena *arena, MlirOperation kernel) {
  TtOps views = tt_collect(arena, kernel, "memref.subview");
  for (intptr_t i = 0; i < views.n; ++i) {
    MlirOperation of = tt_defining_op(mlirOperationGetOperand(views.data[i], 0));
    if (tt_op_is(of, "memref.expand_shape")) open_expanded(views.data[i]);
    else open_view(arena, views.data[i], false);
  }
}

void tt_take_whole_steps(TtArena *arena, MlirOperation kernel) {
  TtOps views = tt_collect(arena, kernel, "memref.subview");
  for (intptr_t i = 0; i < views.n; ++i) open_view(arena, views.data[i], true);
}
