/*===- write_parts.c - --tt-write-parts -------------------------------------------------------===
 *
 * A grid that computes a part of a tensor writes it there, and not to a tensor of its own from
 * which it is copied: one of two halves of a rotary embedding, or a tensor that is put behind
 * another one.
 *
 *   before  %part = memref.alloc() : memref<8x256x32xbf16>
 *           scf.forall (%h, %m) … { … outs(memref.subview %part[%h, %m, 0] [1, 32, 32]) }
 *           memref.copy %part, (memref.subview %whole[0, 0, 32] [8, 256, 32])
 *   after   scf.forall (%h, %m) … { … outs(memref.subview %whole[%h, %m, 32] [1, 32, 32]) }
 *
 * Legal where the grid alone uses %part, by views, and nothing touches that part of %whole from the
 * grid on to the copy. Done where the part is whole tiles of %whole: of others, a copy moves rows
 * faster than a grid writes them.
 *
 * Requires a bufferized model, after --tt-write-results.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kept_dims.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/grids.h"
#include "Transforms/Raise/slices.h"

/* A copy at the end of `grid` of tensor `part` to `view` of `whole`, from `offset` on. */
typedef struct Move {
  MlirOperation copy, view, part, grid;
  MlirValue whole;
  intptr_t rank;
  int64_t offset[TT_MAX_RANK], size[TT_MAX_RANK];
} Move;

/* Constant offsets and sizes of a memref.subview in steps of 1; INT64_MIN where they are open. */
static bool read_view(MlirOperation view, int64_t *offset, int64_t *size) {
  if (!tt_op_is(view, "memref.subview")) return false;
  MlirAttribute offsets = tt_op_attr(view, "static_offsets"),
                sizes = tt_op_attr(view, "static_sizes"),
                steps = tt_op_attr(view, "static_strides");
  intptr_t rank = mlirDenseArrayGetNumElements(offsets);
  for (intptr_t d = 0; d < rank && rank <= TT_MAX_RANK; ++d) {
    offset[d] = mlirDenseI64ArrayGetElement(offsets, d);
    size[d] = mlirDenseI64ArrayGetElement(sizes, d);
    if (mlirDenseI64ArrayGetElement(steps, d) != 1) return false;
  }
  return rank <= TT_MAX_RANK;
}

/* The op of `block` that `op` is, or is in; null where it is elsewhere. */
static MlirOperation ancestor_in(MlirOperation op, MlirBlock block) {
  while (!mlirOperationIsNull(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = tt_is_function(op) ? (MlirOperation){NULL} : tt_parent(op);
  return op;
}

/*===- Legality ------------------------------------------------------------------------------===*/

/* Whether dimension `d` of the last two is whole tiles of the tensor, or its rest. */
static bool is_of_tiles(const Move *m, intptr_t d) {
  int64_t all = mlirShapedTypeGetDimSize(mlirValueGetType(m->whole), d);
  bool rest = m->offset[d] + m->size[d] == all;
  return m->offset[d] % TT_TILE == 0 && (m->size[d] % TT_TILE == 0 || rest);
}

static bool read_move(MlirOperation copy, Move *m) {
  *m = (Move){.copy = copy,
              .view = tt_defining_op(mlirOperationGetOperand(copy, 1)),
              .part = tt_defining_op(mlirOperationGetOperand(copy, 0))};
  if (!tt_op_is(m->part, "memref.alloc") || mlirOperationGetNumOperands(m->part) > 0 ||
      mlirOperationIsNull(m->view) || !read_view(m->view, m->offset, m->size))
    return false;
  m->whole = mlirOperationGetOperand(m->view, 0);
  MlirOperation whole = tt_defining_op(m->whole);
  m->rank = mlirShapedTypeGetRank(mlirValueGetType(m->whole));
  if (mlirOperationIsNull(whole)
          ? !tt_is_function(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(m->whole)))
          : !tt_op_is(whole, "memref.alloc") || mlirOperationGetNumOperands(whole) > 0)
    return false; /* what a loop carries has other names */
  if (mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(copy, 0))) != m->rank)
    return false;
  for (intptr_t d = 0; d < m->rank; ++d)
    if (m->offset[d] < 0 || m->size[d] < 0 || (d + 2 >= m->rank && !is_of_tiles(m, d)))
      return false;
  return true;
}

/* Whether one grid before the copy has all other uses of the part: views that linalg ops and copies
 * take. */
