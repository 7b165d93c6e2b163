/*===- open_views.c - blocks of open size of tensors whose dimensions are collapsed
 * -----------------===
 *
 * A block whose size is known as the kernel runs only is taken from the tensor itself, and what is
 * collapsed of it stays so:
 *
 *   %v = memref.collapse_shape %A [[0, 1], [2]] : 2x2x33 into 4x33
 *   %b = memref.subview %v[0, %j] [4, %n]                            : 4x?
 * = %s = memref.subview %A[0, 0, %j] [2, 2, %n]                      : 2x2x?
 *   %b = memref.collapse_shape %s [[0, 1], [2]]                      : 4x?
 *
 * Left alone: a part of dimensions that are collapsed into one.
 *
 *===----------------------------------------------------------------------===*/

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

/* Adds what dimension `g` of `view` (of those that it keeps, number `kept`; negative where it does
 * not) takes of the dimensions in `group`, which are collapsed into it; false where it is a part of
 * several. */
static bool take_group(TtBuilder *b, MlirOperation view, intptr_t g, MlirAttribute group,
                       intptr_t kept, MlirType tensor, Taken *t) {
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
  if (several > 1) return start == 0 && size == all && all > 0;
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

/* Takes a view of open size of a collapsed tensor from the tensor. */
static void open_view(MlirOperation view) {
  MlirOperation op = tt_defining_op(mlirOperationGetOperand(view, 0));
  bool keeps[TT_MAX_RANK];
  if (!tt_op_is(op, "memref.collapse_shape") ||
      mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(view, 0))) ||
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
        !take_group(&b, view, g, mlirArrayAttrGetElement(groups, g), keeps[g] ? kept++ : -1, type,
                    &taken))
      return;
  MlirLocation loc = mlirOperationGetLocation(view);
  MlirValue block =
      tt_open_subview(&b, loc, tensor, taken.at, taken.sizes, taken.given, taken.keeps);
  tt_replace(view, collapse(&b, loc, block, groups, &taken));
}

void tt_open_views(TtArena *arena, MlirOperation kernel) {
  TtOps views = tt_collect(arena, kernel, "memref.subview");
  for (intptr_t i = 0; i < views.n; ++i) open_view(views.data[i]);
}
