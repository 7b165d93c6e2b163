/*===- select_windows.c - windows inside of tiles of a core's buffer --------------------------===
 *
 *   before  memref.copy %s[1, 2] [18, 32], %x                       (%s is 20x64)
 *   after   memref.copy %s[1, 0] [18, 64], %t
 *           memref.copy %t[0, 2] [18, 32], %x
 *
 *   before  memref.copy %x, %s[1, 2] [18, 32]
 *   after   memref.copy %s[1, 0] [18, 64], %t
 *           memref.copy %x, %t[0, 2] [18, 32]
 *           memref.copy %t, %s[1, 0] [18, 64]
 *
 * as the inner elements of a grid are that steps of time make again. What is along one dimension,
 * --tt-select-lines does line by line; what is whole tiles along one goes first, at once.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/select_lines.h"

#include "Analysis/index_expr.h"
#include "Analysis/kept_dims.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Tile/block.h"

static int64_t static_of(MlirOperation view, const char *name, intptr_t d) {
  return mlirDenseI64ArrayGetElement(tt_op_attr(view, name), d);
}

/* Whether tiles are taken as they are along `d`: a part that is read may end inside of one. A line
 * without its dimension lies in other tiles than where it is. */
static bool is_of_tiles(TtArena *arena, const TtLine *l, intptr_t d) {
  if (!l->keeps[d]) return false;
  TtBuilder b = tt_builder_before(l->copy);
  int64_t start = static_of(l->view, "static_offsets", d),
          size = static_of(l->view, "static_sizes", d),
          all = mlirShapedTypeGetDimSize(mlirValueGetType(l->buffer), d);
  bool begins = start != INT64_MIN
                    ? start % TT_TILE == 0
                    : tt_is_multiple(arena, &b, tt_subview_offset(&b, l->view, d), TT_TILE),
       ends = size % TT_TILE == 0 || (start != INT64_MIN && start + size == all);
  return begins && (ends || !l->writes) &&
         (size == 1 || static_of(l->view, "static_strides", d) == 1);
}

/* Whether the copy is of a window: the dimension that goes first, or -1. */
static intptr_t first_dim(TtArena *arena, const TtLine *l) {
  MlirType type = mlirValueGetType(l->buffer);
  if (l->rank != 2 || !mlirShapedTypeHasStaticShape(type)) return -1;
  bool of_tiles[2];
  int lines = 0;
  for (intptr_t d = 0; d < 2; ++d) {
    int64_t size = static_of(l->view, "static_sizes", d);
    if (size < 0 || static_of(l->view, "static_strides", d) == INT64_MIN ||
        size == mlirShapedTypeGetDimSize(type, d))
      return -1;
    lines += size == 1;
    of_tiles[d] = is_of_tiles(arena, l, d);
  }
  if (lines == 2 || (of_tiles[0] && of_tiles[1])) return -1;
  return of_tiles[1] ? 1 : 0;
}

/* The part of the buffer that is the view's along `d`, and all of it along the other dimension. */
static MlirValue along(TtBuilder *b, const TtLine *l, intptr_t d) {
  MlirValue at[2] = {{NULL}, {NULL}};
  int64_t sizes[2], steps[2] = {1, 1};
  at[d] = tt_subview_offset(b, l->view, d), sizes[d] = static_of(l->view, "static_sizes", d);
  steps[d] = static_of(l->view, "static_strides", d);
  sizes[1 - d] = mlirShapedTypeGetDimSize(mlirValueGetType(l->buffer), 1 - d);
  return tt_strided_subview(b, mlirOperationGetLocation(l->copy), l->buffer, at, sizes, steps,
                            (bool[]){true, true});
}

static void split(const TtLine *l, intptr_t first) {
  TtBuilder b = tt_builder_before(l->copy);
  if (l->writes) tt_fill_at_first(l);
  MlirValue at[2] = {{NULL}, {NULL}};
  int64_t sizes[2], shape[2], steps[2] = {1, 1};
  steps[1 - first] = static_of(l->view, "static_strides", 1 - first);
  at[1 - first] = tt_subview_offset(&b, l->view, 1 - first);
  for (intptr_t d = 0; d < 2; ++d) sizes[d] = static_of(l->view, "static_sizes", d);
  shape[first] = sizes[first];
  shape[1 - first] = mlirShapedTypeGetDimSize(mlirValueGetType(l->buffer), 1 - first);
  MlirValue between = tt_alloc_between(&b, l, 2, shape);
  tt_copy_part(&b, l, along(&b, l, first), between);
  MlirValue part = tt_strided_subview(&b, mlirOperationGetLocation(l->copy), between, at, sizes,
                                      steps, l->keeps);
  tt_copy_part(&b, l, l->writes ? l->own : part, l->writes ? part : l->own);
  if (l->writes) tt_copy_part(&b, l, between, along(&b, l, first));
  mlirOperationDestroy(l->copy);
}

void tt_split_windows(TtArena *arena, MlirOperation kernel) {
  TtOps all = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    TtLine l;
    intptr_t first = tt_is_part_of_buffer(all.data[i], &l) ? first_dim(arena, &l) : -1;
    if (first >= 0) split(&l, first);
  }
}