static bool find_grid(Move *m) {
  MlirBlock block = mlirOperationGetBlock(m->copy);
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(m->part, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use), grid = ancestor_in(view, block);
    bool keeps[TT_MAX_RANK];
    int64_t offset[TT_MAX_RANK], size[TT_MAX_RANK];
    if (tt_op_eq(view, m->copy)) continue;
    if (!tt_op_is(grid, "scf.forall") || !tt_is_before(grid, m->copy) ||
        (!mlirOperationIsNull(m->grid) && !tt_op_eq(grid, m->grid)) ||
        !read_view(view, offset, size) || !tt_subview_keeps(view, keeps))
      return false;
    for (intptr_t d = 0; d < m->rank; ++d)
      if (size[d] < 0) return false;
    m->grid = grid;
    for (MlirOpOperand of = mlirValueGetFirstUse(mlirOperationGetResult(view, 0));
         !mlirOpOperandIsNull(of); of = mlirOpOperandGetNextUse(of)) {
      MlirOperation user = mlirOpOperandGetOwner(of);
      if (!tt_is_linalg(user) && !tt_op_is(user, "memref.copy")) return false;
    }
  }
  return !mlirOperationIsNull(m->grid);
}

/* Whether `view` has constant places along a dimension that the part has not. */
static bool is_beside(const Move *m, MlirOperation view) {
  int64_t offset[TT_MAX_RANK], size[TT_MAX_RANK];
  if (!read_view(view, offset, size)) return false;
  for (intptr_t d = 0; d < m->rank; ++d)
    if (offset[d] >= 0 && size[d] >= 0 &&
        (offset[d] + size[d] <= m->offset[d] || m->offset[d] + m->size[d] <= offset[d]))
      return true;
  return false;
}

/* Whether nothing touches the part of the whole from the grid on to the copy. */
static bool is_untouched(const Move *m) {
  MlirBlock block = mlirOperationGetBlock(m->copy);
  for (MlirOpOperand use = mlirValueGetFirstUse(m->whole); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), at = ancestor_in(user, block);
    bool view = mlirOperationGetNumResults(user) > 0;
    if (tt_op_eq(user, m->view) || is_beside(m, user)) continue;
    if (mlirOperationIsNull(at)) return false;
    if (!tt_op_eq(at, m->copy) && tt_is_before(m->copy, at)) continue;
    if (view || !tt_is_before(at, m->grid)) return false;
  }
  return mlirOpOperandIsNull(
      mlirOpOperandGetNextUse(mlirValueGetFirstUse(mlirOperationGetResult(m->view, 0))));
}

/*===- Writing -------------------------------------------------------------------------------===*/

/* The same view, of the whole. */
static void move_view(const Move *m, MlirOperation view) {
  MlirLocation loc = mlirOperationGetLocation(view);
  TtBuilder b = tt_builder_before(view);
  MlirValue at[TT_MAX_RANK];
  int64_t offset[TT_MAX_RANK], size[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  read_view(view, offset, size);
  tt_subview_keeps(view, keeps);
  for (intptr_t d = 0; d < m->rank; ++d) {
    at[d] = tt_subview_offset(&b, view, d);
    if (m->offset[d] == 0) continue;
    MlirValue start = tt_index(&b, loc, m->offset[d]);
    at[d] = tt_is_null_value(at[d]) ? start : tt_add(&b, loc, at[d], start);
  }
  tt_replace(view, tt_subview(&b, loc, m->whole, at, size, keeps));
}

static void write_part(TtArena *arena, const Move *m) {
  MlirOperation whole = tt_defining_op(m->whole);
  if (!mlirOperationIsNull(whole) && !tt_is_before(whole, m->grid) &&
      mlirBlockEqual(mlirOperationGetBlock(whole), mlirOperationGetBlock(m->grid)))
    mlirOperationMoveBefore(whole, m->grid);
  TtOps views = {NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(m->part, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!tt_op_eq(mlirOpOperandGetOwner(use), m->copy))
      tt_ops_add(arena, &views, mlirOpOperandGetOwner(use));
  for (intptr_t i = 0; i < views.n; ++i) move_view(m, views.data[i]);
  mlirOperationDestroy(m->copy);
  mlirOperationDestroy(m->view);
  mlirOperationDestroy(m->part);
}

static bool write_parts(TtArena *arena, MlirOperation func) {
  TtOps copies = tt_collect(arena, func, "memref.copy");
  for (intptr_t i = 0; i < copies.n; ++i) {
    Move m;
    if (read_move(copies.data[i], &m) && find_grid(&m) && is_untouched(&m)) write_part(arena, &m);
  }
  return true;
}

bool tt_run_write_parts(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, write_parts);
}
