/*===- turn_buffers.c - buffers of the core whose steps are in the middle
 * -------------------------===
 *
 * The last two dimensions of a buffer are matrices, and those before them steps. Where views take
 * steps of the dimension before the last, as heads of (row, head, element), the buffer is held with
 * these outside:
 *
 *   %q = memref.alloc() : memref<32x4x64xf32>            %n = memref.alloc() : memref<4x32x64xf32>
 *   memref.copy %tensor, %q                        =     %t = memref.transpose %tensor (h, i, d)
 *                                                        memref.copy %t, %n
 *   %v = memref.subview %q[0, %h, 0] [32, 1, 64]         %v = memref.subview %n[%h, 0, 0] [1, 32,
 * 64]
 *
 * So is what elementwise ops and copies put beside such a buffer, and one of many steps of which
 * all ops take all, where that leaves fewer. Maps of linalg ops follow. Buffers that other ops use,
 * or of which views take steps outside as well, stay as they are.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kept_dims.h"
#include "Transforms/Raise/outer_steps.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Tile/block.h"

enum { RANK = 3, STEPS = 1 }; /* of the buffers; which dimension has the steps */

/* What the ops around a buffer ask for. */
typedef enum Wish { EITHER, STAY, TURN } Wish;

typedef struct Buffers {
  TtArena *arena;
  MlirValue *all;
  Wish *wish;
  intptr_t n;
} Buffers;

static intptr_t number_of(const Buffers *b, MlirValue value) {
  for (intptr_t i = 0; i < b->n; ++i)
    if (tt_value_eq(b->all[i], value)) return i;
  return -1;
}

static bool is_of_three(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return tt_is_memref(type) && mlirShapedTypeGetRank(type) == RANK &&
         mlirShapedTypeHasStaticShape(type);
}

/*===- Wishes --------------------------------------------------------------------------------===*/

/* Whether all that uses a view takes any strides: nothing else is typed after it. */
static bool is_taken_by_ops(MlirValue view) {
  for (MlirOpOperand use = mlirValueGetFirstUse(view); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!tt_is_linalg(op) && !tt_op_is(op, "memref.copy") && !tt_op_is(op, "memref.load") &&
        !tt_op_is(op, "memref.store"))
      return false;
  }
  return true;
}

/* What a view asks for: steps in the middle, outside, or neither. */
static Wish wish_of_view(MlirOperation view) {
  bool keeps[TT_MAX_RANK];
  if (!tt_op_is(view, "memref.subview") || !tt_subview_keeps(view, keeps) ||
      !is_taken_by_ops(mlirOperationGetResult(view, 0)))
    return STAY;
  for (intptr_t d = 0; d < RANK; ++d)
    if (mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_strides"), d) != 1 ||
        mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_sizes"), d) < 0)
      return STAY;
  bool one = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_sizes"), STEPS) == 1;
  return keeps[0] && !keeps[STEPS] && keeps[2] && one ? TURN : STAY;
}

/* Whether an op takes a buffer as a whole, and can take a turned one. */
static bool takes_whole(MlirOperation op) {
  return tt_op_is(op, "memref.copy") || tt_op_is(op, "linalg.fill") ||
         tt_op_is(op, "linalg.generic") || tt_op_is(op, "memref.dealloc");
}

static Wish wish_of_uses(MlirValue buffer) {
  Wish wish = EITHER;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (takes_whole(op)) continue;
    if (wish_of_view(op) == STAY) return STAY;
    wish = TURN;
  }
  return wish;
}

/* What stands beside a buffer in an op goes its way; where that cannot be, neither turns. Whether
 * anything changed. */
static bool agree(Buffers *b, MlirOperation op) {
  bool turn = false, stay = false, changed = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    intptr_t k = number_of(b, value);
    turn |= k >= 0 && b->wish[k] == TURN;
    stay |=
        k >= 0 ? b->wish[k] == STAY : is_of_three(value) && tt_is_core_buffer(tt_view_root(value));
  }
  Wish all = stay ? STAY : turn ? TURN : EITHER;
  for (intptr_t i = 0; all != EITHER && i < mlirOperationGetNumOperands(op); ++i) {
    intptr_t k = number_of(b, mlirOperationGetOperand(op, i));
    if (k < 0 || b->wish[k] == all) continue;
    b->wish[k] = all, changed = true;
  }
  return changed;
}

static bool is_projection(MlirAffineMap map) {
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); ++i)
    if (!mlirAffineExprIsADim(mlirAffineMapGetResult(map, i))) return false;
  return true;
}

/* Of one that is taken as a whole everywhere, whether its steps are more than the chip has circular
 * buffers for, and fewer where it is turned. */
static bool has_many_steps(MlirValue buffer) {
  enum { FEW = 16 };
  MlirType type = mlirValueGetType(buffer);
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_is(op, "linalg.generic") &&
        !is_projection(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(
            tt_op_attr(op, "indexing_maps"), mlirOpOperandGetOperandNumber(use)))))
      return false;
  }
  int64_t outer = mlirShapedTypeGetDimSize(type, 0);
  return outer > FEW && outer > mlirShapedTypeGetDimSize(type, STEPS);
}

static Buffers find_buffers(TtArena *arena, const TtOps *ops) {
  Buffers b = {.arena = arena};
  size_t room = (size_t)ops->n + 1;
  b.all = tt_arena_alloc(arena, room * sizeof *b.all);
  b.wish = tt_arena_alloc(arena, room * sizeof *b.wish);
  for (intptr_t i = 0; i < ops->n; ++i) {
    if (!tt_op_is(ops->data[i], "memref.alloc") && !tt_op_is(ops->data[i], "memref.alloca"))
      continue;
    MlirValue buffer = mlirOperationGetResult(ops->data[i], 0);
    if (!is_of_three(buffer) || !tt_is_core_buffer(buffer)) continue;
    b.all[b.n] = buffer;
    b.wish[b.n++] = wish_of_uses(buffer);
  }
  for (int round = 0; round < 2; ++round) {
    for (bool again = true; again;) {
      again = false;
      for (intptr_t i = 0; i < ops->n; ++i)
        if (takes_whole(ops->data[i])) again |= agree(&b, ops->data[i]);
    }
    for (intptr_t i = 0; round == 0 && i < b.n; ++i)
      if (b.wish[i] == EITHER && has_many_steps(b.all[i])) b.wish[i] = TURN;
  }
  return b;
}

/*===- Turning -------------------------------------------------------------------------------===*/

static MlirType turned_type(MlirType type) {
  int64_t shape[RANK];
  for (intptr_t d = 0; d < RANK; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  shape[0] = mlirShapedTypeGetDimSize(type, STEPS);
  shape[STEPS] = mlirShapedTypeGetDimSize(type, 0);
  return mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), RANK, shape,
                                     mlirMemRefTypeGetMemorySpace(type));
}

static MlirAffineMap turning(MlirContext context) {
  unsigned order[RANK] = {STEPS, 0, 2};
  return mlirAffineMapPermutationGet(context, RANK, order);
}

/* memref.transpose of what a copy moves to or from a turned buffer. */
static MlirValue transposed(TtBuilder *b, MlirLocation loc, MlirValue memref) {
  MlirType type = mlirValueGetType(memref);
  int64_t shape[RANK], strides[RANK], start, one;
  for (intptr_t d = 0; d < RANK; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  mlirMemRefTypeGetStridesAndOffset(type, strides, &start);
  one = shape[0], shape[0] = shape[STEPS], shape[STEPS] = one;
  one = strides[0], strides[0] = strides[STEPS], strides[STEPS] = one;
  TtOpState s = tt_op_state("memref.transpose", loc);
  tt_op_state_operand(&s, memref);
  tt_op_state_attr(&s, b->context, "permutation", mlirAffineMapAttrGet(turning(b->context)));
  tt_op_state_result(&s,
                     mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), RANK, shape,
                                       mlirStridedLayoutAttrGet(b->context, start, RANK, strides),
                                       mlirMemRefTypeGetMemorySpace(type)));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* The step that a view takes, of the turned buffer. */
static void turn_view(MlirOperation view, MlirValue turned) {
  TtBuilder b = tt_builder_before(view);
  MlirAttribute sizes = tt_op_attr(view, "static_sizes");
  static const intptr_t from[RANK] = {STEPS, 0, 2};
  MlirValue at[TT_MAX_RANK];
  int64_t size[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK] = {false, true, true};
  for (intptr_t d = 0; d < RANK; ++d) {
    at[d] = tt_subview_offset(&b, view, from[d]);
    size[d] = mlirDenseI64ArrayGetElement(sizes, from[d]);
  }
  tt_replace(view, tt_subview(&b, mlirOperationGetLocation(view), turned, at, size, keeps));
}

/* The map of operand `i` of a linalg.generic, with its first two results exchanged. */
static void turn_map(MlirOperation op, intptr_t i) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute maps = tt_op_attr(op, "indexing_maps"), all[TT_MAX_RANK * 8];
  intptr_t n = mlirArrayAttrGetNumElements(maps);
  for (intptr_t k = 0; k < n; ++k) all[k] = mlirArrayAttrGetElement(maps, k);
  MlirAffineMap map = mlirAffineMapAttrGetValue(all[i]);
  MlirAffineExpr results[RANK] = {mlirAffineMapGetResult(map, STEPS),
                                  mlirAffineMapGetResult(map, 0), mlirAffineMapGetResult(map, 2)};
  all[i] = mlirAffineMapAttrGet(
      mlirAffineMapGet(context, mlirAffineMapGetNumDims(map), 0, RANK, results));
  mlirOperationSetInherentAttributeByName(op, tt_str("indexing_maps"),
                                          mlirArrayAttrGet(context, n, all));
}

static void turn(MlirValue buffer) {
  MlirOperation alloc = tt_defining_op(buffer);
  TtBuilder b = tt_builder_before(alloc);
  MlirValue turned =
      tt_static_alloc(&b, mlirOperationGetLocation(alloc), turned_type(mlirValueGetType(buffer)));
  for (MlirOpOperand use; !mlirOpOperandIsNull(use = mlirValueGetFirstUse(buffer));) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t i = mlirOpOperandGetOperandNumber(use);
    if (tt_op_is(op, "memref.subview")) {
      turn_view(op, turned);
      continue;
    }
    if (tt_op_is(op, "linalg.generic")) turn_map(op, i);
    mlirOperationSetOperand(op, i, turned);
  }
  mlirOperationDestroy(alloc);
}

/* Copies of which one side was turned turn the other one. */
static void turn_copy(const Buffers *b, MlirOperation copy) {
  intptr_t x = number_of(b, mlirOperationGetOperand(copy, 0)),
           y = number_of(b, mlirOperationGetOperand(copy, 1));
  bool from = x >= 0 && b->wish[x] == TURN, to = y >= 0 && b->wish[y] == TURN;
  if (from == to) return;
  TtBuilder before = tt_builder_before(copy);
  intptr_t other = from ? 1 : 0;
  mlirOperationSetOperand(
      copy, other,
      transposed(&before, mlirOperationGetLocation(copy), mlirOperationGetOperand(copy, other)));
}

/*===- Views of views ------------------------------------------------------------------------===*/

/* A copy to a buffer that is seen with dimensions of one element more is one to the buffer, of what
 * is there without them. */
static void copy_narrowly(MlirOperation copy, intptr_t side) {
  MlirValue wide = mlirOperationGetOperand(copy, side);
  MlirOperation view = tt_defining_op(wide);
  if (!tt_op_is(view, "memref.expand_shape")) return;
  MlirValue buffer = mlirOperationGetOperand(view, 0);
  MlirType type = mlirValueGetType(wide);
  intptr_t rank = mlirShapedTypeGetRank(type), kept = 0;
  if (!is_of_three(buffer) || !tt_is_core_buffer(buffer) || rank > TT_MAX_RANK ||
      !mlirShapedTypeHasStaticShape(type))
    return;
  MlirValue at[TT_MAX_RANK] = {{NULL}};
  int64_t sizes[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  for (intptr_t d = 0; d < rank; ++d) {
    sizes[d] = mlirShapedTypeGetDimSize(type, d);
    keeps[d] = sizes[d] != 1;
    kept += keeps[d];
  }
  if (kept != RANK) return;
  TtBuilder b = tt_builder_before(copy);
  mlirOperationSetOperand(copy, 1 - side,
                          tt_subview(&b, mlirOperationGetLocation(copy),
                                     mlirOperationGetOperand(copy, 1 - side), at, sizes, keeps));
  mlirOperationSetOperand(copy, side, buffer);
}

/* A step of a transposed memref that leaves the other dimensions in their order is one of the
 * memref itself. */
static void fold_step(MlirOperation view) {
  MlirOperation turn = tt_defining_op(mlirOperationGetOperand(view, 0));
  bool keeps[TT_MAX_RANK], own[TT_MAX_RANK];
  if (!tt_op_is(turn, "memref.transpose") || !tt_subview_keeps(view, keeps)) return;
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(turn, "permutation"));
  MlirValue at[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK], steps[TT_MAX_RANK];
  intptr_t rank = mlirAffineMapGetNumResults(map), last = -1;
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t size = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_sizes"), d),
            step = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_strides"), d);
    intptr_t of = mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d));
    if (size < 0 || step < 0 || (keeps[d] && of < last)) return;
    if (keeps[d]) last = of;
    sizes[of] = size, steps[of] = step, own[of] = keeps[d];
  }
  TtBuilder b = tt_builder_before(view);
  for (intptr_t d = 0; d < rank; ++d)
    at[mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d))] =
        tt_subview_offset(&b, view, d);
  tt_replace(view, tt_strided_subview(&b, mlirOperationGetLocation(view),
                                      mlirOperationGetOperand(turn, 0), at, sizes, steps, own));
}

void tt_fold_steps(TtArena *arena, MlirOperation kernel) {
  TtOps views = tt_collect(arena, kernel, "memref.subview");
  for (intptr_t i = 0; i < views.n; ++i) fold_step(views.data[i]);
}

void tt_turn_buffers(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, "memref.copy");
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t side = 0; side < 2; ++side) copy_narrowly(ops.data[i], side);
  tt_erase_dead(kernel);
  ops = tt_collect(arena, kernel, NULL);
  Buffers b = find_buffers(arena, &ops);
  if (b.n == 0) return;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "memref.copy")) turn_copy(&b, ops.data[i]);
  for (intptr_t i = 0; i < b.n; ++i)
    if (b.wish[i] == TURN) turn(b.all[i]);
}
